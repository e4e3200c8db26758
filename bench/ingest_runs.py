"""Runs of a given size for `bench.ingest`, as VerifyHub's own JSON and as OTLP."""

import json
import random
import string
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from verifyhub.ingest.formats.native import without_unknown

SYLLABLES = (
    *("ba", "ke", "li", "mo", "nu", "pra", "sto", "tri"),
    *("ven", "zor", "qua", "dex", "fim", "gul", "hap"),
)
CALLS = 4
SPAN_KIND = "openinference.span.kind"
DENSE, DENSE_LINE = string.ascii_letters + string.digits, 72


@dataclass(frozen=True, slots=True)
class BenchRun:
    """One run: its name, task and answer, and the outputs of its tools."""

    name: str
    task: str
    answer: str
    outputs: tuple[str, ...]

    @property
    def trace_id(self) -> str:
        return uuid.uuid5(uuid.NAMESPACE_OID, self.name).hex

    def as_native(self) -> bytes:
        calls = [
            {"tool": "read_file", "input": {"path": f"part{n}.py"}, "output": text}
            for n, text in enumerate(self.outputs)
        ]
        body = {"id": self.name, "task": self.task, "answer": self.answer}
        return json.dumps({**body, "tool_calls": calls}).encode()

    def as_otlp(self) -> bytes:
        """Return an agent's span with one per tool call, in OpenInference form."""
        ended = time.time_ns()
        trace, root = bytes.fromhex(self.trace_id), uuid.uuid4().bytes[:8]
        told = {
            SPAN_KIND: "AGENT",
            "input.value": self.task,
            "output.value": self.answer,
        }
        spans = [otlp_span(trace, root, b"", "agent", ended, told)]
        for number, text in enumerate(self.outputs):
            told = {
                SPAN_KIND: "TOOL",
                "tool.name": "read_file",
                "input.value": json.dumps({"path": f"part{number}.py"}),
                "output.value": text,
            }
            own = uuid.uuid4().bytes[:8]
            spans.append(otlp_span(trace, own, root, "read_file", ended, told))
        return otlp_request(spans)


def otlp_request(spans: Sequence[Span]) -> bytes:
    """Return a request that exports some spans, in protobuf."""
    scope = ResourceSpans(scope_spans=[ScopeSpans(spans=spans)])
    return bytes(ExportTraceServiceRequest(resource_spans=[scope]).SerializeToString())


def otlp_span(
    trace: bytes,
    own: bytes,
    parent: bytes,
    name: str,
    ended_ns: int,
    attributes: Mapping[str, str],
) -> Span:
    """Return a span of a millisecond; without a parent it is a root."""
    return Span(
        trace_id=trace,
        span_id=own,
        parent_span_id=parent,
        name=name,
        start_time_unix_nano=ended_ns - 1_000_000,
        end_time_unix_nano=ended_ns,
        attributes=[
            KeyValue(key=key, value=AnyValue(string_value=text))
            for key, text in attributes.items()
        ],
    )


def made_runs(
    count: int, kilobytes: int, *, calls: int = CALLS, dense: bool = False
) -> list[BenchRun]:
    """Create different runs of about so many kilobytes.

    Args:
        count: The number of runs.
        kilobytes: The outputs of each run's tools together.
        calls: The number of tool calls in each run.
        dense: Whether the outputs are random texts, which hardly compress.
    """
    dice = random.Random(17)
    mark = uuid.uuid4().hex[:8]
    lines = _dense_lines if dense else _lines
    size = kilobytes * 1000 // calls
    return [
        _made(
            f"bench-{mark}-{n}",
            ["".join(lines(dice, size))[:size] for _ in range(calls)],
        )
        for n in range(count)
    ]


def _made(name: str, outputs: Sequence[str]) -> BenchRun:
    known = outputs[0].split("(")[0].removeprefix("def ")
    return BenchRun(
        name=name,
        task="Which function opens the file?",
        answer=f"`{known}()` in part0.py does; `missing_{name[-4:]}()` closes it.",
        outputs=tuple(outputs),
    )


def _lines(dice: random.Random, size: int) -> Iterator[str]:
    written = 0
    while written < size:
        name = "_".join("".join(dice.choices(SYLLABLES, k=2)) for _ in range(2))
        line = f"def {name}(value):\n    return {dice.randrange(10**6)} + value\n\n"
        written += len(line)
        yield line


def _dense_lines(dice: random.Random, size: int) -> Iterator[str]:
    """Return one definition, then lines of random letters and digits."""
    first = next(_lines(dice, size))
    yield first
    for start in range(len(first), size, DENSE_LINE):
        length = min(DENSE_LINE, size - start) - 1
        yield "".join(dice.choices(DENSE, k=length)) + "\n"


def runs_of(data: Path, repeat: int) -> list[tuple[str, bytes]]:
    """Yield name and body of each run of a file, with new names each time."""
    mark = uuid.uuid4().hex[:8]
    runs = []
    for turn in range(repeat):
        for line in data.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            name = f"{record.get('id', len(runs))}-{mark}-{turn}"
            run = without_unknown(record)[0]
            runs.append((name, json.dumps({**run, "id": name}).encode()))
    return runs
