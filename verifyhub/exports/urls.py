"""Exports for people, below `/p/<slug>/`."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from verifyhub.exports import destination_views, schedule_views, views


class FormatConverter(StringConverter):
    """The file extensions of exports."""

    regex = "csv|jsonl|parquet"


class FileNameConverter(StringConverter):
    """Names of files of an export."""

    regex = r"[a-z_]{1,40}(?:-[0-9]{5})?\.(?:csv|jsonl|parquet|json)"


register_converter(FormatConverter, "exportformat")
register_converter(FileNameConverter, "exportfile")

app_name = "exports"

urlpatterns = [
    path(
        "metrics/export/<slug:what>.<exportformat:written_as>",
        views.download,
        name="download",
    ),
    path("exports/", views.page, name="page"),
    path("exports/new/", views.new, name="new"),
    path("exports/<uuid:job_id>/", views.job, name="job"),
    path("exports/<uuid:job_id>/delete/", views.delete, name="delete"),
    path("exports/<uuid:job_id>/<exportfile:name>", views.file, name="file"),
    path("exports/schedules/", schedule_views.add, name="schedule-add"),
    path("exports/schedules/<uuid:schedule_id>/", schedule_views.edit, name="schedule"),
    path(
        "exports/schedules/<uuid:schedule_id>/delete/",
        schedule_views.delete,
        name="schedule-delete",
    ),
    path(
        "exports/schedules/<uuid:schedule_id>/run/",
        schedule_views.run,
        name="schedule-run",
    ),
    path("exports/destinations/", destination_views.add, name="destination-add"),
    path(
        "exports/destinations/<uuid:destination_id>/",
        destination_views.edit,
        name="destination",
    ),
    path(
        "exports/destinations/<uuid:destination_id>/delete/",
        destination_views.delete,
        name="destination-delete",
    ),
    path(
        "exports/destinations/<uuid:destination_id>/test/",
        destination_views.test,
        name="destination-test",
    ),
]
