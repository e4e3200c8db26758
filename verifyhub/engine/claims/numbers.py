"""Numbers and dates of a text, however they are spelt, made comparable.

`1,234` is a thousand in English and one and a bit in German: a spelling that can be
read in two ways has two values, and two numbers are equal if any of them is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from verifyhub.engine.text.numbers import figures, spelled
from verifyhub.engine.text.quantity_words import (
    ARTICLES,
    FACTORS,
    MONTH,
    MONTH_PATTERN,
    SMALL_NUMBERS,
    TENS,
)
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.types import Span

_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.|er|-?го)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d.,/-])(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)",
        r"(?<![\d.,/-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)",
        rf"(?<!\w){_DAY}\s{{1,2}}(?:of\s|de\s)?(?P<n>{MONTH_PATTERN})\.?"
        r"(?:,?\s{1,2}(?:de[l]?\s)?(?P<y>\d{4})(?!\d))?(?!\w)",
        rf"(?<!\w)(?P<n>{MONTH_PATTERN})\.?\s{{1,2}}{_DAY}(?!\d)"
        r"(?:,?\s{1,2}(?P<y>\d{4})(?!\d))?",
        rf"(?<!\w)(?P<n>{MONTH_PATTERN})\.?,?\s{{1,2}}(?:de[l]?\s)?(?P<y>\d{{4}})(?!\d)",
    )
)
# The dates without the name of a month come first.
_OF_FIGURES = 2
# Every date has one.
_DIGIT = re.compile(r"\d")
# Digits with single separators; a blank separates only groups of three.
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<minus>[-−])?(?P<currency>[$€£¥₽]\s?)?"
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f]\d{3})++(?:[.,]\d{1,6})?(?!\d)"
    r"|\d{1,15}(?:[.,]\d{1,15}){0,5})"
    r"(?P<suffix>st|nd|rd|th|s|'s|-?й|-?го|-?х|[KkMm](?![A-Za-z])|bn)?"
    r"(?:\s?(?P<percent>%|percent\b|per\scent\b|проц\w{0,6}|pour\scent\b|Prozent\b"
    r"|por\sciento\b))?"
)
_WORD = re.compile(r"[^\W\d_]++(?:-[^\W\d_]++)*+")
_SAME = 1e-9
LEAST, MOST, ABOUT = "least", "most", "about"
# Words in front of a number that say it is none to be met exactly. What denies another
# one (`no more than`) stands first.
_BOUNDS = tuple(
    (bound, re.compile(rf"(?<!\w)(?:{words})\s{{0,2}}[$€£¥₽]?$"))
    for bound, words in (
        (MOST, r"no more than|not more than|at most|up to|less than|fewer than|under"
         r"|below|не более(?: чем)?|менее(?: чем)?|меньше(?: чем)?|максимум|moins de"
         r"|au plus|jusqu['’]à|weniger als|höchstens|bis zu|unter|menos de"
         r"|como máximo|hasta|a lo sumo"),
        (LEAST, r"no less than|no fewer than|at least|more than|over|above|exceeding"
         r"|upwards of|greater than|не менее(?: чем)?|более(?: чем)?|больше(?: чем)?"
         r"|свыше|минимум|plus de|au moins|mehr als|mindestens|über|más de|al menos"
         r"|por lo menos"),
        (ABOUT, r"about|around|approximately|roughly|nearly|almost|circa|ca\.|~|≈"
         r"|около|примерно|почти|порядка|environ|près de|presque|quelque|etwa|rund"
         r"|ungefähr|fast|knapp|unos|unas|cerca de|casi|aproximadamente|alrededor de"),
    )
)  # fmt: skip
_BOUND_WORDS = Screen(words for _, words in _BOUNDS)
_BEFORE = 24
# How far from a bound a number may lie that still is what was meant, and how far from
# one that is about right.
_FAR, _NEAR = 2.0, 0.1
MAX_FOUND = 500


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number or date as it stands in a text.

    Attributes:
        text: The text as written.
        span: Its position.
        values: Every number it can be read as; none for a date.
        date: Year, month and day, None where it does not say; None for a number.
        unit: `%`, a currency's sign, or empty.
        bound: `least`, `most` or `about` where words in front of it say so.
    """

    text: str
    span: Span
    values: frozenset[float] = frozenset()
    date: tuple[int | None, int | None, int | None] | None = None
    unit: str = ""
    bound: str = ""

    def agrees(self, other: "Quantity") -> bool:
        """Return whether both can mean the same."""
        if self.date and other.date:
            pairs = zip(self.date, other.date, strict=True)
            known = [
                (ours, theirs) for ours, theirs in pairs if None not in (ours, theirs)
            ]
            return bool(known) and all(ours == theirs for ours, theirs in known)
        if self.date or other.date:
            number = other if self.date else self
            year = (self.date or other.date or (None,))[0]
            return year in number.values and not number.unit
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return any(
            abs(value - other_value) <= _SAME * max(1.0, abs(value))
            or _within(self.bound, value, other_value)
            or _within(other.bound, other_value, value)
            for value in self.values
            for other_value in other.values
        )


