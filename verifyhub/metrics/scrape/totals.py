"""Sums over whole tables for the scrape, cached in the broker.

With a million answers they take seconds. They are cached for `METRICS_SECONDS`, or for
twenty times as long as counting took if that is longer, so that counting takes at most
a twentieth of the time. All web processes share the cache, since counters would
otherwise appear to decrease. While the broker is unreachable, every scrape counts.
"""

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet, Sum
from redis import Redis, RedisError

from verifyhub.common.logs import get_logger
from verifyhub.common.replica import from_replica
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Override, ReviewItem
from verifyhub.verification.models import MentionVerdict, Verification

logger = get_logger(__name__)

KEY, LOCK = "metrics:totals", "metrics:totals:counting"
TIMEOUT_SECONDS = 0.5
# The factor of the cache's duration to the time of counting.
REST = 20
# A count that takes longer than this is abandoned, and another scrape may start one.
COUNTING_SECONDS = 60
KEPT_SECONDS = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums over every project's rows, by values of the named fields."""

    interactions: int
    verifications: dict[str, int]
    verdicts: dict[str, int]
    attempts: int
    timed: int
    timed_ms: int
    mentions: dict[str, int]
    review_items: dict[str, int]
    overrides: dict[str, int]
    model_calls: dict[str, int]
    tokens: int
    microdollars: int


def read_totals() -> Totals:
    """Return the cached sums, or count them."""
    if not settings.METRICS_SECONDS or not settings.COUNTERS_URL:
        return counted()
    try:
        with Redis.from_url(
            settings.COUNTERS_URL,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
        ) as broker:
            return _cached_totals(broker)
    except (RedisError, ValueError) as error:
        logger.warning("metrics.not_kept", error=type(error).__name__)
        return counted()


def _cached_totals(broker: Any) -> Totals:
    cached = json.loads(broker.get(KEY) or "null")
    if cached:
        totals = Totals(**cached["sums"])
        rests = max(settings.METRICS_SECONDS, REST * cached["took"])
        is_fresh = 0 <= time.time() - cached["at"] < rests
        # Of concurrent scrapes one counts, and the others do not wait for it.
        if is_fresh or not broker.set(LOCK, "1", nx=True, ex=COUNTING_SECONDS):
            return totals
    began = time.monotonic()
    totals = counted()
    row = {"at": time.time(), "took": time.monotonic() - began, "sums": asdict(totals)}
    broker.set(KEY, json.dumps(row), ex=KEPT_SECONDS)
    broker.delete(LOCK)
    return totals


@from_replica
def counted() -> Totals:
    """Count, with one pass over each table."""
    runs = list(
        Verification.objects.values_list("state", "verdict").annotate(
            n=Count("pk"),
            tried=Sum("attempts"),
            timed=Count("duration_ms"),
            ms=Sum("duration_ms", default=0),
        )
    )
    finished = [run for run in runs if run[0] == Verification.State.FINISHED]
    spent = list(
        ModelCall.objects.values_list("outcome").annotate(
            n=Count("pk"),
            tokens=Sum("charged_tokens", default=0),
            cost=Sum("cost_microdollars", default=0),
        )
    )
    return Totals(
        interactions=Interaction.objects.count(),
        verifications=_summed((state, n) for state, _, n, *_ in runs),
        verdicts=_summed((verdict, n) for _, verdict, n, *_ in finished),
        attempts=sum(tried for _, _, _, tried, *_ in runs),
        timed=sum(timed for *_, timed, _ in finished),
        timed_ms=sum(ms for *_, ms in finished),
        mentions=_by("status", MentionVerdict.objects.all()),
        review_items=_by("state", ReviewItem.objects.all()),
        overrides=_by("target", Override.objects.filter(undone_at=None)),
        model_calls={outcome: n for outcome, n, *_ in spent},
        tokens=sum(tokens for _, _, tokens, _ in spent),
        microdollars=sum(cost for *_, cost in spent),
    )


def _by(field: str, rows: QuerySet[Any, Any]) -> dict[str, int]:
    return dict(rows.order_by().values_list(field).annotate(n=Count("pk")))


def _summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for value, n in counts:
        sums[value] = sums.get(value, 0) + n
    return sums
