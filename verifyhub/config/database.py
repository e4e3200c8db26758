"""Settings of the database and of connections to it."""

from collections.abc import Mapping
from typing import Any

from verifyhub.common import env

# Of every session of the servers, milliseconds. Said at each connection; behind
# PgBouncer, which takes no such words, by the role (`cli.rights`).
TIMEOUTS = {
    "statement_timeout": 30_000,
    "lock_timeout": 5_000,
    "idle_in_transaction_session_timeout": 30_000,
}
# Of the client. A machine that is gone refuses nothing: who connects to it, or waits
# for its reply, would do so for ever. It is given up after half a minute of silence,
# which the kernel of a server at work breaks by itself.
PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
# The replica is not waited for as long: the primary answers in its place.
OF_REPLICA = PATIENCE | {"connect_timeout": 2, "tcp_user_timeout": 5_000}
REPLICA = "replica"


def databases(*, is_pooled: bool, replica_url: str) -> dict[str, dict[str, Any]]:
    """Return Django's setting of databases.

    Args:
        is_pooled: Whether the addresses lead to PgBouncer in transaction mode.
        replica_url: Of the replica that long reads may come from; empty without one.
    """
    databases = {
        "default": env.postgres("DATABASE_URL", "postgresql://127.0.0.1:5432/verifyhub")
    }
    if replica_url:
        databases[REPLICA] = env.postgres("DATABASE_REPLICA_URL", replica_url)
    return {
        name: {**database, **_way(name, is_pooled, database["OPTIONS"])}
        for name, database in databases.items()
    }


def _way(name: str, is_pooled: bool, own_options: Mapping[str, str]) -> dict[str, Any]:
    """Say how a database is connected to; `own_options`, of its address, go first."""
    patience = OF_REPLICA if name == REPLICA else PATIENCE
    options = {**patience, **own_options}
    way: dict[str, Any] = {
        "CONN_MAX_AGE": 60,
        # Without this every open connection answers one 500 after a restart.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
    if is_pooled:
        # The next statement may meet another server's session.
        way["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        words = [f"-c {setting}={value}" for setting, value in TIMEOUTS.items()]
        options["options"] = " ".join([*words, own_options.get("options", "")]).strip()
    if name == REPLICA:
        way["TEST"] = {"MIRROR": "default"}
    return way
