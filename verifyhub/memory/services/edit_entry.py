"""Edits of entries by a lead; the audit log keeps the earlier values."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.engine.memory.right_names import is_right_name
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import MAX_QUOTED_LENGTH
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services.changes import Actor, name_of, thresholds_of
from verifyhub.memory.services.settle_names import is_known, voice_of
from verifyhub.memory.services.shared import (
    MAX_PREFERENCE_LENGTH,
    MAX_REASON_LENGTH,
    as_json,
    settle_correction,
    settle_preference,
)
from verifyhub.memory.services.words import NO_RIGHT_NAME, UNKNOWN_NAME, hold_words

MAX_TEXT = 1000
Kind = MemoryEntry.Kind
# A lead may turn one into the other; entries about names follow the trace.
SENTENCES = (Kind.GAP, Kind.BLOCKER)


# Fields that agents receive.
SHARED_FIELDS = frozenset({"text", "suggestion"})


class EntryChangedError(Exception):
    """Another user changed the entry since it was read."""


class EntryValuesError(ValueError):
    """Some values are invalid; `errors` says why, by field."""

    def __init__(self, errors: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {why}" for name, why in errors.items()))
        self.errors = errors


def editable(entry: MemoryEntry) -> frozenset[str]:
    """Return the fields a lead may edit.

    An entry's name cannot be edited. Of a reviewer's correction only the right name
    can be; to take it back, undo the decision. Entries shared by leads have a reason
    and an expiry.
    """
    shared = entry.scope == MemoryEntry.Scope.PROJECT
    lead = {"reason", "expires_at"} if shared else set()
    if entry.kind == Kind.CORRECTION:
        invented = entry.mention_key and entry.mention_status == Status.UNVERIFIED
        return frozenset(lead | ({"suggestion"} if invented else set()))
    if entry.kind == Kind.PREFERENCE:
        return frozenset(lead | {"text"})
    others = {"confidence", "expires_at"}
    if entry.mention_key:
        return frozenset(
            others | ({"suggestion"} if entry.kind == Kind.BLOCKER else set())
        )
    if entry.kind in SENTENCES:
        others.add("kind")
    return frozenset(others | {"text"})


@transaction.atomic
def edit_entry(
    *,
    entry: MemoryEntry,
    values: Mapping[str, Any],
    loaded_at: datetime,
    actor: Actor,
) -> MemoryEntry:
    """Change the editable values of an entry; others are ignored.

    The right name that a correction gives becomes its constraint's.

    Args:
        entry: The entry.
        values: The new values by field.
        loaded_at: `updated_at` of the entry when the values were chosen.
        actor: The lead.

    Raises:
        EntryValuesError: If a value cannot be used.
        EntryChangedError: If the entry changed since `loaded_at`.
    """
    changes = {
        field: value
        for field, value in values.items()
        if field in editable(entry) and getattr(entry, field) != value
    }
    _check(entry, changes)
    before = {field: getattr(entry, field) for field in changes}
    if not changes:
        return entry
    renamed = entry.kind == Kind.CORRECTION and "suggestion" in changes
    if renamed or entry.kind == Kind.PREFERENCE:
        hold_words(entry.project_id, change=True)
    if entry.scope == MemoryEntry.Scope.PROJECT and changes.keys() & SHARED_FIELDS:
        # Others agreed to the earlier text, not to this one.
        changes["voices"] = [voice_of(actor)]
    elif renamed:
        _check_known(entry, changes["suggestion"])
    if not update_if(
        entry, expected={"updated_at": loaded_at}, **changes, updated_at=timezone.now()
    ):
        raise EntryChangedError(str(entry))
    changes.pop("voices", None)
    if renamed:
        settle_correction(entry, actor, is_edited=True)
    elif entry.kind == Kind.PREFERENCE:
        settle_preference(entry, actor)
    record_event(
        "memory.entry_edited",
        entry,
        actor,
        before=as_json(before),
        after=as_json(changes),
    )
    return entry


def _check_known(entry: MemoryEntry, suggestion: str) -> None:
    """Refuse one person's suggestion if the wrong name is shared with every session."""
    project = entry.project
    if not suggestion or thresholds_of(project).confirming_people == 1:
        return
    if not is_known(project, name_of(entry), suggestion):
        raise EntryValuesError({"suggestion": str(UNKNOWN_NAME)})


def _check(entry: MemoryEntry, changes: dict[str, Any]) -> None:
    errors = {}
    preference = entry.kind == Kind.PREFERENCE
    limits = {
        "text": MAX_PREFERENCE_LENGTH if preference else MAX_TEXT,
        "suggestion": MAX_QUOTED_LENGTH,
        "reason": MAX_REASON_LENGTH,
    }
    for field, limit in limits.items():
        value = changes.get(field, "")
        if len(value) > limit or len(value.splitlines()) > 1:
            errors[field] = _("One line of at most %(most)s characters.") % {
                "most": limit
            }
    suggestion = changes.get("suggestion", "")
    if suggestion and not is_right_name(entry.mention_kind, suggestion):
        errors["suggestion"] = str(NO_RIGHT_NAME)
    if "text" in changes and not changes["text"].strip():
        errors["text"] = _("Enter a text.")
    if "kind" in changes and changes["kind"] not in SENTENCES:
        errors["kind"] = _("A sentence can only be a gap or a blocker.")
    confidence = changes.get("confidence")
    if confidence is not None and not 0 <= confidence <= 1:
        errors["confidence"] = _("From 0 to 1.")
    expires_at = changes.get("expires_at")
    if (
        expires_at is not None
        and entry.scope == MemoryEntry.Scope.PROJECT
        and expires_at <= timezone.now()
    ):
        errors["expires_at"] = _("The expiry is in the past.")
    if errors:
        raise EntryValuesError(errors)
