import json
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from verifyhub.cli.home import Home, HomeInUseError
from verifyhub.cli.processes import Child, Program, stop_leftovers

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(99)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('up', flush=True)\n"
    "time.sleep(99)",
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


def child_of(home: Home, command: list[str], **changes: object) -> Child:
    program = Program(
        name="sleeper",
        command=command,
        env={"PATH": "/usr/bin"},
        cwd=home.path,
        **changes,
    )
    child = Child(home, program)
    child.start()
    while "up" not in child.last_output():
        assert child.is_running()
    return child


def test_a_leftover_is_stopped_by_the_next_supervisor(home):
    child = child_of(home, SLEEPER)

    assert stop_leftovers(home) == ["sleeper"]

    assert not child.is_running()
    assert not psutil.pid_exists(child.pid)


def test_a_leftover_without_pid_file_is_found_by_its_mark(home):
    child = child_of(home, SLEEPER)
    (home.run / "sleeper.pid").unlink()

    assert stop_leftovers(home) == [f"process {child.pid}"]

    child.stop(5)
    assert not psutil.pid_exists(child.pid)


def test_a_pid_file_that_a_full_disk_refused_is_written_later(home):
    # What stands in its way cannot be removed as a file is.
    hindrance = home.run / "sleeper.pid.part"
    hindrance.mkdir()
    child = child_of(home, SLEEPER)
    assert not (home.run / "sleeper.pid").exists()

    hindrance.rmdir()
    child.record()

    assert stop_leftovers(home) == ["sleeper"]
    assert not child.is_running()


def test_a_pid_that_now_belongs_to_somebody_else_is_left_alone(home):
    stranger = subprocess.Popen(SLEEPER, stdout=subprocess.DEVNULL)
    record = {
        "pid": stranger.pid,
        "started": psutil.Process(stranger.pid).create_time() - 60,
        "stop_signal": int(signal.SIGTERM),
        "grace_seconds": 1,
    }
    (home.run / "web.pid").write_text(json.dumps(record))

    stopped = stop_leftovers(home)

    is_alive = stranger.poll() is None
    stranger.kill()
    stranger.wait()
    assert (stopped, is_alive) == ([], True)


@pytest.mark.parametrize("content", ["", "{", '{"pid": "x"}', "[]", "7"])
def test_a_damaged_pid_file_is_cleared_away(home, content):
    (home.run / "web.pid").write_text(content)

    assert stop_leftovers(home) == []
    assert not list(home.run.glob("*.pid"))


def test_a_program_that_ignores_its_stop_signal_is_killed(home):
    child = child_of(home, STUBBORN, grace_seconds=0.3)

    assert child.stop() is False
    assert child.exit_code() == -signal.SIGKILL


def test_what_it_wrote_before_this_start_is_not_its_last_words(home):
    child_of(home, SLEEPER).stop()
    (home.logs / "sleeper.log").write_text("from long ago\n")

    child = child_of(home, SLEEPER)

    assert child.last_output() == "up"
    child.stop()


def test_one_home_has_one_supervisor(home):
    with home.locked(), pytest.raises(HomeInUseError), home.locked():
        pass


def test_a_secret_is_made_once(home):
    first = home.secret("some-key")

    assert home.secret("some-key") == first
    assert len(first) == 64


def test_settings_of_the_running_system_survive_the_shell(home):
    values = {"A": "with space", "B": "quote ' and $dollar", "C": ""}

    home.save_environment(values)

    assert home.load_environment() == values


def test_a_long_log_is_set_aside(home, monkeypatch):
    monkeypatch.setattr("verifyhub.cli.home.MAX_LOG_BYTES", 10)
    (home.logs / "sleeper.log").write_text("x" * 11)

    child_of(home, SLEEPER).stop()

    assert (home.logs / "sleeper.log.1").read_text() == "x" * 11
