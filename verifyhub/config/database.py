"""Settings of the database and of connections to it."""

from collections.abc import Mapping
from typing import Any

from verifyhub.common import env

# Timeouts of the servers' sessions, in milliseconds. Set for each connection, or for
# the role behind PgBouncer, which does not accept such options (`cli.rights`).
TIMEOUTS = {
    "statement_timeout": 30_000,
    "lock_timeout": 5_000,
    "idle_in_transaction_session_timeout": 30_000,
}
# Timeouts of the client. A machine that disappeared does not refuse a connection, so a
# client would wait for ever. It gives up after 30 seconds without a TCP
# acknowledgement, which the kernel of a busy server still sends.
PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
# Shorter for the replica, since the primary can be used instead.
OF_REPLICA = PATIENCE | {"connect_timeout": 2, "tcp_user_timeout": 5_000}
REPLICA = "replica"


def databases(*, is_pooled: bool, replica_url: str) -> dict[str, dict[str, Any]]:
    """Return Django's setting of databases.

    Args:
        is_pooled: Whether the URLs are those of PgBouncer in transaction mode.
        replica_url: The replica for long reads; empty without one.
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
    """Return a database's settings; `own_options`, from its URL, take precedence."""
    patience = OF_REPLICA if name == REPLICA else PATIENCE
    options = {**patience, **own_options}
    way: dict[str, Any] = {
        "CONN_MAX_AGE": 60,
        # Otherwise every open connection causes an error 500 after a restart.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
    if is_pooled:
        # The next statement may run in another session.
        way["DISABLE_SERVER_SIDE_CURSORS"] = True
    else:
        words = [f"-c {setting}={value}" for setting, value in TIMEOUTS.items()]
        options["options"] = " ".join([*words, own_options.get("options", "")]).strip()
    if name == REPLICA:
        way["TEST"] = {"MIRROR": "default"}
    return way
