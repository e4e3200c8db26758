"""Numbers and dates of a text, however they are spelt, made comparable.

`1,234` is a thousand in English and one and a bit in German: a spelling that can be
read in two ways has two values, and two numbers are equal if any of them is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from verifyhub.engine.types import Span

_SMALL = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать"
    " двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать"
    " восемнадцать девятнадцать двадцать",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize"
    " quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn"
    " vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece"
    " catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
}
# Articles in their language, and so no numbers; `once` is eleven in Spanish alone.
_ARTICLES = frozenset({"one", "un", "один", "eins", "uno"})
_TENS = {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "тридцать": 30, "сорок": 40, "пятьдесят": 50, "шестьдесят": 60,
    "семьдесят": 70, "восемьдесят": 80, "девяносто": 90, "trente": 30, "quarante": 40,
    "cinquante": 50, "soixante": 60, "dreißig": 30, "vierzig": 40, "fünfzig": 50,
    "sechzig": 60, "siebzig": 70, "achtzig": 80, "neunzig": 90, "treinta": 30,
    "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90, "dozen": 12, "dutzend": 12, "дюжина": 12, "douzaine": 12,
    "docena": 12, "hundred": 100, "сто": 100, "cent": 100, "hundert": 100, "cien": 100,
}  # fmt: skip
_FACTORS = {
    "hundred": 100, "hundert": 100, "cents": 100, "k": 1e3, "thousand": 1e3,
    "thousands": 1e3, "тысяча": 1e3, "тысячи": 1e3, "тысяч": 1e3, "тыс": 1e3,
    "mille": 1e3, "milliers": 1e3, "tausend": 1e3, "mil": 1e3, "m": 1e6, "mn": 1e6,
    "million": 1e6, "millions": 1e6, "миллион": 1e6, "миллиона": 1e6,
    "миллионов": 1e6, "млн": 1e6, "millionen": 1e6, "mio": 1e6, "millón": 1e6,
    "millones": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "billions": 1e9,
    "миллиард": 1e9, "миллиарда": 1e9, "миллиардов": 1e9, "млрд": 1e9,
    "milliard": 1e9, "milliards": 1e9, "milliarde": 1e9, "milliarden": 1e9,
    "mrd": 1e9, "trillion": 1e12, "trillions": 1e12, "триллион": 1e12,
}  # fmt: skip
_MONTHS = {
    "en": "january february march april may june july august september october"
    " november december",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября"
    " декабря",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre"
    " décembre",
    "de": "januar februar märz april mai juni juli august september oktober november"
    " dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre"
    " noviembre diciembre",
}
_SHORT = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH = {
    name: number
    for names in (*_MONTHS.values(), _SHORT)
    for number, name in enumerate(names.split(), 1)
} | {"sept": 9, "январь": 1, "февраль": 2, "март": 3, "апрель": 4, "май": 5,
     "июнь": 6, "июль": 7, "август": 8, "сентябрь": 9, "октябрь": 10, "ноябрь": 11,
     "декабрь": 12, "jänner": 1}  # fmt: skip

_MONTH_NAMES = "|".join(sorted(map(re.escape, _MONTH), key=len, reverse=True))
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.|er|-?го)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\d.,/-])(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)",
        r"(?<![\d.,/-])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)",
        rf"(?<!\w){_DAY}\s{{1,2}}(?:of\s|de\s)?(?P<n>{_MONTH_NAMES})\.?"
        r"(?:,?\s{1,2}(?:de[l]?\s)?(?P<y>\d{4})(?!\d))?(?!\w)",
        rf"(?<!\w)(?P<n>{_MONTH_NAMES})\.?\s{{1,2}}{_DAY}(?!\d)"
        r"(?:,?\s{1,2}(?P<y>\d{4})(?!\d))?",
        rf"(?<!\w)(?P<n>{_MONTH_NAMES})\.?,?\s{{1,2}}(?:de[l]?\s)?(?P<y>\d{{4}})(?!\d)",
    )
)
# Digits parted by one separator each; a blank parts groups of three only.
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
_BEFORE = 24
# How far from a bound a number may lie that still is what was meant, and how far from
# one that is about right.
_FAR, _NEAR = 2.0, 0.1
MAX_FOUND = 500


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number or date as it stands in a text.

    Attributes:
        text: As it is spelt.
        span: Its place.
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
            known = [(one, two) for one, two in pairs if None not in (one, two)]
            return bool(known) and all(one == two for one, two in known)
        if self.date or other.date:
            number = other if self.date else self
            year = (self.date or other.date or (None,))[0]
            return year in number.values and not number.unit
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return any(
            abs(one - two) <= _SAME * max(1.0, abs(one))
            or _within(self.bound, one, two)
            or _within(other.bound, two, one)
            for one in self.values
            for two in other.values
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
    taken: list[Span] = []
    for one in (*_dates(text), *_figures(text), *_spelled(text, language)):
        if not any(one.span[0] < end and start < one.span[1] for start, end in taken):
            matches.append(one)
            taken.append(one.span)
        if len(matches) == MAX_FOUND:
            break
    bounded = (replace(one, bound=_bound(text, one)) for one in matches)
    return sorted(bounded, key=lambda one: one.span)


def _bound(text: str, quantity: Quantity) -> str:
    """Return what the words in front of a number, or a plus behind it, make of it."""
    start, end = quantity.span
    if quantity.date:
        return ""
    if text[end : end + 1] == "+":
        return LEAST
    before = text[max(0, start - _BEFORE) : start].casefold()
    return next((name for name, words in _BOUNDS if words.search(before)), "")


def _dates(text: str) -> Iterator[Quantity]:
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = _MONTH.get((parts.get("n") or "").casefold()) or _int(parts, "m")
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
        values = set(_readings(match["digits"]))
        suffix = (match["suffix"] or "").casefold()
        end = match.end()
        after = _WORD.match(text, end + (text[end : end + 1] in " \u00a0-"))
        factor = _FACTORS.get(suffix, 1.0) if suffix in ("k", "m", "bn") else 1.0
        if after and len(after.group()) > 1 and factor == 1.0:
            word = after.group().casefold()
            if word in _FACTORS:
                factor, end = _FACTORS[word], after.end()
        unit = "%" if match["percent"] else (match["currency"] or "").strip()
        factor = -factor if match["minus"] else factor
        scaled = frozenset(value * factor for value in values)
        yield Quantity(
            text[match.start() : end], (match.start(), end), values=scaled, unit=unit
        )


def _readings(digits: str) -> Iterator[float]:
    """Yield every number that a spelling with separators can stand for."""
    plain = re.sub(r"[ \u00a0\u202f]", "", digits)
    separators = [char for char in plain if char in ".,"]
    if not separators:
        yield float(plain)
        return
    groups = re.split(r"[.,]", plain)
    thousands = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if thousands and len(set(separators)) == 1 and groups[0] != "0":
        yield float("".join(groups))
    if len(separators) == 1 or (
        len(set(separators[:-1])) == 1 and separators[-1] != separators[0]
    ):
        yield float("".join(groups[:-1]) + "." + groups[-1])
    if len(separators) > 1 and len(set(separators)) == 1 and not thousands:
        # A version or a place in a list: equal only to itself.
        yield float("".join(f"{group:0>4}"[-4:] for group in groups)) + 0.125


def _spelled(text: str, language: str) -> Iterator[Quantity]:
    small = _SMALL_NUMBERS.get(language, _SMALL_NUMBERS["en"])
    matches = list(_WORD.finditer(text))
    for match, following in zip_longest(matches, matches[1:]):
        word = match.group().casefold()
        tens, _, rest = word.partition("-")
        value: float | None = small.get(word, _TENS.get(word))
        if value is None and tens in _TENS and rest in small:
            value = _TENS[tens] + small[rest]
        if value is None or (word in _ARTICLES and following is None):
            continue
        end = match.end()
        factor = _factor(text, end, following)
        if factor is not None and following is not None:
            value, end = value * factor, following.end()
        elif word in _ARTICLES or word in _ONLY_WITH_FACTOR:
            continue
        yield Quantity(
            text[match.start() : end], (match.start(), end), values=frozenset({value})
        )


def _factor(text: str, end: int, following: re.Match[str] | None) -> float | None:
    """Return what a word multiplies by the next one: `three million`."""
    if following is None or following.start() - end != 1:
        return None
    word = following.group().casefold()
    return _FACTORS.get(word) if len(word) > 2 else None


_SMALL_NUMBERS = {
    language: {word: float(number) for number, word in enumerate(words.split())}
    for language, words in _SMALL.items()
}
# `pour cent`, `cent` of a dollar: a hundred only in front of a factor.
_ONLY_WITH_FACTOR = frozenset({"cent", "hundred"})


def differing(claimed: Sequence[Quantity], shown: Sequence[Quantity]) -> list[Quantity]:
    """Return the claimed numbers that no shown one agrees with."""
    return [one for one in claimed if not any(one.agrees(other) for other in shown)]
