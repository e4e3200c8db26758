"""Every cut-off of the engine with its source, as one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from verifyhub.engine.errors import ThresholdError


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Cut-offs of the decision policy (SPEC A8) and of the checks.

    Attributes:
        retry_above_unverified: More counted unverified mentions than this ask for a
            retry that names them (A8: 3).
        reformulate_below_confidence: Confidence, 0..1, under which the task is put in
            other words (A8: 0.4).
        follow_up_below_completeness: Completeness, 0..1, under which gaps become
            follow-up subtasks (A8: 0.6).
        max_follow_ups: Follow-up subtasks at most (A8: 2).
        uncertain_below_confidence: Confidence, 0..1, under which an accepted answer
            is marked uncertain (A8: 0.6).
        max_retries: Retries of one subtask, then fail (A8: 2).
        model_above_characters: Answers longer than this many code points are worth a
            model call (A6: 50); the ledger always runs.
    """

    retry_above_unverified: int = 3
    reformulate_below_confidence: float = 0.4
    follow_up_below_completeness: float = 0.6
    max_follow_ups: int = 2
    uncertain_below_confidence: float = 0.6
    max_retries: int = 2
    model_above_characters: int = 50

    @classmethod
    def with_overrides(cls, values: Mapping[str, Any]) -> "Thresholds":
        """Build thresholds from a project's own values.

        Raises:
            ThresholdError: If a name is unknown, a type is wrong, or a share lies
                outside 0..1 or a count below 0.
        """
        known = {field.name: field.default for field in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise ThresholdError(f"{name}: no such threshold")
            share = isinstance(known[name], float)
            allowed = (int, float) if share else (int,)
            if isinstance(value, bool) or not isinstance(value, allowed):
                raise ThresholdError(f"{name}: {value!r} is not a number of its kind")
            if not 0 <= value <= (1 if share else value):
                raise ThresholdError(f"{name}: {value!r} is out of range")
        return cls(**values)
