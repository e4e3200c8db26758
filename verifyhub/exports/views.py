"""Pages of exports: direct downloads, and exports by a worker."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import or_404, page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.exports import download as downloading
from verifyhub.exports import services
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.errors import ExportError
from verifyhub.exports.filter_form import ExportFilterForm
from verifyhub.exports.forms import WantedForm
from verifyhub.exports.models import ExportJob
from verifyhub.exports.selectors import (
    destinations_of,
    jobs_for,
    may_open,
    schedules_of,
)
from verifyhub.exports.stream import stream
from verifyhub.exports.wanted import may_person
from verifyhub.exports.writing import CONTENT_TYPES, FileFormat

PAGE_SIZE = 25


@project_page("metrics.export", "GET")
def download(request: ProjectRequest, what: str, written_as: str) -> HttpResponseBase:
    """Stream every row of one kind as a file."""
    if what not in DATASETS:
        raise Http404
    if not may_person(request.membership.role, [what]):
        raise PermissionDenied
    form = ExportFilterForm(request.GET)
    if not form.is_valid():
        text = "; ".join(f"{name}: {errors[0]}" for name, errors in form.errors.items())
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    file_format = FileFormat(written_as)
    user = request.membership.user
    response = StreamingHttpResponse(
        stream(
            DATASETS[what],
            file_format,
            project=request.project,
            filters=form.dataset_filters(now=timezone.now(), user=user),
            viewer=user,
        ),
        content_type=CONTENT_TYPES[file_format],
    )
    # Slugs contain only letters, digits, hyphens and underscores.
    name = f"{request.project.slug}-{what}.{file_format}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@project_page("metrics.export", "GET")
def page(request: ProjectRequest) -> HttpResponse:
    """Show the exports, and the form for a new one."""
    filters = ExportFilterForm(request.GET)
    form = WantedForm(project=request.project, role=request.membership.role)
    return shown(request, form=form, filters=filters)


@project_page("metrics.export", "POST")
def new(request: ProjectRequest) -> HttpResponse:
    """Create an export."""
    role = request.membership.role
    form = WantedForm(request.POST, project=request.project, role=role)
    filters = ExportFilterForm(request.POST)
    if form.is_valid() and filters.is_valid():
        destination = form.cleaned_data["destination"]
        if destination is not None and not can(role, "project.manage"):
            raise PermissionDenied
        values = {
            name: str(request.POST[name])
            for name in filters.fields
            if request.POST.get(name)
        }
        try:
            export = services.open_export(
                project=request.project,
                wanted=form.wanted(values),
                actor=request.membership.user,
                destination=destination,
            )
        except ExportError as error:
            form.add_error(None, str(error))
        else:
            return redirect("exports:job", request.project.slug, export.id)
    return shown(request, form=form, filters=filters, status=422)


def shown(
    request: ProjectRequest,
    *,
    form: WantedForm,
    filters: ExportFilterForm,
    status: int = 200,
) -> HttpResponse:
    """Render the page of exports."""
    rows = jobs_for(request.membership)
    manages = can(request.membership.role, "project.manage")
    context = {
        "form": form,
        "filters": filters,
        "filtered": any(request.GET.get(name) for name in filters.fields),
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "manages": manages,
        "schedules": schedules_of(request.project) if manages else [],
        "destinations": destinations_of(request.project) if manages else [],
    }
    return render(request, "exports/page.html", context, status=status)


@project_page("metrics.export", "GET")
def job(request: ProjectRequest, job_id: UUID) -> HttpResponse:
    """Show an export's progress and files."""
    export = _job(request, job_id)
    context = {
        "job": export,
        "files": _files(export) if may_open(request.membership, export) else [],
    }
    return page_or_fragment(request, "exports/job.html", "exports/_job.html", context)


@project_page("metrics.export", "POST")
def delete(request: ProjectRequest, job_id: UUID) -> HttpResponse:
    """Delete an export and its files, or cancel it."""
    export = _job(request, job_id)
    own = export.viewer_id == request.membership.user.pk
    if not own and not can(request.membership.role, "project.manage"):
        raise PermissionDenied
    services.delete_export(job=export, actor=request.membership.user)
    messages.success(request, _("The export and its files are deleted."))
    return redirect("exports:page", request.project.slug)


@project_page("metrics.export", "GET")
def file(request: ProjectRequest, job_id: UUID, name: str) -> HttpResponseBase:
    """Send a file of an export, or the requested range."""
    export = _job(request, job_id)
    if not may_open(request.membership, export):
        raise PermissionDenied
    download = or_404(downloading.download_of(export, name))
    called = f"{request.project.slug}-{name}"
    return downloading.send(request, download, called=called)


def _job(request: ProjectRequest, job_id: UUID) -> ExportJob:
    return get_object_or_404(jobs_for(request.membership), pk=job_id)


def _files(job: ExportJob) -> list[dict[str, Any]]:
    """List the files of an export with their sizes."""
    files = []
    for name in downloading.downloads(job):
        download = downloading.download_of(job, name)
        if download is not None:
            part = job.part(name)
            files.append(
                {"name": name, "size": download.size, "sha256": part and part["sha256"]}
            )
    return files
