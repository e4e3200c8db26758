"""Values in a text, however they are spelt.

Only what has a digit or begins with a word for a number, a month or a time is looked
at; one expression tells what it begins as, and the words behind say what it is of.
Everything consumes what it reads, so that no text takes more than linear time.
"""

import math
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from heapq import merge

from verifyhub.engine.text.numbers import SPELLED
from verifyhub.engine.text.quantity_words import (
    ARTICLES,
    MONTH,
    MONTH_PATTERN,
    WEEKDAY,
)
from verifyhub.engine.text.search import NameSearch
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.spans import Spans
from verifyhub.engine.values.units import (
    BUSINESS,
    CURRENCY,
    DAY_PART,
    FILLERS,
    MEASURES,
    MINOR,
    PERCENT,
    RELATIVE_DAYS,
    SCALES,
    STREETS,
    TIME_UNIT,
)
from verifyhub.engine.values.value import (
    Form,
    Value,
    amounts,
    date_forms,
    duration_form,
    measure_forms,
    number_form,
    number_forms,
    phone_forms,
    text_form,
)

Reader = Callable[[str, re.Match[str]], tuple[Value, ...]]
MOST_VALUES = 3_000
_NUM = (
    r"(?:\d{1,3}(?:[\u00a0\u202f]\d{3})++(?:[.,]\d{1,6})?(?!\d)"
    r"|\d{1,3}(?:[ ]\d{3}){1,4}(?:,\d{1,2})?"
    r"(?=[ \u00a0]?[₽€£$]|[ ](?:руб|евро|euro|EUR|USD|GBP|PLN|SEK|NOK|kr|zł))"
    r"|\d{1,15}(?:[.,]\d{1,15}){0,5})"
)
_APM = r"[ \u00a0\u202f]?(?:[aApP]\.[ ]?[mM]\.|[aApP][mM]\b)"
# Codes that stand in front of an amount; in capitals, `TRY` is a word as well.
_CURRENCY_CODES = frozenset(filter(str.isalpha, CURRENCY.values())) - {"TRY"}
_CODES = "|".join(sorted(_CURRENCY_CODES))
_START = re.compile(
    rf"""
      (?P<iso>\d{{4}}-\d{{2}}-\d{{2}}(?![\d-]))
      (?:(?:T|[ ](?!\d\d:\d\d-\d\d:\d\d(?!\d)))
      (?P<clock>\d{{2}}:\d{{2}}(?::\d{{2}})?)(?:\.\d{{1,9}})?
      (?:Z|[+-]\d\d:?\d\d)?)?
    | (?P<ip>\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?!\w|\.\d))
    | (?P<uuid>[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}}(?![\w-]))
    | (?P<date>\d{{1,4}}(?P<sep>[./-])\d{{1,2}}(?P=sep)\d{{2,4}}(?![\d/-]|\.\d))
    | (?P<time>\d{{1,2}}(?::\d{{2}}){{1,2}}(?!\d|:\d)(?:{_APM})?
      |\d{{1,2}}{_APM}|\d{{1,2}}[ ]?h[ ]?\d{{2}}(?!\w)
      |\d{{1,2}}(?:[.]\d{{2}})?[ ](?:Uhr|o['’]clock)(?!\w))
    | (?P<last>(?:[•…]{{2,16}}[ -]?|\*{{4,16}}[ -]?|\*{{3,16}}[ -]
      |[xX]{{2,16}}[ -]?)\d{{3,4}}(?!\w))
    | (?P<phone>\+?(?:\d{{1,3}}[ .-]?)?\(\d{{2,5}}\)[ .-]?\d{{2,4}}
      (?:[ .-]\d{{2,4}}){{1,3}}(?!\w)
      |\+(?=(?:[ .-]?\d){{8}})\d{{1,3}}(?:[ .-]?\d{{1,4}}){{2,5}}(?!\w)
      |0\d{{1,4}}[ ]\d{{3,4}}[ ]\d{{3,4}}(?!\w)|0\d(?:[ .]\d\d){{4}}(?!\w)
      |\d{{3}}[ ]\d{{3}}[ ]\d{{3}}(?![\w,]|[ ]?(?:\d|[₽€£$]|руб|kr|zł|[A-Z]{{3}}\b))
      |\d{{3}}(?:[ ]\d\d){{3}}(?![\w,]|[ ]?(?:\d|[₽€£$]|руб|kr|zł|[A-Z]{{3}}\b))
      |(?:\d[.-])?\d{{3}}[.-]\d{{3}}[.-]\d{{4}}(?!\w)|\d{{3}}-\d{{4}}(?!\w))
    | (?P<sum>[-−]?(?P<cur>(?:US|AU?|CA?)?[$€£¥₽₹]|(?:{_CODES})[ ])[ ]?[-−]?
      (?P<amount>{_NUM}))
    | (?P<parted>(?=[A-Z\d/]{{0,24}}\d{{5}})[A-Z\d]{{1,12}}
      (?:/[A-Z\d]{{1,12}}){{1,4}}(?![\w/]))
    | (?P<id>\#[A-Za-z0-9][\w-]{{2,60}}
      |[A-Za-z][A-Za-z0-9]{{0,40}}(?:_[A-Za-z0-9]{{1,40}}){{0,8}}_\d[A-Za-z0-9]{{0,40}}
      (?!\w)
      |[A-Z][A-Z0-9]{{0,12}}(?:-[A-Z0-9]{{1,20}}){{0,4}}-\d[A-Z0-9]{{1,20}}
      (?:-[A-Z0-9]{{1,20}}){{0,4}}(?![\w-])
      |[A-Z]{{2,8}}(?:-[A-Z0-9]{{1,20}}){{0,3}}-(?=[a-z]{{0,20}}\d)[a-z0-9]{{6,40}}
      (?![\w-])
      |(?=[A-Z0-9]{{0,23}}[A-Z])(?=[A-Z0-9]{{0,23}}\d)[A-Z0-9]{{5,24}}(?!\w)
      |\d{{7,24}}(?![\w%]|[.,]\d))
    | (?P<number>[-−]?{_NUM})(?P<tail>(?:st|nd|rd|th|er|-?го)(?!\w))?
    """,
    re.VERBOSE,
)
# A hyphen, and one at which no line ends.
_HYPHENS = ("\u2010", "\u2011")
_TOKEN = re.compile(r"[^\s\u00a0]+")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_STEP = re.compile(r"[^\W_]+|.", re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_MAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}"
)
_BEHIND_URL = ".,;:!?)]}*_`'\""
_URL = re.compile(r"https?://[^\s\"'<>]++")
_WORD_AFTER = re.compile(r"[ \u00a0\u202f]?-?([^\W\d_]++(?:['’-][^\W\d_]++)*+)")
_RANGE = re.compile(
    r"[ ]?(?:-|–|—|(?:to|or|bis|oder|à|ou|до|или|a|o)[ ])[ ]?"
    rf"({_NUM}|[^\W\d_]{{2,12}})(?![\w:])"
)
_OF = re.compile(r"[ ](?:of|de|del)(?=[ ])", re.IGNORECASE)
_DOT_MONTH = re.compile(rf"\. (?:{MONTH_PATTERN})(?!\w)", re.IGNORECASE)
_YEAR = re.compile(r",?[ ]{1,2}(?:del?[ ])?(\d{4})(?!:?\d)")
_DAY = re.compile(r"\.?[ ]{1,2}(?:the[ ])?(\d{1,2})(?:st|nd|rd|th)?(?![\w%]|[.:]\d)")
_ENDING = re.compile(
    r"(?:ending|ends|end|last (?:four|4)(?: digits)?)(?: (?:in|with|of|are|is))?"
    r"[ :#*•xX'\"(]{0,12}$|(?:оканчива\w{1,6} на|terminant par|endet auf|endend auf"
    r"|endziffern?|endung|letzten (?:vier )?(?:ziffern|stellen)"
    r"|terminad\w en|termina en)[ :#*•xX]{0,12}$"
    # The mask of a card may stand apart from its digits.
    r"|[•…]{2,16} ?$|\*{4,16} $|\b(?:card|visa|mastercard|amex) [*•]$",
    re.IGNORECASE,
)
_MARKER = re.compile(r"(?:^|\n)[ \t>*_#-]{0,12}$")
_LABELLED = re.compile(r"(?:^|\W)([^\W\d_]+) $")
# Letters or signs that make digits part of a longer word or path.
_GLUED = re.compile(r"[\w./@\\]$")
_OPENING = "(*_\"'"
_CURRENCY_SIGNS = frozenset("$€£¥₽₹")


