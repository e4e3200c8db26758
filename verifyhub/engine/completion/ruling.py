"""What the trace says of one part of a claim."""

from collections.abc import Iterable
from dataclasses import dataclass

from verifyhub.engine.reports import ClaimStatus, Grade

_ORDER = (
    ClaimStatus.CONTRADICTED,
    ClaimStatus.UNATTEMPTED,
    ClaimStatus.UNCHECKED,
    ClaimStatus.SUPPORTED,
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A status with the calls that decided, the deciding one first."""

    status: ClaimStatus
    evidence: tuple[int, ...] = ()
    grade: Grade | None = None


def supported(*calls: int, grade: Grade = Grade.C) -> Ruling:
    return Ruling(ClaimStatus.SUPPORTED, calls, grade)


def contradicted(*calls: int, grade: Grade = Grade.C) -> Ruling:
    return Ruling(ClaimStatus.CONTRADICTED, calls, grade)


def unattempted(*calls: int) -> Ruling:
    return Ruling(ClaimStatus.UNATTEMPTED, calls)


def unchecked(*calls: int) -> Ruling:
    return Ruling(ClaimStatus.UNCHECKED, calls)


def worst(rulings: Iterable[Ruling]) -> Ruling:
    """Return the ruling of a claim of several parts: it needs every one of them."""
    known = list(rulings)
    if not known:
        return unchecked()
    first = min(known, key=lambda ruling: _ORDER.index(ruling.status))
    alike = [ruling for ruling in known if ruling.status is first.status]
    calls = tuple(dict.fromkeys(call for ruling in alike for call in ruling.evidence))
    grades = [ruling.grade for ruling in alike if ruling.grade]
    return Ruling(first.status, calls, max(grades) if grades else None)
