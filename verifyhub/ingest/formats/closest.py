"""Which format a document that none recognises comes closest to, by its fields."""

from collections.abc import Iterator
from typing import Any

# What documents of each format hold; `[]` are the entries of an array, or lines.
_FIELDS = {
    "native": ("task", "answer", "tool_calls"),
    "openai_chat": ("messages[].role", "messages[].content"),
    "openai_responses": ("output[].type", "object"),
    "anthropic_messages": ("messages[].role", "messages[].content[].type"),
    "claude_code": ("[].type", "[].message", "[].sessionId"),
    "codex": ("[].type", "[].payload"),
    "copilot": ("[].type", "[].data"),
    "swe_agent": ("trajectory[].action", "trajectory[].observation", "history[].role"),
    "openhands": ("history[].action", "history[].observation", "history[].source"),
    "openhands_events": ("events[].kind", "events[].source"),
    "opencode": ("messages[].info", "messages[].parts"),
    "atif": ("schema_version", "steps[].step_id", "steps[].source"),
    "langchain": ("messages[].type", "messages[].content"),
}
_SAMPLE = 20
_DEPTH = 3
_MOST_SHOWN = 60


def closest_format(value: Any) -> str:
    """Return a sentence on the format that has most of its fields here, or "".

    Args:
        value: The document, as it was parsed.
    """
    held = set(_paths(value, "", _DEPTH))
    shares = {name: _share(fields, held) for name, fields in _FIELDS.items()}
    name = max(shares, key=lambda one: shares[one])
    if not shares[name]:
        if isinstance(value, dict) and value:
            keys = ", ".join(str(key)[:_MOST_SHOWN] for key in list(value)[:5])
            return f"It is an object with {keys}."
        return ""
    has = [field for field in _FIELDS[name] if field in held]
    lacks = [field for field in _FIELDS[name] if field not in held]
    said = f"Closest is {name}: it has {', '.join(has or _begun(name, held))}"
    if not lacks:
        return f"{said}, with other values."
    return f"{said} but no {', '.join(lacks)}."


def _share(fields: tuple[str, ...], held: set[str]) -> float:
    """Weigh the fields that are there; of one that is not, what it stands in."""
    whole = sum(1.0 for field in fields if field in held)
    begun = sum(
        0.25 for field in fields if field not in held and field.split("[]")[0] in held
    )
    return (whole + begun) / len(fields)


def _begun(name: str, held: set[str]) -> list[str]:
    heads = dict.fromkeys(field.split("[]")[0] for field in _FIELDS[name])
    return [head for head in heads if head and head in held]


def _paths(value: Any, place: str, depth: int) -> Iterator[str]:
    """Yield the fields of a document, a few entries of each array deep."""
    if isinstance(value, dict) and depth:
        for key, inner in list(value.items())[: 5 * _SAMPLE]:
            path = f"{place}.{key}" if place else key
            yield path
            yield from _paths(inner, path, depth - 1)
    elif isinstance(value, list):
        for inner in value[:_SAMPLE]:
            yield from _paths(inner, f"{place}[]", depth)
