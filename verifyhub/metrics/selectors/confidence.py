"""Agents' own confidence against the verdicts (requirement A7)."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.windows import Window, midnight_of

# Means of fewer answers are marked.
FEW_ANSWERS = 10
MAX_AGENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekRow:
    """One week's answers of an agent; `points` as in `AgentConfidence`."""

    week: datetime
    answers: int
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfidence:
    """One agent's self-assessed confidence.

    Attributes:
        name: The agent.
        answers: Answers with both confidences.
        points: Mean of its own confidence minus the verdict's, in hundredths; positive
            if it is overconfident.
        weeks: The same by the week of arrival, oldest first.
    """

    name: str
    answers: int
    points: float
    weeks: list[WeekRow]

    @property
    def is_few(self) -> bool:
        """Whether there are too few answers."""
        return self.answers < FEW_ANSWERS


def self_confidence(project: Project, window: Window) -> list[AgentConfidence]:
    """Return the agents that assess themselves, the most overconfident first."""
    sums: dict[str, dict[date, tuple[int, int]]] = defaultdict(dict)
    for day, tally in read(project, window).days.items():
        monday = day - timedelta(days=day.weekday())
        for (name,), counts in tally.rows("self_confidence"):
            n, over = sums[name].get(monday, (0, 0))
            sums[name][monday] = (n + counts["answers"], over + counts["over"])
    agents = [_agent(name, weeks) for name, weeks in sums.items()]
    return sorted(agents, key=lambda agent: (-agent.points, agent.name))[:MAX_AGENTS]


def _agent(name: str, sums: dict[date, tuple[int, int]]) -> AgentConfidence:
    weeks = [
        WeekRow(week=midnight_of(monday), answers=n, points=over / n / 10_000)
        for monday, (n, over) in sorted(sums.items())
    ]
    answers = sum(week.answers for week in weeks)
    total = sum(week.points * week.answers for week in weeks)
    return AgentConfidence(
        name=name, answers=answers, points=total / answers, weeks=weeks
    )
