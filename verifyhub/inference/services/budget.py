"""Reserve budget before a call and settle it after, also with concurrent calls.

One conditional UPDATE of the project's row admits a call. It reserves the maximum cost:
a token for every byte of the request, and the longest reply, at the model's price. All
times are the database's.
"""

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from verifyhub.common.logs import get_logger
from verifyhub.engine.ports import BUDGET, BUSY, ModelError, ModelUsage
from verifyhub.inference.caps import (
    BY_NAME,
    CAPS,
    DAY,
    PERIOD_CAPS,
    VERDICT_CAPS,
    Cap,
    resumes_at,
)
from verifyhub.inference.models import LOST, RUNNING, Budget, ModelCall, VerdictSpend
from verifyhub.inference.selectors.budget import cap_use, limit_of

logger = get_logger(__name__)

# A call that is still open this long after its deadline is lost.
LEASE_SLACK_SECONDS = 60
BUSY_SECONDS = 5.0
BATCH = 500
CALLS_AT_ONCE = BY_NAME["calls_at_once"]
# Failures before a model was reached, or without a bill.
UNBILLED = frozenset({"blocked", "not_configured", "rate_limited", "refused"})
COUNTERS = ("microdollars", "tokens", "ms")

TODAY = "(now() AT TIME ZONE 'UTC')::date"
THIS_MONTH = f"date_trunc('month', {TODAY})::date"


def _spent(period: str, counter: str) -> str:
    """Return SQL for a counter of this day or month; 0 if it is of an earlier one."""
    current = TODAY if period == DAY else THIS_MONTH
    column = f"{period}_spent_{counter}"
    return f"CASE WHEN {period} = {current} THEN {column} ELSE 0 END"


def _fits(cap: Cap) -> str:
    limit = f"LEAST({cap.name}, %(ceiling_{cap.name})s::bigint)"
    if cap.counter == "calls":
        used = "calls_running + 1"
    else:
        spent = _spent(cap.period, cap.counter)
        used = f"{spent} + reserved_{cap.counter} + %({cap.counter})s"
    return f"({limit} IS NULL OR {used} <= {limit} * {cap.scale})"


