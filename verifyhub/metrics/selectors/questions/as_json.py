"""The answers to all questions as JSON values, with their definitions."""

from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any
from uuid import UUID

from verifyhub.metrics.definitions import DEFINITIONS
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.selectors.questions.everything import Questions


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
