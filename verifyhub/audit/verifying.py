"""Verify the audit log against its hash chain."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from verifyhub.audit.chain import START, Row, digest, never_sealed, rows_of
from verifyhub.audit.models import DIGEST_BYTES, AuditSeal

# Events, or seals, that are read at once.
READ = 5000


@dataclass(slots=True)
class ChainCheck:
    """The result of verifying the chain.

    Attributes:
        seals: Number of seals.
        events: Number of sealed events.
        waiting: Number of new, unsealed events.
        head: The last seal, as `number:digest`; empty if there is none.
        problems: A sentence for each row that differs from its seal.
    """

    seals: int
    events: int
    waiting: int
    head: str
    problems: list[str]


def verify_chain(*, known_head: str = "") -> ChainCheck:
    """Compare all seals with their events.

    Args:
        known_head: An externally stored head, `number:digest`, by which truncation, and
            rewriting including seals, are detected.
    """
    check = ChainCheck(0, 0, 0, "", [])
    before, number, settled, seen_known = START, 0, 0, not known_head
    seals = AuditSeal.objects.order_by("number").iterator(chunk_size=10)
    for seal, rows in _with_rows(seals):
        if seal.number != number + 1:
            check.problems.append(f"Seals {number + 1} to {seal.number - 1} are gone.")
        before = _check(seal, rows, before, check)
        number, check.head = seal.number, str(seal)
        check.seals, check.events = check.seals + 1, check.events + len(seal.event_ids)
        seen_known = seen_known or str(seal) == known_head
        settled = seal.settled
    if not seen_known:
        check.problems.append(f"The chain does not contain the head {known_head}.")
    floor = (
        AuditSeal.objects.filter(number=settled).values_list("top", flat=True).first()
    )
    for event in never_sealed():
        if event <= (floor or 0):
            check.problems.append(f"Event {event} was inserted between older events.")
        else:
            check.waiting += 1
    return check


def _with_rows(
    seals: Iterable[AuditSeal],
) -> Iterator[tuple[AuditSeal, Mapping[int, Row]]]:
    """Read the events of many small seals at once."""
    group: list[AuditSeal] = []
    ids: list[int] = []
    for seal in seals:
        group.append(seal)
        ids += seal.event_ids
        if len(ids) >= READ or len(group) >= READ:
            rows = rows_of(ids)
            yield from ((one, rows) for one in group)
            group, ids = [], []
    rows = rows_of(ids) if ids else {}
    yield from ((one, rows) for one in group)


def _check(
    seal: AuditSeal, rows: Mapping[int, Row], before: bytes, check: ChainCheck
) -> bytes:
    """Compare the events of a seal; return the digest that the next one begins with.

    Each is compared using the stored previous digest, so that one changed row is one
    problem.
    """
    digests = bytes(seal.digests)
    # An empty seal has the previous digest.
    is_complete = len(digests) == DIGEST_BYTES * max(len(seal.event_ids), 1)
    if not is_complete or (not seal.event_ids and digests != before):
        check.problems.append(f"Seal {seal.number} was changed.")
        return digests[-DIGEST_BYTES:] or before
    for place, event in enumerate(seal.event_ids):
        stored = digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]
        row = rows.get(event)
        if row is None:
            check.problems.append(f"Event {event} was removed.")
        elif digest(before, row) != stored:
            check.problems.append(f"Event {event}{_named(row)} was changed.")
        before = stored
    return before


def _named(row: Row) -> str:
    return f" ({row[5]} of {row[6]} {row[7]} by {row[4]})"


def problems_of(check: ChainCheck, *, most: int) -> Iterator[str]:
    """Yield the first problems, and how many more there are."""
    yield from check.problems[:most]
    if len(check.problems) > most:
        yield f"… and {len(check.problems) - most} more."
