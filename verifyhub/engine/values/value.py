"""A value as it stands in a text, and the forms by which two spellings are equal."""

import datetime
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from verifyhub.engine.text.numbers import figures, spelled
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.units import SCALED, TIME_UNIT

# What two spellings of one thing share: a letter for what it is, then its parts.
Form: TypeAlias = tuple[str | int | float | None, ...]


class Value(NamedTuple):
    """One value as it stands in a text.

    Attributes:
        text: As it is spelt.
        kind: What it is.
        span: Its place.
        forms: What it is equal by; a spelling that can be read in two ways has two.
        unit: A currency's code, a unit of measure, or empty.
        counts: Of a number: the words after it, in lower case, that say of what.
    """

    text: str
    kind: ValueKind
    span: Span
    forms: frozenset[Form]
    unit: str = ""
    counts: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that it can be read as, the smallest first."""
        return tuple(
            sorted(
                one[1]
                for one in self.forms
                if one[0] == "n" and isinstance(one[1], float)
            )
        )


def amounts(text: str) -> frozenset[float]:
    """Return what a number can be, in digits or spelled out."""
    folded = text.casefold().strip()
    if folded[:1].isdecimal():
        return figures(folded)
    number = spelled(folded)
    return frozenset() if number is None else frozenset({number})


def number_form(number: float) -> Form:
    """Return the form of a number."""
    return ("n", round(float(number), 6))


def number_forms(numbers: frozenset[float]) -> frozenset[Form]:
    """Return the forms of a number that can be read in several ways."""
    return frozenset(map(number_form, numbers))


def measure_forms(number: float, unit: str) -> Iterator[Form]:
    """Yield what a measured number is in the first unit of its kind, if it has one."""
    scaled = SCALED.get(unit)
    if scaled is not None:
        yield ("m", scaled[0], round(number * scaled[1], 6))


def text_form(text: str) -> Form:
    """Return the form of an id or an address: without a number sign, in one case."""
    return ("s", text.strip("#").casefold())


def phone_forms(digits: str) -> frozenset[Form]:
    """Return the forms of a telephone number, with and without what comes before it."""
    forms: set[Form] = {("phone", digits[-7:])}
    if len(digits) >= 10:
        forms = {("phone", digits[-10:])}
    return frozenset(forms)


def date_forms(year: int | None, month: int | None, day: int | None) -> frozenset[Form]:
    """Return the form of a date, None for what it does not say; none for no date."""
    if month is not None and not 1 <= month <= 12:
        return frozenset()
    if day is not None and not 1 <= day <= 31:
        return frozenset()
    return frozenset({("d", year, month, day)})


def day_of(form: Form) -> Iterator[datetime.date]:
    """Yield the day of a date that says all of it, where there is such a day."""
    if form[0] != "d" or len(form) < 4:
        return  # `today`, `Tuesday`, an amount of a unit called `d`
    year, month, day = form[1], form[2], form[3]
    if isinstance(year, int) and isinstance(month, int) and isinstance(day, int):
        try:
            yield datetime.date(year, month, day)
        except ValueError:
            return


def duration_form(
    low: float, high: float, unit: str, *, business: bool = False
) -> Form:
    """Return the form of a duration, from and to: seconds, months or nights."""
    group, factor = TIME_UNIT[unit.casefold()]
    if business:
        group = "business " + group
    return ("u", group, round(low * factor, 3), round(high * factor, 3))
