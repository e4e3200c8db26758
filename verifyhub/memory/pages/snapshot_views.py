"""The page of a project's snapshots."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.memory import selectors, services
from verifyhub.memory.guard import SnapshotRefusedError
from verifyhub.memory.models import Snapshot
from verifyhub.memory.pages.snapshot_forms import SnapshotForm


@project_page("memory.view", "GET")
def snapshots(request: ProjectRequest) -> HttpResponse:
    """Show the snapshots that drafts are checked against."""
    return _page(request, SnapshotForm(label_suffix=""))


@project_page("memory.edit", "POST")
def upload(request: ProjectRequest) -> HttpResponse:
    """Create or replace a snapshot by an uploaded file."""
    form = SnapshotForm(request.POST, request.FILES, label_suffix="")
    if not form.is_valid():
        return _page(request, form, status=422)
    name, format_name = form.what()
    try:
        row, _ = services.put_snapshot(
            project=request.project,
            name=name,
            format_name=format_name,
            data=form.cleaned_data["file"].read(),
            actor=request.user,
        )
    except SnapshotRefusedError as error:
        form.add_error("file", str(error))
        return _page(request, form, status=422)
    messages.success(
        request,
        ngettext(
            "%(name)s: %(count)d name.", "%(name)s: %(count)d names.", row.name_count
        )
        % {"name": row.name, "count": row.name_count},
    )
    return redirect("memory:snapshots", request.project.slug)


@project_page("memory.edit", "POST")
def delete(request: ProjectRequest, name: str) -> HttpResponse:
    """Delete a snapshot."""
    row = get_object_or_404(Snapshot, project=request.project, name=name)
    services.delete_snapshot(snapshot=row, actor=request.user)
    messages.success(request, _("%(name)s is deleted.") % {"name": name})
    return redirect("memory:snapshots", request.project.slug)


@project_page("memory.edit", "POST")
def learn(request: ProjectRequest) -> HttpResponse:
    """Start to learn names from accepted runs."""
    services.start_learning(project=request.project, actor=request.user)
    messages.success(
        request, _("VerifyHub learns names from the next accepted run on.")
    )
    return redirect("memory:snapshots", request.project.slug)


def _page(
    request: ProjectRequest, form: SnapshotForm, status: int = 200
) -> HttpResponse:
    rows = list(selectors.snapshots(request.project))
    return render(
        request,
        "memory/snapshots.html",
        {
            "rows": rows,
            "learns": any(row.origin == Snapshot.Origin.LEARNED for row in rows),
            "form": form,
            "may_edit": can(request.membership.role, "memory.edit"),
        },
        status=status,
    )
