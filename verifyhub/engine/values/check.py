"""Every value of an answer, held against what the run shows."""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TypeAlias

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.tools import only_looks
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.reports import Grade
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Interaction, Span
from verifyhub.engine.value_results import (
    ValueEvidence,
    ValueKind,
    ValueNote,
    ValueResult,
    ValueStatus,
)
from verifyhub.engine.values.contexts import Contexts, Fields, Shown
from verifyhub.engine.values.derived import Derivations
from verifyhub.engine.values.ends import turned_round
from verifyhub.engine.values.evidence import Origin, Place, RunValues, address_form
from verifyhub.engine.values.names import Name, NameIndex, collapsed
from verifyhub.engine.values.owners import Owners
from verifyhub.engine.values.places import leaf_spans
from verifyhub.engine.values.reading import values_in, values_of, with_plain_hyphens
from verifyhub.engine.values.records import Leaf, Path, key_words
from verifyhub.engine.values.ruling import Ruling
from verifyhub.engine.values.spans import Spans
from verifyhub.engine.values.states import wrong_states
from verifyhub.engine.values.tables import Cell
from verifyhub.engine.values.things import Things
from verifyhub.engine.values.units import (
    DEGREES,
    KEY_UNITS,
    NO_SHARES,
    SHARES,
    SPEEDS,
    TIME_UNIT,
    WEATHER,
)
from verifyhub.engine.values.value import (
    Form,
    Value,
    day_of,
    duration_form,
    number_form,
    text_form,
)

MOST_VALUES = 400
Part: TypeAlias = str | int | float | None
_MOST_PLACES = 3
_SHORTEST_PART = 4
_FEWEST_TELLING = 10
_NEAR = 60
_WORDS = re.compile(r"[^\W\d_]{4,30}")
_WORD_BEFORE = re.compile(r"([^\W\d_]{2,30})[ -]$")
_ADDRESS_PART = re.compile(r"[^\s,][^,]*")
_LEADING = re.compile(r"\d{1,6}(?:[.,]\d{1,2})?")
_FENCE = re.compile(r"^```[^\n]*\n.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]{1,400}`")
_DOLLARS = frozenset({"USD", "CAD", "AUD", "MXN"})
# What can be nothing but a value that somebody must have said.
_TOLD = frozenset(
    {
        ValueKind.IDENTIFIER,
        ValueKind.MONEY,
        ValueKind.PERCENT,
        ValueKind.DATE,
        ValueKind.TIME,
        ValueKind.DURATION,
        ValueKind.EMAIL,
        ValueKind.PHONE,
    }
)


@dataclass(frozen=True, slots=True)
class ValuesRead:
    """The values of an answer, held against its run.

    Attributes:
        values: Each with its status.
        compared: Whether the run holds all that the answer could know: files and
            commands say more than a trace shows.
        read_to: Where reading stopped, in code points; None where all was read.
    """

    values: tuple[ValueResult, ...] = ()
    compared: bool = False
    read_to: int | None = None


def check_values(
    interaction: Interaction,
    calls: Sequence[Call],
    signed_calls: frozenset[int] = frozenset(),
    pairs: Pairs = NO_PAIRS,
) -> tuple[ValueResult, ...]:
    """Return the values of an answer, held against the run; see `read_values`."""
    return read_values(interaction, calls, signed_calls, pairs).values


def read_values(
    interaction: Interaction,
    calls: Sequence[Call],
    signed_calls: frozenset[int] = frozenset(),
    pairs: Pairs = NO_PAIRS,
) -> ValuesRead:
    """Hold every value of an answer against the run, in the order of the answer.

    Args:
        interaction: The run.
        calls: Its tool calls, as the ledger has read them.
        signed_calls: Those that a gateway signed; what they show has grade B.
        pairs: How the project calls coded values.
    """
    answer = with_plain_hyphens(interaction.answer)
    run = RunValues(replace(interaction, answer=answer), calls, pairs)
    if not (calls or interaction.system_instructions or run.only_reads_back):
        return ValuesRead()
    check = _Check(run, signed_calls, interaction.answer)
    return ValuesRead(check.results(), run.is_closed, check.read_to)


# "file_notes_march": an id of words, if ids of the run begin so.
_WORD_ID = re.compile(r"(?<![\w./@-])([a-z]{2,20})(?:_[a-z\d]{1,40}){1,8}(?![\w(@/-])")


def _with_spelled_ids(values: list[Value], prose: str, run: RunValues) -> list[Value]:
    """Add the ids made of words, which only the ids of records tell from other code."""
    read = Spans(one.span for one in values)
    words = islice(_WORD_ID.finditer(prose), MOST_VALUES)
    found = [one for one in words if not read.overlap(one.span())]
    if not found:
        return values
    ids = {
        match[0]: match[1]
        for leaf in run.records.leaves
        if isinstance(leaf.value, str) and leaf.key.casefold().endswith(("id", "ids"))
        for match in (_WORD_ID.fullmatch(leaf.value),)
        if match
    }
    beginnings = set(ids.values())
    found = [one for one in found if one[1] in beginnings]
    # What only a text or an input has is no id of a record, and not made up.
    unknown = {one.group() for one in found} - ids.keys()
    written = _written(unknown, run) if unknown else set()
    values += [
        Value(
            one.group(),
            ValueKind.IDENTIFIER,
            one.span(),
            frozenset({text_form(one.group())}),
        )
        for one in found
        if one.group() not in written
    ]
    return sorted(values, key=lambda one: one.span)


def _written(words: Iterable[str], run: RunValues) -> set[str]:
    """Return the words that stand anywhere in the texts of a run."""
    texts = [run.interaction.task, run.interaction.system_instructions or ""]
    for call in run.calls:
        texts += [call.call.output, str(call.call.input)]
    return {word for word in words if any(word in text for text in texts)}


