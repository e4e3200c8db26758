"""Drop the privileges that a command must not have, then run it in this process.

Runs as a separate script with only Python's standard library. Its argument is one JSON
document. If it cannot start the command, it writes the reason to the descriptor
`status`; if nothing is written there, the command runs.

In isolation the command has its own user, mount, process, network and IPC namespaces:
it has no network, every file system is read-only, `/tmp` is empty, and the folders in
which users and services keep their data are hidden. Source for the calls: man 2
unshare, man 2 mount_setattr, man 7 user_namespaces.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

# From <linux/sched.h>, <linux/mount.h> and <linux/prctl.h>.
NEW_NAMESPACES = (
    0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000
)
MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x2, 0x4, 0x8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
SYS_MOUNT_SETATTR, AT_RECURSIVE, AT_FDCWD = 442, 0x8000, -100
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 0x1, 0x2
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
O_PATH = 0x200000
# The command does not run as root, which could undo these restrictions.
INSIDE_UID = 1000

_libc = ctypes.CDLL(None, use_errno=True)


class _MountAttr(ctypes.Structure):
    _fields_ = [
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    ]


def main(settings: dict[str, Any]) -> None:
    """Replace this process by the command; never return."""
    status = settings["status"]
    os.set_inheritable(status, False)
    try:
        if settings["isolated"]:
            _isolate(settings)
        os.chdir(settings["folder"])
        _limit(settings["limits"])
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        program, argv = settings["program"], settings["argv"]
        os.execve(program, argv, settings["environment"])  # noqa: S606 - as is meant
    except Exception as error:  # noqa: BLE001 - whatever it was, nothing may run
        os.write(status, f"{type(error).__name__}: {error}".encode()[:400])
        os._exit(126)


def _isolate(settings: dict[str, Any]) -> None:
    uid, gid = os.geteuid(), os.getegid()
    _check(_libc.unshare(NEW_NAMESPACES), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{INSIDE_UID} {uid} 1")
    _write("/proc/self/gid_map", f"{INSIDE_UID} {gid} 1")
    # Only children are in the new process namespace; the first one is its init process.
    _become_child()
    _remount(settings["hidden"], settings["kept"])
    _become_child()


def _become_child() -> None:
    """Continue as a child; the parent waits and exits with the child's status."""
    child = os.fork()
    if child == 0:
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    code = 1
    while True:
        # An init process inherits every orphan; only its own child determines the exit
        # status.
        pid, ended = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(ended)
            break
    os._exit(code if code >= 0 else 128 - code)


def _remount(hidden: list[str], visible: list[str]) -> None:
    _mount(None, "/", None, MS_REC | MS_PRIVATE)
    descriptors = [(path, os.open(path, O_PATH | os.O_DIRECTORY)) for path in visible]
    attributes = _MountAttr(attr_set=MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID)
    _check(
        _libc.syscall(
            ctypes.c_long(SYS_MOUNT_SETATTR),
            AT_FDCWD,
            b"/",
            AT_RECURSIVE,
            ctypes.byref(attributes),
            ctypes.c_size_t(ctypes.sizeof(attributes)),
        ),
        "mount_setattr",
    )
    for folder in hidden:
        size = "size=64m,mode=700" if folder == "/tmp" else "size=1m,mode=700"  # noqa: S108
        _mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, size)
        for path, descriptor in descriptors:
            if path.startswith(f"{folder}/"):
                os.makedirs(path, exist_ok=True)
                source = f"/proc/self/fd/{descriptor}"
                _mount(source, path, None, MS_BIND | MS_REC)
    for _, descriptor in descriptors:
        os.close(descriptor)
    _hide_processes()


def _hide_processes() -> None:
    """Show the command only its own processes, or none if /proc cannot be mounted."""
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    try:
        _mount("proc", "/proc", "proc", flags)
    except OSError:
        _mount("tmpfs", "/proc", "tmpfs", flags, "size=64k")


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ValueError):
            resource.setrlimit(kind, (value, value))


def _mount(
    source: str | None, target: str, kind: str | None, flags: int, data: str = ""
) -> None:
    texts = (text.encode() if text else None for text in (source, target, kind))
    first, second, third = texts
    failed = _libc.mount(
        first, second, third, ctypes.c_ulong(flags), data.encode() or None
    )
    _check(failed, f"mount {target}")


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def _check(failed: int, call: str) -> None:
    if failed:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
