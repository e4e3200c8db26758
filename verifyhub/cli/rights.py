"""Database privileges of the servers' role: read and write, no ownership.

Who owns tables may switch their triggers off. So the owner migrates, and the servers
sign in as another role, which may add acts and events and not change them (ADR 0076).
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
from psycopg import sql

from verifyhub.config.database import TIMEOUTS

# What may be done to a table; every other may be read, added to, changed and emptied.
ALL = "SELECT, INSERT, UPDATE, DELETE"
LESS: Mapping[str, str] = {
    "audit_auditevent": "SELECT, INSERT",
    "audit_auditseal": "SELECT, INSERT",
    # Their positions, and what is to be forgotten, are functions of the owner.
    "events_event": "SELECT, INSERT",
    "django_migrations": "SELECT",
}
PARTITIONS = """
SELECT quote_ident(relname) FROM pg_class
WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def grant_rights(connection: "psycopg.Connection[Any]", application: str) -> None:
    """Make the application's role if it is missing, and give it its rights.

    Says the same each time, so it may be said at every start.

    Args:
        connection: The owner's, in no transaction.
        application: The address that the servers are given, with name and password.
    """
    parts = urlsplit(application)
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not name or name == connection.info.user:
        return
    role = sql.Identifier(name)
    _make_role(connection, role, name, password)
    with connection.transaction():
        for rights in (
            "CONNECT, TEMPORARY ON DATABASE {database}",
            "USAGE ON SCHEMA public",
            "USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public",
            f"{ALL} ON ALL TABLES IN SCHEMA public",
            "EXECUTE ON ALL FUNCTIONS IN SCHEMA public",
        ):
            _say(connection, f"GRANT {rights} TO {{role}}", role)
        for table, less in LESS.items():
            _say(connection, f"REVOKE ALL ON {table} FROM {{role}}", role)
            _say(connection, f"GRANT {less} ON {table} TO {{role}}", role)
        # What may be done to a divided table is asked of the whole alone.
        for (part,) in connection.execute(PARTITIONS).fetchall():
            _say(connection, f"REVOKE ALL ON {part} FROM {{role}}", role)
    _limit(connection, role)


def _limit(connection: "psycopg.Connection[Any]", role: sql.Identifier) -> None:
    """Bound what one statement may take, for connections that PgBouncer makes."""
    with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
        for setting, milliseconds in TIMEOUTS.items():
            statement = f"ALTER ROLE {{role}} IN DATABASE {{database}} SET {setting}"
            _say(connection, f"{statement} = {milliseconds}", role)


def _make_role(
    connection: "psycopg.Connection[Any]",
    role: sql.Identifier,
    name: str,
    password: str,
) -> None:
    """Make the role, or give it the password of the address.

    Of a server where the owner may not do so, somebody else has made it.
    """
    existing = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
    exists = existing.fetchone() is not None
    statement = "ALTER ROLE {role} PASSWORD {secret}"
    if not exists:
        statement = (
            "CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION"
            " PASSWORD {secret}"
        )
    # Hashed here, so that no log of statements holds it.
    secret = connection.pgconn.encrypt_password(
        password.encode(), name.encode(), b"scram-sha-256"
    )
    query = sql.SQL(statement).format(role=role, secret=sql.Literal(secret.decode()))
    try:
        with connection.transaction():
            connection.execute(query)
    except psycopg.errors.InsufficientPrivilege:
        if not exists:
            raise


def _say(
    connection: "psycopg.Connection[Any]", statement: str, role: sql.Identifier
) -> None:
    database = sql.Identifier(connection.info.dbname)
    # Constants of this module but for the names, which are quoted.
    query = sql.SQL(statement)
    connection.execute(query.format(role=role, database=database))
