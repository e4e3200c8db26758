"""Record finished steps of a start, so that they are not repeated.

A step is done if its stamp has the fingerprint of all that the step depends on: the
program's files, the first accounts, and the database's migrations.
"""

import hashlib
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from verifyhub.cli.home import Home, write_private
from verifyhub.cli.welcome import Login

PACKAGE = Path(__file__).resolve().parents[1]


def fingerprint(first_login: Login, migrated: str) -> str:
    """Return a digest of everything that a prepared home depends on.

    Args:
        first_login: The first accounts, of whose secrets only the API key is included.
        migrated: The database's migrations.
    """
    key = hashlib.sha256(first_login.api_key.encode()).hexdigest()
    project = first_login.as_environment().get("VERIFYHUB_INIT_PROJECT", "")
    digest = hashlib.sha256(
        "\n".join((first_login.user, project, key, migrated)).encode()
    )
    for file in _files():
        status = file.stat()
        digest.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def is_done(home: Home, step: str, fingerprint: str) -> bool:
    """Return whether a step was done for this fingerprint."""
    try:
        return _stamp(home, step).read_text(encoding="ascii") == fingerprint
    except OSError:
        return False


def mark_done(home: Home, step: str, fingerprint: str) -> None:
    """Record that a step was done for this fingerprint."""
    write_private(_stamp(home, step), fingerprint)


def _stamp(home: Home, step: str) -> Path:
    return home.run / f"{step}.done"


def _files() -> Iterator[Path]:
    """Yield the package's files, and installed distributions by version."""
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            yield file
    yield from sorted(Path(sysconfig.get_path("purelib")).glob("*.dist-info"))
