"""Settings of a queue, duties, assignment rules and saved views."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.review.models import AssignmentRule, Duty, QueueSettings, SavedView
from verifyhub.review.queue.assignment import check_reviewer
from verifyhub.review.queue.places import FIRST_ID
from verifyhub.review.queue.selectors import queue_settings


@transaction.atomic
def change_queue_settings(
    *, project_id: UUID, values: Mapping[str, Any], actor: User
) -> QueueSettings:
    """Save the queue's settings; a task then updates the ranks of open items.

    Args:
        project_id: The tenant.
        values: Validated values by field of `QueueSettings`.
        actor: Who changes them.
    """
    settings = queue_settings(project_id)
    before = {name: getattr(settings, name) for name in values}
    for name, value in values.items():
        setattr(settings, name, value)
    settings.rerank_from = FIRST_ID
    settings.save()
    record_event(
        "review.queue_settings_changed",
        settings,
        actor,
        before=before,
        after=dict(values),
    )
    return settings


@transaction.atomic
def set_duty(
    *, project_id: UUID, user: User, on_duty: bool, weight: int, actor: User
) -> Duty:
    """Set whether a reviewer takes part in the rotation, and their weight."""
    check_reviewer(project_id, user)
    duty, _ = Duty.objects.update_or_create(
        project_id=project_id,
        user=user,
        defaults={"on_duty": on_duty, "weight": weight},
    )
    record_event(
        "review.duty_changed",
        user,
        actor,
        after={"on_duty": on_duty, "weight": weight},
        project_id=project_id,
    )
    return duty


@transaction.atomic
def add_rule(
    *, project_id: UUID, agent_name: str, reason_kind: str, user: User, actor: User
) -> AssignmentRule:
    """Add a rule that assigns the items of an agent or with a reason, or both."""
    check_reviewer(project_id, user)
    rule = AssignmentRule.objects.create(
        project_id=project_id,
        agent_name=agent_name,
        reason_kind=reason_kind,
        user=user,
    )
    record_event(
        "review.rule_added",
        rule,
        actor,
        after={"agent": agent_name, "reason": reason_kind, "person": user.username},
    )
    return rule


@transaction.atomic
def remove_rule(*, rule: AssignmentRule, actor: User) -> None:
    """Delete a rule; items assigned by it stay with their person."""
    record_event(
        "review.rule_removed",
        rule,
        actor,
        before={
            "agent": rule.agent_name,
            "reason": rule.reason_kind,
            "person": rule.user.username,
        },
    )
    rule.delete()


@transaction.atomic
def save_view(
    *,
    project_id: UUID,
    owner: User,
    name: str,
    filters: Mapping[str, str],
    shared: bool,
    default: bool,
) -> SavedView:
    """Save filters under a name; an existing name is replaced."""
    view, _ = SavedView.objects.update_or_create(
        project_id=project_id,
        owner=owner,
        name=name,
        defaults={"filters": dict(filters), "shared": shared},
    )
    if default:
        Duty.objects.update_or_create(
            project_id=project_id, user=owner, defaults={"default_view": view}
        )
    record_event(
        "review.view_saved",
        view,
        owner,
        after={"name": name, "filters": dict(filters), "shared": shared},
    )
    return view


@transaction.atomic
def choose_default_view(
    *, project_id: UUID, user: User, view: SavedView | None
) -> None:
    """Set a person's default view; None shows everything."""
    Duty.objects.update_or_create(
        project_id=project_id, user=user, defaults={"default_view": view}
    )
    record_event(
        "review.default_view_chosen",
        user,
        user,
        after={"view": view.name if view else None},
        project_id=project_id,
    )


@transaction.atomic
def delete_view(*, view: SavedView, actor: User) -> None:
    """Delete a saved view; people with it as their default then see everything."""
    record_event(
        "review.view_deleted",
        view,
        actor,
        before={"name": view.name, "shared": view.shared},
    )
    view.delete()
