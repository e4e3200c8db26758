"""Answers on disk until the server has stored them; processes may be killed anytime.

A batch is a file of JSON lines. It is written under another name and renamed, so all
files are complete. Its sender holds a lock, which the kernel releases if the process
ends, and deletes the file once the server has stored the answers. If the sender is
killed before, the batch is sent again with the same ids, and nothing is stored twice.
"""

import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from verifyhub_client.settings import Drop

try:
    import fcntl
except ImportError:  # pragma: no cover - no POSIX
    fcntl = None  # type: ignore[assignment]

SUFFIX, UNFINISHED, LOCK = ".jsonl", ".part", ".lock"
LONGEST_WRITE_SECONDS = 2.0
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_OLD = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class Usage:
    """The content of a folder."""

    answers: int = 0
    files: int = 0
    bytes: int = 0


class Claimed:
    """A batch of the folder, locked by this process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    def lines(self) -> list[bytes]:
        """Read the batch."""
        size = os.fstat(self._descriptor).st_size
        data = os.pread(self._descriptor, size, 0)
        return [line for line in data.split(b"\n") if line]

    def done(self) -> None:
        """Delete the batch, which the server has stored."""
        with suppress(FileNotFoundError):
            self._path.unlink()
        self.release()

    def release(self) -> None:
        """Unlock the batch."""
        with suppress(OSError):
            os.close(self._descriptor)


class Spool:
    """A folder of batches for one hub and key.

    Args:
        folder: The folder; created for its owner alone if it is missing.
        max_bytes, max_files: Its maximum content, of all processes.
        drop: Whether the oldest or the newest answers are dropped if it is full.

    Raises:
        ValueError: If the folder is invalid, or others may write to it.
    """

    def __init__(
        self, folder: Path, *, max_bytes: int, max_files: int, drop: Drop
    ) -> None:
        self._folder, self._drop = folder, drop
        self._max_bytes, self._max_files = max_bytes, max_files
        if fcntl is None:  # pragma: no cover - no POSIX
            raise ValueError("a folder for answers needs a POSIX system")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = folder.lstat()
        except OSError as error:
            raise ValueError(f"the folder {folder} cannot be made") from error
        own = found.st_uid == os.geteuid() and stat.S_ISDIR(found.st_mode)
        if not own or found.st_mode & 0o077:
            raise ValueError(f"the folder {folder} is not its owner's alone")

    def put(self, lines: Sequence[bytes]) -> int:
        """Write a batch; return the number of answers dropped for lack of space.

        Raises:
            OSError: If it cannot be written; then no file is left.
        """
        size = sum(len(line) + 1 for line in lines)
        with self._alone():
            dropped = self._make_room(size)
            if dropped is None:
                return len(lines)
            name = f"{time.time_ns():020d}-{len(lines)}-{uuid4().hex[:12]}"
            self._write(name, lines)
        return dropped

    def claim(self) -> Claimed | None:
        """Lock and return the oldest unlocked batch; None if there is none."""
        for name in self._names():
            if claimed := self._claimed(name):
                return claimed
        return None

    def usage(self) -> Usage:
        """Return the content of the folder."""
        sizes = [(name, self._size(name)) for name in self._names()]
        there = [(name, size) for name, size in sizes if size is not None]
        return Usage(
            sum(_answers(name) for name, _ in there),
            len(there),
            sum(size for _, size in there),
        )

    def _make_room(self, size: int) -> int | None:
        """Delete the oldest batches until `size` fits; None if it does not."""
        sizes = [(name, self._size(name) or 0) for name in self._names()]
        files, total = len(sizes), sum(size for _, size in sizes)
        dropped = 0

        def is_full() -> bool:
            return files >= self._max_files or total + size > self._max_bytes

        if size > self._max_bytes or (is_full() and self._drop == "newest"):
            return None
        for name, one in sizes:
            if not is_full():
                break
            # A locked batch is being sent and will be deleted soon.
            if claimed := self._claimed(name):
                claimed.done()
                dropped, files, total = dropped + _answers(name), files - 1, total - one
        return None if is_full() else dropped

    def _write(self, name: str, lines: Sequence[bytes]) -> None:
        part = self._folder / (name + UNFINISHED)
        try:
            with os.fdopen(os.open(part, _NEW, 0o600), "wb") as file:
                file.writelines(line + b"\n" for line in lines)
            part.rename(self._folder / (name + SUFFIX))
        except OSError:
            part.unlink(missing_ok=True)
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock out other writers; delete incomplete files of killed writers."""
        descriptor = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock_soon(descriptor)
            for name in self._names(UNFINISHED):
                (self._folder / name).unlink(missing_ok=True)
            yield
        finally:
            os.close(descriptor)

    def _claimed(self, name: str) -> Claimed | None:
        path = self._folder / name
        try:
            descriptor = os.open(path, _OLD)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return None
        if os.fstat(descriptor).st_nlink == 0:
            # Sent and deleted before it was locked.
            os.close(descriptor)
            return None
        return Claimed(path, descriptor)

    def _names(self, suffix: str = SUFFIX) -> list[str]:
        """Return the names of files, oldest first, since they begin with the time."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(name for name in names if _is(name, suffix))

    def _size(self, name: str) -> int | None:
        try:
            return (self._folder / name).lstat().st_size
        except OSError:
            return None


def _lock_soon(descriptor: int) -> None:
    """Acquire a lock that others hold briefly.

    Raises:
        OSError: If one of them holds it too long, such as a stopped process.
    """
    end = time.monotonic() + LONGEST_WRITE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.005)
        else:
            return


def _is(name: str, suffix: str) -> bool:
    parts = name.removesuffix(suffix).split("-")
    return name.endswith(suffix) and len(parts) == 3 and parts[1].isdecimal()


def _answers(name: str) -> int:
    return int(name.split("-")[1])