ROLLED = ", ".join(
    f"{cap.period}_spent_{cap.counter} = {_spent(cap.period, cap.counter)}"
    for cap in PERIOD_CAPS
)
# Names of columns and numbers of this module; every value is a parameter.
RESERVE = f"""
UPDATE inference_budget
SET day = {TODAY}, month = {THIS_MONTH}, {ROLLED},
    {", ".join(f"reserved_{name} = reserved_{name} + %({name})s" for name in COUNTERS)},
    calls_running = calls_running + 1, refused_by = '', refused_at = NULL
WHERE project_id = %(project)s
  AND {" AND ".join(_fits(cap) for cap in CAPS if cap not in VERDICT_CAPS)}
"""  # noqa: S608
SPEND = ", ".join(
    f"{cap.period}_spent_{cap.counter}"
    f" = {_spent(cap.period, cap.counter)} + %(spent_{cap.counter})s"
    for cap in PERIOD_CAPS
)
SETTLE = f"""
UPDATE inference_budget
SET day = {TODAY}, month = {THIS_MONTH}, {SPEND},
    {", ".join(f"reserved_{name} = reserved_{name} - %({name})s" for name in COUNTERS)},
    calls_running = calls_running - 1
WHERE project_id = %(project)s
"""  # noqa: S608
RESERVE_VERDICT = """
INSERT INTO inference_verdictspend AS v
    (verification_id, project_id, microdollars, tokens, calls)
SELECT %(verification)s, %(project)s, %(microdollars)s, %(tokens)s, 1
WHERE (%(cap_microdollars)s::bigint IS NULL
       OR %(microdollars)s <= %(cap_microdollars)s)
  AND (%(cap_tokens)s::bigint IS NULL OR %(tokens)s <= %(cap_tokens)s)
  AND (%(cap_calls)s::bigint IS NULL OR 1 <= %(cap_calls)s)
ON CONFLICT (verification_id) DO UPDATE
SET microdollars = v.microdollars + %(microdollars)s,
    tokens = v.tokens + %(tokens)s, calls = v.calls + 1
WHERE (%(cap_microdollars)s::bigint IS NULL
       OR v.microdollars + %(microdollars)s <= %(cap_microdollars)s)
  AND (%(cap_tokens)s::bigint IS NULL
       OR v.tokens + %(tokens)s <= %(cap_tokens)s)
  AND (%(cap_calls)s::bigint IS NULL OR v.calls + 1 <= %(cap_calls)s)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """The maximal cost of a call."""

    microdollars: int
    tokens: int
    ms: int


class _CapReachedError(Exception):
    """A call would exceed a cap."""

    def __init__(self, cap: Cap) -> None:
        super().__init__(cap.name)
        self.cap = cap


def reserve(*, call: ModelCall, worst: Worst, deadline_seconds: float) -> ModelCall:
    """Reserve the maximal cost of a call, and write its row.

    Args:
        call: The row to insert, without its reservation.
        worst: The maximum cost, reserved until it is settled.
        deadline_seconds: The maximum duration of the call.

    Raises:
        ModelError: With reason `busy` if too many calls are running, and `budget` if
            another cap would be exceeded. The project is then marked as waiting for
            that cap, and `retry_after_seconds` is set if it depends on time.
    """
    call.reserved_microdollars = worst.microdollars
    call.reserved_tokens, call.reserved_ms = worst.tokens, worst.ms
    lease = timedelta(seconds=deadline_seconds + LEASE_SLACK_SECONDS)
    try:
        with transaction.atomic():
            _reserve_for_project(call)
            if call.verification_id:
                _reserve_for_verdict(call)
            call.lease_until = Now() + lease
            call.save(force_insert=True)
    except _CapReachedError as error:
        raise _refuse(call, error.cap) from error
    return call


@transaction.atomic
def settle(*, call: ModelCall, outcome: str, usage: ModelUsage | None) -> bool:
    """Charge the cost of a call and release its reservation, exactly once.

    Without reported tokens the reservation is charged. It is also the maximum charge,
    whatever an endpoint reports. Calls that never reached a model are not charged.

    Returns:
        False if it was settled before.
    """
    charge = _charge(call, outcome, usage)
    won = ModelCall.objects.filter(pk=call.pk, outcome=RUNNING).update(
        outcome=outcome,
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        cost_microdollars=charge.cost_microdollars,
        charged_tokens=charge.tokens,
        is_estimate=charge.is_estimate,
        is_overstated=usage is not None and usage.overstated,
        latency_ms=charge.ms,
        lease_until=None,
        finished_at=Now(),
    )
    if not won:
        return False
    _execute(
        SETTLE,
        project=call.project_id,
        microdollars=call.reserved_microdollars,
        tokens=call.reserved_tokens,
        ms=call.reserved_ms,
        spent_microdollars=charge.cost_microdollars or 0,
        spent_tokens=charge.tokens,
        spent_ms=charge.ms,
    )
    if call.verification_id:
        VerdictSpend.objects.filter(pk=call.verification_id).update(
            microdollars=F("microdollars")
            - call.reserved_microdollars
            + (charge.cost_microdollars or 0),
            tokens=F("tokens") - call.reserved_tokens + charge.tokens,
        )
    return True


def settle_lost() -> int:
    """Charge the reservations of calls whose worker died.

    Returns:
        How many.
    """
    calls = ModelCall.objects.filter(outcome=RUNNING, lease_until__lt=Now())
    count = sum(
        settle(call=call, outcome=LOST, usage=None)
        for call in calls.order_by("lease_until")[:BATCH]
    )
    if count:
        logger.warning("inference.calls_lost", count=count)
    return count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Charge:
    cost_microdollars: int | None
    tokens: int
    ms: int
    is_estimate: bool


def _charge(call: ModelCall, outcome: str, usage: ModelUsage | None) -> _Charge:
    priced = call.cost_microdollars is not None
    has_counts = usage is not None and None not in (
        usage.input_tokens,
        usage.output_tokens,
    )
    if usage is not None and has_counts:
        counted = (usage.input_tokens or 0) + (usage.output_tokens or 0)
        tokens = min(counted, call.reserved_tokens)
        cost = min(usage.cost_microdollars or 0, call.reserved_microdollars)
        is_estimate = usage.overstated or tokens < counted
    elif outcome in UNBILLED:
        tokens, cost, is_estimate = 0, 0, False
    else:
        tokens, is_estimate = call.reserved_tokens, True
        cost = call.reserved_microdollars
    return _Charge(
        cost_microdollars=(cost or 0) if priced else None,
        tokens=tokens,
        ms=round(usage.latency_seconds * 1000) if usage else call.reserved_ms,
        is_estimate=is_estimate,
    )


def _reserve_for_project(call: ModelCall) -> None:
    parameters = {
        "project": call.project_id,
        "microdollars": call.reserved_microdollars,
        "tokens": call.reserved_tokens,
        "ms": call.reserved_ms,
        **{
            f"ceiling_{cap.name}": settings.BUDGET_CEILINGS.get(cap.name)
            for cap in CAPS
        },
    }
    if _execute(RESERVE, **parameters):
        return
    # There is no row before the first call of a project.
    Budget.objects.bulk_create(
        [Budget(project_id=call.project_id)], ignore_conflicts=True
    )
    if not _execute(RESERVE, **parameters):
        raise _CapReachedError(_cap_in_the_way(call))


def _cap_in_the_way(call: ModelCall) -> Cap:
    budget = Budget.objects.get(project_id=call.project_id)
    today = timezone.now().astimezone(UTC).date()
    reservation = {
        "microdollars": call.reserved_microdollars,
        "tokens": call.reserved_tokens,
        "ms": call.reserved_ms,
        "calls": 1,
    }
    for cap in CAPS:
        use = cap_use(budget, cap, today)
        more = -(-reservation[cap.counter] // cap.scale)
        if cap in VERDICT_CAPS or use.limit is None:
            continue
        if use.used + more > use.limit:
            return cap
    # Another call was settled since, so there is room again.
    return CALLS_AT_ONCE


def _reserve_for_verdict(call: ModelCall) -> None:
    budget = Budget.objects.get(project_id=call.project_id)
    caps = {cap.counter: limit_of(budget, cap)[0] for cap in VERDICT_CAPS}
    reservation = {
        "microdollars": call.reserved_microdollars,
        "tokens": call.reserved_tokens,
    }
    if not _execute(
        RESERVE_VERDICT,
        verification=call.verification_id,
        project=call.project_id,
        **reservation,
        **{f"cap_{name}": limit for name, limit in caps.items()},
    ):
        raise _CapReachedError(_verdict_cap_in_the_way(call, caps, reservation))


def _verdict_cap_in_the_way(
    call: ModelCall, caps: dict[str, int | None], reservation: dict[str, int]
) -> Cap:
    spend = VerdictSpend.objects.filter(pk=str(call.verification_id)).first()
    for cap in VERDICT_CAPS:
        limit = caps[cap.counter]
        used = getattr(spend, cap.counter, 0) + reservation.get(cap.counter, 1)
        if limit is not None and used > limit:
            return cap
    return VERDICT_CAPS[-1]


def _refuse(call: ModelCall, cap: Cap) -> ModelError:
    """Record the refusal; a verdict's own cap says nothing about the project."""
    now = timezone.now()
    until = resumes_at(cap, now)
    if cap is CALLS_AT_ONCE:
        return ModelError(
            BUSY,
            f"the cap on {cap.words} is reached",
            retry_after_seconds=BUSY_SECONDS,
        )
    wait = None
    if until is not None:
        wait = (until - now).total_seconds()
        Budget.objects.filter(project_id=call.project_id).update(
            refused_by=cap.name, refused_at=Now()
        )
    resumes = f"; calls resume at {until:%Y-%m-%d %H:%M} UTC" if until else ""
    return ModelError(
        BUDGET,
        f"the cap on {cap.words} is reached{resumes}",
        retry_after_seconds=wait,
    )


def _execute(statement: str, **parameters: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)
