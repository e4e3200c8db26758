"""Remember the results of verifications (requirements A12, A14)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_events
from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.row_writes import insert
from verifyhub.engine.memory.entries import EntryKind, LearnedEntry
from verifyhub.ingest.models import Interaction
from verifyhub.learning.services import JudgedReport
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services.changes import (
    Name,
    RowChange,
    hold_keys,
    name_of,
)
from verifyhub.memory.services.counters import AddedCounts
from verifyhub.memory.services.settle_answer import settle_interactions
from verifyhub.memory.services.settle_constraints import (
    locked_constraints,
    settle_constraints,
)
from verifyhub.memory.services.settle_names import constrained_names
from verifyhub.memory.services.words import NameCorrections, hold_words


@transaction.atomic(savepoint=False)
def remember_reports(
    judged: Sequence[JudgedReport], *, now: datetime | None = None
) -> None:
    """Write memory from verdicts on answers; idempotent.

    Entries belong to an interaction's session, or to the interaction alone if it has
    none. A later verification of the same answer replaces the entries of an earlier
    one; people's decisions on the answer stay. Projects are written in the order of
    their ids, so that two callers cannot deadlock.

    Args:
        judged: The answers, each once.
        now: When the names were seen (aware), for the recurrence window; the current
            time by default.
    """
    projects: dict[UUID, list[JudgedReport]] = defaultdict(list)
    for answer in judged:
        projects[answer.interaction.project_id].append(answer)
    for _, answers in sorted(projects.items()):
        _remember(answers, now or timezone.now())


def _remember(judged: Sequence[JudgedReport], now: datetime) -> None:
    """Write what is learned from the verdicts on answers of one project."""
    project = judged[0].interaction.project
    any_revoked = hold_keys([answer.interaction.id for answer in judged])
    hold_words(project.id, change=False)
    learned = [Learned(answer) for answer in judged]
    earlier: list[MemoryEntry] = _EARLIER_ENTRIES(
        project=project.id, answers=[lesson.interaction.id for lesson in learned]
    )
    added = _add_entries(earlier, learned)
    replaced = _drop_entries(earlier, learned)
    unverified = {lesson.interaction.id: lesson.unverified for lesson in learned}
    dropped = _drop_sightings(project, unverified)
    names = {name for lesson in learned for name in lesson.names} | dropped
    names |= {
        name for dropped_names in replaced.values() for name in dropped_names if name[1]
    }
    every = {
        name: entry for lesson in learned for name, entry in lesson.unverified.items()
    }
    propose(project.id, every, now)
    corrections = NameCorrections.of(project.id, names)
    is_less = bool(dropped) or any(replaced.values())
    # A correction that these answers agree or agreed with applies to every spelling.
    corrected = {name_of(row) for row in corrections.corrections}
    if moved := corrected if is_less else corrections.waiting():
        names |= constrained_names(project.id, corrections, moved)
    constraints = locked_constraints(project_id=project.id, names=names)
    answers = [(lesson.interaction, lesson.unverified) for lesson in learned]
    sighted = sight(answers, constraints, now)
    # A new answer's entries need no settling, unless a person's decision or a revoked
    # key speaks against them.
    answer_ids = {lesson.interaction.id for lesson in learned}
    known_before = {cast(UUID, row.interaction_id) for row in earlier}
    changes = settle_interactions(
        project_id=project.id,
        interaction_ids=answer_ids
        if corrections.corrections or any_revoked
        else known_before,
        actor=None,
        corrections=corrections,
    )
    settle_constraints(
        project=project,
        names=names,
        actor=None,
        locked=constraints,
        corrections=corrections,
        added=None if is_less else _added(learned, sighted, changes, now),
        now=now,
    )
    record_events(
        "memory.report_remembered",
        [
            (
                lesson.interaction,
                {},
                {
                    "verification": str(lesson.judged.verification_id),
                    "added": fresh,
                    "replaced": len(stale),
                },
            )
            for lesson in learned
            for fresh in (added[lesson.interaction.id],)
            for stale in (replaced[lesson.interaction.id],)
            if fresh or stale
        ],
        None,
    )


@dataclass(frozen=True)
class Learned:
    """Entries that are learned from the verdict on one answer."""

    judged: JudgedReport

    @property
    def interaction(self) -> Interaction:
        return self.judged.interaction

    @property
    def entries(self) -> tuple[LearnedEntry, ...]:
        return self.judged.lessons

    @cached_property
    def names(self) -> set[Name]:
        """The names that the entries are about."""
        return {_name(entry) for entry in self.entries if entry.mention_key}

    @cached_property
    def unverified(self) -> dict[Name, LearnedEntry]:
        """The names without evidence."""
        return {
            _name(entry): entry
            for entry in self.entries
            if entry.kind == EntryKind.BLOCKER and bool(entry.mention_key)
        }


def _name(entry: LearnedEntry) -> Name:
    return entry.mention_kind, entry.mention_key


_EARLIER_ENTRIES = PreparedQuery(
    lambda project, answers: MemoryEntry.objects.filter(
        project=project, interaction_id__any_of=answers
    ).only("interaction_id", "key", "source", "mention_kind", "mention_key")
)
_SIGHTED = PreparedQuery(
    lambda project, answers: Sighting.objects.filter(
        project=project, interaction_id__any_of=answers
    ).values_list(
        "interaction_id", "constraint__mention_kind", "constraint__mention_key"
    )
)
_KNOWN = PreparedQuery(
    lambda constraints, answers: Sighting.objects.filter(
        constraint__any_of=constraints, interaction_id__any_of=answers
    ).values_list("constraint_id", "interaction_id")
)


def _add_entries(
    earlier: Collection[MemoryEntry], learned: Sequence[Learned]
) -> dict[UUID, int]:
    """Insert the entries that are new; return by answer how many."""
    existing = {(row.interaction_id, row.key) for row in earlier}
    fresh = {
        lesson.interaction.id: [
            row_of(
                entry,
                interaction=lesson.interaction,
                source=MemoryEntry.Source.VERIFICATION,
                verification_id=lesson.judged.verification_id,
            )
            for entry in sorted(lesson.entries, key=lambda entry: entry.key)
            if (lesson.interaction.id, entry.key) not in existing
        ]
        for lesson in learned
    }
    insert(
        [row for _, new in sorted(fresh.items()) for row in new], ignore_conflicts=True
    )
    return {key: len(rows) for key, rows in fresh.items()}


def _drop_entries(
    earlier: Collection[MemoryEntry], learned: Sequence[Learned]
) -> dict[UUID, list[Name]]:
    """Delete entries that earlier verifications wrote and these did not.

    Returns:
        By answer, the names of the deleted entries; an empty name for none.
    """
    written = {
        (lesson.interaction.id, entry.key)
        for lesson in learned
        for entry in lesson.entries
    }
    stale = [
        row
        for row in earlier
        if row.source == MemoryEntry.Source.VERIFICATION
        and (row.interaction_id, row.key) not in written
    ]
    dropped: dict[UUID, list[Name]] = {lesson.interaction.id: [] for lesson in learned}
    for row in stale:
        dropped[cast(UUID, row.interaction_id)].append(name_of(row))
    if stale:
        MemoryEntry.objects.filter(pk__in=[row.pk for row in stale]).delete()
    return dropped


def row_of(
    entry: LearnedEntry,
    *,
    interaction: Interaction,
    source: str,
    verification_id: UUID | None = None,
) -> MemoryEntry:
    """Return an unsaved row of an entry that was learned from an answer."""
    return MemoryEntry(
        project_id=interaction.project_id,
        session_id=interaction.session_id,
        interaction_id=interaction.id,
        key=entry.key,
        kind=str(entry.kind),
        mention_kind=entry.mention_kind,
        mention_key=entry.mention_key,
        text=entry.text,
        suggestion=entry.suggestion,
        confidence=entry.confidence,
        grade=entry.grade,
        source=source,
        verification_id=verification_id,
        check_name=entry.check[:40],
        evidence=entry.evidence,
    )


def _drop_sightings(
    project: Project, unverified: Mapping[UUID, Collection[Name]]
) -> set[Name]:
    """Delete sightings that earlier verifications recorded and these do not.

    Returns:
        Their names.
    """
    sightings = Sighting.objects.filter(
        project_id=project.id, interaction_id__in=unverified
    )
    dropped = set()
    for answer, *name in _SIGHTED(project=project.id, answers=list(unverified)):
        kind, key = name
        if (kind, key) in unverified[answer] or _is_persons(
            project, answer, (kind, key)
        ):
            continue
        sightings.filter(
            interaction_id=answer,
            constraint__mention_kind=kind,
            constraint__mention_key=key,
        ).delete()
        dropped.add((kind, key))
    return dropped


def _added(
    learned: Sequence[Learned],
    sighted: Collection[tuple[UUID, UUID]],
    changes: Collection[RowChange],
    now: datetime,
) -> AddedCounts | None:
    """Return the added sightings; None if any sighting changed in another way."""
    moved = {
        (row.constraint_id, row.interaction_id)
        for change in changes
        if isinstance(row := change.row, Sighting)
    }
    if moved - set(sighted):
        return None
    interactions = {lesson.interaction.id: lesson.interaction for lesson in learned}
    answers: dict[UUID, list[Interaction]] = defaultdict(list)
    # A new sighting may be changed at once and not count: its key is revoked, say.
    for constraint, answer in sorted(set(sighted) - moved):
        answers[constraint].append(interactions[answer])
    return AddedCounts(answers=answers, at=now)


def _is_persons(project: Project, interaction_id: UUID, name: Name) -> bool:
    """Whether a reviewer, not a verification, reported the name as unsupported."""
    kind, key = name
    return MemoryEntry.objects.filter(
        project_id=project.id,
        interaction_id=interaction_id,
        kind=MemoryEntry.Kind.BLOCKER,
        source=MemoryEntry.Source.REVIEWER,
        mention_kind=kind,
        mention_key=key,
    ).exists()


def support(
    interaction: Interaction, names: dict[Name, LearnedEntry], *, now: datetime
) -> None:
    """Record an answer as a sighting of some names; new names become candidates."""
    propose(interaction.project_id, names, now)
    constraints = locked_constraints(
        project_id=interaction.project_id, names=names.keys()
    )
    # Names of constraints that they are merged into count as well.
    sight([(interaction, {name_of(row) for row in constraints})], constraints, now)


def propose(
    project_id: UUID, names: Mapping[Name, LearnedEntry], now: datetime
) -> None:
    """Create candidates for new names.

    They are written in order, so that two workers with the same names cannot deadlock,
    and with the time that settling sets: it is indexed, and a change of it would enter
    the row in each index again.
    """
    insert(
        [
            Constraint(
                project_id=project_id,
                mention_kind=kind,
                mention_key=key,
                text=entry.text[:500],
                suggestion=entry.suggestion[:500],
                last_seen_at=now,
            )
            for (kind, key), entry in sorted(names.items())
        ],
        ignore_conflicts=True,
    )


def sight(
    answers: Sequence[tuple[Interaction, Collection[Name]]],
    constraints: Collection[Constraint],
    now: datetime,
) -> set[tuple[UUID, UUID]]:
    """Record answers as sightings of the constraints on their names.

    Args:
        answers: Each with the names.
        constraints: Locked by the caller.
        now: When they were seen.

    Returns:
        The ids of constraint and answer of each new sighting.
    """
    by_name = {name_of(row): row for row in constraints}
    existing = set(
        _KNOWN(
            constraints=[constraint.id for constraint in constraints],
            answers=[constraint.id for constraint, _ in answers],
        )
        if constraints
        else ()
    )
    fresh = [
        Sighting(
            project_id=answer.project_id,
            constraint=by_name[name],
            session_id=answer.session_id,
            api_key_id=answer.api_key_id,
            interaction_id=answer.id,
            agent=agent_of(answer),
            deployment=deployment_of(answer),
            seen_at=now,
        )
        for answer, names in answers
        for name in sorted(names)
        if name in by_name and (by_name[name].id, answer.id) not in existing
    ]
    insert(fresh)
    return {(row.constraint_id, row.interaction_id) for row in fresh}


MAX_LENGTH = 200


def agent_of(answer: Interaction) -> str:
    """Return the agent's name with its version, if given.

    Another version counts as another agent: it need not make the same errors.
    """
    version = _word(answer.metadata, "agent_version")
    name = answer.agent_name
    return f"{name}/{version}"[:MAX_LENGTH] if name and version else name


def deployment_of(answer: Interaction) -> str:
    """Return the deployment that the answer's `metadata` names; empty for none."""
    return _word(answer.metadata, "deployment")


def _word(metadata: Mapping[str, Any] | None, key: str) -> str:
    value = (metadata or {}).get(key)
    return value[:MAX_LENGTH] if isinstance(value, str) else ""
