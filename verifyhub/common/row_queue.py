"""A table as a queue: single statements claim, release and put back rows.

All times are the database's, so that workers' clocks do not matter (ADR 0003). The
table has a `state` with `WorkState`'s values, and the columns of
`queued_row.QueuedRow`.
"""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, connection, transaction

from verifyhub.common.database_faults import is_away
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.logs import get_logger
from verifyhub.common.prepared import prepared_cursor

logger = get_logger(__name__)

MAX_ATTEMPTS = 3
# Additional attempts if the worker died or the database was unreachable: the row is
# less likely to be the cause than after an error.
SPARE_ATTEMPTS = 3
# A claim is renewed while its worker lives, and ends after this long. With the time
# until the next `reconcile`, a dead worker's rows are due again within eight seconds. A
# living worker loses a claim only after two failed or late renewals.
LEASE_SECONDS = 6
RENEW_SECONDS = LEASE_SECONDS / 3
# Waits before the second and the third attempt, in seconds.
BACKOFF_SECONDS = (2, 10)
# The first wake-up counts as lost if no worker has claimed the row by then. Later
# ones wait longer, so that a long backlog does not fill the broker's queue.
RING_AFTER_SECONDS = 5
RING_AGAIN_SECONDS = 30
BATCH = 500
MAX_ERROR = 500
LOST_WORKER = "The worker stopped in the middle of every attempt."

