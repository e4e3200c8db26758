"""Derive the state of a constraint from facts; no transitions are stored."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from verifyhub.engine.reports import Status
from verifyhub.engine.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsupportedUse:
    """One interaction that stated a name without evidence.

    `session` is None for an interaction without one, `key` for one that no API key
    sent. Such interactions count as answers but as no session and no witness: nobody
    could tell whether they were independent. `owner`, `agent` and `deployment` are
    None where they are not known.
    """

    interaction: str
    session: str | None
    key: str | None
    at: datetime
    owner: str | None = None
    agent: str | None = None
    deployment: str | None = None


# The properties that distinguish witnesses. Two keys of one owner, of one agent or of
# one deployment are one witness, so the property with the fewest values counts.
DIMENSIONS = ("key", "owner", "agent", "deployment")


def source_in(sighting: UnsupportedUse, dimension: str) -> str | None:
    """Return the source of a use in one dimension: its key where that is not known.

    None for a use without a key: nobody can tell whose it was.
    """
    return getattr(sighting, dimension) or sighting.key if sighting.key else None


def recurred_at(
    sightings: Iterable[UnsupportedUse], thresholds: Thresholds
) -> datetime | None:
    """Return when enough answers, sessions and witnesses first named it unverified.

    That is when some window of `recurrence_days` first held at least
    `recurrence_interactions` distinct interactions out of at least
    `recurrence_sessions` distinct sessions, told by at least `recurrence_keys`
    witnesses. No clock is asked, so the answer depends on neither the order
    nor the moment of asking, and more sightings never make it None or later.

    Returns:
        When the sighting that completed the rule was made; None while it is not met.
    """
    window = timedelta(days=thresholds.recurrence_days)
    in_window: deque[UnsupportedUse] = deque()
    tally = _Tally()
    for newest in sorted(sightings, key=lambda seen: seen.at):
        in_window.append(newest)
        tally.count(newest, 1)
        while newest.at - in_window[0].at > window:
            tally.count(in_window.popleft(), -1)
        if tally.satisfies(thresholds):
            return newest.at
    return None


class _Tally:
    """Counts of distinct answers, sessions and witnesses in a window."""

    def __init__(self) -> None:
        self._answers: Counter[str] = Counter()
        self._sessions: Counter[str] = Counter()
        self._witnesses: dict[str, Counter[str]] = {
            name: Counter() for name in DIMENSIONS
        }

    def count(self, sighting: UnsupportedUse, step: int) -> None:
        _add(self._answers, sighting.interaction, step)
        _add(self._sessions, sighting.session, step)
        for name, counter in self._witnesses.items():
            _add(counter, source_in(sighting, name), step)

    def satisfies(self, thresholds: Thresholds) -> bool:
        return (
            len(self._answers) >= thresholds.recurrence_interactions
            and len(self._sessions) >= thresholds.recurrence_sessions
            and min(map(len, self._witnesses.values())) >= thresholds.recurrence_keys
        )


def _add(counter: Counter[str], value: str | None, step: int) -> None:
    if value is None:
        return
    counter[value] += step
    if not counter[value]:
        del counter[value]


class ConstraintState(StrEnum):
    """A constraint's life.

    Only an active one is shared with agents. One in shadow has met the rule and is only
    measured: how often agents invent the name while it is not shared with them.
    """

    CANDIDATE = "candidate"
    SHADOW = "shadow"
    ACTIVE = "active"
    RETIRED = "retired"


class ConstraintOrigin(StrEnum):
    """The evidence that a constraint was made for."""

    RECURRENCE = "recurrence"
    REVIEWER = "reviewer"


class RetiredCode(StrEnum):
    """Why a constraint was retired; a lead may give a reason in words instead."""

    SAID_RIGHT = "said_right"
    PROVEN = "proven"
    FOUND = "found"
    UNSUPPORTED = "unsupported"
    BY_LEAD = "by_lead"
    MERGED = "merged"


# English by code; the server translates it by this text.
RETIRED_REASONS: Final = {
    RetiredCode.SAID_RIGHT: "A reviewer marked the name as correct.",
    RetiredCode.PROVEN: (
        "Evidence that no agent can write showed the name after a reviewer had marked "
        "it as invented."
    ),
    RetiredCode.FOUND: "The name was found in the evidence of another answer.",
    RetiredCode.UNSUPPORTED: "No answer supports it any more.",
    RetiredCode.BY_LEAD: "A lead retired it.",
    RetiredCode.MERGED: "Merged into %(name)s",
}


# Of evidence that the agent itself could not have written.
PROVING_GRADES = ("A", "B")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All facts that decide on one name.

    Attributes:
        word: What people agree holds of the name in every session (`verified`,
            `unverified`; see `voices.agreed`), or None.
        word_at: When it was said (aware).
        doubted: Whether a person calls the name right, and others have not agreed:
            too little to tell agents so, enough to stop telling them otherwise.
        found: Whether evidence of grade C or better held the name anywhere in the
            project.
        proven_at: When evidence of grade B or better last held it (aware): evidence
            that the agent itself could not have written.
        supported: Whether it stood without evidence in any answer that counts.
        recurred_at: When those answers first satisfied the project's rule
            (`recurrence.recurred_at`); None while they do not.
        confirmed: Whether a lead let it leave the shadow.
    """

    word: str | None = None
    word_at: datetime | None = None
    doubted: bool = False
    found: bool = False
    proven_at: datetime | None = None
    supported: bool = True
    recurred_at: datetime | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintWorth:
    """The state that a constraint's evidence gives it, and why if it is retired."""

    state: ConstraintState
    origin: ConstraintOrigin
    retired: RetiredCode | None = None


def assess_constraint(
    known: Known, thresholds: Thresholds, *, now: datetime
) -> ConstraintWorth:
    """Derive a constraint's state from the facts as they are now.

    A person outranks the agents' traces, a trace outranks recurrence. Evidence of
    grade B or better that is newer than a person's word outranks that too: the person
    could not have seen it, and no agent could have made it up. Because the state is
    derived and not stepped, taking any fact back takes its effect back exactly, in
    whatever order facts came. The clock moves a constraint out of its shadow only.

    Args:
        known: The facts that stand.
        thresholds: The project's rule, the length of the shadow and who ends it.
        now: The moment of asking (aware).
    """
    if known.word == Status.VERIFIED:
        return _retired(RetiredCode.SAID_RIGHT)
    if known.word == Status.UNVERIFIED:
        proven, said = known.proven_at, known.word_at
        if proven is not None and (said is None or proven > said):
            return _retired(RetiredCode.PROVEN)
        return ConstraintWorth(
            state=ConstraintState.ACTIVE, origin=ConstraintOrigin.REVIEWER
        )
    if known.doubted:
        return _retired(RetiredCode.SAID_RIGHT)
    if known.found:
        return _retired(RetiredCode.FOUND)
    if not known.supported:
        return _retired(RetiredCode.UNSUPPORTED)
    return ConstraintWorth(
        state=_recurring(known, thresholds, now), origin=ConstraintOrigin.RECURRENCE
    )


def leaves_shadow_at(recurred_at: datetime, thresholds: Thresholds) -> datetime:
    """Return when a constraint has been measured in shadow for long enough."""
    return recurred_at + timedelta(hours=thresholds.shadow_hours)


def _recurring(known: Known, thresholds: Thresholds, now: datetime) -> ConstraintState:
    if known.recurred_at is None:
        return ConstraintState.CANDIDATE
    if known.confirmed:
        return ConstraintState.ACTIVE
    if thresholds.leaving_shadow == "lead":
        return ConstraintState.SHADOW
    measured = leaves_shadow_at(known.recurred_at, thresholds) <= now
    return ConstraintState.ACTIVE if measured else ConstraintState.SHADOW


def _retired(code: RetiredCode) -> ConstraintWorth:
    return ConstraintWorth(
        state=ConstraintState.RETIRED, origin=ConstraintOrigin.RECURRENCE, retired=code
    )
