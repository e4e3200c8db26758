"""Read, list and search files below one folder, within limits, following no links."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifyhub.common.beneath import (
    ABSENT,
    INSIDE,
    LIST,
    READ,
    UNSUPPORTED,
    open_root,
    openat2,
    relative,
)

MAX_FILE_BYTES = 1024 * 1024
MAX_SEARCHED_BYTES = 64 * 1024 * 1024
MAX_LISTED = 2000
MAX_HITS = 200
MAX_DEPTH = 24
MAX_LINE_CHARACTERS = 300
# Created by tools and rarely read; `read_file` still opens the files in them.
SKIPPED = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"}
)


class LookError(Exception):
    """A file or folder cannot be shown; the message is for the agent."""


class Folder:
    """The files below one folder.

    Args:
        root: The folder; if it is a link, it is resolved here once. No other link is
            followed.

    Raises:
        OSError: If the folder does not exist, or the kernel cannot confine paths to it.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = str(Path(root).resolve(strict=True))
        os.close(open_root(self.root))

    def read(self, path: str) -> str:
        """Return a text file, at most 1 MiB of it.

        Raises:
            LookError: If the file does not exist, is outside the folder, or is not
                text.
        """
        inside = self._inside(path)
        with _opened(self.root, inside, READ, path) as file:
            status = os.fstat(file)
            if stat.S_ISDIR(status.st_mode):
                raise LookError(f"{path}: is a folder")
            _check_file(status, path)
            data = _bytes(file, MAX_FILE_BYTES + 1)
        if b"\0" in data[:8192]:
            raise LookError(f"{path}: is no text")
        text = data[:MAX_FILE_BYTES].decode("utf-8", "replace")
        if len(data) > MAX_FILE_BYTES:
            text += f"\n[cut after {MAX_FILE_BYTES} bytes]"
        return text

    def list_files(self, path: str) -> str:
        """Return the sorted paths of the files below a folder, one per line.

        Raises:
            LookError: If the folder does not exist, is outside, or is not a folder.
        """
        paths: list[str] = []
        for file in self._walk(path):
            if len(paths) == MAX_LISTED:
                paths.append(f"[cut after {MAX_LISTED} files]")
                break
            paths.append(file)
        return "\n".join(paths) or "no files"

    def search(self, text: str, path: str = ".") -> str:
        """Return the lines that contain a text, as `path:line:text`.

        Raises:
            LookError: If the folder does not exist, or the text is empty.
        """
        if not text.strip():
            raise LookError("text: is empty")
        hits: list[str] = []
        left = MAX_SEARCHED_BYTES
        for file in self._walk(path):
            try:
                content = self.read(file)
            except LookError:
                continue
            left -= len(content)
            for number, line in enumerate(content.splitlines(), start=1):
                if text in line:
                    hits.append(f"{file}:{number}:{line[:MAX_LINE_CHARACTERS]}")
            if len(hits) > MAX_HITS or left < 0:
                return "\n".join(
                    [*hits[:MAX_HITS], "[cut: search for something rarer]"]
                )
        return "\n".join(hits) or "no matches"

    def _walk(self, path: str) -> Iterator[str]:
        """Yield the regular files below a folder, depth first, ordered by name."""
        start = path.removeprefix(f"{self.root}/").removeprefix("./").rstrip("/")
        # A single slash is not a folder of the workspace; it is refused unchanged.
        is_root = start in {"", ".", self.root} and path != "/"
        pending = [("." if is_root else start or path, 0)]
        while pending:
            folder, depth = pending.pop()
            folders, files = self._entries(folder)
            prefix = "" if folder == "." else f"{folder}/"
            yield from (prefix + name for name in files)
            if depth < MAX_DEPTH:
                pending += [(prefix + name, depth + 1) for name in reversed(folders)]

    def _entries(self, path: str) -> tuple[list[str], list[str]]:
        inside = b"." if path == "." else self._inside(path)
        with (
            _opened(self.root, inside, LIST, path) as opened,
            os.scandir(opened) as iterator,
        ):
            entries = sorted(iterator, key=lambda entry: entry.name)
            folders = [
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and entry.name not in SKIPPED
            ]
            files = [e.name for e in entries if e.is_file(follow_symlinks=False)]
        return [n for n in folders if n.isprintable()], [
            n for n in files if n.isprintable()
        ]

    def _inside(self, path: str) -> bytes:
        inside = relative(path.removeprefix("./"), self.root)
        if inside is None:
            raise LookError(f"{path}: outside the workspace")
        return inside


@contextmanager
def _opened(root: str, inside: bytes, flags: int, path: str) -> Iterator[int]:
    try:
        folder = open_root(root)
        try:
            file = openat2(folder, inside, flags, INSIDE)
        finally:
            os.close(folder)
    except OSError as error:
        raise LookError(f"{path}: {_why(error)}") from error
    try:
        yield file
    finally:
        os.close(file)


def _why(error: OSError) -> str:
    if error.errno in ABSENT:
        return "no such file or folder"
    if error.errno in {errno.EXDEV, errno.ELOOP}:
        return "outside the workspace"
    if error.errno in UNSUPPORTED:
        return "this kernel cannot open files safely"
    return "cannot be read"


def _check_file(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise LookError(f"{path}: is no file")
    if status.st_nlink > 1:
        # The file may have another name outside the folder.
        raise LookError(f"{path}: is a hard link")


def _bytes(file: int, limit: int) -> bytes:
    pieces: list[bytes] = []
    while limit > 0 and (piece := os.read(file, min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)
