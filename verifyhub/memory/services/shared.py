"""Shared preferences and corrections."""

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.engine.memory.voices import people
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import MAX_QUOTED_LENGTH
from verifyhub.engine.types import MentionKind
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.changes import (
    Actor,
    RowChange,
    name_of,
    thresholds_of,
)
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import settle_names, voice_of, write_reach
from verifyhub.memory.services.words import (
    NOT_RETRACTED,
    SuggestionError,
    check_right_name,
    hold_words,
)

MAX_PREFERENCE_LENGTH = 500
MAX_KEY_LENGTH = 500
MAX_REASON_LENGTH = 500


class SharedEntryError(ValueError):
    """The text cannot be shared, or the entry's state does not allow this action."""


@transaction.atomic
def prefer(
    *,
    project: Project,
    text: str,
    actor: Actor,
    reason: str = "",
    expires_at: datetime | None = None,
) -> MemoryEntry:
    """Add a preference that every session of a project receives.

    If the project requires it, others must confirm it first (`confirm_shared`).

    A preference becomes prose of a prompt, so only people who may instruct agents, or
    keys that act for them, may add one. The reason is for people.

    Raises:
        SharedEntryError: If it is empty, longer than 500 characters, or more than one
            line, or would expire in the past.
    """
    problem = _("A preference is one line of 1 to 500 characters.")
    entry = _new(
        project,
        actor,
        MemoryEntry.Kind.PREFERENCE,
        _line(text, MAX_PREFERENCE_LENGTH, problem),
        expires_at=expires_at,
        reason=_reason(reason),
    )
    settle_preference(entry, actor)
    _audit(entry, actor, "memory.preference_added", before={})
    return entry


@transaction.atomic
def correct_name(
    *,
    project: Project,
    kind: str,
    name: str,
    status: str,
    actor: Actor,
    suggestion: str = "",
    reason: str = "",
    expires_at: datetime | None = None,
) -> MemoryEntry:
    """Add a correction of a name for every session of a project.

    It applies like a reviewer's correction, if the project requires it once others
    have confirmed it (`confirm_shared`): it supersedes contradicting entries of all
    sessions, and an invented name becomes an active constraint.

    Args:
        project: The tenant.
        kind: The name's kind, one of `MentionKind`.
        name: The name as it is written.
        status: `verified` for a right name, `unverified` for an invented one.
        actor: The lead, or a key that acts for one.
        suggestion: The right name, of an invented one.
        reason: Why, for people; it is not shared with agents.
        expires_at: When it expires (aware); None for never.

    Raises:
        SharedEntryError: If kind, name, status or suggestion cannot be used.
    """
    if kind not in set(MentionKind) or status not in (
        Status.VERIFIED,
        Status.UNVERIFIED,
    ):
        raise SharedEntryError(_("The kind or the status is unknown."))
    right = status == Status.VERIFIED
    problem = _("A name is one line of 1 to 200 characters.")
    name = _line(name, MAX_QUOTED_LENGTH, problem)
    try:
        suggestion = "" if right else check_right_name(kind, suggestion)
    except SuggestionError as error:
        raise SharedEntryError(str(error)) from error
    entry = _new(
        project,
        actor,
        MemoryEntry.Kind.CORRECTION,
        name,
        expires_at=expires_at,
        mention_kind=kind,
        mention_key=mention_key(MentionKind(kind), name)[:MAX_KEY_LENGTH],
        mention_status=status,
        suggestion=suggestion,
        reason=_reason(reason),
    )
    if not right:
        # So that drafts are checked for the invented name too.
        constraint = Constraint(
            project=project, mention_kind=kind, mention_key=entry.mention_key, text=name
        )
        Constraint.objects.bulk_create([constraint], ignore_conflicts=True)
    settle_correction(entry, actor)
    _audit(entry, actor, "memory.name_corrected", before={})
    return entry


