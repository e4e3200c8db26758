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

P = "p/<slug:slug>/"

urlpatterns = [
    path(f"{P}metrics/", views.dashboard, name="dashboard"),
    path(f"{P}metrics/compare/", compare_views.comparison, name="compare"),
    path(f"{P}metrics/compare.csv", compare_views.table, name="compare-table"),
    path(
        f"{P}metrics/compare/plot.<plotending:ending>",
        compare_views.plot,
        name="compare-plot",
    ),
    path(
        f"{P}metrics/plots/<slug:drawing>.<plotending:ending>", views.plot, name="plot"
    ),
    *(
        path(f"p/<slug:slug>/metrics/{tab}/", views.dashboard, {"tab": tab}, name=tab)
        for tab in TABS
        if tab != "overview"
    ),
    path("metrics", views.scrape, name="scrape"),
]