def has_value(text: str) -> bool:
    """Return whether a short text may hold a value that is told by its digits."""
    return "@" in text or _DIGIT.search(text) is not None


@lru_cache(maxsize=4096)
def values_of(text: str) -> tuple[Value, ...]:
    """Return the values of a short text; kept, as trees of records repeat them."""
    return tuple(values_in(text)) if has_value(text) else ()


def values_in(text: str) -> list[Value]:
    """Return the values of a text that are told by their spelling, at most 3000.

    Names and words are not among them: only a record says that they are values.
    """
    text = with_plain_hyphens(text)
    values: list[Value] = []
    end = 0
    taken = Spans(_mails(text, values))
    places = _places_to_look(text)
    place = next(places, -1)
    for token in _TOKEN.finditer(text):
        if place < 0:
            break
        start, stop = token.span()
        if place >= stop:
            continue
        while 0 <= place < stop:
            place = next(places, -1)
        if stop <= end or taken.overlap((start, start + 1)):
            continue
        for value in _of_token(text, max(start, end), stop):
            values.append(value)
            end = value.span[1]
        if len(values) >= MOST_VALUES:
            break
    values.sort(key=lambda one: one.span)
    return _compound(text, values)


def with_plain_hyphens(text: str) -> str:
    """Return a text with a plain hyphen for those that models put for it.

    Every place in it stays as it is.
    """
    for hyphen in _HYPHENS:
        text = text.replace(hyphen, "-")
    return text


