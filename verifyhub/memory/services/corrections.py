"""Corrections: what a person decided, told of and recorded the same way everywhere."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from verifyhub.audit.services import record_event
from verifyhub.common.effects import Effect
from verifyhub.engine.memory.entries import (
    ABOUT_ANSWER,
    ABOUT_CLAIM,
    ABOUT_FACT,
)
from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import quoted
from verifyhub.memory.effect_words import WAITS
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services.changes import Actor, RowChange


def correction_effect(correction: MemoryEntry, *, active: bool) -> Effect:
    """Tell that a correction holds now, or no longer does."""
    state = {"state": str(MemoryEntry.State.ACTIVE)}
    taken_back = {"state": str(MemoryEntry.State.RETRACTED)}
    session = correction.session
    code, params = _correction_code(correction)
    return Effect(
        type="correction",
        id=str(correction.id),
        before={} if active else state,
        after=state if active else taken_back,
        code=f"{code}_held" if active else f"{code}_dropped",
        params={**params, "session": quoted(session.key) if session else ""},
    )


def reach_effects(correction: MemoryEntry) -> list[Effect]:
    """Tell in which other sessions a word on a name holds now."""
    if correction.reach == MemoryEntry.Reach.PROJECT:
        return []
    if correction.reach == MemoryEntry.Reach.NAME:
        code = "right_name_waits"
    else:
        code = WAITS if correction.voices else "name_stays"
    return [
        Effect(
            type="reach",
            id=str(correction.id),
            before={},
            after={"reach": str(correction.reach)},
            code=code,
            params={"right": quoted(correction.suggestion)},
        )
    ]


def _correction_code(correction: MemoryEntry) -> tuple[str, dict[str, Any]]:
    """Return what a correction says, as the beginning of a code, and its parameters."""
    kind, text = correction.mention_kind, quoted(correction.text)
    status = (
        "verified" if correction.mention_status == Status.VERIFIED else "unverified"
    )
    if kind == ABOUT_ANSWER:
        return "answer", {}
    if kind in {ABOUT_CLAIM, ABOUT_FACT}:
        return f"{kind}_{status}", {"claim": text}
    if correction.mention_key:
        return f"name_{status}", {"kind": kind, "name": text}
    return "verdict", {}


def set_suggestion(constraint: Constraint, suggestion: str) -> RowChange:
    """Write the name that agents are to use instead."""
    before = constraint.suggestion
    Constraint.objects.filter(pk=constraint.pk).update(
        suggestion=suggestion, updated_at=timezone.now()
    )
    constraint.suggestion = suggestion
    return RowChange(
        row=constraint,
        before={"suggestion": before},
        after={"suggestion": suggestion},
    )


def audit_correction(
    correction: MemoryEntry,
    actor: Actor,
    action: str,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Record a person's decision on memory."""
    record_event(
        project_id=correction.project_id,
        actor=actor,
        action=action,
        obj=correction,
        before=before,
        after={
            "status": correction.mention_status,
            "kind": correction.mention_kind,
            "key": correction.mention_key,
            "override": str(correction.override_id),
        },
    )
