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

SCHEDULE = "exports/schedules/<uuid:schedule_id>/"
DESTINATION = "exports/destinations/<uuid:destination_id>/"

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
    path(SCHEDULE, schedule_views.edit, name="schedule"),
    path(f"{SCHEDULE}delete/", schedule_views.delete, name="schedule-delete"),
    path(f"{SCHEDULE}run/", schedule_views.run, name="schedule-run"),
    path("exports/destinations/", destination_views.add, name="destination-add"),
    path(DESTINATION, destination_views.edit, name="destination"),
    path(f"{DESTINATION}delete/", destination_views.delete, name="destination-delete"),
    path(f"{DESTINATION}test/", destination_views.test, name="destination-test"),
]
