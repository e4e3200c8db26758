"""Figures about answers: how many came, how they were judged, by whom given."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import (
    Aggregate,
    Case,
    Count,
    Exists,
    F,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    When,
)
from django.db.models.functions import Floor, Least, TruncDate

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.windows import Window, within
from verifyhub.verification.models import Verdict, Verification

CONFIDENCE_BINS = 10
MAX_AGENTS = 20
FLAGGED = Q(verdict__in=[Verdict.UNCERTAIN, Verdict.REJECT])


class Percentile(Aggregate):
    """`percentile_cont`: the value under which `fraction` of the rows lie."""

    function = "percentile_cont"
    output_field = FloatField()

    def __init__(self, expression: str, fraction: float, **extra: Any) -> None:
        template = f"%(function)s({fraction}) WITHIN GROUP (ORDER BY %(expressions)s)"
        super().__init__(expression, template=template, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """How many answers came in, were checked, and what the checks said.

    Attributes:
        received: Interactions stored.
        checked: Those with a finished verification; the basis of every share.
        accepted, uncertain, rejected: Verdicts of the machine; they add up to checked.
        flagged: Uncertain or rejected, of checked.
        unsettled: Checked answers in which the evidence could settle nothing
            (coverage 0). They are counted apart: nothing found is not a pass.
        p50_ms, p95_ms: Duration of one verification, milliseconds.
    """

    received: int
    checked: int
    accepted: int
    uncertain: int
    rejected: int
    flagged: Share
    unsettled: int
    p50_ms: float | None
    p95_ms: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """One agent name and tier: how many of its answers were flagged."""

    name: str
    tier: str
    flagged: Share
    rejected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceBin:
    """Answers with a confidence in [low, high); the last bin includes 1."""

    low: float
    high: float
    flagged: int
    accepted: int

    @property
    def total(self) -> int:
        return self.flagged + self.accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRow:
    """Verdicts of the answers received on one day (UTC)."""

    day: date
    accepted: int
    uncertain: int
    rejected: int


def current_verifications(
    project: Project, window: Window
) -> QuerySet[Verification, Verification]:
    """Return each interaction's latest finished verification.

    Failed and unfinished ones are no verdicts and are left out; a re-verification
    replaces the one before it.
    """
    finished = Verification.objects.filter(state=Verification.State.FINISHED)
    newer = finished.filter(
        interaction=OuterRef("interaction"), number__gt=OuterRef("number")
    )
    return within(finished.filter(~Exists(newer), project=project), window)


def answers(project: Project, window: Window) -> Answers:
    """Count what was received, checked and flagged."""
    received = within(Interaction.objects.filter(project=project), window, "")
    totals = current_verifications(project, window).aggregate(
        checked=Count("pk"),
        accepted=Count("pk", filter=Q(verdict=Verdict.ACCEPT)),
        uncertain=Count("pk", filter=Q(verdict=Verdict.UNCERTAIN)),
        rejected=Count("pk", filter=Q(verdict=Verdict.REJECT)),
        unsettled=Count("pk", filter=Q(coverage=0)),
        p50_ms=Percentile("duration_ms", 0.5),
        p95_ms=Percentile("duration_ms", 0.95),
    )
    flagged = totals["uncertain"] + totals["rejected"]
    return Answers(
        received=received.count(),
        flagged=Share(count=flagged, total=totals["checked"]),
        **totals,
    )


def by_agent(project: Project, window: Window) -> list[AgentRow]:
    """Return the agents with the most checked answers, at most MAX_AGENTS."""
    rows = (
        current_verifications(project, window)
        .values(name=F("interaction__agent_name"), tier=F("interaction__agent_tier"))
        .annotate(
            checked=Count("pk"),
            flagged=Count("pk", filter=FLAGGED),
            rejected=Count("pk", filter=Q(verdict=Verdict.REJECT)),
        )
        .order_by("-checked", "name", "tier")
    )
    return [
        AgentRow(
            name=row["name"],
            tier=row["tier"],
            flagged=Share(count=row["flagged"], total=row["checked"]),
            rejected=row["rejected"],
        )
        for row in rows[:MAX_AGENTS]
    ]


def confidence_bins(
    project: Project, window: Window
) -> tuple[list[ConfidenceBin], int]:
    """Return the histogram of confidence and how many answers carry none."""
    # LEAST would ignore a missing confidence and call it the highest.
    bin_of = Case(
        When(confidence=None, then=None),
        default=Least(Floor(F("confidence") * CONFIDENCE_BINS), CONFIDENCE_BINS - 1.0),
        output_field=FloatField(),
    )
    rows = (
        current_verifications(project, window)
        .values(bin=bin_of)
        .annotate(total=Count("pk"), flagged=Count("pk", filter=FLAGGED))
        .order_by("bin")
    )
    found = {row["bin"]: row for row in rows}
    without = found.pop(None, {"total": 0})["total"]
    bins = [
        _confidence_bin(index, found.get(index)) for index in range(CONFIDENCE_BINS)
    ]
    return bins, without


def _confidence_bin(index: int, row: Mapping[str, Any] | None) -> ConfidenceBin:
    flagged, total = (row["flagged"], row["total"]) if row else (0, 0)
    return ConfidenceBin(
        low=index / CONFIDENCE_BINS,
        high=(index + 1) / CONFIDENCE_BINS,
        flagged=flagged,
        accepted=total - flagged,
    )


def by_day(project: Project, window: Window) -> list[DayRow]:
    """Return the verdicts per day on which answers were received, oldest first."""
    rows = (
        current_verifications(project, window)
        .values(day=TruncDate("interaction__created_at"))
        .annotate(
            accepted=Count("pk", filter=Q(verdict=Verdict.ACCEPT)),
            uncertain=Count("pk", filter=Q(verdict=Verdict.UNCERTAIN)),
            rejected=Count("pk", filter=Q(verdict=Verdict.REJECT)),
        )
        .order_by("day")
    )
    return [DayRow(**row) for row in rows]
