"""Whether an id is that of the thing that its sentence speaks of.

`The bill B-22 of $86.45 is due on 14 March`, where amount and day are those of B-21 and
B-22 has others, gives the wrong id, and right values.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind, ValueNote, ValueStatus
from verifyhub.engine.values.evidence import Origin, Place, RunValues
from verifyhub.engine.values.names import Name
from verifyhub.engine.values.records import Leaf, Record, is_name_key
from verifyhub.engine.values.ruling import Ruling
from verifyhub.engine.values.things import Things
from verifyhub.engine.values.value import Value

_Spanned = TypeVar("_Spanned", Value, Name)
_MOST_LEAVES = 60
_MOST_PEERS = 200
# What a record has of its own, and other records of its list have otherwise.
_TELLING = frozenset(
    {
        ValueKind.MONEY, ValueKind.DATE, ValueKind.TIME, ValueKind.IDENTIFIER,
        ValueKind.PHONE, ValueKind.EMAIL,
    }
)  # fmt: skip
# Between an id and a value: that it is of something else.
_ELSE = re.compile(
    r"(?<!\w)(?:other|another|still|remain\w{0,4}|left|next|instead|rather|than|also"
    r"|replac\w{1,4}|autre|andere\w?|noch|encore|otr[oa]s?|ещё|друг\w{2,3})(?!\w)",
    re.IGNORECASE,
)
# A name in front of an id is its name, behind few words: `Umi order (PL-8)`.
_HEAD = re.compile(r"[ \t]*(?:[-*•>]|\d{1,2}[.)])?[ \t]*[*_\"“|]{0,3}[ ]?")
_BEHIND_HEAD = re.compile(r"[*_\"”]{0,3}[ ]?(?:[-–—:|(])")
_APPOSED = re.compile(
    r"[*_\"”]{0,3}(?:[ ]\w{1,20}){0,2}[ ]?[(|,–—-]{0,2}[ ]?[*_#]{0,3}"
)


class _Told(NamedTuple):
    """What a sentence has beside an id.

    Attributes:
        span: Its place.
        leaves: Where outputs have it.
        is_name: Whether it is what a thing is called.
        tells: Whether it may tell one record from another: no state or type.
        is_day: Whether it is a day.
    """

    span: Span
    leaves: Sequence[Leaf]
    is_name: bool
    tells: bool = True
    is_day: bool = False


class Owners:
    """The records that ids of an answer stand for, held against what stands beside.

    Args:
        run: The run.
        things: The records that the answer speaks of.
        values: The values of the answer.
        names: The names in it that tools returned.
    """

    def __init__(
        self,
        run: RunValues,
        things: Things,
        values: Sequence[Value],
        names: Sequence[Name],
    ) -> None:
        self._run = run
        self._things = things
        self._answer = run.interaction.answer
        self._values = sorted(values, key=lambda one: one.span)
        self._names = sorted(names, key=lambda one: one.span)
        self._leaves: dict[Span, list[Leaf]] = {}
        self._owners: dict[int, frozenset[str]] = {}

    def wrong_id(self, span: Span, name: str) -> Ruling | None:
        """Return why an id is not that of its sentence, if it is another record's.

        Args:
            span: The place of the id, or of the name of a record.
            name: The folded id of the record.
        """
        own = self._peers_of(name)
        if not own:
            return None
        start, end = self._things.sentence(span)
        ids = [
            one
            for one in self._things.named_in(start, end)
            if one[1] in own or one[1] == name
        ]
        by_name = {one for one in ids if one[1] != name}
        if any(
            self._answer[slice(*place)].casefold().strip("#") == one
            for place, one in by_name
        ):
            return None  # It speaks of several of them.
        other = self._owner_of(span, name, own, self._told(start, end, span))
        if other is None:
            return None
        return self._against(name, other)

    def _against(self, name: str, other: str) -> Ruling:
        by_id = self._run.records.by_id
        pair = [by_id[one][-1] for one in (other, name)]
        return Ruling(
            status=ValueStatus.UNSUPPORTED,
            reason=ValueNote.OTHER_RECORD,
            places=tuple(
                Place(Origin.OUTPUT, one.call, one.id, _id_leaf(one)) for one in pair
            ),
            note=f"{pair[0].id}; {pair[1].id}",
        )

    def of_other_day(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why an amount is not that of the day in its sentence.

        `You paid $40 on 12 May`, where the row of that day has $62, and the sentence
        says nothing else of the row that has $40.
        """
        if not leaves or not all(_is_row(one.record) for one in leaves):
            return None
        start, end = self._things.sentence(value.span)
        told = list(self._told(start, end, value.span))
        days = [one for one in told if one.is_day]
        own = {id(leaf.record) for leaf in leaves}
        if not days or self._things.named_in(start, end):
            return None
        said = {leaf.value for one in told for leaf in one.leaves}
        meant: dict[int, Leaf] = {}
        for day in days:
            records = {id(one.record): one.record for one in day.leaves}
            if own & records.keys() or self._is_of_else(value.span, day.span):
                return None
            for key, record in records.items():
                for leaf in record.leaves if record is not None else ():
                    if any(_is_beside(leaf, one) for one in leaves):
                        meant[key] = leaf
        if len(meant) != 1:
            return None
        (other,) = meant.values()
        if other.value in said:
            return None
        return Ruling(
            status=ValueStatus.UNSUPPORTED,
            reason=ValueNote.OTHER_RECORD,
            places=tuple(
                Place(Origin.OUTPUT, one.call, str(one.value), one)
                for one in (other, leaves[0])
            ),
            note=f"{other.dotted}: {other.value}",
        )

    # What stands beside an id.

    def _told(self, start: int, end: int, own: Span) -> Iterator[_Told]:
        """Yield the values and names between two places, but for the id itself."""
        seen: set[Span] = set()
        for value in _between(self._values, start, end):
            if value.span == own or value.span in seen:
                continue
            if value.kind in _TELLING:
                leaves = self._leaves_of(value)
                is_day = value.kind is ValueKind.DATE
                if leaves:
                    yield _Told(value.span, leaves, is_name=False, is_day=is_day)
            elif value.kind is ValueKind.NUMBER:
                for one in self._numbered(value, start, end):
                    if one.span not in seen:
                        yield one
                    seen.add(one.span)
        for name in _between(self._names, start, end):
            shown = name.leaves[:_MOST_LEAVES]
            if shown and name.span != own and name.span not in seen:
                called = any(map(self._is_called, shown))
                yield _Told(name.span, shown, called, tells=called)

    def _numbered(self, value: Value, start: int, end: int) -> Iterator[_Told]:
        """Yield the name that a number is a part of: `metformin 500 mg`."""
        sentence = self._answer[start:end].casefold()
        for leaf in self._leaves_of(value):
            name = str(leaf.value).casefold()
            place = start + sentence.find(name)
            longer = start <= place <= value.span[0] < place + len(name)
            if longer and len(name) > len(value.text) and self._is_called(leaf):
                yield _Told((place, place + len(name)), (leaf,), is_name=True)

    def _is_called(self, leaf: Leaf) -> bool:
        columns = self._run.records.columns - _STATE_KEYS
        return is_name_key(leaf.key) or leaf.key in columns

    def _leaves_of(self, value: Value) -> list[Leaf]:
        leaves = self._leaves.get(value.span)
        if leaves is None:
            index = self._run.index(Origin.OUTPUT)
            shown = (place for form in value.forms for place in index.get(form, ()))
            found = (one.leaf for one in shown if one.leaf is not None)
            leaves = self._leaves[value.span] = list(islice(found, _MOST_LEAVES))
        return leaves

    def _owner_of(
        self, span: Span, name: str, peers: frozenset[str], told: Iterable[_Told]
    ) -> str | None:
        """Return the one peer that has all that stands beside an id which lacks it."""
        supporting: list[frozenset[str]] = []
        owner: frozenset[str] | None = None
        for one in told:
            around = frozenset().union(*map(self._owners_of, one.leaves))
            owners = peers & around
            if name in around:
                if not owners:
                    return None  # What is told is of this record alone.
                supporting.append(around)
                continue
            if not owners or not one.tells or not self._has_otherwise(name, one.leaves):
                continue
            if one.is_name and not self._is_apposed(span, one.span):
                return None  # The other one is named as well.
            if self._is_of_else(span, one.span):
                continue
            owner = owners if owner is None else owner & owners
        if not owner or len(owner) > 1 or any(owner.isdisjoint(s) for s in supporting):
            return None
        return min(owner)

    def _is_of_else(self, span: Span, other: Span) -> bool:
        between = self._answer[min(span[1], other[1]) : max(span[0], other[0])]
        return _ELSE.search(between) is not None

    def _is_apposed(self, span: Span, name: Span) -> bool:
        """Whether a name is said of an id: beside it, or at the head of its line."""
        first, second = sorted((span, name))
        if _APPOSED.fullmatch(self._answer, first[1], second[0]):
            return True
        start = self._answer.rfind("\n", 0, name[0]) + 1
        return bool(
            _HEAD.fullmatch(self._answer, start, name[0])
            and _BEHIND_HEAD.match(self._answer, name[1])
        )

    def _has_otherwise(self, name: str, leaves: Sequence[Leaf]) -> bool:
        """Whether the record has another value in the field of a leaf."""
        keys = {leaf.key for leaf in leaves}
        values = {leaf.value for leaf in leaves}
        return any(
            leaf.value not in values and name in self._owners_of(leaf)
            for key in keys
            for leaf in self._by_key.get(key, ())[:_MOST_PEERS]
        )

    @cached_property
    def _by_key(self) -> Mapping[str, list[Leaf]]:
        by_key: dict[str, list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            by_key.setdefault(leaf.key, []).append(leaf)
        return by_key

    # Which records a leaf is of.

    def _owners_of(self, leaf: Leaf) -> frozenset[str]:
        """Return the folded ids of the records that a leaf is of.

        Those that it lies in, those that these tell of, and those that tell of them.
        """
        record = leaf.record
        if record is None:
            return frozenset()
        known = self._owners.get(id(record))
        if known is None:
            # An order that lists all its items says of none which of them it is.
            alike = self._by_kind.get(_kind(record), frozenset()) if record.id else ()
            told = (
                one
                for each in record.chain()
                for one in self._references(each)
                if each is record or one not in alike
            )
            telling = (
                one for each in record.ids for one in self._telling.get(each, ())
            )
            known = record.ids.union(told, telling)
            self._owners[id(record)] = known
        return known

    def _references(self, record: Record) -> Iterator[str]:
        by_id = self._run.records.by_id
        for leaf in record.leaves:
            if isinstance(leaf.value, str) and (name := leaf.value.casefold()) in by_id:
                yield name

    @cached_property
    def _telling(self) -> Mapping[str, set[str]]:
        """The ids of the records that hold the id of another one."""
        telling: dict[str, set[str]] = {}
        for record in self._run.records.records:
            if record.id:
                for name in self._references(record):
                    telling.setdefault(name, set()).add(record.id.casefold())
        return telling

    def _peers_of(self, name: str) -> frozenset[str]:
        """Return the ids of the other records of the kind of one."""
        record = self._run.records.by_id[name][0]
        peers = self._by_kind.get(_kind(record), frozenset())
        return peers - {name} if len(peers) <= _MOST_PEERS else frozenset()

    @cached_property
    def _by_kind(self) -> Mapping[object, frozenset[str]]:
        by_kind: dict[object, set[str]] = {}
        for record in self._run.records.records:
            if record.id:
                by_kind.setdefault(_kind(record), set()).add(record.id.casefold())
        return {kind: frozenset(ids) for kind, ids in by_kind.items()}

    # Which record something was done to.


_STATE_KEYS = frozenset({"status", "state", "stage", "type", "priority"})


def _between(
    sorted_by_span: Sequence[_Spanned], start: int, end: int
) -> list[_Spanned]:
    """Return what lies between two places of what is in order."""
    first = bisect_left(sorted_by_span, start, key=lambda one: one.span[0])
    last = bisect_left(sorted_by_span, end, key=lambda one: one.span[0])
    return [one for one in sorted_by_span[first:last] if one.span[1] <= end]


def _is_row(record: Record | None) -> bool:
    return record is not None and isinstance(next(reversed(record.path), None), int)


def _is_beside(leaf: Leaf, other: Leaf) -> bool:
    """Whether a leaf is what another row of the same list has in a field."""
    one, two = leaf.record, other.record
    return (
        one is not None
        and two is not None
        and (one.call, one.path[:-1]) == (two.call, two.path[:-1])
        and leaf.path[len(one.path) :] == other.path[len(two.path) :]
        and leaf.value != other.value
    )


def _kind(record: Record) -> object:
    """Return what records of one kind share: the key of their ids, or their place."""
    if record.id_key and not is_name_key(record.id_key):
        keys = [part for part in record.path if isinstance(part, str)]
        return record.id_key, keys[-1] if record.id_key == "id" and keys else ""
    return record.call, record.path[:-1]


def _id_leaf(record: Record) -> Leaf | None:
    return next((leaf for leaf in record.leaves if leaf.value == record.id), None)
