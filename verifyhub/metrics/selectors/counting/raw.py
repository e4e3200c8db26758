"""Count from the rows themselves."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
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


# Whose answers: agent, tier and model.
Part = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenName:
    """A name without evidence on one day: in how many answers, and in which sessions.

    `reason` is one of those given that day.
    """

    day: date
    part: Part
    kind: str
    key: str
    text: str
    reason: str
    answers: int
    sessions: tuple[UUID, ...]


def count_parts(project_id: UUID, window: Window) -> dict[tuple[date, Part], Tally]:
    """Count what was received and done, by day (UTC) and by whose answers they are."""
    found: dict[tuple[date, Part], Tally] = defaultdict(Tally)
    with connection.cursor() as cursor:
        for statement in (ANSWERS + _EVERYTHING, _ACTS):
            cursor.execute(statement, _given(project_id, window))
            for section, day, part, key, numbers in cursor.fetchall():
                tally = found[day, tuple(part)]
                tally.add(section, tuple(key), map(int, numbers))
    return found


def count_names(project_id: UUID, window: Window) -> list[SeenName]:
    """Return the names without evidence, by day (UTC) and by whose answers they are."""
    with connection.cursor() as cursor:
        cursor.execute(ANSWERS + NAMES, _given(project_id, window))
        return [
            SeenName(
                day=day,
                part=tuple(part),
                kind=kind,
                key=key,
                text=text,
                reason=reason,
                answers=answers,
                sessions=tuple(sessions or ()),
            )
            for day, part, kind, key, text, reason, answers, sessions in (
                cursor.fetchall()
            )
        ]


def _given(project_id: UUID, window: Window) -> dict[str, Any]:
    return {
        "project": project_id,
        "since": window.since or "-infinity",
        "until": window.until or "infinity",
        "agent": window.agent,
        "tier": window.tier,
        "model": window.model,
        "uncounted": sorted(NOT_COUNTED),
    }
