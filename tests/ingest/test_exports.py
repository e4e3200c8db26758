"""Exports of Langfuse and Phoenix, in every shape in which they are written."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from verifyhub.ingest.formats.bulk.items import read_line
from verifyhub.ingest.formats.bulk.parquet import parquet_items
from verifyhub.ingest.formats.bulk.streams import (
    BrokenStreamError,
    csv_items,
    raw_items,
)
from verifyhub.ingest.formats.otlp.understanding import understand
from verifyhub.ingest.formats.transcripts import read_transcript

TRACE = "0af7651916cd43dd8448eb211c80319c"
TASK, ANSWER = "Which module parses dates?", "`dates.py` does."
CALLS = [
    {
        "id": "call_1",
        "type": "function",
        "function": {"name": "list_files", "arguments": '{"path": "."}'},
    }
]
LISTING = "calendar.py\ndates.py"


def langfuse_trace() -> dict[str, Any]:
    """As `GET /api/public/traces/{id}` returns it."""
    return {
        "id": TRACE,
        "timestamp": "2026-05-29T13:46:19.963Z",
        "name": "helper",
        "input": {"question": TASK},
        "output": {"answer": ANSWER},
        "sessionId": "s-1",
        "userId": "u-1",
        "release": None,
        "tags": ["prod"],
        "public": False,
        "environment": "default",
        "htmlPath": "/project/p/traces/1",
        "latency": 2.5,
        "totalCost": 0.001,
        "observations": [
            observation("model-1", "GENERATION", "chat", 20, None, None)
            | {
                "input": [{"role": "user", "content": TASK}],
                "output": {"role": "assistant", "content": None, "tool_calls": CALLS},
                "model": "gpt-5-mini",
                "usageDetails": {"input": 120, "output": 18, "total": 138},
            },
            observation("tool-1", "TOOL", "list_files", 21, {"path": "."}, LISTING),
        ],
        "scores": [],
    }


def observation(name, kind, called, second, given, made) -> dict[str, Any]:
    return {
        "id": name,
        "traceId": TRACE,
        "type": kind,
        "name": called,
        "startTime": f"2026-05-29T13:46:{second}.000Z",
        "endTime": f"2026-05-29T13:46:{second}.500Z",
        "parentObservationId": None,
        "level": "DEFAULT",
        "input": given,
        "output": made,
    }


SNAKE = {
    "traceId": "trace_id",
    "parentObservationId": "parent_observation_id",
    "startTime": "start_time",
    "endTime": "end_time",
    "usageDetails": "usage_details",
    "model": "provided_model_name",
    "sessionId": "session_id",
    "userId": "user_id",
}


def blob_rows() -> list[dict[str, Any]]:
    """As the export to blob storage writes rows: texts of JSON, times with a blank."""
    trace = langfuse_trace()
    rows = [{k: v for k, v in trace.items() if k not in ("observations", "scores")}]
    rows += trace["observations"]
    return [
        {
            SNAKE.get(key, key): json.dumps(value)
            if key in ("input", "output") and not isinstance(value, str)
            else str(value).replace("T", " ").replace("Z", "")
            if key in ("startTime", "endTime", "timestamp")
            else value
            for key, value in row.items()
        }
        for row in rows
    ]


def phoenix_rows() -> list[dict[str, Any]]:
    """As a data frame of Phoenix holds spans, a column for each attribute."""
    agent, model, tool = "00f067aa0ba902b7", "00f067aa0ba902b8", "00f067aa0ba902b9"
    question = {"message.role": "user", "message.content": TASK}
    asked = {
        "tool_call.id": "call_1",
        "tool_call.function.name": "list_files",
        "tool_call.function.arguments": '{"path": "."}',
    }
    called = {"message.role": "assistant", "message.tool_calls": [asked]}
    return [
        span(agent, None, "AGENT", 0)
        | {
            "attributes.input.value": TASK,
            "attributes.output.value": ANSWER,
            "attributes.session.id": "s-1",
        },
        span(model, agent, "LLM", 1)
        | {
            "attributes.llm.model_name": "gpt-5-mini",
            "attributes.llm.input_messages": [question],
            "attributes.llm.output_messages": [called],
            "attributes.llm.token_count.prompt": 120,
            "attributes.llm.token_count.completion": 18,
        },
        span(tool, agent, "TOOL", 2)
        | {
            "attributes.tool.name": "list_files",
            "attributes.input.value": '{"path": "."}',
            "attributes.output.value": LISTING,
        },
    ]


def span(name, parent, kind, second) -> dict[str, Any]:
    return {
        "context.trace_id": TRACE,
        "context.span_id": name,
        "parent_id": parent,
        "name": kind.lower(),
        "span_kind": kind,
        "start_time": f"2026-05-29T13:46:1{second}.000+00:00",
        "end_time": f"2026-05-29T13:46:1{second}.900+00:00",
        "status_code": "OK",
        "status_message": "",
        "events": [],
    }


def nested(row: dict[str, Any]) -> dict[str, Any]:
    """The same span as Phoenix's API and its JSON Lines write it."""
    attributes = {k[11:]: v for k, v in row.items() if k.startswith("attributes.")}
    plain = {k: v for k, v in row.items() if "." not in k}
    context = {"trace_id": TRACE, "span_id": row["context.span_id"]}
    return {**plain, "context": context, "attributes": attributes}


