"""Derive the states of all entries on a name from the corrections of it.

The database updates whole sets of rows: a name may have a hundred thousand entries.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.audit.services import record_events
from verifyhub.common.prepared import Place
from verifyhub.engine.memory.voices import (
    BY_KEY,
    UNOWNED,
    Backing,
    VoicedStatus,
    agreed,
    agreed_suggestion,
    people,
)
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind
from verifyhub.ingest.models import Interaction
from verifyhub.memory.guard import holds_name
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting, folded
from verifyhub.memory.services.changes import (
    Actor,
    Name,
    RowChange,
    name_of,
    thresholds_of,
)
from verifyhub.memory.services.words import (
    NOT_RETRACTED,
    HumanVerdict,
    NameCorrections,
    hold_words,
    is_one_of,
    is_spelt_like,
    last_word,
    reaches,
)

ACTIVE, SUPERSEDED = MemoryEntry.State.ACTIVE, MemoryEntry.State.SUPERSEDED
STATE_CHANGED = "memory.entry_settled"
BATCH = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledNames:
    """The changes made by settling names.

    Attributes:
        corrections: Those that a later one has superseded, or that are valid again.
        entries: How many other entries are active now (True) or no longer (False).
        names: The requested names and those merged with them that have a constraint.
    """

    corrections: list[RowChange]
    entries: dict[bool, int]
    names: set[Name]


def settle_names(
    *, project: Project, names: Collection[Name], actor: models.Model | None
) -> SettledNames:
    """Apply the latest correction of each name in every session of the project.

    The reach of each correction is settled first (`settle_reach`): one to which others
    have not agreed applies in its own session alone. A later correction supersedes
    earlier ones within its reach. Corrections supersede findings of a name that is
    invented, and blockers of one that is right; entries that contradict no correction
    any more are active again. Retracted and expired entries stay so. Every entry that
    changes gets an audit event.

    Must run inside the caller's transaction; excludes answers that are being
    remembered at the same time.
    """
    names = {name for name in names if name[1]}
    if not names:
        return SettledNames(corrections=[], entries={}, names=set())
    hold_words(project.id, change=True)
    name_corrections = NameCorrections.of(project.id, names)
    settle_reach(project, name_corrections, actor=actor)
    by_head = name_corrections.by_head
    corrections = _settle_corrections(by_head, actor)
    counts = {True: 0, False: 0}
    # Where a spelling matters, what is known of the others may have changed as well.
    every = names | {name_of(row) for row in name_corrections.corrections}
    heads = {name_corrections.head(name): name for name in sorted(every)}
    groups = [([heads[head]], rows) for head, rows in by_head.items()]
    # Names without a statement by a reviewer are settled alike.
    if unsaid := [name for head, name in heads.items() if head not in by_head]:
        groups.append((unsaid, []))
    for group, rows in groups:
        entries = _entries_on(
            project, name_corrections.spellings(group), name_corrections
        )
        for audience, word in _by_audience(entries, rows):
            for state, count in _settle_entries(audience, word, actor):
                counts[state] += count
    return SettledNames(
        corrections=corrections,
        entries=counts,
        names=names | constrained_names(project.id, name_corrections, names),
    )


def constrained_names(
    project_id: UUID, name_corrections: NameCorrections, names: Collection[Name]
) -> set[Name]:
    """Return the names of constraints that are one with some names."""
    rows = (
        Constraint.objects.filter(
            project_id=project_id, mention_kind__in={kind for kind, _ in names}
        )
        .alias(folded=folded("mention_key"))
        .filter(is_spelt_like(name_corrections.spellings(names)))
    )
    heads = {name_corrections.head(name) for name in names}
    return {
        name_of(row) for row in rows if name_corrections.head(name_of(row)) in heads
    }


def corrected_names(
    project_id: UUID, names: Collection[Name], *, deleted: Collection[Name] = ()
) -> set[Name]:
    """Return those of some names that are corrected, and constraints one with them.

    Args:
        project_id: The tenant.
        names: The names.
        deleted: Those of them whose correction has been deleted: they count as well.
    """
    corrections = NameCorrections.of(project_id, names)
    heads = {*corrections.by_head, *map(corrections.head, deleted)}
    corrected = {name for name in names if corrections.head(name) in heads}
    return corrected | constrained_names(project_id, corrections, corrected)


def _by_audience(
    entries: QuerySet[MemoryEntry], rows: Sequence[MemoryEntry]
) -> Iterator[tuple[QuerySet[MemoryEntry], str]]:
    """Group entries on one name by the correction that applies in their session."""
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
    """Whether a later correction reaches every session that this one reaches."""
    if row.reach == MemoryEntry.Reach.SESSION:
        return any(
            reaches(correction, row.session_id, row.interaction_id)
            for correction in later
        )
    return any(correction.reach != MemoryEntry.Reach.SESSION for correction in later)


def _settle_corrections(
    by_name: Mapping[Name, list[MemoryEntry]], actor: models.Model | None
) -> list[RowChange]:
    changes = []
    for rows in by_name.values():
        for place, row in enumerate(rows):
            state = SUPERSEDED if _is_outranked(row, rows[place + 1 :]) else ACTIVE
            if row.state != state:
                changes.append(RowChange.setting(row, "state", str(state)))
    now = timezone.now()
    for change in changes:
        MemoryEntry.objects.filter(pk=change.row.pk).update(
            state=change.after["state"], updated_at=now
        )
    audit_states(changes, actor)
    return changes


def audit_states(changes: Collection[RowChange], actor: models.Model | None) -> None:
    """Record every entry's change of state in the audit log."""
    entries = [
        (change.row, change.before, change.after)
        for change in changes
        if isinstance(change.row, MemoryEntry) and "state" in change.after
    ]
    record_events(STATE_CHANGED, entries, actor)