class _Check:
    def __init__(self, run: RunValues, signed: frozenset[int], spelling: str) -> None:
        self._run = run
        # The answer with the hyphens that it has.
        self._spelling = spelling
        self._signed = signed
        self._answer = run.interaction.answer
        prose = _FENCE.sub(_blank, self._answer)
        self._prose = prose if run.is_closed else _CODE.sub(_blank, prose)
        if run.only_reads_back:
            self._prose = _only(prose, run.read_back.spans)
        values = values_in(self._prose)
        if run.is_closed:
            values = _with_spelled_ids(values, self._prose, run)
        else:
            # Of programs and their output a small number tells nothing.
            values = [one for one in values if one.kind not in _COUNTS or _is_long(one)]
        self._values = values[:MOST_VALUES]
        # In an open run no value is called unsupported, read or not.
        left = values[MOST_VALUES:] if run.is_closed else []
        self.read_to = left[0].span[0] if left else None
        self._prose = self._prose[: self.read_to]
        run.look_for(self._values)

    def results(self) -> tuple[ValueResult, ...]:
        # Ids first: what stands beside an id that is wrong is not held against it.
        ids_first = sorted(self._values, key=lambda one: one.kind is not _ID)
        settled = []
        wrong = self._wrong_ids(ids_first)
        wrong = {**self._exchanged_ids(wrong), **wrong}
        for value in ids_first:
            ruling = wrong.get(value.span) or self._of_value(value)
            settled += self._parts_of_address(value, ruling) or [(value, ruling)]
            if value.kind is _ID and ruling.status is ValueStatus.UNSUPPORTED:
                self._things.leave_out(value.text)
        if self._run.is_closed:
            settled = self._with_hours(self._with_weekdays(self._with_derived(settled)))
            settled += self._names()
            settled = self._with_others(settled)
            settled = [(one, self._as_read_back(one, of_it)) for one, of_it in settled]
        return self._grouped(settled)

    def _as_read_back(self, value: Value, ruling: Ruling) -> Ruling:
        """Return that a value read back is not what the user said, or said last."""
        read_back = self._run.read_back
        number = value.kind is ValueKind.NUMBER
        if ruling.status in _OF_TOOLS or not (
            read_back.has(value.span) or (number and read_back.is_of_party(value))
        ):
            return ruling
        if number:
            other = read_back.other_number(value)
            if other:
                return replace(_NOT_FOUND, note=other)
        alone = [one.kind for one in self._values].count(value.kind) == 1
        if ruling.status is not ValueStatus.USER_SAID or not alone:
            return ruling
        newer = read_back.newer(value)
        return replace(_REPLACED, note=newer) if newer else ruling

    def _with_others(
        self, settled: list[tuple[Value, Ruling]]
    ) -> list[tuple[Value, Ruling]]:
        """Hold values against what fits their places better than they do."""
        shown, wrong, things = [], [], []
        for value, ruling in settled:
            if ruling.status is ValueStatus.UNSUPPORTED:
                wrong.append(value.span)
                if value.kind in {_ID, ValueKind.NAME}:
                    things.append(value.span)
                if ruling.reason in _OF_ANOTHER:
                    leaves = self._things.leaves_of(value)
                    shown.append(Shown(value.span, value.kind, leaves, is_wrong=True))
            elif ruling.status is ValueStatus.SUPPORTED and all(
                one.leaf is not None for one in ruling.places
            ):
                leaves = [
                    one for one in _spelt(value, ruling.places) if _tells(value, one)
                ]
                shown.append(Shown(value.span, value.kind, leaves))
        contexts = Contexts(
            self._answer, self._fields, self._things, shown, wrong, things
        )
        others = contexts.misplaced(frozenset(ValueKind))
        others |= contexts.exchanged(frozenset(ValueKind) - {_ID})
        good = [one for one in shown if not one.is_wrong]
        others |= turned_round(self._answer, self._things.sentence, good)
        return [(value, others.get(value.span, ruling)) for value, ruling in settled]

    @cached_property
    def _fields(self) -> Fields:
        return Fields(self._run)

    @cached_property
    def _things(self) -> Things:
        return Things(self._run, self._answer, self._values)

    @cached_property
    def _owners(self) -> Owners:
        return Owners(self._run, self._things, self._values, self._found)

    def _wrong_ids(self, values: Iterable[Value]) -> dict[Span, Ruling]:
        """Return why ids are not those of their sentences, where the run tells it."""
        wrong: dict[Span, Ruling] = {}
        by_id = self._run.records.by_id if self._run.is_closed else {}
        ids = [
            (value.span, name)
            for value in values
            if value.kind is _ID
            for text in (value.text.casefold(),)
            for name in (text, text.strip("#"))
            if name in by_id
        ]
        # What is told of one id may tell of another one that stands before it.
        for _ in range(2):
            for span, name in ids:
                ruling = wrong.get(span) or self._owners.wrong_id(span, name)
                if ruling is not None:
                    wrong[span] = ruling
            if not wrong:
                break
        return wrong

    def _exchanged_ids(self, wrong: Mapping[Span, Ruling]) -> dict[Span, Ruling]:
        """Return why ids stand at each other's places, told by what is beside them."""
        ids = {one.forms for one in self._values if one.kind is _ID}
        if not self._run.is_closed or len(ids) < 2:
            return {}
        shown = [
            Shown(one.span, one.kind, self._things.leaves_of(one), one.span in wrong)
            for one in self._values
        ]
        shown += [Shown(one.span, one.kind, one.leaves) for one in self._found]
        contexts = Contexts(self._answer, self._fields, self._things, shown, wrong)
        return contexts.exchanged({_ID})

    # Values by their spelling.

    def _of_value(self, value: Value) -> Ruling:
        run = self._run
        if value.kind is ValueKind.NUMBER and run.is_closed:
            counted = self._things.counted(value)
            counted = counted or self._things.given_otherwise(value)
            if counted is not None:
                return counted
        if value.kind is ValueKind.ADDRESS:
            return self._of_address(value)
        shown = self._in_outputs(value)
        shown = shown or self._made_otherwise(value)
        if shown is not None:
            return shown
        for origin, status in _ORIGINS:
            places = [
                one
                for one in _places(run.index(origin), value)
                if not value.unit or _same_unit(value, one.unit)
            ]
            if value.counts and run.is_closed:
                places = self._things.called(value, places)
            if status is ValueStatus.USER_SAID and self._is_of_other_year(value):
                continue
            if places:
                return Ruling(
                    status=status, reason=ValueNote.FOUND, places=tuple(places)
                )
        return self._absent(value)

    def _made_otherwise(self, value: Value) -> Ruling | None:
        """Return what a call made of a value that it was given, if it made another.

        A table that was asked for at 7 pm, and that the tool has reserved at 7:30 pm.
        """
        for given, ruling in self._made:
            if not value.forms.isdisjoint(given):
                return ruling
        return None

    @cached_property
    def _made(self) -> Sequence[tuple[set[Form], Ruling]]:
        """What calls were given, and made into what the answer tells nowhere."""
        made: list[tuple[set[Form], Ruling]] = []
        for call in reversed(self._run.calls if self._run.is_closed else ()):
            if not call.succeeded or only_looks(call.call.tool):
                continue
            shown = self._run.records.by_call.get(call.index, ())
            for key, given in call.call.input.items():
                leaves = [one for one in shown if one.key == key]
                if len(leaves) != 1:
                    continue
                text = str(leaves[0].value)
                forms = _forms(text)
                if forms and not any(forms & one.forms for one in self._values):
                    place = Place(Origin.OUTPUT, call.index, text, leaves[0])
                    ruling = replace(_REPLACED, places=(place,), note=f"{key}: {text}")
                    made.append((_forms(given), ruling))
        return made

    def _is_of_other_year(self, value: Value) -> bool:
        """Whether tools have a day of another year, and of this one nobody has any.

        "27 May" of the user is a day of the year that the records are of.
        """
        years = {form[1] for form in value.forms if form[0] == "d" and form[1]}
        if not years or not self._run.is_closed:
            return False
        shown = self._run.index(Origin.OUTPUT)
        if not any(("d", None, *form[2:]) in shown for form in value.forms):
            return False
        origins = (Origin.OUTPUT, Origin.INPUT, Origin.TASK, Origin.POLICY)
        return all(
            form[0] != "d" or form[1] not in years
            for origin in origins
            for form in self._run.index(origin)
        )

    def _of_address(self, value: Value) -> Ruling:
        if not self._run.is_closed:
            return _OPEN
        name = address_form(value.text)
        if _has_whole(self._run.addresses, name):
            places = tuple(self._parts_of(name))
            leaves = [one.leaf for one in places if one.leaf is not None]
            return self._things.replaced(value, leaves) or Ruling(
                status=ValueStatus.SUPPORTED, reason=ValueNote.FOUND, places=places
            )
        for text, status in (
            (self._run.interaction.task, ValueStatus.USER_SAID),
            (self._run.interaction.system_instructions or "", ValueStatus.POLICY),
        ):
            if _has_whole(address_form(text), name):
                return Ruling(status=status, reason=ValueNote.FOUND)
        if _has_whole(self._run.given_addresses, name):
            return Ruling(status=ValueStatus.UNCHECKED, reason=ValueNote.INPUT_ONLY)
        return _NOT_FOUND

    def _parts_of_address(
        self, address: Value, ruling: Ruling
    ) -> list[tuple[Value, Ruling]]:
        """Return the parts of an address of which one is wrong and another is not.

        Where records have the address in parts as well: a street, and a suite.
        """
        if address.kind is not ValueKind.ADDRESS or ruling is not _NOT_FOUND:
            return []
        parts = []
        for match in _ADDRESS_PART.finditer(address.text):
            start = address.span[0] + match.start()
            span = (start, start + len(match.group()))
            part = address._replace(text=match.group(), span=span)
            parts.append((part, self._of_address(part)))
        good = [one for one in parts if one[1].status is not ValueStatus.UNSUPPORTED]
        parted = all(
            any(address_form(place.text) == address_form(part.text) for place in places)
            for part, places in ((part, one.places) for part, one in good)
        )
        return parts if parted and 0 < len(good) < len(parts) else []

    def _parts_of(self, address: str) -> Iterator[Place]:
        """Yield the leaves that an address is made of, or that hold it."""
        for leaf in self._run.records.leaves:
            part = address_form(leaf.value) if isinstance(leaf.value, str) else ""
            if len(part) > _SHORTEST_PART and (part in address or address in part):
                yield Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf)

    def _shown(self, value: Value) -> list[Place]:
        """Return where outputs have a value, or of a card its last digits."""
        run = self._run
        places = _places(run.index(Origin.OUTPUT), value)
        if value.kind is not ValueKind.IDENTIFIER and run.is_closed and not places:
            places = _places(run.index(Origin.FAILED), value)
            if value.kind in _KEYS:
                # What a refusal repeats of what it was given is shown by nobody.
                given = _places(run.index(Origin.FAILED_INPUT), value)
                echoes = {one.call for one in given}
                places = [one for one in places if one.call not in echoes]
        if value.kind is ValueKind.PHONE:
            places = [one for one in places if not _is_of_other_country(value, one)]
        if value.kind is _ID and value.text.isdecimal():
            # Two numbers that end alike may be one telephone, and no one account.
            places = [one for one in places if _end_alike(value.text, one.text)]
        return self._of_last_digits(value, places or self._digits(value))

    def _of_last_digits(self, value: Value, places: list[Place]) -> list[Place]:
        """Return of what ends in some digits what is a card or an account, or all.

        Another thing's id may end like a card, where outputs have cards' last digits.
        """
        ending = value.kind is _ID and any(form[0] == "end" for form in value.forms)
        if not (ending and places and self._run.is_closed and self._has_last_digits):
            return places
        return [
            one
            for one in places
            for text, key in (
                (str(one.leaf.value), one.leaf.key) if one.leaf else (one.text, ""),
            )
            if len(text) <= _LAST
            or _MASKED.search(text)
            or len(_DIGIT.findall(text)) >= _LONG_NUMBER
            or not _WITH_ENDS.isdisjoint(key_words(f"{key} {text[:_LONGEST_MOMENT]}"))
        ]

    @cached_property
    def _has_last_digits(self) -> bool:
        """Whether a field of the outputs holds the last digits of something."""
        return any(
            not _ENDS.isdisjoint(key_words(leaf.key))
            for leaf in self._run.records.leaves
        )

    def _in_outputs(self, value: Value) -> Ruling | None:
        run = self._run
        places = self._shown(value)
        if not places:
            return None
        if value.unit and value.kind is ValueKind.MONEY:
            places = [one for one in places if self._is_in_unit(value, one)]
            if not places or self._is_foreign(value):
                said = not places and self._is_said_so(value)
                return None if said else self._other_currency()
        places = self._of_its_measure(value, places)
        if not places:
            return None
        if run.is_closed:
            other = self._things.wrong_thing(value, places)
            if other is None and value.kind is ValueKind.MONEY:
                leaves = [one.leaf for one in places if one.leaf is not None]
                if len(leaves) == len(places):
                    other = self._owners.of_other_day(value, leaves)
            if other is not None:
                return other
        places = self._things.ordered(value, places) if run.is_closed else places
        reason = (
            ValueNote.FOUND
            if any(value.text == one.text for one in places)
            else ValueNote.OTHER_FORM
        )
        return Ruling(status=ValueStatus.SUPPORTED, reason=reason, places=tuple(places))

    def _of_its_measure(self, value: Value, places: list[Place]) -> list[Place]:
        """Return the places that have a value as a number of the same."""
        places = [one for one in places if not _is_other_measure(value, one)]
        if value.kind is not ValueKind.NUMBER:
            return places
        if value.unit:
            places = [one for one in places if _is_measured_so(value, one)]
        if value.counts and self._run.is_closed:
            places = self._things.called(value, places)
        return places

    def _is_in_unit(self, value: Value, place: Place) -> bool:
        """Whether an amount is in the currency of a place, or of an object around."""
        return _same_unit(value, place.unit or self._run.currency_of(place.leaf))

    def _is_said_so(self, value: Value) -> bool:
        """Whether the user or the policy has an amount in its currency."""
        return any(
            place.unit and _same_currency(value, place.unit)
            for origin in (Origin.TASK, Origin.POLICY)
            for place in _places(self._run.index(origin), value)
        )

    def _digits(self, value: Value, origin: Origin = Origin.OUTPUT) -> list[Place]:
        """Return where a text has the last digits of a card: `Visa 6612`."""
        if value.kind is not _ID or not value.text.isdecimal():
            return []
        form = number_form(float(value.text))
        places = self._run.index(origin).get(form, ())
        return [one for one in places if one.text == value.text]

    def _is_foreign(self, value: Value) -> bool:
        """Whether an amount has a currency that nothing in the run speaks of."""
        if not self._run.is_closed:
            return False
        known = self._run.currencies
        if known:
            return not any(_same_currency(value, one) for one in known)
        units = [one.unit for one in self._values if one.kind is ValueKind.MONEY]
        return units.count(value.unit) * 2 < len(units)

    def _other_currency(self) -> Ruling | None:
        if not self._run.is_closed:
            return None
        return Ruling(
            status=ValueStatus.UNSUPPORTED,
            reason=ValueNote.OTHER_CURRENCY,
            note=", ".join(sorted(self._run.currencies)),
        )

    def _absent(self, value: Value) -> Ruling:
        run = self._run
        if not run.is_closed:
            return _OPEN
        taken = _places(run.index(Origin.INPUT), value)
        taken = self._of_last_digits(value, taken or self._digits(value, Origin.INPUT))
        if value.kind is ValueKind.DURATION:
            lasting = self._lasting(value)
            if lasting:
                return Ruling(
                    status=ValueStatus.SUPPORTED,
                    reason=ValueNote.OTHER_FORM,
                    places=tuple(lasting),
                )
            taken = taken or self._given(value)
        if value.kind is ValueKind.MONEY and self._is_foreign(value):
            return self._other_currency() or _NOT_FOUND
        if taken:
            return Ruling(
                status=ValueStatus.UNCHECKED,
                reason=ValueNote.INPUT_ONLY,
                places=tuple(taken),
            )
        failed = _places(run.index(Origin.FAILED_INPUT), value)
        failed = failed or _places(run.index(Origin.FAILED), value)
        if failed and value.kind in _ASKED:
            is_key = value.kind in _KEYS
            return Ruling(
                status=ValueStatus.UNSUPPORTED if is_key else ValueStatus.UNCHECKED,
                reason=ValueNote.FAILED_CALL,
                places=tuple(failed),
            )
        return self._of_kind(value)

    def _of_kind(self, value: Value) -> Ruling:
        """Return what it says of a value, by its kind, that nobody in the run has."""
        if value.kind is ValueKind.DATE and self._is_open_day(value):
            return _OPEN
        if value.kind is ValueKind.TIME and self._hour_is_told(value):
            return Ruling(status=ValueStatus.USER_SAID, reason=ValueNote.OTHER_FORM)
        if value.kind is ValueKind.TIME and self._is_in_window(value):
            return Ruling(status=ValueStatus.UNCHECKED, reason=ValueNote.OTHER_FORM)
        if value.kind in _SPELLED and self._is_spelled(value):
            return Ruling(status=ValueStatus.USER_SAID, reason=ValueNote.OTHER_FORM)
        if value.kind is ValueKind.NUMBER and self._is_part_of_name(value):
            return _OPEN
        if value.kind is _ID:
            return replace(_NOT_FOUND, note=self._nearest_id(value.text))
        if value.kind in _TOLD or value.unit or _is_precise(value):
            return _NOT_FOUND
        if value.kind is ValueKind.NUMBER and (
            _is_telling(value) or self._things.has_field(value)
        ):
            return _NOT_FOUND
        return _OPEN

    def _nearest_id(self, text: str) -> str:
        """Return the only id of the outputs that is so near; "" if none or several."""
        most = 1 if len(text) < _LONG_ID else 2
        near: dict[int, set[str]] = {}
        for found, edits, _ in extract_iter(
            text.casefold(),
            self._ids_by_length.get(len(text), ()),
            processor=str.casefold,
            scorer=OSA.distance,
            score_cutoff=most,
        ):
            near.setdefault(int(edits), set()).add(found)
        nearest = near[min(near)] if near else set()
        return min(nearest) if len(nearest) == 1 else ""

    @cached_property
    def _ids_by_length(self) -> dict[int, list[str]]:
        """The texts of outputs that can be ids, by their length."""
        ids: dict[int, list[str]] = {}
        for leaf in self._run.records.leaves:
            text = leaf.value if isinstance(leaf.value, str) else ""
            if len(text) <= _LONGEST_MOMENT and _IS_ID.fullmatch(text):
                ids.setdefault(len(text), []).append(text)
        return ids

    def _is_spelled(self, value: Value) -> bool:
        """Whether the user said it in a word: "make it six", "by an hour"."""
        task = _EVERY_WORD.findall(
            self._run.interaction.task[:_LONGEST_TASK].casefold()
        )
        words = _EVERY_WORD.findall(value.text.casefold())
        if value.kind is ValueKind.NUMBER:
            return words[0].isalpha() and words[0] in task
        one = words[0] in {"one", "1"} and len(words) > 1
        return one and any(
            (article, words[1]) in pairwise(task) for article in ("a", "an")
        )

    def _is_part_of_name(self, value: Value) -> bool:
        """Whether a number stands behind the word that it has in the run: `ICE 21`."""
        before = _WORD_BEFORE.search(
            self._answer, max(0, value.span[0] - _NEAR), value.span[0]
        )
        if before is None:
            return False
        name = address_form(before[1] + value.text)
        run = self._run
        return _has_whole(run.addresses, name) or _has_whole(run.given_addresses, name)

    def _lasting(self, value: Value) -> list[Place]:
        """Return fields of numbers that say no unit: `{"leave": {"taken": 4.5}}`.

        Their key or that of an object around them is a word of the sentence, or a key
        beside theirs says the unit: `{"annual_days": 30, "remaining": 19}`.
        """
        number = _first_number(value)
        if number is None:
            return []
        digits = f"{number:g}"
        units = {
            TIME_UNIT[word]
            for word in _EVERY_WORD.findall(value.text.casefold())
            if word in TIME_UNIT
        }
        near = self._answer[max(0, value.span[0] - _NEAR) : value.span[1] + _NEAR]
        words = set(_WORDS.findall(f"{near} {self._run.interaction.task}".casefold()))
        return [
            Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf)
            for leaf in self._run.records.leaves
            if not isinstance(leaf.value, bool)
            and (leaf.value == number or leaf.value == digits)
            and (
                not units.isdisjoint(
                    self._units_beside.get((leaf.call, leaf.path[:-1]), ())
                )
                or any(
                    word in words
                    for part in leaf.path[-_LASTING_KEYS:]
                    if isinstance(part, str)
                    for word in key_words(part)
                )
            )
        ]

    @cached_property
    def _units_beside(self) -> dict[tuple[int, Path], set[tuple[str, float]]]:
        """The units of time that the keys of numbers of an object say."""
        units: dict[tuple[int, Path], set[tuple[str, float]]] = {}
        for leaf in self._run.records.leaves:
            if not isinstance(leaf.value, str | bool):
                for word in key_words(leaf.key):
                    if word in TIME_UNIT:
                        place = (leaf.call, leaf.path[:-1])
                        units.setdefault(place, set()).add(TIME_UNIT[word])
        return units

    def _given(self, value: Value) -> list[Place]:
        """Return where a call was given the number of a duration: `minutes: 45`."""
        number = _first_number(value)
        given = self._run.index(Origin.INPUT)
        places = [] if number is None else list(given.get(number_form(number), ()))
        return places or [
            Place(Origin.INPUT, call.index, str(number))
            for call in self._run.calls
            if call.succeeded
            for key, number in call.call.input.items()
            if isinstance(number, int | float)
            for word in key_words(key)[-1:]
            if word in TIME_UNIT
            and duration_form(float(number), float(number), word) in value.forms
        ]

    def _is_open_day(self, value: Value) -> bool:
        """Whether a day is told from the day of the talk, or may be one that is."""
        if any(form[0] != "d" or form[2] is None for form in value.forms):
            return True
        of_task = self._run.index(Origin.TASK)
        if any(form[0] == "day" for form in of_task):
            given = self._run.index(Origin.INPUT)
            return not any(form[0] == "d" for form in given)
        weekdays = {form[1] for form in of_task if form[0] == "weekday"}
        weekdays -= self._weekdays_settled
        years = {form[1] for form in self._run.index(Origin.OUTPUT) if form[0] == "d"}
        return any(
            day.weekday() in weekdays
            for form in value.forms
            for year in ({form[1]} if form[1] else years)
            for day in day_of(("d", year, form[2], form[3]))
        ) or bool(weekdays and not years and any(not form[1] for form in value.forms))

    @cached_property
    def _weekdays_settled(self) -> set[int]:
        """The weekdays of which the run knows the day that is meant.

        A call was given it, or returned one that is not over.
        """
        index = self._run.index
        today = max(
            (day for form in index(Origin.POLICY) for day in day_of(form)), default=None
        )
        given = {day for form in index(Origin.INPUT) for day in day_of(form)}
        shown = {day for form in index(Origin.OUTPUT) for day in day_of(form)}
        to_come = {day for day in shown if today is not None and day >= today}
        return {day.weekday() for day in given | to_come}

    def _hour_is_told(self, value: Value) -> bool:
        """Whether the user said the hour without what tells it from a number."""
        hours = {form[1] for form in value.forms if form[2] == 0}
        of_task = self._run.index(Origin.TASK)
        for match in _HOURS.finditer(self._run.interaction.task[:_LONGEST_TASK]):
            if not hours.isdisjoint({int(match[1]), int(match[2])}):
                return True
        return any(
            not place.counts or place.counts[0] in _NO_NOUN
            for hour in hours
            if isinstance(hour, int)
            for place in of_task.get(number_form(hour % 12 or 12), ())
        )

    def _is_in_window(self, value: Value) -> bool:
        """Whether an hour begins or ends a window that a call has: `8-12`."""
        texts = [
            given
            for call in self._run.calls
            for given in call.call.input.values()
            if isinstance(given, str)
        ]
        texts += [
            leaf.value
            for leaf in self._run.records.leaves
            if isinstance(leaf.value, str) and len(leaf.value) <= _LONGEST_MOMENT
        ]
        hours = {
            int(hour) % 12
            for text in texts
            for match in (_WINDOW.fullmatch(text[-_LONGEST_WINDOW:]),)
            if match
            for hour in match.groups()
        }
        return any(
            isinstance(form[1], int) and form[2] == 0 and form[1] % 12 in hours
            for form in value.forms
        )

    # Weekdays beside dates.

    def _with_weekdays(
        self, settled: list[tuple[Value, Ruling]]
    ) -> list[tuple[Value, Ruling]]:
        """Hold a weekday against the date that it stands beside."""
        if not any(_weekday(value) is not None for value, _ in settled):
            return settled
        dates = {
            end: (value, ruling)
            for value, ruling in settled
            if value.kind is ValueKind.DATE and _weekday(value) is None
            for end in value.span
        }
        return [
            (value, self._weekday(value, dates) or ruling) for value, ruling in settled
        ]

    def _weekday(
        self, value: Value, dates: dict[int, tuple[Value, Ruling]]
    ) -> Ruling | None:
        weekday = _weekday(value)
        if weekday is None:
            return None
        joint = _JOINT.match(self._answer, value.span[1])
        beside = dates.get(joint.end()) if joint else None
        if beside is None:
            before = _JOINT_BEFORE.search(
                self._answer, max(0, value.span[0] - 6), value.span[0]
            )
            beside = dates.get(before.start()) if before else None
        if beside is None:
            return None
        days = self._days(*beside)
        if beside[1].status is ValueStatus.UNSUPPORTED:
            # The weekday of a day that nobody has is as wrong as that day.
            days = days or self._in_shown_years(beside[0])
            alike = any(day.weekday() == weekday for day in days)
            return _NOT_FOUND if alike and beside[1] is _NOT_FOUND else None
        if not days:
            return None
        right = any(day.weekday() == weekday for day in days)
        return Ruling(
            status=ValueStatus.DERIVED if right else ValueStatus.UNSUPPORTED,
            reason=ValueNote.CALCULATED if right else ValueNote.OTHER_WEEKDAY,
            terms=(
                ValueEvidence(call=-1, field="answer", text=beside[0].text),
                *(_evidence(one, {}) for one in beside[1].places[:1]),
            ),
            note=", ".join(f"{day.isoformat()}: {day:%A}" for day in sorted(days)[:2]),
        )

    def _with_hours(
        self, settled: list[tuple[Value, Ruling]]
    ) -> list[tuple[Value, Ruling]]:
        """Hold a day against the hour behind it, where tools have both in one.

        `4 March at 14:00`, where one slot is on 4 March at 9:20 and another at 14:00.
        """
        hours = {
            value.span[0]: ruling
            for value, ruling in settled
            if value.kind is ValueKind.TIME and ruling.status is ValueStatus.SUPPORTED
        }
        result = []
        for value, ruling in settled:
            joint = _AT_HOUR.match(self._answer, value.span[1])
            hour = hours.get(joint.end()) if joint else None
            if (
                hour is not None
                and value.kind is ValueKind.DATE
                and ruling.status is ValueStatus.SUPPORTED
                and _weekday(value) is None
            ):
                ruling = self._at_hour(ruling, hour) or ruling
            result.append((value, ruling))
        return result

    def _at_hour(self, day: Ruling, hour: Ruling) -> Ruling | None:
        """Return why a day is not that of an hour, if no text has both."""
        days = [_moment(one) for one in day.places]
        hours = [_moment(one) for one in hour.places]
        if None in days or None in hours:
            return None  # One stands alone, so that it may be of any other.
        if not days or not hours or {*days} & {*hours}:
            return None
        if any(one is not None and one[1] in self._minutes_told for one in hours):
            return None
        of_hour = hour.places[0]
        return Ruling(
            status=ValueStatus.UNSUPPORTED,
            reason=ValueNote.OTHER_RECORD,
            places=(day.places[0], of_hour),
            note=f"{day.places[0].text}; {of_hour.text}",
        )

    @cached_property
    def _minutes_told(self) -> frozenset[int]:
        """The minutes of the days that the user has named, as `_moment` tells them."""
        found = _MOMENT.finditer(self._run.interaction.task[:_LONGEST_TASK])
        return frozenset(_as_moment(one)[1] for one in found)

    def _days(self, value: Value, ruling: Ruling) -> set[datetime.date]:
        """Return the days that a date can be, with the year of where it was found."""
        days = {day for form in value.forms for day in day_of(form)}
        if days:
            return days
        parts = {(form[2], form[3]) for form in value.forms if form[0] == "d"}
        return {
            day
            for place in (*ruling.places, *self._same_days(parts))
            for one in values_in(place.text[:200])
            for form in one.forms
            if form[0] == "d" and (form[2], form[3]) in parts
            for day in day_of(form)
        }

    def _in_shown_years(self, value: Value) -> set[datetime.date]:
        """Return the days that a date is in the years that tools show."""
        shown = self._run.index(Origin.OUTPUT)
        years = {form[1] for form in shown if form[0] == "d" and form[1] is not None}
        return {
            day
            for form in value.forms
            for year in years
            for day in day_of((form[0], year, *form[2:]))
        }

    def _same_days(self, parts: Iterable[tuple[Part, Part]]) -> Iterator[Place]:
        """Yield where tools show the same day and month, or were given them."""
        for origin in (Origin.OUTPUT, Origin.INPUT):
            for month, day in parts:
                form: Form = ("d", None, month, day)
                yield from self._run.index(origin).get(form, ())[:_MOST_PLACES]

    # What can be calculated.

    def _with_derived(
        self, settled: list[tuple[Value, Ruling]]
    ) -> list[tuple[Value, Ruling]]:
        if all(one.status is not ValueStatus.UNSUPPORTED for _, one in settled):
            return settled
        good = [
            value
            for value, one in settled
            if one.status not in {ValueStatus.UNSUPPORTED, ValueStatus.UNCHECKED}
            or (one.reason is ValueNote.INPUT_ONLY and value.kind in _COUNTED_ON)
        ]
        good = [one for one in good if not self._was_denied(one)]
        derivations = Derivations(self._run, good, self._values, self._things)
        # What was calculated may be a term of what is calculated from it, which as a
        # rule stands behind it: what is left of a subtotal that sums up products.
        for _ in range(2):
            for place, (value, one) in enumerate(settled):
                ruling = self._derived(value, one, derivations)
                if ruling is not one:
                    settled[place] = (value, ruling)
                    if ruling.status is ValueStatus.DERIVED:
                        derivations.add(value)
        return settled

    def _was_denied(self, value: Value) -> bool:
        """Whether only calls that failed were given an amount: it has moved nothing."""
        if value.kind is not ValueKind.MONEY:
            return False
        index = self._run.index
        return bool(_places(index(Origin.FAILED_INPUT), value)) and not (
            _places(index(Origin.INPUT), value) or _places(index(Origin.OUTPUT), value)
        )

    def _derived(
        self, value: Value, ruling: Ruling, derivations: Derivations
    ) -> Ruling:
        if value.kind is ValueKind.NUMBER and (earned := derivations.earned(value)):
            return earned
        if ruling.reason is not ValueNote.NOT_FOUND:
            return ruling
        if value.kind is ValueKind.MONEY and self._is_foreign(value):
            return self._other_currency() or ruling
        derived = derivations.calculated(value)
        if derived is None and not self._is_estimate(value):
            derived = derivations.of(value)
        if derived is None:
            return ruling
        return self._things.outdated(value, self._leaves_of(derived)) or derived

    def _is_estimate(self, value: Value) -> bool:
        """Whether an amount ends a range that is said to be no exact one.

        "About $80-$120": of what lies between two guesses nothing is calculated.
        """
        if value.kind is not ValueKind.MONEY:
            return False
        for other in self._values:
            first, last = sorted([value.span, other.span])
            if other.kind is value.kind and _RANGED.fullmatch(
                self._answer, first[1], last[0]
            ):
                line = self._answer.rfind("\n", 0, first[0]) + 1
                start = max(line, first[0] - _NEAR)
                return _GUESSED.search(self._answer, start, first[0]) is not None
        return False

    def _leaves_of(self, ruling: Ruling) -> list[Leaf]:
        """Return the leaves that something was calculated from; none if other things.

        One leaf alone stands beside what the answer itself says.
        """
        places = {(one.call, one.path) for one in ruling.terms}
        leaves = [
            leaf
            for leaf in self._run.records.leaves
            if (leaf.call, leaf.dotted) in places
        ]
        return leaves if len(leaves) == len(places) > 1 else []

    # Names.

    @cached_property
    def _name_index(self) -> NameIndex:
        return NameIndex(self._run)

    @cached_property
    def _found(self) -> list[Name]:
        """The names that tools returned."""
        taken = [one.span for one in self._values]
        return self._name_index.found_in(self._prose, Spans(taken))

    def _names(self) -> list[tuple[Value, Ruling]]:
        index = self._name_index
        taken = [one.span for one in self._values]
        names = list(self._found)
        names += index.parts_in(self._prose, Spans([*(n.span for n in names), *taken]))
        names += index.said_in(self._prose, Spans([*(n.span for n in names), *taken]))
        spans_taken = Spans([*(one.span for one in names), *taken])
        read_back = [
            (Name(span, ValueKind.NAME), given)
            for span, given in self._run.read_back.names()
            if not spans_taken.overlap(span)
        ]
        unknown = _widest(
            [
                *(
                    one
                    for one, given in read_back
                    if not given and index.is_new(self._answer[slice(*one.span)])
                ),
                *index.unknown_in(self._prose, names, taken),
                *wrong_states(self._prose, index, self._things, spans_taken),
            ]
        )
        names += [one for one, given in read_back if given]
        spans = [one.span for one in unknown]
        known = [
            one
            for one in names
            if not any(
                start <= one.span[0] and one.span[1] <= end for start, end in spans
            )
        ]
        return [(self._as_value(one), self._of_name(one)) for one in known] + [
            (self._as_value(one), self._of_unknown(one)) for one in unknown
        ]

    def _as_value(self, name: Name) -> Value:
        return Value(self._answer[slice(*name.span)], name.kind, name.span, frozenset())

    def _of_name(self, name: Name) -> Ruling:
        text = self._answer[slice(*name.span)]
        if not name.leaves:
            return self._of_said(text)
        places = [
            Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf)
            for leaf in name.leaves
        ]
        other = None
        if not name.is_part:
            other = self._things.wrong_name(name.span, name.leaves)
        is_state = name.kind is ValueKind.STATUS
        if other is not None and (is_state or not self._is_said(text, other)):
            return other
        exact = any(one.text == text for one in places)
        return Ruling(
            status=ValueStatus.SUPPORTED,
            reason=ValueNote.FOUND if exact else ValueNote.OTHER_FORM,
            places=tuple(self._things.ordered_leaves(name.span, places)),
        )

    def _is_said(self, text: str, other: Ruling) -> bool:
        """Whether the user has a name as well, or the policy.

        That the policy speaks of `P3` says nothing of what was changed from it.
        """
        task = self._run.interaction.task
        changed = other.reason is ValueNote.REPLACED
        return collapsed(text) in (collapsed(task) if changed else self._said)

    @cached_property
    def _said(self) -> str:
        """What the user and the policy say, without blanks and joints."""
        interaction = self._run.interaction
        return collapsed(f"{interaction.task} {interaction.system_instructions or ''}")

    def _of_said(self, text: str) -> Ruling:
        """Return who said a name that no tool returned."""
        names = [collapsed(text), *map(collapsed, self._run.pairs.others(text))]
        said_text = collapsed(self._run.interaction.task)
        if any(name in said_text for name in names):
            return Ruling(status=ValueStatus.USER_SAID, reason=ValueNote.FOUND)
        said_text = collapsed(self._run.interaction.system_instructions or "")
        if any(name in said_text for name in names):
            return Ruling(status=ValueStatus.POLICY, reason=ValueNote.FOUND)
        return Ruling(status=ValueStatus.UNCHECKED, reason=ValueNote.INPUT_ONLY)

    def _of_unknown(self, name: Name) -> Ruling:
        return replace(_NOT_FOUND, note=name.near)

    # Results.

    def _grouped(
        self, settled: Iterable[tuple[Value, Ruling]]
    ) -> tuple[ValueResult, ...]:
        groups: dict[tuple[object, ...], list[Span]] = {}
        verdicts: dict[tuple[object, ...], tuple[Value, Ruling]] = {}
        for value, verdict in sorted(settled, key=lambda one: one[0].span):
            first = verdict.places[0].leaf if verdict.places else None
            key = (
                value.text,
                value.kind,
                verdict.status,
                verdict.reason,
                first.record.id if first is not None and first.record else "",
                verdict.note,
            )
            groups.setdefault(key, []).append(value.span)
            verdicts.setdefault(key, (value, verdict))
        spans = self._leaf_spans(verdict for _, verdict in verdicts.values())
        return tuple(
            self._result(value, verdict, groups[key], spans)
            for key, (value, verdict) in verdicts.items()
        )

    def _leaf_spans(self, verdicts: Iterable[Ruling]) -> dict[tuple[int, Path], Span]:
        """Find where the leaves that are shown as evidence stand in their outputs."""
        wanted: dict[int, set[Path]] = {}
        for verdict in verdicts:
            for place in verdict.places[:_MOST_PLACES]:
                if place.leaf is not None and not isinstance(place.leaf.value, Cell):
                    wanted.setdefault(place.call, set()).add(place.leaf.path)
        return {
            (call, path): span
            for call, paths in wanted.items()
            for path, span in leaf_spans(
                self._run.interaction.tool_calls[call].output, paths
            ).items()
        }

    def _result(
        self,
        value: Value,
        verdict: Ruling,
        spans: Sequence[Span],
        leaf_places: dict[tuple[int, Path], Span],
    ) -> ValueResult:
        # One leaf may be equal by more than one form.
        evidence = verdict.terms or tuple(
            dict.fromkeys(
                _evidence(one, leaf_places) for one in verdict.places[:_MOST_PLACES]
            )
        )
        shown = verdict.status in {ValueStatus.SUPPORTED, ValueStatus.DERIVED}
        grade = None
        if shown:
            calls = {one.call for one in evidence if one.call >= 0}
            grade = Grade.B if calls and calls <= self._signed else Grade.C
        text = value.text
        if self._spelling != self._answer:
            text = self._spelling[slice(*spans[0])]
        return ValueResult(
            text=text,
            kind=value.kind,
            spans=tuple(spans),
            status=verdict.status,
            reason=verdict.reason,
            grade=grade,
            evidence=evidence,
            note=verdict.note,
        )


