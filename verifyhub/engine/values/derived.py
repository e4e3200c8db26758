"""Values that follow from others: sums, differences, products, days counted on.

Only what the answer itself says, or what the records that it names hold, may be a term,
so that an amount is seldom met by chance.
"""

import datetime
import itertools
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import (
    ValueEvidence,
    ValueKind,
    ValueNote,
    ValueStatus,
)
from verifyhub.engine.values.evidence import Origin, RunValues
from verifyhub.engine.values.reading import values_of
from verifyhub.engine.values.records import Leaf, Path, Scalar, field_of, key_words
from verifyhub.engine.values.ruling import Ruling
from verifyhub.engine.values.things import Things
from verifyhub.engine.values.units import SCALES
from verifyhub.engine.values.value import Value, day_of

# An amount of the answer: its place, its number, and as it is spelt.
Amount: TypeAlias = tuple[Span, float, str]
_CENT = 0.005
# Amounts of one answer that are added up, and those compared two by two.
_MOST_SUMMED = 40
_MOST_PAIRED = 12
_MOST_FACTOR = 20
_MOST_OF_ONE = 100_000
_YEAR_KEYS = word_set("year yearly annual annually jahr jährlich annuel anual")
_MONTHS = 12
_MOST_TOTALS = 400
_MOST_LISTED = 9
_MOST_THINGS = 3
_MOST_ASKED = 6
_MOST_FIGURES = 200
_DAY = 86_400.0
_MOST_DAYS = 4000
_MOST_SAME = 20
_MOST_FIELDS = 12
_LONGEST_AMOUNT = 24
_LONGEST_NAME = 60
_MOST_COUNTED = 2000
_MOST_FIGURED = 8
_MOST_OBJECTS = 40
_QUANTITY = word_set("qty quantity count seats guests party people adults passengers")
_YEARLY = re.compile(
    r"(?<!\w)(?:a|per|the|one) year|annual|yearly|im Jahr|jährlich|par an|al año|в год",
    re.I,
)
_HALF = re.compile(
    r"(?<!\w)(?:half|halves|halved|hälfte|halbiert|moitié|mitad|половин\w)(?!\w)", re.I
)
_SHARED = frozenset({ValueKind.MONEY, ValueKind.NUMBER, ValueKind.PERCENT})
_PLAIN_KINDS = frozenset({ValueKind.NUMBER, ValueKind.DURATION})


