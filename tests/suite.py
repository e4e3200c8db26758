"""Check and test everything: `make test`, `make test-deep` and `make check`.

Starts its own PostgreSQL and broker on free ports, so that it touches neither a running
VerifyHub nor its data, and stops what it started. Tests run in parallel, the checks
beside them; at the end nothing of theirs may be left (docs/adr/0063).
"""

import ctypes
import fcntl
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from itertools import islice
from pathlib import Path

import psutil

from tests.browser.chromium import CHROMIUM, CHROMIUM_FILES, PROGRAMS
from verifyhub.cli.broker import Broker
from verifyhub.cli.home import CHECKOUT, Home
from verifyhub.cli.postgres import Postgres
from verifyhub.cli.processes import Child, stop_leftovers

BIN = Path(sys.executable).parent
CHECKS = {
    "style": [BIN / "ruff", "check", "."],
    "format": [BIN / "ruff", "format", "--check", "."],
    "import contracts": [BIN / "lint-imports"],
    "types": [BIN / "mypy"],
}
# The database server stays between runs, with the template that databases are cloned
# from; without the mark it was not stopped in good order, and is made anew.
KEPT = CHECKOUT / ".test-servers"
STOPPED_WELL = KEPT / "stopped-well"
# Generated cases run in both: the deep layer makes ten times as many.
LAYERS = {
    "test": ["-m", "not deep"],
    "deep": ["-m", "deep or hypothesis", "--hypothesis-profile=deep", "-p", "randomly"],
}
# Tests of one file run in one process; `tests/conftest.py` says which come first. One
# process more than cores: some wait for servers that start, for retries, for the beat.
PARALLEL = ["--dist=loadfile", "--no-loadscope-reorder", f"-n{os.cpu_count() + 1}"]
# The last would have each process of a test compile the program anew.
NOT_FOR_TESTS = {"PORT", "MAKEFLAGS", "PYTHONDONTWRITEBYTECODE"}
NO_LONG_WAITS = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10")
PR_SET_CHILD_SUBREAPER = 36
# Temporary files that stay: pytest's own, which it keeps for who looks for the cause of
# a failure, the mark that ONNX Runtime writes when it is imported, and what a process
# of the browser writes that outlives the folder it had.
TEMPORARY = ("pytest-of-", ".ses", CHROMIUM_FILES)
# As Linux writes them in its tables of sockets: 127.0.0.0/8 and ::1.
LISTENING, LOCAL = "0A", ("0100007F:", "00000000000000000000000001000000:")


def main(arguments: Sequence[str]) -> int:
    """Run a layer of the tests and the checks; `--check`: the checks alone.

    The first argument may name a layer, `test` or `deep`; the others go to pytest.
    """
    layer, *words = (
        arguments if set(arguments[:1]) & LAYERS.keys() else ("test", *arguments)
    )
    options = [word for word in words if word != "--check"]
    checks = Checks() if layer == "test" and not options else None
    try:
        if "--check" in arguments:
            return int(not Checks().passed())
        if checks:
            checks.start()
        rewriting = subprocess.Popen([sys.executable, "-m", "tests.rewritten"])
        install_browser()
        with servers() as env:
            rewriting.wait()
            is_green = _tests_pass([*PARALLEL, *LAYERS[layer], *options], env)
        if checks:
            checks.join()
    except KeyboardInterrupt:
        print("Stopped")
        return 130
    return int(not (is_green and (checks is None or checks.passed())))