_OF_TOOLS = frozenset(
    {ValueStatus.SUPPORTED, ValueStatus.DERIVED, ValueStatus.UNSUPPORTED}
)
# Behind the hour that a user names: nothing that it counts.
_NO_NOUN = word_set(
    "in at or and on please for today tomorrow tonight if works would is o"
)
# What a call was given and nothing denied may be counted on from.
_COUNTED_ON = frozenset({ValueKind.DATE, ValueKind.DURATION, ValueKind.NUMBER})
# Why a value that stands somewhere in the run is wrong where it stands.
_OF_ANOTHER = frozenset(
    {ValueNote.OTHER_RECORD, ValueNote.OTHER_FIELD, ValueNote.REPLACED}
)
_COUNTS = frozenset({ValueKind.NUMBER})
# Keys of the last digits of a card, and of what people call by its last digits.
_ENDS = word_set("last4 lastfour last ending endziffern suffix masked")
_WITH_ENDS = _ENDS | word_set(
    """
    card account iban acct pan digits phone mobile msisdn line konto compte cuenta
    credit debit gift certificate voucher visa mastercard amex paypal
    """
)
_MASKED = re.compile(r"[*•xX]{2}[ -]?\d{3,4}|[.…]{2,3}\d{4}|[ ]\d{4}$")
_LAST, _LONG_NUMBER = 6, 12
_BEGINNING = 3
_DIGIT = re.compile(r"\d")
# What was asked for and not got is a thing that is not there, or a time like another.
_KEYS = frozenset({ValueKind.IDENTIFIER, ValueKind.PHONE, ValueKind.EMAIL})
_ASKED = _KEYS | {ValueKind.DATE, ValueKind.TIME}
_ID = ValueKind.IDENTIFIER
# One word with a digit in it.
_IS_ID = re.compile(r"(?=\D{0,40}\d)[\w#/.-]{4,40}")
_LONG_ID = 6  # characters, from which on two of them may be mistaken
_SPELLED = frozenset({ValueKind.NUMBER, ValueKind.DURATION})
_EVERY_WORD = re.compile(r"[^\W_]+")
_ORIGINS = (
    (Origin.TASK, ValueStatus.USER_SAID),
    (Origin.SOURCE, ValueStatus.SUPPORTED),
    (Origin.POLICY, ValueStatus.POLICY),
)
# Between the ends of a range, and in front of one that is a guess.
_RANGED = re.compile(r"\s?(?:-|–|to|and|bis|à|a|до)\s?")
_GUESSED = re.compile(
    r"[~≈]|(?<!\w)(?:about|around|approx\w{0,10}|rough\w{0,2}|estimat\w{1,4}|typical\w{0,2}"
    r"|usually|circa|ungefähr|etwa|environ|aproximad\w{1,6}|примерно|около)(?!\w)",
    re.IGNORECASE,
)
_OPEN = Ruling(status=ValueStatus.UNCHECKED, reason=ValueNote.OPEN)
_REPLACED = Ruling(status=ValueStatus.UNSUPPORTED, reason=ValueNote.REPLACED)
_NOT_FOUND = Ruling(status=ValueStatus.UNSUPPORTED, reason=ValueNote.NOT_FOUND)


