"""Metrics of a project, and the scrape above all projects."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from verifyhub.metrics import views


class FormatConverter(StringConverter):
    """The file endings an export knows."""

    regex = "csv|jsonl"


register_converter(FormatConverter, "exportformat")

app_name = "metrics"

urlpatterns = [
    path("p/<slug:slug>/metrics/", views.dashboard, name="dashboard"),
    path("p/<slug:slug>/metrics/plots/<slug:name>.svg", views.plot, name="plot"),
    path(
        "p/<slug:slug>/metrics/export/<slug:what>.<exportformat:written_as>",
        views.export,
        name="export",
    ),
    path("metrics", views.scrape, name="scrape"),
]
