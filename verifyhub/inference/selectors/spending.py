"""Sums over model calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.engine.ports import BUDGET
from verifyhub.inference.caps import DAY, MONTH
from verifyhub.inference.models import CACHED, OK, RUNNING, ModelCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The usage and cost of some calls.

    Attributes:
        calls: Finished calls.
        failed: Those of them without a reply.
        cached: Stored opinions used instead of calls.
        held_back: Calls that a cap refused.
        tokens: Charged tokens of requests and replies.
        cost_microdollars: The charged amount; None if no call had a price.
        unpriced: Calls of models without a known price.
        estimated: Calls without reported tokens, charged at their maximum.
        latency_ms: Total duration of the calls.
    """

    calls: int = 0
    failed: int = 0
    cached: int = 0
    held_back: int = 0
    tokens: int = 0
    cost_microdollars: int | None = 0
    unpriced: int = 0
    estimated: int = 0
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class SpendingShare:
    """The spending of one tier or one purpose, by its name."""

    name: str
    spending: Spending


MADE = ~Q(outcome__in=[RUNNING, CACHED, BUDGET])
# A sum must not have the name of a column that another one reads.
PREFIX = "sum_"
SUMS = {
    f"{PREFIX}calls": Count("id", filter=MADE),
    f"{PREFIX}failed": Count("id", filter=MADE & ~Q(outcome=OK)),
    f"{PREFIX}cached": Count("id", filter=Q(outcome=CACHED)),
    f"{PREFIX}held_back": Count("id", filter=Q(outcome=BUDGET)),
    f"{PREFIX}tokens": Sum("charged_tokens", default=0),
    f"{PREFIX}cost_microdollars": Sum("cost_microdollars", filter=MADE),
    f"{PREFIX}unpriced": Count("id", filter=MADE & Q(cost_microdollars=None)),
    f"{PREFIX}estimated": Count("id", filter=Q(is_estimate=True)),
    f"{PREFIX}latency_ms": Sum("latency_ms", default=0),
}


def calls_since(project: Project, since: datetime) -> QuerySet[ModelCall]:
    """Return the calls of a project since a time."""
    return ModelCall.objects.filter(project=project, created_at__gte=since)


def calls_of(verification_id: UUID) -> QuerySet[ModelCall]:
    """Return the calls of one verification, in order."""
    calls = ModelCall.objects.filter(verification_id=verification_id)
    return calls.order_by("created_at", "id")


def costs_of(
    project: Project, verification_ids: Sequence[UUID]
) -> dict[UUID, int | None]:
    """Return the cost of each verification, in micro-dollars.

    Returns:
        One entry for each with a model call; None if no call had a price.
    """
    calls = ModelCall.objects.filter(
        MADE, project=project, verification_id__in=verification_ids
    )
    sums = calls.order_by().values_list("verification_id")
    return {
        verification_id: cost
        for verification_id, cost in sums.annotate(cost=Sum("cost_microdollars"))
        if verification_id is not None
    }


def sum_of(calls: QuerySet[ModelCall]) -> Spending:
    """Return the sum of some calls."""
    return _spending(calls.order_by().aggregate(**SUMS))


def spent(project: Project, period: str) -> Spending:
    """Return the spending of a project in this `day` or `month` (UTC)."""
    return sum_of(calls_since(project, period_start(period, timezone.now())))


def shares(calls: QuerySet[ModelCall], by: str) -> list[SpendingShare]:
    """Return the spending by `tier`, `purpose` or `model`, highest first."""
    rows = calls.order_by().values(by).annotate(**SUMS)
    result = [SpendingShare(row.pop(by), _spending(row)) for row in rows]
    return sorted(
        result,
        key=lambda share: (
            -(share.spending.cost_microdollars or 0),
            -share.spending.tokens,
            share.name,
        ),
    )


def overstating(calls: QuerySet[ModelCall]) -> list[tuple[str, str, int]]:
    """Return endpoint, model and number of calls with implausible usage.

    Such an endpoint reported more tokens than were sent and requested.
    """
    rows = calls.filter(is_overstated=True).order_by("endpoint_name", "model")
    return list(rows.values_list("endpoint_name", "model").annotate(n=Count("id")))


def _spending(sums: dict[str, Any]) -> Spending:
    totals = {name.removeprefix(PREFIX): sums[name] for name in sums}
    if not totals["calls"]:
        totals["cost_microdollars"] = 0
    return Spending(**totals)


def period_start(period: str, now: datetime) -> datetime:
    """Return the midnight (UTC) at which this day or month began.

    Raises:
        ValueError: If the period is unknown.
    """
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == DAY:
        return midnight
    if period == MONTH:
        return midnight.replace(day=1)
    raise ValueError(f"{period!r} is neither {DAY} nor {MONTH}")
