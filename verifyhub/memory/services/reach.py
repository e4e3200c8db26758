"""How far what people say of names reaches: derived from who else says so."""

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import models
from django.utils import timezone

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.audit.services import record_events
from verifyhub.engine.memory.voices import (
    BY_KEY,
    Backing,
    VoicedStatus,
    agreed,
    agreed_suggestion,
    people,
)
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind
from verifyhub.memory.guard import holds_name
from verifyhub.memory.models import MemoryEntry, Sighting, folded
from verifyhub.memory.services.changes import (
    Actor,
    Name,
    RowChange,
    name_of,
    thresholds_of,
)
from verifyhub.memory.services.evidence import standing_findings
from verifyhub.memory.services.words import NameCorrections, is_one_of

Reach = MemoryEntry.Reach


def voice_of(actor: Actor) -> str:
    """Return who speaks: a key that a person owns speaks for them."""
    if not isinstance(actor, ApiKey):
        return f"user:{actor.pk}"
    owner = actor.created_by_id
    return f"user:{owner}{BY_KEY}" if owner else f"key:{actor.pk}{BY_KEY}"


def adds_voice(*, overrides: Collection[UUID], said_by: Sequence[Actor]) -> bool:
    """Whether somebody says to every session what was said, and was not heard yet.

    Args:
        overrides: The decisions that said it.
        said_by: Who says it now. A key adds nothing to what its owner said themselves.
    """
    told = MemoryEntry.objects.filter(override_id__in=overrides)
    heard = {
        voice
        for voices in told.values_list("voices", flat=True)
        for voice in voices or ()
    }
    return any(
        heard.isdisjoint({voice, voice.removesuffix(BY_KEY)})
        for voice in map(voice_of, said_by)
    )


def settle_reach(
    project: Project,
    said: NameCorrections,
    *,
    actor: models.Model | None,
    only_waiting: bool = False,
) -> None:
    """Derive how far the corrections of some names reach; write and record changes.

    Must run inside a transaction that holds the project's words.

    Args:
        project: The tenant.
        said: The corrections; their rows are changed in place.
        actor: Who changed what is known; None for the verification itself.
        only_waiting: Whether nothing was taken back: what reaches all goes on then.
    """
    needed = thresholds_of(project).confirming_people
    changes: list[RowChange] = []
    for rows in said.by_head().values():
        kind = rows[0].mention_kind
        if kind not in set(MentionKind) or (
            only_waiting
            and not any(row.voices and row.reach == Reach.SESSION for row in rows)
        ):
            continue
        changes += _settled(project, said, rows, needed)
    write_reach(project, changes, actor)


def write_reach(
    project: Project, changes: Sequence[RowChange], actor: models.Model | None
) -> None:
    """Write and record how far some entries reach now."""
    if not changes:
        return
    now = timezone.now()
    for change in sorted(changes, key=lambda change: str(change.row.pk)):
        MemoryEntry.objects.filter(pk=change.row.pk).update(
            reach=change.after["reach"], updated_at=now
        )
    record_events(
        project_id=project.id,
        actor=actor,
        action="memory.reach_settled",
        changes=[(change.row, change.before, change.after) for change in changes],
    )


def _settled(
    project: Project, said: NameCorrections, rows: Sequence[MemoryEntry], needed: int
) -> list[RowChange]:
    words = [
        VoicedStatus(
            status=row.mention_status,
            voices=None if row.voices is None else tuple(row.voices),
            suggestion=row.suggestion,
        )
        for row in rows
    ]
    spoken = any(row.voices for row in rows)
    backing = _backing(project, said, rows) if spoken else Backing()
    status = agreed(words, backing, needed=needed)
    last = {person: row for row in rows for person in people(row.voices or ())}
    changes = []
    for row in rows:
        reach = Reach.SESSION
        if row.mention_status == status and (row.voices is None or _stands(row, last)):
            told = _suggestion_is_shared(project, row, words, needed)
            reach = Reach.PROJECT if told else Reach.NAME
        if row.reach != reach:
            before, row.reach = row.reach, reach
            changes.append(
                RowChange(
                    row=row, before={"reach": before}, after={"reach": str(reach)}
                )
            )
    return changes


def _stands(row: MemoryEntry, last: dict[str, MemoryEntry]) -> bool:
    """Whether somebody who said it has not said otherwise since."""
    return any(
        last[person].mention_status == row.mention_status
        for person in people(row.voices or ())
    )


def _suggestion_is_shared(
    project: Project, row: MemoryEntry, words: Sequence[VoicedStatus], needed: int
) -> bool:
    """Whether every session is told the right name too, where one is given."""
    if not row.suggestion or row.mention_status == Status.VERIFIED:
        return True
    return agreed_suggestion(words, row.suggestion, needed=needed) or is_known(
        project, name_of(row), row.suggestion
    )


def is_known(project: Project, name: Name, suggestion: str) -> bool:
    """Whether evidence of the project knows the name to use instead of another.

    A tool call showed it, a check named it as the nearest that the tool calls show, or
    a snapshot holds it.
    """
    kind, key = name
    right = mention_key(MentionKind(kind), suggestion)
    source = MemoryEntry.Source.VERIFICATION
    shown = standing_findings(project).filter(
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
    project: Project, said: NameCorrections, rows: Sequence[MemoryEntry]
) -> Backing:
    names = said.spellings({name_of(row) for row in rows})
    own = {row.interaction_id for row in rows if row.interaction_id}
    return Backing(
        recurred=_has_recurred(project, said, names),
        shown=_is_shown(project, said, names, own, rows),
    )


def _has_recurred(
    project: Project, said: NameCorrections, names: Collection[Name]
) -> bool:
    seen = (
        Sighting.objects.filter(project=project, counts=True)
        .alias(folded=folded("constraint__mention_key"))
        .filter(is_one_of(names, said, "constraint__"))
        .exclude(session=None)
        .values_list("session", flat=True)
    )
    # The ends of an index: a name may have been seen a million times.
    first = seen.order_by("session").first()
    return first is not None and first != seen.order_by("-session").first()


def _is_shown(
    project: Project,
    said: NameCorrections,
    names: Collection[Name],
    own: Collection[UUID],
    rows: Sequence[MemoryEntry],
) -> bool:
    """Whether another answer's tool calls, or a snapshot, showed a name.

    Once all were told that there is none, what shows it later takes nothing back
    here: that is decided by its grade (`lifecycle.assess_constraint`).
    """
    found = (
        standing_findings(project)
        .filter(source=MemoryEntry.Source.VERIFICATION)
        .alias(folded=folded("mention_key"))
        .filter(is_one_of(names, said))
        .exclude(interaction_id__in=own)
    )
    told = [
        row.created_at
        for row in rows
        if row.reach != Reach.SESSION and row.mention_status == Status.UNVERIFIED
    ]
    if told:
        return found.filter(created_at__lt=max(told)).exists()
    return found.exists() or any(holds_name(project, *name) for name in sorted(names))