def _widest(names: Iterable[Name]) -> list[Name]:
    """Leave out the names that lie within another one: `Ada` of `Ada Park`."""
    kept: list[Name] = []
    for name in sorted(names, key=lambda one: (one.span[0], -one.span[1])):
        if not kept or name.span[1] > kept[-1].span[1]:
            kept.append(name)
    return kept


# Between a day and its hour: `4 March at 14:00`.
_AT_HOUR = re.compile(
    r"[*_]{0,2},?[ ](?:at |um |à |a las? |в |@ ?|– |- )?[*_]{0,2}", re.IGNORECASE
)


def _moment(place: Place) -> tuple[int, int] | None:
    """Return what day and minute the text of a place is, as one that has both."""
    if place.leaf is None or not isinstance(place.leaf.value, str):
        return None
    text = place.leaf.value
    match = _MOMENT.search(text[:_LONGEST_MOMENT])
    if match is None or len(text) > _LONGEST_MOMENT:
        return None
    return _as_moment(match)


def _as_moment(match: re.Match[str]) -> tuple[int, int]:
    return int(match[1].replace("-", "")), int(match[2].replace(":", ""))


_LONGEST_MOMENT = 40
_LONGEST_WINDOW = 12
_LONGEST_TASK = 20_000
# The hours of a window: "14-16h".
_HOURS = re.compile(
    r"(?<![\d-])(\d{1,2})\s?(?:-|–|to|bis)\s?(\d{1,2})\s?(?:h|uhr)(?!\w)"
)
_WINDOW = re.compile(r"\D{0,8}(\d{1,2})[ ]?(?:-|–|to)[ ]?(\d{1,2})(?: ?h)?")
_MOMENT = re.compile(r"(?<!\d)(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
# Between a weekday and its date: `Tuesday, 16 September`, `4 July (a Friday)`.
_JOINT = re.compile(
    r"[*_]{0,2},?[ ]?[(]?(?:the |den |le |el |o |dem |on |the )?[*_]{0,2}",
    re.IGNORECASE,
)
_JOINT_BEFORE = re.compile(r"(?:,? ?\(?(?:an? |un |ein |в )?)$", re.IGNORECASE)


# Keys from the bottom up of which one must be a word of the sentence.
_LASTING_KEYS = 3


def _first_number(value: Value) -> float | None:
    match = _LEADING.match(value.text)
    return float(match[0].replace(",", ".")) if match else None


def _spelt(value: Value, places: Iterable[Place]) -> list[Leaf]:
    """Return the leaves of places, of a name those whose text is it, not their key."""
    text = collapsed(value.text)
    return [
        one.leaf
        for one in places
        if one.leaf is not None
        and (value.kind is not ValueKind.NAME or _is_most_of(text, one.text))
    ]


def _tells(value: Value, leaf: Leaf) -> bool:
    """Whether a leaf is no number met by chance: of 4 persons, a rating of 4."""
    if value.kind is not ValueKind.NUMBER or not value.counts or _is_telling(value):
        return True
    noun = value.counts[0][:_BEGINNING]
    return any(word.startswith(noun) for word in key_words(leaf.key))


def _forms(text: object) -> set[Form]:
    """Return the forms of a value of an input or an output."""
    return {form for one in values_of(str(text)) for form in one.forms}


def _is_most_of(name: str, text: str) -> bool:
    """Whether a collapsed name is no mere part of a text: one of two family names."""
    whole = collapsed(text)
    return name in whole and len(name) * 2 > len(whole)


def _weekday(value: Value) -> int | None:
    """Return the weekday that a value is, Monday being 0."""
    day = next((form[1] for form in value.forms if form[0] == "weekday"), None)
    return day if isinstance(day, int) else None


def _plain(value: Value) -> Iterator[float | int]:
    for number in value.numbers:
        yield number
        if number == int(number):
            yield int(number)


def _is_measured_so(value: Value, place: Place) -> bool:
    """Whether the key of a number does not say another unit than the answer does."""
    unit = value.unit
    if place.leaf is None or place.text not in {str(one) for one in _plain(value)}:
        return True
    units = KEY_UNITS.intersection(key_words(place.leaf.key)[-1:])
    units |= {"km"} if "kph" in units else set()  # "13 km/h"
    return not units or unit.lower() in units or unit.lower() not in KEY_UNITS


def _is_other_measure(value: Value, place: Place) -> bool:
    """Whether a key says that a number is a temperature, speed or share, or is none."""
    if place.leaf is None:
        return False
    words = key_words(place.leaf.key)
    if value.unit in DEGREES:
        return not WEATHER.isdisjoint(words)
    if value.kind is ValueKind.PERCENT:
        return not NO_SHARES.isdisjoint(words)
    return not SHARES.isdisjoint(words) and not SPEEDS.isdisjoint(value.counts[:1])


def _is_of_other_country(value: Value, place: Place) -> bool:
    """Whether two numbers that both begin with a country's code differ."""
    if value.text[:1] != "+" or place.text[:1] != "+":
        return False
    one, two = (re.sub(r"\D", "", text) for text in (value.text, place.text))
    return one != two and len(one) == len(two)


def _end_alike(number: str, text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    return digits.endswith(number) or number.endswith(digits)


def _has_whole(text: str, name: str) -> bool:
    """Whether a name stands in a text, and is no part of a longer number there."""
    place = text.find(name)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(name) :][:1]
        if not (before.isdigit() and name[0].isdigit()) and not (
            after.isdigit() and name[-1].isdigit()
        ):
            return True
        place = text.find(name, place + 1)
    return False


def _blank(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())


def _only(text: str, spans: Iterable[Span]) -> str:
    """Blank a text but for some places."""
    kept, place = [], 0
    for start, end in spans:
        kept += [" " * (start - place), text[start:end]]
        place = end
    return "".join([*kept, " " * (len(text) - place)])


def _places(index: dict[Form, list[Place]], value: Value) -> list[Place]:
    """Return the places of a value; of a date that says the year also those without."""
    # The same in every process: sets of texts have no order.
    forms = sorted(value.forms, key=repr)
    exact = [place for form in forms for place in index.get(form, ())]
    if exact or value.kind is not ValueKind.DATE:
        return exact
    return [
        place
        for form in forms
        if form[0] == "d"
        for place in (
            *index.get(("no year", form[2], form[3]), ()),
            *index.get(("day alone", form[3]), ()),
        )
    ]


def _same_unit(value: Value, unit: str) -> bool:
    return not unit or _same_currency(value, unit)


def _same_currency(value: Value, unit: str) -> bool:
    if value.unit == unit:
        return True
    return "$" in value.text and {value.unit, unit} <= _DOLLARS


def _is_long(value: Value) -> bool:
    return bool(value.unit) or any(one >= 1000 or one % 1 for one in value.numbers)


def _is_precise(value: Value) -> bool:
    """Whether a number is no small round one that may count anything."""
    return any(one >= 1000 or one != int(one) for one in value.numbers) and (
        not any(1900 <= one <= 2100 for one in value.numbers)
    )


def _is_telling(value: Value) -> bool:
    """Whether a number is one that somebody must have said: no small one, no year."""
    return bool(value.numbers) and all(
        one >= _FEWEST_TELLING and not 1900 <= one <= 2100 for one in value.numbers
    )


def _evidence(place: Place, leaf_places: dict[tuple[int, Path], Span]) -> ValueEvidence:
    leaf = place.leaf
    record = ""
    span = place.span
    field = {
        Origin.INPUT: "input",
        Origin.FAILED_INPUT: "input",
        Origin.FAILED: "output",
    }.get(place.origin, str(place.origin))
    if leaf is not None:
        value = leaf.value
        own = value.span if isinstance(value, Cell) else None
        span = own or leaf_places.get((place.call, leaf.path))
        record = (
            next((one.id for one in leaf.record.chain() if one.id), "")
            if leaf.record
            else ""
        )
    return ValueEvidence(
        call=place.call,
        field=field,
        path=leaf.dotted if leaf is not None else "",
        span=None if field == "input" else span,
        text=place.text[:200],
        record=record,
    )