CLAIM = """
UPDATE {table}
SET state = 'running', token = token + 1, attempts = attempts + 1, next_at = NULL,
    lease_until = now() + make_interval(secs => %(lease)s)
WHERE id = (
    SELECT id FROM {table}
    WHERE id = %(id)s AND state = 'pending' AND (next_at IS NULL OR next_at <= now())
    FOR UPDATE SKIP LOCKED
)
RETURNING token, attempts
"""
# Finds the projects with pending rows, one index step each, beginning after the project
# that had the last turn. Each project gives its oldest due rows: an equal share of the
# batch, or one row if its rows may not be taken together. The search stops after the
# last project that is needed, but counts waiting projects up to the limit.
#
# A row that was tried before is taken alone, since a row that kills its worker would
# affect others. A row's age comes from the sender's clock, which may be an hour fast.
CLAIM_DUE = """
WITH RECURSIVE turn (project_id, wrapped) AS (
    (
        SELECT project_id, wrapped FROM (
            (SELECT project_id, false AS wrapped FROM {table}
             WHERE state = 'pending' AND project_id > %(last)s
             ORDER BY project_id LIMIT 1)
            UNION ALL
            (SELECT project_id, true FROM {table}
             WHERE state = 'pending' AND project_id <= %(last)s
             ORDER BY project_id LIMIT 1)
        ) AS first
        LIMIT 1
    )
    UNION ALL
    SELECT step.project_id, step.wrapped FROM turn CROSS JOIN LATERAL (
        (SELECT project_id, turn.wrapped AS wrapped FROM {table}
         WHERE state = 'pending' AND project_id > turn.project_id
           AND (NOT turn.wrapped OR project_id <= %(last)s)
         ORDER BY project_id LIMIT 1)
        UNION ALL
        (SELECT project_id, true FROM {table}
         WHERE state = 'pending' AND NOT turn.wrapped AND project_id <= %(last)s
         ORDER BY project_id LIMIT 1)
        LIMIT 1
    ) AS step
), share (rows) AS (
    SELECT ceil(%(limit)s::numeric / greatest(count(*), 1))::int
    FROM (SELECT FROM turn LIMIT %(limit)s) AS waiting
), picked AS MATERIALIZED (
    SELECT due.id, due.attempts, turn.project_id
    FROM turn CROSS JOIN share CROSS JOIN LATERAL (
        SELECT id, attempts FROM {table}
        WHERE state = 'pending' AND project_id = turn.project_id
          AND coalesce(next_at, created_at) <= now() + interval '1 hour'
          AND (next_at IS NULL OR next_at <= now())
        ORDER BY coalesce(next_at, created_at), id
        LIMIT CASE WHEN turn.project_id = ANY(%(without)s) THEN 0
            WHEN turn.project_id = ANY(%(single)s) THEN 1 ELSE share.rows END
        FOR UPDATE SKIP LOCKED
    ) AS due
    LIMIT %(limit)s
), ranked AS (
    SELECT id, max(attempts) OVER () AS tried,
        row_number() OVER (ORDER BY attempts = 0, attempts, id) AS place
    FROM picked
)
UPDATE {table} AS work
SET state = 'running', token = token + 1, attempts = attempts + 1, next_at = NULL,
    lease_until = now() + make_interval(secs => %(lease)s)
FROM ranked WHERE work.id = ranked.id AND (ranked.tried = 0 OR ranked.place = 1)
RETURNING work.id, work.token, work.attempts, work.project_id
"""
RENEW = """
UPDATE {table} AS work
SET lease_until = now() + make_interval(secs => %(lease)s)
FROM unnest(%(ids)s::uuid[], %(tokens)s::bigint[]) AS held (id, token)
WHERE work.id = held.id AND work.token = held.token AND state = 'running'
RETURNING work.id
"""
RELEASE = """
UPDATE {table}
SET state = CASE WHEN attempts >= %(max)s THEN 'failed' ELSE 'pending' END,
    finished_at = CASE WHEN attempts >= %(max)s THEN now() END,
    lease_until = NULL, error = %(error)s,
    next_at = now() + make_interval(secs => %(wait)s)
WHERE id = %(id)s AND token = %(token)s AND state = 'running'
RETURNING state
"""
POSTPONE = """
UPDATE {table}
SET state = 'pending', attempts = attempts - 1, lease_until = NULL, rung_at = NULL,
    next_at = now() + make_interval(secs => %(wait)s)
WHERE id = %(id)s AND token = %(token)s AND state = 'running'
RETURNING id
"""
PUT_BACK = """
UPDATE {table} AS work
SET state = 'pending', attempts = attempts - 1, lease_until = NULL
FROM unnest(%(ids)s::uuid[], %(tokens)s::bigint[]) AS held (id, token)
WHERE work.id = held.id AND work.token = held.token AND state = 'running'
RETURNING work.id
"""
# The batch is selected once: PostgreSQL may execute a subquery again for every row, and
# so exceed the limit.
EXPIRE = """
WITH picked AS MATERIALIZED (
    SELECT id FROM {table}
    WHERE state = 'running' AND lease_until < now()
    ORDER BY created_at, id LIMIT %(batch)s FOR UPDATE SKIP LOCKED
)
UPDATE {table}
SET state = CASE WHEN attempts >= %(max)s THEN 'failed' ELSE 'pending' END,
    finished_at = CASE WHEN attempts >= %(max)s THEN now() END,
    lease_until = NULL, next_at = NULL, rung_at = now(),
    error = CASE WHEN attempts >= %(max)s THEN %(error)s ELSE error END
WHERE id IN (SELECT id FROM picked)
RETURNING id, state
"""
# Each wake-up updates `rung_at`, so that a backlog longer than one batch is worked
# through.
STALE = """
WITH picked AS MATERIALIZED (
    SELECT id FROM {table}
    WHERE state = 'pending' AND (next_at IS NULL OR next_at <= now())
      AND coalesce(
          rung_at + make_interval(secs => %(again)s),
          created_at + make_interval(secs => %(after)s)
      ) <= now()
    ORDER BY coalesce(rung_at, created_at), id LIMIT %(batch)s FOR UPDATE SKIP LOCKED
)
UPDATE {table}
SET rung_at = now()
WHERE id IN (SELECT id FROM picked)
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class RowLease:
    """The right to write one row's result, until the lease ends."""

    row_id: UUID
    token: int
    attempts: int
    # Set by `claim_due`.
    project_id: UUID | None = None


def _ignore(_: Collection[UUID]) -> None:
    """Do nothing about rows that ended without a result."""


