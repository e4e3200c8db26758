"""Databases for tests: cloned from one template, made once for a state of migrations.

The template stays on the server, so that the next run on it only copies. It is named
after the files that make it; another state's is dropped when a new one is made.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from tests.architecture.tree import CHECKOUT
from verifyhub.cli.postgres import APPLICATION
from verifyhub.cli.rights import grant_rights

PREFIX = "verifyhub_template_"
# Two workers must not make the template at the same time.
LOCK = 0x7E57


@contextmanager
def own_database(name: str) -> Iterator[None]:
    """Give this process a fresh copy of the template, called `name`, until it ends."""
    former = connection.settings_dict["NAME"]
    with _server() as server:
        server.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        template = _template(server)
        _drop(server, name)
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
        server.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
    _use(name)
    yield
    _use(former)
    with _server() as server:
        _drop(server, name)


def application_url() -> str:
    """Return this process's database as the servers reach it, without owning it."""
    given = connection.settings_dict
    own = f"{APPLICATION}:of-these-tests"
    return f"postgresql://{own}@127.0.0.1:{given['PORT']}/{given['NAME']}"


def _use(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name


def _server() -> psycopg.Connection[tuple[str, ...]]:
    given = settings.DATABASES["default"]
    return psycopg.connect(
        host=given["HOST"],
        port=given["PORT"],
        user=given["USER"],
        password=given["PASSWORD"],
        dbname="postgres",
        autocommit=True,
    )


def _drop(server: psycopg.Connection[tuple[str, ...]], name: str) -> None:
    statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
    server.execute(statement.format(sql.Identifier(name)))


def _template(server: psycopg.Connection[tuple[str, ...]]) -> str:
    """Return the template's name, and make it where there is none yet."""
    name = f"{PREFIX}{_fingerprint()}"
    found = server.execute(
        "SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{PREFIX}%",)
    ).fetchall()
    if (name,) in found:
        return name
    for (old,) in found:
        _drop(server, old)
    part = f"{PREFIX}part"
    server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(part)))
    former = connection.settings_dict["NAME"]
    _use(part)
    call_command("migrate", interactive=False, verbosity=0)
    connection.ensure_connection()
    grant_rights(connection.connection, application_url())
    _use(former)
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    server.execute(rename.format(sql.Identifier(part), sql.Identifier(name)))
    return name


def _fingerprint() -> str:
    """Digest of what decides about the schema: migrations, and versions of packages."""
    digest = hashlib.sha256()
    files = [
        *CHECKOUT.glob("verifyhub/*/migrations/*.py"),
        CHECKOUT / "verifyhub/common/initial_migration.py",
        CHECKOUT / "verifyhub/common/partition_operations.py",
        CHECKOUT / "verifyhub/cli/rights.py",
        CHECKOUT / "tests/databases.py",
        CHECKOUT / "requirements/dev.lock",
    ]
    for file in sorted(files):
        digest.update(str(file.relative_to(CHECKOUT)).encode() + file.read_bytes())
    return digest.hexdigest()[:16]
