"""The pages of bulks."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import or_404, page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat, csv_lines, json_lines
from verifyhub.ingest.bulk_forms import BulkForm
from verifyhub.ingest.bulk_reading import cancel_bulk, upload_bulk
from verifyhub.ingest.bulk_selectors import (
    REFUSAL_COLUMNS,
    bulks,
    find_bulk,
    refusal_rows,
)
from verifyhub.ingest.models import Bulk

PAGE_SIZE = 50
# The same permission as for a transcript: answers fill the review queue.
MAY_UPLOAD = "review.decide"


@project_page("answers.view", "GET")
def bulk_list(request: ProjectRequest) -> HttpResponse:
    """Show bulks, newest first."""
    return _list(request, BulkForm(label_suffix=""))


@project_page(MAY_UPLOAD, "POST")
def bulk_upload(request: ProjectRequest) -> HttpResponse:
    """Upload a file; a worker reads it."""
    form = BulkForm(request.POST, request.FILES, label_suffix="")
    if not form.is_valid():
        return _list(request, form, status=422)
    bulk = upload_bulk(
        project=request.project,
        user=request.user,
        file=form.cleaned_data["file"],
        format_name=form.cleaned_data["format"],
    )
    messages.success(request, _("The file is being read; you may leave this page."))
    return redirect("ingest:bulk", request.project.slug, bulk.pk)


@project_page("answers.view", "GET")
def bulk_detail(request: ProjectRequest, bulk_id: UUID) -> HttpResponse:
    """Show the progress of a bulk, and its refusals."""
    bulk = _project_bulk(request, bulk_id)
    rows = bulk.refusals.order_by("line", "item")
    context = {
        "bulk": bulk,
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "list_url": request.path,
        "may_cancel": bulk.is_waiting and can(request.membership.role, MAY_UPLOAD),
    }
    return page_or_fragment(request, "ingest/bulk.html", "ingest/_bulk.html", context)


@project_page("answers.view", "GET")
def bulk_refusals(
    request: ProjectRequest, bulk_id: UUID, written_as: str
) -> StreamingHttpResponse:
    """Download the refusals of a bulk, line by line."""
    bulk = _project_bulk(request, bulk_id)
    if written_as not in list(RowFormat):
        raise Http404
    rows, file_format = refusal_rows(bulk), RowFormat(written_as)
    is_csv = file_format is RowFormat.CSV
    response = StreamingHttpResponse(
        csv_lines(REFUSAL_COLUMNS, rows) if is_csv else json_lines(rows),
        content_type=CONTENT_TYPES[file_format],
    )
    name = f"refused-{str(bulk.pk)[:8]}.{file_format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@project_page(MAY_UPLOAD, "POST")
def bulk_cancel(request: ProjectRequest, bulk_id: UUID) -> HttpResponse:
    """Stop reading; stored interactions stay."""
    bulk = _project_bulk(request, bulk_id)
    if cancel_bulk(bulk=bulk, actor=request.user):
        messages.success(request, _("Reading has stopped. Stored answers remain."))
    else:
        messages.info(request, _("It has already ended."))
    return redirect("ingest:bulk", request.project.slug, bulk.pk)


def _list(
    request: ProjectRequest, form: BulkForm, *, status: int = 200
) -> HttpResponse:
    rows = bulks(request.project)
    context = {
        "form": form,
        "may_upload": can(request.membership.role, MAY_UPLOAD),
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "list_url": reverse("ingest:bulk-list", args=[request.project.slug]),
        "endpoint": request.build_absolute_uri(reverse("api-bulks")),
    }
    return render(request, "ingest/bulks.html", context, status=status)


def _project_bulk(request: ProjectRequest, bulk_id: UUID) -> Bulk:
    return or_404(find_bulk(request.project, str(bulk_id)))
