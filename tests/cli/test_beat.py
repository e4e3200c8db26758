"""Beat starts again after any death: it keeps nothing that a death could break."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
