"""Pages of stored data, deletions, retention and legal holds."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.privacy import deletions
from verifyhub.privacy.deletion_forms import (
    DeletionForm,
    HoldForm,
    RetentionForm,
    retention_form,
)
from verifyhub.privacy.deletions import DeletionRefusedError
from verifyhub.privacy.holds import HoldRefusedError, place_hold, release_hold
from verifyhub.privacy.models import Deletion, LegalHold, RetentionRule
from verifyhub.privacy.words import HOLDS, TARGETS, rows_of

PAGE_SIZE = 25
# Of the holds, the active ones first.
SHOWN_HOLDS = 50


@project_page("data.delete", "GET", "POST")
def data(request: ProjectRequest) -> HttpResponse:
    """Show and change retention, open deletions, and list them."""
    if request.method != "POST":
        return _page(request)
    form = RetentionForm(request.POST)
    if not form.is_valid():
        return _page(request, retention=form, status=422)
    if "count" in request.POST:
        return _count_old(request, form)
    deletions.set_retention(
        project=request.project, days=form.days(), actor=request.membership.user
    )
    messages.success(request, _("Saved. Older data is deleted once a day."))
    return redirect("privacy:data", slug=request.project.slug)


def _count_old(request: ProjectRequest, form: RetentionForm) -> HttpResponse:
    counted = []
    for name, days in form.days().items():
        if days is None:
            continue
        try:
            row = deletions.open_old_deletion(
                project=request.project,
                kind=deletions.OLD[name],
                days=days,
                actor=request.membership.user,
            )
        except DeletionRefusedError as error:
            form.add_error(name, str(TARGETS[str(error)]))
        else:
            counted.append(row)
    if form.errors:
        return _page(request, retention=form, status=422)
    if not counted:
        messages.info(request, _("Without days nothing is deleted."))
    elif len(counted) == 1:
        return _to(request, counted[0])
    return redirect("privacy:data", slug=request.project.slug)


@project_page("data.delete", "POST")
def hold(request: ProjectRequest) -> HttpResponse:
    """Place a legal hold."""
    form = HoldForm(request.POST)
    if form.is_valid():
        try:
            place_hold(
                project=request.project,
                kind=LegalHold.Kind(form.cleaned_data["kind"]),
                target=form.cleaned_data["target"],
                reason=form.cleaned_data["reason"],
                actor=request.membership.user,
            )
        except HoldRefusedError as error:
            form.add_error("target", str(HOLDS[str(error)]))
        else:
            messages.success(request, _("Saved. It stays until the hold is released."))
            return redirect("privacy:data", slug=request.project.slug)
    return _page(request, hold=form, status=422)


@project_page("data.delete", "POST")
def release(request: ProjectRequest, hold_id: UUID) -> HttpResponse:
    """Release a legal hold."""
    rows = LegalHold.objects.filter(project=request.project)
    try:
        release_hold(
            hold=get_object_or_404(rows, pk=hold_id), actor=request.membership.user
        )
    except HoldRefusedError as error:
        messages.error(request, str(HOLDS[str(error)]))
    else:
        messages.success(request, _("Released. Retention applies to it again."))
    return redirect("privacy:data", slug=request.project.slug)


@project_page("data.delete", "POST")
def ask(request: ProjectRequest) -> HttpResponse:
    """Create a deletion and count its rows."""
    form = DeletionForm(request.POST)
    if form.is_valid():
        try:
            row = deletions.open_deletion(
                project=request.project,
                kind=Deletion.Kind(form.cleaned_data["kind"]),
                target=form.cleaned_data["target"],
                actor=request.membership.user,
            )
        except DeletionRefusedError as error:
            form.add_error("target", str(TARGETS[str(error)]))
        else:
            return _to(request, row)
    return _page(request, deletion=form, status=422)


@project_page("data.delete", "GET")
def deletion(request: ProjectRequest, deletion_id: UUID) -> HttpResponse:
    """Show what a deletion would delete, is deleting or has deleted."""
    row = _project_deletion(request, deletion_id)
    context = {
        "deletion": row,
        "rows": rows_of(row.expected, row.deleted),
    }
    return render(request, "privacy/deletion.html", context)


@project_page("data.delete", "POST")
def act(request: ProjectRequest, deletion_id: UUID, verb: str) -> HttpResponse:
    """Confirm a deletion, or stop it."""
    acts = {"confirm": deletions.confirm_deletion, "stop": deletions.stop_deletion}
    if verb not in acts:
        raise Http404
    row = _project_deletion(request, deletion_id)
    try:
        acts[verb](deletion=row, actor=request.membership.user)
    except DeletionRefusedError as error:
        messages.error(request, str(TARGETS[str(error)]))
    return _to(request, row)


def _project_deletion(request: ProjectRequest, deletion_id: UUID) -> Deletion:
    return get_object_or_404(Deletion.objects, project=request.project, pk=deletion_id)


def _to(request: ProjectRequest, row: Deletion) -> HttpResponse:
    return redirect("privacy:deletion", slug=request.project.slug, deletion_id=row.id)


def _page(
    request: ProjectRequest,
    *,
    retention: RetentionForm | None = None,
    deletion: DeletionForm | None = None,
    hold: HoldForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rule = RetentionRule.objects.filter(project=request.project).first()
    rows = Deletion.objects.filter(project=request.project).order_by("-created_at")
    holds = LegalHold.objects.filter(project=request.project)
    context: dict[str, Any] = {
        "holds": holds.order_by(F("released_at").desc(nulls_first=True), "-created_at")[
            :SHOWN_HOLDS
        ],
        "hold_form": hold or HoldForm(),
        "retention": retention or retention_form(rule),
        "form": deletion or DeletionForm(),
        "page": Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
    }
    return render(request, "privacy/data.html", context, status=status)
