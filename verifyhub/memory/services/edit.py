"""Changes by leads: constraints and single entries."""

from collections.abc import Callable, Mapping
from copy import copy

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.engine.memory.lifecycle import RetiredCode
from verifyhub.engine.memory.spelling import NameSpelling
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.text.quoting import MAX_QUOTED_LENGTH
from verifyhub.engine.types import MentionKind
from verifyhub.events.catalogue import EventType
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.changes import hold_keys, name_of, thresholds_of
from verifyhub.memory.services.settle_answer import settle_interactions
from verifyhub.memory.services.settle_constraints import (
    announce,
    announce_moved,
    enter,
    settle_constraints,
)
from verifyhub.memory.services.settle_names import is_known
from verifyhub.memory.services.shared import (
    SharedEntryError,
    call_invented,
    restore_shared,
    retract_shared,
)
from verifyhub.memory.services.words import (
    SuggestionError,
    check_right_name,
    hold_words,
)


class ConstraintChangedError(Exception):
    """Another user changed the constraint since it was read."""


class EntryNotRetractableError(Exception):
    """The entry's state or kind does not allow this action."""


@transaction.atomic
def pin_constraint(*, constraint: Constraint, actor: AbstractBaseUser) -> Constraint:
    """Keep a constraint active whatever the evidence, until it is restored.

    One person is enough to pin an active constraint. For any other, the pin is that
    person's vote that the name is invented (`call_invented`); the constraint is pinned
    once as many people agree as the project requires.

    Raises:
        ConstraintChangedError: If it changed since it was read.
    """
    if constraint.state != Constraint.State.ACTIVE and not _decides_alone(constraint):
        call_invented(constraint=constraint, actor=actor)
        constraint.refresh_from_db()
        if constraint.state != Constraint.State.ACTIVE:
            return constraint
    return _fix(constraint, actor, "pinned", Constraint.State.ACTIVE, reason="")


@transaction.atomic
def retire_constraint(
    *, constraint: Constraint, actor: AbstractBaseUser, reason: str = ""
) -> Constraint:
    """Retire a constraint, even if its name recurs, until it is restored.

    Raises:
        ConstraintChangedError: If it changed since it was read.
    """
    reason = reason.strip()[:300]
    return _fix(constraint, actor, "retired", Constraint.State.RETIRED, reason=reason)


@transaction.atomic
def restore_constraint(
    *, constraint: Constraint, actor: AbstractBaseUser
) -> Constraint:
    """Restore a constraint: its state follows evidence and reviewers again.

    Raises:
        ConstraintChangedError: If it changed since it was read.
    """
    return _settled(
        constraint,
        actor,
        "restored",
        expected={"state": constraint.state, "pinned": True},
        pinned=False,
        confirmed_at=None,
        updated_at=timezone.now(),
    )


@transaction.atomic
def confirm_constraint(
    *, constraint: Constraint, actor: AbstractBaseUser
) -> Constraint:
    """End a constraint's observation; unlike a pin, evidence may still cancel it.

    A confirmed candidate needs no second witness (`engine.memory.voices`): it becomes
    active with answers of a second session.

    Raises:
        ConstraintChangedError: If it is neither a candidate nor in observation.
    """
    if constraint.state == Constraint.State.CANDIDATE:
        before = _state_of(constraint)
        call_invented(constraint=constraint, actor=actor)
        constraint.refresh_from_db()
        _audit(constraint, actor, "confirmed", before)
        return constraint
    return _settled(
        constraint,
        actor,
        "confirmed",
        expected={"state": Constraint.State.SHADOW, "confirmed_at": None},
        confirmed_at=timezone.now(),
    )


@transaction.atomic
def reword_constraint(
    *, constraint: Constraint, text: str, actor: AbstractBaseUser
) -> Constraint:
    """Change the name as agents receive it; counting is not affected.

    Raises:
        SuggestionError: If it is empty, is not one line of at most 200 characters, or
            is another name.
        ConstraintChangedError: If it was reworded since it was read.
    """
    text = text.strip()
    if not text or len(text) > MAX_QUOTED_LENGTH or len(text.splitlines()) > 1:
        raise SuggestionError(_("A name is one line of 1 to 200 characters."))
    kind = MentionKind(constraint.mention_kind)
    spellings = mention_key(kind, text), constraint.mention_key
    if len({NameSpelling(kind, key).folded for key in spellings}) > 1:
        raise SuggestionError(_("That is another name; correct that one instead."))
    return _reworded(constraint, actor, "reworded", "text", text)


@transaction.atomic
def suggest_name(
    *, constraint: Constraint, suggestion: str, actor: AbstractBaseUser
) -> Constraint:
    """Set the name that agents should use instead; empty if unknown.

    A name that the project's evidence does not contain needs a second person's
    agreement, as the project requires (`call_invented`).

    Raises:
        SuggestionError: If it is no name of the constraint's kind.
        ConstraintChangedError: If another suggestion was made since it was read.
    """
    suggestion = check_right_name(constraint.mention_kind, suggestion)
    if suggestion and not (
        thresholds_of(constraint.project).confirming_people == 1
        or is_known(constraint.project, name_of(constraint), suggestion)
    ):
        call_invented(constraint=constraint, actor=actor, suggestion=suggestion)
        constraint.refresh_from_db()
        return constraint
    return _reworded(constraint, actor, "suggestion_edited", "suggestion", suggestion)


