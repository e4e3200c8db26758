"""The page that compares sides, and its table as a file."""

from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.utils.translation import gettext

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.replica import from_replica
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat, csv_lines
from verifyhub.metrics.forms import CompareForm
from verifyhub.metrics.pages.asked import PageRequest
from verifyhub.metrics.pages.compare import by_words, plot_of, side_name
from verifyhub.metrics.pages.context import asked_by, page_context, plot_file
from verifyhub.metrics.selectors.compare import MAX_SIDES, Comparison, compare
from verifyhub.metrics.selectors.compared import COLUMNS, rows
from verifyhub.metrics.selectors.sides import Offered, offered


@project_page("metrics.view", "GET")
@from_replica
def comparison(request: ProjectRequest) -> HttpResponse:
    """Compare the sides of the URL, or by default those with the most answers."""
    page = asked_by(request)
    form = _form(request)
    by = form.dimension
    result, choices = _compared(page, form)
    chosen = [side.value for side in result.sides] if result else []
    context: dict[str, Any] = {
        **page_context(request, page, "compare"),
        "form": form,
        "by": by,
        "dimensions": by_words(),
        "choices": [
            (side, side_name(by, side.value), side.value in chosen) for side in choices
        ],
        "most": MAX_SIDES,
        "comparison": result,
        "plot": plot_of(result, page.links) if result and result.pairs else None,
        "file_query": request.GET.urlencode(),
    }
    return page_or_fragment(
        request, "metrics/compare.html", "metrics/_compare.html", context
    )


@project_page("metrics.view", "GET")
@from_replica
def plot(request: ProjectRequest, ending: str) -> HttpResponseBase:
    """Return the shares as a file: the plot, or its table."""
    form = _form(request)
    if not form.is_valid():
        return _refused()
    page = asked_by(request)
    result, _ = _compared(page, form)
    if result is None:
        return _refused()
    response = plot_file(plot_of(result, page.links), ending, request.GET.get("theme"))
    name = f"{request.project.slug}-compare-{form.dimension}-shares.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@project_page("metrics.view", "GET")
@from_replica
def table(request: ProjectRequest) -> HttpResponseBase:
    """Return the comparison as a CSV file."""
    form = _form(request)
    if not form.is_valid():
        return _refused()
    result, _ = _compared(asked_by(request), form)
    lines = csv_lines(COLUMNS, rows(result) if result else ())
    response = StreamingHttpResponse(lines, content_type=CONTENT_TYPES[RowFormat.CSV])
    name = f"{request.project.slug}-compare-{form.dimension}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _refused() -> HttpResponseBadRequest:
    text = gettext("This cannot be compared.")
    return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")


def _form(request: HttpRequest) -> CompareForm:
    form = CompareForm(request.GET)
    form.is_valid()
    return form


def _compared(
    page: PageRequest, form: CompareForm
) -> tuple[Comparison | None, list[Offered]]:
    """Return the comparison, None if there is none, and the sides to choose from."""
    choices = offered(page.project, page.window, form.dimension)
    offered_values = {choice.value for choice in choices}
    values = form.cleaned_data.get("side") or []
    if not offered_values & set(values):
        # Nothing was chosen, or the dimension was changed.
        values = [choice.value for choice in choices[:2]]
    if len(values) < 2 or not form.is_valid():
        return None, choices
    return compare(page.project, page.window, form.dimension, values), choices
