"""Metrics for Prometheus, read from the database.

Values for alerts are exact at every scrape: waiting work and its age, failures, and
exhausted budgets. Sums over whole tables may be cached for a while (`totals`). Every
web process returns the same values. Labels come from fixed sets in the code, never from
text of agents, users or projects, so the number of series is bounded.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.db import connection
from django.db.models import Count, Max, Min
from django.utils import timezone
from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    SummaryMetricFamily,
)

from verifyhub.accounts.models import Project
from verifyhub.common.env import MICRODOLLARS
from verifyhub.inference.models import OUTCOMES
from verifyhub.inference.selectors import waiting_projects
from verifyhub.memory.models import Constraint
from verifyhub.metrics.scrape.totals import Totals, read_totals
from verifyhub.metrics.selectors.queue import RUNNING, WAITING, new_wait_s
from verifyhub.review.models import Override, ReviewItem
from verifyhub.verification.models import MentionStatus, Verdict, Verification

LOCK_WAITS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


class DatabaseCollector:
    """Reads all metrics with a fixed number of queries."""

    def collect(self) -> Iterator[Metric]:
        sums = read_totals()
        yield CounterMetricFamily(
            "verifyhub_interactions", "Interactions stored.", value=sums.interactions
        )
        yield from _verifications(sums)
        yield _labelled(
            "verifyhub_mentions",
            "Mentions in finished verifications, by the machine's status.",
            "status",
            MentionStatus.values,
            sums.mentions,
        )
        yield _labelled(
            "verifyhub_review_items",
            "Answers put before people, by state.",
            "state",
            ReviewItem.State.values,
            sums.review_items,
        )
        yield _labelled(
            "verifyhub_overrides",
            "Decisions of people that stand, by target.",
            "target",
            Override.Target.values,
            sums.overrides,
        )
        yield _labelled(
            "verifyhub_constraints",
            "Names that agents are told not to use, by state.",
            "state",
            Constraint.State.values,
            dict(Constraint.objects.values_list("state").annotate(n=Count("pk"))),
        )
        yield from _models(sums)


def registry() -> CollectorRegistry:
    """Return a registry with the database's metrics only."""
    collectors = CollectorRegistry(auto_describe=False)
    collectors.register(DatabaseCollector())
    return collectors


def _verifications(sums: Totals) -> Iterator[Metric]:
    # Each has a partial index with few rows.
    unfinished = [
        dict(rows.order_by().values_list("state").annotate(n=Count("pk")))
        for rows in (
            Verification.objects.filter(WAITING),
            Verification.objects.filter(state=Verification.State.FAILED),
        )
    ]
    finished = Verification.State.FINISHED
    yield _labelled(
        "verifyhub_verifications",
        "Verifications by state; failed ones carry no verdict.",
        "state",
        Verification.State.values,
        {
            finished: sums.verifications.get(finished, 0),
            **unfinished[0],
            **unfinished[1],
        },
    )
    yield _labelled(
        "verifyhub_verdicts",
        "Finished verifications by verdict.",
        "verdict",
        Verdict.values,
        sums.verdicts,
    )
    yield from _queue(sums)
    yield from _people(timezone.now())
    yield from _locks()


def _models(sums: Totals) -> Iterator[Metric]:
    yield _labelled(
        "verifyhub_model_calls",
        "Calls of models, by what came of them; cached ones were not made.",
        "outcome",
        OUTCOMES,
        sums.model_calls,
    )
    yield CounterMetricFamily(
        "verifyhub_model_tokens",
        "Tokens that calls of models were charged.",
        value=sums.tokens,
    )
    yield CounterMetricFamily(
        "verifyhub_model_cost_dollars",
        "What calls of models with a known price cost, in US dollars.",
        value=sums.microdollars / MICRODOLLARS,
    )
    yield GaugeMetricFamily(
        "verifyhub_projects_out_of_budget",
        "Projects whose calls of models wait for a cap.",
        value=waiting_projects(timezone.now()),
    )


def _queue(sums: Totals) -> Iterator[Metric]:
    waiting = Verification.objects.filter(WAITING).aggregate(
        depth=Count("pk"),
        running=Count("pk", filter=RUNNING),
        oldest=Min("created_at"),
        most_attempts=Max("attempts", default=0),
    )
    oldest, now = waiting["oldest"], timezone.now()
    age = (now - oldest).total_seconds() if oldest else 0
    # By project, for which there is an index.
    every = Verification.objects.filter(project__in=Project.objects.all())
    yield GaugeMetricFamily(
        "verifyhub_queue_depth",
        "Verifications pending or running.",
        value=waiting["depth"],
    )
    yield GaugeMetricFamily(
        "verifyhub_queue_oldest_age_seconds",
        "How long the oldest waiting verification has waited; 0 if none waits.",
        value=age,
    )
    yield GaugeMetricFamily(
        "verifyhub_queue_wait_seconds",
        "How long a verification that comes now will wait, at the pace of the last"
        " minute.",
        value=new_wait_s(
            every,
            waiting=waiting["depth"],
            running=waiting["running"],
            oldest=oldest,
            now=now,
        ),
    )
    yield GaugeMetricFamily(
        "verifyhub_queue_most_attempts",
        "Attempts made at the waiting verification that was tried most often.",
        value=waiting["most_attempts"],
    )
    yield CounterMetricFamily(
        "verifyhub_verification_attempts",
        "Attempts made at verifications.",
        value=sums.attempts,
    )
    yield SummaryMetricFamily(
        "verifyhub_verification_seconds",
        "Time one finished verification took.",
        count_value=sums.timed,
        sum_value=sums.timed_ms / 1000,
    )


def _people(now: datetime) -> Iterator[Metric]:
    waiting = ReviewItem.objects.filter(state=ReviewItem.State.OPEN)
    oldest = waiting.aggregate(oldest=Min("created_at"))["oldest"]
    yield GaugeMetricFamily(
        "verifyhub_review_oldest_age_seconds",
        "How long the oldest answer has waited for a person; 0 if none waits.",
        value=(now - oldest).total_seconds() if oldest else 0,
    )


def _locks() -> Iterator[Metric]:
    with connection.cursor() as cursor:
        cursor.execute(LOCK_WAITS)
        (count,) = cursor.fetchone()
    yield GaugeMetricFamily(
        "verifyhub_lock_waits",
        "Sessions of this database that wait for a lock of another one.",
        value=count,
    )


def _labelled(
    name: str,
    documentation: str,
    label: str,
    values: Iterable[str],
    counts: Mapping[str, int],
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, documentation, labels=[label])
    for value in values:
        family.add_metric([value], counts.get(value, 0))
    return family
