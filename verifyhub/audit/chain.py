"""The hash chain of the audit log: SHA-256 over the previous digest and an event."""

import hashlib
from collections.abc import Iterator, Sequence

from django.db import connection

from verifyhub.audit.models import DIGEST_BYTES

Row = tuple[str | None, ...]
START = bytes(DIGEST_BYTES)

# Converted to text by the database, so that a row has the same text on every machine.
_ROW = """
event.id::text, (extract(epoch FROM event.created_at) * 1000000)::bigint::text,
event.project_id::text, event.actor_id::text, event.actor_name, event.action,
event.object_type, event.object_id, event.before::text, event.after::text
"""
_OF_IDS = f"SELECT {_ROW} FROM audit_auditevent AS event WHERE id = ANY(%s)"  # noqa: S608 - constants
# Events not sealed since `settled`; older seals contain no event above its `top`. A
# join: PostgreSQL reads the list of a NOT IN anew for each row once it is large.
_UNSEALED = f"""
SELECT {_ROW} FROM audit_auditevent AS event
LEFT JOIN (
    SELECT unnest(event_ids) AS id FROM audit_auditseal WHERE number > %(settled)s
) AS sealed ON sealed.id = event.id
WHERE event.id > %(above)s AND event.id <= %(top)s AND sealed.id IS NULL
ORDER BY event.id LIMIT %(limit)s
"""  # noqa: S608 - constants
_NEVER_SEALED = """
SELECT event.id FROM audit_auditevent AS event
LEFT JOIN (SELECT unnest(event_ids) AS id FROM audit_auditseal) AS sealed
    ON sealed.id = event.id
WHERE sealed.id IS NULL ORDER BY event.id
"""


def digest(before: bytes, row: Row) -> bytes:
    """Return the digest of an event, given that of the previous one.

    Each value is hashed with its length, so that different rows have different bytes.
    """
    running = hashlib.sha256(before)
    for value in row:
        text = b"" if value is None else value.encode()
        length = -1 if value is None else len(text)
        running.update(length.to_bytes(8, "big", signed=True) + text)
    return running.digest()


def rows_of(ids: Sequence[int]) -> dict[int, Row]:
    """Return the existing events with some ids, by id."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_IDS, [list(ids)])
        return {int(row[0]): row for row in cursor.fetchall()}


def unsealed(*, settled: int, above: int, top: int, limit: int) -> list[Row]:
    """Return events that no seal after `settled` contains, oldest first.

    Args:
        settled: The number of a seal.
        above: Only ids greater than this.
        top: The last id.
        limit: Maximum number of events.
    """
    parameters = {"settled": settled, "above": above, "top": top, "limit": limit}
    with connection.cursor() as cursor:
        cursor.execute(_UNSEALED, parameters)
        return [tuple(row) for row in cursor.fetchall()]


def never_sealed() -> Iterator[int]:
    """Yield the ids of unsealed events."""
    with connection.cursor() as cursor:
        cursor.execute(_NEVER_SEALED)
        yield from (row[0] for row in cursor.fetchall())
