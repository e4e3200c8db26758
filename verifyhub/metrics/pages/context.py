"""The shared context of the tabs of the metrics page, and plots as files."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone

from verifyhub.accounts.permissions import ProjectRequest
from verifyhub.common.drawing import png, theme_from
from verifyhub.common.http import or_404
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat, csv_lines
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import agent_names
from verifyhub.metrics.counting.reading import one_reading
from verifyhub.metrics.pages.asked import PageRequest
from verifyhub.metrics.pages.tabs import PLOTS, TABS
from verifyhub.metrics.plots.inline import as_file
from verifyhub.metrics.plots.plot import Plot
from verifyhub.metrics.windows import CHOICES, window_from, within

KEPT = ("days", "since", "until", "agent", "tier", "model")


def asked_by(request: ProjectRequest) -> PageRequest:
    """Read the window, agent, tier and model of a request."""
    now = timezone.now()
    query = request.GET.dict()
    window = window_from(query.get("days", ""), now, query)
    return PageRequest(project=request.project, window=window, now=now)


def page_context(
    request: ProjectRequest, page: PageRequest, tab: str
) -> dict[str, Any]:
    """Return the context of every tab: the tabs themselves, and the filters."""
    window = page.window
    view = "metrics:dashboard" if tab == "overview" else f"metrics:{tab}"
    received = within(Interaction.objects.filter(project=request.project), window, "")
    filters = {name: request.GET.get(name, "") for name in KEPT}
    query = urlencode({name: value for name, value in filters.items() if value})
    return {
        "window": window,
        "windows": [str(days) if days else "all" for days in CHOICES],
        "asked": filters,
        "query": query,
        "agents": agent_names(request.project.id),
        "tab": tab,
        "tab_url": reverse(view, args=[request.project.slug]),
        "is_empty": not received.exists(),
        "answer_list": page.links.answers(),
    }


def plot_named(page: PageRequest, name: str) -> Plot:
    """Compute the tab that a plot belongs to, and return the plot.

    Raises:
        Http404: If nothing is to be drawn.
    """
    with one_reading():
        answer = TABS[PLOTS[name]].answer(page)
    return or_404(next((plot for plot in answer.plots if plot.name == name), None))


def plot_file(plot: Plot, ending: str, theme: str | None) -> HttpResponseBase:
    """Return a plot as a file: the drawing in a theme's colours, or its table.

    Args:
        plot: The plot.
        ending: `svg`, `png` or `csv`.
        theme: `dark`, or anything else for light.
    """
    chosen = theme_from(theme)
    if ending == "csv":
        columns, rows = plot.table()
        return StreamingHttpResponse(
            csv_lines(columns, rows), content_type=CONTENT_TYPES[RowFormat.CSV]
        )
    if ending == "png":
        drawn = png(plot.draw(chosen), chosen, height=plot.height, width=plot.width)
        return HttpResponse(drawn, content_type="image/png")
    return HttpResponse(as_file(plot, chosen), content_type="image/svg+xml")
