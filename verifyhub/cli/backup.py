"""`verifyhub backup`: write a verified backup into one file.

The file is a tar archive: `manifest.json` (counts and checksums), `database.dump`
(pg_dump) and `secret-key`, which opens sealed keys.
"""

import argparse
import hashlib
import json
import os
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from verifyhub import __version__
from verifyhub.cli.database_copy import (
    CopyError,
    check_readable,
    database_of,
    dump,
)
from verifyhub.cli.home import Home, HomeInUseError
from verifyhub.cli.postgres import PostgresError
from verifyhub.cli.restore import restore_to, unpack
from verifyhub.common import env

SECRET = "secret-key"  # noqa: S105 - the name of a file


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Back up the database and the secret key to one file, then read "
        "the file again to verify it. VerifyHub may be running or stopped."
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="default: verifyhub-DATE.backup in the current folder",
    )
    parser.add_argument(
        "--without-secret-key",
        action="store_true",
        help=(
            "leave the secret key out; without it, encrypted keys in the backup cannot "
            "be read"
        ),
    )
    parser.add_argument(
        "--test",
        action="store_true",
        help=(
            "also restore the backup into a temporary database and compare every table"
        ),
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the file, check it, and return the exit code."""
    now = datetime.now(UTC)
    file = arguments.file or Path(f"verifyhub-{now:%Y%m%dT%H%M%SZ}.backup")
    try:
        rows = _write(file, now, with_secret=not arguments.without_secret_key)
        print(f"{file}: {rows} rows, {file.stat().st_size / 1e6:.1f} MB, verified")
        if arguments.test:
            with tempfile.TemporaryDirectory(prefix="verifyhub-restored-") as folder:
                # PostgreSQL may run as another account, which must access its data.
                Path(folder).chmod(0o711)
                restore_to(Home(Path(folder)), file)
            print("Test restore: every table has the same rows")
    except (
        CopyError,
        PostgresError,
        HomeInUseError,
        env.SettingError,
        OSError,
    ) as error:
        print(f"Backup failed: {error}", file=sys.stderr)
        return 1
    return 0


def _write(file: Path, now: datetime, *, with_secret: bool) -> int:
    """Write the file under a temporary name until complete; return how many rows."""
    home = Home.from_environment()
    if file.exists():
        raise CopyError(f"{file} already exists")
    part = file.with_name(f"{file.name}.part")
    with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
        copy = Path(folder, "database.dump")
        with database_of(home) as address:
            tables = dump(address, copy)
        manifest = Path(folder, "manifest.json")
        text = {
            "version": __version__,
            "made_at": now.isoformat(timespec="seconds"),
            "sha256": _digest(copy),
            "tables": tables,
        }
        manifest.write_text(json.dumps(text, indent=1), encoding="utf-8")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            with tarfile.open(fileobj=stream, mode="w") as archive:
                for member in (manifest, copy):
                    archive.add(member, member.name, filter=_without_owner)
                if with_secret:
                    _add_secret(archive, home)
            stream.flush()
            os.fsync(stream.fileno())
        # Like a restore.
        unpack(part, copy)
        check_readable(copy)
    part.rename(file)
    return sum(int(count) for count, _ in tables.values())


def _add_secret(archive: tarfile.TarFile, home: Home) -> None:
    """Add the current secret key to the archive."""
    own = home.path / SECRET
    running = home.load_environment().get("VERIFYHUB_SECRET_KEY", "")
    value = env.text("VERIFYHUB_SECRET_KEY", running)
    value = value or (own.read_text(encoding="utf-8").strip() if own.exists() else "")
    if not value:
        raise CopyError(
            "No secret key: set VERIFYHUB_SECRET_KEY or use --without-secret-key"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, SECRET)
        file.touch(mode=0o600)
        file.write_text(f"{value}\n", encoding="utf-8")
        archive.add(file, SECRET, filter=_without_owner)


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry
