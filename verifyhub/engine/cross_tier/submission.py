"""The `submit_verification` call: its schema, and the strict reading of a reply.

Source: SPEC A2. Numbers beyond 0..1 are clamped with a warning; anything else that
does not fit (missing keys, NaN, text for numbers, text for lists) is no verification.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.errors import EngineError
from verifyhub.engine.reports import ReportWarning

LISTS = ("mentions", "verified", "unverified", "gaps", "warnings")
NUMBERS = ("confidence", "completeness")
MAX_ENTRIES = 500
MAX_CHARACTERS = 2000
CONTRADICTION = "CONTRADICTION:"

TOOL: Mapping[str, Any] = {
    "name": "submit_verification",
    "description": "Report what you found about the answer.",
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "required": [*LISTS, *NUMBERS, "reasoning"],
        "properties": {
            **{name: {"type": "array", "items": {"type": "string"}} for name in LISTS},
            **{
                name: {"type": "number", "minimum": 0, "maximum": 1} for name in NUMBERS
            },
            "reasoning": {"type": "string"},
        },
    },
}


class SubmissionError(EngineError):
    """A reply is no verification; the message names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What the verifier said, with numbers in 0..1."""

    mentions: tuple[str, ...]
    verified: frozenset[str]
    unverified: frozenset[str]
    gaps: tuple[str, ...]
    contradictions: tuple[str, ...]
    remarks: tuple[str, ...]
    confidence: float
    completeness: float
    reasoning: str
    clamped: tuple[ReportWarning, ...] = ()


def parse_submission(arguments: str) -> Submission:
    """Read the arguments of a `submit_verification` call.

    Raises:
        SubmissionError: If they are no JSON object of exactly this shape.
    """
    data = _load(arguments)
    unknown = sorted(set(data) - {*LISTS, *NUMBERS, "reasoning"})
    if unknown:
        raise SubmissionError(f"{unknown[0][:100]}: no such field")
    lists = {name: _strings(data, name) for name in LISTS}
    numbers, clamped = {}, []
    for name in NUMBERS:
        given = _number(data, name)
        numbers[name] = min(1.0, max(0.0, given))
        if numbers[name] != given:
            clamped.append(
                ReportWarning(
                    code=f"{name.upper()}_CLAMPED",
                    message=f"The verifier's {name} lay outside 0..1.",
                    details={"given": given},
                )
            )
    spoken = lists["warnings"]
    marked = tuple(text for text in spoken if text.upper().startswith(CONTRADICTION))
    return Submission(
        mentions=lists["mentions"],
        verified=frozenset(lists["verified"]),
        unverified=frozenset(lists["unverified"]),
        gaps=lists["gaps"],
        contradictions=tuple(text[len(CONTRADICTION) :].strip() for text in marked),
        remarks=tuple(text for text in spoken if text not in marked),
        confidence=numbers["confidence"],
        completeness=numbers["completeness"],
        reasoning=_text(data, "reasoning"),
        clamped=tuple(clamped),
    )


def _load(arguments: str) -> dict[str, Any]:
    try:
        data = json.loads(
            arguments, object_pairs_hook=_unique, parse_constant=_refuse_constant
        )
    except (ValueError, RecursionError) as error:
        raise SubmissionError(f"the arguments are no JSON: {error}") from error
    if not isinstance(data, dict):
        raise SubmissionError("the arguments are no JSON object")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key stands twice")
    return data


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _strings(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = data.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise SubmissionError(f"{name}: a list of strings is required")
    if len(value) > MAX_ENTRIES:
        raise SubmissionError(f"{name}: more than {MAX_ENTRIES} entries")
    return tuple(one[:MAX_CHARACTERS] for one in value)


def _number(data: Mapping[str, Any], name: str) -> float:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SubmissionError(f"{name}: a number is required")
    # An integer may be too large for a float, and 1e999 arrives as infinity.
    if not -1e300 < value < 1e300 or not math.isfinite(value):
        raise SubmissionError(f"{name}: a finite number is required")
    return float(value)


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise SubmissionError(f"{name}: a string is required")
    return value[:MAX_CHARACTERS]
