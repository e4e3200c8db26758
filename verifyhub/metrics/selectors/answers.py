"""Figures about answers: how many arrived, their verdicts, and their agents."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Q, QuerySet
from pydantic import computed_field

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.metrics.counting.durations import percentile
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import RowCounts
from verifyhub.metrics.windows import Window, within
from verifyhub.verification.models import Verdict, Verification

CONFIDENCE_BINS = 10
MAX_AGENTS = 20
FLAGGED = Q(verdict__in=[Verdict.UNCERTAIN, Verdict.REJECT])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Counts of received and checked answers, and of their verdicts.

    Attributes:
        received: Interactions stored.
        checked: Those with a finished verification; the basis of every share.
        accepted, uncertain, rejected: Verdicts; they add up to checked.
        flagged: Uncertain or rejected, of checked.
        unsettled: Checked answers in which nothing could be checked (coverage 0),
            which is no pass.
        p50_ms, p95_ms: Duration of one verification, milliseconds; from 64 ms on
            within 1.6 %, since durations are kept in bins.
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

    @computed_field  # type: ignore[prop-decorator]
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

    Failed and unfinished ones are left out; a re-verification replaces earlier ones.
    """
    finished = Verification.objects.filter(state=Verification.State.FINISHED)
    newer = finished.filter(
        interaction=OuterRef("interaction"), number__gt=OuterRef("number")
    )
    return within(finished.filter(~Exists(newer), project=project), window)


def answers(project: Project, window: Window) -> Answers:
    """Count received, checked and flagged answers."""
    tally = read(project, window).total
    all_of = tally.sum("answers")
    bins = {
        int(low): counts["verifications"] for (low,), counts in tally.rows("durations")
    }
    return Answers(
        **{
            name: all_of[name]
            for name in (
                "received",
                "checked",
                "accepted",
                "uncertain",
                "rejected",
                "unsettled",
            )
        },
        flagged=_flagged(all_of),
        p50_ms=percentile(bins, 0.5),
        p95_ms=percentile(bins, 0.95),
    )


def by_agent(project: Project, window: Window) -> list[AgentRow]:
    """Return the agents with the most checked answers, at most MAX_AGENTS."""
    rows = [
        AgentRow(
            name=name, tier=tier, flagged=_flagged(counts), rejected=counts["rejected"]
        )
        for (name, tier), counts in read(project, window)
        .total.by("answers", 0, 1)
        .items()
        if counts["checked"]
    ]
    rows.sort(key=lambda row: (-row.flagged.total, row.name, row.tier))
    return rows[:MAX_AGENTS]


def confidence_bins(
    project: Project, window: Window
) -> tuple[list[ConfidenceBin], int]:
    """Return the histogram of confidence and the number of answers without one."""
    tenths = read(project, window).total.by("confidence", 0)
    without = tenths.pop(("",), None)
    bins = []
    for index in range(CONFIDENCE_BINS):
        counts = tenths.get((str(index),))
        flagged, total = (counts["flagged"], counts["answers"]) if counts else (0, 0)
        bins.append(
            ConfidenceBin(
                low=index / CONFIDENCE_BINS,
                high=(index + 1) / CONFIDENCE_BINS,
                flagged=flagged,
                accepted=total - flagged,
            )
        )
    return bins, without["answers"] if without else 0


def by_day(project: Project, window: Window) -> list[DayRow]:
    """Return the verdicts per day on which answers were received, oldest first."""
    sums = ((day, t.sum("answers")) for day, t in read(project, window).days.items())
    return [
        DayRow(
            day=day,
            accepted=counts["accepted"],
            uncertain=counts["uncertain"],
            rejected=counts["rejected"],
        )
        for day, counts in sums
        if counts["checked"]
    ]


def _flagged(counts: RowCounts) -> Share:
    return Share(
        count=counts["uncertain"] + counts["rejected"], total=counts["checked"]
    )
