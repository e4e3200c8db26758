"""`verifyhub restore`: restore a backup into a new home or an empty database."""

import argparse
import hashlib
import json
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from verifyhub.cli.database_copy import (
    CopyError,
    differences,
    load,
    started,
    sums,
)
from verifyhub.cli.home import Home, HomeInUseError, write_private
from verifyhub.cli.postgres import PostgresError
from verifyhub.common import env

PIECE = 1 << 20


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Restore a file written by `verifyhub backup` into VERIFYHUB_HOME, "
        "which must not contain a database, and compare every table with the backup. "
        "With DATABASE_URL, restore into that database, which must be empty."
    )
    parser.add_argument("file", type=Path, help="backup file, or - for standard input")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Restore a file and return the exit code."""
    home = Home.from_environment()
    try:
        home.create()
        with tempfile.TemporaryDirectory(dir=home.path) as folder:
            file = arguments.file
            if str(file) == "-":
                file = Path(folder, "given.backup")
                with file.open("wb") as stream:
                    shutil.copyfileobj(sys.stdin.buffer, stream, PIECE)
            address = env.text("DATABASE_URL", "")
            address = env.text("VERIFYHUB_OWNER_DATABASE_URL", address)
            rows = restore_to(home, file, address)
    except HomeInUseError as error:
        print(f"VerifyHub runs from {home.path} (pid {error})", file=sys.stderr)
        return 1
    except (CopyError, PostgresError, env.SettingError, OSError) as error:
        print(f"Restore failed: {error}", file=sys.stderr)
        return 1
    print(
        f"{rows} rows restored; every table matches the backup. Start with: verifyhub "
        "up"
    )
    return 0


def restore_to(home: Home, file: Path, address: str = "") -> int:
    """Fill a home's database, or the one at `address`, and compare every table.

    Returns:
        How many rows there are.

    Raises:
        CopyError: If there is data already, or the restored data differs from the
            backup; a home's database is then deleted again.
    """
    manifest = read_manifest(file)
    if not address and (home.path / "postgres").exists():
        raise CopyError(
            f"{home.path} already contains a database. Restore into a new home folder"
        )
    home.create()
    # In the home, since a container's /tmp may be in memory.
    with tempfile.TemporaryDirectory(dir=home.path) as folder:
        copy = Path(folder, "database.dump")
        secret = unpack(file, copy)
        if address:
            _fill(address, copy, manifest["tables"])
        else:
            with home.locked():
                try:
                    with started(home) as own:
                        _fill(own, copy, manifest["tables"])
                except (CopyError, PostgresError):
                    # There was no data before, so the untrusted copy is deleted.
                    shutil.rmtree(home.path / "postgres", ignore_errors=True)
                    raise
                if secret:
                    write_private(home.path / "secret-key", secret)
    return sum(int(count) for count, _ in manifest["tables"].values())


def read_manifest(file: Path) -> dict[str, Any]:
    """Return the manifest of a backup.

    Raises:
        CopyError: If the file is no backup.
    """
    try:
        with tarfile.open(file) as archive:
            packed = archive.extractfile("manifest.json")
            manifest = json.loads(packed.read()) if packed else None
        if not isinstance(manifest, dict) or not {"sha256", "tables"} <= {*manifest}:
            raise ValueError("its manifest is missing")
    except (tarfile.TarError, KeyError, ValueError) as error:
        raise CopyError(f"{file} is not a VerifyHub backup: {error}") from error
    return manifest


def unpack(file: Path, copy: Path) -> str:
    """Write a backup's copy of the database to `copy`; return the secret key, if any.

    Raises:
        CopyError: If it was changed.
    """
    digest, secret = hashlib.sha256(), ""
    with tarfile.open(file) as archive, copy.open("wb") as stream:
        packed = archive.extractfile("database.dump")
        while packed and (piece := packed.read(PIECE)):
            digest.update(piece)
            stream.write(piece)
        if "secret-key" in archive.getnames():
            key_file = archive.extractfile("secret-key")
            secret = key_file.read().decode() if key_file else ""
    if digest.hexdigest() != read_manifest(file)["sha256"]:
        raise CopyError(f"{file} was changed or damaged since it was written")
    return secret


def _fill(address: str, copy: Path, tables: dict[str, list[str]]) -> None:
    load(address, copy)
    if wrong := differences(tables, sums(address)):
        raise CopyError(
            "The restored data differs from the backup:\n" + "\n".join(wrong)
        )
