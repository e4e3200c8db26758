"""The pages of traces."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import or_404, page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.ingest import trace_selectors

PAGE_SIZE = 50


@project_page("answers.view", "GET")
def trace_list(request: ProjectRequest) -> HttpResponse:
    """Show traces, last changed first."""
    rows = trace_selectors.traces(request.project)
    context = {
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "list_url": reverse("ingest:trace-list", args=[request.project.slug]),
        "endpoint": request.build_absolute_uri("/"),
    }
    return page_or_fragment(
        request, "ingest/traces.html", "ingest/_traces.html", context
    )


@project_page("answers.view", "GET")
def trace_detail(request: ProjectRequest, trace_row: UUID) -> HttpResponse:
    """Show one trace: its spans, with mapped and unmapped content."""
    trace = or_404(trace_selectors.find_trace(request.project, trace_row))
    rows = trace_selectors.span_rows(trace)
    context = {
        "trace": trace,
        "rows": rows,
        "left_out": trace.span_count - len(rows),
        "not_mapped": trace_selectors.not_mapped(trace),
    }
    return render(request, "ingest/trace.html", context)