def _places_to_look(text: str) -> Iterator[int]:
    """Yield, in order, a place in every token in which a value may begin.

    Any has a digit or a word for a number, a month, a time or a currency in front.
    """
    folded = text.casefold()
    if len(folded) != len(text):
        # Places differ: every token is looked at.
        return (token.start() for token in _TOKEN.finditer(text))
    digits = (match.start() for match in _DIGITS.finditer(text))
    return merge(digits, (start for _, start, _ in _words().in_block(folded)))


@cache
def _words() -> NameSearch:
    """Return what finds the words of which a value's first is one."""
    words = {*MONTH, *_NAMED_TIMES, *WEEKDAY, *RELATIVE_DAYS, *SPELLED}
    words |= {code.casefold() for code in _CURRENCY_CODES}
    return NameSearch(sorted(words | _FRACTIONS), reads=math.inf)


def _mails(text: str, values: list[Value]) -> list[Span]:
    """Read addresses of mail, and return their places and those of web addresses."""
    taken: list[Span] = []
    if "@" in text:
        for match in _MAIL.finditer(text):
            address = match.group().rstrip(".")
            span = (match.start(), match.start() + len(address))
            values.append(
                Value(address, ValueKind.EMAIL, span, frozenset({text_form(address)}))
            )
            taken.append(span)
    if "://" in text:
        for match in _URL.finditer(text):
            taken.append(match.span())
            address = match.group().rstrip(_BEHIND_URL)
            span = (match.start(), match.start() + len(address))
            form = text_form(address.rstrip("/"))
            values.append(Value(address, ValueKind.IDENTIFIER, span, frozenset({form})))
    return taken


# The second half of an interval of ISO 8601: `2031-06-03T18:00/20:00`.
_INTERVAL = re.compile(r"/(?:\d{4}-\d{2}-\d{2}T)?\d{2}:\d{2}")


def _of_token(text: str, start: int, end: int) -> Iterator[Value]:
    """Yield the values that begin in a token."""
    if not _DIGIT.search(text, start, end):
        if text[start:end].lstrip(_OPENING) in _CURRENCY_CODES:
            place = end - 3
            yield from _of_digits(text, place)
            return
        for word in _LETTERS.finditer(text, start, end):
            value = _of_word(text, word)
            if value is not None:
                yield value
                return
        return
    place = start
    while place < end:
        values: tuple[Value, ...] = ()
        if (
            place == start
            or not _GLUED.match(text[place - 1])
            or _INTERVAL.match(text, place - 1)
        ):
            values = _of_digits(text, place)
        if not values:
            values = _month_at(text, place, end)
        if values:
            yield from values
            place = max(place + 1, values[-1].span[1])
        else:
            step = _STEP.match(text, place)
            place = step.end() if step else end


def _of_digits(text: str, place: int) -> tuple[Value, ...]:
    match = _START.match(text, place)
    if match is not None:
        for name, reader in _READERS:
            if match[name] is not None:
                return reader(text, match)
    return ()


def _month_at(text: str, place: int, end: int) -> tuple[Value, ...]:
    word = _LETTERS.match(text, place, end)
    value = _of_word(text, word) if word else None
    return (value,) if value else ()


def _iso(_text: str, match: re.Match[str]) -> tuple[Value, ...]:
    year, month, day = map(int, match["iso"].split("-"))
    forms = date_forms(year, month, day)
    if not forms:
        return ()
    date = Value(match["iso"], ValueKind.DATE, match.span("iso"), forms)
    if not match["clock"]:
        return (date,)
    hour, minute = map(int, match["clock"].split(":")[:2])
    clock = frozenset({("t", hour, minute)})
    return date, Value(match["clock"], ValueKind.TIME, match.span("clock"), clock)


def _identifier(name: str) -> "Reader":
    def read(text: str, match: re.Match[str]) -> tuple[Value, ...]:
        identifier = match[name].rstrip("-_")
        digits = _DIGITS.match(identifier)
        if digits and _has_unit(text, match.start(name) + digits.end()):
            end = match.start(name) + digits.end()
            numbers = amounts(digits[0])
            return _plain(text, (match.start(name), end), digits[0], numbers)
        lasts = _LASTS.fullmatch(identifier)
        if lasts:
            return _iso_duration(match.span(name), lasts)
        span = (match.start(name), match.start(name) + len(identifier))
        forms = frozenset({text_form(identifier)})
        if identifier.isdecimal():
            forms |= {number_form(float(identifier))} | phone_forms(identifier)
        return (Value(identifier, ValueKind.IDENTIFIER, span, forms),)

    return read


_LASTS = re.compile(
    r"P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?"
)
_LASTS_UNITS = (604_800.0, 86_400.0, 3600.0, 60.0, 1.0)


def _iso_duration(span: Span, match: re.Match[str]) -> tuple[Value, ...]:
    """Read `PT1H30M`."""
    parts = zip(match.groups(), _LASTS_UNITS, strict=True)
    total = sum(int(number) * unit for number, unit in parts if number)
    forms: frozenset[Form] = frozenset({("u", "s", total, total)})
    return (Value(match.group(), ValueKind.DURATION, span, forms),)


