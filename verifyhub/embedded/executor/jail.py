"""Run commands in an isolated process with limited resources."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

CHILD = str(Path(__file__).with_name("child.py"))
# Folders in which users and services keep their data; only the parts that a command
# needs are shown, read-only.
HIDDEN = ("/home", "/root", "/tmp", "/var/tmp", "/run", "/mnt", "/media", "/dev/shm")  # noqa: S108
GRACE_SECONDS = 0.5


class RunError(Exception):
    """A command was not run; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The resource limits of a command.

    Attributes:
        wall_seconds: The time until the command and all its children are killed.
        cpu_seconds: CPU time of each process.
        memory_bytes: Address space of each process.
        processes: The most concurrent processes of the user; root is exempt.
        open_files: The most open files of each process.
        file_bytes: The largest file that the command may write.
        output_bytes: The output that is kept; the rest is discarded.
    """

    wall_seconds: float = 60.0
    cpu_seconds: int = 30
    memory_bytes: int = 2 * 1024**3
    processes: int = 64
    open_files: int = 256
    file_bytes: int = 16 * 1024**2
    output_bytes: int = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The result of a command; `exit_code` is None if it exceeded its time."""

    exit_code: int | None
    output: bytes
    is_cut: bool


def run_jailed(
    argv: Sequence[str], folder: str, limits: Limits, *, isolated: bool = True
) -> Finished:
    """Run a program with arguments in a folder that it can only read.

    The command has no shell, no input, no network, and no environment variable but the
    search path.

    Args:
        argv: The program's name without a path, and its arguments.
        folder: The working directory, absolute.
        limits: The resource limits.
        isolated: False runs the command without namespaces: it can use the network and
            write what its user may write. Callers must choose this explicitly.

    Raises:
        RunError: If the program does not exist, or the kernel cannot isolate it.
    """
    program = _program(argv[0], folder)
    status, reported = os.pipe()
    settings = _settings(argv, program, folder, limits, isolated, reported)
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", CHILD, json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={},
            cwd="/",
            start_new_session=True,
            pass_fds=(reported,),
        )
    finally:
        os.close(reported)
    with process, open(status, "rb") as report:
        try:
            output, is_cut, in_time = _watched(process, limits)
        finally:
            _kill(process)
        problem = report.read(400).decode("utf-8", "replace")
    if problem:
        raise RunError(f"the command was not started: {problem}")
    code = process.returncode if in_time else None
    return Finished(exit_code=code, output=output, is_cut=is_cut)


def can_isolate() -> bool:
    """Return whether this kernel and its configuration can isolate a command."""
    try:
        folder = str(Path(CHILD).parent)
        return run_jailed(["true"], folder, Limits(wall_seconds=10)).exit_code == 0
    except RunError:
        return False


def _program(name: str, folder: str) -> str:
    """Find a program outside the folder, whose files are data rather than tools."""
    program = shutil.which(name) if name and "/" not in name else None
    if program is None:
        raise RunError(f"{name}: no such program")
    location = Path(program).resolve()
    if not Path(program).is_absolute() or location.is_relative_to(folder):
        raise RunError(f"{name}: is a program of the workspace itself")
    return program


def _settings(
    argv: Sequence[str],
    program: str,
    folder: str,
    limits: Limits,
    isolated: bool,
    reported: int,
) -> dict[str, object]:
    hidden = [str(Path.home()), *HIDDEN]
    needed = _needed_folders(program, folder)
    return {
        "argv": list(argv),
        "program": program,
        "folder": folder,
        "isolated": isolated,
        "status": reported,
        "hidden": [path for path in _outermost(hidden) if path not in needed],
        "kept": needed,
        "environment": _environment(),
        "limits": {
            "CPU": limits.cpu_seconds,
            "AS": limits.memory_bytes,
            "NPROC": limits.processes,
            "NOFILE": limits.open_files,
            "FSIZE": limits.file_bytes,
            "CORE": 0,
        },
    }


def _needed_folders(program: str, folder: str) -> list[str]:
    """Return the folders that a command needs: the workspace, Python and its own."""
    folders = {
        folder,
        sys.prefix,
        sys.base_prefix,
        str(Path(program).parent),
        str(Path(program).resolve().parent),
    }
    return [path for path in sorted(folders) if Path(path).is_dir() and path != "/"]


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return existing folders once each, without those below another one."""
    folders = {str(Path(path).resolve()) for path in paths if Path(path).is_dir()} - {
        "/"
    }
    return sorted(
        path
        for path in folders
        if not any(path.startswith(f"{other}/") for other in folders)
    )


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/tmp",  # noqa: S108 - the command's own, empty
        "TMPDIR": "/tmp",  # noqa: S108
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        # Nothing can be written to the workspace.
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
    }


def _watched(
    process: subprocess.Popen[bytes], limits: Limits
) -> tuple[bytes, bool, bool]:
    """Collect output until the end; return whether it is complete and in time."""
    if process.stdout is None:
        raise ValueError("the output is not connected")
    end = time.monotonic() + limits.wall_seconds
    output, is_cut, is_open = bytearray(), False, True
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while is_open and (left := end - time.monotonic()) > 0:
            if process.poll() is not None:
                # Its children may keep the pipe open; nothing waits for them.
                end = min(end, time.monotonic() + GRACE_SECONDS)
            if not selector.select(min(left, 0.1)):
                if process.returncode is not None:
                    break
                continue
            data = os.read(process.stdout.fileno(), 65536)
            is_open = bool(data)
            room = limits.output_bytes - len(output)
            is_cut = is_cut or len(data) > room
            output += data[: max(0, room)]
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, min(GRACE_SECONDS, end - time.monotonic())))
    return bytes(output), is_cut, process.poll() is not None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group; a process namespace ends with its init process."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