def call_invented(
    *, constraint: Constraint, actor: Actor, suggestion: str = ""
) -> MemoryEntry:
    """Mark a constraint's name as invented for every session, once for each person.

    Args:
        constraint: The constraint.
        actor: Who marks it.
        suggestion: The right name, checked by the caller.
    """
    hold_words(constraint.project_id, change=True)
    row = MemoryEntry.objects.filter(
        project_id=constraint.project_id,
        kind=MemoryEntry.Kind.CORRECTION,
        scope=MemoryEntry.Scope.PROJECT,
        state__in=NOT_RETRACTED,
        mention_kind=constraint.mention_kind,
        mention_key=constraint.mention_key,
        mention_status=Status.UNVERIFIED,
        voices__contains=[voice_of(actor)],
        suggestion=suggestion,
    ).first()
    if row is not None:
        return row
    entry = _new(
        constraint.project,
        actor,
        MemoryEntry.Kind.CORRECTION,
        constraint.text,
        expires_at=None,
        mention_kind=constraint.mention_kind,
        mention_key=constraint.mention_key,
        mention_status=str(Status.UNVERIFIED),
        suggestion=suggestion,
    )
    settle_correction(entry, actor)
    _audit(entry, actor, "memory.name_corrected", before={})
    return entry


@transaction.atomic
def confirm_shared(*, entry: MemoryEntry, actor: Actor) -> MemoryEntry:
    """Confirm a shared entry of another user; enough confirmations activate it.

    Raises:
        SharedEntryError: If it needs no confirmation, or the actor has confirmed it.
    """
    hold_words(entry.project_id, change=True)
    entry = MemoryEntry.objects.select_for_update(of=("self",)).get(pk=entry.pk)
    if not waits(entry):
        raise SharedEntryError(_("Its state no longer allows this."))
    voice = voice_of(actor)
    if people([voice]) & people(entry.voices or ()):
        raise SharedEntryError(
            _("You have already approved it; another person must approve it too.")
        )
    before = _state_of(entry)
    entry.voices = [*(entry.voices or ()), voice]
    entry.save(update_fields=["voices", "updated_at"])
    _settle(entry, actor)
    entry.refresh_from_db()
    _audit(entry, actor, "memory.entry_confirmed", before)
    return entry


def waits(entry: MemoryEntry) -> bool:
    """Whether a shared entry waits for others to confirm it."""
    return (
        entry.scope == MemoryEntry.Scope.PROJECT
        and entry.state in NOT_RETRACTED
        and entry.reach == MemoryEntry.Reach.SESSION
    )


@transaction.atomic
def retract_shared(*, entry: MemoryEntry, actor: Actor) -> MemoryEntry:
    """Retract a shared entry; the entries that it superseded are active again.

    Raises:
        SharedEntryError: If it was retracted before.
    """
    return _move(entry, actor, NOT_RETRACTED, MemoryEntry.State.RETRACTED, "retracted")


@transaction.atomic
def restore_shared(*, entry: MemoryEntry, actor: Actor) -> MemoryEntry:
    """Restore a retracted shared entry.

    Raises:
        SharedEntryError: If it is not retracted.
    """
    retracted = (MemoryEntry.State.RETRACTED,)
    return _move(entry, actor, retracted, MemoryEntry.State.ACTIVE, "restored")


def _move(
    entry: MemoryEntry,
    actor: Actor,
    states: tuple[MemoryEntry.State, ...],
    state: MemoryEntry.State,
    verb: str,
) -> MemoryEntry:
    hold_words(entry.project_id, change=True)
    before = _state_of(entry)
    if entry.scope != MemoryEntry.Scope.PROJECT:
        raise SharedEntryError(_("Shared with one session only."))
    if not update_if(
        entry,
        expected={"state__in": states},
        state=state.value,
        updated_at=timezone.now(),
    ):
        raise SharedEntryError(_("Its state no longer allows this."))
    _settle(entry, actor)
    entry.refresh_from_db()
    _audit(entry, actor, f"memory.entry_{verb}", before)
    return entry


