"""Where the values of a run stand, by the forms that they are equal by."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.record_calls import (
    ON_FILES,
    is_on_files,
    searches_records,
    works_on_files,
)
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind, only_looks
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Interaction, Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.readback import ReadBack
from verifyhub.engine.values.reading import values_in, values_of
from verifyhub.engine.values.records import Leaf, Path, Records, key_words, read_records
from verifyhub.engine.values.units import (
    BUSINESS,
    CURRENCY,
    KEY_SCALED,
    KEY_TIMES,
    MINOR,
    TIME_UNIT,
)
from verifyhub.engine.values.value import (
    Form,
    Value,
    day_of,
    duration_form,
    number_form,
    text_form,
)

# A leaf that is longer is a text, and read as one.
LONGEST_NAME = 200
# What is read of one text; more is left out, and what stands in it is not found.
_LONGEST_TEXT = 200_000
_CODING = frozenset(
    {
        ToolKind.WRITE,
        ToolKind.EDIT,
        ToolKind.DELETE,
        ToolKind.LIST,
        ToolKind.SEARCH,
        ToolKind.SHELL,
    }
)
_MINOR_UNITS = frozenset({"cents", "cent", "minor"})
# Fields of a call that say what its result is in.
_RESULT_KEYS = word_set("to target quote destination")
_CURRENCY_KEYS = word_set("currency moneda devise waehrung währung валюта")
_LONG_ID = 5
# A number that is larger is none that people speak of; one that is smaller is no id.
_MOST, _FEWEST_DIGITS = 1e15, 100
# The forms of ids: whole, and by their last digits.
_OF_IDS = frozenset({"s", "end"})
# The forms of dates and telephones, which a part finds as well.
_FOUND_BY_PARTS = frozenset({"d", "phone"})
_LONGEST_WORDS = 60
# What is also found by a part of it.
_BY_PARTS = frozenset({ValueKind.IDENTIFIER, ValueKind.DATE, ValueKind.PHONE})
# Of a number that lasts, and of which no word says how it is counted.
_LASTS = frozenset({"duration", "time", "wait", "eta", "length", "period", "age"})
_ANY_UNIT = ["second", "minute", "hour", "day", "week", "month", "year", "night"]
_DIGITS_AT_END = re.compile(r"\d{3,}$")
_DIGITS = re.compile(r"\d+")
_RANGE = re.compile(r"(\d{1,4})\s?[-–]\s?(\d{1,4})")
_PLAIN = re.compile(r"\d{1,9}(?:\.\d{1,6})?")
_RUN = re.compile(r"[$€£¥₽₹]?\d[\w.,:/%-]*")


class Origin(StrEnum):
    """Which text of a run a value was found in."""

    OUTPUT = "output"
    FAILED = "failed"
    INPUT = "input"
    FAILED_INPUT = "failed_input"
    TASK = "task"
    POLICY = "system_instructions"
    SOURCE = "sources"


class Place(NamedTuple):
    """One place of a value: a leaf of JSON, or a stretch of a text.

    Attributes:
        origin: Which text it stands in.
        call: Index of the call; -1 where it stands in none.
        text: What stands there.
        leaf: The leaf, where the output is JSON.
        span: The place in the text, where it is not.
        unit: The currency that stands there.
        counts: The words behind a number.
    """

    origin: Origin
    call: int
    text: str
    leaf: Leaf | None = None
    span: Span | None = None
    unit: str = ""
    counts: tuple[str, ...] = ()


class _LeafText(NamedTuple):
    """What the text of a leaf holds that may be asked for.

    Attributes:
        number: The number that it is, if it is one.
        others: How the project also calls it.
        ranged: The two numbers that it is.
        ids: Its forms as an id.
        values: The values in it.
    """

    number: float | None
    others: Collection[str]
    ranged: re.Match[str] | None
    ids: Collection[Form]
    values: Sequence[Value]


Index = dict[Form, list[Place]]


@dataclass
class RunValues:
    """What a run holds, read when it is first asked for.

    Attributes:
        interaction: The run.
        calls: Its calls, as the ledger has read them.
        pairs: How the project calls coded values.
    """

    interaction: Interaction
    calls: Sequence[Call]
    pairs: Pairs = NO_PAIRS
    _indexes: dict[Origin, Index] = field(default_factory=dict)
    _probes: tuple[str, ...] = ()
    _wanted: frozenset[Form] = frozenset()
    _wanted_kinds: frozenset[object] = frozenset()

    @cached_property
    def is_closed(self) -> bool:
        """Whether all that the answer can know of came through tools and policy.

        What agents that write code say comes from files, commands and what everybody
        knows as well, and names of these are looked up elsewhere.
        """
        if works_on_files(self.calls, _is_coding) and not _is_on_documents(self.calls):
            return False
        kinds = {one.kind for one in self.calls}
        policy = bool(self.interaction.system_instructions)
        return policy or bool(kinds - {ToolKind.NOTE}) or self.only_reads_back

    @cached_property
    def read_back(self) -> ReadBack:
        """What the answer repeats of the user's request."""
        return ReadBack(self.interaction)

    @property
    def only_reads_back(self) -> bool:
        """Whether the answer can hold what the user said, and nothing else."""
        nothing = not self.calls and not self.interaction.system_instructions
        return nothing and bool(self.read_back.spans)

    def look_for(self, values: Iterable[Value]) -> None:
        """Say what will be asked for: only what is like it is kept of outputs."""
        values = list(values)
        digits = (max(_DIGITS.findall(one.text), key=len, default="") for one in values)
        self._probes = tuple({one for one in digits if one})
        self._wanted = frozenset(form for one in values for form in one.forms)
        self._wanted_kinds = frozenset(form[0] for form in self._wanted)

    @cached_property
    def records(self) -> Records:
        """What the tools returned as JSON."""
        return read_records(self.calls, tables=self.is_closed)

    def index(self, origin: Origin) -> Index:
        """Return the places of every value of one kind of text."""
        index = self._indexes.get(origin)
        if index is None:
            index = self._indexes[origin] = self._read(origin)
        return index

    def _read(self, origin: Origin) -> Index:
        index: Index = {}
        if origin is Origin.OUTPUT:
            self._read_leaves(index)
        for call, text in self.texts(origin):
            for value in self._values(text, origin):
                if self._is_of_no_use(value):
                    continue
                _add(
                    index,
                    value,
                    Place(
                        origin,
                        call,
                        value.text,
                        None,
                        value.span,
                        _currency(value),
                        value.counts,
                    ),
                )
            for name in self.pairs.told_in(text[:_LONGEST_TEXT]):
                self._read_name(index, name, Place(origin, call, name))
        return index

    def _read_name(self, index: Index, name: str, place: Place) -> None:
        """Add how the project also calls what stands at a place."""
        for value in values_of(name):
            _add(index, value, place)
        for form in self._wanted.intersection((text_form(name),)):
            index.setdefault(form, []).append(place)

    def _is_of_no_use(self, value: Value) -> bool:
        """Whether nothing will ask for a value; in a closed run any may be a term."""
        if self.is_closed or value.kind in _BY_PARTS:
            return False
        return self._wanted.isdisjoint(value.forms)

    def _values(self, text: str, origin: Origin) -> Iterable[Value]:
        if self.is_closed and origin in {Origin.POLICY, Origin.TASK}:
            return _kept(text[:_LONGEST_TEXT])
        if self.is_closed:
            return values_in(text[:_LONGEST_TEXT])
        return self._tokens(text)

    def _tokens(self, text: str) -> Iterator[Value]:
        """Yield what runs with digits hold, without what stands around them."""
        text = text[:_LONGEST_TEXT]
        probes = [digits for digits in self._probes if digits in text]
        if not probes:
            return
        for run in dict.fromkeys(_RUN.findall(text)):
            if len(run) <= LONGEST_NAME and any(digits in run for digits in probes):
                yield from values_of(run.rstrip(".,:;"))

    def texts(self, origin: Origin) -> Iterator[tuple[int, str]]:
        """Yield the texts of an origin that are no JSON, each with its call."""
        interaction = self.interaction
        if origin is Origin.TASK:
            yield -1, interaction.task
        elif origin is Origin.POLICY:
            yield -1, interaction.system_instructions or ""
        elif origin is Origin.SOURCE:
            for source in interaction.sources or ():
                yield (
                    -1,
                    source
                    if isinstance(source, str)
                    else " ".join(text for _, text in string_leaves(source)),
                )
        else:
            yield from self._of_calls(origin)

    def _of_calls(self, origin: Origin) -> Iterator[tuple[int, str]]:
        inputs = origin in {Origin.INPUT, Origin.FAILED_INPUT}
        wants_good = origin in {Origin.OUTPUT, Origin.INPUT}
        for call in self.calls:
            good = call.succeeded or (
                call.state is CallState.FAILED and not self.is_closed
            )
            if good is not wants_good or (inputs and call.kind is ToolKind.NOTE):
                continue
            if inputs:
                yield call.index, "\n".join(input_texts(call))
            elif origin is Origin.FAILED:
                yield call.index, call.call.output
            else:
                yield (
                    call.index,
                    self.records.structured.get(call.index, call.call.output),
                )

    def _read_leaves(self, index: Index) -> None:
        # Records of one list have many texts in common, and most texts are words.
        known: dict[str, _LeafText | None] = {}
        for leaf in self.records.leaves:
            value = leaf.value
            if isinstance(value, bool):
                continue
            if not isinstance(value, str):
                self._read_number(index, leaf, value)
                continue
            if value not in known:
                known[value] = self._leaf_text(value)
            read = known[value]
            if read is not None:
                self._add_text(index, leaf, read)
        self._read_keys(index)

    def _read_keys(self, index: Index) -> None:
        """Add the keys that name things: `{"variants": {"81182911": {…}}}`."""
        records = self.records
        by_key = {one.id for one in records.records if not one.id_key}
        wanted = {
            key: form
            for key in records.named | by_key
            for form in self._wanted.intersection((text_form(key),))
        }
        calls: dict[str, int] = {}
        for leaf in records.leaves if wanted else ():
            for key in wanted.keys() & frozenset(leaf.path):
                calls[str(key)] = leaf.call
        for key, call in calls.items():
            place = Place(Origin.OUTPUT, call, key)
            index.setdefault(wanted[key], []).append(place)

    def _leaf_text(self, text: str) -> "_LeafText | None":
        """Read the text of a leaf; None where nothing will be asked of it."""
        short = len(text) <= LONGEST_NAME
        plain = text.isascii() and _PLAIN.fullmatch(text)
        ids: Collection[Form] = ()
        if short and not self._wanted_kinds.isdisjoint(_OF_IDS):
            ids = self._wanted.intersection((text_form(text), *_ends(text)))
        read = _LeafText(
            number=float(text) if plain else None,
            others=self.pairs.others(text),
            ranged=_RANGE.fullmatch(text) if "u" in self._wanted_kinds else None,
            ids=ids,
            values=values_of(text) if short else values_in(text[:_LONGEST_TEXT]),
        )
        empty = read.number is None and read.ranged is None
        return None if empty and not (read.others or ids or read.values) else read

    def _read_number(self, index: Index, leaf: Leaf, value: float) -> None:
        if value != value or abs(value) > _MOST:
            return
        forms = self._wanted.intersection(self._forms_of_number(leaf.key, value))
        if forms:
            place = Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf)
            for form in forms:
                index.setdefault(form, []).append(place)

    def _forms_of_number(self, key: str, value: float) -> Iterator[Form]:
        number = abs(value)
        yield number_form(number)
        if number >= _FEWEST_DIGITS and number == int(number):
            if "s" in self._wanted_kinds:
                yield text_form(str(int(number)))
            if "end" in self._wanted_kinds:
                yield from _ends(str(int(number)))
        words = key_words(key)
        if "m" in self._wanted_kinds:
            for word in words[-2:]:
                scaled = KEY_SCALED.get(word)
                if scaled:
                    yield ("m", scaled[0], round(number * scaled[1], 6))
        if not _MINOR_UNITS.isdisjoint(words):
            yield number_form(number / 100)
        if "u" in self._wanted_kinds:
            units = [KEY_TIMES.get(word, word) for word in words]
            units = [word for word in units if word in TIME_UNIT]
            lasts = not _LASTS.isdisjoint(words)
            for word in units or (_ANY_UNIT if lasts else ()):
                yield duration_form(number, number, word)

    def _add_text(self, index: Index, leaf: Leaf, read: "_LeafText") -> None:
        text = str(leaf.value)
        if read.number is not None:
            self._read_number(index, leaf, read.number)
        for name in read.others:
            self._read_name(index, name, Place(Origin.OUTPUT, leaf.call, text, leaf))
        if read.ranged is not None:
            self._read_range(index, leaf, read.ranged)
        if read.ids:
            place = Place(Origin.OUTPUT, leaf.call, text, leaf)
            for form in read.ids:
                index.setdefault(form, []).append(place)
        for value in read.values:
            place = Place(
                Origin.OUTPUT, leaf.call, value.text, leaf, None, _currency(value)
            )
            _add(index, value, place)

    def _read_range(self, index: Index, leaf: Leaf, ranged: re.Match[str]) -> None:
        """Read `"business_days": "7-10"`."""
        words = key_words(leaf.key)
        for word in words:
            if word in TIME_UNIT:
                low, high = float(ranged[1]), float(ranged[2])
                business = not BUSINESS.isdisjoint(words)
                form = duration_form(low, high, word, business=business)
                if form in self._wanted:
                    place = Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf)
                    index.setdefault(form, []).append(place)

    @cached_property
    def currencies(self) -> frozenset[str]:
        """The currencies that the run speaks of anywhere but in the answer."""
        units = {
            place.unit
            for origin in (Origin.OUTPUT, Origin.FAILED, Origin.TASK, Origin.POLICY)
            for places in self.index(origin).values()
            for place in places
            if place.unit
        }
        for leaf in self.records.leaves:
            if isinstance(leaf.value, str) and len(leaf.value) <= 4:
                units.add(CURRENCY.get(leaf.value.casefold(), ""))
        for words in self.records.keys:
            units |= {CURRENCY[word] for word in words if word in CURRENCY}
        units.update(unit for _, _, unit in self._given_currencies)
        units -= {"", MINOR}
        return frozenset(units or self._currency_of_countries)

    @cached_property
    def _currency_of_countries(self) -> frozenset[str]:
        """Dollars, where every record that names a country is of the United States.

        Elsewhere dollars are as usual in examples as the money of the country.
        """
        countries = {
            str(leaf.value).casefold()
            for leaf in self.records.leaves
            if "country" in key_words(leaf.key)
        }
        return frozenset({"USD"} if countries and countries <= _STATES else ())

    @cached_property
    def _given_currencies(self) -> list[tuple[int, str, str]]:
        """The currencies that calls were given, with the call and the field of each."""
        return [
            (call.index, key, CURRENCY[value.casefold()])
            for call in self.calls
            if call.succeeded
            for key, value in call.call.input.items()
            if isinstance(value, str) and value.casefold() in CURRENCY
        ]

    def currency_of(self, leaf: Leaf | None) -> str:
        """Return the currency that an object around an amount names; empty for none."""
        if leaf is None:
            return ""
        for depth in range(len(leaf.path) - 1, -1, -1):
            unit = self._currencies_named.get((leaf.call, leaf.path[:depth]))
            if unit is not None:
                return unit
        return ""

    @cached_property
    def _currencies_named(self) -> Mapping[tuple[int, Path], str]:
        """The currency of each object that names one; empty where it names several."""
        named: dict[tuple[int, Path], str] = {}
        for leaf in self.records.leaves:
            if isinstance(leaf.value, str) and not _CURRENCY_KEYS.isdisjoint(
                key_words(leaf.key)
            ):
                place = (leaf.call, leaf.path[:-1])
                unit = CURRENCY.get(leaf.value.casefold(), "")
                known = named.setdefault(place, unit)
                named[place] = unit if known == unit else ""
        for call, key, unit in self._given_currencies:
            if not _RESULT_KEYS.isdisjoint(key_words(key)):
                named.setdefault((call, ()), unit)
        return named

    @cached_property
    def input_words(self) -> frozenset[str]:
        """The short texts with letters that calls were given which succeeded."""
        return frozenset(
            text
            for call in self.calls
            if call.succeeded and call.kind is not ToolKind.NOTE
            for given in input_texts(call)
            for text in (given, *self.pairs.others(given))
            if 2 < len(text) <= _LONGEST_WORDS and not _DIGITS.search(text)
        )

    @cached_property
    def input_ids(self) -> tuple[str, ...]:
        """The folded ids of records that calls were given, the newest last."""
        by_id = self.records.by_id
        given = (
            text.casefold()
            for call in self.calls
            if call.kind is not ToolKind.NOTE
            for text in input_texts(call)
        )
        return tuple(dict.fromkeys(one for one in given if one in by_id))

    @cached_property
    def given_persons(self) -> tuple[str, ...]:
        """The whole names of persons that the user or a call's input gives."""
        names = [
            one[1].title() if one[1].islower() else one[1]
            for one in _INTRODUCED.finditer(self.interaction.task[:_LONGEST_TASK])
        ]
        for call in self.calls:
            given = {
                tuple(key_words(key)): value
                for key, value in call.call.input.items()
                if isinstance(value, str) and value.isprintable()
            }
            whole = (("first", "name"), ("last", "name"))
            parts = [given[key] for key in whole if key in given]
            names += [" ".join(parts)] if len(parts) == len(whole) else []
            names += [
                value
                for key, value in given.items()
                if key[-1:] == ("name",) and not _PERSONAL.isdisjoint(key)
            ]
        return tuple(names)

    @cached_property
    def addresses(self) -> str:
        """The texts of the run without blanks and signs, for what may be parted."""
        texts = [str(one.value) for one in self.records.leaves]
        texts += [text for _, text in self.texts(Origin.OUTPUT)]
        joined: list[str] = []
        for text in filter(None, map(address_form, texts)):
            if joined and joined[-1][-1].isdigit() and text[0].isdigit():
                joined.append("\n")
            joined.append(text)
        return "".join(joined)

    @cached_property
    def given_addresses(self) -> str:
        """The same of what calls were given, each text on its line.

        What a failed look-up was given is not there.
        """
        texts = [text for _, text in self.texts(Origin.INPUT)]
        tools = {one.index: one.call.tool for one in self.calls}
        for call, text in self.texts(Origin.FAILED_INPUT):
            if not only_looks(tools[call]):
                texts.append(text)
        return "\n".join(map(address_form, texts))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the run but of the answer, in lower case."""
        words: set[str] = set()
        texts = [self.interaction.task, self.interaction.system_instructions or ""]
        texts += [text for _, text in self.texts(Origin.SOURCE)]
        for call in self.calls:
            texts.append(call.call.output)
            texts.append(" ".join(words_of(call.call.tool)))
            # A failed look-up was given what is not there; what was not done is known.
            if call.succeeded or not only_looks(call.call.tool):
                texts += input_texts(call)
        for text in texts:
            words.update(_words_in(text))
            for name in self.pairs.told_in(text[:_LONGEST_TEXT]):
                words.update(_words_in(name))
        return frozenset(words)


_LONGEST_TASK = 20_000
# "My name is Ada Berg", "name: ada berg".
_INTRODUCED = re.compile(
    r"(?i:(?<!\w)(?:name(?: is|['’]s|:)|ich heiße|je m['’]appelle|me llamo))[ ]"
    r"([^\W\d_][^\W\d_'’-]{0,20}[ ][^\W\d_][\w'’-]{1,20})(?=[ ]*(?:[.,!?\n]|and |$))"
)
_PERSONAL = word_set(
    "customer guest passenger patient contact person holder client recipient attendee"
)
_WORD = re.compile(r"[^\W_]+")
# The same by a table, many times faster: letters in lower case, digits, and blanks.
_ASCII_WORDS = bytes(
    ord(char.lower()) if char.isascii() and char.isalnum() else 32
    for char in map(chr, range(256))
)


def _words_in(text: str) -> list[str]:
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()
    return _WORD.findall(text.casefold())


_STATES = frozenset({"us", "usa", "u.s.", "united states", "united states of america"})


def address_form(text: str) -> str:
    """Return a text without blanks and signs; two numbers stay apart."""
    joined: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if joined and joined[-1][-1].isdigit() and word[0].isdigit():
            joined.append("\n")
        joined.append(word)
    return "".join(joined)


# Files of an office, and those that may stand beside them where nobody writes code.
_PAPERS = (
    *(".csv", ".tsv", ".xlsx", ".xls", ".ods"),
    *(".txt", ".pdf", ".docx", ".eml", ".ics"),
)
_DOCUMENTS = (
    *_PAPERS,
    *(".md", ".log", ".json", ".xml", ".html", ".cfg", ".ini", ".yaml", ".yml"),
)


def _is_on_documents(calls: Iterable[Call]) -> bool:
    """Whether the files of a run are tables and letters, and documents beside them."""
    paths: list[str] = []
    for call in calls:
        if call.kind is ToolKind.SHELL:
            return False
        if _is_coding(call):
            paths += call.paths
    return any(path.lower().endswith(_PAPERS) for path in paths) and all(
        path.lower().endswith(_DOCUMENTS) for path in paths
    )


def _is_coding(call: Call) -> bool:
    """Whether a call works on files; `read_account` reads something else."""
    if call.kind is ToolKind.READ:
        return bool(call.paths)
    if searches_records(call):
        return False
    return call.kind in _CODING and (call.kind not in ON_FILES or is_on_files(call))


def _currency(value: Value) -> str:
    return value.unit if value.kind is ValueKind.MONEY else ""


def input_texts(call: Call) -> Iterator[str]:
    """Yield the texts and numbers of what a call was given, at any depth."""
    stack: list[object] = [call.call.input]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, (dict, Mapping)):
            stack += item.values()
        elif isinstance(item, (list, tuple)):
            stack += item
        elif item is not None and not isinstance(item, bool):
            yield str(item)


def _add(index: Index, value: Value, place: Place) -> None:
    for form in value.forms:
        index.setdefault(form, []).append(place)
        if form[0] not in _FOUND_BY_PARTS:
            continue
        if form[0] == "d" and form[1] is not None:
            index.setdefault(("d", None, form[2], form[3]), []).append(place)
            index.setdefault(("d", None, None, form[3]), []).append(place)
            for day in day_of(form):
                index.setdefault(("weekday", day.weekday()), []).append(place)
        elif form[0] == "d":
            index.setdefault(("no year", form[2], form[3]), []).append(place)
            index.setdefault(("day alone", form[3]), []).append(place)
        elif form[0] == "phone" and isinstance(form[1], str) and len(form[1]) > 7:
            index.setdefault(("phone", form[1][-7:]), []).append(place)
    if value.kind is ValueKind.IDENTIFIER:
        for form in _ends(value.text):
            index.setdefault(form, []).append(place)


def _ends(text: str) -> Iterator[Form]:
    """Yield the last digits of an id as people quote them, and all where it is long."""
    if text[-1:].isalpha():
        return  # Most texts are words, and need no search.
    match = _DIGITS_AT_END.search(text)
    if match:
        digits = match.group()
        if len(digits) >= _LONG_ID and digits != text:
            yield text_form(digits)
        for length in range(3, min(6, len(digits)) + 1):
            yield ("end", digits[-length:])


@lru_cache(maxsize=64)
def _kept(text: str) -> tuple[Value, ...]:
    """Return the values of a text that many answers of one conversation share."""
    values = tuple(values_in(text))
    return values + tuple(_other_ends(text, values))


def _other_ends(text: str, values: Iterable[Value]) -> Iterator[Value]:
    """Yield the day of a range that has no month of its own: "23 to 27 June"."""
    for value in values:
        forms = [form for form in value.forms if form[0] == "d" and form[2] is not None]
        if value.kind is not ValueKind.DATE or not forms:
            continue
        start, end = value.span
        match = _BEGINS.search(text, max(0, start - _LONGEST_END), start)
        match = match or _ENDS.match(text, end)
        if match is not None:
            days = frozenset((*form[:3], int(match[1])) for form in forms)
            yield Value(match[1], value.kind, match.span(1), days)


_LONGEST_END = 16
_TO = r"\s?(?:-|–|to|until|till|through|bis|au|al)\s?"
_BEGINS = re.compile(rf"(?<![\d.,:/-])(\d{{1,2}})(?:st|nd|rd|th|\.)?{_TO}(?:the )?$")
_ENDS = re.compile(rf"{_TO}(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:/-]|\s?[ap]m)")