def _decides_alone(constraint: Constraint) -> bool:
    """Whether one person can activate it: no tool call has shown the name."""
    is_enough = thresholds_of(constraint.project).confirming_people == 1
    return is_enough and constraint.retired_code != RetiredCode.FOUND


def _settled(
    constraint: Constraint,
    actor: AbstractBaseUser,
    verb: str,
    *,
    expected: dict[str, object],
    **changes: object,
) -> Constraint:
    """Change a constraint; its state follows evidence and reviewers."""
    before = _state_of(constraint)
    if not update_if(constraint, expected=expected, **changes):
        raise ConstraintChangedError(str(constraint))
    settle_constraints(
        project=constraint.project, names={name_of(constraint)}, actor=actor
    )
    constraint.refresh_from_db()
    _audit(constraint, actor, verb, before)
    return constraint


def _reworded(
    constraint: Constraint, actor: AbstractBaseUser, verb: str, field: str, text: str
) -> Constraint:
    """Change a text that agents receive; its state stays."""
    before = {field: getattr(constraint, field)}
    after = {field: text}
    if not update_if(constraint, expected=before, **after, updated_at=timezone.now()):
        raise ConstraintChangedError(str(constraint))
    _audit(constraint, actor, verb, before, after)
    announce(EventType.CONSTRAINT_CHANGED, constraint, actor, before=before)
    return constraint


@transaction.atomic
def retract_entry(*, entry: MemoryEntry, actor: AbstractBaseUser) -> MemoryEntry:
    """Retract a finding, blocker or gap: it is no longer shared and supports nothing.

    Raises:
        EntryNotRetractableError: If it was retracted before, or is a correction: undo
            the reviewer's decision instead.
    """
    if entry.scope == MemoryEntry.Scope.PROJECT:
        return _shared(retract_shared, entry, actor)
    if entry.kind == MemoryEntry.Kind.CORRECTION:
        raise EntryNotRetractableError(_("Undo the reviewer's decision instead."))
    if entry.state == MemoryEntry.State.RETRACTED:
        raise EntryNotRetractableError(_("It was already retracted."))
    return _move_entry(entry, actor, MemoryEntry.State.RETRACTED, "retracted")


@transaction.atomic
def restore_entry(*, entry: MemoryEntry, actor: AbstractBaseUser) -> MemoryEntry:
    """Undo a lead's retraction.

    Raises:
        EntryNotRetractableError: If no lead retracted it.
    """
    if entry.scope == MemoryEntry.Scope.PROJECT:
        return _shared(restore_shared, entry, actor)
    correction = entry.kind == MemoryEntry.Kind.CORRECTION
    if correction or entry.state != MemoryEntry.State.RETRACTED:
        raise EntryNotRetractableError(_("Only a retracted entry can be restored."))
    return _move_entry(entry, actor, MemoryEntry.State.ACTIVE, "restored")


def _shared(
    act: Callable[..., MemoryEntry], entry: MemoryEntry, actor: AbstractBaseUser
) -> MemoryEntry:
    try:
        return act(entry=entry, actor=actor)
    except SharedEntryError as error:
        raise EntryNotRetractableError(str(error)) from error


def _move_entry(
    entry: MemoryEntry, actor: AbstractBaseUser, state: MemoryEntry.State, verb: str
) -> MemoryEntry:
    hold_keys([entry.interaction_id])
    before = {"state": entry.state}
    hold_words(entry.project_id, change=False)
    if not update_if(
        entry, expected=before, state=state.value, updated_at=timezone.now()
    ):
        raise EntryNotRetractableError(_("It was changed by someone else first."))
    settle_interactions(
        project_id=entry.project_id, interaction_ids=[entry.interaction_id], actor=actor
    )
    if entry.mention_key:
        settle_constraints(project=entry.project, names={name_of(entry)}, actor=actor)
    entry.refresh_from_db()
    record_event(
        f"memory.entry_{verb}",
        entry,
        actor,
        before=before,
        after={"state": entry.state},
    )
    return entry


def _fix(
    constraint: Constraint,
    actor: AbstractBaseUser,
    verb: str,
    state: Constraint.State,
    *,
    reason: str,
) -> Constraint:
    before, was, now = _state_of(constraint), constraint.state, timezone.now()
    retired = state == Constraint.State.RETIRED
    # On a copy: the caller's row stays unchanged if another user changed it first.
    times = copy(constraint)
    times.state = state.value
    enter(times, was, now)
    if not update_if(
        constraint,
        expected={"state": was, "pinned": constraint.pinned, "merged_into": None},
        state=state.value,
        pinned=True,
        retired_code=RetiredCode.BY_LEAD if retired and not reason else "",
        retired_reason=reason,
        active_at=times.active_at,
        retired_at=times.retired_at,
        updated_at=now,
    ):
        raise ConstraintChangedError(str(constraint))
    _audit(constraint, actor, verb, before)
    announce_moved(constraint, was, actor)
    return constraint


def _state_of(constraint: Constraint) -> dict[str, object]:
    return {
        "state": constraint.state,
        "pinned": constraint.pinned,
        "retired_code": constraint.retired_code,
        "retired_reason": constraint.retired_reason,
    }


def _audit(
    constraint: Constraint,
    actor: AbstractBaseUser,
    verb: str,
    before: Mapping[str, object],
    after: Mapping[str, object] | None = None,
) -> None:
    record_event(
        f"memory.constraint_{verb}",
        constraint,
        actor,
        before=before,
        after=after or _state_of(constraint),
    )
