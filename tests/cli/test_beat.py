"""Beat starts again after any death: it keeps nothing that a death could break."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock

import pytest
import time_machine
from celery import Celery

from verifyhub.config.beat import HeartbeatScheduler, StoppableBeat

pytestmark = pytest.mark.worker
PATIENCE_SECONDS = 60
CHECKOUT = Path(__file__).parents[2]


def signs_of_life(folder):
    """Start beat, wait for its sign of life, and kill it without a word."""
    alive = folder / "beat-alive"
    command = ["-m", "verifyhub.config.beat"]
    beat = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, "VERIFYHUB_HOME": str(folder)},
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while not alive.exists() and beat.poll() is None and time.monotonic() < until:
            time.sleep(0.1)
        return alive.exists() and beat.poll() is None
    finally:
        beat.send_signal(signal.SIGKILL)
        beat.wait()
        alive.unlink(missing_ok=True)


def test_beat_starts_again_after_it_was_killed(tmp_path):
    assert [signs_of_life(tmp_path) for _ in range(2)] == [True, True]


def test_beat_leaves_nothing_that_could_be_half_written(tmp_path):
    assert signs_of_life(tmp_path)

    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == []


@pytest.fixture
def signals():
    """Put the handlers of signals back that beat sets."""
    former = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
    yield
    for one, handler in former.items():
        signal.signal(one, handler)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("signals")
def test_a_signal_amid_its_work_ends_it(tmp_path, sign):
    app = Celery(set_as_current=False, broker="memory://")
    app.conf.beat_heartbeat_file = str(tmp_path / "beat-alive")
    busy, closed = Lock(), []

    class Scheduler(HeartbeatScheduler):
        def tick(self, *_args, **_more):
            with busy:
                signal.raise_signal(sign)
            return 0.01

        def close(self):
            closed.append(busy.acquire(timeout=5))

    with suppress(SystemExit):
        StoppableBeat(app=app, scheduler=Scheduler, quiet=True).run()

    assert closed == [True]


@pytest.mark.parametrize("step", [-86_400, -30, 30, 86_400])
def test_a_clock_that_is_set_delays_no_task(tmp_path, step):
    sent = []
    app = Celery(set_as_current=False, broker="memory://")
    app.conf.beat_heartbeat_file = str(tmp_path / "beat-alive")
    app.conf.beat_schedule = {
        name: {"task": name, "schedule": 2.0} for name in ("reconcile", "seal")
    }
    scheduler = HeartbeatScheduler(app)
    scheduler.apply_entry = lambda entry, **_: sent.append(entry.task)
    now = 1_800_000_000.0
    with time_machine.travel(now, tick=False) as clock:
        _tick_for(scheduler, clock, now, seconds=6)
        clock.move_to(now + step)
        sent.clear()
        _tick_for(scheduler, clock, now + step, seconds=6)

    assert {sent.count("reconcile"), sent.count("seal")} <= {2, 3, 4}


def _tick_for(scheduler, clock, start, *, seconds):
    """Let it do what it does in a time, a tenth of a second at least between."""
    passed = 0.0
    while passed < seconds:
        passed += max(scheduler.tick(), 0.1)
        clock.move_to(start + passed)
