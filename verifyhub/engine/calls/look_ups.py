"""Calls that only looked: the states in the records that they showed.

"It was booked on May 4" is a fact of such a record, and not work of the agent.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import (
    LOOKS,
    NOUNS,
    OFF,
    SWITCHES,
    VERBS,
    RecordDeed,
    deeds_of,
    stem,
    stems,
    words_of,
)
from verifyhub.engine.calls.inputs import read_json
from verifyhub.engine.calls.record_calls import PAYS, UNTOLD, RecordCall, numbers_in
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set

_OUTPUT_LIMIT = 200_000
_MOST_LEAVES = 4_000
_MOST_DEPTH = 16
# A longer text of a record is a description, not a state.
_LONGEST_STATE = 60
# A key that names records: `reservation_id`, `payment_history`.
_NAMES_RECORDS = word_set("id ids number no ref reference code history key uuid")
# Words of searches for offers, not for a person's records.
_SEARCHES = stems(
    """
    search find query browse suggest recommend quote check compare available
    availability slot option offer
    """
)
# Keys of personal records: their owner, and their state.
_OF_SOMEBODY = word_set(
    "status state customer user guest member patient client owner holder account"
)
_PRICES = word_set("price total fare amount paid payment cost sum")
# Keys of states that are neither participles nor called states.
_FLAGS = stems("enable active lock block suspend freeze pause roam status state power")


@dataclass(frozen=True)
class _Part:
    """A record of an output.

    Attributes:
        place: Its steps are negative below a field, and otherwise number similar
            records.
        texts: Its keys and texts, the beginning of each.
        fields: Its fields, of which some may state how it is.
    """

    place: tuple[int, ...]
    texts: Sequence[str]
    fields: Mapping[str, object]

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(stem(word) for text in self.texts for word in words_of(text))

    @cached_property
    def text(self) -> str:
        """Its texts in upper case."""
        return "\n".join(self.texts).upper()

    @cached_property
    def ids(self) -> frozenset[str]:
        """Its words with digits."""
        return frozenset(
            id_ for id_ in _ID.findall(self.text) if any(map(str.isdigit, id_))
        )

    @cached_property
    def states(self) -> frozenset[RecordDeed]:
        """The actions in its states."""
        fields = self.fields.items()
        return _states((words_of(str(k)), v) for k, v in fields if isinstance(v, str))


@dataclass(frozen=True)
class LookUp:
    """The output of one call that only looked."""

    call: Call

    @property
    def index(self) -> int:
        return self.call.index

    @cached_property
    def upper(self) -> str:
        """Its output in upper case, as far as it is read."""
        return self.call.call.output[:_OUTPUT_LIMIT].upper()

    @cached_property
    def amounts(self) -> frozenset[float]:
        """The numbers that it shows."""
        return numbers_in(self.call.call.output[:_TEXT_LIMIT])

    @cached_property
    def states(self) -> frozenset[RecordDeed]:
        """The actions in the status of a record: `"status": "cancelled"`."""
        return _states(self._leaves)

    def states_of(self, ids: Sequence[str]) -> frozenset[RecordDeed]:
        """Return the actions in the states of the records with some ids."""
        parts = [part for part in self._parts if not part.ids.isdisjoint(ids)]
        states = frozenset[RecordDeed]().union(*(part.states for part in parts))
        return states if parts else self.states

    @cached_property
    def state_words(self) -> frozenset[str]:
        """The stems of words with which its records state their own state.

        They are from short texts, and from keys whose value is not false or empty:
        `created_at`, `"locked": true`. If it is not JSON, they are from all words.
        """
        if self.data is None:
            text = self.call.call.output[:_OUTPUT_LIMIT]
            return frozenset(map(stem, words_of(text)))
        # Rows of a table repeat the same words.
        keys = {key for key, value in self._leaves if value not in _NO}
        values = {value for _, value in self._leaves if isinstance(value, str)}
        words = {word for key in keys for word in key}
        words.update(
            word
            for value in values
            if len(value) <= _LONGEST_STATE
            for word in words_of(value)
        )
        return frozenset(map(stem, words))

    @cached_property
    def has_price(self) -> bool:
        """Whether its records contain the price of something."""
        return not self.keys.isdisjoint(_PRICES)

    @cached_property
    def speaks_of_money(self) -> bool:
        """Whether a key of its records names money."""
        return any(PAYS.search("_".join(key)) for key, _ in self._leaves)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The words of the keys of its records."""
        return frozenset(word for key, _ in self._leaves for word in key)

    def flags(self, deeds: frozenset[RecordDeed]) -> frozenset[str]:
        """Return the stems of keys that say whether something is on.

        Those that contradict the result of some actions are left out: a record with
        `"roaming": "off"` does not confirm that roaming was switched on.
        """
        switches = deeds & SWITCHES
        return frozenset(
            key_stem
            for key, value in self._leaves
            if (isinstance(value, bool) or not _FLAGS.isdisjoint(map(stem, key)))
            and _says(key, value) != switches
            for key_stem in map(stem, key)
        )

    @cached_property
    def is_offer(self) -> bool:
        """Whether it showed offers for everyone, and not a person's own records."""
        name = map(stem, words_of(self.call.call.tool))
        return not _SEARCHES.isdisjoint(name) and self.keys.isdisjoint(_OF_SOMEBODY)

    @cached_property
    def records(self) -> frozenset[str]:
        """The stems of the kinds of its records: `reservation`, by key or tool name."""
        if not self.call.call.output.strip(" \n[]{}"):
            return frozenset()
        record_stems = {
            stem(key[0])
            for key, _ in self._leaves
            if len(key) > 1 and key[-1] in _NAMES_RECORDS and key[0] != "number"
        }
        name = [stem(word) for word in words_of(self.call.call.tool)]
        if _SEARCHES.isdisjoint(name):
            record_stems.update(
                word_stem for word_stem in name if word_stem not in LOOKS
            )
        return frozenset(record_stems)

    def beside(self, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the ids of the records with most of some names, and of related rows.

        Related rows are in the same list: the name of a pupil does not identify the
        lessons. Both are empty if no record has a name, or every record has as many.
        """
        counts = [len(names & part.words) for part in self._parts]
        most = max(counts, default=0)
        if most == 0 or min(counts) == most:
            return frozenset(), frozenset()
        best_places = [
            part.place
            for part, count in zip(self._parts, counts, strict=True)
            if count == most
        ]
        record_ids: set[str] = set()
        kin_ids: set[str] = set()
        for part in self._parts:
            place = part.place
            is_nested = any(
                place[: len(best)] == best or best[: len(place)] == place
                for best in best_places
            )
            if is_nested:
                record_ids.update(part.ids)
            elif any(_are_rows(place, best) for best in best_places):
                kin_ids.update(part.ids)
        return frozenset(record_ids), frozenset(kin_ids - record_ids)

    def words_beside(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the stems of the texts of records that have one of some ids."""
        if self.data is not None or self._parts:
            return frozenset[str]().union(
                *(
                    part.words
                    for part in self._parts
                    if any(id_ in part.text for id_ in ids)
                )
            )
        words: set[str] = set()
        for id_ in ids:
            place = self.upper.find(id_)
            if place >= 0:
                near = self.upper[max(0, place - _BESIDE) : place + _BESIDE]
                words.update(map(stem, words_of(near.lower())))
        return frozenset(words)

    def has_both(self, id_: str, input_ids: frozenset[str]) -> bool:
        """Return whether one record has an id, and another id of a call's input."""
        id_ = id_.strip("#")
        if id_ not in self.upper:
            # The record that was looked up by an id has that id.
            known = (
                id_ in str(value).upper() for value in self.call.call.input.values()
            )
            return (
                any(known) and len(self.upper) <= _RECORD_TEXT and self._has(input_ids)
            )
        if self.data is None and not self._parts:
            return len(self.upper) <= _RECORD_TEXT and self._has(input_ids)
        return any(
            id_ in part.ids and not input_ids.isdisjoint(part.ids)
            for part in self._parts
        )

    def _has(self, ids: Iterable[str]) -> bool:
        return any(
            id_ in self.upper if len(id_) > _SHORT_ID else self._says(id_)
            for id_ in ids
            if any(map(str.isdigit, id_))
        )

    def _says(self, word: str) -> bool:
        return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.upper))

    @cached_property
    def _parts(self) -> Sequence[_Part]:
        """Its records by place: the stems of their texts, and their ids."""
        if self.data is None:
            lines = self.call.call.output[:_TEXT_LIMIT].splitlines()
            parts = [
                _Part((at,), (line[:_LONGEST_NAME],), {})
                for at, line in enumerate(lines)
                if line
            ]
            # Lines without ids are one record.
            return parts if sum(bool(x.ids) for x in parts) > len(parts) / 2 else []
        records: list[_Part] = []
        stack: list[tuple[tuple[int, ...], object]] = [((), self.data)]
        while stack and len(records) < _MOST_PARTS:
            place, item = stack.pop()
            if len(place) > _MOST_DEPTH:
                continue
            if isinstance(item, dict):
                values = list(item.values())
            elif isinstance(item, list):
                values = item
            else:
                continue
            are_rows = isinstance(item, list) or all(
                map(_HAS_DIGIT.search, map(str, item))
            )
            stack += [
                ((*place, at if are_rows else ~at), child)
                for at, child in enumerate(values)
                if isinstance(child, (dict, list))
            ]
            if isinstance(item, dict):
                texts = [str(value) for value in values if isinstance(value, str | int)]
                # A flag does not name the object of its record: `"roaming": false`.
                keys = [key for key in item if not isinstance(item[key], bool | float)]
                short = [text[:_LONGEST_NAME] for text in (*map(str, keys), *texts)]
                records.append(_Part(place, short, item))
        return records

    @cached_property
    def data(self) -> object:
        """Its output as JSON; None if it is not JSON, or too long."""
        return records_in(self.call.call.output)

    @cached_property
    def _leaves(self) -> Sequence[tuple[tuple[str, ...], object]]:
        leaves: list[tuple[tuple[str, ...], object]] = []
        stack: list[tuple[tuple[str, ...], object, int]] = [((), self.data, 0)]
        while stack and len(leaves) < _MOST_LEAVES:
            key, item, depth = stack.pop()
            if isinstance(item, dict) and depth < _MOST_DEPTH:
                stack += [(words_of(str(k)), v, depth + 1) for k, v in item.items()]
            elif isinstance(item, list) and depth < _MOST_DEPTH:
                stack += [(key, child, depth + 1) for child in item]
                if item and isinstance(item[0], dict):
                    leaves.append((key, True))
            else:
                leaves.append((key, item))
        return leaves


