"""Send spans at a fixed rate, and measure how soon after its root each run is verified.

    python -m bench.spans [--rate 1000] [--seconds 20] [--spans 10]

In a fresh home, clients export traces of agents in the conventions of OpenTelemetry
GenAI, several in each request, as batches of exporters have them: model calls and tools
in two requests, then the last model call with the root, which ends at that time. Prints
the spans that were acknowledged a second, the milliseconds of acknowledgements, and the
seconds from a root's end to its verdict.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from statistics import quantiles

from opentelemetry.proto.trace.v1.trace_pb2 import Span

from bench.fresh_home import fresh_home
from bench.ingest import OTLP_PATH, PATH, PROTOBUF, Server
from bench.ingest_runs import BenchRun, made_runs, otlp_request, otlp_span

OK = 200
PATIENCE_SECONDS = 60


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.spans")
    add = parser.add_argument
    add("--rate", type=float, default=1000, help="spans a second, offered")
    add("--seconds", type=float, default=20)
    add("--spans", type=int, default=10, help="of a trace")
    add("--together", type=int, default=5, help="traces in one request")
    add("--clients", type=int, default=8)
    add("--kilobytes", type=int, default=20, help="of a trace's tool outputs")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (_, server):
            return _measure(server, arguments)


def _measure(server: Server, arguments: argparse.Namespace) -> int:
    tools = (arguments.spans - 2) // 2
    count = int(arguments.rate * arguments.seconds / (2 * tools + 2))
    runs = made_runs(count, arguments.kilobytes, calls=tools)
    together = arguments.together
    groups = [runs[at : at + together] for at in range(0, count, together)]
    per_second = arguments.rate / (2 * tools + 2) / together
    ended: dict[str, float] = {}
    ms: list[float] = []
    began, lock, at = time.time(), threading.Lock(), iter(enumerate(groups))

    def client(_: int) -> None:
        own = server.connected_again()
        while True:
            with lock:
                place, group = next(at, (0, []))
            if not group:
                return
            time.sleep(max(0, began + place / per_second - time.time()))
            for parts in zip(*map(_requests, group), strict=True):
                started = time.perf_counter()
                kind = {"Content-Type": PROTOBUF}
                # Messages of protobuf that follow each other are one.
                status, reply = own.send("POST", OTLP_PATH, b"".join(parts), kind)
                ms.append((time.perf_counter() - started) * 1000)
                if status != OK:
                    raise SystemExit(f"{status}: {reply[:200]!r}")
            now = time.time()
            ended.update((f"otel-{run.trace_id}", now) for run in group)

    with ThreadPoolExecutor(arguments.clients) as pool:
        list(pool.map(client, range(arguments.clients)))
    rate = count * (2 * tools + 2) / (time.time() - began)
    waits = sorted(_waits(server, ended))
    cuts, acknowledged = quantiles(waits, n=100), quantiles(ms, n=100)
    print(
        f"{count} traces of {2 * tools + 2} spans, {rate:.0f} spans a second; requests"
        f" p50 / p95 / p99 {acknowledged[49]:.0f} / {acknowledged[94]:.0f}"
        f" / {acknowledged[98]:.0f} ms; from a root's acknowledged end to its verdict"
        f" p50 / p95 / p99 / max {cuts[49]:.2f} / {cuts[94]:.2f} / {cuts[98]:.2f}"
        f" / {waits[-1]:.2f} s; without a verdict: {count - len(waits)}"
    )
    return int(len(waits) < count)


def _requests(run: BenchRun) -> Iterator[bytes]:
    """Yield a trace in three requests; the last one holds the root."""
    trace, root = bytes.fromhex(run.trace_id), uuid.uuid4().bytes[:8]
    messages = [_message("user", {"type": "text", "content": run.task})]
    spans = []
    for number, output in enumerate(run.outputs):
        call = {"type": "tool_call", "id": f"call_{number}", "name": "read_file"}
        call["arguments"] = {"path": f"part{number}.py"}  # type: ignore[assignment]
        reply = _message("assistant", call)
        spans.append(_chat(trace, root, messages, reply))
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "read_file",
            "gen_ai.tool.call.id": f"call_{number}",
            "gen_ai.tool.call.arguments": json.dumps(call["arguments"]),
            "gen_ai.tool.call.result": output,
        }
        name = "execute_tool read_file"
        spans.append(_span(trace, root, name, attributes))
        # A model call repeats the outputs in its messages only where content is
        # recorded twice; most exporters record it in the tool's span.
        messages = [*messages, reply]
    half = len(spans) // 2
    yield otlp_request(spans[:half])
    yield otlp_request(spans[half:])
    answer = _message("assistant", {"type": "text", "content": run.answer})
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "reader",
        "gen_ai.input.messages": json.dumps(messages[:1]),
        "gen_ai.output.messages": json.dumps([answer]),
    }
    last = _chat(trace, root, messages, answer)
    ended = time.time_ns()
    agent = otlp_span(trace, root, b"", "invoke_agent", ended, attributes)
    yield otlp_request([last, agent])


def _message(role: str, part: dict[str, str]) -> dict[str, object]:
    return {"role": role, "parts": [part]}


def _chat(trace: bytes, root: bytes, messages: Sequence[object], reply: object) -> Span:
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "bench-1",
        "gen_ai.input.messages": json.dumps(list(messages)),
        "gen_ai.output.messages": json.dumps([reply]),
    }
    return _span(trace, root, "chat bench-1", attributes)


def _span(trace: bytes, root: bytes, name: str, attributes: dict[str, str]) -> Span:
    """Return a span below the root that has just ended."""
    own, ended = uuid.uuid4().bytes[:8], time.time_ns()
    return otlp_span(trace, own, root, name, ended, attributes)


def _waits(server: Server, ended: dict[str, float]) -> list[float]:
    """Return the seconds from each root's end to its verdict, once all have one."""
    until = time.monotonic() + PATIENCE_SECONDS
    while server.ask("GET", "/readyz")[1]["checks"]["queue"]["oldest_seconds"]:
        time.sleep(0.2)
    waits: dict[str, float] = {}
    while len(waits) < len(ended) and time.monotonic() < until:
        for name in ended.keys() - waits:
            status, page = server.ask("GET", f"{PATH}{name}/verifications/")
            if status == OK and (at := page["results"][0]["finished_at"]):
                waits[name] = datetime.fromisoformat(at).timestamp() - ended[name]
    return list(waits.values())


if __name__ == "__main__":
    sys.exit(main())
