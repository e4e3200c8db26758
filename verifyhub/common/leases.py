"""Leases for work that only one process may do at a time: rows that expire.

Session-level advisory locks do not work behind PgBouncer in transaction mode, where
other clients continue with the same session.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

from django.db import connection

from verifyhub.common.row_queue import LEASE_SECONDS, renewing

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

    The lease of a dead process ends after `LEASE_SECONDS`. A process that is stopped
    for longer may run beside another: work that must not be done twice needs its own
    claim.

    Args:
        name: The name of the work.
    """
    holder = uuid4()
    if not _take(name, holder):
        yield False
        return
    try:
        with renewing(lambda: _take(name, holder)):
            yield True
    finally:
        with connection.cursor() as cursor:
            cursor.execute(RELEASE, [name, holder])


def _take(name: str, holder: UUID) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"name": name, "holder": holder, "lease": LEASE_SECONDS})
        return cursor.fetchone() is not None