def as_lines(rows: list[dict[str, Any]]) -> io.BytesIO:
    return io.BytesIO("\n".join(json.dumps(row) for row in rows).encode())


def as_array(rows: list[dict[str, Any]]) -> io.BytesIO:
    return io.BytesIO(json.dumps(rows, indent=2).encode())


def as_csv(rows: list[dict[str, Any]]) -> io.BytesIO:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {
                k: json.dumps(v) if isinstance(v, list | dict) else v
                for k, v in row.items()
            }
        )
    return io.BytesIO(text.getvalue().encode())


def as_parquet(rows: list[dict[str, Any]]) -> io.BytesIO:
    names = list(dict.fromkeys(name for row in rows for name in row))
    filled = [{name: row.get(name) for name in names} for row in rows]
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(filled), file)
    file.seek(0)
    return file


SHAPES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], Any]] = {
    "langfuse, a trace of the API": (lambda: [langfuse_trace()], as_array, raw_items),
    "langfuse, traces as lines": (lambda: [langfuse_trace()], as_lines, raw_items),
    "langfuse, rows of blob storage": (blob_rows, as_lines, raw_items),
    "langfuse, CSV": (blob_rows, as_csv, csv_items),
    "phoenix, a data frame as lines": (phoenix_rows, as_lines, raw_items),
    "phoenix, spans of the API": (
        lambda: [nested(row) for row in phoenix_rows()],
        as_array,
        raw_items,
    ),
    "phoenix, CSV": (phoenix_rows, as_csv, csv_items),
    "phoenix, Parquet": (phoenix_rows, as_parquet, parquet_items),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_an_export_becomes_the_same_run(shape):
    rows, written, items = SHAPES[shape]

    lines = [
        read_line(item, format_name="auto", owner="b")
        for item in items(written(rows()))
    ]

    assert [line.items for line in lines] == [[]] * len(lines)
    [run] = understand([span for line in lines for span in line.spans]).runs
    found = run.interaction
    assert [found.task, found.answer, found.session] == [TASK, ANSWER, "s-1"]
    [call] = found.tool_calls
    assert [call.tool, call.input, call.output] == [
        "list_files",
        {"path": "."},
        LISTING,
    ]
    assert found.usage is not None
    assert [found.usage.input_tokens, found.usage.output_tokens] == [120, 18]
    assert found.metadata is not None
    assert found.metadata["models"] == ["gpt-5-mini"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("langfuse", as_array([langfuse_trace()]).getvalue()),
        ("langfuse", json.dumps(langfuse_trace()).encode()),
        ("langfuse", as_lines(blob_rows()).getvalue()),
        ("phoenix", as_lines(phoenix_rows()).getvalue()),
    ],
)
def test_a_whole_export_is_told_as_such_and_read_like_a_transcript(name, data):
    transcript = read_transcript(data)

    assert transcript.format == name
    [run] = transcript.interactions
    assert [run.task, run.answer, len(run.tool_calls)] == [TASK, ANSWER, 1]


def test_ids_that_are_no_hexadecimal_are_always_the_same_ones():
    trace = langfuse_trace() | {"id": "run of Tuesday"}
    rows = [
        read_line(item, format_name="langfuse", owner="b")
        for item in raw_items(as_lines([trace, trace]))
    ]

    first, again = (line.spans for line in rows)

    assert first == again
    assert len({span.span_id for span in first}) == 3
    assert {len(span.trace_id) for span in first} == {32}


def test_a_row_that_names_no_trace_is_refused_alone():
    row = {"type": "SPAN", "traceId": None, "id": "a", "startTime": "2026-01-01"}

    [line] = [
        read_line(item, format_name="langfuse", owner="b")
        for item in raw_items(as_lines([row]))
    ]

    assert line.items[0].message.startswith("an observation needs")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\x00" * 40 + b"PAR1"])
def test_what_is_no_parquet_is_refused(data):
    with pytest.raises(BrokenStreamError):
        list(parquet_items(io.BytesIO(data)))
