"""The page of one constraint, and acts on many."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.audit.selectors import history
from verifyhub.memory import selectors, services
from verifyhub.memory.effect import effect_in_force
from verifyhub.memory.models import Constraint
from verifyhub.memory.pages.many import back_to, is_done, selected_ids
from verifyhub.memory.rates import rates
from verifyhub.memory.support import support_of

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


@project_page("memory.view", "GET")
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


@project_page("memory.edit", "POST")
def act_on_many(request: ProjectRequest) -> HttpResponse:
    """Apply one action to the selected constraints, or merge them."""
    # The most supported first; the services order their locks.
    rows = list(
        Constraint.objects.filter(
            project=request.project, id__in=selected_ids(request, "constraint")
        )
        .select_related("project", "merged_into")
        .order_by("-interaction_count", "mention_kind", "mention_key")
    )
    verb = request.POST.get("verb", "")
    if verb != "merge" and verb not in MANY:
        raise Http404
    if not rows:
        messages.error(request, _("Select at least one constraint."))
        return back_to(request, "memory:browser")
    arguments: dict[str, Any] = {"actor": request.user}
    if verb == "merge":
        arguments["into"], *rows = rows
    act = MANY.get(verb, services.merge_constraint)
    done = sum(is_done(act, REFUSALS, constraint=row, **arguments) for row in rows)
    messages.success(request, _("Done for %(count)d.") % {"count": done})
    if refused := len(rows) - done:
        text = _(
            "%(count)d could not be changed: not allowed in this state, or "
            "changed by someone else."
        )
        messages.error(request, text % {"count": refused})
    return back_to(request, "memory:browser")
