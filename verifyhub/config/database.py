"""Where the database is, and how connections to it are made."""

from typing import Any

from verifyhub.common import env

# Of every session of the servers, milliseconds. Said at each connection; behind
# PgBouncer, which takes no such words, by the role (`cli.rights`).
TIMEOUTS = {
    "statement_timeout": 30_000,
    "lock_timeout": 5_000,
    "idle_in_transaction_session_timeout": 30_000,
}
REPLICA = "replica"


def databases(*, is_pooled: bool, replica_url: str) -> dict[str, dict[str, Any]]:
    """Return Django's setting of databases.

    Args:
        is_pooled: Whether the addresses lead to PgBouncer in transaction mode.
        replica_url: Of the replica that long reads may come from; empty without one.
    """
    found = {
        "default": env.postgres("DATABASE_URL", "postgresql://127.0.0.1:5432/verifyhub")
    }
    if replica_url:
        found[REPLICA] = env.postgres("DATABASE_REPLICA_URL", replica_url)
    return {name: {**one, **_way(name, is_pooled)} for name, one in found.items()}


def _way(name: str, is_pooled: bool) -> dict[str, Any]:
    way: dict[str, Any] = {
        "CONN_MAX_AGE": 60,
        # Without this every open connection answers one 500 after a restart.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {},
    }
    if is_pooled:
        # The next statement may meet another server's session.
        way["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        words = (f"-c {setting}={value}" for setting, value in TIMEOUTS.items())
        way["OPTIONS"]["options"] = " ".join(words)
    if name == REPLICA:
        # Who is away is not waited for: the primary answers.
        way["OPTIONS"]["connect_timeout"] = 2
        way["TEST"] = {"MIRROR": "default"}
    return way
