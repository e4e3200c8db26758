"""Read a decision from outside JSON; every refusal names the field."""

from collections.abc import Callable, Mapping
from typing import Any

from verifyhub.review.decisions import (
    ClaimFlip,
    Decision,
    FactFlip,
    MentionFlip,
    Missed,
)

FLAT = {"agree": bool, "verdict": str, "correction": str, "note": str, "reason": str}
LISTS: dict[str, tuple[Callable[..., Any], dict[str, type], set[str]]] = {
    "mentions": (
        MentionFlip,
        {"index": int, "status": str, "suggestion": str},
        {"index", "status"},
    ),
    "claims": (ClaimFlip, {"index": int, "status": str}, {"index", "status"}),
    "facts": (FactFlip, {"index": int, "status": str}, {"index", "status"}),
    "missed": (
        Missed,
        {"text": str, "kind": str, "status": str, "start": int, "suggestion": str},
        {"text", "kind", "status"},
    ),
}
WORDS = {bool: "true or false", str: "a string", int: "a whole number"}


class DecisionJSONError(Exception):
    """A field is unknown, missing or of another type."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field} {message}")
        self.field, self.message = field, message


def parse_decision(data: Mapping[str, Any]) -> Decision:
    """Make a decision of an object's fields; what they say is checked later.

    Raises:
        DecisionJSONError: With the path of the first field that cannot be used.
    """
    parts: dict[str, Any] = {}
    for name, value in data.items():
        if name in FLAT:
            parts[name] = _typed(name, value, FLAT[name])
        elif name in LISTS:
            rows = _listed(name, value)
            parts[name] = tuple(_part(name, i, row) for i, row in enumerate(rows))
        elif name == "reason_codes":
            rows = _listed(name, value)
            codes = (_typed(f"{name}[{i}]", v, str) for i, v in enumerate(rows))
            parts[name] = tuple(codes)
        else:
            raise DecisionJSONError(name[:100], "is unknown.")
    return Decision(**parts)


def _part(name: str, at: int, row: Any) -> Any:
    make, fields, required = LISTS[name]
    where = f"{name}[{at}]"
    if not isinstance(row, dict):
        raise DecisionJSONError(where, "must be an object.")
    for field in row:
        if field not in fields:
            raise DecisionJSONError(f"{where}.{field[:100]}", "is unknown.")
    if missing := sorted(required - row.keys()):
        raise DecisionJSONError(f"{where}.{missing[0]}", "is required.")
    typed = {f: _typed(f"{where}.{f}", value, fields[f]) for f, value in row.items()}
    return make(**typed)


def _listed(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise DecisionJSONError(name, "must be a list.")
    return value


def _typed(name: str, value: Any, kind: type) -> Any:
    # A JSON true is no number, though Python counts it as one; NUL fits no column.
    if type(value) is not kind:
        raise DecisionJSONError(name, f"must be {WORDS[kind]}.")
    if isinstance(value, str) and "\0" in value:
        raise DecisionJSONError(name, "must hold no NUL.")
    if isinstance(value, int) and not 0 <= value < 2**31:
        raise DecisionJSONError(name, "must be 0 or more.")
    return value