def _date(_text: str, match: re.Match[str]) -> tuple[Value, ...]:
    date = match["date"]
    first, second, third = date.split(match["sep"])
    if len(first) == 4:
        forms = date_forms(int(first), int(second), int(third))
    elif match["sep"] == "." and len(date) < 8:
        return ()
    else:
        year = int(third) + (2000 if len(third) == 2 else 0)
        forms = date_forms(year, int(second), int(first))
        if match["sep"] != ".":
            forms |= date_forms(year, int(first), int(second))
    return (Value(date, ValueKind.DATE, match.span("date"), forms),) if forms else ()


_CLOCK = re.compile(r"(\d{1,2})(?:[ ]?[:.h][ ]?(\d{2}))?")
_HALF = re.compile(r"([ap])\.? ?m\b")
_PARTS = "|".join(sorted(map(re.escape, DAY_PART), key=len, reverse=True))
_PART = re.compile(rf"[ ](?:{_PARTS})(?!\w)", re.IGNORECASE)


def _time(text: str, match: re.Match[str]) -> tuple[Value, ...]:
    time = match["time"].casefold()
    clock = _CLOCK.match(time)
    if clock is None:
        return ()
    minutes, seconds = int(clock[1]), int(clock[2] or 0)
    if minutes > 24 and seconds < 60 and ":" in time:
        # 45:12 of a run is no time of a day.
        total = 60.0 * minutes + seconds
        lasts: frozenset[Form] = frozenset({("u", "s", total, total)})
        span = match.span("time")
        return (Value(match["time"], ValueKind.DURATION, span, lasts),)
    fixed = (
        clock[1].startswith("0") or int(clock[1]) > 12 or "uhr" in time or "h" in time
    )
    value = _clock(text, match.span("time"), minutes, seconds, fixed=fixed)
    if value and "h" in time:
        # `1 h 58` is said of what lasts as well.
        total = 3600.0 * minutes + 60.0 * seconds
        value = value._replace(forms=value.forms | {("u", "s", total, total)})
    return (value,) if value else ()


def _clock(
    text: str, span: Span, hour: int, minute: int, *, fixed: bool = False
) -> Value | None:
    """Return a time; of both halves of the day where nothing says which."""
    if hour > 24 or minute > 59:
        return None
    half = _HALF.search(text[slice(*span)].casefold())
    part = None if half else _PART.match(text, span[1])
    letter = half[1] + "m" if half else ""
    if part:
        letter = DAY_PART[part.group().strip().casefold()]
        span = (span[0], part.end())
    forms: set[Form] = {("t", hour % 24, minute)}
    if letter and hour <= 12:
        forms = {("t", hour % 12 + 12 * (letter == "pm"), minute)}
    elif not letter and not fixed and 0 < hour <= 12:
        forms.add(("t", (hour + 12) % 24, minute))
    return Value(text[slice(*span)], ValueKind.TIME, span, frozenset(forms))


def _last(_text: str, match: re.Match[str]) -> tuple[Value, ...]:
    digits = re.sub(r"\D", "", match["last"])
    forms: frozenset[Form] = frozenset({("end", digits)})
    return (Value(match["last"], ValueKind.IDENTIFIER, match.span("last"), forms),)


def _phone(_text: str, match: re.Match[str]) -> tuple[Value, ...]:
    digits = re.sub(r"\D", "", match["phone"])
    if not 7 <= len(digits) <= 15:
        return ()
    forms = phone_forms(digits)
    return (Value(match["phone"], ValueKind.PHONE, match.span("phone"), forms),)


def _sum(text: str, match: re.Match[str]) -> tuple[Value, ...]:
    sign = match["cur"].strip().casefold()
    unit = CURRENCY.get(sign) or CURRENCY.get(sign[-1], "")
    start, end = match.span("sum")
    start += match["sum"][0] in "-−"
    return (_money(text, (start, end), amounts(match["amount"]), unit),)


def _money(text: str, span: Span, numbers: frozenset[float], unit: str) -> Value:
    """Return an amount of money, with the scale that follows it."""
    after = _WORD_AFTER.match(text, span[1])
    word = after[1] if after else ""
    factor = SCALES.get(word.casefold(), 1e6 if word == "M" else 1.0)
    if after and factor != 1.0:
        span = (span[0], after.end())
    elif after and word in {"USD", "EUR", "GBP", "AUD", "CAD"}:
        # Of a sign and a code that differ the sign is read.
        unit = word if unit in {"", word, "USD"} else unit
        span = (span[0], after.end())
    if unit == MINOR:
        # Of which currency, no cent says; fields have cents as cents, or as a part.
        forms = number_forms(numbers | {one / 100 for one in numbers})
        return Value(text[slice(*span)], ValueKind.MONEY, span, forms)
    forms = number_forms(frozenset(one * factor for one in numbers))
    return Value(text[slice(*span)], ValueKind.MONEY, span, forms, unit)


