"""Raise and clear alerts, and change their rules."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from verifyhub.accounts.models import Membership, User
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.reports.letters import alert_letter
from verifyhub.reports.measures import COUNTED, Measure, Measurement
from verifyhub.reports.models import Alert, AlertRule
from verifyhub.reports.selectors.readings import reading
from verifyhub.reports.services.mail import post
from verifyhub.reports.services.saving import described, save_settings

logger = get_logger(__name__)

# An alert clears below this share of its threshold; otherwise a value around the
# threshold would raise alerts repeatedly.
CLEARS_BELOW = 0.9


class RuleNameTakenError(ValueError):
    """The project has another rule with this name."""


@transaction.atomic
def save_rule(
    *, rule: AlertRule, recipients: Iterable[Membership], actor: models.Model | None
) -> AlertRule:
    """Save a new or changed rule.

    An open alert stays until it clears. It ends at once if the rule is disabled, or its
    measure is changed, since it would no longer be evaluated.

    Raises:
        RuleNameTakenError: If another rule of the project has the name.
    """
    others = AlertRule.objects.filter(project=rule.project, name=rule.name)
    if others.exclude(pk=rule.pk).exists():
        raise RuleNameTakenError(rule.name)
    stored = AlertRule.objects.filter(pk=rule.pk).first()
    if stored and (
        not rule.enabled or (stored.measure, stored.agent) != (rule.measure, rule.agent)
    ):
        _end_open_alert(stored)
    save_settings(rule, recipients, actor=actor, action="reports.alert_rule_saved")
    return rule


@transaction.atomic
def delete_rule(*, rule: AlertRule, actor: User) -> None:
    """Delete a rule and its alerts; recipients of an open alert are notified."""
    _end_open_alert(rule)
    record_event("reports.alert_rule_deleted", rule, actor, before=described(rule))
    rule.delete()


def evaluate_rules(*, now: datetime) -> int:
    """Evaluate every enabled rule.

    Each in its own transaction, so that an error affects no other rule.

    Returns:
        How many alerts were raised or cleared.
    """
    changed = 0
    for rule_id in AlertRule.objects.filter(enabled=True).values_list("id", flat=True):
        try:
            changed += evaluate_rule(rule_id=rule_id, now=now)
        except Exception as error:  # noqa: BLE001 - the next rule is not to blame
            logger.error(
                "alerts.not_evaluated", rule=str(rule_id), error=type(error).__name__
            )
    return changed


@transaction.atomic
def evaluate_rule(*, rule_id: UUID, now: datetime) -> bool:
    """Evaluate one rule; True if an alert was raised or cleared.

    Concurrent callers take turns at the rule's row, so that an alert is raised once.
    """
    rows = AlertRule.objects.select_for_update(of=("self",)).select_related("project")
    rule = rows.filter(pk=rule_id, enabled=True).first()
    if rule is None:
        return False
    measurement = reading(rule, now=now)
    AlertRule.objects.filter(pk=rule.pk).update(
        value=measurement.value,
        n=measurement.n,
        detail=measurement.detail,
        evaluated_at=now,
    )
    open_alert = Alert.objects.filter(rule=rule, cleared_at=None).first()
    if open_alert is None:
        if not is_above(rule, measurement):
            return False
        _raise(rule, measurement, now)
        return True
    if is_below(rule, measurement):
        _clear(open_alert, rule, measurement, now)
        return True
    if measurement.value is not None:
        Alert.objects.filter(pk=open_alert.pk).update(
            peak=Greatest("peak", models.Value(measurement.value))
        )
    return False


def is_above(rule: AlertRule, measurement: Measurement) -> bool:
    """Whether a value with enough cases exceeds a rule's threshold."""
    if measurement.value is None or measurement.value <= rule.threshold:
        return False
    return rule.measure not in COUNTED or measurement.n >= rule.least


def is_below(rule: AlertRule, measurement: Measurement) -> bool:
    """Whether a value is far enough below a rule's threshold to end its alert.

    A missing value counts as below.
    """
    return (
        measurement.value is None or measurement.value <= rule.threshold * CLEARS_BELOW
    )


def _raise(rule: AlertRule, measurement: Measurement, now: datetime) -> None:
    value = measurement.value or 0.0
    alert = Alert.objects.create(
        project=rule.project,
        rule=rule,
        name=rule.name,
        measure=rule.measure,
        threshold=rule.threshold,
        agent=rule.agent,
        detail=measurement.detail,
        value=value,
        n=measurement.n,
        low=measurement.low,
        high=measurement.high,
        peak=value,
        raised_at=now,
    )
    _notify(EventType.ALERT_RAISED, alert, rule, measurement)


def _clear(
    alert: Alert, rule: AlertRule, measurement: Measurement, now: datetime
) -> None:
    alert.cleared_at = now
    alert.save(update_fields=["cleared_at"])
    _notify(EventType.ALERT_CLEARED, alert, rule, measurement)


def _end_open_alert(rule: AlertRule) -> None:
    """End a rule's alert, with the rule locked against evaluations."""
    AlertRule.objects.select_for_update().filter(pk=rule.pk).first()
    for alert in Alert.objects.filter(rule=rule, cleared_at=None):
        _clear(alert, rule, Measurement(value=None), timezone.now())


def _notify(
    event: EventType, alert: Alert, rule: AlertRule, measurement: Measurement
) -> None:
    publish(
        project=rule.project,
        type=event,
        data={"alert": as_dict(alert), "value": measurement.value, "n": measurement.n},
        subject={"alert": str(alert.id), "rule": str(rule.id)},
    )
    for member in rule.recipients.select_related("user"):
        letter = alert_letter(alert, measurement, member)
        post(project=rule.project, to=member.user, letter=letter)
    logger.info("alerts.sent", rule=str(rule.id), type=event.value)


def as_dict(alert: Alert) -> dict[str, Any]:
    """Return an alert in the form of the API and of events."""
    return {
        "id": str(alert.id),
        "rule": str(alert.rule_id),
        "name": alert.name,
        "measure": alert.measure,
        "unit": Measure(alert.measure).unit,
        "threshold": alert.threshold,
        "agent": alert.agent,
        "detail": alert.detail,
        "value": alert.value,
        "n": alert.n,
        "low": alert.low,
        "high": alert.high,
        "peak": alert.peak,
        "raised_at": alert.raised_at.isoformat(),
        "cleared_at": alert.cleared_at.isoformat() if alert.cleared_at else None,
    }
