"""What the trace says of one part of a claim."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from verifyhub.engine.reports import ClaimStatus, Grade
from verifyhub.engine.types import Span

_ORDER = (
    ClaimStatus.CONTRADICTED,
    ClaimStatus.UNATTEMPTED,
    ClaimStatus.UNCHECKED,
    ClaimStatus.SUPPORTED,
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A status with the calls that decided, the deciding one first.

    `parts` are the words of the clauses that decided, where others stand better, and
    `place` is where those stand in their sentence. `others` are those of the clauses
    behind them that are accused apart.
    """

    status: ClaimStatus
    evidence: tuple[int, ...] = ()
    grade: Grade | None = None
    parts: tuple[str, ...] = ()
    place: Span | None = None
    others: "tuple[Ruling, ...]" = ()


def supported(*calls: int, grade: Grade = Grade.C) -> Ruling:
    return Ruling(ClaimStatus.SUPPORTED, calls, grade)


def contradicted(*calls: int, grade: Grade = Grade.C) -> Ruling:
    return Ruling(ClaimStatus.CONTRADICTED, calls, grade)


def unattempted(*calls: int) -> Ruling:
    return Ruling(ClaimStatus.UNATTEMPTED, calls)


def unchecked(*calls: int) -> Ruling:
    return Ruling(ClaimStatus.UNCHECKED, calls)


def unless_shown(ruling: Ruling, calls: Sequence[int]) -> Ruling:
    """Leave open what no call did where some calls show it, the last one first."""
    missing = ruling.status is ClaimStatus.UNATTEMPTED
    return unchecked(calls[-1]) if calls and missing else ruling


def worst(rulings: Iterable[Ruling]) -> Ruling:
    """Return the ruling of a claim of several parts: it needs every one of them."""
    known = list(rulings)
    if not known:
        return unchecked()
    first = min(known, key=lambda ruling: _ORDER.index(ruling.status))
    worst_rulings = [ruling for ruling in known if ruling.status is first.status]
    calls = tuple(
        dict.fromkeys(call for ruling in worst_rulings for call in ruling.evidence)
    )
    grades = [ruling.grade for ruling in worst_rulings if ruling.grade]
    return Ruling(first.status, calls, max(grades) if grades else None)


# What stands between two clauses belongs to neither.
_JOINT = re.compile(r"^[\s;,—–|-]+|[\s;,.:—–|-]*(?:\b(?:and|but|then)[\s,]*)?$")


def worst_of(clauses: Sequence[tuple[str, Ruling]]) -> Ruling:
    """Return the ruling of a claim of several clauses, each with its words."""
    worst_ruling = worst(ruling for _, ruling in clauses)
    worst_clauses = [
        clause for clause in clauses if clause[1].status is worst_ruling.status
    ]
    if len(worst_clauses) == len(clauses):
        return worst_ruling
    words = [part for text, ruling in worst_clauses for part in ruling.parts or (text,)]
    return replace(worst_ruling, parts=tuple(_JOINT.sub("", text) for text in words))
