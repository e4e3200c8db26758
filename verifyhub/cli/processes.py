"""Child processes: start, watch and stop them, and find them again after a crash.

A child has its own session, so that it gets Ctrl-C only through its parent, and the
kernel sends it its stop signal if the parent dies. Children that outlive their parent
are found by their pid file, which is only valid with the recorded start time, and by a
mark in their environment.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from verifyhub.cli.home import Home, write_private

MARK = "VERIFYHUB_PROCESS_OF"
PR_SET_PDEATHSIG = 1
TAIL_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The system account of a child, if it is not the caller's."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program to run.

    Attributes:
        name: Short name: log file, pid file, progress lines.
        command: Program and arguments.
        env: The complete environment.
        cwd: The working directory.
        stop_signal: The signal for an orderly stop.
        grace_seconds: The time for it, before the process is killed.
        account: The account; None for the caller's.
        files: Inherited descriptors, with the same numbers.
        ends: Whether it ends by itself.
    """

    name: str
    command: Sequence[str]
    env: dict[str, str]
    cwd: Path
    stop_signal: signal.Signals = signal.SIGTERM
    grace_seconds: float = 10
    account: Account | None = None
    files: Sequence[int] = ()
    ends: bool = False


def _dies_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    """Return a function for a child's start that makes it stop with its parent."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    number = int(stop_signal)

    def ask_kernel() -> None:
        prctl(PR_SET_PDEATHSIG, number)

    return ask_kernel


@dataclass(slots=True)
class Child:
    """One running program of this home."""

    home: Home
    program: Program
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    log_start: int = field(default=0, init=False)
    _is_recorded: bool = field(default=False, init=False)

    @property
    def log(self) -> Path:
        """The log file that the process writes to."""
        return self.home.logs / f"{self.program.name}.log"

    @property
    def pid(self) -> int | None:
        """Its process id, once started."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Run the program and write its pid file."""
        program = self.program
        output = self.home.open_log(program.name)
        self.log_start = os.fstat(output).st_size
        account = program.account
        try:
            self._process = subprocess.Popen(
                list(program.command),
                env={**program.env, MARK: str(self.home.path)},
                cwd=program.cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                pass_fds=program.files,
                # Safe here: the supervisor starts children from its only thread.
                preexec_fn=_dies_with_parent(program.stop_signal),
            )
        finally:
            os.close(output)
        self._is_recorded = False
        self.record()

    def record(self) -> None:
        """Write its pid file if it has none; on a full disk it is tried again later."""
        if self._is_recorded or not self.is_running() or self.pid is None:
            return
        # Meanwhile it is found by the mark in its environment.
        with suppress(OSError):
            _write_pid_file(self.home, self.program, self.pid)
            self._is_recorded = True

    def exit_code(self) -> int | None:
        """Return the exit status; None while it is running or before its start."""
        return self._process.poll() if self._process else None

    def is_running(self) -> bool:
        """Return whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def ask_to_stop(self) -> None:
        """Send its stop signal."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(self.program.stop_signal)

    def stop(self, grace_seconds: float | None = None) -> bool:
        """Stop it, and kill it after the grace period; True if it stopped by itself."""
        if self._process is None:
            return True
        self.ask_to_stop()
        obeyed = True
        try:
            self._process.wait(
                self.program.grace_seconds if grace_seconds is None else grace_seconds
            )
        except subprocess.TimeoutExpired:
            obeyed = False
        _kill_group(self._process.pid)
        self._process.wait()
        _pid_file(self.home, self.program.name).unlink(missing_ok=True)
        return obeyed

    def first_line(self) -> str:
        """Return the first line it wrote since it was started."""
        with self.log.open("rb") as stream:
            stream.seek(self.log_start)
            return stream.readline().decode("utf-8", "replace").strip()

    def last_output(self) -> str:
        """Return the last lines it wrote since it was started."""
        with self.log.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(self.log_start, size - 8192))
            lines = stream.read().decode("utf-8", "replace").splitlines()
        return "\n".join(lines[-TAIL_LINES:])


def _pid_file(home: Home, name: str) -> Path:
    return home.run / f"{name}.pid"


def _write_pid_file(home: Home, program: Program, pid: int) -> None:
    try:
        started = psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return
    record = {
        "pid": pid,
        "started": started,
        "stop_signal": int(program.stop_signal),
        "grace_seconds": program.grace_seconds,
    }
    write_private(_pid_file(home, program.name), json.dumps(record))


def _kill_group(leader: int) -> None:
    """Kill the rest of a child's process group."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def stop_leftovers(home: Home) -> list[str]:
    """Stop processes of an earlier supervisor of this home.

    The caller must hold the home's lock, so that no other supervisor's child matches.

    Returns:
        Names of the stopped programs.
    """
    stopped = []
    for file in sorted(home.run.glob("*.pid")):
        if _stop_recorded(file):
            stopped.append(file.stem)
        file.unlink(missing_ok=True)
    for process in _marked(home):
        stopped.append(f"process {process.pid}")
        _end(process, signal.SIGTERM, grace_seconds=5)
    return stopped


def _stop_recorded(file: Path) -> bool:
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        process = psutil.Process(int(record["pid"]))
        if abs(process.create_time() - float(record["started"])) > 0.05:
            return False
        if process.status() == psutil.STATUS_ZOMBIE:
            return False
        _end(process, int(record["stop_signal"]), float(record["grace_seconds"]))
    except (OSError, ValueError, KeyError, TypeError, psutil.Error):
        return False
    _kill_group(int(record["pid"]))
    return True


def _end(process: psutil.Process, stop_signal: int, grace_seconds: float) -> None:
    try:
        process.send_signal(stop_signal)
        process.wait(grace_seconds)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(5)
    except psutil.NoSuchProcess:
        return


def _marked(home: Home) -> list[psutil.Process]:
    processes = []
    for process in psutil.process_iter():
        if process.pid == os.getpid():
            continue
        try:
            if process.environ().get(MARK) == str(home.path):
                processes.append(process)
        except (psutil.Error, OSError):
            continue
    return processes


def wait_until(
    is_ready: Callable[[], bool], *, children: Sequence[Child], seconds: float
) -> bool:
    """Wait for a condition, until one of the children ends or the time is over.

    Returns:
        Whether the condition is true.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_ready():
            return True
        if any(not child.is_running() for child in children):
            return False
        time.sleep(0.1)
    return False
