"""A folder that the operator declared, as a tree of files.

It needs a kernel that can open files beneath a folder safely (`common.beneath`).
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from verifyhub.common.beneath import (
    ABSENT,
    INSIDE,
    READ,
    UNSUPPORTED,
    open_root,
    openat2,
    relative,
)
from verifyhub.engine.ports import FileLook, FileState

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024
MAX_LOOKS = 1000
NOT_INSIDE = "not_inside"
NO_OPENAT2 = "kernel_without_openat2"


class WorkspaceTree:
    """The files below one folder, read within a budget for one verification."""

    name = "workspace"

    def __init__(self, root: str) -> None:
        self.root = root
        self.left = MAX_TOTAL_BYTES
        self.looks = 0

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        """Hash one file and search it for texts, from one descriptor.

        Every path that does not lead to a file inside gets the same answer,
        `not_inside`: claims must not reveal what exists elsewhere on this machine.
        """
        inside = relative(path, self.root)
        if inside is None:
            return _unread(NOT_INSIDE)
        self.looks += 1
        if self.looks > MAX_LOOKS:
            return _unread("too_many_files")
        try:
            with self._opened(inside) as file:
                return self._read(file, anchors)
        except OSError as error:
            if isinstance(error, _UnreadError):
                return _unread(error.reason)
            if error.errno in ABSENT:
                return FileLook(state=FileState.ABSENT)
            return _unread(NOT_INSIDE)

    @contextmanager
    def _opened(self, inside: bytes) -> Iterator[int]:
        try:
            folder = open_root(self.root)
        except OSError as error:
            reason = NO_OPENAT2 if error.errno in UNSUPPORTED else "root_not_there"
            raise _UnreadError(reason) from error
        try:
            file = openat2(folder, inside, READ, INSIDE)
        finally:
            os.close(folder)
        try:
            yield file
        finally:
            os.close(file)

    def _read(self, file: int, anchors: Sequence[str]) -> FileLook:
        before = os.fstat(file)
        if not stat.S_ISREG(before.st_mode):
            return _unread("no_regular_file")
        if before.st_nlink > 1:
            # Its other path may lie outside.
            return _unread("hard_link")
        if before.st_size > min(MAX_FILE_BYTES, self.left):
            return _unread("too_large")
        data = self._bytes(file)
        after = os.fstat(file)
        same = (before.st_size, before.st_mtime_ns) == (
            after.st_size,
            after.st_mtime_ns,
        )
        if not same or len(data) != after.st_size:
            return _unread("changed_while_read")
        return FileLook(
            state=FileState.PRESENT,
            sha256=hashlib.sha256(data).hexdigest(),
            anchors=frozenset(
                text for text in anchors if text.encode(errors="replace") in data
            ),
        )

    def _bytes(self, file: int) -> bytes:
        """Read to the end, or to one byte more than the budget."""
        pieces: list[bytes] = []
        left = min(MAX_FILE_BYTES, self.left) + 1
        while left > 0 and (piece := os.read(file, min(left, 1 << 20))):
            pieces.append(piece)
            left -= len(piece)
            self.left -= len(piece)
        return b"".join(pieces)


class _UnreadError(OSError):
    """The folder itself could not be opened; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _unread(reason: str) -> FileLook:
    return FileLook(state=FileState.UNREAD, reason=reason)
