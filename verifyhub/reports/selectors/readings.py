"""The current value of each measure."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db.models import Count, F, Min, Q, QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.engine.calibration.measures import reliability
from verifyhub.inference.caps import PERIOD_CAPS
from verifyhub.inference.selectors import budget_state
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.selectors.samples import samples_of
from verifyhub.reports.measures import Measure, Measurement
from verifyhub.reports.models import AlertRule
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verdict, Verification

State = Verification.State
NOTHING = Measurement(value=None)


def reading(rule: AlertRule, *, now: datetime) -> Measurement:
    """Return the value of a rule's measure at `now` (aware)."""
    return _READERS[Measure(rule.measure)](rule, now)


def _finished(rule: AlertRule, now: datetime) -> QuerySet[Verification]:
    """Return what ended in the rule's hours: at most that many rows are read."""
    rows = Verification.objects.filter(
        project=rule.project_id, finished_at__gte=now - timedelta(hours=rule.hours)
    )
    return rows.filter(interaction__agent_name=rule.agent) if rule.agent else rows


def _share(rows: QuerySet[Verification], hits: Q, cases: Q) -> Measurement:
    counted = rows.aggregate(
        count=Count("pk", filter=hits & cases), total=Count("pk", filter=cases)
    )
    return Measurement.of_share(Share(**counted))


def _flagged(rule: AlertRule, now: datetime) -> Measurement:
    hits = Q(verdict__in=[Verdict.UNCERTAIN, Verdict.REJECT])
    return _share(_finished(rule, now), hits, Q(state=State.FINISHED))


def _rejected(rule: AlertRule, now: datetime) -> Measurement:
    hits = Q(verdict=Verdict.REJECT)
    return _share(_finished(rule, now), hits, Q(state=State.FINISHED))


def _failed(rule: AlertRule, now: datetime) -> Measurement:
    ended = Q(state__in=[State.FINISHED, State.FAILED])
    return _share(_finished(rule, now), Q(state=State.FAILED), ended)


def _overridden(rule: AlertRule, now: datetime) -> Measurement:
    decided = ReviewItem.objects.filter(
        project=rule.project_id,
        state__in=[ReviewItem.State.CONFIRMED, ReviewItem.State.OVERRIDDEN],
        resolved_at__gte=now - timedelta(hours=rule.hours),
    )
    if rule.agent:
        decided = decided.filter(agent_name=rule.agent)
    differs = ~Q(human_verdict="") & ~Q(human_verdict=F("machine_verdict"))
    counted = decided.aggregate(count=Count("pk", filter=differs), total=Count("pk"))
    return Measurement.of_share(Share(**counted))


def _open(rule: AlertRule) -> QuerySet[ReviewItem]:
    rows = ReviewItem.objects.filter(
        project=rule.project_id, state=ReviewItem.State.OPEN
    )
    return rows.filter(agent_name=rule.agent) if rule.agent else rows


def _backlog_size(rule: AlertRule, now: datetime) -> Measurement:
    waiting = _open(rule).count()
    return Measurement(value=float(waiting), n=waiting)


def _backlog_hours(rule: AlertRule, now: datetime) -> Measurement:
    totals = _open(rule).aggregate(oldest=Min("created_at"), n=Count("pk"))
    return _age(totals, now, timedelta(hours=1))


def _check_minutes(rule: AlertRule, now: datetime) -> Measurement:
    rows = Verification.objects.filter(
        project=rule.project_id, state__in=[State.PENDING, State.RUNNING]
    )
    if rule.agent:
        rows = rows.filter(interaction__agent_name=rule.agent)
    totals = rows.aggregate(oldest=Min("created_at"), n=Count("pk"))
    return _age(totals, now, timedelta(minutes=1))


def _age(totals: Mapping[str, object], now: datetime, unit: timedelta) -> Measurement:
    oldest, n = totals["oldest"], totals["n"]
    if not isinstance(oldest, datetime) or not isinstance(n, int):
        return Measurement(value=0.0)
    return Measurement(value=(now - oldest) / unit, n=n)


def _budget(rule: AlertRule, now: datetime) -> Measurement:
    """Return the fullest cap of a day or month; without caps there is none to watch."""
    fullest = NOTHING
    for use in budget_state(rule.project, now).uses:
        if use.limit is None or use.cap not in PERIOD_CAPS:
            continue
        # Nothing may be spent: a cap of 0 is full.
        share = use.used / use.limit if use.limit else 1.0
        if fullest.value is None or share > fullest.value:
            fullest = Measurement(value=share, detail=use.cap.name)
    return fullest


def _ece_drift(rule: AlertRule, now: datetime) -> Measurement:
    """Return how much worse the worst active calibration has become.

    Decisions newer than those it was fitted to, within the rule's hours, are compared
    with what it reached on held-out ones when it was fitted.
    """
    active = CalibrationModel.objects.filter(
        project=rule.project_id, state=CalibrationModel.State.ACTIVE
    ).defer("sample_ids")
    readings = [_drift(rule.project, measurement, rule, now) for measurement in active]
    with_enough = [
        measurement for measurement in readings if measurement.n >= rule.least
    ]
    return max(
        with_enough or readings,
        key=lambda measurement: measurement.value or 0.0,
        default=NOTHING,
    )


def _drift(
    project: Project, model: CalibrationModel, rule: AlertRule, now: datetime
) -> Measurement:
    since = max(model.until, now - timedelta(hours=rule.hours))
    samples = samples_of(project, model.check_name, now=now)
    curve, promised = model.calibrator, model.measured_after
    newer = [
        (curve.apply(score), label)
        for score, label, at in zip(
            samples.scores, samples.labels, samples.at, strict=True
        )
        if at > since
    ]
    if not newer or promised is None:
        return Measurement(value=None, detail=model.check_name)
    drift = reliability(newer).ece - promised.ece
    return Measurement(value=drift, n=len(newer), detail=model.check_name)


_READERS: Mapping[Measure, Callable[[AlertRule, datetime], Measurement]] = {
    Measure.FLAGGED_SHARE: _flagged,
    Measure.REJECTED_SHARE: _rejected,
    Measure.FAILED_SHARE: _failed,
    Measure.OVERRIDDEN_SHARE: _overridden,
    Measure.BACKLOG_SIZE: _backlog_size,
    Measure.BACKLOG_HOURS: _backlog_hours,
    Measure.CHECK_MINUTES: _check_minutes,
    Measure.BUDGET_SHARE: _budget,
    Measure.ECE_DRIFT: _ece_drift,
}