def _number(text: str, match: re.Match[str]) -> tuple[Value, ...]:
    """Read a number by what stands behind it."""
    start, end = match.span("number")
    digits = match["number"].lstrip("-−")
    numbers = amounts(digits)
    month_behind = _DOT_MONTH.match(text, end) and not _is_in_order(text, start, digits)
    if match["tail"] or month_behind:
        dot = text[match.end() : match.end() + 1] == "."
        value = _day_month(text, (start, match.end() + dot), digits)
        value = value or _day_alone(text, match, digits)
        return (value,) if value else ()
    dotted = _DAY_AND_MONTH.fullmatch(digits)
    if (
        dotted
        and text[end : end + 1] == "."
        and (
            _ON_DAY.search(text[max(0, start - 12) : start])
            or _PADDED_DAY.match(text, start)
        )
    ):
        # `am 6.10.`, as German and Russian say a day of this year.
        forms = date_forms(None, int(dotted[2]), int(dotted[1]))
        if forms:
            return (Value(digits, ValueKind.DATE, (start, end), forms),)
    if not numbers or text[end : end + 1] == "/":
        return ()
    value = _of_quantity(text, (start, end), digits, numbers)
    glued = value is None and text[end : end + 1].isalpha()
    if (glued and not _has_unit(text, end)) or text[end : end + 1] == "_":
        return ()
    if value is not None:
        return (value,)
    return _plain(text, (start, end), digits, numbers)


def _has_unit(text: str, end: int) -> bool:
    """Whether a unit is joined to a number: `12GB`, but no seat as `12A`."""
    unit = _JOINED_UNIT.match(text, end)
    return unit is not None and unit[0] in MEASURES


_JOINED_UNIT = re.compile(r"(?:[A-Za-z]{2,4}|g)(?!\w)")


def _is_in_order(text: str, start: int, digits: str) -> bool:
    """Whether a number begins a line as one of a list: `1. August leave`."""
    before = text[max(0, start - 40) : start]
    if not (digits.isdecimal() and _MARKER.search(before)):
        return False
    around = text[max(0, start - _LONGEST_LIST) : start + _LONGEST_LIST]
    number = int(digits)
    return any(
        re.search(rf"^[ \t>*_-]{{0,12}}{near}\.[ ]", around, re.MULTILINE)
        for near in (number - 1, number + 1)
    )


_LONGEST_LIST = 600
_DAY_AND_MONTH = re.compile(r"(\d{1,2})\.(\d{1,2})")
# `04.07.:`, as a list has days.
_PADDED_DAY = re.compile(r"[0-3]\d\.[01]\d\.(?=[:,;)])")
_ON_DAY = re.compile(
    r"(?<!\w)(?:am|bis|zum|vom|ab|den|der|dem|seit|с|до|по|от|на)[ ]$", re.IGNORECASE
)


def _plain(
    text: str, span: Span, digits: str, numbers: frozenset[float]
) -> tuple[Value, ...]:
    """Return a number that nothing behind it makes anything else."""
    before = text[max(0, span[0] - 40) : span[0]]
    spelling = text[slice(*span)]
    whole = digits.isdecimal()
    if whole and len(digits) <= 6 and _ENDING.search(before):
        forms: frozenset[Form] = frozenset({("end", digits)})
        return (Value(spelling, ValueKind.IDENTIFIER, span, forms),)
    behind = _STREET_BEHIND.search(before) if whole and len(digits) <= 4 else None
    if behind:
        place = (span[0] - len(behind.group()), span[1])
        return (Value(text[slice(*place)], ValueKind.ADDRESS, place, frozenset()),)
    if whole and len(digits) <= 2 and _is_marker(text, before, span):
        return ()
    street = _STREET.match(text, span[1]) if whole and len(digits) <= 6 else None
    if street and _is_street(street.group()):
        door = _DOOR.search(before)
        place = (span[0] - len(door.group()) if door else span[0], street.end())
        return (Value(text[slice(*place)], ValueKind.ADDRESS, place, frozenset()),)
    unit, counts = _counted(text, span[1])
    forms = number_forms(numbers) | ({text_form(digits)} if whole else set())
    forms |= {form for one in numbers for form in measure_forms(one, unit)}
    return (Value(spelling, ValueKind.NUMBER, span, forms, unit, counts),)


_STREET = re.compile(
    r"(?:,?[ ](?:bis|ter))?[ ](?:rue|avenue|boulevard|place|chemin|allée|quai|impasse"
    r"|cours)(?:[ ](?:de|du|des|la|le|les)){0,3}[ ](?:[dl]['’])?[A-ZÀ-ÖØ-Þ][\w'’-]*"
    r"(?:[ ][A-ZÀ-ÖØ-Þ][\w'’-]*){0,3}|"
    r"(?:[ ](?:(?:St|Ave|Dr|Rd|Blvd|Mt|[NSEW])\.(?=[ ,])|[A-ZÀ-ÖØ-ÞА-Я][\w'’-]*"
    r"|\d{1,3}(?:st|nd|rd|th))){1,5}"
    r"(?:,?[ ](?:Suite|Ste|Apt|Unit|Floor|Building|\#)[.]?[ ]?[\w-]{1,8})?|"
    # A street in small letters, whose kind has a capital: `12 elm Avenue`.
    r"[ ](?!from|near|off|with|and)[a-z][\w'’-]{2,24}(?:[ ][A-Z][\w'’-]{1,24}){1,3}"
)


