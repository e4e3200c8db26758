"""Start a fresh home and measure how soon after a verdict a context includes it.

    python -m bench.known [--rounds 20] [--load 600]

An answer mentions a function that a tool returned; the context of its session is
requested repeatedly until it includes the function. Another session's answer mentions a
function that no tool returned, and is measured in the same way. Two more answers
mention that function, and a session that has sent nothing is measured until its context
forbids the name. A time is from the verdict's `finished_at` to the sending of the first
request whose reply included it: without other work, and while other runs arrive.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from bench.fresh_home import address_of, fresh_home, send_runs
from bench.ingest import PATH, Server
from bench.ingest_runs import made_runs

PAUSE_SECONDS = 0.002
PATIENCE_SECONDS = 60


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.known")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--load", type=int, default=600, help="runs sent meanwhile")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            senders = (server, _second_key(address_of(supervisor), server))
            alone = [_round(f"alone_{n}", senders) for n in range(arguments.rounds)]
            _tell("alone", alone)
            load = threading.Thread(
                target=send_runs, args=(_like(server), made_runs(arguments.load, 20))
            )
            load.start()
            beside: list[tuple[float, ...]] = []
            while load.is_alive() and len(beside) < arguments.rounds:
                beside.append(_round(f"beside_{len(beside)}", senders))
            _tell("while others come in", beside)
            load.join()
    return 0


def _like(server: Server, secret: str | None = None) -> Server:
    connection = server.connection
    key = secret or server.headers["Authorization"].removeprefix("Bearer ")
    return Server(f"http://{connection.host}:{connection.port}", key)


def _second_key(database: str, server: Server) -> Server:
    """Activate constraints and findings at once; return a server with another key."""
    os.environ |= {
        "DATABASE_URL": database,
        "VERIFYHUB_SECRET_KEY": "of-this-bench-alone-" * 3,
        "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings",
    }
    import django

    django.setup()
    from verifyhub.accounts.models import Project
    from verifyhub.accounts.services import issue_api_key

    project = Project.objects.get(slug="main")
    # Without a model no answer is sure enough for its findings to become facts.
    asked = {"shadow_hours": 0, "fact_confidence": 0.1}
    project.thresholds = {**project.thresholds, **asked}
    project.save(update_fields=["thresholds"])
    _, secret = issue_api_key(project=project, name="second")
    return _like(server, secret)


def _round(name: str, senders: tuple[Server, Server]) -> tuple[float, ...]:
    """Return seconds until contexts included a found name, a missing one, and a ban."""
    first, second = senders
    invented, real = f"never_{name}", f"really_{name}"
    _send(first, f"{name}-0", f"`{real}()` reads it.", real)
    known = [_knowing_from(first, f"{name}-0", real) - _ended(first, f"{name}-0")]
    for number, sender in enumerate((second, first, first), start=1):
        _send(sender, f"{name}-{number}", f"`{real}()` calls `{invented}()`.", real)
        if number == 1:
            knew = _knowing_from(first, f"{name}-1", invented)
            known.append(knew - _ended(first, f"{name}-1"))
    knew = _knowing_from(first, f"{name}-new", invented)
    last = max(_ended(first, f"{name}-{number}") for number in (1, 2, 3))
    return *known, knew - last


def _send(server: Server, name: str, answer: str, real: str) -> None:
    """Send an answer in a new session."""
    call = {
        "tool": "read_file",
        "input": {"path": "src/app.py"},
        "output": f"def {real}(value):\n    return value\n",
    }
    body = {
        "id": name,
        "session": name,
        "task": f"What reads the file, and what does {real} call?",
        "answer": answer,
        "tool_calls": [call],
    }
    # The server closes idle connections.
    server.connection.close()
    status, reply = server.ask("POST", PATH, json.dumps(body).encode())
    assert status == 202, reply


def _knowing_from(server: Server, session: str, *names: str) -> float:
    """Return when the first request was sent whose context contains all names."""
    asked = urlencode({"task": f"Look at {' and '.join(names)}.", "format": "text"})
    path = f"/api/v1/sessions/{session}/context/?{asked}"
    until = time.time() + PATIENCE_SECONDS
    while (sent := time.time()) < until:
        status, data = server.send("GET", path, None, {})
        assert status == 200, data
        if all(name.encode() in data for name in names):
            return sent
        time.sleep(PAUSE_SECONDS)
    raise TimeoutError(f"No context of {session} knows {names}")


def _ended(server: Server, name: str) -> float:
    """Wait for an answer's verdict; return its time."""
    while True:
        _, page = server.ask("GET", f"{PATH}{name}/verifications/")
        (run,) = page["results"]
        if run["finished_at"]:
            return datetime.fromisoformat(run["finished_at"]).timestamp()
        time.sleep(PAUSE_SECONDS)


def _tell(when: str, rounds: Sequence[tuple[float, ...]]) -> None:
    for index, what in enumerate(("finding", "blocker", "constraint")):
        ms = sorted(one[index] * 1000 for one in rounds)
        if ms:
            print(
                f"{what}, {when}: {len(ms)} times, ms: least {ms[0]:.0f},"
                f" median {median(ms):.0f}, most {ms[-1]:.0f}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
