"""Limits of one OTLP request, and reasons for refusing a span."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from verifyhub.ingest.formats.otlp.span import Span, SpanRefusedError

MAX_SPANS = 20_000
MAX_DEPTH = 32
# Attributes, events and their attributes, links: entries of one span together.
MAX_ENTRIES = 20_000
MAX_INT = 2**63
TRACE_ID_DIGITS, SPAN_ID_DIGITS = 32, 16
HEX = frozenset("0123456789abcdef")

Raw = TypeVar("Raw")


class OtlpError(ValueError):
    """A whole request cannot be read; `status` is the HTTP status of the reply."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class SpanBatch:
    """The spans of a request, with the number of refused ones and the reason."""

    spans: tuple[Span, ...]
    refused: int = 0
    reason: str = ""


def batch_of(raws: Iterable[Raw], read: Callable[[Raw], Span]) -> SpanBatch:
    """Read each span; a refused one does not affect the others.

    Raises:
        OtlpError: If there are more than `MAX_SPANS`.
    """
    spans, refused, reason = [], 0, ""
    for count, raw in enumerate(raws):
        if count >= MAX_SPANS:
            raise OtlpError(f"The request contains more than {MAX_SPANS} spans.")
        try:
            spans.append(read(raw))
        except SpanRefusedError as error:
            refused, reason = refused + 1, reason or str(error)
    return SpanBatch(tuple(spans), refused, reason)


def checked_id(text: str, digits: int, kind: str) -> str:
    """Return an id in lower case.

    Raises:
        SpanRefusedError: If its length or a character is wrong, or all are zeros.
    """
    lower = text.lower()
    if len(lower) != digits or not set(lower) <= HEX or not lower.strip("0"):
        raise SpanRefusedError(f"A {kind} is not {digits} hexadecimal digits.")
    return lower


def parent_of(text: str) -> str:
    """Return a parent's id; empty if the span has no parent."""
    if not text.strip("0"):
        return ""
    return checked_id(text, SPAN_ID_DIGITS, "parent span id")


def moment(value: int) -> int:
    """Return a time in ns since 1970.

    Raises:
        SpanRefusedError: If it is negative or exceeds 63 bits.
    """
    if not 0 <= value < MAX_INT:
        raise SpanRefusedError("A time of a span is out of range.")
    return value


class Entries:
    """Counts the entries of one span."""

    def __init__(self) -> None:
        self._left = MAX_ENTRIES

    def each(self, items: Iterable[Raw]) -> Iterator[Raw]:
        """Yield the items and count them as entries.

        Raises:
            SpanRefusedError: If the span has more than `MAX_ENTRIES`.
        """
        for item in items:
            self._left -= 1
            if self._left < 0:
                raise SpanRefusedError(f"A span has more than {MAX_ENTRIES} entries.")
            yield item