class Checks(threading.Thread):
    """Style, types and contracts, one after the other, beside the tests."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._failed: list[str] = []

    def run(self) -> None:
        for name in CHECKS:
            if not _passes(name):
                self._failed.append(name)

    def passed(self) -> bool:
        """Say what failed, once the checks have run; they run now if they have not."""
        if not self.ident:
            self.run()
        if self._failed:
            print(f"Failed checks: {', '.join(self._failed)}", file=sys.stderr)
        return not self._failed


def _passes(name: str) -> bool:
    started = time.monotonic()
    result = subprocess.run(
        [str(word) for word in CHECKS[name]],
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    outcome = "failed" if result.returncode else "passed"
    print(f"{name:18}{outcome} ({time.monotonic() - started:.0f} s)", flush=True)
    if result.returncode:
        print(result.stdout, result.stderr, sep="", flush=True)
    return result.returncode == 0


@contextmanager
def servers() -> Iterator[dict[str, str]]:
    """Run PostgreSQL and a broker; yield the settings that lead to them."""
    with (
        tempfile.TemporaryDirectory(prefix="verifyhub-test-") as folder,
        _database_home(Path(folder)) as database_home,
    ):
        # PostgreSQL may run as another account here, which must reach its data.
        Path(folder).chmod(0o711)
        home = Home(Path(folder))
        home.create()
        sockets = Path(folder, "sockets")
        sockets.mkdir()
        sockets.chmod(0o777)
        postgres, broker = Postgres(database_home, sockets), Broker(home)
        started: list[Child] = []
        try:
            started.append(postgres.start())
            started.append(broker.start())
            yield {
                **_environment(home, postgres.url, broker.url),
                "DATABASE_SOCKETS": str(sockets),
            }
        finally:
            for server in started:
                server.stop()
            stop_leftovers(home)


@contextmanager
def _database_home(other: Path) -> Iterator[Home]:
    """Hold the folder of the database that stays, or `other` while it is in use."""
    KEPT.mkdir(exist_ok=True)
    KEPT.chmod(0o711)
    with (KEPT / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            home = Home(other)
            home.create()
            yield home
            return
        home = Home(KEPT)
        home.create()
        stop_leftovers(home)
        if not STOPPED_WELL.exists():
            shutil.rmtree(KEPT / "postgres", ignore_errors=True)
        STOPPED_WELL.unlink(missing_ok=True)
        yield home
        STOPPED_WELL.touch()


def _environment(home: Home, database_url: str, broker_url: str) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("VERIFYHUB_") and name not in NOT_FOR_TESTS
    }
    return {
        **inherited,
        "PATH": f"{BIN}{os.pathsep}{inherited.get('PATH', '')}",
        "DATABASE_URL": database_url,
        "BROKER_URL": broker_url,
        "VERIFYHUB_HOME": str(home.path),
        "VERIFYHUB_SECRET_KEY": secrets.token_urlsafe(50),
    }


def install_browser() -> None:
    """Install Chromium's shell where that is ours to do, also beside a whole Chromium.

    That one does twice the work for the same tests. Without any they say why they skip.
    """
    if shutil.which(PROGRAMS[0]):
        return
    without = (
        "browser tests take twice as long" if CHROMIUM else "browser tests are skipped"
    )
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"No {PROGRAMS[0]}: {without} (apt-get install {PROGRAMS[0]})")
        return
    print(f"Installing {PROGRAMS[0]} …", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (
        ["update"],
        ["install", "--yes", "--no-install-recommends", PROGRAMS[0]],
    ):
        command = ["apt-get", "--quiet", "--quiet", *NO_LONG_WAITS, *step]
        result = subprocess.run(
            command, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if result.returncode:
            print(f"`{' '.join(command)}` failed: {without}", flush=True)
            return


def _tests_pass(options: Sequence[str], env: dict[str, str]) -> bool:
    """Run pytest; the tests pass when none failed and nothing of theirs is left."""
    _adopt_orphans()
    own = {process.pid for process in psutil.Process().children(recursive=True)}
    before = _untracked()
    with tempfile.TemporaryDirectory(prefix="verifyhub-tests-") as folder:
        # Programs of other accounts find files of tests in there.
        Path(folder).chmod(0o755)
        pytest = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "pytest",
                "-rs",
                "--durations=12",
                *options,
            ],
            cwd=CHECKOUT,
            env={**env, "TMPDIR": folder},
            stdin=subprocess.DEVNULL,
        )
        others, listening = _listening_beyond_loopback(), set[str]()
        while pytest.poll() is None:
            if _listening_beyond_loopback() - others:
                listening.update(_listeners(psutil.Process()))
            time.sleep(1)
        left = _left_processes(own)
        left += [f"listened on {address}" for address in sorted(listening)]
        for path in Path(folder).iterdir():
            if not path.name.startswith(TEMPORARY):
                inside = [one.name for one in islice(path.rglob("*"), 5)]
                left.append(f"temporary {path.name} {' '.join(inside)}")
        left += [f"file {name}" for name in sorted(_untracked() - before)]
    if left:
        print("Left behind by tests:", *left, sep="\n  ", file=sys.stderr, flush=True)
    return pytest.returncode == 0 and not left


def _adopt_orphans() -> None:
    """Become the parent of processes whose own parent ends, to see what is left."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def _left_processes(own: set[int]) -> list[str]:
    """End what tests left running, and return its commands."""
    found = []
    for process in psutil.Process().children(recursive=True):
        if process.pid in own or not _is_of_tests(process):
            continue
        try:
            found.append(f"process {' '.join(process.cmdline())}")
            process.kill()
            process.wait(5)
        except psutil.Error:
            continue
    return found


def _is_of_tests(process: psutil.Process) -> bool:
    """Whether it runs, and is none of the checks, which have no temporary folder."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.name() not in {
            "mypy",
            "ruff",
            "lint-imports",
        }
    except psutil.Error:
        return False


def _listening_beyond_loopback() -> set[str]:
    """Return the sockets of this machine that listen on other than local addresses.

    As Linux lists them, hexadecimal; to ask each process takes a tenth of a core.
    """
    found = set()
    for table in (Path("/proc/net/tcp"), Path("/proc/net/tcp6")):
        lines = table.read_text("ascii").splitlines()[1:] if table.exists() else []
        for address, _remote, state in (line.split()[1:4] for line in lines):
            if state == LISTENING and not address.startswith(LOCAL):
                found.add(address)
    return found


def _listeners(process: psutil.Process) -> list[str]:
    """Return where the descendants of a process listen beyond loopback, and who."""
    found = []
    for one in process.children(recursive=True):
        try:
            for link in one.net_connections(kind="inet"):
                is_open = link.status == psutil.CONN_LISTEN
                if is_open and not ip_address(link.laddr.ip).is_loopback:
                    command = " ".join(one.cmdline())[:200]
                    found.append(f"{link.laddr.ip}:{link.laddr.port} by {command}")
        except psutil.Error:
            continue
    return found


def _untracked() -> set[str]:
    """Return the files of the checkout that git neither knows nor ignores."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    try:
        result = subprocess.run(
            command, cwd=CHECKOUT, capture_output=True, text=True, check=False
        )
    except OSError:
        return set()
    return {line[3:] for line in result.stdout.splitlines() if line.startswith("??")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
