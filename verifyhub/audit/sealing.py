"""Seal committed audit events in the hash chain (ADR 0075)."""

import time
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from verifyhub.audit.chain import START, digest, unsealed
from verifyhub.audit.models import AuditEvent, AuditSeal

BATCH = 5000
# Maximum duration of one call; the next call does the rest.
SECONDS = 2.0
# By then a transaction that has drawn an event id has a transaction id.
SETTLED_AFTER = timedelta(minutes=1)
# After so many ids without unsealed events, an empty seal records that they need not be
# scanned again.
LONG_LOOK = 50_000
# The lock of the sealing process; others do nothing.
LOCK = 0x5EA1


def seal_events() -> int:
    """Seal committed, unsealed events; return their number."""
    until, total = time.monotonic() + SECONDS, 0
    while sealed := _seal_batch():
        total += sealed
        if sealed < BATCH or time.monotonic() > until:
            break
    return total


@transaction.atomic
def _seal_batch() -> int:
    if not _scalar("SELECT pg_try_advisory_xact_lock(%s)", LOCK):
        return 0
    last = AuditSeal.objects.order_by("-number").first()
    # The order matters: a writer that has drawn an id up to `top` has a transaction id
    # below `following`, and transactions that ended before `oldest` are visible.
    top = AuditEvent.objects.aggregate(top=Max("id"))["top"] or 0
    following = _scalar("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
    oldest = _scalar("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
    settled = last.settled if last else 0
    if last and len(last.event_ids) >= BATCH:
        # Far behind: continue from there; late events below it follow in a full scan.
        rows = unsealed(
            settled=last.number, above=max(last.event_ids), top=top, limit=BATCH
        )
    else:
        floor = AuditSeal.objects.filter(number=settled).values_list("top", flat=True)
        above = floor.first() or 0
        rows = unsealed(settled=settled, above=above, top=top, limit=BATCH)
        if len(rows) < BATCH:
            newer = _settled(settled, oldest)
            if not rows and (newer == settled or top - above < LONG_LOOK):
                return 0
            settled = newer
    ids, digests, head = [], bytearray(), last.head if last else START
    for row in rows:
        head = digest(head, row)
        ids.append(int(str(row[0])))
        digests += head
    AuditSeal.objects.create(
        number=last.number + 1 if last else 1,
        event_ids=ids,
        digests=bytes(digests) or head,
        top=top,
        next_transaction=following,
        settled=settled,
    )
    return len(rows)


def _settled(settled: int, oldest: int) -> int:
    """Return the newest seal whose concurrent transactions have all ended."""
    ended = AuditSeal.objects.filter(
        number__gt=settled,
        sealed_at__lt=timezone.now() - SETTLED_AFTER,
        next_transaction__lte=oldest,
    )
    return ended.order_by("-number").values_list("number", flat=True).first() or settled


def _scalar(statement: str, *values: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.fetchone()[0])
