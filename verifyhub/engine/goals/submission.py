"""The `submit_goal_verification` call: its schema, and the strict reading of a reply.

Source: requirement C2. The lists `present` and `absent` hold the control names alone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.judging.replies import (
    read_object,
    read_share,
    read_strings,
    read_truth,
)
from verifyhub.engine.reports import ReportWarning

LISTS = ("issues", "suggestions", "present", "absent")

TOOL: Mapping[str, Any] = {
    "name": "submit_goal_verification",
    "description": "Report whether the goal was achieved.",
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "required": ["goalAchieved", "confidence", *LISTS],
        "properties": {
            "goalAchieved": {"type": "boolean"},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            **{name: {"type": "array", "items": {"type": "string"}} for name in LISTS},
        },
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalSubmission:
    """The judge's reply, with its confidence in 0..1."""

    achieved: bool
    confidence: float
    issues: tuple[str, ...]
    suggestions: tuple[str, ...]
    present: frozenset[str]
    absent: frozenset[str]
    clamped: tuple[ReportWarning, ...] = ()

    def as_arguments(self) -> str:
        """Return the opinion as arguments of the call, without the control names."""
        return json.dumps(
            {
                "goalAchieved": self.achieved,
                "confidence": self.confidence,
                "issues": list(self.issues),
                "suggestions": list(self.suggestions),
                "present": [],
                "absent": [],
            }
        )


def parse_goal_submission(arguments: str) -> GoalSubmission:
    """Read the arguments of a `submit_goal_verification` call.

    Raises:
        SubmissionError: If they are no JSON object of exactly this shape.
    """
    data = read_object(arguments, ("goalAchieved", "confidence", *LISTS))
    lists = {name: read_strings(data, name) for name in LISTS}
    confidence, clamped = read_share(data, "confidence")
    return GoalSubmission(
        achieved=read_truth(data, "goalAchieved"),
        confidence=confidence,
        issues=lists["issues"],
        suggestions=lists["suggestions"],
        present=frozenset(lists["present"]),
        absent=frozenset(lists["absent"]),
        clamped=clamped,
    )
