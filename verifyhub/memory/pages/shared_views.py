"""The page of shared preferences and corrections."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.audit.selectors import histories
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.memory import selectors, services
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.pages.shared_forms import (
    CorrectionForm,
    PreferenceForm,
    SharedForm,
)

PAGE_SIZE = 50
ACTS: dict[str, Callable[..., MemoryEntry]] = {
    "retract": services.retract_shared,
    "restore": services.restore_shared,
    "confirm": services.confirm_shared,
}

DONE = {
    "retract": _("Retracted. No longer shared with agents."),
    "restore": _("Restored. Shared with every agent again."),
    "confirm": _("Approved. Shared with every agent from now on."),
}
WAITS = _("Saved. Shared with every agent once a second person approves it.")


@project_page("memory.view", "GET")
def shared(request: ProjectRequest) -> HttpResponse:
    """Show the shared preferences and corrections, with their history."""
    return _page(request)


@project_page("memory.edit", "POST")
def prefer(request: ProjectRequest) -> HttpResponse:
    """Add a shared preference."""
    form = PreferenceForm(request.POST)
    if _added(request, form, services.prefer):
        return redirect("memory:shared", request.project.slug)
    return _page(request, preference=form)


@project_page("memory.edit", "POST")
def correct(request: ProjectRequest) -> HttpResponse:
    """Add a shared correction."""
    form = CorrectionForm(request.POST)
    if _added(request, form, services.correct_name):
        return redirect("memory:shared", request.project.slug)
    return _page(request, correction=form)


@project_page("memory.edit", "POST")
def act(request: ProjectRequest, entry_id: UUID, verb: str) -> HttpResponse:
    """Retract or restore a shared entry."""
    if verb not in ACTS:
        raise Http404
    rows = selectors.shared_entries(request.project, retracted=True)
    entry = get_object_or_404(rows, id=entry_id)
    try:
        ACTS[verb](entry=entry, actor=request.user)
    except services.SharedEntryError as error:
        conflict = _(
            "It was changed by someone else first; this is the current version."
        )
        messages.error(request, str(error) if verb == "confirm" else conflict)
    else:
        entry.refresh_from_db()
        messages.success(request, WAITS if services.waits(entry) else DONE[verb])
    return redirect("memory:shared", request.project.slug)


def _added(
    request: ProjectRequest, form: SharedForm, call: Callable[..., MemoryEntry]
) -> bool:
    if not form.is_valid():
        return False
    try:
        entry = call(
            project=request.project,
            actor=request.user,
            **form.cleaned_data,
        )
    except services.SharedEntryError:
        # Not caught by the field itself: a line break, or an expiry in the past.
        form.add_error(
            None,
            _(
                "Enter one line of text and one correct name; the end cannot be in "
                "the past."
            ),
        )
        return False
    saved = _("Saved. The next agent receives it.")
    messages.success(request, WAITS if services.waits(entry) else saved)
    return True


def _page(
    request: ProjectRequest,
    *,
    preference: PreferenceForm | None = None,
    correction: CorrectionForm | None = None,
) -> HttpResponse:
    project = request.project
    rows = selectors.shared_entries(project, retracted=True)
    page = BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    events = histories(list(page), project_id=project.id)
    context: dict[str, Any] = {
        "page": page,
        "rows": [(row, events.get(str(row.pk), [])) for row in page],
        "preference": preference or PreferenceForm(),
        "correction": correction or CorrectionForm(),
        "may_edit": can(request.membership.role, "memory.edit"),
    }
    refused = preference is not None or correction is not None
    return render(
        request, "memory/shared.html", context, status=422 if refused else 200
    )
