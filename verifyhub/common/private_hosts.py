"""Private addresses that the operator allows at run time.

`verifyhub allow` stores them in a file of the home: purpose, host and port. Every
process reads the file again after a change. No page and no API writes it.
"""

import os
import stat
from functools import lru_cache
from pathlib import Path

from verifyhub.common import env

NAME = "allow-private"
# Targets: models of projects, and receivers of webhooks.
PURPOSES = ("models", "webhooks")

Place = tuple[str, int]


def allowed_in(home: Path, purpose: str) -> frozenset[Place]:
    """Return the hosts and ports that the home's file allows for a purpose.

    A file that others than its owner may write allows nothing; invalid lines are
    ignored.
    """
    file = home / NAME
    try:
        status = file.stat()
    except OSError:
        return frozenset()
    if not stat.S_ISREG(status.st_mode) or status.st_mode & (
        stat.S_IWGRP | stat.S_IWOTH
    ):
        return frozenset()
    rows = _read(str(file), status.st_mtime_ns, status.st_size, status.st_ino)
    return frozenset(place for own, place in rows if own == purpose)


def change(home: Path, purpose: str, text: str, *, remove: bool = False) -> bool:
    """Allow a host and port, or revoke that.

    Args:
        home: The folder of the server's state.
        purpose: One of `PURPOSES`.
        text: `host:port`; IPv6 in brackets.
        remove: Revoke it instead.

    Returns:
        False if nothing changed.

    Raises:
        env.SettingError: If it has another form.
    """
    (place,) = env.places(NAME, [text])
    entries = [
        (own, allowed) for own in PURPOSES for allowed in sorted(allowed_in(home, own))
    ]
    if ((purpose, place) in entries) != remove:
        return False
    if remove:
        entries.remove((purpose, place))
    else:
        entries.append((purpose, place))
    lines = [f"{own} {shown(allowed)}\n" for own, allowed in entries]
    part = home / f"{NAME}.part"
    part.unlink(missing_ok=True)
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(number, "w", encoding="utf-8") as stream:
        stream.write("".join(lines))
    part.replace(home / NAME)
    return True


def shown(place: Place) -> str:
    """Return a host and port in the form of settings."""
    host, port = place
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@lru_cache(maxsize=4)
def _read(
    file: str, _changed: int, _size: int, _number: int
) -> tuple[tuple[str, Place], ...]:
    rows = []
    for line in Path(file).read_text(encoding="utf-8", errors="replace").splitlines():
        purpose, _, text = line.strip().partition(" ")
        try:
            rows += [(purpose, host) for host in env.places(NAME, [text.strip()])]
        except env.SettingError:
            continue
    return tuple(rows)
