"""When a name that agents keep inventing becomes a constraint (requirement A14)."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from verifyhub.engine.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One interaction in which a name stood without evidence.

    `session` is None for an interaction without one, `key` for one that no API key
    sent. Such interactions count as answers but as no session and no key: nobody
    could tell whether they were independent.
    """

    interaction: str
    session: str | None
    key: str | None
    at: datetime


def recurred_at(sightings: Iterable[Seen], thresholds: Thresholds) -> datetime | None:
    """Return when a name first stood unverified often and widely enough.

    That is when some window of `recurrence_days` first held at least
    `recurrence_interactions` distinct interactions out of at least
    `recurrence_sessions` distinct sessions, sent with at least `recurrence_keys`
    distinct API keys. No clock is asked, so the answer depends on neither the order
    nor the moment of asking, and more sightings never make it None or later.

    Returns:
        When the sighting that completed the rule was made; None while it is not met.
    """
    window = timedelta(days=thresholds.recurrence_days)
    inside: deque[Seen] = deque()
    tally = _Tally()
    for newest in sorted(sightings, key=lambda seen: seen.at):
        inside.append(newest)
        tally.count(newest, 1)
        while newest.at - inside[0].at > window:
            tally.count(inside.popleft(), -1)
        if tally.satisfies(thresholds):
            return newest.at
    return None


@dataclass(slots=True)
class _Tally:
    """How many different answers, sessions and keys a window holds."""

    interactions: Counter[str] = field(default_factory=Counter)
    sessions: Counter[str] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)

    def count(self, sighting: Seen, step: int) -> None:
        for counter, value in (
            (self.interactions, sighting.interaction),
            (self.sessions, sighting.session),
            (self.keys, sighting.key),
        ):
            if value is None:
                continue
            counter[value] += step
            if not counter[value]:
                del counter[value]

    def satisfies(self, thresholds: Thresholds) -> bool:
        return (
            len(self.interactions) >= thresholds.recurrence_interactions
            and len(self.sessions) >= thresholds.recurrence_sessions
            and len(self.keys) >= thresholds.recurrence_keys
        )
