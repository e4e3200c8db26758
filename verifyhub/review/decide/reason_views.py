"""The page of a project's reason codes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.review.decide.reasons import (
    ReasonCodeError,
    add_reason,
    move_reason,
    rename_reason,
    restore_reason,
    retire_reason,
)
from verifyhub.review.models import ReasonCode

STEPS = {"up": -1, "down": 1}


@project_page("memory.edit", "GET", "POST")
def reason_list(request: ProjectRequest) -> HttpResponse:
    """Show the reasons; a POST adds one."""
    if request.method == "POST":
        label = request.POST.get("label", "")
        try:
            add_reason(
                project=request.project, label=label, actor=request.membership.user
            )
        except ReasonCodeError as error:
            return _page(request, label=label, error=_refused(error), status=422)
        messages.success(request, _("Added."))
        return redirect("review:reason-list", request.project.slug)
    return _page(request)


@project_page("memory.edit", "POST")
def change(request: ProjectRequest, code: str) -> HttpResponse:
    """Rename, move, retire or restore one reason."""
    reason = get_object_or_404(ReasonCode, project=request.project, code=code)
    act, user = request.POST.get("act", ""), request.membership.user
    try:
        if act == "rename":
            label = request.POST.get("label", "")
            rename_reason(reason=reason, label=label, actor=user)
        elif act == "retire":
            retire_reason(reason=reason, actor=user)
        elif act == "restore":
            restore_reason(reason=reason, actor=user)
        elif act in STEPS:
            move_reason(reason=reason, by=STEPS[act], actor=user)
    except ReasonCodeError as error:
        return _page(request, error=_refused(error), status=422)
    messages.success(request, _("Changed."))
    return redirect("review:reason-list", request.project.slug)


def _refused(error: ReasonCodeError) -> str:
    return _("The words cannot be used: %(why)s.") % {"why": error}


def _page(
    request: ProjectRequest, *, label: str = "", error: str = "", status: int = 200
) -> HttpResponse:
    rows = ReasonCode.objects.filter(project=request.project)
    rows = rows.order_by("position", "id")
    context = {
        "reasons": [row for row in rows if row.retired_at is None],
        "retired": [row for row in rows if row.retired_at is not None],
        "label": label,
        "error": error,
    }
    return render(request, "review/reasons.html", context, status=status)