def records_in(output: str) -> object:
    """Read an output as JSON; None if it is no object or list, or too long."""
    is_json = len(output) <= _OUTPUT_LIMIT and output.lstrip()[:1] in {"{", "["}
    return read_json(output) if is_json else None


def lists_in(data: object) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Yield the records of each list in a value."""
    stack: list[tuple[object, int]] = [(data, 0)]
    while stack:
        item, depth = stack.pop()
        if depth >= _DEEPEST_LIST:
            continue
        if isinstance(item, dict):
            children: Iterable[object] = item.values()
        elif isinstance(item, list):
            rows = [child for child in item if isinstance(child, dict)]
            if rows:
                yield rows
            children = item
        else:
            continue
        stack += [(one, depth + 1) for one in children if isinstance(one, (dict, list))]


def _states(leaves: Iterable[tuple[tuple[str, ...], object]]) -> frozenset[RecordDeed]:
    """Return the actions in the states among some leaves."""
    deeds: set[RecordDeed] = set()
    for key, value in leaves:
        if key[-1:] in {("status",), ("state",)} and isinstance(value, str):
            words = words_of(value)
            deeds |= deeds_of(words)
            deeds.update(*(NOUNS.get(stem(word), ()) for word in words))
    return frozenset(deeds - {RecordDeed.ANY})


_TEXT_LIMIT = 40_000
_RECORD_TEXT = 4_000
_SHORT_ID = 2
_BESIDE = 300
_MOST_PARTS = 1_000
_DEEPEST_LIST = 12
_LONGEST_NAME = 200
_ID = re.compile(r"(?!\d{4}-\d\d-\d\d)[A-Za-z0-9][\w-]{2,63}")
_NO: Sequence[object] = (None, False, "", "false", "False", "no", "No", "none", 0)


def look_ups(calls: Iterable[Call], doing: Iterable[RecordCall]) -> tuple[LookUp, ...]:
    """Return the calls of a run that showed something, in order.

    Calls with a known action are left out: `loans(card)` may have looked.
    """
    acting = {call.index for call in doing if call.deeds != UNTOLD}
    return tuple(
        LookUp(call) for call in calls if call.succeeded and call.index not in acting
    )


def _says(key: Sequence[str], value: object) -> frozenset[RecordDeed]:
    """Return the action whose opposite a flag states: enabling, for `"roaming": "off"`.

    Empty if its value is neither yes nor no. `"locked": false` means unlocked.
    """
    text = str(value).casefold()
    if text not in _SAYS_NO and text not in _SAYS_YES:
        return frozenset()
    off = any(VERBS.get(stem(word), frozenset()) & SWITCHES == OFF for word in key)
    contrary = (
        RecordDeed.ENABLE if (text in _SAYS_NO) is not off else RecordDeed.DISABLE
    )
    return frozenset({contrary})


_SAYS_NO = frozenset({"false", "off", "no", "none", "disabled", "inactive"})
_SAYS_YES = frozenset({"true", "on", "yes", "enabled", "active"})


_HAS_DIGIT = re.compile(r"\d")


def _are_rows(place: Sequence[int], other_place: Sequence[int]) -> bool:
    """Whether two places differ at a list, and not at the fields of a record."""
    difference = next(
        pair for pair in zip(place, other_place, strict=False) if pair[0] != pair[1]
    )
    return min(difference) >= 0
