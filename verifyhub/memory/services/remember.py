"""Remember what a verification found (requirement A12, A14)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.audit.services import record_event
from verifyhub.common.inserting import insert
from verifyhub.engine.memory.distill import distill
from verifyhub.engine.memory.entries import Entry, EntryKind
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.learning.services import AnswerWithReport
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services.changes import (
    Name,
    RowChange,
    hold_key,
    name_of,
    thresholds_of,
)
from verifyhub.memory.services.counters import Added
from verifyhub.memory.services.settle_answer import settle_interaction
from verifyhub.memory.services.settle_constraints import (
    locked_constraints,
    settle_constraints,
)
from verifyhub.memory.services.words import Said, hold_words


def remember_reports(judged: Sequence[AnswerWithReport]) -> None:
    """Write what the verdicts of answers teach; see `remember_report`."""
    for one in judged:
        remember_report(
            verification_id=one.verification_id,
            interaction=one.interaction,
            report=one.report,
            now=timezone.now(),
        )


@transaction.atomic(savepoint=False)
def remember_report(
    *,
    verification_id: UUID,
    interaction: Interaction,
    report: VerificationReport,
    now: datetime,
) -> None:
    """Write what an answer's verdict teaches; writing it twice changes nothing.

    Entries belong to the interaction's session, or to the interaction alone where it
    has none. A later verification of the same answer replaces what an earlier one
    wrote; what people said of the answer keeps its force.

    Args:
        verification_id: The verification that made the report.
        interaction: The answer it is about.
        report: The verdict.
        now: When the names were seen (aware); the recurrence window is counted in it.
    """
    project = interaction.project
    hold_key(interaction_id=interaction.id)
    hold_words(project.id, change=False)
    entries = distill(
        report, subject=str(interaction.id), thresholds=thresholds_of(project)
    )
    fresh, stale = _write_entries(interaction, entries, verification_id)
    unverified = {_name(entry): entry for entry in entries if _is_blocker(entry)}
    dropped = _drop_sightings(interaction, unverified)
    names = {_name(entry) for entry in entries if entry.mention_key} | dropped
    propose(interaction, unverified)
    constraints = locked_constraints(project_id=project.id, names=names)
    seen = sight(
        interaction,
        [row for row in constraints if name_of(row) in unverified],
        now=now,
    )
    said = Said.of(project.id, names)
    changes = settle_interaction(
        project_id=project.id, interaction_id=interaction.id, actor=None, said=said
    )
    settle_constraints(
        project=project,
        names=names,
        actor=None,
        locked=constraints,
        said=said,
        added=None if dropped or stale else _added(interaction, seen, changes, now),
        now=now,
    )
    if fresh or stale:
        record_event(
            project_id=project.id,
            actor=None,
            action="memory.report_remembered",
            obj=interaction,
            after={
                "verification": str(verification_id),
                "added": fresh,
                "replaced": stale,
            },
        )


def _name(entry: Entry) -> Name:
    return entry.mention_kind, entry.mention_key


def _is_blocker(entry: Entry) -> bool:
    return entry.kind == EntryKind.BLOCKER and bool(entry.mention_key)


def _write_entries(
    interaction: Interaction, entries: tuple[Entry, ...], verification_id: UUID
) -> tuple[int, int]:
    """Insert what is new, delete what an earlier verification wrote and this did not.

    Returns:
        How many entries were added and how many removed.
    """
    earlier = MemoryEntry.objects.filter(
        project_id=interaction.project_id, interaction_id=interaction.id
    )
    held = set(earlier.values_list("key", flat=True))
    fresh = [
        row_of(
            entry,
            interaction=interaction,
            source=MemoryEntry.Source.VERIFICATION,
            verification_id=verification_id,
        )
        for entry in sorted(entries, key=lambda entry: entry.key)
        if entry.key not in held
    ]
    insert(fresh, ignore_conflicts=True)
    gone = held - {entry.key for entry in entries}
    if not gone:
        return len(fresh), 0
    written = earlier.filter(source=MemoryEntry.Source.VERIFICATION, key__in=gone)
    return len(fresh), written.delete()[0]


def row_of(
    entry: Entry,
    *,
    interaction: Interaction,
    source: str,
    verification_id: UUID | None = None,
) -> MemoryEntry:
    """Return an unsaved row of an entry that an answer gave rise to."""
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
    interaction: Interaction, unverified: Collection[Name]
) -> set[Name]:
    """Forget what an earlier verification held against the answer and this does not.

    Returns:
        The names; their sightings are gone.
    """
    sightings = Sighting.objects.filter(
        project_id=interaction.project_id, interaction_id=interaction.id
    )
    held = sightings.values_list("constraint__mention_kind", "constraint__mention_key")
    dropped = {
        name
        for name in held
        if name not in unverified and not _is_persons(interaction, name)
    }
    for kind, key in dropped:
        sightings.filter(
            constraint__mention_kind=kind, constraint__mention_key=key
        ).delete()
    return dropped


def _added(
    interaction: Interaction,
    seen: frozenset[UUID],
    changes: Collection[RowChange],
    now: datetime,
) -> Added | None:
    """Tell what an answer added; None if anything else became of its sightings."""
    moved = {
        row.constraint_id
        for change in changes
        if isinstance(row := change.row, Sighting)
    }
    if moved - seen:
        return None
    # What is new and was changed at once does not count: its key is revoked, say.
    return Added(interaction=interaction, constraints=seen - moved, at=now)


def _is_persons(interaction: Interaction, name: Name) -> bool:
    """Whether a reviewer, not a verification, saw the name stand without evidence."""
    kind, key = name
    return MemoryEntry.objects.filter(
        project_id=interaction.project_id,
        interaction_id=interaction.id,
        kind=MemoryEntry.Kind.BLOCKER,
        source=MemoryEntry.Source.REVIEWER,
        mention_kind=kind,
        mention_key=key,
    ).exists()


def support(
    interaction: Interaction, names: dict[Name, Entry], *, now: datetime
) -> None:
    """Make an answer a sighting of some names; unknown ones become candidates."""
    propose(interaction, names)
    constraints = locked_constraints(
        project_id=interaction.project_id, names=names.keys()
    )
    sight(interaction, constraints, now=now)


def propose(interaction: Interaction, names: dict[Name, Entry]) -> None:
    """Make candidates of names that are not yet known.

    They are written in order, so that two workers with the same names never wait for
    each other.
    """
    insert(
        [
            Constraint(
                project_id=interaction.project_id,
                mention_kind=kind,
                mention_key=key,
                text=entry.text[:500],
                suggestion=entry.suggestion[:500],
            )
            for (kind, key), entry in sorted(names.items())
        ],
        ignore_conflicts=True,
    )


def sight(
    interaction: Interaction, constraints: Collection[Constraint], *, now: datetime
) -> frozenset[UUID]:
    """Make an answer a sighting of some constraints, which the caller has locked.

    Returns:
        Those of which it was none before.
    """
    held = Sighting.objects.filter(
        project_id=interaction.project_id, interaction_id=interaction.id
    )
    known = set(held.values_list("constraint_id", flat=True)) if constraints else set()
    fresh = [row for row in constraints if row.id not in known]
    insert(
        [
            Sighting(
                project_id=interaction.project_id,
                constraint=constraint,
                session_id=interaction.session_id,
                api_key_id=interaction.api_key_id,
                interaction_id=interaction.id,
                seen_at=now,
            )
            for constraint in fresh
        ]
    )
    return frozenset(row.id for row in fresh)
