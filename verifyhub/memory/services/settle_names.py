"""Bring every session's entries on a name in line with what people said of it.

Set by set, in the database: a name may stand in a hundred thousand entries.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import models
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_events
from verifyhub.engine.reports import Status
from verifyhub.memory.models import Constraint, MemoryEntry, folded
from verifyhub.memory.services.changes import Name, RowChange, name_of
from verifyhub.memory.services.reach import settle_reach
from verifyhub.memory.services.words import (
    SAID,
    HumanVerdict,
    NameCorrections,
    hold_words,
    is_heard,
    is_one_of,
    is_spelt_like,
    last_word,
)

ACTIVE, SUPERSEDED = MemoryEntry.State.ACTIVE, MemoryEntry.State.SUPERSEDED
STATE_CHANGED = "memory.entry_settled"
BATCH = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledNames:
    """What settling names changed.

    Attributes:
        corrections: Corrections that a later one outranks now, or that stand again.
        entries: How many other entries are told now (True) or no longer (False).
        names: Every name that is one with those asked for and has a constraint.
    """

    corrections: list[RowChange]
    entries: dict[bool, int]
    names: set[Name]


def settle_names(
    *, project: Project, names: Collection[Name], actor: models.Model | None
) -> SettledNames:
    """Let the latest word on each name rule in every session of the project.

    How far each word reaches is settled first (`settle_reach`): what others have not
    agreed to rules in its own session alone. The earlier corrections of a name are
    superseded where a later one is heard. Findings of a name that is said
    to be invented are superseded, and blockers of one that is said to be right; what
    contradicts no word any more is active again. What a lead retracted, or age
    expired, stays so. Every entry that changes gets an audit event.

    Must run inside the caller's transaction; waits for answers that are being
    remembered, and makes them wait.
    """
    names = {name for name in names if name[1]}
    if not names:
        return SettledNames(corrections=[], entries={}, names=set())
    hold_words(project.id, change=True)
    said = NameCorrections.of(project.id, names)
    settle_reach(project, said, actor=actor)
    by_head = said.by_head()
    corrections = _settle_corrections(by_head, actor)
    told = {True: 0, False: 0}
    # Where a spelling matters, what is known of the others may have changed as well.
    every = names | {name_of(row) for row in said.corrections}
    for head, name in {said.head(name): name for name in sorted(every)}.items():
        rows = by_head.get(head, [])
        entries = _entries_on(project, said.spellings([name]), said)
        for heard, word in _by_audience(entries, rows):
            for state, count in _settle_entries(heard, word, actor):
                told[state] += count
    return SettledNames(
        corrections=corrections,
        entries=told,
        names=names | constrained_names(project.id, said, names),
    )


def constrained_names(
    project_id: UUID, said: NameCorrections, names: Collection[Name]
) -> set[Name]:
    """Return the names of constraints that are one with some names."""
    rows = (
        Constraint.objects.filter(
            project_id=project_id, mention_kind__in={kind for kind, _ in names}
        )
        .alias(folded=folded("mention_key"))
        .filter(is_spelt_like(said.spellings(names)))
    )
    heads = {said.head(name) for name in names}
    return {name_of(row) for row in rows if said.head(name_of(row)) in heads}


def _by_audience(
    entries: QuerySet[MemoryEntry], rows: Sequence[MemoryEntry]
) -> Iterator[tuple[QuerySet[MemoryEntry], str]]:
    """Divide entries on one name by the word that is heard where they stand."""
    own = [row for row in rows if row.reach == MemoryEntry.Reach.SESSION]
    sessions = {row.session_id for row in own if row.session_id is not None}
    answers = {
        row.interaction_id
        for row in own
        if row.session_id is None and row.interaction_id is not None
    }
    for session in sorted(sessions):
        yield entries.filter(session=session), _status(last_word(rows, session))
    for answer in sorted(answers):
        word = last_word(rows, None, answer)
        yield entries.filter(session=None, interaction_id=answer), _status(word)
    others = entries
    if sessions:
        others = others.exclude(session__in=sessions)
    if answers:
        others = others.exclude(session=None, interaction_id__in=answers)
    yield others, _status(last_word(rows, None))


def _status(word: HumanVerdict | None) -> str:
    return word.status if word else ""


def _is_outranked(row: MemoryEntry, later: Iterable[MemoryEntry]) -> bool:
    """Whether wherever a correction is heard a later one is heard as well."""
    if row.reach == MemoryEntry.Reach.SESSION:
        return any(is_heard(one, row.session_id, row.interaction_id) for one in later)
    return any(one.reach != MemoryEntry.Reach.SESSION for one in later)


def _settle_corrections(
    said: dict[Name, list[MemoryEntry]], actor: models.Model | None
) -> list[RowChange]:
    changes = []
    for rows in said.values():
        for place, row in enumerate(rows):
            state = SUPERSEDED if _is_outranked(row, rows[place + 1 :]) else ACTIVE
            if row.state != state:
                before, row.state = row.state, state
                changes.append(
                    RowChange(
                        row=row, before={"state": before}, after={"state": str(state)}
                    )
                )
    now = timezone.now()
    for change in changes:
        row_state = change.after["state"]
        MemoryEntry.objects.filter(pk=change.row.pk).update(
            state=row_state, updated_at=now
        )
    audit_states(changes, actor)
    return changes


def audit_states(changes: Collection[RowChange], actor: models.Model | None) -> None:
    """Record every entry's change of state, with what it was and is."""
    entries = [
        change
        for change in changes
        if isinstance(change.row, MemoryEntry) and "state" in change.after
    ]
    if entries:
        first = entries[0].row
        record_events(
            project_id=first.project_id,  # type: ignore[attr-defined]
            actor=actor,
            action=STATE_CHANGED,
            changes=[(change.row, change.before, change.after) for change in entries],
        )


