"""The answers to all questions as JSON values, with their definitions."""

from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.reading import one_reading, read
from verifyhub.metrics.definitions import DEFINITIONS
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.selectors.questions.backlog import BacklogFigures, backlog
from verifyhub.metrics.selectors.questions.checks import Checks, checks
from verifyhub.metrics.selectors.questions.honesty import Honesty, honesty
from verifyhub.metrics.selectors.questions.inventions import Inventions, inventions
from verifyhub.metrics.selectors.questions.outcomes import OutcomeFigures, outcomes
from verifyhub.metrics.selectors.questions.people import PeopleFigures, people
from verifyhub.metrics.selectors.questions.progress import By, Trend, progress
from verifyhub.metrics.selectors.questions.spending import SpendingFigures, spending
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What the metrics page answers about one project in one window.

    Attributes:
        as_of: Since when changes are missing; None where none are.
        progress: By what answers are told apart.
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
    """Answer every question; `now` is aware and dates what waits."""
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


def questions_as_json(answers: Questions, *, with_people: bool) -> dict[str, Any]:
    """Return every question with its figures.

    Args:
        answers: The answers.
        with_people: Whether the reader may know who decided how much.
    """
    body: dict[str, Any] = {
        "days": answers.window.parameter,
        "since": as_json(answers.window.since),
        "until": as_json(answers.window.until),
        "as_of": as_json(answers.as_of),
    }
    for one in fields(answers):
        if one.name not in ("window", "as_of"):
            body[one.name] = as_json(getattr(answers, one.name))
    if not with_people:
        body["people"]["reviewers"] = None
    return {**body, "definitions": definitions()}


def definitions() -> dict[str, dict[str, str]]:
    """Return what each figure says, by its name."""
    return {
        name: {
            "label": str(one.label),
            "definition": str(one.text),
            "unit": str(one.unit),
        }
        for name, one in DEFINITIONS.items()
    }


def as_json(value: Any) -> Any:
    """Return dataclasses as objects, figures with their n and interval."""
    if isinstance(value, Figure):
        return value.as_dict()
    if is_dataclass(value):
        return {one.name: as_json(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, dict):
        return {str(name): as_json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [as_json(one) for one in value]
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value
