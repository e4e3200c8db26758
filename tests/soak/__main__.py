"""Use a whole VerifyHub for a long time, and look whether anything grows.

    python -m tests.soak [--minutes 90] [--rate 60] [--restart-minutes 5] [--seed 1]

Runs come by every door at a rate, reviewers take and decide items, what is new is
exported and metrics are read, old runs are deleted, and one program after another is
restarted. Told with time are memory and file handles of each program, connections to
the database, the age of the oldest waiting work, and the bytes that a row of each large
table takes.
Whatever is above its middle value of the first half by more than a bound at the end
ends it with status 1.
"""

import argparse
import http.client
import itertools
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import psycopg

from tests.chaos.doors import Doors, Journal
from tests.chaos.runs import runs_of, sendings
from tests.chaos.system import System, a_system

SLUG = "soak"
PROGRAMS = ("web", "worker", "beat", "mcp", "broker", "postgres")
RESTARTED = ("worker", "web", "mcp", "beat")
MEBIBYTE = 1024 * 1024
ISO = "%Y-%m-%dT%H:%M:%SZ"
# Fewer samples of a half tell nothing: caches fill, pools open.
FEWEST_SAMPLES = 4
# By how much the last value may exceed the first: a share, and what small ones vary by.
BOUNDS = {"MiB": (1.15, 25), "files": (1.15, 25), "connections": (1.1, 6)}
BOUNDS |= {"bytes a row": (1.35, 500), "waiting, s": (1.5, 60)}
LARGE = """
SELECT c.relname, pg_total_relation_size(c.oid), greatest(s.n_live_tup, 1)
FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
WHERE pg_total_relation_size(c.oid) > 4000000 ORDER BY 2 DESC LIMIT 12
"""


