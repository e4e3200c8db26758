"""A span of OpenTelemetry as plain data, independent of its encoding."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("unspecified", "internal", "server", "client", "producer", "consumer")
STATUSES = ("unset", "ok", "error")


class SpanRefusedError(ValueError):
    """One span cannot be accepted; the others of its request can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEvent:
    """An event of a span; time in ns since 1970."""

    name: str
    time_ns: int
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span: ids in lower-case hexadecimal, times in ns since 1970, 0 if unknown.

    All attributes are JSON values without NUL, lone surrogates and NaN; bytes are
    base64. Their keys are untrusted data.
    """

    trace_id: str
    span_id: str
    parent_id: str = ""
    name: str = ""
    kind: str = "unspecified"
    start_ns: int = 0
    end_ns: int = 0
    status: str = "unset"
    status_message: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[SpanEvent, ...] = ()
    links: tuple[Mapping[str, str], ...] = ()
    resource: Mapping[str, Any] = field(default_factory=dict)
    scope: str = ""
    scope_version: str = ""
    scope_attributes: Mapping[str, Any] = field(default_factory=dict)
    schema_url: str = ""

    @property
    def has_ended(self) -> bool:
        """Whether it has an end: some exporters send spans before they end."""
        return self.end_ns > 0

    @property
    def order(self) -> tuple[int, str]:
        """The sort key of spans, which does not depend on their arrival."""
        return self.start_ns, self.span_id

    def as_json(self) -> dict[str, Any]:
        """Return the span as JSON; `span_of` reads it back."""
        # Not `asdict`, which copies each value of the attributes.
        data = {name: getattr(self, name) for name in self.__slots__}
        events = [
            {name: getattr(event, name) for name in event.__slots__}
            for event in self.events
        ]
        return {**data, "events": events, "links": list(self.links)}


def span_of(data: Mapping[str, Any]) -> Span:
    """Return the span that `as_json` wrote."""
    events = tuple(SpanEvent(**event) for event in data["events"])
    return Span(**{**data, "events": events, "links": tuple(data["links"])})
