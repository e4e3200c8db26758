"""When a name that agents keep inventing becomes a constraint (requirement A14)."""

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from verifyhub.engine.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsupportedUse:
    """One interaction in which a name stood without evidence.

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


# What tells witnesses apart, each by itself. Two keys of one owner, of one agent or of
# one deployment are one witness, so the fewest of these count.
DIMENSIONS = ("key", "owner", "agent", "deployment")


def source_in(sighting: UnsupportedUse, dimension: str) -> str | None:
    """Return the source of a use in one dimension: its key where that is not known.

    None for a use without a key: nobody can tell whose it was.
    """
    return getattr(sighting, dimension) or sighting.key if sighting.key else None


def recurred_at(
    sightings: Iterable[UnsupportedUse], thresholds: Thresholds
) -> datetime | None:
    """Return when a name first stood unverified often and widely enough.

    That is when some window of `recurrence_days` first held at least
    `recurrence_interactions` distinct interactions out of at least
    `recurrence_sessions` distinct sessions, told by at least `recurrence_keys`
    witnesses. No clock is asked, so the answer depends on neither the order
    nor the moment of asking, and more sightings never make it None or later.

    Returns:
        When the sighting that completed the rule was made; None while it is not met.
    """
    window = timedelta(days=thresholds.recurrence_days)
    inside: deque[UnsupportedUse] = deque()
    tally = _Tally()
    for newest in sorted(sightings, key=lambda seen: seen.at):
        inside.append(newest)
        tally.count(newest, 1)
        while newest.at - inside[0].at > window:
            tally.count(inside.popleft(), -1)
        if tally.satisfies(thresholds):
            return newest.at
    return None


class _Tally:
    """How many different answers, sessions and witnesses a window holds."""

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