def _settle_entries(
    rows: QuerySet[MemoryEntry], word: str, actor: models.Model | None
) -> list[tuple[bool, int]]:
    holds = _holds(word)
    wrong = {
        ACTIVE: rows.filter(state=SUPERSEDED).filter(holds),
        SUPERSEDED: rows.filter(state=ACTIVE).exclude(holds),
    }
    found = {
        state: list(moved.only("id", "project_id")) for state, moved in wrong.items()
    }
    return [
        (state == ACTIVE, _move(moved, state, actor)) for state, moved in found.items()
    ]


def _move(
    rows: list[MemoryEntry], state: MemoryEntry.State, actor: models.Model | None
) -> int:
    before = SUPERSEDED if state == ACTIVE else ACTIVE
    now = timezone.now()
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        MemoryEntry.objects.filter(id__in=[row.id for row in batch]).update(
            state=state, updated_at=now
        )
        audit_states(
            [
                RowChange(
                    row=row, before={"state": str(before)}, after={"state": str(state)}
                )
                for row in batch
            ],
            actor,
        )
    return len(rows)


def _entries_on(
    project: Project, names: Collection[Name], said: NameCorrections
) -> QuerySet[MemoryEntry]:
    """Findings and blockers on one name, each with the words of its own answer."""
    rows = (
        MemoryEntry.objects.alias(folded=folded("mention_key"))
        .filter(
            project=project,
            kind__in=(MemoryEntry.Kind.FINDING, MemoryEntry.Kind.BLOCKER),
            state__in=SAID,
        )
        .filter(is_one_of(names, said))
    )
    same_answer = MemoryEntry.objects.filter(
        project=project,
        interaction_id=OuterRef("interaction_id"),
        kind=MemoryEntry.Kind.CORRECTION,
        state__in=SAID,
    )
    return rows.alias(
        answer=Subquery(
            same_answer.filter(mention_key="")
            .order_by("-created_at", "-id")
            .values("mention_status")[:1]
        ),
        own=Subquery(
            same_answer.filter(
                mention_kind=OuterRef("mention_kind"),
                mention_key=OuterRef("mention_key"),
            )
            .order_by("-created_at", "-id")
            .values("mention_status")[:1]
        ),
    )


def _holds(word: str) -> Q:
    """Which entries on a name agree with the latest word on it; `` for no word."""
    right, wrong = str(Status.VERIFIED), str(Status.UNVERIFIED)
    finding, blocker = MemoryEntry.Kind.FINDING, MemoryEntry.Kind.BLOCKER
    learned = Q(source=MemoryEntry.Source.VERIFICATION)
    accepted = Q(answer=right)
    by_machine = {
        right: Q(kind=finding),
        wrong: Q(kind=blocker),
        "": Q(kind=finding) | (Q(kind=blocker) & (~accepted | Q(answer=None))),
    }
    by_person = {
        right: Q(kind=finding, own=right),
        wrong: Q(kind=blocker, own=wrong),
        "": Q(pk__isnull=True),
    }
    return (learned & by_machine[word]) | (
        Q(source=MemoryEntry.Source.REVIEWER) & by_person[word]
    )