def _settle_entries(
    rows: QuerySet[MemoryEntry], word: str, actor: models.Model | None
) -> list[tuple[bool, int]]:
    holds = _holds(word)
    wrong = {
        ACTIVE: rows.filter(state=SUPERSEDED).filter(holds),
        SUPERSEDED: rows.filter(state=ACTIVE).exclude(holds),
    }
    moving = {
        state: list(moved.only("id", "project_id")) for state, moved in wrong.items()
    }
    return [
        (state == ACTIVE, _move(moved, state, actor)) for state, moved in moving.items()
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
    project: Project, names: Collection[Name], name_corrections: NameCorrections
) -> QuerySet[MemoryEntry]:
    """Return findings and blockers on a name, with their answers' decisions."""
    rows = (
        MemoryEntry.objects.alias(folded=folded("mention_key"))
        .filter(
            project=project,
            kind__in=(MemoryEntry.Kind.FINDING, MemoryEntry.Kind.BLOCKER),
            state__in=NOT_RETRACTED,
        )
        .filter(is_one_of(names, name_corrections))
    )
    same_answer = MemoryEntry.objects.filter(
        project=project,
        interaction_id=OuterRef("interaction_id"),
        kind=MemoryEntry.Kind.CORRECTION,
        state__in=NOT_RETRACTED,
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
    """Return a filter for entries on a name that agree with its latest correction."""
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


Reach = MemoryEntry.Reach


def voice_of(actor: Actor) -> str:
    """Return the voice of a person or key: an owned key speaks for its owner."""
    if not isinstance(actor, ApiKey):
        return f"user:{actor.pk}"
    owner = actor.created_by_id
    return f"user:{owner}{BY_KEY}" if owner else f"{UNOWNED}{BY_KEY}"


def adds_voice(*, overrides: Collection[UUID], said_by: Sequence[Actor]) -> bool:
    """Whether a reviewer who agrees with decisions for every session is a new voice.

    Args:
        overrides: The earlier decisions.
        said_by: Who agrees now. A key is no other voice than its owner.
    """
    rows = MemoryEntry.objects.filter(override_id__in=overrides)
    known_voices = {
        voice
        for voices in rows.values_list("voices", flat=True)
        for voice in voices or ()
    }
    return any(
        known_voices.isdisjoint({voice, voice.removesuffix(BY_KEY)})
        for voice in map(voice_of, said_by)
    )


def settle_reach(
    project: Project,
    name_corrections: NameCorrections,
    *,
    actor: models.Model | None,
    only_waiting: bool = False,
) -> None:
    """Derive the reach of the corrections of some names; save and audit changes.

    Must run inside a transaction that holds the lock of `hold_words`.

    Args:
        project: The tenant.
        name_corrections: The corrections; their rows are changed in place.
        actor: Who changed the facts; None for the verification itself.
        only_waiting: Whether nothing was removed: shared corrections stay shared then.
    """
    groups = [
        (rows, _backing(project, name_corrections, rows))
        for rows in name_corrections.by_head.values()
        if rows[0].mention_kind in set(MentionKind)
        and (
            not only_waiting
            or any(row.voices and row.reach == Reach.SESSION for row in rows)
        )
    ]
    changes = [
        change
        for rows, backing in groups
        for change in _settled(project, rows, backing)
    ]
    write_reach(project, changes, actor)


def write_reach(
    project: Project, changes: Sequence[RowChange], actor: models.Model | None
) -> None:
    """Save and audit the reach of some entries."""
    if not changes:
        return
    now = timezone.now()
    for change in sorted(changes, key=lambda change: str(change.row.pk)):
        MemoryEntry.objects.filter(pk=change.row.pk).update(
            reach=change.after["reach"], updated_at=now
        )
    settled = [(change.row, change.before, change.after) for change in changes]
    record_events("memory.reach_settled", settled, actor)


def _settled(
    project: Project, rows: Sequence[MemoryEntry], backing: Backing
) -> list[RowChange]:
    words = [
        VoicedStatus(
            status=row.mention_status,
            voices=None if row.voices is None else tuple(row.voices),
            suggestion=row.suggestion,
        )
        for row in rows
    ]
    needed = thresholds_of(project).confirming_people
    status = agreed(words, backing, needed=needed)
    last = {person: row for row in rows for person in people(row.voices or ())}
    changes = []
    for row in rows:
        reach = Reach.SESSION
        if row.mention_status == status and (row.voices is None or _stands(row, last)):
            is_shared = _suggestion_is_shared(project, row, words, needed)
            reach = Reach.PROJECT if is_shared else Reach.NAME
        if row.reach != reach:
            changes.append(RowChange.setting(row, "reach", str(reach)))
    return changes


def _stands(row: MemoryEntry, last: dict[str, MemoryEntry]) -> bool:
    """Whether one of its voices has not decided otherwise since."""
    return any(
        last[person].mention_status == row.mention_status
        for person in people(row.voices or ())
    )


def _suggestion_is_shared(
    project: Project, row: MemoryEntry, words: Sequence[VoicedStatus], needed: int
) -> bool:
    """Whether every session receives the right name too, if one is given."""
    if not row.suggestion or row.mention_status == Status.VERIFIED:
        return True
    return agreed_suggestion(words, row.suggestion, needed=needed) or is_known(
        project, name_of(row), row.suggestion
    )


def is_known(project: Project, name: Name, suggestion: str) -> bool:
    """Whether evidence of the project contains the suggested name.

    A tool call showed it, a check suggested it as the nearest name in tool outputs, or
    a snapshot contains it.
    """
    kind, key = name
    right = mention_key(MentionKind(kind), suggestion)
    source = MemoryEntry.Source.VERIFICATION
    shown = valid_findings(project).filter(
        mention_kind=kind, mention_key=right, source=source
    )
    nearest = MemoryEntry.objects.filter(
        project=project,
        kind=MemoryEntry.Kind.BLOCKER,
        source=source,
        mention_kind=kind,
        mention_key=key,
        suggestion=suggestion,
    )
    return nearest.exists() or shown.exists() or holds_name(project, kind, suggestion)


def _backing(
    project: Project, name_corrections: NameCorrections, rows: Sequence[MemoryEntry]
) -> Backing:
    if not any(row.voices for row in rows):
        return Backing()
    names = name_corrections.spellings({name_of(row) for row in rows})
    own = {row.interaction_id for row in rows if row.interaction_id}
    return Backing(
        recurred=_has_recurred(project, name_corrections, names),
        shown=_is_shown(project, name_corrections, names, own, rows),
    )


def _has_recurred(
    project: Project, name_corrections: NameCorrections, names: Collection[Name]
) -> bool:
    rows = (
        Sighting.objects.filter(project=project, counts=True)
        .alias(folded=folded("constraint__mention_key"))
        .filter(is_one_of(names, name_corrections, "constraint__"))
        .exclude(session=None)
        .values_list("session", flat=True)
    )
    # The ends of an index: a name may have a million sightings.
    first = rows.order_by("session").first()
    return first is not None and first != rows.order_by("-session").first()


def _is_shown(
    project: Project,
    name_corrections: NameCorrections,
    names: Collection[Name],
    own: Collection[UUID],
    rows: Sequence[MemoryEntry],
) -> bool:
    """Whether another answer's tool calls, or a snapshot, showed a name.

    If the name is shared as invented, evidence from later answers does not count here:
    its grade decides on the constraint (`lifecycle.assess_constraint`).
    """
    findings = (
        valid_findings(project)
        .filter(source=MemoryEntry.Source.VERIFICATION)
        .alias(folded=folded("mention_key"))
        .filter(is_one_of(names, name_corrections))
        .exclude(interaction_id__in=own)
    )
    shared_at = [
        row.created_at
        for row in rows
        if row.reach != Reach.SESSION and row.mention_status == Status.UNVERIFIED
    ]
    if shared_at:
        return findings.filter(created_at__lt=max(shared_at)).exists()
    return findings.exists() or any(
        holds_name(project, *name) for name in sorted(names)
    )


# Expired findings still count against constraints, as do findings that a person's
# decision superseded: their grade decides.
_VALID = Q(state__in=(MemoryEntry.State.ACTIVE, MemoryEntry.State.EXPIRED)) | Q(
    state=MemoryEntry.State.SUPERSEDED, source=MemoryEntry.Source.VERIFICATION
)


def valid_findings(project: Project | Place) -> QuerySet[MemoryEntry]:
    """Return findings on names, except from answers sent with a revoked key."""
    revoked = Interaction.objects.filter(
        id=OuterRef("interaction_id"),
        project=project,
        api_key__revoked_at__isnull=False,
    )
    return MemoryEntry.objects.filter(
        _VALID, project=project, kind=MemoryEntry.Kind.FINDING
    ).exclude(Exists(revoked), source=MemoryEntry.Source.VERIFICATION)
