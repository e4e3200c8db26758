"""Clients that send runs by all doors, and again until each is acknowledged."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.chaos.runs import ChaosRun

REPLY_SECONDS = 45
MOST_PAUSE_SECONDS = 2.0
CLIENTS = 6
# What a server that lost what it needs may answer; any other error of it is a fault.
EXCUSED = {429, 503}
JSON_KIND = "application/json"


@dataclass(slots=True)
class Journal:
    """What the clients saw: ids that were acknowledged, and every other answer."""

    acknowledged: set[str] = field(default_factory=set)
    statuses: Counter[str] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)
    repeated: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, ids: Iterable[str]) -> None:
        with self._lock:
            self.acknowledged.update(ids)

    def note(self, word: str, *, breach: str = "") -> None:
        with self._lock:
            self.statuses[word] += 1
            if breach:
                self.breaches.append(breach)


@dataclass(frozen=True, slots=True)
class Doors:
    """Where a project's runs go in, and with which keys."""

    port: int
    mcp_port: int
    keys: Sequence[str]
    journal: Journal
    host: str = "127.0.0.1"

    def send_all(
        self,
        sendings: Sequence[list[ChaosRun]],
        *,
        seed: int,
        may_send: Callable[[float], bool] = lambda _share: True,
        patience_seconds: float,
    ) -> None:
        """Send everything by several clients; each goes on until it was taken.

        `may_send` is asked with the share of what was begun, in [0, 1), until it is
        true: a schedule of faults holds the clients back, so that all meet some.
        """
        left = iter(list(enumerate(sendings)))
        lock = threading.Lock()

        def client(number: int) -> None:
            dice = random.Random(f"{seed} {number}")
            while True:
                with lock:
                    index, runs = next(left, (0, []))
                if not runs:
                    return
                while not may_send(index / len(sendings)):
                    time.sleep(0.05)
                self._send_until_taken(runs, dice, patience_seconds)

        threads = [
            threading.Thread(target=client, args=(number,), daemon=True)
            for number in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _send_until_taken(
        self, runs: list[ChaosRun], dice: random.Random, patience_seconds: float
    ) -> None:
        until = time.monotonic() + patience_seconds
        send = getattr(self, f"_{runs[0].door}")
        while time.monotonic() < until:
            try:
                taken = send(runs)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.journal.note(type(error).__name__)
                taken = None
            if taken is not None:
                self.journal.add(taken)
                return
            self.journal.repeated += 1
            time.sleep(dice.uniform(0.1, MOST_PAUSE_SECONDS))

    def _single(self, runs: list[ChaosRun]) -> list[str] | None:
        (run,) = runs
        headers = {"Idempotency-Key": f"k-{run.number}"} if run.number % 2 else {}
        status, data = self._post(
            "/api/v1/interactions/",
            json.dumps(run.as_native()).encode(),
            run,
            **headers,
        )
        return [run.id] if status in {200, 202} and data.get("id") == run.id else None

    def _bulk(self, runs: list[ChaosRun]) -> list[str] | None:
        body = b"\n".join(json.dumps(run.as_native()).encode() for run in runs)
        status, reply = self._raw(
            self.port,
            "/api/v1/bulk/",
            body,
            runs[0],
            {"Content-Type": "application/jsonl"},
        )
        if self._is_refused(status, reply) or status != 207:
            return None
        told = [json.loads(line) for line in reply.splitlines() if line.strip()]
        lines = [one for one in told if "summary" not in one]
        refused = [one for one in lines if one["status"] not in {200, 201}]
        if refused:
            self.journal.note("line refused", breach=f"bulk: {refused[0]}")
        # Each line that was answered is committed, whatever becomes of the stream.
        taken = [str(one["id"]) for one in lines if one["status"] in {200, 201}]
        self.journal.add(taken)
        return taken if len(taken) == len(runs) else None

    def _otlp(self, runs: list[ChaosRun]) -> list[str] | None:
        (run,) = runs
        for body in run.as_spans():
            kind = {"Content-Type": "application/x-protobuf"}
            status, reply = self._raw(self.port, "/v1/traces", body, run, kind)
            if self._is_refused(status, reply) or status != 200:
                return None
        return [run.id]

    def _transcript(self, runs: list[ChaosRun]) -> list[str] | None:
        (run,) = runs
        path = f"/api/v1/transcripts/?session=talk-{run.number}&final=true"
        status, data = self._post(path, run.as_transcript(), run)
        results = data.get("results", []) if status == 207 else []
        if any(one["status"] not in {200, 201} for one in results):
            self.journal.note("turn refused", breach=f"transcript: {results}")
        return [one["id"] for one in results] or None

    def _mcp(self, runs: list[ChaosRun]) -> list[str] | None:
        (run,) = runs
        call = {
            "jsonrpc": "2.0",
            "id": run.number,
            "method": "tools/call",
            "params": {
                "name": "verify",
                "arguments": {**run.as_native(), "wait_seconds": 0},
            },
        }
        status, reply = self._raw(
            self.mcp_port,
            "/mcp",
            json.dumps(call).encode(),
            run,
            {
                "Content-Type": JSON_KIND,
                "Accept": f"{JSON_KIND}, text/event-stream",
            },
        )
        if self._is_refused(status, reply) or status != 200:
            return None
        result = json.loads(reply).get("result", {})
        content = result.get("structuredContent") or {}
        if result.get("isError"):
            self.journal.note("mcp: the hub did not answer")
        return [run.id] if content.get("id") == run.id else None

    def _post(
        self, path: str, body: bytes, run: ChaosRun, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        status, reply = self._raw(
            self.port, path, body, run, {"Content-Type": JSON_KIND, **headers}
        )
        if self._is_refused(status, reply):
            return status, {}
        return status, json.loads(reply)

    def _is_refused(self, status: int, reply: bytes) -> bool:
        if status < 300:
            self.journal.note(str(status))
            return False
        excuse = status in EXCUSED
        breach = "" if excuse else f"{status}: {reply[:300]!r}"
        self.journal.note(str(status), breach=breach)
        return True

    def _raw(
        self, port: int, path: str, body: bytes, run: ChaosRun, headers: dict[str, str]
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.host, port, timeout=REPLY_SECONDS)
        try:
            connection.request(
                "POST",
                path,
                body,
                {"Authorization": f"Bearer {self.keys[run.key]}", **headers},
            )
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()
