"""The folder with the state of a local VerifyHub."""

import fcntl
import os
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from verifyhub.common import env

CHECKOUT = Path(__file__).resolve().parents[2]
MAX_LOG_BYTES = 10 * 1024 * 1024
# Settings with a path, in addition to every NAME_FILE.
PATHS = {"VERIFYHUB_EXPORT_FOLDER", "VERIFYHUB_LOCAL_JUDGE"}


class HomeInUseError(Exception):
    """Another `verifyhub up` is running from this folder."""


@dataclass(frozen=True, slots=True)
class Home:
    """Paths and secrets below `VERIFYHUB_HOME`."""

    path: Path

    @classmethod
    def from_environment(cls) -> "Home":
        """Return the folder of `VERIFYHUB_HOME`, or the default one."""
        named = env.text("VERIFYHUB_HOME", env.default_home())
        return cls(Path(named).resolve())

    @property
    def logs(self) -> Path:
        """The directory of the processes' log files."""
        return self.path / "logs"

    @property
    def run(self) -> Path:
        """The folder with process ids and addresses of the running system."""
        return self.path / "run"

    @property
    def environment_file(self) -> Path:
        """Settings of the running system, in shell syntax, for its other commands."""
        return self.run / "environment.sh"

    def create(self) -> None:
        """Create the folder and its parts, if they do not exist."""
        for folder in (self.path, self.logs, self.run):
            folder.mkdir(parents=True, exist_ok=True)
        for folder in (self.logs, self.run):
            folder.chmod(0o700)

    def secret(self, name: str, make: Callable[[], str] = secrets.token_hex) -> str:
        """Return the secret in the file `name`, which is created on first use."""
        file = self.path / name
        if not file.exists() or not file.read_text(encoding="utf-8").strip():
            write_private(file, make() + "\n")
        return file.read_text(encoding="utf-8").strip()

    def save_environment(self, values: Mapping[str, str]) -> None:
        """Store the running system's settings for `verifyhub doctor` and for shells."""
        lines = [
            f"export {name}={shlex.quote(text)}\n" for name, text in values.items()
        ]
        write_private(self.environment_file, "".join(lines))

    def load_environment(self) -> dict[str, str]:
        """Return the settings of the running system, or of the last one."""
        try:
            words = shlex.split(self.environment_file.read_text(encoding="utf-8"))
        except OSError:
            return {}
        pairs = (word.split("=", 1) for word in words if "=" in word)
        return dict(pairs)

    def adopt_environment(self) -> None:
        """Use the settings of the home's system in this process.

        The caller's environment takes precedence.
        """
        for name, value in self.load_environment().items():
            if not os.environ.get(f"{name}_FILE"):
                os.environ.setdefault(name, value)

    def open_log(self, name: str) -> int:
        """Open the log of one process for appending; a long one is rotated first."""
        file = self.logs / f"{name}.log"
        if file.exists() and file.stat().st_size > MAX_LOG_BYTES:
            file.replace(file.with_suffix(".log.1"))
        return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for one `verifyhub up`.

        The lock belongs to the open file, so it always ends with the process.

        Raises:
            HomeInUseError: If another process holds it.
        """
        file = os.open(self.run / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise HomeInUseError(os.pread(file, 20, 0).decode().strip()) from error
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
            yield
        finally:
            os.close(file)


def absolute(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings with absolute paths, for a process in another folder."""
    return {
        name: str(Path(value).absolute())
        if value and (name.endswith("_FILE") or name in PATHS)
        else value
        for name, value in settings.items()
    }


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read, atomically."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)
