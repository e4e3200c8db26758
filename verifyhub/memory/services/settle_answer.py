"""Derive the states of an answer's entries and sightings.

The facts are the machine's entries, the people's corrections and the sightings. Every
service writes facts and then settles, so removing a fact undoes exactly its effects,
whatever the order of events.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.db import models
from django.utils import timezone

from verifyhub.common.row_writes import update
from verifyhub.engine.memory.entries import ABOUT_CLAIM, ABOUT_FACT
from verifyhub.engine.reports import Status
from verifyhub.memory.models import MemoryEntry, Sighting
from verifyhub.memory.services.changes import Name, RowChange, name_of
from verifyhub.memory.services.settle_names import audit_states
from verifyhub.memory.services.words import NOT_RETRACTED, NameCorrections

# States that no fact about the answer changes.
LASTING = (MemoryEntry.State.RETRACTED, MemoryEntry.State.EXPIRED)
# Kinds that no fact about an answer changes: their states follow from each other.
FROM_PEOPLE = (MemoryEntry.Kind.CORRECTION, MemoryEntry.Kind.PREFERENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanVerdicts:
    """People's latest verdicts on an answer and on the names in it."""

    names: Mapping[Name, str]
    answer: str
    # The latest correction of each name that reaches the answer's session: it rules.
    everywhere: Mapping[Name, str]


def settle_interactions(
    *,
    project_id: UUID,
    interaction_ids: Collection[UUID | None],
    actor: models.Model | None,
    corrections: NameCorrections | None = None,
) -> list[RowChange]:
    """Derive the states of answers' entries and sightings from people's words.

    Must run inside the caller's transaction; locks the entries in the order of their
    keys, then reads, so that a second caller sees the changes of the first. Every
    entry that changes gets an audit event.

    Args:
        project_id: The tenant.
        interaction_ids: The answers; None is left out.
        actor: Who changed what is known; None for the verification itself.
        corrections: What people said of their names, if the caller has read it.
    """
    answers: dict[UUID, list[MemoryEntry]] = {
        interaction_id: [] for interaction_id in interaction_ids if interaction_id
    }
    if not answers:
        return []
    rows = (
        MemoryEntry.objects.select_for_update(of=("self",))
        .filter(project_id=project_id, interaction_id__in=answers)
        .select_related("session")
        .order_by("interaction_id", "key")
    )
    for row in rows:
        answers[cast(UUID, row.interaction_id)].append(row)
    words = {
        key: _words(project_id, key, entries, corrections)
        for key, entries in answers.items()
    }
    changes = [
        change
        for key, entries in answers.items()
        for change in _settled(entries, words[key])
    ]
    update([change.row for change in changes], ["state", "updated_at"])
    audit_states(changes, actor)
    return changes + _settle_sightings(project_id, answers, words)


def _words(
    project_id: UUID,
    answer: UUID,
    entries: Collection[MemoryEntry],
    corrections: NameCorrections | None,
) -> HumanVerdicts:
    corrections_in_force = sorted(
        (
            entry
            for entry in entries
            if entry.kind == MemoryEntry.Kind.CORRECTION
            and entry.state in NOT_RETRACTED
        ),
        key=lambda entry: (entry.created_at, entry.id),
    )
    names = {
        name_of(entry): entry.mention_status
        for entry in corrections_in_force
        if entry.mention_key
    }
    answers = [
        entry.mention_status for entry in corrections_in_force if not entry.mention_key
    ]
    every = {name_of(entry) for entry in entries if entry.mention_key}
    session = next((entry.session_id for entry in entries), None)
    words = NameCorrections.covering(corrections, project_id, every).words(
        every, session=session, answer=answer
    )
    return HumanVerdicts(
        names=names,
        answer=answers[-1] if answers else "",
        everywhere={name: word.status for name, word in words.items()},
    )


def _settled(
    entries: Iterable[MemoryEntry], words: HumanVerdicts
) -> Iterator[RowChange]:
    """Set the derived states of entries; the caller saves them."""
    for entry in entries:
        if entry.kind in FROM_PEOPLE or entry.state in LASTING:
            continue
        holds = _holds(entry, words)
        state = MemoryEntry.State.ACTIVE if holds else MemoryEntry.State.SUPERSEDED
        if entry.state != state:
            entry.updated_at = timezone.now()
            yield RowChange.setting(entry, "state", str(state))


def _holds(entry: MemoryEntry, words: HumanVerdicts) -> bool:
    if any((about, entry.key) in words.names for about in (ABOUT_CLAIM, ABOUT_FACT)):
        # A person judged the claim: their correction is shared in the blocker's place.
        return False
    if not entry.mention_key:
        return words.answer != Status.VERIFIED
    finding = entry.kind == MemoryEntry.Kind.FINDING
    own_word = Status.VERIFIED if finding else Status.UNVERIFIED
    status = words.everywhere.get(name_of(entry))
    if entry.source == MemoryEntry.Source.REVIEWER:
        return status == own_word == words.names.get(name_of(entry))
    if finding:
        return status != Status.UNVERIFIED
    # A verdict on the whole answer covers names without one of their own.
    return (status or words.answer) != Status.VERIFIED


def _settle_sightings(
    project_id: UUID,
    answers: Mapping[UUID, Iterable[MemoryEntry]],
    words: Mapping[UUID, HumanVerdicts],
) -> list[RowChange]:
    unverified = {
        (key, name_of(entry))
        for key, entries in answers.items()
        for entry in entries
        if entry.kind == MemoryEntry.Kind.BLOCKER
        and entry.mention_key
        and _supports(entry, words[key])
    }
    sightings = Sighting.objects.filter(
        project_id=project_id, interaction_id__in=answers
    ).select_related("constraint", "api_key")
    changes = []
    for sighting in sightings:
        key_and_name = sighting.interaction_id, name_of(sighting.constraint)
        counts = key_and_name in unverified and not _revoked(sighting)
        if sighting.counts != counts:
            changes.append(RowChange.setting(sighting, "counts", counts))
    Sighting.objects.bulk_update(
        [change.row for change in changes],  # type: ignore[misc]
        ["counts"],
    )
    return changes


def _supports(entry: MemoryEntry, words: HumanVerdicts) -> bool:
    """Whether a blocker makes its answer support a constraint.

    Only people's decisions on this very answer count here: their decisions on the name
    elsewhere settle the constraint itself. Expiry changes nothing.
    """
    if entry.state == MemoryEntry.State.RETRACTED:
        return False
    word = words.names.get(name_of(entry))
    if entry.source == MemoryEntry.Source.REVIEWER:
        return word == Status.UNVERIFIED
    accepted = words.answer == Status.VERIFIED
    return word == Status.UNVERIFIED or (word is None and not accepted)


def _revoked(sighting: Sighting) -> bool:
    key = sighting.api_key
    return key is not None and key.revoked_at is not None
