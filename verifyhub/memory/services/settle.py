"""Bring memory in line with what is known: states are derived, never stepped.

The facts are the machine's entries, the people's corrections and the sightings. Every
service writes facts and then settles, so taking a fact back takes back exactly what it
did, in whatever order facts came and went.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from django.db import models
from django.db.models import Count, Max, Min
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.memory.recurrence import Seen, standing
from verifyhub.engine.reports import Status
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting

# A name as the engine tells names apart: what it is the name of, and its key.
Name: TypeAlias = tuple[str, str]

COUNTERS = ("interaction_count", "session_count", "first_seen_at", "last_seen_at")
STANDING = ("state", "origin", "retired_reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A row that settling has changed, and the fields that did."""

    row: models.Model
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What people said of one answer and of the names in it; the latest word each."""

    names: Mapping[Name, str]
    answer: str

    def of(self, name: Name) -> str:
        """The word on a name; accepting an answer speaks for its names too."""
        return self.names.get(name) or (
            Status.VERIFIED if self.answer == Status.VERIFIED else ""
        )


def name_of(row: MemoryEntry | Constraint) -> Name:
    """Return the name a row is about."""
    return row.mention_kind, row.mention_key


def thresholds_of(project: Project) -> Thresholds:
    """Return the engine's cut-offs as the project has set them."""
    return Thresholds.with_overrides(project.thresholds)


def settle_interaction(
    *, project_id: UUID, interaction_id: UUID | None
) -> list[Change]:
    """Derive the states of one answer's entries and sightings from people's words.

    Must run inside the caller's transaction; locks the entries in the order of their
    keys, then reads, so that of two callers the second sees the first.
    """
    if interaction_id is None:
        return []
    entries = list(
        MemoryEntry.objects.select_for_update(of=("self",))
        .filter(project_id=project_id, interaction_id=interaction_id)
        .select_related("session")
        .order_by("key")
    )
    words = _words(entries)
    changes = [*_settle_entries(entries, words)]
    changes += _settle_sightings(project_id, interaction_id, entries, words)
    return changes


def _words(entries: Iterable[MemoryEntry]) -> Words:
    standing_words = sorted(
        (
            entry
            for entry in entries
            if entry.kind == MemoryEntry.Kind.CORRECTION
            and entry.state == MemoryEntry.State.ACTIVE
        ),
        key=lambda entry: (entry.created_at, entry.id),
    )
    names = {
        name_of(entry): entry.mention_status
        for entry in standing_words
        if entry.mention_key
    }
    answers = [
        entry.mention_status for entry in standing_words if not entry.mention_key
    ]
    return Words(names=names, answer=answers[-1] if answers else "")


def _settle_entries(entries: Iterable[MemoryEntry], words: Words) -> list[Change]:
    changes = []
    for entry in entries:
        if entry.kind == MemoryEntry.Kind.CORRECTION:
            continue
        if entry.state == MemoryEntry.State.RETRACTED:
            continue
        holds = _holds(entry, words)
        state = MemoryEntry.State.ACTIVE if holds else MemoryEntry.State.SUPERSEDED
        if entry.state != state:
            before, entry.state = entry.state, state
            changes.append(
                Change(row=entry, before={"state": before}, after={"state": str(state)})
            )
    rows = [change.row for change in changes]
    _bulk_update(MemoryEntry, rows, ["state"])
    return changes


def _holds(entry: MemoryEntry, words: Words) -> bool:
    if not entry.mention_key:
        return words.answer != Status.VERIFIED
    finding = entry.kind == MemoryEntry.Kind.FINDING
    own_word = Status.VERIFIED if finding else Status.UNVERIFIED
    if entry.source == MemoryEntry.Source.REVIEWER:
        return words.names.get(name_of(entry)) == own_word
    if finding:
        return words.names.get(name_of(entry)) != Status.UNVERIFIED
    return words.of(name_of(entry)) != Status.VERIFIED


def _settle_sightings(
    project_id: UUID,
    interaction_id: UUID,
    entries: Iterable[MemoryEntry],
    words: Words,
) -> list[Change]:
    unverified = {
        name_of(entry)
        for entry in entries
        if entry.kind == MemoryEntry.Kind.BLOCKER
        and entry.mention_key
        and entry.state == MemoryEntry.State.ACTIVE
    }
    sightings = Sighting.objects.filter(
        project_id=project_id, interaction_id=interaction_id
    ).select_related("constraint")
    changes = []
    for sighting in sightings:
        counts = name_of(sighting.constraint) in unverified
        if sighting.counts != counts:
            sighting.counts = counts
            changes.append(
                Change(
                    row=sighting,
                    before={"counts": not counts},
                    after={"counts": counts},
                )
            )
    Sighting.objects.bulk_update(
        [change.row for change in changes],  # type: ignore[misc]
        ["counts"],
    )
    return changes


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
    _bulk_update(Constraint, constraints, [*STANDING, *COUNTERS])
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

    thresholds: Thresholds
    words: Mapping[Name, str]
    found: Collection[Name]
    counters: Mapping[UUID, Mapping[str, Any]]
    sightings: Mapping[UUID, list[Seen]]
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
        found = entries.filter(kind=MemoryEntry.Kind.FINDING)
        asked = [
            constraint.id
            for constraint in constraints
            if not (only_added and constraint.state == Constraint.State.ACTIVE)
        ]
        return cls(
            thresholds=thresholds_of(project),
            words={
                name_of(row): row.mention_status
                for row in corrections.order_by("created_at", "id")
            },
            found=set(found.values_list("mention_kind", "mention_key").distinct()),
            counters=_counters([constraint.id for constraint in constraints]),
            sightings=_sightings(asked),
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
            sightings=self.sightings.get(constraint.id, []),
            thresholds=self.thresholds,
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


def _bulk_update(
    model: type[models.Model], rows: Iterable[Any], fields: list[str]
) -> None:
    rows, now = list(rows), timezone.now()
    for row in rows:
        row.updated_at = now
    model._default_manager.bulk_update(rows, [*fields, "updated_at"])
