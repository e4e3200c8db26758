"""Langfuse: rows of traces with observations, of observations, or of traces.

Sources: its API (`GET /api/public/traces/{id}` and `/observations`: camelCase), its
exports from the pages (JSON, CSV) and to blob storage (`observations_v2/`,
`observations/`, `traces/`: snake_case; `input` and `output` may be JSON in a string).
"""

import json
from collections.abc import Mapping
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.entries import first_of
from verifyhub.ingest.formats.exports.rows import (
    RowReader,
    hex_id,
    nanoseconds,
    text_of,
)
from verifyhub.ingest.formats.otlp.keys import parsed
from verifyhub.ingest.formats.otlp.limits import SPAN_ID_DIGITS, TRACE_ID_DIGITS
from verifyhub.ingest.formats.otlp.span import Span

OWN = "langfuse."
OBSERVATION, TRACE = OWN + "observation.", OWN + "trace."
TYPES = frozenset(
    [
        "SPAN",
        "GENERATION",
        "EVENT",
        "AGENT",
        "TOOL",
        "CHAIN",
        "RETRIEVER",
        "EVALUATOR",
        "EMBEDDING",
        "GUARDRAIL",
    ]
)
# A trace row has at least two of these besides its id.
TRACE_COLUMNS = frozenset(
    [
        "sessionId",
        "session_id",
        "userId",
        "user_id",
        "bookmarked",
        "public",
        "release",
        "environment",
        "observations",
        "observationCount",
        "htmlPath",
        "tags",
    ]
)


def recognises(row: Any) -> bool:
    """Return whether an object is a trace or an observation of Langfuse."""
    return isinstance(row, dict) and (_is_observation(row) or _is_trace(row))


def spans(row: Mapping[str, Any]) -> list[Span]:
    """Read a trace with its observations, or one row of either.

    Raises:
        FormatError: If it has no id, or an observation has no trace id.
    """
    if _is_observation(row):
        return [_observation(row, text_of(row, "traceId", "trace_id"), row, "")]
    trace = text_of(row, "id")
    if not trace:
        raise FormatError("id", "is not there.")
    root = _root(row, trace)
    inner = parsed(row.get("observations"))
    observations = (
        [observation for observation in inner if isinstance(observation, dict)]
        if isinstance(inner, list)
        else []
    )
    return [root] + [
        _observation(observation, trace, row, root.span_id)
        for observation in observations
    ]


def _is_observation(row: Mapping[str, Any]) -> bool:
    return text_of(row, "type").upper() in TYPES and bool(
        {"traceId", "trace_id"} & row.keys()
    )


def _is_trace(row: Mapping[str, Any]) -> bool:
    return (
        "id" in row
        and "timestamp" in row
        and ("input" in row or "output" in row)
        and len(TRACE_COLUMNS & row.keys()) >= 2
    )


def _root(row: Mapping[str, Any], trace: str) -> Span:
    """Return the trace itself as the parent span of its observations."""
    began = nanoseconds(row.get("timestamp"))
    latency = row.get("latency")
    lasted = int(latency * 1e9) if isinstance(latency, int | float) else 0
    return Span(
        trace_id=hex_id(trace, TRACE_ID_DIGITS),
        span_id=hex_id(f"trace {trace}", SPAN_ID_DIGITS),
        name=text_of(row, "name"),
        start_ns=began,
        end_ns=max(1, began + max(0, lasted)),
        attributes=_without_empty(
            {
                OBSERVATION + "type": "chain",
                **_of_trace(row),
                TRACE + "input": _attribute_text(row.get("input")),
                TRACE + "output": _attribute_text(row.get("output")),
            }
        ),
        scope="langfuse export",
    )


def _observation(
    row: Mapping[str, Any], trace: str, around: Mapping[str, Any], root: str
) -> Span:
    own = text_of(row, "id")
    if not own or not trace:
        raise FormatError("id", "an observation needs its id and its trace's.")
    parent = text_of(row, "parentObservationId", "parent_observation_id")
    began = nanoseconds(first_of(row, "startTime", "start_time"))
    ended = nanoseconds(first_of(row, "endTime", "end_time"))
    level = text_of(row, "level")
    return Span(
        trace_id=hex_id(trace, TRACE_ID_DIGITS),
        span_id=hex_id(own, SPAN_ID_DIGITS),
        parent_id=hex_id(parent, SPAN_ID_DIGITS) if parent else root,
        name=text_of(row, "name"),
        start_ns=began,
        end_ns=ended or max(began, 1),
        status="error" if level == "ERROR" else "unset",
        status_message=text_of(row, "statusMessage", "status_message"),
        attributes=_without_empty(
            {
                OBSERVATION + "type": text_of(row, "type").lower(),
                OBSERVATION + "level": level,
                OBSERVATION + "input": _attribute_text(row.get("input")),
                OBSERVATION + "output": _attribute_text(row.get("output")),
                OBSERVATION + "model.name": text_of(
                    row, "model", "providedModelName", "provided_model_name"
                ),
                OBSERVATION + "usage_details": _attribute_text(
                    first_of(row, "usageDetails", "usage_details", "usage")
                ),
                OBSERVATION + "cost_details": _attribute_text(
                    first_of(row, "costDetails", "cost_details")
                ),
                OBSERVATION + "metadata": _attribute_text(row.get("metadata")),
                **_of_trace(around),
            }
        ),
        scope="langfuse export",
    )


def _of_trace(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        OWN + "session.id": text_of(row, "sessionId", "session_id"),
        OWN + "user.id": text_of(row, "userId", "user_id"),
        OWN + "environment": text_of(row, "environment"),
        OWN + "release": text_of(row, "release"),
        TRACE + "name": text_of(row, "traceName", "trace_name"),
        TRACE + "tags": _attribute_text(first_of(row, "tags", "traceTags")),
    }


def _attribute_text(value: Any) -> str:
    """Return a value as an attribute: a string as it is, other values as JSON."""
    if value is None or value in ([], {}):
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _without_empty(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value != ""}


LANGFUSE = RowReader(
    "langfuse", "Langfuse: exported traces and observations", recognises, spans
)
