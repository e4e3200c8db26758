"""The questions that the metrics page answers, each with its figures."""

from verifyhub.metrics.selectors.questions.as_json import Questions, questions
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

__all__ = [
    "BacklogFigures",
    "By",
    "Checks",
    "Honesty",
    "Inventions",
    "OutcomeFigures",
    "PeopleFigures",
    "Questions",
    "SpendingFigures",
    "Trend",
    "Week",
    "backlog",
    "checks",
    "honesty",
    "inventions",
    "most_hallucinating",
    "outcomes",
    "people",
    "progress",
    "questions",
    "spending",
]
