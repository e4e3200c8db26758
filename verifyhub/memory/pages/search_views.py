"""The search across memory, and its export."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.common.replica import from_replica
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat
from verifyhub.memory import search as searching
from verifyhub.memory.models import Constraint
from verifyhub.memory.search import SearchForm

PAGE_SIZE = 50


@project_page("memory.view", "GET")
@from_replica
def search(request: ProjectRequest) -> HttpResponse:
    """Show the matches, best first; without search words, newest first."""
    form = SearchForm(request.GET)
    filters = form.search()
    page, is_cut = _page(request, filters)
    values = form.sent_values()
    context = {
        "form": form,
        "words": filters.text,
        "page": page,
        "rows": [(isinstance(row, Constraint), row) for row in page.object_list],
        "is_cut": is_cut,
        "given": values,
        "query": urlencode(values),
        "may_edit": can(request.membership.role, "memory.edit"),
        "may_export": can(request.membership.role, "metrics.export"),
    }
    return page_or_fragment(
        request, "memory/search.html", "memory/_search_results.html", context
    )


def _page(
    request: ProjectRequest, filters: searching.SearchFilters
) -> tuple[Page[Any], bool]:
    number = request.GET.get("page")
    if not filters.text:
        pages = BoundedPaginator(searching.newest(request.project, filters), PAGE_SIZE)
        return pages.get_page(number), pages.has_more
    results = searching.search(request.project, filters)
    page: Page[Any] = Paginator(results.hits, PAGE_SIZE).get_page(number)
    page.object_list = searching.rows_of(request.project, list(page.object_list))
    return page, results.is_cut


@project_page("metrics.export", "GET")
def export(request: ProjectRequest, written_as: str) -> HttpResponseBase:
    """Stream the matches as a file."""
    if written_as not in set(RowFormat):
        raise Http404
    file_format = RowFormat(written_as)
    response = StreamingHttpResponse(
        searching.lines(
            request.project, SearchForm(request.GET).search(), written_as=file_format
        ),
        content_type=CONTENT_TYPES[file_format],
    )
    name = f"{request.project.slug}-memory.{file_format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
