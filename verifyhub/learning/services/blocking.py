"""Enable and disable a blocking threshold."""

from datetime import datetime

from django.db import models, transaction
from django.db.models import Max
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.calibration.conformal import DEFAULT_AT_MOST
from verifyhub.learning.models import BlockingRule
from verifyhub.learning.selectors.blocking import is_per_answer, offered_threshold


class NoRuleError(Exception):
    """No blocking threshold is active."""


class CheckNotPerAnswerError(Exception):
    """The check scores parts of an answer, which a threshold cannot block."""


@transaction.atomic
def switch_blocking_on(
    *,
    project: Project,
    check: str,
    actor: models.Model,
    now: datetime,
    at_most: float = DEFAULT_AT_MOST,
) -> BlockingRule:
    """Block answers below a threshold, from the next verification on.

    It is computed from current decisions, and replaces an active one.

    Args:
        project: The tenant.
        check: The check of the score; `verdict` for the verdict's confidence.
        actor: The lead, or the key that acts for one.
        now: The end of the period of decisions.
        at_most: The share of right answers that may be blocked, above 0, up to 0.5.

    Raises:
        TooFewRightError: If there are too few right answers for the promise.
        CalibrationError: If `at_most` is out of range.
        CheckNotPerAnswerError: If the check scores parts of an answer.
    """
    if not is_per_answer(check):
        raise CheckNotPerAnswerError(check)
    project.lock()
    samples, threshold = offered_threshold(project, check, at_most, now=now)
    before = _end(project, actor)
    rows = BlockingRule.objects.filter(project=project)
    rule = BlockingRule.objects.create(
        project=project,
        number=(rows.aggregate(newest=Max("number"))["newest"] or 0) + 1,
        check_name=check,
        score=threshold.score,
        at_most=threshold.at_most,
        n=threshold.n,
        rank=threshold.rank,
        caught=threshold.caught.count,
        wrong=threshold.caught.total,
        sample_ids=samples.ids,
        activated_by=str(actor)[:200],
    )
    record_event(
        "learning.blocking_switched_on",
        rule,
        actor,
        before=_described(before),
        after=_described(rule),
    )
    return rule


@transaction.atomic
def switch_blocking_off(*, project: Project, actor: models.Model) -> BlockingRule:
    """Disable the blocking threshold.

    Raises:
        NoRuleError: If none is active.
    """
    project.lock()
    rule = _end(project, actor)
    if rule is None:
        raise NoRuleError
    record_event(
        "learning.blocking_switched_off",
        rule,
        actor,
        before=_described(rule),
        after=_described(None),
    )
    return rule


def _end(project: Project, actor: models.Model) -> BlockingRule | None:
    rule = BlockingRule.objects.filter(project=project, ended_at=None).first()
    if rule is not None:
        rule.ended_at, rule.ended_by = timezone.now(), str(actor)[:200]
        rule.save(update_fields=["ended_at", "ended_by"])
    return rule


def _described(rule: BlockingRule | None) -> dict[str, object]:
    if rule is None:
        return {"rule": "none"}
    return {
        "rule": rule.version,
        "check": rule.check_name,
        "below": rule.score,
        "promise": rule.threshold.promise,
    }
