"""Check what VerifyHub needs: one line a check, exit code 1 if one failed."""

import http.client
import json
import os
import shutil
from collections.abc import Callable, Sequence
from http import HTTPStatus
from operator import itemgetter
from platform import python_version
from typing import Any

from verifyhub import __version__
from verifyhub.cli import doctor_models
from verifyhub.cli.findings import DoctorFinding, failed, ok, warning
from verifyhub.cli.home import Home
from verifyhub.cli.ready import local_address, readiness
from verifyhub.common import env
from verifyhub.config.queues import WorkQueue
from verifyhub.mcp_server.settings import DEFAULT_MCP_PORT, MCP_PATH

# A check returns one line or several.
Check = Callable[[], DoctorFinding | list[DoctorFinding]]

MIN_FREE_BYTES = 1024**3
MIN_POSTGRES_VERSION = 150000
MIN_PGVECTOR = (0, 8)
# `verifyhub up` starts the MCP server at its first request.
TIMEOUT_SECONDS = 15
# `verifyhub up` accepts this name whatever address it listens on.
HEADERS = {"Host": "localhost", "Content-Type": "application/json"}
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})


def run() -> int:
    """Print one line a check and return 0, or 1 if one of them failed."""
    home = Home.from_environment()
    home.adopt_environment()
    findings = _lines("settings", _settings)
    if findings[0].outcome == "failed":
        return 1
    checks: tuple[tuple[str, Check], ...] = (
        ("database", _database),
        ("role", _role),
        ("migrations", _migrations),
        ("pgvector", _pgvector),
        ("pooler", _pooler),
        ("replica", _replica),
        ("broker", _broker),
        ("counters", _counters),
        ("store", _store),
        ("web", web_server),
        ("worker", _workers),
        ("beat", _beat),
        ("mcp", mcp_server),
        ("disk", lambda: _disk(home)),
        ("workspace", doctor_models.workspaces),
        ("model", doctor_models.server_models),
        ("models", doctor_models.project_models),
        ("judge", doctor_models.local_judge),
        ("budget", doctor_models.budgets),
    )
    for name, check in checks:
        findings += _lines(name, check)
    return int(any(finding.outcome == "failed" for finding in findings))


def _lines(name: str, check: Check) -> list[DoctorFinding]:
    try:
        result = check()
    # An error in a check is its result, and the next one still runs.
    except Exception as error:  # noqa: BLE001
        reason = str(error).strip().splitlines() or [""]
        text = f"{type(error).__name__}: {reason[0]}"
        result = failed(text)
    findings = [result] if isinstance(result, DoctorFinding) else result
    for finding in findings:
        print(f"{finding.outcome:8}{name:12}{finding.text}")
    return findings


def _settings() -> DoctorFinding:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django
    from django.core import checks

    django.setup()
    errors = checks.run_checks()
    if errors:
        return failed("; ".join(str(error) for error in errors))
    from django.conf import settings

    if settings.DEBUG:
        return warning("VERIFYHUB_DEBUG is on")
    return ok(
        f"VerifyHub {__version__}, Python {python_version()}, {settings.ROOT_URL}"
    )


def _database() -> DoctorFinding:
    from django.db import connection

    connection.ensure_connection()
    text = _postgres(connection)
    if connection.pg_version < MIN_POSTGRES_VERSION:  # type: ignore[attr-defined]
        return failed(f"{text} is too old: 15 or later is required")
    return ok(text)


def _postgres(connection: Any) -> str:
    version = connection.pg_version
    return f"PostgreSQL {version // 10000}.{version % 10000}"