class Derivations:
    """Calculations that give values of one answer.

    Args:
        run: The run.
        good: The values of the answer that are supported, or said by somebody.
        values: Every value of the answer, in order.
        things: The records that the answer speaks of.
    """

    def __init__(
        self,
        run: RunValues,
        good: Sequence[Value],
        values: Sequence[Value],
        things: Things,
    ) -> None:
        self._run = run
        self._values = values
        self._things = things
        self._good = {one.span for one in good}
        # Where the last calculated value of a line begins.
        self._calculated: dict[int, int] = {}
        self._amounts_by_id: dict[str, Mapping[str, Leaf]] = {}
        # What is paid by the day or the night, for as many as the answer says.
        lengths = (_factor(one) for one in good if one.kind is ValueKind.DURATION)
        self._days_said = {one for one in lengths if one}

    def of(self, value: Value) -> Ruling | None:
        """Return how a value was calculated, if it can have been."""
        if value.kind is ValueKind.MONEY:
            return self._amount(value) or self._rounded(value) or self._in_all(value)
        if value.kind is ValueKind.DATE:
            return self._date(value)
        if value.kind is ValueKind.NUMBER:
            return self._number(value) or self._rounded(value) or self._in_all(value)
        if value.kind is ValueKind.DURATION:
            return (
                self._duration(value)
                or self._number(value)
                or self._rounded(value)
                or self._in_all(value)
            )
        if value.kind is ValueKind.TIME:
            return self._duration(value)
        if value.kind is ValueKind.PERCENT:
            return self._share(value) or self._rounded(value)
        return None

    def _rounded(self, value: Value) -> Ruling | None:
        """Find a number of the outputs that a value is rounded from."""
        answer = self._run.interaction.answer
        rounded = _ROUNDED.search(answer, value.span[0], value.span[1] + _LEFT_NEAR)
        if rounded is None or rounded.start() >= value.span[1]:
            return None
        decimals = len(rounded[1].partition(".")[2].replace(",", ""))
        scale = SCALES.get(rounded[2].casefold(), _LARGE.get(rounded[2], 1.0))
        about = _ABOUT.search(answer, *self._in_front(value))
        if scale == 1.0 and not decimals and not about:
            return None
        step = scale * 10.0**-decimals
        if scale == 1.0 and not decimals:
            step = 10.0 ** (len(rounded[1]) - len(rounded[1].rstrip("0")))
        target = float(rounded[1].replace(",", "")) * scale
        low, high = target - step * 0.5001, target + step * 0.5001
        place = bisect_left(self._sorted_numbers, low, key=lambda one: one[0])
        for number, leaf in self._sorted_numbers[place:]:
            if number > high:
                break
            if scale > 1 or decimals < _decimals(leaf) or step > 1:
                return _of_leaves(f"≈ {leaf.value}", (leaf,))
        for one in self._values:
            alike = one.span in self._good and one.kind is value.kind and one != value
            if alike and any(low <= number <= high for number in one.numbers):
                return _ruling(f"≈ {one.text}", (one.text,))
        return None

    @cached_property
    def _sorted_numbers(self) -> list[tuple[float, Leaf]]:
        numbers = [(number, leaf) for leaf, number in self._numbers]
        return sorted(numbers, key=lambda one: one[0])

    @cached_property
    def _numbers(self) -> list[tuple[Leaf, float]]:
        """The leaves that are numbers, with a unit or without."""
        leaves = self._run.records.leaves
        return [
            (leaf, number)
            for leaf in leaves
            if (number := _plain_number(leaf)) is not None
        ]

    @cached_property
    def _money(self) -> list[Leaf]:
        """The leaves that are amounts."""
        return [leaf for leaf, _ in self._numbers if _is_called(leaf, _AMOUNT_WORDS)]

    def _in_all(self, value: Value) -> Ruling | None:
        """Find a list, a field of which adds up to a number that words say is all."""
        targets = value.numbers or tuple(filter(None, (_leading(value),)))
        answer = self._run.interaction.answer
        rest = answer[max(0, value.span[0] - _SAID_NEAR) : value.span[1] + _LEFT_NEAR]
        is_rest = _LEFT.search(rest) is not None
        is_rest = is_rest or (value.kind is not ValueKind.MONEY and "." in value.text)
        if not targets:
            return None
        for leaves, total in self._field_totals:
            # "1.151" is as well a thousand and more.
            if not any(_same(total, target) for target in targets):
                continue
            if self._is_of_one(value, leaves[0].key):
                continue
            if is_rest or set(value.counts[:2]) & set(key_words(leaves[0].key)):
                note = " + ".join(
                    _plain(_plain_number(one) or 0.0) for one in leaves[:9]
                )
                return _of_leaves(note, leaves)
        if value.kind is ValueKind.MONEY:
            return None
        return self._a_month(value, targets[0])

    def _is_of_one(self, value: Value, key: str) -> bool:
        """Whether the line of a value has a text of an object with a number called so.

        `1. Otter Line (3 stops)` says how many stops that line has.
        """
        answer = self._run.interaction.answer
        near = answer[max(0, value.span[0] - _SAID_NEAR) : value.span[0]]
        line = near.rpartition("\n")[2].casefold()
        return any(
            text in line
            for leaf, _ in self._numbers[:_MOST_COUNTED]
            if leaf.key == key
            for text in self._texts_of.get((leaf.call, leaf.path[:-1]), ())
        )

    @cached_property
    def _field_totals(self) -> list[tuple[tuple[Leaf, ...], float]]:
        """Sums of one field over a whole list, whatever it is a number of."""
        groups: dict[tuple[int, Path, str], list[Leaf]] = {}
        for leaf, _ in self._numbers:
            place = _last_position(leaf.path)
            if place < 0:
                continue
            rest = ".".join(map(str, leaf.path[place + 1 :]))
            groups.setdefault((leaf.call, leaf.path[:place], rest), []).append(leaf)
        return [
            (tuple(group), sum(_plain_number(leaf) or 0.0 for leaf in group))
            for group in groups.values()
            if 1 < len(group) <= _MOST_SUMMED
        ][:_MOST_TOTALS]

    def _a_month(self, value: Value, target: float) -> Ruling | None:
        """Find a number of the answer for a year that a number is a month's part of."""
        if not (_has_cents(value.text) and _YEARLY.search(self._around(value))):
            return None
        for one in self._values:
            for number in one.numbers if one.span in self._good else ():
                if abs(number / _MONTHS - target) <= _CENT:
                    return _ruling(f"{one.text} / {_MONTHS}", (one.text, str(_MONTHS)))
        for leaf, number in self._numbers:
            yearly = not _YEAR_KEYS.isdisjoint(key_words(leaf.key))
            if yearly and abs(number / _MONTHS - target) <= _CENT:
                return _of_leaves(f"{leaf.value} / {_MONTHS}", (leaf,))
        return None

    def _share(self, value: Value) -> Ruling | None:
        """Find two numbers near, of which one is so many percent of the other."""
        percent = _ROUNDED.search(value.text)
        if percent is None:
            return None
        target = float(percent[1].replace(",", "."))
        step = 10.0 ** -len(re.split(r"[.,]", percent[1] + ".")[1])
        near = [
            (one.text, number)
            for one in sorted(
                self._values, key=lambda one: abs(one.span[0] - value.span[0])
            )
            if one.kind in _SHARED and one.span in self._good and one.numbers
            for number in (one.numbers[0],)
            if number
        ][: _MOST_PAIRED // 2]
        if _TOGETHER.search(self._around(value)):
            shares = [
                (one.span, max(one.numbers), one.text)
                for one in self._values
                if one.kind is ValueKind.PERCENT and one.span in self._good
                if one.numbers
            ]
            difference = next(_differences(shares[:_MOST_PAIRED], target), None)
            if difference:
                return difference
        for (text, one), (other, two) in itertools.permutations(near, 2):
            for share in (100 * one / two, abs(100 * (one - two) / two)):
                if abs(share - target) <= step * 0.5001:
                    return _ruling(f"{text} / {other}", (text, other))
        return None

    def add(self, value: Value) -> None:
        """Let a value that was found to be calculated be a term of further ones."""
        self._good.add(value.span)
        line = self._line(value.span)
        self._calculated[line] = max(value.span[0], self._calculated.get(line, 0))
        if value.kind is ValueKind.DURATION and (number := _factor(value)):
            self._days_said.add(number)

    def _amounts(self) -> list[Amount]:
        """The amounts of the answer, those that are supported alone."""
        return [
            (one.span, one.numbers[0], one.text)
            for one in self._values
            if one.kind is ValueKind.MONEY and one.span in self._good and one.numbers
        ]

    def _amount(self, value: Value) -> Ruling | None:
        for target in value.numbers:
            if target <= 0:
                continue
            ruling = next(self._ways(value, target), None)
            if ruling is not None:
                return ruling
        return None

    def _number(self, value: Value) -> Ruling | None:
        """Find two numbers of the answer whose sum or difference a number is.

        A small whole one is met by chance unless its words say that it is left over.
        """
        target = _leading(value)
        answer = self._run.interaction.answer
        rest = answer[max(0, value.span[0] - _LEFT_NEAR) : value.span[1] + _LEFT_NEAR]
        if target is None or (target == int(target) and not _LEFT.search(rest)):
            return None
        near = [
            (one.span, number, one.text)
            for one in sorted(
                self._values, key=lambda one: abs(one.span[0] - value.span[0])
            )
            if one.kind in _PLAIN_KINDS and one.span in self._good
            if not value.unit or one.unit in {"", value.unit}
            for number in (_leading(one),)
            if number is not None
        ]
        near = near[: _MOST_PAIRED // 2]
        ruling = next(_differences(near, target), None)
        ruling = ruling or next(_multiples(near, target), None)
        return ruling or self._between_fields(value, target)

    def earned(self, value: Value) -> Ruling | None:
        """Find the amount in front that earns a number of points at a rate told.

        As many may stand in the record of another thing.
        """
        answer, target = self._run.interaction.answer, _leading(value)
        if target is None or not _POINTS.match(answer, value.span[1]):
            return None
        for span, amount, text in reversed(self._amounts()):
            if 0 <= value.span[0] - span[1] <= _ITEM:
                for rate, said in self._rates:
                    if _same(amount * rate, target):
                        return _ruling(f"{text} × {said}", (text, said))
                return None
        return None

    @cached_property
    def _rates(self) -> list[tuple[float, str]]:
        """How many points each unit of money earns: "5 points per dollar", "2.5%"."""
        rates = [
            (float(match[1]), match.group())
            for match in _RATE.finditer(self._run.interaction.answer)
        ]
        return [*rates, *((share * 100, text) for share, text in self._shares)]

    def calculated(self, value: Value) -> Ruling | None:
        """Find the calculation in front: "412.50 + 186.20 = 598.70", if it is right.

        Its terms are supported, and nothing but signs is between them.
        """
        answer, target = self._run.interaction.answer, _leading(value)
        line = answer.rfind("\n", 0, value.span[0]) + 1
        equals = _EQUALS.search(
            answer, max(line, value.span[0] - _CALCULATION), value.span[0]
        )
        if target is None or equals is None:
            return None
        terms: list[Value] = []
        begin = equals.start()
        before = [one for one in self._values if one.span[1] <= begin]
        for one in reversed(before[-_MOST_SUMMED:]):
            if not _SIGNS.fullmatch(answer, one.span[1], begin):
                break
            terms.append(one)
            begin = one.span[0]
        terms = terms[::-1]
        if len(terms) < 2 or any(one.span not in self._good for one in terms):
            return None
        total = 0.0
        for at, one in enumerate(terms):
            number = _leading(one)
            if number is None:
                return None
            start = terms[at - 1].span[1] if at else one.span[0]
            minus = _MINUS.search(answer, start, one.span[0] + 1)
            total += -abs(number) if minus else number
        if not _same(total, target):
            return None
        texts = [one.text for one in terms]
        return _ruling(" + ".join(texts), texts)

    def _between_fields(self, value: Value, target: float) -> Ruling | None:
        """Find two numbers of one thing spoken of that differ by a number."""
        groups: list[Collection[Leaf]] = [
            self._run.records.latest(name).values()
            for name in self._things.before(value.span, 1)
        ]
        if not groups and _LEFT.search(self._around(value)):
            groups += self._few_numbers
        for group in groups:
            leaves = {
                number: leaf
                for leaf in group
                for number in (_plain_number(leaf),)
                if number is not None
            }
            for number, leaf in leaves.items():
                other = leaves.get(round(number + target, 6))
                if other is not None and (
                    value.kind is not ValueKind.MONEY
                    or _LESS.search(self._around(value))
                    or not _TAKEN_OFF.isdisjoint(key_words(leaf.key))
                ):
                    return _of_leaves(f"{other.value} - {leaf.value}", (other, leaf))
        return None

    @cached_property
    def _few_numbers(self) -> list[Collection[Leaf]]:
        """The numbers of each object that has a few, of the last ones first."""
        by_object: dict[tuple[int, Path], list[Leaf]] = {}
        for leaf, _ in self._numbers:
            by_object.setdefault((leaf.call, leaf.path[:-1]), []).append(leaf)
            if len(leaf.path) > 1 and leaf.key == "value":
                by_object.setdefault((leaf.call, leaf.path[:-2]), []).append(leaf)
        few = [one for one in by_object.values() if 1 < len(one) <= _MOST_FIGURED]
        return list(few[::-1][:_MOST_OBJECTS])

    def _priced(self, target: float) -> Iterator[Ruling]:
        """Yield what so many of a thing cost that has a price for each."""
        for leaf in self._unit_prices:
            for factor in self._factors:
                if _same(_number(leaf) * factor, target):
                    yield _of_leaves(f"{leaf.value} × {factor}", (leaf,))

    @cached_property
    def _unit_prices(self) -> list[Leaf]:
        """The prices of what there may be several of: those beside a quantity."""
        counted = {
            (leaf.call, leaf.path[:-1])
            for leaf in self._run.records.leaves
            if not _QUANTITY.isdisjoint(key_words(leaf.key))
        }
        return [
            leaf
            for leaf in self._money
            if any((leaf.call, leaf.path[:-at]) in counted for at in (1, 2))
        ][:_MOST_FIGURES]

    def _ways(self, value: Value, target: float) -> Iterator[Ruling]:
        amounts = self._amounts()
        before = [one for one in amounts if one[0][1] <= value.span[0]]
        after = [one for one in amounts if one[0][0] >= value.span[1]]
        yield from _sums(before[::-1][:_MOST_SUMMED], target)
        yield from _sums(after[:_MOST_SUMMED], target)
        if self._calculated:
            # What a sum in its line has added up already is no further term.
            totals = [
                one
                for one in before
                if self._calculated.get(self._line(one[0]), 0) <= one[0][0]
            ]
            yield from _sums(totals[::-1][:_MOST_SUMMED], target)
        near = before[-_MOST_PAIRED // 2 :] + after[: _MOST_PAIRED // 2]
        yield from _differences(near, target)
        if _LESS.search(self._around(value)):
            yield from _rests(near, target)
        yield from self._products(value, near, target)
        if not _ABOUT.search(self._run.interaction.answer, *self._in_front(value)):
            # Of a guess the terms are those that the answer tells.
            yield from self._totals(value, near, target)

    def _in_front(self, value: Value) -> Span:
        return max(0, value.span[0] - 16), value.span[0]

    def _line(self, span: Span) -> int:
        return bisect_left(self._line_ends, span[0])

    @cached_property
    def _line_ends(self) -> list[int]:
        answer = self._run.interaction.answer
        return [match.start() for match in _LINE_END.finditer(answer)]

    def _products(
        self, value: Value, near: Sequence[Amount], target: float
    ) -> Iterator[Ruling]:
        many = self._large_factors if _is_exact(target) else ()
        for _, amount, text in near:
            for factor in (*self._factors, *self._days_said, *many):
                if _same(amount * factor, target):
                    yield _ruling(f"{text} × {factor}", (text, str(factor)))

        yield from self._sums_times(value, target)
        for share, percent in self._shares:
            for _, amount, text in near:
                for part in (share, 1 - share, 1 + share):
                    if _same(round(amount * part, 2), target):
                        yield _ruling(f"{text}, {percent}", (text, percent))

    def _sums_times(self, value: Value, target: float) -> Iterator[Ruling]:
        """Yield so many of the two amounts in front: "$30 plus a $4 fee, for two"."""
        start, _ = self._things.sentence(value.span)
        before = [
            one
            for one in self._amounts()
            if start - _SAID_NEAR <= one[0][0] and one[0][1] <= value.span[0]
        ][-2:]
        total = sum(amount for _, amount, _ in before)
        for factor in self._factors if len(before) == 2 else ():
            if _same(total * factor, target):
                terms = [text for _, _, text in before]
                yield _ruling(f"({' + '.join(terms)}) × {factor}", terms)

    @cached_property
    def _shares(self) -> list[tuple[float, str]]:
        """The percentages of the answer that somebody said."""
        shares = [
            (max(one.numbers) / 100, one.text)
            for one in self._values
            if one.kind is ValueKind.PERCENT and one.span in self._good and one.numbers
        ][:_MOST_PAIRED]
        interaction = self._run.interaction
        policy = interaction.system_instructions or ""
        half = _HALF.search(interaction.answer) or _HALF.search(policy)
        return [*shares, (0.5, half.group())] if half else shares

    @cached_property
    def _large_factors(self) -> tuple[int, ...]:
        """How many there are of what is bought by the hundred, as shares."""
        return tuple(
            int(number)
            for one in self._values
            if one.kind is ValueKind.NUMBER and one.span in self._good
            for number in one.numbers[:1]
            if number == int(number) and _MOST_FACTOR < number <= _MOST_OF_ONE
        )[:_MOST_PAIRED]

    @cached_property
    def _factors(self) -> tuple[int, ...]:
        """How many there are of something: in the answer, and in the records named."""
        factors = {
            int(number)
            for one in self._values
            if one.kind is ValueKind.NUMBER
            for number in one.numbers
            if number == int(number) and 1 < number <= _MOST_FACTOR
        }
        factors |= {
            int(form[1])
            for form in self._run.index(Origin.TASK)
            if form[0] == "n" and isinstance(form[1], float)
            if form[1] == int(form[1]) and 1 < form[1] <= _MOST_FACTOR
        }
        factors |= {
            int(number)
            for leaf in self._run.records.leaves[:_MOST_COUNTED]
            if not _QUANTITY.isdisjoint(key_words(leaf.key))
            for number in (_plain_number(leaf),)
            if number is not None
            and number == int(number)
            and 1 < number <= _MOST_FACTOR
        }
        if _YEARLY.search(self._run.interaction.answer):
            factors.add(_MONTHS)
        return tuple(sorted(factors | set(self._lengths(self._things.named))))

    def _lengths(self, things: frozenset[str]) -> Iterator[int]:
        for length, ids in self._few_listed:
            if not ids.isdisjoint(things):
                yield length

    @cached_property
    def _few_listed(self) -> list[tuple[int, frozenset[str]]]:
        """The lengths of short lists, with the folded ids around each."""
        return [
            (one.length, frozenset(each.id.casefold() for each in one.record.chain()))
            for one in self._run.records.lists
            if 1 < one.length <= _MOST_LISTED and one.record is not None
        ]

    def _totals(
        self,
        value: Value,
        near: Sequence[Amount],
        target: float,
    ) -> Iterator[Ruling]:
        """Yield sums of one field: of a list of a record named, of the things named."""
        for leaves, total in self._list_totals:
            ids = leaves[0].ids_around
            for factor in {1, *self._lengths(ids)}:
                if _same(total * factor, target):
                    text = _sum_of(leaves)
                    times = f" × {factor}" if factor > 1 else ""
                    yield _of_leaves(f"({text}){times}" if times else text, leaves)
            for _, amount, term in near:
                if _same(abs(total - amount), target):
                    yield _of_leaves(f"({_sum_of(leaves)}) - {term}", leaves)
        yield from self._of_rows(target)
        yield from self._of_things(value, target)
        yield from self._between_things(value, target)
        yield from self._between_alike(value, target)
        yield from self._from_other_row(value, near, target)
        yield from self._between_versions(value, target)
        yield from filter(None, (self._between_fields(value, target),))
        yield from self._priced(target)
        yield from self._balances(value, near, target)
        yield from self._of_small_units(target)
        for text, number in self._figures:
            for _, amount, term in near:
                if _same(abs(number - amount), target):
                    first, second = max(number, amount), min(number, amount)
                    yield _ruling(f"{_plain(first)} - {_plain(second)}", (text, term))

    def _of_rows(self, target: float) -> Iterator[Ruling]:
        """Yield what the rows of a list come to, each so many at a price."""
        for leaves, total in self._bought:
            if _same(total, target):
                text = " + ".join(
                    f"{one.value} × {two.value}"
                    for one, two in zip(leaves[::2], leaves[1::2], strict=True)
                )
                yield _of_leaves(text, leaves)

    @cached_property
    def _bought(self) -> list[tuple[tuple[Leaf, ...], float]]:
        """What the rows of a list come to, each so many of a price."""
        rows: dict[tuple[int, Path], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            if _last_position(leaf.path) == len(leaf.path) - 2:
                rows.setdefault((leaf.call, leaf.path[:-1]), []).append(leaf)
        lists: dict[tuple[int, Path], list[tuple[Leaf, Leaf]]] = {}
        for (call, path), leaves in rows.items():
            counts = [
                one for one in leaves if not _QUANTITY.isdisjoint(key_words(one.key))
            ]
            prices = [one for one in leaves if _is_amount(one)]
            if len(counts) == 1 and len(prices) == 1:
                pair = (counts[0], prices[0])
                lists.setdefault((call, path[:-1]), []).append(pair)
        return [
            (
                tuple(leaf for pair in pairs for leaf in pair),
                sum(_number(one) * _number(two) for one, two in pairs),
            )
            for pairs in lists.values()
            if len(pairs) <= _MOST_SUMMED
        ]

    @cached_property
    def _texts_of(self) -> Mapping[tuple[int, Path], list[str]]:
        """The folded texts of each object that may be what it is called."""
        by_object: dict[tuple[int, Path], list[str]] = {}
        for leaf in self._run.records.leaves[:_MOST_COUNTED]:
            text = leaf.value
            if isinstance(text, str) and _SHORTEST_PLURAL < len(text) <= _LONGEST_NAME:
                place = (leaf.call, leaf.path[:-1])
                by_object.setdefault(place, []).append(text.casefold())
        return by_object

    def _of_things(self, value: Value, target: float) -> Iterator[Ruling]:
        """Yield what the last things before a value have in one field, added up."""
        ids = self._things.before(value.span, _MOST_THINGS)
        fields: dict[str, list[Leaf]] = {}
        for name in ids:
            for field, leaf in self._amounts_of(name).items():
                fields.setdefault(field, []).append(leaf)
        for leaves in fields.values():
            total = 0.0
            for count, leaf in enumerate(leaves, 1):
                total += _number(leaf)
                if count == 1 and len(leaves) > 1:
                    continue
                for factor in (1, *self._factors):
                    if (count > 1 or factor > 1) and _same(total * factor, target):
                        times = f" × {factor}" if factor > 1 else ""
                        text = f"{_sum_of(leaves[:count])}{times}"
                        yield _of_leaves(text, leaves[:count])

    def _between_things(self, value: Value, target: float) -> Iterator[Ruling]:
        """Yield what two things that are spoken of, or were asked for, differ by."""
        if not _DIFFERENCE.search(self._around(value)):
            return
        ids = self._things.before(value.span, _MOST_THINGS)
        ids += self._run.input_ids[-_MOST_ASKED:]
        fields: dict[str, dict[Scalar, Leaf]] = {}
        for name in ids:
            for field, leaf in self._amounts_of(name).items():
                fields.setdefault(field, {}).setdefault(leaf.value, leaf)
        for leaves in fields.values():
            for one, two in itertools.combinations(leaves.values(), 2):
                first, second = _number(one), _number(two)
                if _same(abs(first - second), target):
                    high, low = max(first, second), min(first, second)
                    yield _of_leaves(f"{_plain(high)} - {_plain(low)}", (one, two))

    def _between_versions(self, value: Value, target: float) -> Iterator[Ruling]:
        """Yield what an amount of a thing has changed by."""
        for seen in self._versions(value):
            for one, two in itertools.combinations(seen, 2):
                if _same(abs(one - two), target):
                    note = f"{_plain(max(one, two))} - {_plain(min(one, two))}"
                    yield _of_leaves(note, (seen[one], seen[two]))

    def _versions(self, value: Value) -> Iterator[Mapping[float, Leaf]]:
        """Yield the last amounts of each field that changed, of things before."""
        names = self._things.before(value.span, _MOST_THINGS)
        names += self._run.input_ids[-_MOST_ASKED:]
        for name in dict.fromkeys(names):
            fields: dict[str, dict[float, Leaf]] = {}
            for record in self._run.records.by_id.get(name, ()):
                for leaf in record.leaves:
                    number = _number_of(leaf)
                    if number is not None:
                        fields.setdefault(field_of(leaf), {})[number] = leaf
            for seen in fields.values():
                if len(seen) > 1:
                    yield dict(list(seen.items())[-_MOST_VERSIONS:])

    def _balances(
        self, value: Value, near: Sequence[Amount], target: float
    ) -> Iterator[Ruling]:
        """Yield what a balance or a total is once an amount was moved or added."""
        around = self._around(value)
        leaves: list[Leaf] = []
        if _REMAINS.search(around):
            leaves += self._balance_leaves
        if _COMES_TO.search(around):
            leaves += self._total_leaves
        for leaf in leaves:
            number = _number(leaf)
            for _, amount, term in near:
                for result, sign in ((number - amount, "-"), (number + amount, "+")):
                    if _same(result, target):
                        yield _of_leaves(f"{_plain(number)} {sign} {term}", (leaf,))

    @cached_property
    def _balance_leaves(self) -> list[Leaf]:
        return self._leaves_of(_BALANCE_WORDS)

    @cached_property
    def _total_leaves(self) -> list[Leaf]:
        return self._leaves_of(_TOTAL_WORDS)

    def _leaves_of(self, words: frozenset[str]) -> list[Leaf]:
        """Return the last numbers of records in a field of one of some names."""
        return [leaf for leaf, _ in self._numbers if _is_called(leaf, words)][
            -_MOST_LISTED:
        ]

    def _of_small_units(self, target: float) -> Iterator[Ruling]:
        """Yield the amount in cents that an amount is: `amount: 6450, currency: usd`.

        Only whole numbers of records that name a currency or a small unit are in cents,
        and those of other records where no amount of the run has a decimal.
        """
        leaf = self._in_cents.get(round(target * 100))
        if leaf is not None and _same(target * 100, _number(leaf)):
            yield _of_leaves(f"{leaf.value} / 100", (leaf,))

    @cached_property
    def _in_cents(self) -> dict[int, Leaf]:
        priced = {
            (leaf.call, leaf.path[:-1])
            for leaf in self._run.records.leaves
            if "currency" in key_words(leaf.key)
        }
        whole = bool(priced) and all(isinstance(one.value, int) for one in self._money)
        return {
            leaf.value: leaf
            for leaf in self._money
            if isinstance(leaf.value, int)
            and leaf.value >= _FEWEST_CENTS
            and (
                whole
                or (leaf.call, leaf.path[:-1]) in priced
                or not _SMALL_UNITS.isdisjoint(key_words(leaf.key))
            )
        }

    def _around(self, value: Value) -> str:
        start, end = value.span
        answer = self._run.interaction.answer
        return answer[max(0, start - _SAID_NEAR) : end + _SAID_NEAR]

    def _from_other_row(
        self, value: Value, near: Sequence[Amount], target: float
    ) -> Iterator[Ruling]:
        """Yield what an amount of the answer and that of another row differ by.

        `$62.40, $3.10 more than in May`, where the amount of May stands in the list.
        """
        if not _COMPARED.search(self._around(value)):
            return
        for leaves, _ in self._field_totals:
            for one, two in itertools.pairwise(leaves):
                if _same(abs(_number(one) - _number(two)), target):
                    yield _of_leaves(f"{two.value} - {one.value}", (two, one))
            rows = {round(_number(leaf), 2): leaf for leaf in leaves}
            for _, amount, term in near:
                row = rows.get(round(amount, 2))
                if row is None:
                    continue
                for other in (amount - target, amount + target):
                    leaf = rows.get(round(other, 2))
                    if leaf is not None:
                        yield _of_leaves(f"{term} - {leaf.value}", (row, leaf))

    def _between_alike(self, value: Value, target: float) -> Iterator[Ruling]:
        """Yield what two prices of one product differ by: ordered, and on offer."""
        if not _DIFFERENCE.search(self._around(value)):
            return
        for group in self._alike:
            prices = sorted(group, key=lambda leaf: _number(leaf))
            seen = {round(_number(leaf), 2): leaf for leaf in prices}
            for number, leaf in seen.items():
                other = seen.get(round(number + target, 2))
                if other is not None:
                    yield _of_leaves(f"{other.value} - {leaf.value}", (other, leaf))

    @cached_property
    def _alike(self) -> list[list[Leaf]]:
        """Prices of one product: of it in an order, and of its variants."""
        known = self._run.records.by_id
        groups: dict[str, list[Leaf]] = {}
        for leaf in self._money:
            if leaf.record is None:
                continue
            names = leaf.ids_around | {
                str(one.value).casefold()
                for one in leaf.record.leaves[:_MOST_FIELDS]
                if one.key.endswith("_id")
            }
            for name in names:
                if name in known and name in self._run.input_ids:
                    groups.setdefault(name, []).append(leaf)
        return list(groups.values())

    def _amounts_of(self, name: str) -> Mapping[str, Leaf]:
        amounts = self._amounts_by_id.get(name)
        if amounts is None:
            latest = self._run.records.latest(name)
            amounts = {one: leaf for one, leaf in latest.items() if _is_amount(leaf)}
            self._amounts_by_id[name] = amounts
        return amounts

    @cached_property
    def _figures(self) -> list[tuple[str, float]]:
        """Numbers of outputs that are no JSON: a calculator's, or a message's."""
        figures = []
        for origin in (Origin.OUTPUT, Origin.FAILED):
            for form, places in self._run.index(origin).items():
                number = form[1]
                if form[0] == "n" and isinstance(number, float) and number > 9:
                    texts = [one.text for one in places if one.leaf is None]
                    if texts:
                        figures.append((texts[0], number))
        return figures[:_MOST_FIGURES]

    @cached_property
    def _list_totals(self) -> list[tuple[tuple[Leaf, ...], float]]:
        """Sums of one field over a list inside a record that the answer names."""
        groups: dict[tuple[int, Path, str], list[Leaf]] = {}
        named = self._things.named | frozenset(self._run.input_ids)
        for leaf in self._money:
            place = _last_position(leaf.path)
            if place < 1 or not leaf.ids_around & named:
                continue
            rest = ".".join(map(str, leaf.path[place + 1 :]))
            groups.setdefault((leaf.call, leaf.path[:place], rest), []).append(leaf)
        return [
            (tuple(group), sum(_number(leaf) for leaf in group))
            for group in groups.values()
            if len(group) <= _MOST_SUMMED
        ][:_MOST_TOTALS]

    @cached_property
    def _speaks_of_a_night(self) -> bool:
        answer = self._run.interaction.answer
        return any(word in answer for word in ("next day", "+1", "overnight"))

    def _date(self, value: Value) -> Ruling | None:
        """Find a date that lies a stated number of days, or one, from a known one."""
        days = {
            round(float(form[2]) / _DAY): one.text
            for one in self._values
            if one.kind is ValueKind.DURATION and one.span in self._good
            for form in one.forms
            if form[1] == "s" and isinstance(form[2], float) and form[2] >= _DAY
        }
        days |= {
            int(form[2]): one.text
            for one in self._values
            if one.span in self._good
            for form in one.forms
            if form[0] == "u" and form[1] == "night" and isinstance(form[2], float)
        }
        if self._speaks_of_a_night:
            days.setdefault(1, "+1")
        if not days:
            return None
        known = [
            (date, one.text)
            for one in self._values
            if one.span in self._good and one.kind is ValueKind.DATE
            for date in _days_of(one)
        ]
        for target in _days_of(value):
            for date, text in known:
                for count, length in days.items():
                    if abs((target - date).days) == count and count:
                        sign = "+" if target > date else "-"
                        return _ruling(f"{text} {sign} {length}", (text, length))
        return None

    def _duration(self, value: Value) -> Ruling | None:
        """Find a time between two times of the answer, or days between two dates."""
        for form in value.forms:
            if form[0] != "u" or form[2] != form[3] or not isinstance(form[2], float):
                continue
            ruling = self._between(str(form[1]), form[2], value.span)
            if ruling:
                return ruling
            if moved := self._moved(value, str(form[1]), form[2]):
                return moved
            if form[1] == "s" and (both := self._lengths_of_records.get(form[2])):
                return _of_leaves(f"{both[0].value} - {both[1].value}", both)
        return None

    def _between(self, group: str, length: float, span: Span) -> Ruling | None:
        if group == "s" and length < _DAY:
            times = self._near(ValueKind.TIME, span)
            for one, two in itertools.combinations(times, 2):
                clocks = (
                    [form for form in each.forms if form[0] == "t"]
                    for each in (one, two)
                )
                for start, end in itertools.product(*clocks):
                    seconds = 3600 * (int(end[1] or 0) - int(start[1] or 0)) + 60 * (
                        int(end[2] or 0) - int(start[2] or 0)
                    )
                    if seconds % _DAY == length or -seconds % _DAY == length:
                        return _ruling(f"{one.text} - {two.text}", (one.text, two.text))
        else:
            days = length if group in {"night", "month"} else length / _DAY
            lists = [
                one
                for one in self._run.records.lists
                if one.length == days > 1 and (one.call, one.path) in self._of_days
            ]
            if lists and not group.startswith("business"):
                path = ".".join(map(str, lists[-1].path))
                return _ruling(f"{path}: {lists[-1].length}", (str(lists[-1].length),))
            dates = self._near(ValueKind.DATE, span)
            for one, two in itertools.combinations(dates, 2):
                year = _year_of(one) or _year_of(two) or _LEAP_YEAR
                for first, last in itertools.product(
                    _days_of(one, year), _days_of(two, year)
                ):
                    months = abs(
                        12 * (last.year - first.year) + last.month - first.month
                    )
                    apart = abs((last - first).days)
                    if group == "month":
                        apart = months if last.day == first.day else -1
                    if apart == days:
                        return _ruling(f"{one.text} - {two.text}", (one.text, two.text))
            return self._dates_of_runs(days, group)
        return None

    @cached_property
    def _of_days(self) -> frozenset[tuple[int, Path]]:
        """The lists that have an object or a text for each day, night or month."""
        return frozenset(
            (leaf.call, leaf.path[:place])
            for leaf in self._run.records.leaves
            for place in (_last_position(leaf.path),)
            if place >= 0 and not _DAY_KEYS.isdisjoint(key_words(leaf.key))
        )

    def _moved(self, value: Value, group: str, length: float) -> Ruling | None:
        """Find a day of one field that a later call shows so much from before."""
        if not _MOVED.search(self._around(value)):
            return None
        for seen in self._days_by_field.values():
            for (one, first), (two, last) in itertools.pairwise(
                seen[-_MOST_DAYS_SEEN:]
            ):
                if first.call != last.call and _is_apart(one, two, group, length):
                    return _of_leaves(f"{last.value} - {first.value}", (last, first))
        return None

    @cached_property
    def _days_by_field(self) -> Mapping[str, list[tuple[datetime.date, Leaf]]]:
        """The days that calls show in the fields of one name, in order."""
        by_field: dict[str, list[tuple[datetime.date, Leaf]]] = {}
        for leaf in self._run.records.leaves:
            text = leaf.value if isinstance(leaf.value, str) else ""
            if _ISO_DAY.match(text) and len(text) <= _LONGEST_AMOUNT + 8:
                for day in _day_of_text(text):
                    words = (one for one in key_words(leaf.key) if one not in _VERSION)
                    by_field.setdefault(" ".join(words), []).append((day, leaf))
        return by_field

    @cached_property
    def _lengths_of_records(self) -> dict[float, tuple[Leaf, Leaf]]:
        """The seconds between two moments of one object: its start and its end."""
        by_record: dict[tuple[int, Path], list[tuple[datetime.datetime, Leaf]]] = {}
        for leaf in self._run.records.leaves:
            moment = _moment(leaf)
            if moment is not None:
                by_record.setdefault((leaf.call, leaf.path[:-1]), []).append(
                    (moment, leaf)
                )
        return {
            abs((one - two).total_seconds()): (first, second)
            for some in by_record.values()
            for (one, first), (two, second) in itertools.combinations(some[:4], 2)
            if (one.tzinfo is None) == (two.tzinfo is None)
        }

    def _dates_of_runs(self, days: float, group: str) -> Ruling | None:
        """Find two dates of one record, or of one call's input, so many days apart."""
        if not 0 < days < _MOST_DAYS:
            return None
        for dates in self._dates_together:
            for one, two in itertools.combinations(dates, 2):
                apart = abs((one - two).days)
                months = abs(12 * (one.year - two.year) + one.month - two.month)
                if (group == "month" and one.day == two.day and months == days) or (
                    group != "month" and apart == days
                ):
                    return _ruling(
                        f"{dates[one]} - {dates[two]}", (dates[one], dates[two])
                    )
        return None

    @cached_property
    def _dates_together(self) -> list[dict[datetime.date, str]]:
        """The few dates of each record, and of each call's input, as they are spelt."""
        by_record: dict[object, dict[datetime.date, str]] = {}
        for origin in (Origin.OUTPUT, Origin.INPUT):
            for form, places in self._run.index(origin).items():
                if form[0] != "d":
                    continue
                for day, place in itertools.product(day_of(form), places[:_MOST_SAME]):
                    leaf = place.leaf
                    key = id(leaf.record) if leaf else (origin, place.call)
                    by_record.setdefault(key, {})[day] = place.text
        return [one for one in by_record.values() if 1 < len(one) <= _MOST_PAIRED]

    def _near(self, kind: ValueKind, span: Span) -> list[Value]:
        alike = [
            one for one in self._values if one.kind is kind and one.span in self._good
        ]
        alike.sort(key=lambda one: abs(one.span[0] - span[0]))
        return alike[:6]


_LINE_END = re.compile(r"\n")
_SAID_NEAR = 80
_DIFFERENCE = re.compile(
    r"differ|additional|extra|refund|sav(?:e|ing)|cheaper|more|less|owe|due|balance"
    r"|upgrade|разниц|допла|дороже|дешевле|больше|différen|supplément|rembours|de plus"
    r"|unterschied|differenz|aufpreis|teurer|günstiger|mehr|diferencia|reembolso|más",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?<!\w)(?:more|less|higher|lower|up|down|cheaper|above|below|mehr|weniger|höher"
    r"|niedriger|de plus|de moins|más|menos|больше|меньше|выше|ниже)(?!\w)",
    re.IGNORECASE,
)
# The keys of what is an amount of money.
_AMOUNT_WORDS = word_set(
    "price prices amount amounts cost costs fee fees total subtotal fare fares balance"
    " charge charges rate rates value refund payment paid tax taxes due deposit bill"
    " monthly weekly yearly annual usd eur gbp rub preis prix precio summe montant"
    " importe"
)


_REMAINS = re.compile(
    r"(?<!\w)(?:balances?|remain\w{0,4}|left|available|new total|now (?:have|at)|saldo"
    r"|solde|restant\w{0,2}|restliche\w?|verbleib\w{1,5}|остат\w{1,3}|баланс\w{0,2})(?!\w)",
    re.IGNORECASE,
)
_COMES_TO = re.compile(
    r"(?<!\w)(?:comes to|total\w{0,4}|altogether|in all|overall|now costs?|insgesamt"
    r"|zusammen|au total|en total|итого|всего)(?!\w)",
    re.IGNORECASE,
)
_TOTAL_WORDS = word_set("fare total totals subtotal gesamt итого")
_BALANCE_WORDS = word_set(
    "balance available remaining limit allowance credit points saldo solde остаток"
)
_SMALL_UNITS = word_set("cents cent minor pence pennies kopecks")
_FEWEST_CENTS = 100
_MOST_VERSIONS = 4
_LEFT_NEAR = 28
_EQUALS = re.compile(r"=\W{0,6}$")
_SIGNS = re.compile(r"[\s()*_$€£]*[+−–-]?[\s()*_$€£−–-]*")
_MINUS = re.compile(r"[−–-]")
# Characters of a line in which a calculation stands.
_CALCULATION = 300
_POINTS = re.compile(r"\W{0,3}(?:points|miles|credits)\b")
_RATE = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:\.\d{1,2})?)x? (?:points?|miles?|credits?)"
    r"(?: ?/ ?| per | for (?:each|every) | (?:an?|each|every) )"
    r"(?:dollar|euro|pound|[$€£]1?)"
)
# Characters of an item between an amount and the points for it.
_ITEM = 200
_LEFT = re.compile(
    r"(?<!\w)(?:left|remain\w{0,4}|altogether|in total|in all|together|combined"
    r"|total(?:s|ing)?|sum|more|less|fewer|ahead|behind|difference|free|unused|net"
    r"|overall|gap|short|above|below|both|used|usage|consumed|verbrauch\w{0,2}"
    r"|consomm\w{1,4}"
    r"|consum\w{1,4}|израсход\w{1,5}|übrig|insgesamt|zusammen|mehr|weniger|gesamt|restant\w{0,2}"
    r"|reste\w{0,2}|en tout|au total|quedan|restan|en total|осталось|остаётся|всего"
    r"|вместе|итого|больше|меньше)(?!\w)",
    re.I,
)
_ROUNDED = re.compile(r"(\d[\d,]*(?:\.\d+)?)[ \u00a0]?([^\W\d_]*)")
# What says that an amount is what is left of another, and keys of what is taken off.
_LESS = re.compile(
    r"(?<!\w)(?:left|remain\w{0,4}|minus|less|after|net|deduct\w{0,3}|owe|outstanding"
    r"|differ\w{0,5}|abzüglich|übrig|verbleib\w{1,5}|moins|reste\w{0,2}|menos|quedan?"
    r"|restan|минус|остал\w{1,4}|остаётся)(?!\w)",
    re.IGNORECASE,
)
_TAKEN_OFF = word_set("deductible excess discount rebate used spent paid fee tax")
_TOGETHER = re.compile(
    r"(?<!\w)(?:makes?|total\w{0,2}|both|together|combined|altogether|in all|zusammen"
    r"|insgesamt|ensemble|au total|en total|juntos|вместе|итого)(?!\w)",
    re.IGNORECASE,
)
_LARGE = {"M": 1e6, "B": 1e9, "T": 1e12, "trillion": 1e12}
_ABOUT = re.compile(
    r"(?:about|approximately|approx\.?|around|roughly|nearly|almost|over|just under"
    r"|some|~|≈|rund|etwa|circa|ca\.|knapp|environ|près de|около|примерно|почти|unos"
    r"|unas|casi|aproximadamente)[ ]?[€$£]?$",
    re.IGNORECASE,
)
_LEADING = re.compile(r"\d{1,9}(?:\.\d{1,3})?(?![\d,])")


_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")


def _leading(value: Value) -> float | None:
    """Return the number that a value begins with."""
    match = _LEADING.match(value.text)
    if match is None and _THOUSANDS.match(value.text) and value.numbers:
        return max(value.numbers)
    if match is None and value.kind is ValueKind.NUMBER and len(value.numbers) == 1:
        return value.numbers[0]
    return float(match[0]) if match else None


def _spelled(value: Value) -> float | None:
    """Return how many nights or months a length is, that says it in words."""
    for form in value.forms:
        if form[0] == "u" and form[1] != "s" and form[2] == form[3]:
            return form[2] if isinstance(form[2], float) else None
    return None


def _factor(value: Value) -> int | None:
    """Return the small whole number that a value begins with."""
    number = _leading(value)
    if number is None and value.kind is ValueKind.DURATION:
        number = _spelled(value)  # "two nights"
    whole = number is not None and number == int(number)
    return int(number) if number and whole and 1 < number <= _MOST_FACTOR else None


def _plain_number(leaf: Leaf) -> float | None:
    """Return the number that a leaf is, with a unit behind it or without."""
    value = leaf.value
    if isinstance(value, bool):
        return None
    if not isinstance(value, str):
        return abs(float(value)) if value == value and abs(value) < _MOST else None
    if len(value) > _LONGEST_AMOUNT or value[:1] not in _BEGINNINGS:
        return None
    match = _MEASURED.fullmatch(value)
    return float(match[1].replace(",", "")) if match else None


def _number(leaf: Leaf) -> float:
    return _plain_number(leaf) or 0.0


def _sum_of(leaves: Iterable[Leaf]) -> str:
    return " + ".join(_plain(_number(leaf)) for leaf in leaves)


def _has_cents(text: str) -> bool:
    """Whether a number is written as an amount is, its currency left out."""
    return _CENTS.search(text) is not None


_CENTS = re.compile(r"\d[.,]\d\d$")


_MOST = 1e15
_BEGINNINGS = frozenset("0123456789$€£")
_MEASURED = re.compile(
    r"[$€£]?(\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,8})?)"
    r"(?:[ ]?[A-Za-z€$£₽%²]{1,6})?"
)


def _decimals(leaf: Leaf) -> int:
    return len(str(leaf.value).partition(".")[2])


def _is_amount(leaf: Leaf) -> bool:
    return _plain_number(leaf) is not None and _is_called(leaf, _AMOUNT_WORDS)


def _is_called(leaf: Leaf, words: frozenset[str]) -> bool:
    """Whether one of the last two keys of a leaf has one of some words."""
    return any(
        isinstance(part, str) and not words.isdisjoint(key_words(part))
        for part in leaf.path[-2:]
    )


def _number_of(leaf: Leaf) -> float | None:
    """Return the amount that a leaf is, with its currency or without."""
    if not isinstance(leaf.value, str):
        return _number(leaf) if _is_amount(leaf) else None
    if len(leaf.value) > _LONGEST_AMOUNT:
        return None
    amounts = [one for one in values_of(leaf.value) if one.kind is ValueKind.MONEY]
    return amounts[0].numbers[0] if len(amounts) == 1 and amounts[0].numbers else None


def _day_of_text(text: str) -> Iterator[datetime.date]:
    try:
        yield datetime.date.fromisoformat(text[:10])
    except ValueError:
        return


# Keys of what is there for each day, or says which day it is.
_DAY_KEYS = word_set(
    "day days date dates night nights month months week weeks tag datum"
)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_MOST_DAYS_SEEN = 8
# Words of a key that say which version of a field it holds.
_VERSION = word_set("new old previous original updated revised current")
_MOVED = re.compile(
    r"(?<!\w)(?:later|earlier|sooner|delay\w{0,3}|ahead|than planned|pushed"
    r"|mov(?:ed|es|ing)"
    r"|später|früher|plus t[ôa]\w{1,2}|más tarde|antes|позже|раньше)(?!\w)",
    re.IGNORECASE,
)


def _moment(leaf: Leaf) -> datetime.datetime | None:
    text = leaf.value
    if not isinstance(text, str) or not 16 <= len(text) <= 32 or text[4:5] != "-":
        return None
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


_SHORTEST_PLURAL = 3


def _last_position(path: Path) -> int:
    """Return where in a path the last position in a list stands; -1 for none."""
    return next(
        (
            place
            for place in range(len(path) - 1, -1, -1)
            if isinstance(path[place], int)
        ),
        -1,
    )


_LEAP_YEAR = 2024


def _is_apart(
    one: datetime.date, two: datetime.date, group: str, length: float
) -> bool:
    """Whether two days are so many seconds or whole months apart."""
    if group == "s":
        return abs((two - one).days) * _DAY == length
    months = abs(12 * (two.year - one.year) + two.month - one.month)
    return group == "month" and one.day == two.day and months == length


def _year_of(value: Value) -> int | None:
    """Return the year that a date says."""
    years = (form[1] for form in value.forms if form[0] == "d")
    return next((one for one in years if isinstance(one, int)), None)


def _days_of(value: Value, unsaid: int = _LEAP_YEAR) -> Iterator[datetime.date]:
    """Yield the days that a date can be, in a given year where it says none."""
    for form in value.forms:
        if form[0] != "d":
            continue
        year, month, day = form[1], form[2], form[3]
        try:
            yield datetime.date(
                year if isinstance(year, int) else unsaid,
                int(month or 0),
                int(day or 0),
            )
        except ValueError:
            continue


def _same(one: float, two: float) -> bool:
    return abs(one - two) < _CENT


def _is_exact(number: float) -> bool:
    """Whether a product is met by chance seldom: it has four digits that tell."""
    digits = f"{number:.2f}".replace(".", "").strip("0")
    return len(digits) >= _TELLING_DIGITS


_TELLING_DIGITS = 4


def _plain(number: float) -> str:
    return f"{number:.2f}".removesuffix(".00")


def _sums(amounts: Sequence[Amount], target: float) -> Iterator[Ruling]:
    """Yield the run of amounts from the nearest on that adds up to a target."""
    total = 0.0
    for count, (_, amount, _text) in enumerate(amounts, 1):
        total += amount
        if count > 1 and _same(total, target):
            texts = tuple(text for _, _, text in amounts[:count])
            yield _ruling(" + ".join(texts), texts)
        if total > target + _CENT:
            return


def _differences(near: Sequence[Amount], target: float) -> Iterator[Ruling]:
    for (_, one, first), (_, two, text) in itertools.combinations(near, 2):
        if _same(abs(one - two), target):
            terms = (first, text) if one > two else (text, first)
            yield _ruling(" - ".join(terms), terms)
        elif _same(one + two, target):
            yield _ruling(f"{first} + {text}", (first, text))


def _rests(near: Sequence[Amount], target: float) -> Iterator[Ruling]:
    """Yield what is left of an amount once two others are taken off."""
    for whole, (one, two) in itertools.product(near, itertools.combinations(near, 2)):
        if whole not in (one, two) and _same(whole[1] - one[1] - two[1], target):
            terms = (whole[2], one[2], two[2])
            yield _ruling(" - ".join(terms), terms)


def _multiples(near: Sequence[Amount], target: float) -> Iterator[Ruling]:
    """Yield what so many of a price come to; of whole numbers many would fit."""
    for (_, one, factor), (_, two, text) in itertools.combinations(near, 2):
        if (one % 1 or two % 1) and min(one, two) > 1 and _same(one * two, target):
            yield _ruling(f"{factor} × {text}", (factor, text))


def _ruling(note: str, terms: Sequence[str]) -> Ruling:
    return Ruling(
        status=ValueStatus.DERIVED,
        reason=ValueNote.CALCULATED,
        terms=tuple(
            ValueEvidence(call=-1, field="answer", text=text) for text in terms[:5]
        ),
        note=note[:200],
    )


def _of_leaves(note: str, leaves: Sequence[Leaf]) -> Ruling:
    return Ruling(
        status=ValueStatus.DERIVED,
        reason=ValueNote.CALCULATED,
        terms=tuple(
            ValueEvidence(
                call=leaf.call,
                path=leaf.dotted,
                text=str(leaf.value),
                record=leaf.record.id if leaf.record else "",
            )
            for leaf in leaves[:5]
        ),
        note=note[:200],
    )
