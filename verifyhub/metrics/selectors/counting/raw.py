"""Count from the rows themselves."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.engine.grounding.ground import NOT_COUNTED
from verifyhub.metrics.selectors.counting.answers_sql import ANSWERS, NAMES, OF_ANSWERS
from verifyhub.metrics.selectors.counting.decisions_sql import (
    BY_THEIR_DAY,
    OF_DECIDED,
)
from verifyhub.metrics.selectors.counting.tally import Tally
from verifyhub.metrics.windows import Window

_EVERYTHING = "\nUNION ALL\n".join([*OF_ANSWERS.values(), *OF_DECIDED.values()])
_ACTS = "\nUNION ALL\n".join(BY_THEIR_DAY.values())
# A midnight from which days and slices are cut.
_ORIGIN = datetime(2000, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)

# Whose answers: agent, tier and model.
Part = tuple[str, ...]
# Half-open; None on either side for no end.
Stretch = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenName:
    """A name without evidence in some time: in how many answers, in which sessions.

    `reason` is one of those given.
    """

    at: datetime
    part: Part
    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: tuple[UUID, ...]


def count_parts(
    project_id: UUID,
    stretches: Sequence[Stretch],
    *,
    whose: Window,
    width: timedelta = DAY,
) -> dict[tuple[datetime, Part], Tally]:
    """Count what was received and done.

    Args:
        project_id: The tenant.
        stretches: When; they may not overlap.
        whose: A window whose agent, tier and model count, its times do not.
        width: What is summed together: days (UTC), or shorter stretches of time.

    Returns:
        The counts by the beginning of the day or slice, and by whose answers they are.
    """
    found: dict[tuple[datetime, Part], Tally] = defaultdict(Tally)
    given = _given(project_id, stretches, whose, width)
    with connection.cursor() as cursor:
        for statement in (ANSWERS + _EVERYTHING, _ACTS):
            cursor.execute(statement, given)
            for section, at, part, key, numbers in cursor.fetchall():
                if any(numbers):
                    tally = found[at, tuple(part)]
                    tally.add(section, tuple(key), map(int, numbers))
    return found


def count_names(
    project_id: UUID,
    stretches: Sequence[Stretch],
    *,
    whose: Window,
    width: timedelta = DAY,
) -> list[SeenName]:
    """Return the names without evidence; arguments as of `count_parts`."""
    with connection.cursor() as cursor:
        given = _given(project_id, stretches, whose, width)
        cursor.execute(ANSWERS + NAMES, given)
        return [
            SeenName(
                at=at,
                part=tuple(part),
                kind=kind,
                key=key,
                text=text,
                reason=reason,
                answers=answers,
                sessions=tuple(sessions or ()),
            )
            for at, part, kind, key, text, reason, answers, sessions in (
                cursor.fetchall()
            )
        ]


def _given(
    project_id: UUID, stretches: Sequence[Stretch], whose: Window, width: timedelta
) -> dict[str, Any]:
    return {
        "project": project_id,
        "since": [_text(since, "-infinity") for since, _ in stretches],
        "until": [_text(until, "infinity") for _, until in stretches],
        "agent": whose.agent,
        "tier": whose.tier,
        "model": whose.model,
        "bin": width,
        "origin": _ORIGIN,
        "uncounted": sorted(NOT_COUNTED),
    }


def _text(moment: datetime | None, endless: str) -> str:
    return moment.isoformat() if moment else endless