def _role() -> DoctorFinding:
    """Check whether the servers' role could bypass the protection of the audit log."""
    name = _scalar("SELECT current_user")
    if _scalar("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        return warning(f"{name} is a superuser: set VERIFYHUB_OWNER_DATABASE_URL")
    if _scalar(
        "SELECT tableowner FROM pg_tables"
        " WHERE tablename = 'audit_auditevent' AND tableowner = current_user"
    ):
        return warning(f"{name} owns the tables: set VERIFYHUB_OWNER_DATABASE_URL")
    return ok(f"{name} reads and writes, and owns no tables")


def _migrations() -> DoctorFinding:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        return failed(
            f"{len(missing)} not applied: run `python -m verifyhub.cli.prepare`"
        )
    return ok("all applied")


def _pgvector() -> DoctorFinding:
    version = _scalar(
        "SELECT coalesce(installed_version, default_version)"
        " FROM pg_available_extensions WHERE name = 'vector'"
    )
    if version is None:
        return failed("not installed on the database server")
    if tuple(map(int, version.split(".")[:2])) < MIN_PGVECTOR:
        return failed(f"{version} is too old: 0.8 or later is required")
    return ok(version)


def _scalar(query: str) -> Any:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
    return row[0] if row else None


def _replica() -> DoctorFinding:
    from django.conf import settings
    from django.db import connections

    from verifyhub.common.replica import NAME, SHOWN

    if NAME not in settings.DATABASES:
        return ok("none: DATABASE_REPLICA_URL is not set")
    with connections[NAME].cursor() as cursor:
        cursor.execute(SHOWN)
        shown, age = cursor.fetchone()
    version = _postgres(connections[NAME])
    if shown is None:
        return warning(f"{version} is not a replica, and is not used")
    text = f"{version}, {age:.1f} s behind, used up to {settings.REPLICA_SECONDS} s"
    is_behind = age > settings.REPLICA_SECONDS
    return DoctorFinding(outcome="warning" if is_behind else "ok", text=text)


def _pooler() -> DoctorFinding:
    """Check whether connection pooling agrees with the settings."""
    from django.conf import settings

    bound = _scalar("SELECT current_setting('statement_timeout')")
    if bound == "0":
        return warning(
            "no statement_timeout: run `verifyhub prepare` with the owner's address"
        )
    kind = _pgbouncer() if settings.PGBOUNCER else "none"
    return ok(f"{kind}; statements end after {bound}")


def _pgbouncer() -> str:
    import psycopg
    from django.db import connection

    address = connection.get_connection_params()
    address = {name: address[name] for name in ("host", "port", "user", "password")}
    try:
        # Its console knows no transactions.
        with psycopg.connect(**address, dbname="pgbouncer", autocommit=True) as console:
            (version,) = console.execute("SHOW VERSION").fetchone() or ("",)
    except psycopg.Error:
        version = "PgBouncer (of no known version: this role is not in its stats_users)"
    return f"{version}, transaction mode"


def _broker() -> DoctorFinding:
    from django.conf import settings

    url = settings.CELERY_BROKER_URL
    if url.startswith("amqp"):
        return ok(f"responds, {_rabbitmq(url)}")
    return ok(f"responds, version {_redis(url)}")


def _counters() -> DoctorFinding:
    from django.conf import settings

    url = settings.COUNTERS_URL
    if not url:
        return warning("none: rate limits are off; set VERIFYHUB_COUNTERS_URL")
    if url == settings.CELERY_BROKER_URL:
        return ok("uses the broker")
    return ok(f"responds, version {_redis(url)}")


def _redis(url: str) -> str:
    from redis import Redis

    with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
        info = client.info("server")
    return str(info.get("valkey_version") or info.get("redis_version"))


def _rabbitmq(url: str) -> str:
    from kombu import Connection

    with Connection(url, connect_timeout=2) as client:
        client.connect()
        properties = client.connection.server_properties
    return f"{properties.get('product')} {properties.get('version')}"


def _store() -> DoctorFinding:
    from verifyhub.common.object_store import object_store

    store = object_store()
    if store is None:
        return ok("none: VERIFYHUB_STORE_URL is not set")
    key = f"doctor/{os.getpid()}"
    store.put(key, b"ok")
    store.delete([key])
    return ok(f"writes and deletes: {store.place}")


def web_server() -> DoctorFinding:
    """Check that this machine's web server is ready."""
    bind = env.text("VERIFYHUB_BIND", "127.0.0.1")
    port = env.integer("PORT", 8000, minimum=1)
    answer = readiness(bind, port, TIMEOUT_SECONDS)
    place = f"port {port} of {bind}"
    if answer.is_ready:
        return ok(f"{place} is ready")
    return warning(f"{place} is not ready: {answer.text}")


def _workers() -> list[DoctorFinding]:
    from verifyhub.config.celery import app

    answers = app.control.broadcast("about", reply=True, timeout=1.0) or []
    return workers([pair for one in answers for pair in one.items()])


def workers(told: Sequence[tuple[str, dict[str, Any]]]) -> list[DoctorFinding]:
    """Check the versions of all workers, and that they do every kind of work.

    Args:
        told: The name of each worker, which those of one machine share, and what it
            told of itself (`config.about_worker`).
    """
    if not told:
        return [warning("no worker responds: nothing is verified")]
    findings = []
    for name, about in sorted(told, key=itemgetter(0)):
        # Workers of earlier versions do not know the command.
        version, queues = about.get("version"), about.get("queues", [])
        does = "everything" if set(queues) >= set(WorkQueue) else ", ".join(queues)
        text = f"{name}: VerifyHub {version or 'of an earlier version'}, does {does}"
        findings.append(ok(text) if version == __version__ else warning(text))
    if all("queues" in about for _, about in told):
        done = {queue for _, about in told for queue in about["queues"]}
        findings += [
            warning(f"no worker does {queue}")
            for queue in WorkQueue
            if queue not in done
        ]
    return findings


def _beat() -> DoctorFinding:
    from verifyhub.config.beat import app
    from verifyhub.config.beat_lease import holder

    name = holder(app)
    if name is None:
        return warning("none sends: lost wake-ups are not repeated")
    return ok(f"{name} sends")


def _disk(home: Home) -> DoctorFinding:
    folder = home.path if home.path.exists() else home.path.parent
    free = shutil.disk_usage(folder).free
    text = f"{free / 1024**3:.1f} GiB free in {home.path}"
    return DoctorFinding(
        outcome="ok" if free >= MIN_FREE_BYTES else "failed", text=text
    )


def mcp_server() -> DoctorFinding:
    """Check that the MCP server of this machine and its hub respond.

    Without a key it must reply that one is required; otherwise it is another server.
    """
    if not env.flag("VERIFYHUB_MCP", True):
        return ok("turned off by VERIFYHUB_MCP")
    bind = env.text("VERIFYHUB_BIND", "127.0.0.1")
    port = env.integer("VERIFYHUB_MCP_PORT", DEFAULT_MCP_PORT, minimum=1)
    address = f"port {port} of {bind}"
    status = _status_without_key(bind, port)
    if status is None:
        return warning(f"no response at {address}: agents have no tools over HTTP")
    if status != HTTPStatus.UNAUTHORIZED:
        return warning(f"{address} is not an MCP server (HTTP {status} at {MCP_PATH})")
    if not readiness(bind, port, TIMEOUT_SECONDS).is_ready:
        return failed(f"{address} cannot reach its VerifyHub server")
    return ok(f"{address} responds at {MCP_PATH}")


def _status_without_key(bind: str, port: int) -> int | None:
    """Return the response to a request without a key; None without any."""
    connection = http.client.HTTPConnection(
        local_address(bind), port, timeout=TIMEOUT_SECONDS
    )
    try:
        connection.request("POST", MCP_PATH, PING, HEADERS)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
