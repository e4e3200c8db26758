"""A week's figures as JSON values, with those of the week before."""

from datetime import datetime, timedelta
from typing import Any

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share, ShareDifference
from verifyhub.memory.models import Constraint
from verifyhub.metrics.selectors import answers as answer_figures
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.selectors.costs import costs
from verifyhub.metrics.selectors.mentions import most_invented, without_evidence
from verifyhub.metrics.selectors.reviews import reviews
from verifyhub.metrics.windows import Window
from verifyhub.reports.measures import Measure
from verifyhub.reports.models import Alert, AlertRule
from verifyhub.reports.selectors.readings import reading

SCHEMA = 1
WEEK = timedelta(days=7)
MAX_AGENTS = 10
MAX_NAMES = 10
MAX_ALERTS = 20


def week_figures(
    project: Project,
    *,
    before: datetime,
    since: datetime,
    until: datetime,
    now: datetime,
) -> dict[str, Any]:
    """Return the content of the weekly report, as JSON values.

    Args:
        project: The tenant.
        before: The first moment of the week before; clocks may change in either.
        since: The first moment of the week (aware).
        until: The first moment after it.
        now: When the backlog is looked at.
    """
    week = Window(days=None, since=since, until=until)
    earlier = Window(days=None, since=before, until=since)
    counts = answer_figures.answers(project, week)
    counts_before = answer_figures.answers(project, earlier)
    tries, tries_before = attempts(project, week), attempts(project, earlier)
    decided = reviews(project, week)
    cost, cost_before = costs(project, week), costs(project, earlier)
    return {
        "schema": SCHEMA,
        "received": {"now": counts.received, "before": counts_before.received},
        "checked": {"now": counts.checked, "before": counts_before.checked},
        "flagged": _pair(counts.flagged, counts_before.flagged),
        "first_attempt": _pair(tries.first, tries_before.first),
        "invented_names": _pair(
            without_evidence(project, week), without_evidence(project, earlier)
        ),
        "found_wrong": _share(decided.found_wrong),
        "overridden": _share(decided.overridden),
        "cost_microdollars": {
            "now": cost.spending.cost_microdollars,
            "before": cost_before.spending.cost_microdollars,
        },
        "agents": _agents(project, week, earlier),
        "names": _names(project, week),
        "constraints": Constraint.objects.filter(
            project=project, active_at__gte=since, active_at__lt=until
        ).count(),
        "backlog": _backlog(project, now),
        "alerts": _alerts(project, since, until),
    }


def _agents(project: Project, week: Window, before: Window) -> list[dict[str, Any]]:
    earlier = {
        (row.name, row.tier): row.flagged
        for row in answer_figures.by_agent(project, before)
    }
    nothing = Share(count=0, total=0)
    return [
        {
            "name": row.name,
            "tier": row.tier,
            **_pair(row.flagged, earlier.get((row.name, row.tier), nothing)),
        }
        for row in answer_figures.by_agent(project, week)[:MAX_AGENTS]
    ]


def _names(project: Project, week: Window) -> list[dict[str, Any]]:
    return [
        {
            "kind": row.kind,
            "text": row.text,
            "answers": row.answer_count,
            "constraint": row.constraint,
        }
        for row in most_invented(project, week)[:MAX_NAMES]
    ]


def _backlog(project: Project, now: datetime) -> dict[str, Any]:
    rule = AlertRule(project=project, measure=Measure.BACKLOG_HOURS)
    measurement = reading(rule, now=now)
    return {"open": measurement.n, "oldest_hours": measurement.value}


def _alerts(project: Project, since: datetime, until: datetime) -> list[dict[str, Any]]:
    rows = Alert.objects.filter(
        project=project, raised_at__gte=since, raised_at__lt=until
    ).order_by("raised_at", "id")
    return [
        {
            "name": row.name,
            "measure": row.measure,
            "peak": row.peak,
            "raised_at": row.raised_at.isoformat(),
            "cleared": row.cleared_at is not None,
        }
        for row in rows[:MAX_ALERTS]
    ]


def _pair(now: Share, before: Share) -> dict[str, Any]:
    """Two weeks' shares, and whether they differ by more than chance explains."""
    gap = ShareDifference(first=now, second=before)
    return {
        "now": _share(now),
        "before": _share(before),
        "difference": gap.value,
        "difference_low": gap.low,
        "difference_high": gap.high,
        "change": _change(gap),
    }


def _change(gap: ShareDifference) -> str:
    """Return `more` or `less` only where the 95 % interval excludes zero."""
    if gap.interval is None or gap.is_small:
        return "unknown"
    low, high = gap.interval
    if low > 0:
        return "more"
    return "less" if high < 0 else "same"


def _share(of: Share) -> dict[str, Any]:
    return {
        "count": of.count,
        "total": of.total,
        "value": of.value,
        "low": of.low,
        "high": of.high,
        "small": of.is_small,
    }