def _within(bound: str, limit: float, value: float) -> bool:
    """Whether a value is what `more than 40`, `under 40` or `about 40` may mean."""
    if not bound or limit <= 0:
        return False
    if bound == ABOUT:
        return abs(value - limit) <= _NEAR * limit
    low, high = (limit, _FAR * limit) if bound == LEAST else (limit / _FAR, limit)
    return low <= value <= high


def quantities(text: str, language: str = "en") -> list[Quantity]:
    """Return the numbers and dates of a text, in order, at most 500."""
    matches: list[Quantity] = []
    spans: list[Span] = []
    for quantity in (*_dates(text), *_figures(text), *_spelled(text, language)):
        if not any(
            quantity.span[0] < end and start < quantity.span[1] for start, end in spans
        ):
            matches.append(quantity)
            spans.append(quantity.span)
        if len(matches) == MAX_FOUND:
            break
    bounded = (
        replace(quantity, bound=bound)
        if (bound := _bound(text, quantity))
        else quantity
        for quantity in matches
    )
    return sorted(bounded, key=lambda quantity: quantity.span)


def _bound(text: str, quantity: Quantity) -> str:
    """Return what the words in front of a number, or a plus behind it, make of it."""
    start, end = quantity.span
    if quantity.date:
        return ""
    if text[end : end + 1] == "+":
        return LEAST
    before = text[max(0, start - _BEFORE) : start].casefold()
    for at in _BOUND_WORDS.passed(before):
        name, words = _BOUNDS[at]
        if words.search(before):
            return name
    return ""


def _dates(text: str) -> Iterator[Quantity]:
    if not _DIGIT.search(text):
        return
    # Letters beyond ASCII may be alike by other rules than those of `lower`.
    folded = text.lower() if text.isascii() else ""
    has_month = not folded or any(month in folded for month in MONTH)
    for pattern in _DATES if has_month else _DATES[:_OF_FIGURES]:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = MONTH.get((parts.get("n") or "").casefold()) or _int(parts, "m")
            day = _int(parts, "d")
            if month is None or not 1 <= month <= 12 or not 1 <= (day or 1) <= 31:
                continue
            yield Quantity(
                match.group(), match.span(), date=(_int(parts, "y"), month, day)
            )


def _int(parts: dict[str, str | None], name: str) -> int | None:
    value = parts.get(name)
    return int(value) if value else None


def _figures(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        values = _readings(match["digits"])
        suffix = (match["suffix"] or "").casefold()
        end = match.end()
        after = _WORD.match(text, end + (text[end : end + 1] in " \u00a0-"))
        factor = FACTORS.get(suffix, 1.0) if suffix in ("k", "m", "bn") else 1.0
        if after and len(after.group()) > 1 and factor == 1.0:
            word = after.group().casefold()
            if word in FACTORS:
                factor, end = FACTORS[word], after.end()
        unit = "%" if match["percent"] else (match["currency"] or "").strip()
        factor = -factor if match["minus"] else factor
        scaled = frozenset(value * factor for value in values)
        yield Quantity(
            text[match.start() : end], (match.start(), end), values=scaled, unit=unit
        )


def _readings(digits: str) -> frozenset[float]:
    """Return every number that digits can stand for."""
    numbers = figures(digits, decimal_comma=True)
    if numbers or {".", ","} <= set(digits):
        return numbers
    # A version or a place in a list: equal only to itself.
    groups = re.split(r"[.,]", digits)
    return frozenset({float("".join(f"{group:0>4}"[-4:] for group in groups)) + 0.125})


def _spelled(text: str, language: str) -> Iterator[Quantity]:
    words = SMALL_NUMBERS.get(language, SMALL_NUMBERS["en"]) | TENS
    matches = list(_WORD.finditer(text))
    for match, following in zip_longest(matches, matches[1:]):
        word = match.group().casefold()
        value = spelled(word, words)
        if value is None or (word in ARTICLES and following is None):
            continue
        end = match.end()
        factor = _factor(text, end, following)
        if factor is not None and following is not None:
            value, end = value * factor, following.end()
        elif word in ARTICLES or word in _ONLY_WITH_FACTOR:
            continue
        yield Quantity(
            text[match.start() : end], (match.start(), end), values=frozenset({value})
        )


def _factor(text: str, end: int, following: re.Match[str] | None) -> float | None:
    """Return what a word multiplies by the next one: `three million`."""
    if following is None or following.start() - end != 1:
        return None
    word = following.group().casefold()
    return FACTORS.get(word) if len(word) > 2 else None


# `pour cent`, `cent` of a dollar: a hundred only in front of a factor.
_ONLY_WITH_FACTOR = frozenset({"cent", "hundred"})


def differing(claimed: Sequence[Quantity], shown: Sequence[Quantity]) -> list[Quantity]:
    """Return the claimed numbers that no shown one agrees with."""
    return [
        quantity
        for quantity in claimed
        if not any(quantity.agrees(other) for other in shown)
    ]
