"""URLs of a project's metrics, and of the scrape."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from verifyhub.metrics.pages import compare_views, views
from verifyhub.metrics.pages.tabs import TABS


class PlotEndingConverter(StringConverter):
    """The file endings of a plot."""

    regex = "csv|png|svg"


register_converter(PlotEndingConverter, "plotending")

app_name = "metrics"

urlpatterns = [
    path("p/<slug:slug>/metrics/", views.dashboard, name="dashboard"),
    path("p/<slug:slug>/metrics/compare/", compare_views.comparison, name="compare"),
    path(
        "p/<slug:slug>/metrics/compare.csv", compare_views.table, name="compare-table"
    ),
    path(
        "p/<slug:slug>/metrics/compare/plot.<plotending:ending>",
        compare_views.plot,
        name="compare-plot",
    ),
    path(
        "p/<slug:slug>/metrics/plots/<slug:drawing>.<plotending:ending>",
        views.plot,
        name="plot",
    ),
    *(
        path(f"p/<slug:slug>/metrics/{tab}/", views.dashboard, {"tab": tab}, name=tab)
        for tab in TABS
        if tab != "overview"
    ),
    path("metrics", views.scrape, name="scrape"),
]