_DOOR = re.compile(r"(?<!\w)(?:Flat|Apt\.?|Apartment|Unit|Suite) [\w-]{1,5}, $")
# The number of a house behind its street, as in most languages but English and French.
_STREET_BEHIND = re.compile(
    r"(?<!\w)(?:[A-ZÀ-ÖØ-Þ][\w-]{1,24}(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|gatan"
    r"|vägen|laan|straat)|(?:Calle|Avenida|Av\.|Plaza|Paseo|Via|Piazza|Rua|ul\.|ул\."
    r"|улица|проспект|пр\.)[ ][\w'’ -]{2,24}),?[ ]$"
)


def _is_street(text: str) -> bool:
    return not STREETS.isdisjoint(
        text.casefold().replace(".", "").replace(",", "").split()
    )


def _is_marker(text: str, before: str, span: Span) -> bool:
    """Whether a number numbers a list item or a thing by its name: `Option 2`."""
    following = text[span[1] : span[1] + 1]
    if _MARKER.search(before):
        return following in {".", ")", ":"}
    label = _LABELLED.search(before)
    return bool(label and label[1][0].isupper() and following in {*":*)\n,.-", ""})


def _of_quantity(
    text: str, span: Span, spelling: str, numbers: frozenset[float]
) -> Value | None:
    """Return what a number with the words behind it is; None for a mere number."""
    start, end = span
    following = text[end : end + 2].lstrip(" \u00a0")[:1]
    if following == "%":
        return _percent(text, (start, text.index("%", end) + 1), numbers)
    if following in _CURRENCY_SIGNS:
        close = text.index(following, end) + 1
        return _money(text, (start, close), numbers, CURRENCY[following])
    highs = numbers
    ranged = _RANGE.match(text, end)
    if ranged and amounts(ranged[1]):
        value = _of_unit(
            text, (start, ranged.end()), spelling, numbers, amounts(ranged[1])
        )
        if value is not None:
            return value
    return _of_unit(text, (start, end), spelling, numbers, highs)


_BUSINESS_BEHIND = word_set(
    "ouvrables ouvrable ouvrés ouvré hábiles hábil laborables laborable"
)
_AT_HOUR = re.compile(
    r"(?:(?<!\w)(?:à|dès|vers)|\d[ ]?h(?:[ ]?\d\d)?[ ]?[-–—])[ ]?$", re.IGNORECASE
)


def _of_unit(
    text: str,
    span: Span,
    spelling: str,
    lows: frozenset[float],
    highs: frozenset[float],
) -> Value | None:
    start, end = span
    after = _WORD_AFTER.match(text, end)
    if after is None:
        return None
    word = after[1].casefold().removesuffix("-old")
    business = word in BUSINESS
    if business or word in FILLERS:
        end = after.end()
        after = _WORD_AFTER.match(text, end)
        word = after[1].casefold() if after else ""
    if after and word == "h" and _AT_HOUR.search(text, max(0, start - 12), start):
        return _clock(text, (start, after.end()), int(min(lows)), 0, fixed=True)
    if after and word in TIME_UNIT:
        behind = _WORD_AFTER.match(text, after.end())
        if behind and behind[1].casefold() in _BUSINESS_BEHIND:
            business, after = True, behind
        pairs = zip(sorted(lows), sorted(highs), strict=False)
        forms = frozenset(
            duration_form(low, high, word, business=business) for low, high in pairs
        )
        whole = (start, after.end())
        return Value(text[slice(*whole)], ValueKind.DURATION, whole, forms)
    if after is None or lows != highs:
        return None
    return _of_word_after(text, start, spelling, lows, after)


def _of_word_after(
    text: str,
    start: int,
    spelling: str,
    numbers: frozenset[float],
    after: re.Match[str],
) -> Value | None:
    word, end = after[1].casefold(), after.end()
    if spelling.isdecimal() and (word in MONTH or word in {"of", "de"}):
        return _day_month(text, (start, after.start()), spelling)
    if word in CURRENCY:
        return _money(text, (start, end), numbers, CURRENCY[word])
    if word in PERCENT:
        return _percent(text, (start, end), numbers)
    scale = SCALES.get(word)
    following = _WORD_AFTER.match(text, end) if scale else None
    if scale and following and following[1].casefold() in CURRENCY:
        scaled = frozenset(one * scale for one in numbers)
        unit = CURRENCY[following[1].casefold()]
        return _money(text, (start, following.end()), scaled, unit)
    return None


def _percent(text: str, span: Span, numbers: frozenset[float]) -> Value:
    shares: frozenset[Form] = frozenset(("n", round(one / 100, 6)) for one in numbers)
    forms = number_forms(numbers) | shares
    return Value(text[slice(*span)], ValueKind.PERCENT, span, forms)


