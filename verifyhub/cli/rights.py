"""Database privileges of the servers' role: read and write, no ownership.

The owner of tables may disable their triggers. So the owner migrates, and the servers
use another role, which may insert audit events and events but not change them (ADR
0076).
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
from psycopg import sql

from verifyhub.config.database import TIMEOUTS

ALL = "SELECT, INSERT, UPDATE, DELETE"
# Tables on which the role has fewer privileges.
RESTRICTED: Mapping[str, str] = {
    "audit_auditevent": "SELECT, INSERT",
    "audit_auditseal": "SELECT, INSERT",
    # The owner's functions number events and delete them.
    "events_event": "SELECT, INSERT",
    "django_migrations": "SELECT",
}
PARTITIONS = """
SELECT quote_ident(relname) FROM pg_class
WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def grant_rights(connection: "psycopg.Connection[Any]", application: str) -> None:
    """Create the application's role if it is missing, and grant its privileges.

    Running it again changes nothing, so every start may do so.

    Args:
        connection: The owner's connection, outside of a transaction.
        application: The servers' database URL, with name and password.
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
            _execute(connection, f"GRANT {rights} TO {{role}}", role)
        for table, privileges in RESTRICTED.items():
            _execute(connection, f"REVOKE ALL ON {table} FROM {{role}}", role)
            _execute(connection, f"GRANT {privileges} ON {table} TO {{role}}", role)
        # The role uses a divided table as a whole.
        for (part,) in connection.execute(PARTITIONS).fetchall():
            _execute(connection, f"REVOKE ALL ON {part} FROM {{role}}", role)
    # Set the timeouts of the role, for connections through PgBouncer.
    with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
        for setting, milliseconds in TIMEOUTS.items():
            statement = f"ALTER ROLE {{role}} IN DATABASE {{database}} SET {setting}"
            _execute(connection, f"{statement} = {milliseconds}", role)


def _make_role(
    connection: "psycopg.Connection[Any]",
    role: sql.Identifier,
    name: str,
    password: str,
) -> None:
    """Create the role, or set its password to that of the URL.

    If the owner may not create roles, the role must exist.
    """
    existing = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
    exists = existing.fetchone() is not None
    statement = "ALTER ROLE {role} PASSWORD {secret}"
    if not exists:
        statement = (
            "CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION"
            " PASSWORD {secret}"
        )
    # Hashed here, so that it is not in logs of statements.
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


def _execute(
    connection: "psycopg.Connection[Any]", statement: str, role: sql.Identifier
) -> None:
    database = sql.Identifier(connection.info.dbname)
    # Statements are constants; names are quoted.
    query = sql.SQL(statement)
    connection.execute(query.format(role=role, database=database))
