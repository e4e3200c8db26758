"""Normalise file paths, and compare them by components."""

from typing import TypeAlias
from urllib.parse import unquote

# Components from the root on; an absolute path begins with an empty component.
Components: TypeAlias = tuple[str, ...]

MAX_COMPONENTS = 64


def components(path: str) -> Components:
    """Split a path into components.

    Backslashes are separators, `.` and empty components vanish, `x/..` cancels out, a
    leading `..` is dropped, `file:` and a drive letter make a path absolute. Case,
    extensions and characters are kept: paths that differ in them are not equal.
    """
    path = path.replace("\\", "/")
    if path.startswith("file://"):
        path = path[7:]
    drive = len(path) > 2 and path[1] == ":" and path[0].isalpha() and path[2] == "/"
    absolute = drive or path.startswith("/")
    if drive:
        path = path[2:]
    parts: list[str] = []
    for part in path.split("/", MAX_COMPONENTS):
        if part in {"", "."}:
            continue
        if part == "..":
            if parts:
                parts.pop()
            continue
        parts.append(part)
    return ("", *parts) if absolute else tuple(parts)


def decoded(path: str) -> str:
    """Decode percent-encoding; other text is unchanged."""
    if "%" not in path:
        return path
    plain = unquote(path, errors="replace")
    return path if "\ufffd" in plain or "\x00" in plain else plain


def is_suffix(short: Components, long: Components) -> bool:
    """Return whether `long` ends in the components of `short`."""
    return bool(short) and len(short) <= len(long) and long[-len(short) :] == short


def joined(base: Components, relative: Components) -> Components:
    """Resolve a relative path against a folder; an absolute one stays."""
    if relative and relative[0] == "":
        return relative
    return base + relative


def shown(parts: Components) -> str:
    """Write components as a path with forward slashes."""
    return "/".join(parts)
