"""A command reaches nothing it should not, and ends when it should."""

import os
import socket
import time
from pathlib import Path

import pytest

from verifyhub.embedded.executor import jail
from verifyhub.embedded.executor.jail import (
    Limits,
    RunError,
    can_isolate,
    run_jailed,
)

needs_isolation = pytest.mark.skipif(
    not can_isolate(), reason="this kernel does not isolate commands"
)
QUICK = Limits(wall_seconds=20)


def python(folder, code: str, limits: Limits = QUICK, *, isolated: bool = True):
    done = run_jailed(["python", "-c", code], str(folder), limits, isolated=isolated)
    return done.exit_code, done.output.decode()


@needs_isolation
@pytest.mark.parametrize(
    "code",
    [
        "open('new', 'w')",
        "open('there', 'a')",
        "import os; os.remove('there')",
        "open('/etc/new', 'w')",
        "import os; os.listdir(os.environ['SECRET'])",
        "open('/proc/1/environ').read()",
        "import os; os.setuid(0)",
    ],
)
def test_what_it_must_not_do_fails(tmp_path, monkeypatch, code):
    monkeypatch.setenv("SECRET", "/")
    (tmp_path / "there").write_text("x")

    exit_code, _ = python(tmp_path, code)

    assert exit_code == 1
    assert (tmp_path / "there").read_text() == "x"
    assert os.listdir(tmp_path) == ["there"]


@needs_isolation
def test_there_is_no_network(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"

        exit_code, output = python(tmp_path, code)

    assert exit_code == 1
    assert "Network is unreachable" in output


@needs_isolation
def test_neighbours_of_the_folder_are_not_to_be_seen(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("mine")
    (tmp_path / "secret").write_text("theirs")
    code = "import os; print(os.listdir('..'), open('a.txt').read())"

    assert python(root, code) == (0, "['root'] mine\n")


@needs_isolation
def test_it_may_write_to_a_place_of_its_own_that_is_gone_afterwards(tmp_path):
    code = "open('/tmp/x', 'w').write('y'); print(open('/tmp/x').read())"

    assert python(tmp_path, code) == (0, "y\n")
    assert python(tmp_path, "open('/tmp/x')")[0] == 1


@needs_isolation
def test_it_sees_no_other_process(tmp_path):
    code = "import os; print(max(int(p) for p in os.listdir('/proc') if p.isdigit()))"

    exit_code, output = python(tmp_path, code)

    assert exit_code == 1 or int(output) < 10


@needs_isolation
def test_nobody_gets_its_rights_back_in_a_namespace_of_its_own(tmp_path):
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
ids = os.getuid(), os.getgid()
if libc.unshare(0x10000000 | 0x00020000) == 0:
    open('/proc/self/setgroups', 'w').write('deny')
    open('/proc/self/uid_map', 'w').write(f'0 {ids[0]} 1')
    # MS_REMOUNT | MS_BIND without MS_RDONLY
    print(libc.mount(None, os.getcwd().encode(), None, 0x1020, None))
open('new', 'w')
"""

    exit_code, output = python(tmp_path, code)

    assert exit_code == 1
    assert output.startswith("-1\n") or "Traceback" in output
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=needs_isolation)])
def test_it_is_killed_with_its_children_when_its_time_is_up(tmp_path, isolated):
    code = "import os, time; os.fork(); print('here', flush=True); time.sleep(600)"

    done = run_jailed(
        ["python", "-c", code],
        str(tmp_path),
        Limits(wall_seconds=1.5),
        isolated=isolated,
    )

    assert done.exit_code is None
    assert done.output == b"here\nhere\n"
    assert is_gone(code)


@needs_isolation
def test_no_child_that_ran_away_outlives_it(tmp_path):
    code = "import os, time\nif os.fork() == 0: os.setsid(); time.sleep(601)"

    assert python(tmp_path, code)[0] == 0
    assert is_gone("sleep(601)")


def is_gone(code: str) -> bool:
    """Whether no process runs this code, once the kernel has cleared up."""
    for _ in range(100):
        if not any(code in text for text in command_lines()):
            return True
        time.sleep(0.05)
    return False


def command_lines() -> list[str]:
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                text = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if int(pid) != os.getpid() and "-c" in text and "pytest" not in text:
            found.append(text)
    return found


@pytest.mark.parametrize(
    ("limits", "code", "said"),
    [
        ({"memory_bytes": 512 * 1024**2}, "bytearray(2**30)", "MemoryError"),
        ({"open_files": 8}, "[open('/dev/null') for _ in range(9)]", "Too many open"),
        ({"cpu_seconds": 1}, "while True: pass", ""),
    ],
)
def test_it_can_spend_only_so_much(tmp_path, limits, code, said):
    exit_code, output = python(
        tmp_path, code, Limits(wall_seconds=30, **limits), isolated=can_isolate()
    )

    assert exit_code not in (0, None)
    assert said in output


def test_output_without_end_is_cut(tmp_path):
    limits = Limits(wall_seconds=2, output_bytes=1000)

    done = run_jailed(["yes"], str(tmp_path), limits, isolated=can_isolate())

    assert (done.exit_code, len(done.output), done.is_cut) == (None, 1000, True)


def test_its_environment_holds_nothing_of_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIFYHUB_API_KEY", "vh_secret")

    _, output = python(
        tmp_path, "import os; print(dict(os.environ))", isolated=can_isolate()
    )

    assert "vh_secret" not in output
    assert "PATH" in output


@pytest.mark.parametrize("name", ["", "no-such-program", "./own", "/bin/ls", "a/b"])
def test_only_a_program_of_the_search_path_is_run(tmp_path, name):
    (tmp_path / "own").write_text("#!/bin/sh\n")
    (tmp_path / "own").chmod(0o755)

    with pytest.raises(RunError):
        run_jailed([name], str(tmp_path), QUICK)


def test_a_program_of_the_folder_is_not_run_by_its_name_either(tmp_path, monkeypatch):
    (tmp_path / "own").write_text("#!/bin/sh\n")
    (tmp_path / "own").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    with pytest.raises(RunError, match="workspace itself"):
        run_jailed(["own"], str(tmp_path), QUICK)


def test_where_it_cannot_be_isolated_it_is_not_run(tmp_path, monkeypatch):
    broken = tmp_path / "child.py"
    text = Path(jail.CHILD).read_text()
    broken.write_text(text.replace("_libc.unshare(NEW_NAMESPACES)", "-1"))
    monkeypatch.setattr(jail, "CHILD", str(broken))

    with pytest.raises(RunError, match="unshare"):
        run_jailed(["python", "-c", "print(1)"], str(tmp_path), QUICK)
    assert not can_isolate()
