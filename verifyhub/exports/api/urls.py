"""Exports under the API's root."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from verifyhub.exports.api import job_views, views


class ExportNameConverter(StringConverter):
    """Names of datasets; `jobs` is none."""

    regex = r"(?!jobs/)[-a-zA-Z0-9_]+"


register_converter(ExportNameConverter, "exportname")

app_name = "exports-api"

JOB = "exports/jobs/<uuid:job_id>/"

urlpatterns = [
    path("exports/", views.CatalogueView.as_view(), name="catalogue"),
    path("exports/jobs/", job_views.JobListView.as_view(), name="jobs"),
    path(JOB, job_views.JobView.as_view(), name="job"),
    path(f"{JOB}files/<str:name>", job_views.FileView.as_view(), name="file"),
    path("exports/<exportname:what>/", views.ExportView.as_view(), name="export"),
]
