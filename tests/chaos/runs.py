"""Runs of one seed: what each says, by which door it comes, and what is awaited of it.

Each mentions a file that its tools returned, one that nobody returned, and one of a few
wrong names that many runs share, so that memory and constraints come of them.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

# How many of a hundred runs come by each door.
SHARES = {"single": 30, "bulk": 30, "otlp": 15, "transcript": 15, "mcp": 10}
BULK_RUNS = 10
SHARED_NAMES, SESSION_RUNS = 40, 8
STARTED_NS = 1_767_225_600_000_000_000


@dataclass(frozen=True, slots=True)
class ChaosRun:
    """One run; the same seed and number make the same bytes."""

    number: int
    door: str
    task: str
    answer: str
    output: str
    path: str
    key: int
    """Which of the project's keys sends it."""
    agent: str = ""
    """The agent whose run it is, where that is told; a transcript does not tell it."""

    @property
    def session(self) -> str:
        return f"{self.door}-{self.number // SESSION_RUNS}"

    @property
    def id(self) -> str:
        """Return the id under which it is stored, but for a transcript's turn."""
        is_trace = self.door == "otlp"
        return f"otel-{self.trace_id.hex()}" if is_trace else f"run-{self.number}"

    @property
    def trace_id(self) -> bytes:
        return hashlib.sha256(f"trace {self.number}".encode()).digest()[:16]

    def as_native(self) -> dict[str, object]:
        call = {
            "tool": "read_file",
            "input": {"path": self.path},
            "output": self.output,
            "status": "ok",
        }
        return {
            **({"agent": {"name": self.agent}} if self.agent else {}),
            "id": self.id,
            "session": self.session,
            "task": self.task,
            "answer": self.answer,
            "tool_calls": [call],
        }

    def as_transcript(self) -> bytes:
        """Write it as messages of a chat, a document of its own."""
        arguments = json.dumps({"path": self.path})
        call = {
            "id": "c1",
            "type": "function",
            "function": {"name": "read_file", "arguments": arguments},
        }
        messages = [
            {"role": "user", "content": self.task},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": self.output},
            {"role": "assistant", "content": self.answer},
        ]
        return json.dumps({"messages": messages}).encode()

    def as_spans(self) -> tuple[bytes, bytes]:
        """Write it as two requests: the tool's span, then the one of the agent."""
        agent = {"input.value": self.task, "output.value": self.answer}
        if self.agent:
            agent["agent.name"] = self.agent
        tool = {
            "tool.name": "read_file",
            "input.value": json.dumps({"path": self.path}),
            "output.value": self.output,
        }
        root, child = self.trace_id[:8], self.trace_id[8:]
        return (
            self._request(child, root, "read_file", "TOOL", tool),
            self._request(root, b"", "agent", "AGENT", agent),
        )

    def _request(
        self, own: bytes, parent: bytes, name: str, kind: str, told: dict[str, str]
    ) -> bytes:
        began = STARTED_NS + self.number
        attributes = {"openinference.span.kind": kind, **told}
        span = Span(
            trace_id=self.trace_id,
            span_id=own,
            parent_span_id=parent,
            name=name,
            start_time_unix_nano=began,
            end_time_unix_nano=began + 1_000_000,
            attributes=[
                KeyValue(key=key, value=AnyValue(string_value=text))
                for key, text in attributes.items()
            ],
        )
        scope = ScopeSpans(spans=[span])
        request = ExportTraceServiceRequest(
            resource_spans=[ResourceSpans(scope_spans=[scope])]
        )
        return bytes(request.SerializeToString())


def runs_of(
    seed: int, count: int, keys: int, *, first: int = 0, agent: str = ""
) -> list[ChaosRun]:
    """Make so many runs, numbered from `first`, each sent by one of so many keys."""
    dice = random.Random(seed)
    doors = dice.choices(list(SHARES), weights=list(SHARES.values()), k=count)
    # Each door has one at least.
    doors[: len(SHARES)] = list(SHARES)[:count]
    return [
        _run(dice, number, door, keys, agent)
        for number, door in enumerate(doors, first)
    ]


def _run(
    dice: random.Random, number: int, door: str, keys: int, agent: str
) -> ChaosRun:
    path = f"src/part_{number}.py"
    lines = "\n".join(
        f"def step_{number}_{line}(value):\n    return value + {dice.randrange(10**6)}"
        for line in range(dice.randrange(3, 40))
    )
    shared = f"ledger_{dice.randrange(SHARED_NAMES)}.py"
    return ChaosRun(
        number=number,
        door=door,
        task=f"Which function of step {number} comes first?",
        answer=(
            f"It is `step_{number}_0()` in {path}; `helpers/{shared}` calls it, and"
            f" `missing_{number}()` closes it."
        ),
        output=lines,
        path=path,
        key=dice.randrange(keys),
        agent=agent,
    )


def sendings(runs: Sequence[ChaosRun]) -> Iterator[list[ChaosRun]]:
    """Put together what is sent at once: bulks of one key, all others alone."""
    bulks: dict[int, list[ChaosRun]] = {}
    for run in runs:
        if run.door != "bulk":
            yield [run]
            continue
        bulk = bulks.setdefault(run.key, [])
        bulk.append(run)
        if len(bulk) == BULK_RUNS:
            yield bulks.pop(run.key)
    yield from bulks.values()
