"""The questions that the metrics page answers, each with its figures."""

from dataclasses import dataclass
from datetime import datetime

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.reading import one_reading, read
from verifyhub.metrics.selectors.questions.backlog import BacklogFigures, backlog
from verifyhub.metrics.selectors.questions.checks import Checks, checks
from verifyhub.metrics.selectors.questions.honesty import Honesty, honesty
from verifyhub.metrics.selectors.questions.inventions import Inventions, inventions
from verifyhub.metrics.selectors.questions.outcomes import OutcomeFigures, outcomes
from verifyhub.metrics.selectors.questions.people import PeopleFigures, people
from verifyhub.metrics.selectors.questions.progress import (
    By,
    Trend,
    Week,
    most_hallucinating,
    progress,
)
from verifyhub.metrics.selectors.questions.spending import SpendingFigures, spending
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """The content of the metrics page, for one project and window.

    Attributes:
        as_of: Later changes are not counted yet; None if all are.
        progress: By the property that answers are grouped by.
    """

    window: Window
    as_of: datetime | None
    outcomes: OutcomeFigures
    progress: dict[By, list[Trend]]
    inventions: Inventions
    checks: Checks
    honesty: Honesty
    spending: SpendingFigures
    people: PeopleFigures
    backlog: BacklogFigures


def questions(project: Project, window: Window, now: datetime) -> Questions:
    """Answer every question; `now` (aware) is the time of the backlog's ages."""
    with one_reading():
        return Questions(
            window=window,
            as_of=read(project, window).as_of,
            outcomes=outcomes(project, window),
            progress={by: progress(project, window, by) for by in By},
            inventions=inventions(project, window, now),
            checks=checks(project, window),
            honesty=honesty(project, window, now),
            spending=spending(project, window),
            people=people(project, window),
            backlog=backlog(project, window, now),
        )
