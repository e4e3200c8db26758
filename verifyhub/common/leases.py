"""Leases for work that only one process may do at a time: a row that expires.

No advisory lock of a session: behind PgBouncer in transaction mode a lock would stay
with a session that others go on with.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, connection

from verifyhub.common.row_queue import LEASE_SECONDS, RENEW_SECONDS

TAKE = """
INSERT INTO common_lease (name, holder, until)
VALUES (%(name)s, %(holder)s, now() + make_interval(secs => %(lease)s))
ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
WHERE common_lease.until < now() OR common_lease.holder = EXCLUDED.holder
RETURNING 1
"""
RELEASE = "UPDATE common_lease SET until = '-infinity' WHERE name = %s AND holder = %s"


@contextmanager
def try_lease(name: str) -> Iterator[bool]:
    """Hold a lease while the body runs; yield False if another process has it.

    A process that dies keeps it for `LEASE_SECONDS`. One that stands still for longer
    may meet another: what must not be done twice needs a claim of its own.

    Args:
        name: Of the work.
    """
    holder = uuid4()
    if not _take(name, holder):
        yield False
        return
    done = threading.Event()
    thread = threading.Thread(
        target=_renew, args=(name, holder, done), name="lease", daemon=True
    )
    thread.start()
    try:
        yield True
    finally:
        done.set()
        thread.join()
        with connection.cursor() as cursor:
            cursor.execute(RELEASE, [name, holder])


def _renew(name: str, holder: UUID, done: threading.Event) -> None:
    try:
        while not done.wait(RENEW_SECONDS):
            try:
                if not _take(name, holder):
                    return
            except (DatabaseError, InterfaceError):
                # Of a database that comes back in time the lease is still ours.
                connection.close()
    finally:
        connection.close()


def _take(name: str, holder: UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"name": name, "holder": holder, "lease": LEASE_SECONDS})
        return cursor.fetchone() is not None
