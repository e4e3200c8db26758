"""Liveness and readiness probes.

Neither needs authentication, so they return states and counts only.
"""

import shutil
import threading
import time
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis, RedisError

from verifyhub.common.database_faults import DatabaseFault, fault_of
from verifyhub.verification.models import Verification

BROKER_TIMEOUT_SECONDS = 1.0
# Anybody may call `/readyz`; a test write is made at most once in so many seconds.
WRITE_SECONDS = 2.0
# Sorting a quarter of a megabyte on disk needs space beside the tables; the message is
# a log record that must be flushed. Neither leaves a row.
WRITE = (
    "SET LOCAL work_mem = '64kB'",
    "SELECT md5(n::text) AS word FROM generate_series(1, 4000) AS n"
    " ORDER BY word OFFSET 3999",
    "SELECT pg_logical_emit_message(true, 'verifyhub', 'ready')",
    "SELECT current_setting('transaction_read_only')",
)
LOW_DISK_BYTES = 256 * 1024**2
# If an answer has waited for longer, workers may be missing.
LATE_QUEUE_SECONDS = 60.0


class _Migrations:
    """Whether all migrations are applied; once true, it is not checked again."""

    applied = False

    @classmethod
    def are_applied(cls) -> bool:
        if not cls.applied:
            executor = MigrationExecutor(connection)
            leaves = executor.loader.graph.leaf_nodes()
            cls.applied = not executor.migration_plan(leaves)
        return cls.applied


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Reply that the process is running, without using another service."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Reply whether requests can be served.

    200 "ok"; 200 "degraded" (answers are stored but verified late, since the broker is
    unreachable or the queue is old, or the disk is nearly full); or 503 "unavailable"
    (nothing can be stored), with the cause.
    """
    checks = state()
    needed = ("database", "migrations")
    if any(checks[name]["status"] != "ok" for name in needed):
        return JsonResponse({"status": "unavailable", "checks": checks}, status=503)
    is_whole = all(check["status"] == "ok" for check in checks.values())
    status = "ok" if is_whole else "degraded"
    return JsonResponse({"status": status, "checks": checks})


def state() -> dict[str, dict[str, Any]]:
    """Return the state of each part, by its name."""
    checks = {"database": _Write.answer(), "migrations": {"status": "unknown"}}
    if checks["database"]["status"] == "ok":
        checks["migrations"] = _migrations()
    if checks["migrations"]["status"] == "ok":
        checks["queue"] = _queue(timezone.now())
    checks["broker"] = _broker()
    checks["disk"] = _disk()
    return checks


class _Write:
    """Whether the database accepts a write; concurrent callers share one test."""

    _lock = threading.Lock()
    _asked_at = float("-inf")
    _answer: dict[str, Any] = {}

    @classmethod
    def answer(cls) -> dict[str, Any]:
        with cls._lock:
            if time.monotonic() - cls._asked_at > WRITE_SECONDS:
                cls._answer, cls._asked_at = cls._ask(), time.monotonic()
            return cls._answer

    @classmethod
    def _ask(cls) -> dict[str, Any]:
        started = time.monotonic()
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in WRITE:
                    cursor.execute(statement)
                (read_only,) = cursor.fetchone()
        except (Error, ImproperlyConfigured) as error:
            fault = (
                fault_of(error) if isinstance(error, Error) else DatabaseFault.REFUSED
            )
            return {"status": "unavailable", "cause": fault}
        if read_only == "on":
            return {"status": "unavailable", "cause": DatabaseFault.READ_ONLY}
        took = round((time.monotonic() - started) * 1000)
        return {"status": "ok", "duration_ms": took}


def _disk() -> dict[str, Any]:
    """Return whether there is space for logs, exports and the database of `up`."""
    try:
        free = shutil.disk_usage(settings.HOME).free
    except OSError:
        return {"status": "ok"}
    return {"status": "ok" if free >= LOW_DISK_BYTES else "low"}


def _migrations() -> dict[str, Any]:
    try:
        applied = _Migrations.are_applied()
    except DatabaseError:
        return {"status": "unavailable"}
    return {"status": "ok" if applied else "pending"}


def _queue(now: datetime) -> dict[str, Any]:
    waiting = Verification.objects.filter(state=Verification.State.PENDING)
    try:
        oldest = waiting.aggregate(oldest=Min("created_at"))["oldest"]
    except DatabaseError:
        return {"status": "unavailable"}
    age = max(0.0, (now - oldest).total_seconds()) if oldest else 0.0
    return {
        "status": "ok" if age <= LATE_QUEUE_SECONDS else "late",
        "oldest_seconds": round(age, 1),
    }


def _broker() -> dict[str, Any]:
    url = settings.CELERY_BROKER_URL
    if url.startswith("amqp"):
        return _rabbitmq(url)
    try:
        with Redis.from_url(
            url,
            socket_timeout=BROKER_TIMEOUT_SECONDS,
            socket_connect_timeout=BROKER_TIMEOUT_SECONDS,
        ) as client:
            client.ping()
    except (RedisError, ValueError):
        return {"status": "unavailable"}
    return {"status": "ok"}


def _rabbitmq(url: str) -> dict[str, Any]:
    from kombu import Connection

    try:
        with Connection(url, connect_timeout=BROKER_TIMEOUT_SECONDS) as client:
            client.connect()
    # The client raises errors of several transports.
    except Exception:  # noqa: BLE001
        return {"status": "unavailable"}
    return {"status": "ok"}
