"""The verdict object in the order a person reads it.

PostgreSQL's jsonb keeps no order of keys; over the API the object looks as it does from
the command line.
"""

from typing import Any

ORDER = {
    name: place
    for place, name in enumerate(
        (
            *("schema", "id", "verdict", "confidence", "coverage", "completeness"),
            *("strictness", "explanation"),
            *(
                "mentions",
                "completion_claims",
                "values",
                "claims",
                "checks",
                "gaps",
                "warnings",
            ),
            *("decision", "name", "outcome", "score", "code", "message", "action"),
            *("text", "kind", "key", "spans", "status", "reason", "grade", "evidence"),
            *("suggestion", "tool_call", "field", "span", "details"),
            *("additional_context", "follow_ups"),
        )
    )
}


def in_reading_order(value: Any) -> Any:
    """Return a JSON value with the keys of its objects in reading order."""
    if isinstance(value, list):
        return [in_reading_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    keys = sorted(value, key=lambda key: (ORDER.get(key, len(ORDER)), key))
    return {key: in_reading_order(value[key]) for key in keys}
