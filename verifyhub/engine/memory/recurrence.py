"""When a name that agents keep inventing becomes a constraint (SPEC A14)."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from verifyhub.engine.reports import Status
from verifyhub.engine.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One interaction in which a name stood without evidence.

    `session` is None for an interaction without one. Such interactions count as
    answers but as no session: nobody could tell whether they were independent.
    """

    interaction: str
    session: str | None
    at: datetime


class ConstraintState(StrEnum):
    """Where a constraint stands in its life."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    RETIRED = "retired"


class ConstraintOrigin(StrEnum):
    """What speaks for a constraint."""

    RECURRENCE = "recurrence"
    REVIEWER = "reviewer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a constraint is worth, and in words why, where it is worth nothing."""

    state: ConstraintState
    origin: ConstraintOrigin
    reason: str = ""


def recurs(sightings: Iterable[Seen], thresholds: Thresholds) -> bool:
    """Tell whether a name stood unverified often and widely enough.

    True if some window of `recurrence_days` holds at least `recurrence_interactions`
    distinct interactions out of at least `recurrence_sessions` distinct sessions. No
    clock is asked, so the answer depends on neither the order nor the moment of
    asking, and more sightings never make it false.
    """
    window = timedelta(days=thresholds.recurrence_days)
    inside: deque[Seen] = deque()
    interactions: Counter[str] = Counter()
    sessions: Counter[str] = Counter()
    for newest in sorted(sightings, key=lambda seen: seen.at):
        inside.append(newest)
        _count(newest, 1, interactions, sessions)
        while newest.at - inside[0].at > window:
            _count(inside.popleft(), -1, interactions, sessions)
        if (
            len(interactions) >= thresholds.recurrence_interactions
            and len(sessions) >= thresholds.recurrence_sessions
        ):
            return True
    return False


def _count(
    seen: Seen, step: int, interactions: Counter[str], sessions: Counter[str]
) -> None:
    keys = [(interactions, seen.interaction)]
    if seen.session is not None:
        keys.append((sessions, seen.session))
    for counter, key in keys:
        counter[key] += step
        if not counter[key]:
            del counter[key]


def standing(
    *, word: str | None, found: bool, supported: bool, recurring: bool
) -> Standing:
    """Derive a constraint's state from what is known now, and from nothing else.

    A person outranks the trace, the trace outranks recurrence. Because the state is
    derived and not stepped, taking any fact back takes its effect back exactly, in
    whatever order facts came.

    Args:
        word: What the latest standing decision of a reviewer says of the name
            (`verified`, `unverified`), or None.
        found: Whether evidence of grade C or better held the name anywhere in the
            project.
        supported: Whether it stood without evidence in any answer that counts.
        recurring: Whether those answers satisfy the project's rule (`recurs`).
    """
    if word == Status.UNVERIFIED:
        return Standing(state=ConstraintState.ACTIVE, origin=ConstraintOrigin.REVIEWER)
    if word == Status.VERIFIED:
        return _retired("A reviewer said that the name is right.")
    if found:
        return _retired("The name was found in the evidence of another answer.")
    if not supported:
        return _retired("No answer supports it any more.")
    return Standing(
        state=ConstraintState.ACTIVE if recurring else ConstraintState.CANDIDATE,
        origin=ConstraintOrigin.RECURRENCE,
    )


def _retired(reason: str) -> Standing:
    return Standing(
        state=ConstraintState.RETIRED,
        origin=ConstraintOrigin.RECURRENCE,
        reason=reason,
    )
