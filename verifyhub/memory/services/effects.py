"""The effects of a decision on memory."""

from collections import Counter
from collections.abc import Iterable, Mapping
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
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services.changes import Actor, RowChange

# More entries than this are reported as a number.
NAMED_ENTRIES = 5


def effects_of(changes: Iterable[RowChange], *, interaction_id: str) -> list[Effect]:
    """Return changes as effects: constraints first, since they reach every session."""
    constraints: list[Effect] = []
    entries: list[tuple[MemoryEntry, Effect]] = []
    sightings: list[RowChange] = []
    for change in changes:
        match change.row:
            case Constraint() as row:
                constraints.append(_effect("constraint", change, _constraint(row)))
            case MemoryEntry() as row:
                entries.append((row, _effect("entry", change, _entry(row))))
            case Sighting():
                sightings.append(change)
    return [
        *constraints,
        *_entry_effects(entries, interaction_id),
        *_sighting_effects(sightings, interaction_id),
    ]


def elsewhere_effects(
    entries: Mapping[bool, int], *, interaction_id: str
) -> list[Effect]:
    """Return the effects on entries of other answers with the name."""
    return [
        Effect(
            type="entries",
            id=interaction_id,
            before={},
            after={"elsewhere": True, "told": is_shared, "count": count},
            code="elsewhere_told" if is_shared else "elsewhere_untold",
            params={"count": count},
        )
        for is_shared, count in entries.items()
        if count
    ]


EffectCode = tuple[str, dict[str, Any]]


def _effect(kind: str, change: RowChange, text: EffectCode) -> Effect:
    code, params = text
    return Effect(
        type=kind,
        id=str(change.row.pk),
        before=dict(change.before),
        after=dict(change.after),
        code=code,
        params=params,
    )


def _constraint(row: Constraint) -> EffectCode:
    params = {"kind": row.mention_kind, "name": quoted(row.text)}
    if row.state == Constraint.State.ACTIVE and row.suggestion:
        right = quoted(row.suggestion)
        return "constraint_active_instead", {**params, "right": right}
    if row.state == Constraint.State.ACTIVE:
        return "constraint_active", params
    if row.state == Constraint.State.RETIRED:
        return "constraint_retired", {
            **params,
            "why": row.retired_reason,
            "why_code": row.retired_code,
        }
    return "constraint_candidate", params


def _entry_effects(
    changes: list[tuple[MemoryEntry, Effect]], interaction_id: str
) -> Iterable[Effect]:
    if len(changes) <= NAMED_ENTRIES:
        yield from (effect for _, effect in changes)
        return
    tally = Counter((str(row.kind), str(row.state)) for row, _ in changes)
    for (kind, state), count in tally.items():
        yield Effect(
            type="entries",
            id=interaction_id,
            before={},
            after={"kind": kind, "state": state, "count": count},
            code=f"{kind}s_{_effect_of(state)}",
            params={"count": count},
        )


def _entry(row: MemoryEntry) -> EffectCode:
    return f"{row.kind}_{_effect_of(row.state)}", {
        "kind": row.mention_kind if row.mention_key else "",
        "name": quoted(row.text),
        "session": quoted(row.session.key) if row.session else "",
    }


def _effect_of(state: str) -> str:
    return "told" if state == MemoryEntry.State.ACTIVE else "untold"


def _sighting_effects(
    changes: list[RowChange], interaction_id: str
) -> Iterable[Effect]:
    for counts in (True, False):
        number = sum(change.after["counts"] is counts for change in changes)
        if not number:
            continue
        code = "support" if number == 1 else "supports"
        yield Effect(
            type="sightings",
            id=interaction_id,
            before={"counts": not counts},
            after={"counts": counts, "count": number},
            code=code if counts else f"{code}_lost",
            params={"count": number},
        )


def correction_effect(correction: MemoryEntry, *, active: bool) -> Effect:
    """Return the effect of a correction becoming valid or invalid."""
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
    """Return the effect on the sessions that a correction reaches."""
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
    """Return a correction as the prefix of an effect's code, and its parameters."""
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
    """Save the name that agents should use instead."""
    Constraint.objects.filter(pk=constraint.pk).update(
        suggestion=suggestion, updated_at=timezone.now()
    )
    return RowChange.setting(constraint, "suggestion", suggestion)


def audit_correction(
    correction: MemoryEntry,
    actor: Actor,
    action: str,
    before: Mapping[str, Any] | None = None,
) -> None:
    """Record a person's decision on memory."""
    record_event(
        action,
        correction,
        actor,
        before=before,
        after={
            "status": correction.mention_status,
            "kind": correction.mention_kind,
            "key": correction.mention_key,
            "override": str(correction.override_id),
        },
    )
