"""The rank of an answer in the queue: reasons, urgency and due time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from verifyhub.review.models import QueueSettings, ReviewItem
from verifyhub.review.queue import policy
from verifyhub.review.queue.ranking import UrgencyFactors, risk_band, uncertainty
from verifyhub.review.queue.reach import names_of, reaches_of
from verifyhub.review.queue.selectors import settings_of
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import Verification

# The columns that `Stand.give` sets, without those of leases and assignment.
STAND_FIELDS = (
    "reasons",
    "reason_facts",
    "reason_kinds",
    "flagged_kinds",
    "agent_name",
    "machine_verdict",
    "risk",
    "uncertainty",
    "reach",
    "rank",
    "due_at",
    "ranked_at",
    "reach_due",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """The results of policy and ranking for an answer."""

    reasons: tuple[policy.Reason, ...]
    flagged_kinds: tuple[str, ...]
    agent_name: str
    verdict: str
    factors: UrgencyFactors
    settings: QueueSettings

    def give(self, item: ReviewItem) -> None:
        """Set the columns of an item, which the caller saves."""
        opened = item.created_at or timezone.now()
        item.reasons = []
        item.reason_facts = [reason.as_fact() for reason in self.reasons]
        item.reason_kinds = list(dict.fromkeys(r.kind for r in self.reasons))
        item.flagged_kinds = list(self.flagged_kinds)
        item.agent_name, item.machine_verdict = self.agent_name, self.verdict
        item.risk = self.factors.risk
        item.uncertainty = self.factors.uncertainty
        item.reach = self.factors.reach
        item.rank = self.factors.rank(opened, self.settings.doubling_hours)
        item.due_at = due_at(self.settings, item.risk, opened)
        item.ranked_at, item.reach_due = timezone.now(), True


def stand_of(reasons: list[policy.Reason], verification: Verification) -> Stand:
    """Return the rank of a finished verification; writes nothing."""
    return stands_of([(reasons, verification)])[0]


def stands_of(
    reasoned: Sequence[tuple[Sequence[policy.Reason], Verification]],
) -> list[Stand]:
    """Return the ranks of finished verifications, each with its reasons."""
    reports = [report_of(verification) for _, verification in reasoned]
    reaches = reaches_of(
        [
            (verification, names_of(report))
            for (_, verification), report in zip(reasoned, reports, strict=True)
        ]
    )
    settings = settings_of({verification.project_id for _, verification in reasoned})
    return [
        Stand(
            reasons=tuple(reasons),
            flagged_kinds=tuple(policy.flagged_kinds(report)),
            agent_name=verification.interaction.agent_name,
            verdict=verification.verdict,
            factors=UrgencyFactors(
                risk=policy.risk(report), uncertainty=uncertainty(report), reach=reach
            ),
            settings=settings[verification.project_id],
        )
        for (reasons, verification), report, reach in zip(
            reasoned, reports, reaches, strict=True
        )
    ]


def put_first(item: ReviewItem, reason: policy.Reason) -> None:
    """Insert a reason before the others; the caller saves the item."""
    item.reason_facts = [reason.as_fact(), *item.reason_facts]
    item.reason_kinds = list(dict.fromkeys([reason.kind, *item.reason_kinds]))


def factors_of(item: ReviewItem) -> UrgencyFactors:
    """Return the factors of an item's rank."""
    return UrgencyFactors(
        risk=item.risk, uncertainty=item.uncertainty, reach=item.reach
    )


def due_at(settings: QueueSettings, risk: float, opened: datetime) -> datetime | None:
    """Return when an item of this risk is due; None if the project sets no time."""
    hours = {
        "high": settings.due_high_hours,
        "medium": settings.due_medium_hours,
        "low": settings.due_low_hours,
    }[risk_band(risk)]
    return None if hours is None else opened + timedelta(hours=hours)