class RowQueue:
    """The work in one table."""

    def __init__(
        self,
        table: str,
        *,
        task: str,
        argument: str,
        failed: Callable[[Collection[UUID]], None] = _ignore,
        max_attempts: int = MAX_ATTEMPTS,
        backoff_seconds: Sequence[int] = BACKOFF_SECONDS,
        rings: int = BATCH,
        ring_after_seconds: int = RING_AFTER_SECONDS,
    ) -> None:
        """Bind a table; nothing is read before the first call.

        Args:
            table: Its name in the database.
            task: The Celery task that does the work of one row.
            argument: The task's parameter for the row's id.
            failed: Called with rows that ended without a result, in the transaction
                that ends them.
            max_attempts: Attempts after which a row has failed; a few more if workers
                died.
            backoff_seconds: Waits before the second attempt, the third, …; the last
                one applies to all later attempts.
            rings: Maximum wake-ups of one call of `reconcile`; a few suffice if each
                lets a worker take one row after another.
            ring_after_seconds: The age of a row from which `reconcile` wakes a worker
                for it; 0 for rows that nothing else sends a wake-up for.
        """
        self._rings, self._ring_after_seconds = rings, ring_after_seconds
        self._max_attempts, self._backoff_seconds = max_attempts, backoff_seconds
        self._table, self._task, self._argument = table, task, argument
        self._failed = failed
        # Each process has its own turns and begins at a random project, so that rows
        # are taken evenly in total.
        self._last_project = uuid4()

    def ring(self, row_id: UUID) -> None:
        """Wake a worker for a row once the transaction has committed."""
        enqueue_on_commit(self._task, **{self._argument: str(row_id)})

    def claim(self, row_id: UUID) -> RowLease | None:
        """Take a pending row: count the attempt, set a new token, start the lease.

        Returns:
            The claim, or None if the row is not due or another worker has it.
        """
        rows = self._execute(CLAIM, id=row_id, lease=LEASE_SECONDS)
        return RowLease(row_id, *rows[0]) if rows else None

    def claim_due(
        self,
        *,
        limit: int,
        single: Collection[UUID] = (),
        without: Collection[UUID] = (),
    ) -> list[RowLease]:
        """Take due rows, an equal share of each project, oldest first.

        Projects take turns, so that a thousand rows of one project delay another
        project's row by one batch at most (ADR 0046). A row that was tried before is
        taken alone. Needs an index on `project_id`, `coalesce(next_at, created_at)` and
        `id` of pending rows.

        Args:
            limit: Maximum number of rows.
            single: Projects of which one row is taken, since their rows take long.
            without: Projects of which none is taken.

        Returns:
            The claims; empty if no row is due.
        """
        last = self._last_project
        rows = self._execute(
            CLAIM_DUE,
            last=last,
            limit=limit,
            single=list(single),
            without=list(without),
            lease=LEASE_SECONDS,
        )
        if rows:
            self._last_project = max(
                (project for *_, project in rows),
                key=lambda project: (project <= last, project),
            )
        return [RowLease(*row) for row in rows]

    def renew(self, *leases: RowLease) -> set[UUID]:
        """Renew claims; return the rows that this worker still holds."""
        rows = self._execute(RENEW, **_keys_of(leases), lease=LEASE_SECONDS)
        return {row_id for (row_id,) in rows}

    def put_back(self, leases: Collection[RowLease], *, ring: bool = True) -> None:
        """Put back rows that this worker did not begin, without counting an attempt.

        Args:
            leases: Their claims.
            ring: Whether to send a wake-up; one suffices, since its worker takes one
                row after another.
        """
        if not leases:
            return
        with transaction.atomic():
            released = self._execute(PUT_BACK, **_keys_of(leases))
            for (row_id,) in released[:1] if ring else ():
                self.ring(row_id)

    def run(self, row_id: UUID, work: Callable[[RowLease], bool]) -> bool:
        """Do the work of a row if it can be claimed; after an error put it back.

        Args:
            row_id: The row.
            work: Called outside any transaction, while the claim is renewed.

        Returns:
            The result of the work; False if the row was not claimed or an attempt
            failed.
        """
        lease = self.claim(row_id)
        if lease is None:
            return False
        try:
            with self.renewing(lease):
                return work(lease)
        except Exception as error:  # noqa: BLE001 - whatever happened, the row says so
            self.fail(lease, error)
            return False

    def fail(self, lease: RowLease, error: Exception) -> None:
        """Log an error, and put back its row; see `release`.

        An unreachable database allows for more attempts than other errors.
        """
        spare = SPARE_ATTEMPTS if is_away(error) else 0
        state = self.release(lease, f"{type(error).__name__}: {error}", spare=spare)
        # Without the error's text, which may contain an address or text of an agent.
        logger.error(
            "work.attempt_failed",
            id=str(lease.row_id),
            task=self._task,
            attempt=lease.attempts,
            state=state,
            error=type(error).__name__,
            where=_where(error),
        )

    @transaction.atomic
    def release(
        self,
        lease: RowLease,
        error: str,
        *,
        wait_seconds: float | None = None,
        spare: int = 0,
    ) -> str | None:
        """Put back a row after a failed attempt, or end it after the last one.

        Args:
            lease: The claim of the attempt.
            error: The error, for people; truncated to 500 characters.
            wait_seconds: When to try again; None for the queue's own rule.
            spare: How many additional attempts are allowed.

        Returns:
            The new state of the row; None if the claim was lost.
        """
        turn = min(lease.attempts, len(self._backoff_seconds)) - 1
        own = self._backoff_seconds[turn]
        rows = self._execute(
            RELEASE,
            id=lease.row_id,
            token=lease.token,
            max=self._max_attempts + spare,
            error=error.replace("\x00", "")[:MAX_ERROR],
            wait=own if wait_seconds is None else wait_seconds,
        )
        state = str(rows[0][0]) if rows else None
        if state == "failed":
            self._failed([lease.row_id])
        return state

    def postpone(self, lease: RowLease, *, wait_seconds: float) -> bool:
        """Put back a row that cannot be processed yet, without counting an attempt.

        Returns:
            False if the claim was lost.
        """
        return bool(
            self._execute(
                POSTPONE, id=lease.row_id, token=lease.token, wait=wait_seconds
            )
        )

    @transaction.atomic
    def reconcile(self) -> int:
        """Put back rows of dead workers, and wake workers for unclaimed rows.

        Runs every few seconds, concurrently on any number of machines; the work of one
        call is bounded.

        Returns:
            How many wake-ups it sent.
        """
        expired = self._execute(
            EXPIRE,
            max=self._max_attempts + SPARE_ATTEMPTS,
            error=LOST_WORKER,
            batch=BATCH,
        )
        failed = [row[0] for row in expired if row[1] == "failed"]
        for identifier in failed:
            logger.error("work.failed", id=str(identifier), task=self._task)
        self._failed(failed)
        stale = self._execute(
            STALE,
            after=self._ring_after_seconds,
            again=RING_AGAIN_SECONDS,
            batch=min(BATCH, self._rings),
        )
        pending = [row[0] for row in expired if row[1] == "pending"]
        due = (pending + [row[0] for row in stale])[: self._rings]
        for identifier in due:
            self.ring(identifier)
        if due:
            logger.info("work.rung_again", count=len(due), task=self._task)
        return len(due)

    def renewing(self, *leases: RowLease) -> AbstractContextManager[None]:
        """Renew claims from another thread while the body runs."""
        return renewing(lambda: bool(self.renew(*leases)))

    def _execute(self, statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
        with prepared_cursor() as cursor:
            cursor.execute(statement.replace("{table}", self._table), parameters)
            return list(cursor.fetchall())


@contextmanager
def renewing(renew: Callable[[], bool]) -> Iterator[None]:
    """Call a function from another thread while the body runs.

    Args:
        renew: Renews a claim; False if it is lost, and not to be renewed any more.
    """
    done = threading.Event()

    def keep() -> None:
        try:
            while not done.wait(RENEW_SECONDS):
                try:
                    if not renew():
                        return
                except (DatabaseError, InterfaceError):
                    # If the database is back in time, the claim is still held.
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=keep, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _where(error: BaseException) -> str:
    """Return file and line of the innermost frame."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"


def _keys_of(leases: Collection[RowLease]) -> dict[str, Any]:
    return {
        "ids": [lease.row_id for lease in leases],
        "tokens": [lease.token for lease in leases],
    }