def _new(
    project: Project,
    actor: Actor,
    kind: MemoryEntry.Kind,
    text: str,
    *,
    expires_at: datetime | None,
    **fields: str,
) -> MemoryEntry:
    if expires_at is not None and expires_at <= timezone.now():
        raise SharedEntryError(_("The expiry is in the past."))
    hold_words(project.id, change=True)
    key = uuid4()
    return MemoryEntry.objects.create(
        id=key,
        project=project,
        session=None,
        scope=MemoryEntry.Scope.PROJECT,
        key=f"{kind}-{key}",
        kind=kind,
        text=text,
        confidence=1.0,
        source=MemoryEntry.Source.LEAD,
        author=str(actor)[:200],
        voices=[voice_of(actor)],
        expires_at=expires_at,
        **fields,
    )


def _settle(entry: MemoryEntry, actor: Actor) -> None:
    if entry.kind == MemoryEntry.Kind.PREFERENCE:
        settle_preference(entry, actor)
    else:
        settle_correction(entry, actor)


def settle_preference(entry: MemoryEntry, actor: Actor) -> None:
    """Set whether a preference is active: enough people must have confirmed it."""
    needed = thresholds_of(entry.project).confirming_people
    is_shared = entry.voices is None or len(people(entry.voices)) >= needed
    reach = MemoryEntry.Reach.PROJECT if is_shared else MemoryEntry.Reach.SESSION
    if entry.reach != reach:
        change = RowChange.setting(entry, "reach", str(reach))
        write_reach(entry.project, [change], actor)


def _line(text: str, most: int, problem: str, *, may_be_empty: bool = False) -> str:
    text = text.strip()
    is_missing = not text and not may_be_empty
    if is_missing or len(text) > most or len(text.splitlines()) > 1:
        raise SharedEntryError(problem)
    return text


def _reason(text: str) -> str:
    problem = "A reason is one line of at most 500 characters."
    return _line(text, MAX_REASON_LENGTH, problem, may_be_empty=True)


def _audit(
    entry: MemoryEntry, actor: Actor, action: str, before: Mapping[str, object]
) -> None:
    record_event(action, entry, actor, before=before, after=_state_of(entry))


def _state_of(entry: MemoryEntry) -> dict[str, object]:
    return as_json(
        {
            "state": entry.state,
            "text": entry.text,
            "status": entry.mention_status,
            "suggestion": entry.suggestion,
            "reason": entry.reason,
            "reach": entry.reach,
            "expires_at": entry.expires_at,
        }
    )


def as_json(values: Mapping[str, object]) -> dict[str, object]:
    """Return values of an entry for the audit log, times as texts."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def settle_correction(
    entry: MemoryEntry, actor: Actor, *, is_edited: bool = False
) -> None:
    """Apply a correction, and the right name that it gives, wherever it is shared.

    Must run inside a transaction that holds the lock of `hold_words`. An outranked or
    retracted correction changes no constraint, nor does a right name that neither
    others nor the evidence confirm.

    Args:
        entry: The correction.
        actor: Who added, confirmed or changed it.
        is_edited: Whether its right name was edited: an empty one is applied too.
    """
    # Another spelling of the same package as the right name makes the spellings differ.
    settled = settle_names(project=entry.project, names={name_of(entry)}, actor=actor)
    entry.refresh_from_db(fields=["reach", "state", "updated_at"])
    is_shared = (
        entry.state == MemoryEntry.State.ACTIVE
        and entry.reach == MemoryEntry.Reach.PROJECT
    )
    if is_shared and (entry.suggestion or is_edited):
        Constraint.objects.filter(
            project_id=entry.project_id,
            mention_kind=entry.mention_kind,
            mention_key=entry.mention_key,
        ).update(suggestion=entry.suggestion)
    settle_constraints(project=entry.project, names=settled.names, actor=actor)
