"""Open files below a folder, resolved by the kernel so that no path leaves it.

Every path is opened with Linux's `openat2` beneath a folder, without following links or
entering other file systems. There is no fallback for kernels without that call, since
resolving paths in Python has race conditions.
"""

import ctypes
import errno
import os

# The same number on every architecture that has Linux wheels of Python.
SYS_OPENAT2 = 437
RESOLVE_NO_XDEV, RESOLVE_NO_MAGICLINKS = 0x01, 0x02
RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x04, 0x08
NO_LINKS = RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS
INSIDE = NO_LINKS | RESOLVE_NO_XDEV | RESOLVE_BENEATH
# A FIFO or a terminal must neither block the open nor become ours.
READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC

MAX_PATH = 1024
TRIES = 3
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
        descriptor = _libc.syscall(number, folder, path, ctypes.byref(how), size)
        if descriptor >= 0:
            return int(descriptor)
        # EAGAIN: something was renamed meanwhile, so the kernel could not be sure.
        if ctypes.get_errno() not in {errno.EAGAIN, errno.EINTR}:
            break
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))


def open_root(path: str) -> int:
    """Open the folder below which everything is to lie; no link may lead to it."""
    return openat2(-100, os.fsencode(path), FOLDER, NO_LINKS)


def is_supported() -> bool:
    """Return whether this kernel opens paths beneath a folder only."""
    try:
        os.close(open_root("/"))
    except OSError:
        return False
    return True


def relative(path: str, root: str) -> bytes | None:
    """Return a path that somebody names as bytes relative to the root, or None.

    The kernel would refuse most of these paths anyway; the others would mean another
    file on the machine where they were written.
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
