"""Progress of reviewers: decisions, speed and open items."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from verifyhub.common.prepared import prepared_cursor
from verifyhub.review.models import Duty
from verifyhub.review.queue.assignment import judging_members

# Longer times are ignored: the page was probably left open.
LONGEST_MINUTES = 120

# Gold counts like any answer, or the count would reveal it.
DECIDED = """
SELECT resolved_by_id,
    count(*) FILTER (WHERE resolved_at >= %(today)s),
    count(*),
    percentile_cont(0.5) WITHIN GROUP (
        ORDER BY extract(epoch FROM resolved_at - taken_at)
    ) FILTER (
        WHERE taken_at IS NOT NULL
          AND resolved_at - taken_at < make_interval(mins => %(longest)s)
    )
FROM (
    SELECT resolved_by_id, resolved_at, taken_at
    FROM review_reviewitem
    WHERE project_id = %(project)s AND state <> 'open' AND resolved_at >= %(week)s
      AND resolved_by_id = ANY(%(people)s)
    UNION ALL
    SELECT judged.reviewer_id, judged.given_at,
        judged.given_at - make_interval(secs => judged.seconds)
    FROM review_judgement AS judged
    JOIN review_reviewitem AS item ON item.id = judged.item_id
    WHERE judged.project_id = %(project)s AND judged.kind = 'gold'
      AND judged.state = 'given' AND judged.given_at >= %(week)s
      AND judged.reviewer_id = ANY(%(people)s)
      AND coalesce(item.reviews_wanted, 1) = 1
) AS decided
GROUP BY resolved_by_id
"""
OPEN = """
SELECT assignee_id, count(*), count(*) FILTER (WHERE due_at < %(now)s)
FROM review_reviewitem
WHERE project_id = %(project)s AND state = 'open' AND assignee_id = ANY(%(people)s)
GROUP BY assignee_id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerProgress:
    """One person's week.

    Attributes:
        today: Decisions since midnight in the server's time zone.
        week: Decisions in the last seven days.
        median_seconds: From claiming an item to its decision; None without a claim.
        open_items: Assigned and open items.
        overdue: Those of them past their due time.
    """

    user_id: int
    name: str
    on_duty: bool
    weight: int
    today: int = 0
    week: int = 0
    median_seconds: float | None = None
    open_items: int = 0
    overdue: int = 0


@dataclass(frozen=True, slots=True)
class Sitting:
    """A reviewer's decisions today, and the median time from claim to decision."""

    decided: int = 0
    seconds: float | None = None


def sitting_of(project_id: UUID, user_id: int, now: datetime) -> Sitting:
    """Return one person's progress today; the median is of the last seven days."""
    rows = _rows(DECIDED, _moments(project_id, now) | {"people": [user_id]})
    today, _week, median = rows.get(user_id, (0, 0, None))
    return Sitting(today, median)


def progress_of(project_id: UUID, user_id: int, now: datetime) -> ReviewerProgress:
    """Return one person's week, without their name and duty."""
    return _progress(project_id, now, {user_id: ""}, {})[0]


def reviewer_progress(
    project_id: UUID, *, now: datetime, user_id: int | None = None
) -> list[ReviewerProgress]:
    """Return everybody who may judge in a project, or one of them, by name."""
    members = judging_members(project_id)
    if user_id is not None:
        members = members.filter(user_id=user_id)
    people: dict[int, str] = dict(
        members.order_by("user__username").values_list("user", "user__username")
    )
    duties = {
        duty.user_id: duty
        for duty in Duty.objects.filter(project_id=project_id, user__in=people)
    }
    return _progress(project_id, now, people, duties)


def _progress(
    project_id: UUID,
    now: datetime,
    people: Mapping[int, str],
    duties: Mapping[int, Duty],
) -> list[ReviewerProgress]:
    values = _moments(project_id, now) | {"people": list(people)}
    decided, waiting = _rows(DECIDED, values), _rows(OPEN, values)
    rows = []
    for person, name in people.items():
        duty = duties.get(person)
        today, week, median_seconds = decided.get(person, (0, 0, None))
        open_items, overdue = waiting.get(person, (0, 0))
        rows.append(
            ReviewerProgress(
                user_id=person,
                name=name,
                on_duty=duty is not None and duty.on_duty,
                weight=duty.weight if duty else 1,
                today=today,
                week=week,
                median_seconds=median_seconds,
                open_items=open_items,
                overdue=overdue,
            )
        )
    return rows


def _moments(project_id: UUID, now: datetime) -> dict[str, Any]:
    return {
        "project": project_id,
        "now": now,
        "today": timezone.localtime(now).replace(hour=0, minute=0, second=0),
        "week": now - timedelta(days=7),
        "longest": LONGEST_MINUTES,
    }


def _rows(sql: str, values: dict[str, Any]) -> dict[int, tuple[Any, ...]]:
    with prepared_cursor() as cursor:
        cursor.execute(sql, values)
        return {row[0]: row[1:] for row in cursor.fetchall()}
