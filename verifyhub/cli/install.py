"""Create the virtual environment and install the lock files' packages.

Runs with any Python 3.11+ and nothing installed: `python3 -m verifyhub.cli.install
[--dev]`. Finished steps are not repeated.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
# The program that installs the others.
INSTALLER_LOCK = CHECKOUT / "requirements" / "install.lock"
# The distributions of this repository; the second depends on the first.
PROJECTS = (CHECKOUT / "client", CHECKOUT)
# Their packages, which the first start would compile on one core.
PACKAGES = (str(CHECKOUT / "verifyhub"), str(CHECKOUT / "client" / "verifyhub_client"))


class InstallError(Exception):
    """The environment cannot be created; the message says what to do."""


def main() -> int:
    """Install for running, or with `--dev` for developing and testing too."""
    parser = argparse.ArgumentParser(prog="install", description=__doc__)
    parser.add_argument(
        "--dev", action="store_true", help="also install the development tools"
    )
    parser.add_argument("--venv", type=Path, default=CHECKOUT / ".venv")
    arguments = parser.parse_args()
    try:
        with (CHECKOUT / "pyproject.toml").open("rb") as file:
            # Of two concurrent starts the second waits, and has nothing to do.
            fcntl.flock(file, fcntl.LOCK_EX)
            install(arguments.venv.resolve(), dev=arguments.dev)
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. Run the command again to continue.", file=sys.stderr)
        return 130
    return 0


def install(venv: Path, *, dev: bool) -> None:
    """Install what the lock files and this checkout need.

    Raises:
        InstallError: If a step fails.
    """
    _make_venv(venv)
    # The development lock includes the run lock.
    lock = CHECKOUT / "requirements" / ("dev.lock" if dev else "run.lock")
    stamp = venv / f"installed-{lock.stem}"
    digest = _digest(lock)
    if _read(stamp) != digest:
        started = time.monotonic()
        print(
            f"Installing {_count(lock)} packages (requirements/{lock.name}), once:"
            " half a minute, longer over a slow network …",
            flush=True,
        )
        _pip(venv, "--require-hashes", "--requirement", str(INSTALLER_LOCK))
        # The lock is complete, so nothing needs to be resolved.
        options = ["--require-hashes", "--no-deps", "--requirement", str(lock)]
        _uv(venv, options, _as_pip_is_set(venv))
        if not dev:
            _compile(venv)
        stamp.write_text(digest, encoding="ascii")
        if dev:
            run_lock = _digest(CHECKOUT / "requirements" / "run.lock")
            (venv / "installed-run").write_text(run_lock, encoding="ascii")
        print(f"Installed in {time.monotonic() - started:.0f} s", flush=True)
    _install_project(venv)


def _make_venv(venv: Path) -> None:
    python = venv / "bin" / "python"
    if python.exists() and _runs(python):
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise InstallError(
            f"{sys.executable} cannot make virtual environments: install its venv"
            " package (Debian, Ubuntu: apt-get install python3-venv), then try again."
        )
    print(f"Making the virtual environment {venv} …", flush=True)
    # A broken or incomplete one, such as after an update of Python, is created again.
    shutil.rmtree(venv, ignore_errors=True)
    process = subprocess.run(
        [sys.executable, "-m", "venv", str(venv)],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise InstallError(f"No virtual environment: {process.stdout}{process.stderr}")


def _runs(python: Path) -> bool:
    check = [str(python), "-c", "import pip"]
    try:
        return subprocess.run(check, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _install_project(venv: Path) -> None:
    """Link this checkout into the environment; needs no network."""
    stamp = venv / "installed-project"
    digests = [_digest(project / "pyproject.toml") for project in PROJECTS]
    content = "\n".join([str(CHECKOUT), *digests])
    if _read(stamp) == content:
        return
    options = ["--no-deps", "--no-build-isolation", "--no-index"]
    editable = [word for project in PROJECTS for word in ("--editable", str(project))]
    _uv(venv, [*options, *editable], {})
    stamp.write_text(content, encoding="utf-8")


def _pip(venv: Path, *arguments: str) -> None:
    """Install uv with pip, which every environment has."""
    command = [*_pip_command(venv), "install", "--quiet", "--no-input", *arguments]
    # Root's warning about system packages does not apply inside an environment.
    _run(command, {"PIP_ROOT_USER_ACTION": "ignore"})


def _uv(venv: Path, arguments: list[str], settings: dict[str, str]) -> None:
    """Install with uv, which takes a tenth of pip's time."""
    python = str(venv / "bin" / "python")
    options = ["--quiet", "--system-certs", "--python", python]
    command = [str(venv / "bin" / "uv"), "pip", "install", *options, *arguments]
    _run(command, settings)


def _run(command: list[str], settings: dict[str, str]) -> None:
    env = {**os.environ, **settings}
    if subprocess.run(command, env=env, cwd=CHECKOUT, check=False).returncode:
        raise InstallError(
            "The packages could not be installed (see above): check the network and the"
            " package index that pip is set to use, then try again."
        )


def _as_pip_is_set(venv: Path) -> dict[str, str]:
    """Return environment variables that give uv pip's index and certificates.

    Variables for uv itself are not changed.
    """
    command = [*_pip_command(venv), "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    # Lines such as global.index-url='https://…' and :env:.cert='/etc/…'.
    lines = (line.partition("=") for line in listed.splitlines())
    pip = {key.rpartition(".")[2]: value.strip("'") for key, _, value in lines}
    options = {
        "UV_DEFAULT_INDEX": pip.get("index-url"),
        "SSL_CERT_FILE": pip.get("cert"),
    }
    return {
        name: value
        for name, value in options.items()
        if value and name not in os.environ
    }


def _pip_command(venv: Path) -> list[str]:
    python = str(venv / "bin" / "python")
    return [python, "-m", "pip", "--disable-pip-version-check"]


def _compile(venv: Path) -> None:
    """Compile the installed packages and this checkout, on all cores.

    Files that fail, such as those for other versions of Python, and packages' own tests
    are compiled when they are imported.
    """
    options = ["-q", "-q", "-j", "0", "-x", "/tests?/"]
    python = str(venv / "bin" / "python")
    subprocess.run(
        [python, "-m", "compileall", *options, str(venv / "lib"), *PACKAGES],
        stdout=subprocess.DEVNULL,
        check=False,
    )


def _count(lock: Path) -> int:
    # One at the beginning of a line; hashes and reasons are indented.
    lines = lock.read_text(encoding="utf-8").splitlines()
    return sum(line[:1].isalnum() for line in lines)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
