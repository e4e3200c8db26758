"""A folder that the operator declared, as a tree of files to look at.

Every file is opened by `openat2` beneath the folder, with no link of any kind and no
other file system on the way. A kernel without that call gives no answers: resolving
paths by hand could be raced.
"""

import ctypes
import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from verifyhub.engine.ports import FileLook, FileState

# The number is the same on every architecture that Python's Linux wheels exist for.
SYS_OPENAT2 = 437
RESOLVE_NO_XDEV, RESOLVE_NO_MAGICLINKS = 0x01, 0x02
RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x04, 0x08
NO_LINKS = RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS
INSIDE = NO_LINKS | RESOLVE_NO_XDEV | RESOLVE_BENEATH
# A FIFO or a terminal must neither block the open nor become ours.
READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC

MAX_PATH = 1024
MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024
MAX_LOOKS = 1000
TRIES = 3
NOT_INSIDE = "not_inside"
NO_OPENAT2 = "kernel_without_openat2"
ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR})
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.E2BIG, errno.EPERM})

_libc = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = [
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    ]


def openat2(folder: int, path: bytes, flags: int, resolve: int) -> int:
    """Open a path as Linux's `openat2` does and return the descriptor.

    Raises:
        OSError: With the kernel's errno; EXDEV or ELOOP if the path would leave.
    """
    how = _OpenHow(flags=flags, mode=0, resolve=resolve)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    number = ctypes.c_long(SYS_OPENAT2)
    for _ in range(TRIES):
        found = _libc.syscall(number, folder, path, ctypes.byref(how), size)
        if found >= 0:
            return int(found)
        # EAGAIN: something was renamed meanwhile, so the kernel could not be sure.
        if ctypes.get_errno() not in {errno.EAGAIN, errno.EINTR}:
            break
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))


def is_supported() -> bool:
    """Whether this kernel opens paths beneath a folder only."""
    try:
        os.close(openat2(-100, b"/", FOLDER, NO_LINKS))
    except OSError:
        return False
    return True


class WorkspaceTree:
    """The files below one folder, read within a budget for one verification."""

    name = "workspace"

    def __init__(self, root: str) -> None:
        self.root = root
        self.left = MAX_TOTAL_BYTES
        self.looks = 0

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        """Hash one file and search it for texts, from one descriptor.

        Whatever does not lead to a file inside gets the same answer, `not_inside`,
        there or not: claims must not tell what lies elsewhere on this machine.
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
            return _refusal(error)

    @contextmanager
    def _opened(self, inside: bytes) -> Iterator[int]:
        try:
            folder = openat2(-100, os.fsencode(self.root), FOLDER, NO_LINKS)
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
            # Another name of it may lie outside.
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
        """Read to the end, or one byte further than is allowed."""
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


def relative(path: str, root: str) -> bytes | None:
    """Return a claimed path as bytes relative to the root; None if it is no such path.

    This only refuses early what the kernel would refuse anyway, or what would mean
    something else on the agent's machine.
    """
    inside = path.removeprefix(f"{root}/")
    refused = (
        inside.startswith(("/", "~")) or "\\" in inside or not inside.isprintable()
    )
    if not inside or refused or ".." in inside.split("/"):
        return None
    try:
        encoded = inside.encode()
    except UnicodeEncodeError:
        return None
    return encoded if len(encoded) <= MAX_PATH else None


def _refusal(error: OSError) -> FileLook:
    if isinstance(error, _UnreadError):
        return _unread(error.reason)
    if error.errno in ABSENT:
        return FileLook(state=FileState.ABSENT)
    return _unread(NOT_INSIDE)


def _unread(reason: str) -> FileLook:
    return FileLook(state=FileState.UNREAD, reason=reason)
