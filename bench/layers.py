"""Latency and cost of each risk profile: `python -m bench.layers`.

A local server implements the chat-completions protocol with the delays and the usage of
a small hosted model. It answers correctly, with occasional exceptions. Each profile is
run for a text that all five layers apply to, once alone and many times concurrently,
with the same client, guard and adapters as in production; then with half of the money
that it needs. Runs that a cap stopped are counted; a run that cost more than its cap
ends the benchmark with an error.

Server and client run on this machine: the figures of concurrent runs depend on its
load.
"""

import argparse
import json
import os
import random
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psutil

from verifyhub.egress.policy import EgressPolicy, target_of
from verifyhub.engine.layer_results import DetectionResult, Risk, RiskLevel
from verifyhub.engine.layers.base import LayerInput, LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.llm.endpoint import ChatEndpoint, ReplyMode
from verifyhub.engine.llm.models import model_at
from verifyhub.engine.risk.profiles import PROFILES, Profile

# US dollars per million tokens of small hosted models: 0.10 and 0.40.
PRICES = (100_000, 400_000)
# Seconds until the first token, and for each further one.
FIRST_TOKEN, EACH_TOKEN = 0.15, 0.008
BYTES_PER_TOKEN = 4
# The percentage of opinions that differ.
ODD_ONES = 5
PARALLEL = 50
ANSWERS = (
    "The bridge was opened in 1932.",
    "It was opened in 1932.",
    "The bridge opened to traffic in 1932.",
)
SUBJECT = LayerInput(
    text="The bridge was opened in 1932. It spans the harbour. It has four lanes.",
    task="When was the bridge opened, and what is it like?",
    context="The bridge was opened in 1932. It spans the harbour with four lanes.",
    sources=(
        "A plaque at the bridge names 1932 as the year in which it was opened.",
        "The register of the harbour lists a bridge of four lanes, opened in 1932.",
        "The newspaper reported in 1932 that the bridge over the harbour was open.",
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{'profile':<9}{'at once':>8}{'runs':>6}{'p50 s':>8}{'p95 s':>8}{'max s':>8}"
        f"{'calls':>7}{'mean $':>10}{'max $':>10}{'cap $':>10}  outcomes, stopped by"
    )
    with model_server(slowness=arguments.slowness) as base_url:
        measure(base_url, PROFILES[RiskLevel.CRITICAL], runs=1, at_once=1)
        before = psutil.Process().memory_info().rss
        for level in arguments.profiles:
            profile = PROFILES[RiskLevel(level)]
            alone = measure(base_url, profile, runs=arguments.alone, at_once=1)
            print(alone.line(), flush=True)
            # With less than half, the cap on money ends a run.
            half = statistics.mean(alone.costs) / 2
            for one in (profile, replace(profile, microdollars=round(half))):
                many = arguments.parallel
                found = measure(base_url, one, runs=many, at_once=many)
                print(found.line(), flush=True)
                if found.overshot:
                    print(f"{found.overshot} runs cost more than their cap")
                    return 1
    grown = (psutil.Process().memory_info().rss - before) / 1e6
    print(
        f"load of this machine: {os.getloadavg()[0]:.1f}; memory grew by {grown:.0f} MB"
    )
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.layers")
    parser.add_argument("--parallel", type=int, default=PARALLEL)
    parser.add_argument("--alone", type=int, default=10, help="runs one by one")
    parser.add_argument("--slowness", type=float, default=1.0, help="times the delays")
    parser.add_argument("profiles", nargs="*", default=[str(one) for one in RiskLevel])
    return parser.parse_args(argv)


@dataclass(frozen=True, slots=True)
class Measured:
    """Runs of one profile."""

    profile: Profile
    at_once: int
    results: Sequence[DetectionResult]

    @property
    def costs(self) -> list[int]:
        return [result.cost.microdollars or 0 for result in self.results]

    @property
    def overshot(self) -> int:
        """Return how many cost more than the profile allows."""
        return sum(cost > self.profile.microdollars for cost in self.costs)

    def line(self) -> str:
        times = sorted(result.latency_seconds for result in self.results)
        p95 = times[min(len(times) - 1, round(0.95 * (len(times) - 1)))]
        calls = statistics.mean(result.cost.calls for result in self.results)
        outcomes = Counter(str(result.outcome) for result in self.results)
        stopped = Counter(r.stopped_by for r in self.results if r.stopped_by)
        return (
            f"{self.profile.level:<9}{self.at_once:>8}{len(times):>6}"
            f"{statistics.median(times):>8.2f}{p95:>8.2f}{times[-1]:>8.2f}"
            f"{calls:>7.1f}{statistics.mean(self.costs) / 1e6:>10.6f}"
            f"{max(self.costs) / 1e6:>10.6f}{self.profile.microdollars / 1e6:>10.6f}"
            f"  {dict(outcomes)} {dict(stopped)}"
        )


def measure(base_url: str, profile: Profile, *, runs: int, at_once: int) -> Measured:
    """Run a profile several times, with a number of concurrent runs."""
    tools = tools_at(base_url)
    risk = Risk(level=profile.level, by="override")

    def one(_: int) -> DetectionResult:
        return run_layers(SUBJECT, tools=tools, risk=risk, profile=profile)

    # One-time work of a process is not part of a run.
    run_layers(
        SUBJECT, tools=tools, risk=risk, profile=replace(profile, latency_seconds=60)
    )
    with ThreadPoolExecutor(at_once) as pool:
        return Measured(profile, at_once, list(pool.map(one, range(runs))))


def tools_at(base_url: str) -> LayerTools:
    """Return the models at the server, with prices."""
    target = target_of(base_url)
    policy = EgressPolicy(allowed=frozenset({(target.host, target.port)}))
    endpoint = ChatEndpoint(
        base_url=base_url,
        model="bench",
        reply_mode=ReplyMode.FORCED_TOOL,
        input_microdollars_per_mtok=PRICES[0],
        output_microdollars_per_mtok=PRICES[1],
    )
    return LayerTools(
        text_model=model_at(endpoint, policy=policy),
        verifier=model_at(endpoint, policy=policy),
    )


@contextmanager
def model_server(*, slowness: float = 1.0) -> Iterator[str]:
    """Serve on a free loopback port until the block ends; yield the base URL."""
    rng, lock = random.Random(1), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            with lock:
                odd = rng.randrange(100) < ODD_ONES
                answer, jitter = rng.choice(ANSWERS), rng.uniform(0.7, 1.6)
            message, written = _reply(request, odd=odd, answer=answer)
            time.sleep(slowness * jitter * (FIRST_TOKEN + EACH_TOKEN * written))
            usage = {
                "prompt_tokens": len(body) // BYTES_PER_TOKEN,
                "completion_tokens": written,
            }
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._send(json.dumps({"choices": [choice], "usage": usage}).encode())

        def _send(self, data: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Print nothing between the figures."""

    class Server(ThreadingHTTPServer):
        request_queue_size = 1024
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Ignore the error of a client that disconnects at its deadline."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _reply(
    request: dict[str, Any], *, odd: bool, answer: str
) -> tuple[dict[str, Any], int]:
    """Return the reply of a correct model, or the opposite, and its tokens."""
    (document,) = json.loads(request["messages"][-1]["content"]).values()
    if "tools" in request:
        name = request["tools"][0]["function"]["name"]
        arguments = json.dumps(_arguments_of(document, odd=odd))
        call = {"name": name, "arguments": arguments}
        calls = [{"id": "c1", "type": "function", "function": call}]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        return message, len(arguments) // BYTES_PER_TOKEN + 10
    if "first" in document:
        text = "NEUTRAL" if odd else "ENTAILMENT"
    elif "claim" in document:
        text = "UNKNOWN" if odd else "SUPPORTED"
    else:
        text = answer
    return {"role": "assistant", "content": text}, max(3, len(text) // BYTES_PER_TOKEN)


def _arguments_of(document: dict[str, Any], *, odd: bool) -> dict[str, Any]:
    if "premise" in document:
        opinion = "NEUTRAL" if odd else "ENTAILMENT"
    elif "passages" in document:
        opinion = "SILENT" if odd else "SUPPORTS"
    elif "text" in document:
        opinion = "DISAGREE" if odd else "AGREE"
    else:
        # Splitting into atomic facts: every sentence stays as it is.
        return {"claims": [], "present": [], "absent": []}
    return {"opinion": opinion, "confidence": 0.98}


if __name__ == "__main__":
    raise SystemExit(main())
