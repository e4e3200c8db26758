"""What the outbox tells of constraints (the fields: docs/api.md)."""

from typing import Any

from django.db import models
from django.utils.translation import override

from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.memory.models import Constraint

State = Constraint.State


def announce_moved(
    constraint: Constraint, before: str, actor: models.Model | None
) -> None:
    """Tell that a constraint entered shadow, came into force or left it.

    In the transaction that moves it. A candidate that was never in force is nobody's
    news, unless a lead retires it: then nothing will bring it into force.
    """
    after = constraint.state
    if after == before:
        return
    if after == State.ACTIVE:
        kind = EventType.CONSTRAINT_ACTIVATED
    elif before == State.ACTIVE or after == State.RETIRED:
        kind = EventType.CONSTRAINT_RETIRED
    elif after == State.SHADOW:
        kind = EventType.CONSTRAINT_SHADOWED
    else:
        return
    _tell(kind, constraint, actor, before={"state": before})


def announce_changed(
    constraint: Constraint, before: dict[str, str], actor: models.Model
) -> None:
    """Tell that agents are told another name, or another one in its place."""
    _tell(EventType.CONSTRAINT_CHANGED, constraint, actor, before=before)


def announce_merged(
    constraint: Constraint, into: Constraint, actor: models.Model
) -> None:
    """Tell that a constraint counts for another from now on."""
    _tell(EventType.CONSTRAINT_MERGED, constraint, actor, other=into)


def announce_split(
    constraint: Constraint, seen: Constraint, actor: models.Model
) -> None:
    """Tell that two constraints stand for themselves again."""
    _tell(EventType.CONSTRAINT_SPLIT, constraint, actor, other=seen)


def _english_reason(constraint: Constraint) -> str:
    with override("en"):
        return constraint.why_retired


def _tell(
    kind: EventType,
    constraint: Constraint,
    actor: models.Model | None,
    *,
    before: dict[str, str] | None = None,
    other: Constraint | None = None,
) -> None:
    data: dict[str, Any] = {
        "constraint": {
            "kind": constraint.mention_kind,
            "name": constraint.text,
            "suggestion": constraint.suggestion,
            "state": str(constraint.state),
            "origin": str(constraint.origin),
            "pinned": constraint.pinned,
            "reason": _english_reason(constraint),
            "interactions": constraint.interaction_count,
            "sessions": constraint.session_count,
        },
        "before": before,
        "by": str(actor) if actor is not None else None,
    }
    subject = {"constraint": str(constraint.id)}
    if other is not None:
        data["other"] = {"name": other.text}
        subject["other"] = str(other.id)
    publish(project=constraint.project, type=kind, data=data, subject=subject)