@dataclass
class Soak:
    """One run of everything, until `until`."""

    given: argparse.Namespace
    system: System
    keys: Sequence[str]
    judge: str
    journal: Journal = field(default_factory=Journal)
    sent: int = 0
    done: dict[str, int] = field(default_factory=dict)
    samples: list[dict[str, float]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    deletions: list[float] = field(default_factory=list)

    def run(self) -> int:
        """Run until time is up; return 1 where something grew or was refused."""
        self.began = time.monotonic()
        self.until = self.began + self.given.minutes * 60
        self.dice = random.Random(self.given.seed)
        parts = (self._send, self._review, self._export, self._delete, self._restart)
        threads = [threading.Thread(target=part, daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        while self.is_going:
            self._sleep(self.given.sample)
            self._sample(time.monotonic() - self.began)
        for thread in threads:
            thread.join(180)
        grown = self._grown()
        rate = len(self.journal.acknowledged) / (time.monotonic() - self.began)
        print(
            f"\n{len(self.journal.acknowledged)} runs acknowledged, {rate:.1f} a second"
        )
        if self.deletions:
            longest, middle = max(self.deletions), median(self.deletions)
            print(f"a deletion took {middle:.0f} s, the longest {longest:.0f} s")
        print(f"done: {self.done}; answers to clients: {dict(self.journal.statuses)}")
        for line in [*self.journal.breaches[:10], *self.problems[:10], *grown]:
            print(f"  {line}")
        return int(bool(grown or self.journal.breaches or self.problems))

    @property
    def is_going(self) -> bool:
        return time.monotonic() < self.until

    def _sleep(self, seconds: float) -> None:
        until = min(self.until, time.monotonic() + seconds)
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.5))

    def _send(self) -> None:
        """Send a second's runs at a time; where that takes longer, no faster."""
        doors = Doors(self.system.port, self.system.mcp_port, self.keys, self.journal)
        while self.is_going:
            began, count = time.monotonic(), max(5, round(self.given.rate * 5))
            runs = runs_of(
                self.given.seed + self.sent,
                count,
                len(self.keys),
                first=self.sent,
                agent=f"agent-{self._minute()}",
            )
            doors.send_all(list(sendings(runs)), seed=self.sent, patience_seconds=120)
            self.sent += count
            self._sleep(5 - (time.monotonic() - began))

    def _review(self) -> None:
        while self.is_going:
            status, lease = self._ask("POST", "/api/v1/review/items/lease/", {})
            if status != 200:
                self._sleep(2)
                continue
            path = f"/api/v1/review/items/{lease['item']}/"
            _, item = self._ask("GET", path)
            verdict = self.dice.choice(["accept", "reject"])
            body = {
                "version": item.get("version", 0),
                "verdict": verdict,
                "reason": "Looked.",
            }
            if self._ask("POST", f"{path}decisions/", body)[0] in {200, 201}:
                self._count("decided")
            self._sleep(0.2)

    def _export(self) -> None:
        """Read metrics, and export what is new: use that grows would make all grow."""
        since = datetime.now(UTC)
        while self.is_going:
            began = datetime.now(UTC)
            for path in (
                f"/api/v1/exports/mentions/?format=csv&since={since:{ISO}}",
                f"/api/v1/exports/interactions/?format=jsonl&since={since:{ISO}}",
                "/api/v1/metrics/",
                "/api/v1/interactions/?limit=100",
            ):
                if self._ask("GET", path, is_json=False)[0] == 200:
                    self._count("read")
                self._sleep(5)
            since = began

    def _delete(self) -> None:
        """Delete the agents of minutes long past, so that rows stay as many.

        Transcripts name no agent: theirs stay, 15 of a hundred.
        """
        for minute in itertools.count():
            while self.is_going and self._minute() <= minute + self.given.keep:
                self._sleep(1)
            if not self.is_going:
                return
            began = time.monotonic()
            if self._delete_agent(f"agent-{minute}"):
                self._count("deleted agents")
                self.deletions.append(time.monotonic() - began)

    def _delete_agent(self, name: str) -> bool:
        body = {"kind": "agent", "target": name}
        status, deletion = self._ask("POST", "/api/v1/deletions/", body)
        if status not in {200, 201, 202}:
            return False
        path = f"/api/v1/deletions/{deletion['id']}/"
        while self.is_going and deletion.get("state") != "finished":
            if deletion.get("state") == "counted":
                # Again where it was lost, as the web server was restarted.
                self._ask("POST", f"{path}confirm/")
            self._sleep(0.5)
            _, deletion = self._ask("GET", path)
        return self.is_going

    def _minute(self) -> int:
        return int((time.monotonic() - self.began) // 60)

    def _restart(self) -> None:
        turn = 0
        while self.is_going:
            self._sleep(self.given.restart_minutes * 60)
            process = self.system.process(RESTARTED[turn % len(RESTARTED)])
            turn += 1
            if self.is_going and process:
                process.terminate()
                self._count("restarts")

    def _ask(
        self, method: str, path: str, body: Any = None, *, is_json: bool = True
    ) -> tuple[int, Any]:
        headers = {
            "Authorization": f"Bearer {self.judge}",
            "Content-Type": "application/json",
        }
        data = b"" if body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.system.port, timeout=120
        )
        try:
            connection.request(method, path, data or None, headers)
            reply = connection.getresponse()
            text = reply.read()
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()
        if reply.status >= 500 and reply.status != 503:
            self.problems.append(
                f"{reply.status} {method} {path}: {self._logged(text)}"
            )
        is_read = is_json and reply.status < 300 and text
        return reply.status, json.loads(text) if is_read else {}

    def _logged(self, problem: bytes) -> str:
        """Return what the server's log has of the request of a problem."""
        request = json.loads(problem)["request_id"]
        lines = self.system.log.read_text(errors="replace").splitlines()
        return "\n".join(line[-4000:] for line in lines if request in line)

    def _count(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    def _sample(self, seconds: float) -> None:
        found: dict[str, float] = {}
        for name in PROGRAMS:
            process = self.system.process(name)
            group = _with_children(process)
            found[f"{name} MiB"] = _sum(
                group, lambda one: one.memory_full_info().pss / MEBIBYTE
            )
            found[f"{name} files"] = _sum(group, lambda one: one.num_fds())
        try:
            found |= self._of_database()
        except psycopg.OperationalError as error:
            self.problems.append(f"no database at {seconds:.0f} s: {error}")
        self.samples.append(found)
        told = [f"{name} {found[f'{name} MiB']:.0f}" for name in PROGRAMS]
        told += [f"{name} {value:.0f}" for name, value in found.items() if "," in name]
        told.append(f"connections {found.get('connections', 0):.0f}")
        files = sum(value for name, value in found.items() if name.endswith("files"))
        told.append(f"files {files:.0f}")
        print(f"{seconds:6.0f} s  MiB: {', '.join(told)}", flush=True)

    def _of_database(self) -> dict[str, float]:
        with psycopg.connect(self.system.owner_url(), connect_timeout=10) as connection:
            ask = connection.execute
            (row,) = ask(
                "SELECT count(*) FROM pg_stat_activity WHERE usename IS NOT NULL"
            )
            (age,) = ask(
                "SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)"
                " FROM verification_verification WHERE state = 'pending'"
            )
            tables = {
                f"{name} bytes a row": size / rows
                for name, size, rows in ask(LARGE).fetchall()
            }
        return {"connections": row[0], "waiting, s": float(age[0]), **tables}

    def _grown(self) -> list[str]:
        """Compare the last quarter with the second: in the first everything fills."""
        quarter = len(self.samples) // 4
        if quarter < FEWEST_SAMPLES:
            print("Too short to tell whether anything grows")
            return []
        before = self.samples[quarter : 2 * quarter]
        after = self.samples[-quarter:]
        grown = []
        print(f"\n{'':44}{'second quarter':>16}{'last quarter':>14}")
        for name in sorted(set(before[0]) & set(after[-1])):
            one = median(sample.get(name, 0) for sample in before)
            other = median(sample.get(name, 0) for sample in after)
            share, slack = next(b for end, b in BOUNDS.items() if name.endswith(end))
            is_grown = other > one * share + slack
            print(f"{name:44}{one:16.0f}{other:14.0f}{'  GROWS' if is_grown else ''}")
            grown += [f"grows: {name} from {one:.0f} to {other:.0f}"] * is_grown
        return grown


def _with_children(process: psutil.Process | None) -> list[psutil.Process]:
    try:
        return [process, *process.children(recursive=True)] if process else []
    except psutil.Error:
        return []


def _sum(
    group: Sequence[psutil.Process], of: Callable[[psutil.Process], float]
) -> float:
    total = 0.0
    for one in group:
        try:
            total += of(one)
        except psutil.Error:
            continue
    return total


def main(argv: Sequence[str] | None = None) -> int:
    """Soak a system of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    add = parser.add_argument
    add("--minutes", type=float, default=90)
    add("--rate", type=float, default=60, help="runs a second")
    add("--restart-minutes", type=float, default=5, help="between two restarts")
    add("--keep", type=float, default=5, help="minutes that runs are kept")
    add("--sample", type=float, default=15, help="seconds between two samples")
    add("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory(prefix="verifyhub-soak-") as folder,
        a_system(Path(folder), {}) as system,
    ):
        system.command("project", "add", SLUG)
        keys = [system.command("key", "add", SLUG, f"agent {n}") for n in range(3)]
        judge = system.command(
            *["key", "add", SLUG, "judge", "--scopes", "read,review,manage"]
        )
        return Soak(given, system, keys, judge).run()


if __name__ == "__main__":
    sys.exit(main())
