"""Derive the states of constraints from corrections, findings and sightings."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import override

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.prepared import Place, PreparedQuery
from verifyhub.common.row_writes import update
from verifyhub.engine.memory.lifecycle import RetiredCode, assess_constraint
from verifyhub.engine.text.quoting import quoted
from verifyhub.engine.thresholds import Thresholds
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.memory.models import Constraint
from verifyhub.memory.services.changes import (
    Name,
    RowChange,
    name_of,
    thresholds_of,
)
from verifyhub.memory.services.constraint_facts import Facts
from verifyhub.memory.services.counters import AddedCounts, RemovedCounts
from verifyhub.memory.services.words import NameCorrections

COUNTERS = (
    "interaction_count",
    "session_count",
    "key_count",
    "first_seen_at",
    "last_seen_at",
)
STATE_FIELDS = ("state", "origin", "retired_code", "retired_reason")
TIMES = ("shadow_at", "active_at", "retired_at")
# The audit action for entering a state.
ENTERED = {
    Constraint.State.SHADOW: "memory.constraint_shadowed",
    Constraint.State.ACTIVE: "memory.constraint_activated",
}


def settle_constraints(
    *,
    project: Project,
    names: Collection[Name],
    actor: models.Model | None,
    locked: list[Constraint] | None = None,
    corrections: NameCorrections | None = None,
    added: AddedCounts | None = None,
    removed: RemovedCounts | None = None,
    now: datetime | None = None,
) -> list[RowChange]:
    """Derive the counters and states of the constraints on some names.

    Must run inside the caller's transaction; locks the constraints in the order of
    their names, so that two callers cannot wait for each other. Constraints that a
    lead pinned keep their state. Every move into shadow, into force and out of force
    is audited.

    Args:
        project: The tenant.
        names: The names whose facts have changed.
        actor: Who changed them; None for the verification itself.
        locked: The constraints, if the caller holds them already.
        corrections: What people said of the names, if the caller has read it.
        added: New sightings, if none was removed: saves a recount, and checking
            whether names that have met the rule still do.
        removed: Deleted sightings, if nothing else changed: saves a recount.
        now: The time from which the shadow is measured (aware); the current time by
            default.
    """
    constraints = locked
    if constraints is None:
        constraints = locked_constraints(project_id=project.id, names=names)
    if not constraints:
        return []
    written_at, rule = timezone.now(), thresholds_of(project)
    now = now or written_at
    facts = Facts.load(
        project,
        constraints,
        rule,
        corrections=corrections,
        added=added,
        removed=removed,
    )
    changes = []
    for constraint in constraints:
        before = {field: getattr(constraint, field) for field in STATE_FIELDS}
        constraint.updated_at = written_at
        _count(constraint, facts)
        if not constraint.pinned and not _stays(
            constraint, facts, only_added=added is not None
        ):
            _settle(constraint, facts, rule, now)
        after = {field: str(getattr(constraint, field)) for field in STATE_FIELDS}
        if before != after:
            enter(constraint, before["state"], now)
            changes.append(RowChange(row=constraint, before=before, after=after))
    update(constraints, [*STATE_FIELDS, *COUNTERS, *TIMES, "updated_at"])
    for change in changes:
        _audit(change, project, actor)
        announce_moved(cast(Constraint, change.row), change.before["state"], actor)
    return changes


def locked_constraints(
    *, project_id: UUID, names: Collection[Name]
) -> list[Constraint]:
    """Return the constraints on some names, locked until the transaction ends.

    Those that they are merged into are included, since facts about the one count for
    the other. If a merge was committed while this waited, the locks are released and
    taken again in order.
    """
    while True:
        savepoint = transaction.savepoint()
        rows = _lock(project_id, names)
        locked = {row.id for row in rows}
        if all(row.merged_into_id in {None, *locked} for row in rows):
            transaction.savepoint_commit(savepoint)
            return rows
        transaction.savepoint_rollback(savepoint)


def _named(project: Place, keys: Place) -> models.QuerySet[Constraint]:
    rows = Constraint.objects.filter(project=project)
    named = rows.filter(mention_key__any_of=keys)
    merged = named.filter(merged_into__isnull=False)
    # A union, which reads indexes: an OR would read all constraints of the project.
    wanted_ids = named.values("pk").union(merged.values("merged_into"))
    return (
        rows.select_for_update(of=("self",))
        .filter(pk__in=wanted_ids)
        .order_by("mention_kind", "mention_key")
    )


_NAMED = PreparedQuery(_named)


def _lock(project_id: UUID, names: Collection[Name]) -> list[Constraint]:
    if not names:
        return []
    rows = _NAMED(project=project_id, keys=sorted({key for _, key in names}))
    ids = {row.id for row in rows if name_of(row) in names}
    ids |= {row.merged_into_id for row in rows if row.merged_into_id and row.id in ids}
    return [row for row in rows if row.id in ids]


def enter(constraint: Constraint, before: str, now: datetime) -> None:
    """Set when a constraint was activated or retired, without saving."""
    if constraint.state == before:
        return
    if constraint.state == Constraint.State.ACTIVE:
        constraint.active_at, constraint.retired_at = now, None
    elif before == Constraint.State.ACTIVE:
        constraint.retired_at = now


def _count(constraint: Constraint, facts: Facts) -> None:
    counted = facts.counters.get(constraint.id, {})
    constraint.interaction_count = counted.get("interactions", 0)
    constraint.session_count = counted.get("sessions", 0)
    constraint.key_count = counted.get("keys", 0)
    constraint.first_seen_at = counted.get("first")
    constraint.last_seen_at = counted.get("last")
    # Sightings of a merged name count for the one that it is merged into.
    is_merged = constraint.merged_into_id is not None
    constraint.shadow_at = None if is_merged else facts.recurred[constraint.id]


def _stays(constraint: Constraint, facts: Facts, *, only_added: bool) -> bool:
    """Whether its state cannot have changed: it is active, and support only grew."""
    facts_of = facts.of(constraint)
    in_force = constraint.state == Constraint.State.ACTIVE
    return only_added and in_force and facts_of.word is None and not facts_of.found


def _settle(
    constraint: Constraint, facts: Facts, rule: Thresholds, now: datetime
) -> None:
    if constraint.merged_into is not None:
        constraint.state = Constraint.State.RETIRED
        constraint.retired_code = RetiredCode.MERGED.value
        constraint.retired_reason = quoted(constraint.merged_into.text)
        return
    derived = assess_constraint(facts.of(constraint), rule, now=now)
    constraint.state = derived.state.value
    constraint.origin = derived.origin.value
    constraint.retired_code = derived.retired.value if derived.retired else ""
    constraint.retired_reason = ""


def _audit(change: RowChange, project: Project, actor: models.Model | None) -> None:
    before, after = change.before["state"], change.after["state"]
    action = ENTERED.get(after) if before != after else None
    if action is None and before == Constraint.State.ACTIVE != after:
        action = "memory.constraint_withdrawn"
    if action is None:
        return
    record_event(action, change.row, actor, before=change.before, after=change.after)


State = Constraint.State


def announce_moved(
    constraint: Constraint, before: str, actor: models.Model | None
) -> None:
    """Publish that a constraint entered observation, was activated or retired.

    Must run in the transaction that changes the state. Nothing is published about a
    candidate that was never active, unless a lead retires it.
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
    announce(kind, constraint, actor, before={"state": before})


def announce(
    kind: EventType,
    constraint: Constraint,
    actor: models.Model | None,
    *,
    before: dict[str, str] | None = None,
    other: Constraint | None = None,
) -> None:
    """Publish a change of a constraint.

    Args:
        kind: The change.
        constraint: The constraint, as it is now.
        actor: Who changed it.
        before: The changed fields as they were.
        other: The constraint that it was merged into or split from.
    """
    with override("en"):
        reason = constraint.why_retired
    data: dict[str, Any] = {
        "constraint": {
            "kind": constraint.mention_kind,
            "name": constraint.text,
            "suggestion": constraint.suggestion,
            "state": str(constraint.state),
            "origin": str(constraint.origin),
            "pinned": constraint.pinned,
            "reason": reason,
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
