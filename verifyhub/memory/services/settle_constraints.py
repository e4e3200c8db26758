"""Derive the states of constraints from corrections, findings and sightings."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Count, Max, Min

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.memory.recurrence import Seen, recurs, standing
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services.changes import (
    Change,
    Name,
    name_of,
    thresholds_of,
    write_rows,
)

COUNTERS = ("interaction_count", "session_count", "first_seen_at", "last_seen_at")
STANDING = ("state", "origin", "retired_reason")


def settle_constraints(
    *,
    project: Project,
    names: Collection[Name],
    actor: models.Model | None,
    only_added: bool = False,
) -> list[Change]:
    """Derive the counters and states of the constraints on some names.

    Must run inside the caller's transaction; locks the constraints in the order of
    their names, so that two callers cannot wait for each other. Constraints that a
    lead pinned keep their state. Every move into or out of force is audited.

    Args:
        project: The tenant.
        names: The names whose facts have changed.
        actor: Who changed them; None for the verification itself.
        only_added: Sightings were only added, never taken back: spares asking again
            whether the names of active constraints recur.
    """
    constraints = locked_constraints(project_id=project.id, names=names)
    if not constraints:
        return []
    facts = _Facts.load(project, constraints, only_added=only_added)
    changes = []
    for constraint in constraints:
        before = {field: getattr(constraint, field) for field in STANDING}
        facts.apply(constraint)
        after = {field: str(getattr(constraint, field)) for field in STANDING}
        if before != after:
            changes.append(Change(row=constraint, before=before, after=after))
    write_rows(Constraint, constraints, [*STANDING, *COUNTERS])
    for change in changes:
        _audit(change, project, actor)
    return changes


def locked_constraints(
    *, project_id: UUID, names: Collection[Name]
) -> list[Constraint]:
    """Return the constraints on some names, locked until the transaction ends."""
    rows = (
        Constraint.objects.select_for_update(of=("self",))
        .filter(project_id=project_id, mention_key__in={key for _, key in names})
        .order_by("mention_kind", "mention_key")
    )
    wanted = set(names)
    return [row for row in rows if name_of(row) in wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    """Everything the states of some constraints are derived from, in four queries."""

    words: Mapping[Name, str]
    found: Collection[Name]
    counters: Mapping[UUID, Mapping[str, Any]]
    recurring: Collection[UUID]
    only_added: bool

    @classmethod
    def load(
        cls, project: Project, constraints: list[Constraint], *, only_added: bool
    ) -> "_Facts":
        entries = MemoryEntry.objects.filter(
            project=project,
            state=MemoryEntry.State.ACTIVE,
            mention_key__in={constraint.mention_key for constraint in constraints},
        )
        corrections = entries.filter(kind=MemoryEntry.Kind.CORRECTION)
        findings = entries.filter(kind=MemoryEntry.Kind.FINDING)
        words = {
            name_of(row): row.mention_status
            for row in corrections.order_by("created_at", "id")
        }
        found = set(findings.values_list("mention_kind", "mention_key").distinct())
        counters = _counters([constraint.id for constraint in constraints])
        undecided = [
            constraint.id
            for constraint in constraints
            if name_of(constraint) not in words and name_of(constraint) not in found
            if not (only_added and constraint.state == Constraint.State.ACTIVE)
        ]
        return cls(
            words=words,
            found=found,
            counters=counters,
            recurring=_recurring(undecided, counters, thresholds_of(project)),
            only_added=only_added,
        )

    def apply(self, constraint: Constraint) -> None:
        counted = self.counters.get(constraint.id, {})
        constraint.interaction_count = counted.get("interactions", 0)
        constraint.session_count = counted.get("sessions", 0)
        constraint.first_seen_at = counted.get("first")
        constraint.last_seen_at = counted.get("last")
        if constraint.pinned or self._stays(constraint):
            return
        name = name_of(constraint)
        derived = standing(
            word=self.words.get(name),
            found=name in self.found,
            supported=constraint.interaction_count > 0,
            recurring=constraint.id in self.recurring,
        )
        constraint.state = derived.state.value
        constraint.origin = derived.origin.value
        constraint.retired_reason = derived.reason

    def _stays(self, constraint: Constraint) -> bool:
        """Whether no fact can have moved it: in force, and support only grew."""
        name = name_of(constraint)
        in_force = constraint.state == Constraint.State.ACTIVE
        settled = name not in self.words and name not in self.found
        return self.only_added and in_force and settled


def _counters(constraint_ids: list[UUID]) -> dict[UUID, dict[str, Any]]:
    rows = (
        Sighting.objects.filter(constraint__in=constraint_ids, counts=True)
        .values("constraint_id")
        .annotate(
            interactions=Count("id"),
            sessions=Count("session_id", distinct=True),
            first=Min("seen_at"),
            last=Max("seen_at"),
        )
        .order_by()
    )
    return {row["constraint_id"]: dict(row) for row in rows}


def _recurring(
    constraint_ids: list[UUID],
    counters: Mapping[UUID, Mapping[str, Any]],
    rule: Thresholds,
) -> set[UUID]:
    """Apply the recurrence rule to the constraints whose counters could satisfy it.

    The others' sightings are not read: a flood of answers from one session must not
    make every further answer dearer.
    """
    possible = [
        key
        for key in constraint_ids
        if key in counters
        and counters[key]["interactions"] >= rule.recurrence_interactions
        and counters[key]["sessions"] >= rule.recurrence_sessions
    ]
    return {key for key, seen in _sightings(possible).items() if recurs(seen, rule)}


def _sightings(constraint_ids: list[UUID]) -> dict[UUID, list[Seen]]:
    found: dict[UUID, list[Seen]] = defaultdict(list)
    for sighting in Sighting.objects.filter(
        constraint__in=constraint_ids, counts=True
    ).only("constraint_id", "interaction_id", "session_id", "seen_at"):
        found[sighting.constraint_id].append(
            Seen(
                interaction=str(sighting.interaction_id),
                session=str(sighting.session_id) if sighting.session_id else None,
                at=sighting.seen_at,
            )
        )
    return found


def _audit(change: Change, project: Project, actor: models.Model | None) -> None:
    before, after = change.before["state"], change.after["state"]
    in_force = Constraint.State.ACTIVE
    if in_force not in {before, after}:
        return
    record_event(
        project_id=project.id,
        actor=actor,
        action="memory.constraint_activated"
        if after == in_force
        else "memory.constraint_withdrawn",
        obj=change.row,
        before=change.before,
        after=change.after,
    )
