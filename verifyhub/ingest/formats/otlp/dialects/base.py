"""The interface of a dialect: the conventions of one instrumentor."""

from collections.abc import Callable
from dataclasses import dataclass

from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.reading import SpanReading
from verifyhub.ingest.formats.otlp.span import Span


@dataclass(frozen=True, slots=True)
class SpanDialect:
    """A dialect: its name, and its reader, which returns None for other spans."""

    name: str
    read: Callable[[Span, Keys], SpanReading | None]
