"""Shared code of the readers of exported rows."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from verifyhub.ingest.formats.entries import first_of
from verifyhub.ingest.formats.otlp.limits import HEX
from verifyhub.ingest.formats.otlp.span import Span

MAX_DEPTH = 32
# Attributes of one span after flattening lists and objects.
MAX_ATTRIBUTES = 20_000
BILLION = 1_000_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class RowReader:
    """Converts the rows of one tool's export to spans.

    `recognises` returns whether a row is of this tool; `spans` returns the spans of a
    row (several for a trace with its observations) and raises FormatError for bad ones.
    """

    name: str
    about: str
    recognises: Callable[[Any], bool]
    spans: Callable[[Mapping[str, Any]], list[Span]]


def text_of(row: Mapping[str, Any], *names: str) -> str:
    """Return the first present member if it is a string, or else an empty string."""
    value = first_of(row, *names)
    return value if isinstance(value, str) else ""


def hex_id(identifier: str, digits: int) -> str:
    """Return an OpenTelemetry id for any id; the same one each time.

    A valid id, or a UUID of the right length, is kept; other ids are hashed.
    """
    plain = identifier.lower().removeprefix("0x").replace("-", "")
    if len(plain) == digits and set(plain) <= HEX and plain.strip("0"):
        return plain
    return hashlib.sha256(identifier.encode()).hexdigest()[:digits]


def nanoseconds(value: Any) -> int:
    """Return a time in ns since 1970; 0 if the value is not a time.

    Accepts ISO 8601 (also with a blank; in UTC without an offset) and numbers, whose
    size tells seconds, milliseconds, microseconds and nanoseconds apart.
    """
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return 0
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        elapsed = aware - EPOCH
        microseconds = (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000
        return max(0, (microseconds + elapsed.microseconds) * 1000)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if not math.isfinite(value) or value <= 0:
        return 0
    for per_second in (1, 1000, 1_000_000, BILLION):
        if value < 1e11 * per_second:
            return int(value * (BILLION // per_second))
    return 0


def flat(value: Any) -> dict[str, Any]:
    """Write nested objects, and lists of objects, as dotted names.

    `{"llm": {"input_messages": [{"message.role": "user"}]}}` is
    `llm.input_messages.0.message.role`. Lists of plain values stay lists.
    """
    leaves: dict[str, Any] = {}
    for name, leaf in _leaves(value, "", MAX_DEPTH):
        leaves[name] = leaf
        if len(leaves) >= MAX_ATTRIBUTES:
            break
    return leaves


def _leaves(value: Any, prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    items: Sequence[tuple[str, Any]] = ()
    if isinstance(value, dict) and depth:
        items = [(str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list) and depth and any(isinstance(v, dict) for v in value):
        items = [(str(index), inner) for index, inner in enumerate(value)]
    elif prefix and value is not None:
        yield prefix, value
    for key, inner in items:
        yield from _leaves(inner, f"{prefix}.{key}" if prefix else key, depth - 1)
