"""The page of one constraint, and acts on many."""

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.audit.selectors import history
from verifyhub.memory import selectors, services
from verifyhub.memory.effect import effect_in_force
from verifyhub.memory.models import Constraint
from verifyhub.memory.rates import rates
from verifyhub.memory.support import support_of

# Rows of one page: what can be selected in one form.
MAX_SELECTED = 100
MAX_HISTORY = 200
MAX_ANSWERS = 20
# States before a name is shared with every session.
AHEAD = (Constraint.State.CANDIDATE, Constraint.State.SHADOW)

MANY: dict[str, Callable[..., Constraint]] = {
    "pin": services.pin_constraint,
    "confirm": services.confirm_constraint,
    "retire": services.retire_constraint,
    "restore": services.restore_constraint,
    "split": services.split_constraint,
}
REFUSALS = (services.ConstraintChangedError, services.MergeError)


@require_safe
@project_page("memory.view")
def constraint(request: ProjectRequest, constraint_id: UUID) -> HttpResponse:
    """Show a constraint: rates, other spellings, and all actions on it."""
    row = get_object_or_404(
        selectors.constraints(request.project).select_related("merged_into", "project"),
        id=constraint_id,
    )
    now = timezone.now()
    return render(
        request,
        "memory/constraint.html",
        {
            "project": request.project,
            "constraint": row,
            "rates": rates(row, now=now),
            "support": support_of(row, now=now) if row.state in AHEAD else None,
            "effect": effect_in_force(row, now=now),
            "merged": Constraint.objects.filter(
                project=request.project, merged_into=row
            ),
            "alike": [] if row.merged_into_id else selectors.alike(row),
            "sightings": selectors.answers_of(row, most=MAX_ANSWERS),
            "events": history(row, project_id=request.project.id)[:MAX_HISTORY],
            "may_edit": can(request.membership.role, "memory.edit"),
            "query": "tab=constraints",
        },
    )


@require_POST
@project_page("memory.edit")
def act_on_many(request: ProjectRequest) -> HttpResponse:
    """Apply one action to the selected constraints, or merge them."""
    rows = _selected(request)
    verb = request.POST.get("verb", "")
    if verb != "merge" and verb not in MANY:
        raise Http404
    if not rows:
        messages.error(request, _("Select at least one constraint."))
    else:
        done = (
            _merge(request, rows)
            if verb == "merge"
            else sum(
                _done(MANY[verb], constraint=row, actor=request.user) for row in rows
            )
        )
        refused = len(rows) - done - (verb == "merge")
        messages.success(request, _("Done for %(count)d.") % {"count": done})
        if refused:
            messages.error(
                request,
                _(
                    "%(count)d could not be changed: not allowed in this state, or "
                    "changed by someone else."
                )
                % {"count": refused},
            )
    back = QueryDict(request.POST.get("back", "")).urlencode()
    return redirect(f"{reverse('memory:browser', args=[request.project.slug])}?{back}")


def _selected(request: ProjectRequest) -> list[Constraint]:
    ids = []
    for value in request.POST.getlist("constraint")[:MAX_SELECTED]:
        try:
            ids.append(UUID(value))
        except ValueError:
            continue
    # The most supported first; the services order their locks.
    return list(
        Constraint.objects.filter(project=request.project, id__in=ids)
        .select_related("project", "merged_into")
        .order_by("-interaction_count", "mention_kind", "mention_key")
    )


def _merge(request: ProjectRequest, rows: list[Constraint]) -> int:
    into, *others = rows
    actor = cast(User, request.user)
    return sum(
        _done(services.merge_constraint, constraint=row, into=into, actor=actor)
        for row in others
    )


def _done(act: Callable[..., Constraint], **arguments: Any) -> bool:
    try:
        with transaction.atomic():
            act(**arguments)
    except REFUSALS:
        return False
    return True