def _day_month(text: str, span: Span, digits: str) -> Value | None:
    """Read `10th of March 2031` from its day on."""
    start, end = span
    joint = _OF.match(text, end)
    after = _WORD_AFTER.match(text, joint.end() if joint else end)
    month = MONTH.get(after[1].casefold()) if after else None
    if after is None or month is None or not digits.isdecimal():
        return None
    year = _YEAR.match(text, after.end())
    forms = date_forms(int(year[1]) if year else None, month, int(digits))
    whole = (start, year.end() if year else after.end())
    return Value(text[slice(*whole)], ValueKind.DATE, whole, forms) if forms else None


def _day_alone(text: str, match: re.Match[str], digits: str) -> Value | None:
    """Read `the 11th`, a day of a month that is not said again."""
    start, end = match.start("number"), match.end()
    behind = text[max(0, start - _NEAR_MONTH) : start].casefold()
    is_day = behind.endswith(("the ", " on ")) or _MONTH_BEFORE.search(behind)
    forms = (
        date_forms(None, None, int(digits)) if is_day and digits.isdecimal() else None
    )
    if not forms or match["tail"] not in {"st", "nd", "rd", "th"}:
        return None
    return Value(text[start:end], ValueKind.DATE, (start, end), forms)


_NEAR_MONTH = 24
_MONTH_BEFORE = re.compile(
    rf"(?:{MONTH_PATTERN}) \d{{1,2}}(?:st|nd|rd|th)?(?:,| and| or| to|-)? ?$"
)
_NAMED_TIMES = {
    "noon": 12, "midday": 12, "полдень": 12, "midi": 12, "mittag": 12, "mediodía": 12,
    "midnight": 0, "полночь": 0, "minuit": 0, "mitternacht": 0, "medianoche": 0,
}  # fmt: skip
_FRACTIONS = frozenset({"half", "quarter"})
_PAST = re.compile(
    r"(half|quarter) (past|to) (\d{1,2}|[^\W\d_]{3,6})(?!\w)", re.IGNORECASE
)
_OCLOCK = re.compile(r" o['’]clock(?!\w)", re.IGNORECASE)


def _of_word(text: str, word: re.Match[str]) -> Value | None:
    """Read what a word begins: a month, a time, a spelled number."""
    folded = word.group().casefold()
    if folded in MONTH:
        return _month_day(text, word, MONTH[folded])
    if folded in _NAMED_TIMES:
        forms: frozenset[Form] = frozenset({("t", _NAMED_TIMES[folded], 0)})
        return Value(word.group(), ValueKind.TIME, word.span(), forms)
    if folded in _FRACTIONS:
        return _past(text, word)
    if folded in WEEKDAY or folded in RELATIVE_DAYS:
        return _day_of_talk(text, word, folded)
    numbers = amounts(folded)
    if not numbers:
        return _spelled_length(word)
    if _OCLOCK.match(text, word.end()):
        hour = int(min(numbers))
        return _clock(text, (word.start(), word.end() + 8), hour, 0)
    if folded in ARTICLES - {"one"}:
        return None
    value = _of_quantity(text, word.span(), folded, numbers)
    if value is not None:
        return value
    unit, counts = _counted(text, word.end())
    if not counts or (folded == "one" and counts[0] in _NO_COUNT):
        return None
    forms = number_forms(numbers)
    return Value(word.group(), ValueKind.NUMBER, word.span(), forms, unit, counts)


def _spelled_length(word: re.Match[str]) -> Value | None:
    """Read `two-night`, of a stay."""
    folded = word.group().casefold()
    count, _, unit = folded.partition("-")
    if unit not in TIME_UNIT or not (numbers := amounts(count)):
        return None
    forms = frozenset(duration_form(one, one, unit) for one in numbers)
    return Value(word.group(), ValueKind.DURATION, word.span(), forms)


# `one of them`, `one that`: a pronoun.
_NO_COUNT = word_set(
    """
    of is was way in on at to that which and or for thing the as more by time with
    from if you i we has can will would are
    """
)


_TOWARDS = re.compile(
    r"(?:(?:day after|day before|next|this|coming|last)[ ])$", re.IGNORECASE
)


def _day_of_talk(text: str, word: re.Match[str], folded: str) -> Value:
    """Read `next Tuesday` and `the day after tomorrow`."""
    before = _TOWARDS.search(text, max(0, word.start() - 12), word.start())
    span = (before.start() if before else word.start(), word.end())
    spelling = text[slice(*span)]
    form: Form = ("day", spelling.casefold())
    if folded in WEEKDAY:
        form = ("weekday", WEEKDAY[folded])
    return Value(spelling, ValueKind.DATE, span, frozenset({form}))


def _month_day(text: str, word: re.Match[str], month: int) -> Value | None:
    day = _DAY.match(text, word.end())
    if day is None:
        return None
    year = _YEAR.match(text, day.end())
    forms = date_forms(int(year[1]) if year else None, month, int(day[1]))
    span = (word.start(), year.end() if year else day.end())
    return Value(text[slice(*span)], ValueKind.DATE, span, forms) if forms else None


