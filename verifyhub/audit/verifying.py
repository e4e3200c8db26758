"""Hold the audit record against its chain."""

from collections.abc import Iterator
from dataclasses import dataclass

from verifyhub.audit.chain import START, Row, digest, never_sealed, rows_of
from verifyhub.audit.models import DIGEST_BYTES, AuditSeal


@dataclass(slots=True)
class ChainCheck:
    """What was read, and what was wrong with it.

    Attributes:
        seals: How many there are.
        events: How many they seal.
        waiting: Events that are new and not sealed yet.
        head: The last seal, as `number:digest`; empty if there is none.
        problems: A sentence for each row that is not as it was sealed.
    """

    seals: int
    events: int
    waiting: int
    head: str
    problems: list[str]


def verify_chain(*, known: str = "") -> ChainCheck:
    """Read every seal and every event that it seals, and compare.

    Args:
        known: A head that was kept elsewhere, `number:digest`: what was cut off or
            rewritten up to it, seals included, is found by that alone.
    """
    found = ChainCheck(0, 0, 0, "", [])
    before, number, settled, seen_known = START, 0, 0, not known
    for seal in AuditSeal.objects.order_by("number").iterator(chunk_size=10):
        if seal.number != number + 1:
            found.problems.append(f"Seals {number + 1} to {seal.number - 1} are gone.")
        before = _check(seal, before, found)
        number, found.head = seal.number, str(seal)
        found.seals, found.events = found.seals + 1, found.events + len(seal.event_ids)
        seen_known = seen_known or str(seal) == known
        settled = seal.settled
    if not seen_known:
        found.problems.append(f"The chain does not contain the head {known}.")
    floor = (
        AuditSeal.objects.filter(number=settled).values_list("top", flat=True).first()
    )
    for event in never_sealed():
        if event <= (floor or 0):
            found.problems.append(f"Event {event} was inserted between older events.")
        else:
            found.waiting += 1
    return found


def _check(seal: AuditSeal, before: bytes, found: ChainCheck) -> bytes:
    """Compare the events of a seal; return the digest that the next one begins with.

    Each is held against the digest that was stored before it, so that one changed row
    is one problem and not all that follow.
    """
    rows, digests = rows_of(seal.event_ids), bytes(seal.digests)
    # One of nothing carries the head on.
    whole = len(digests) == DIGEST_BYTES * max(len(seal.event_ids), 1)
    if not whole or (not seal.event_ids and digests != before):
        found.problems.append(f"Seal {seal.number} was changed.")
        return digests[-DIGEST_BYTES:] or before
    for place, event in enumerate(seal.event_ids):
        stored = digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]
        row = rows.get(event)
        if row is None:
            found.problems.append(f"Event {event} was removed.")
        elif digest(before, row) != stored:
            found.problems.append(f"Event {event}{_named(row)} was changed.")
        before = stored
    return before


def _named(row: Row) -> str:
    return f" ({row[5]} of {row[6]} {row[7]} by {row[4]})"


def problems_of(found: ChainCheck, *, most: int) -> Iterator[str]:
    """Yield the first problems, and how many more there are."""
    yield from found.problems[:most]
    if len(found.problems) > most:
        yield f"… and {len(found.problems) - most} more."
