"""Everything the metrics page shows, in a fixed number of queries."""

from dataclasses import dataclass
from datetime import datetime

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.inference.selectors import BudgetState, budget_state
from verifyhub.metrics.selectors import mentions as mention_figures
from verifyhub.metrics.selectors import reviews as review_figures
from verifyhub.metrics.selectors.answers import (
    AgentRow,
    Answers,
    ConfidenceBin,
    DayRow,
    answers,
    by_agent,
    by_day,
    confidence_bins,
)
from verifyhub.metrics.selectors.attempts import Attempts, attempts
from verifyhub.metrics.selectors.confidence import AgentConfidence, self_confidence
from verifyhub.metrics.selectors.costs import Costs, costs
from verifyhub.metrics.selectors.counting.reading import one_reading
from verifyhub.metrics.selectors.levels import LevelFigures, levels
from verifyhub.metrics.selectors.mentions import ClaimRow, KindRow, NameRow
from verifyhub.metrics.selectors.queue import Queue, queue
from verifyhub.metrics.selectors.reviews import FalseAlarmRow, Reviews
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """The figures of one project in one window."""

    window: Window
    answers: Answers
    attempts: Attempts
    queue: Queue
    reviews: Reviews
    names: Share
    kinds: list[KindRow]
    invented: list[NameRow]
    claims: list[ClaimRow]
    levels: LevelFigures
    costs: Costs
    budget: BudgetState
    false_alarms: list[FalseAlarmRow]
    agents: list[tuple[AgentRow, Share]]
    self_confidence: list[AgentConfidence]
    confidence: list[ConfidenceBin]
    without_confidence: int
    days: list[DayRow]


def dashboard(project: Project, window: Window, now: datetime) -> Dashboard:
    """Read every figure; `now` is aware and dates the age of the queue."""
    with one_reading():
        return _read(project, window, now)


def _read(project: Project, window: Window, now: datetime) -> Dashboard:
    kinds = mention_figures.by_kind(project, window)
    bins, without = confidence_bins(project, window)
    shares = mention_figures.by_agent(project, window)
    nothing = Share(count=0, total=0)
    return Dashboard(
        window=window,
        answers=answers(project, window),
        attempts=attempts(project, window),
        queue=queue(project, now),
        reviews=review_figures.reviews(project, window),
        names=Share(
            count=sum(row.unverified.count for row in kinds),
            total=sum(row.unverified.total for row in kinds),
        ),
        kinds=kinds,
        invented=mention_figures.most_invented(project, window),
        claims=mention_figures.completion_claims(project, window),
        levels=levels(project, window),
        costs=costs(project, window),
        budget=budget_state(project, now),
        false_alarms=review_figures.false_alarms(project, window),
        agents=[
            (row, shares.get((row.name, row.tier), nothing))
            for row in by_agent(project, window)
        ],
        self_confidence=self_confidence(project, window),
        confidence=bins,
        without_confidence=without,
        days=by_day(project, window),
    )