def _past(text: str, word: re.Match[str]) -> Value | None:
    match = _PAST.match(text, word.start())
    hours = amounts(match[3]) if match else frozenset()
    if match is None or not hours:
        return None
    hour, minute = int(min(hours)), 30 if match[1].casefold() == "half" else 15
    if match[2].casefold() == "to":
        hour, minute = (hour - 1) % 12 or 12, 60 - minute
    return _clock(text, match.span(), hour, minute)


_NEXT_WORD = re.compile(r"[ \u00a0-]([^\W\d_]++(?:['’-][^\W\d_]++)*+)")
# `One T-shirt` weighs no ton, a `3 kg-bag` three kilos.
_MEASURE = re.compile(r"[ \u00a0-]?(?!\w-[A-Za-z])([A-Za-z°]{1,7}[²2]?)(?!\w)")


def _counted(text: str, end: int) -> tuple[str, tuple[str, ...]]:
    """Return the unit behind a number, and the words that say what it counts."""
    measure = _MEASURE.match(text, end)
    unit = measure[1] if measure and measure[1] in MEASURES else ""
    words = []
    for _ in range(4):
        following = _NEXT_WORD.match(text, end)
        if following is None:
            break
        words.append(following[1].casefold())
        end = following.end()
    return unit, tuple(words)


_READERS = (
    ("iso", _iso),
    ("uuid", _identifier("uuid")),
    ("ip", _identifier("ip")),
    ("date", _date),
    ("time", _time),
    ("last", _last),
    ("phone", _phone),
    ("sum", _sum),
    ("parted", _identifier("parted")),
    ("id", _identifier("id")),
    ("number", _number),
)
_JOINT = re.compile(r"[ ,]{0,2}(?:(?:and|und|et|y|и) )?")


def _compound(text: str, values: list[Value]) -> list[Value]:
    """Join `2 hours and 30 minutes` to one duration."""
    joined: list[Value] = []
    for value in values:
        whole = _sum_of(text, joined[-1], value) if joined else None
        first = _first_hour(text, joined[-1], value) if joined else None
        last = _last_day(text, joined[-1], value) if joined else None
        if whole:
            joined[-1] = whole
        else:
            joined[-1:] = [first] if first else joined[-1:]
            joined.append(last or value)
    return joined


_DASH = re.compile(r"[ ]?[-–—][ ]?|[ ](?:to|through|until|till)[ ](?:the[ ])?")


def _last_day(text: str, first: Value, second: Value) -> Value | None:
    """Read the 24 of `March 21–24` as a day."""
    if first.kind is not ValueKind.DATE or second.kind is not ValueKind.NUMBER:
        return None
    if not (second.text.isdecimal() and 0 < int(second.text) <= _MOST_DAYS):
        return None
    if second.unit or not _DASH.fullmatch(text, first.span[1], second.span[0]):
        return None
    forms = frozenset(
        (*form[:3], int(second.text))
        for form in first.forms
        if form[0] == "d"
        and form[2] is not None
        and not text[first.span[1] - 1].isalpha()
    )
    return (
        second._replace(kind=ValueKind.DATE, forms=forms, counts=()) if forms else None
    )


_MOST_DAYS = 31


_UNTIL = re.compile(r"[ ]?(?:and|to|till|until|-|–|bis|à|y|a|и|до)[ ]?")
_HALF_DAY = re.compile(r"[ ]?([ap])\.?m\b", re.IGNORECASE)


def _first_hour(text: str, first: Value, second: Value) -> Value | None:
    """Read the 6 of `between 6 and 8 pm` as an hour."""
    if first.kind is not ValueKind.NUMBER or second.kind is not ValueKind.TIME:
        return None
    if not (first.text.isdecimal() and _HALF_DAY.search(second.text)):
        return None
    hour = int(first.text)
    if not 1 <= hour <= 12 or not _UNTIL.fullmatch(text, first.span[1], second.span[0]):
        return None
    forms: frozenset[Form] = frozenset(
        {("t", hour % 12, 0), ("t", hour % 12 + 12, 0)} & _near_hours(second)
    )
    return Value(first.text, ValueKind.TIME, first.span, forms) if forms else None


def _near_hours(value: Value) -> frozenset[Form]:
    """Return the whole hours of the half day before a time."""
    return frozenset(
        ("t", (int(form[1] or 0) - back) % 24, 0)
        for form in value.forms
        if form[0] == "t"
        for back in range(1, 12)
    )


def _sum_of(text: str, first: Value, second: Value) -> Value | None:
    both = {first.kind, second.kind}
    if both != {ValueKind.DURATION} or second.span[0] - first.span[1] > 6:
        return None
    if not _JOINT.fullmatch(text, first.span[1], second.span[0]):
        return None
    (_, group, low, high), (_, other, more, most) = min(first.forms), min(second.forms)
    if (group, other) != ("s", "s") or low != high or more != most:
        return None
    if not isinstance(low, float) or not isinstance(more, float) or more >= low:
        return None
    span = (first.span[0], second.span[1])
    forms: frozenset[Form] = frozenset({("u", "s", low + more, low + more)})
    return Value(text[slice(*span)], ValueKind.DURATION, span, forms)
