"""The `submit_goal_verification` call: its schema, and the strict reading of a reply.

Source: requirement C2. The lists `present` and `absent` hold the control names alone.
"""

import json
from dataclasses import dataclass

from verifyhub.engine.judging.replies import (
    SHARE,
    STRINGS,
    read_object,
    read_share,
    read_strings,
    read_truth,
    reply_tool,
)
from verifyhub.engine.reports import ReportWarning

LISTS = ("issues", "suggestions", "present", "absent")

TOOL = reply_tool(
    "submit_goal_verification",
    "Report whether the goal was achieved.",
    {
        "goalAchieved": {"type": "boolean"},
        "confidence": SHARE,
        **dict.fromkeys(LISTS, STRINGS),
    },
)


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
