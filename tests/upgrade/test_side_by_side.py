"""Old and new processes on one migrated database, as while machines are upgraded."""

import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.scale.conftest import broker_url, database_url, shared, store
from tests.scale.journey import is_ready, sent, verified
from tests.scale.machines import Machine, eventually
from tests.upgrade.__main__ import checked_out, former_versions

__all__ = ["broker_url", "database_url", "shared", "store"]
PAUSE_SECONDS = 0.2
# Of each interaction the finished verdicts, and what is not over.
STATES = """
SELECT run.client_id, count(*) FILTER (WHERE state = 'finished'),
    count(*) FILTER (WHERE state <> 'finished')
FROM ingest_interaction AS run
LEFT JOIN verification_verification AS own ON own.interaction_id = run.id
GROUP BY run.id
"""


class Clients:
    """Runs sent to one machine after another, from the first to the last moment."""

    def __init__(self) -> None:
        self.webs: list[Machine] = []
        self.taken: list[str] = []
        self.errors: list[str] = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def start(self, web: Machine) -> None:
        self.webs.append(web)
        self._thread.start()

    def send_until(self, count: int) -> None:
        """Let so many more runs come in."""
        wanted = len(self.taken) + count
        eventually(
            lambda: len(self.taken) >= wanted or self.errors, "runs are taken in"
        )
        assert self.errors == []

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join(60)

    def _send(self) -> None:
        while not self._is_over.wait(PAUSE_SECONDS):
            number = len(self.taken)
            try:
                web = self.webs[number % len(self.webs)]
                self.taken.append(sent(web, id=f"run-{number}"))
            except Exception as error:  # noqa: BLE001 - the test tells of it
                self.errors.append(repr(error))
                return


@pytest.fixture(params=former_versions() or [""])
def former(request: pytest.FixtureRequest) -> Iterator[Path]:
    if not request.param:
        pytest.skip("needs the history of git")
    with checked_out(request.param) as tree:
        yield tree


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(600)
def test_old_and_new_lose_nothing_and_leave_nothing_behind(
    former, tmp_path, shared, database_url
):
    own = {"PYTHONPATH": f"{former}:{former / 'client'}"}
    old = Machine(tmp_path / "old", {**shared, **own})
    new = Machine(tmp_path / "new", dict(shared))
    clients = Clients()
    try:
        assert old.start("prepare").wait(180) == 0, old.said()
        old_worker = old.start("worker")
        for part in ("web", "beat"):
            old.start(part)
        eventually(lambda: is_ready(old), old.said())
        clients.start(old)
        clients.send_until(5)

        # The tables change below the old processes, while they work.
        assert new.start("prepare").wait(180) == 0, new.said()
        clients.send_until(5)
        new.start("worker")
        new.start("web")
        eventually(lambda: is_ready(new), new.said())
        clients.webs.append(new)
        clients.send_until(10)

        # What the new web server took in, the old worker can be left alone with.
        new_worker = new.parts["worker-1"]
        new_worker.terminate()
        new_worker.wait(60)
        clients.send_until(6)
        assert old_worker.poll() is None, old.said()
        eventually(lambda: verified(old, clients.taken[-1]), old.said())

        clients.webs.remove(old)
        new.start("worker")
        new.start("beat")
        clients.send_until(4)
        old.stop()
        clients.send_until(4)
        clients.stop()
        for run in clients.taken:
            eventually(lambda run=run: verified(new, run), new.said())
    finally:
        clients.stop()
        new.stop()
        old.stop()

    with psycopg.connect(database_url) as connection:
        found = {name: counts for name, *counts in connection.execute(STATES)}
    assert clients.errors == []
    assert found == {run: [1, 0] for run in clients.taken}
