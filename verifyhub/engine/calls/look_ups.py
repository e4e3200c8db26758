"""Calls that only looked: what the records they showed tell of their own state.

"It was booked on May 4" is a fact of such a record, and no work of the agent.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
from verifyhub.engine.calls.record_calls import RecordCall
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set

_OUTPUT_LIMIT = 200_000
_MOST_LEAVES = 4_000
_MOST_DEPTH = 16
# A text of a record that is longer describes, and is no state.
_LONGEST_STATE = 60
# A key that names records: `reservation_id`, `payment_history`.
_NAMES_RECORDS = word_set("id ids number no ref reference code history key uuid")
# What looks among what there is for all, and not at what somebody has.
_SEARCHES = stems(
    """
    search find query browse suggest recommend quote check compare available
    availability slot option offer
    """
)
_PRICES = word_set("price total fare amount paid payment cost sum")
# Keys of states that are neither a participle nor called one.
_FLAGS = stems("enable active lock block suspend freeze pause roam status state power")


class _Part(NamedTuple):
    """A record of an output: place, stems, ids, texts in upper case, and states.

    The steps of its place are negative below a field, else they count alike records.
    """

    place: tuple[int, ...]
    words: frozenset[str]
    ids: frozenset[str]
    text: str
    states: frozenset[RecordDeed] = frozenset()


@dataclass(frozen=True)
class LookUp:
    """What one call showed without doing anything."""

    call: Call

    @property
    def index(self) -> int:
        return self.call.index

    @cached_property
    def upper(self) -> str:
        """Its output in upper case, as far as it is read."""
        return self.call.call.output[:_OUTPUT_LIMIT].upper()

    @cached_property
    def states(self) -> frozenset[RecordDeed]:
        """The deeds that a status of a record tells: `"status": "cancelled"`."""
        return _states(self._leaves)

    def states_of(self, ids: Sequence[str]) -> frozenset[RecordDeed]:
        """Return the deeds that the states of the records with some ids tell."""
        parts = [part for part in self._parts if not part.ids.isdisjoint(ids)]
        own = frozenset[RecordDeed]().union(*(part.states for part in parts))
        return own if parts else self.states

    @cached_property
    def told(self) -> frozenset[str]:
        """The stems by which its records tell how they stand.

        Those of short texts, and of keys whose value is not false or empty:
        `created_at`, `"locked": true`. Of what is no JSON, those of all words.
        """
        if self.data is None:
            text = self.call.call.output[:_OUTPUT_LIMIT]
            return frozenset(map(stem, words_of(text)))
        # Rows of a table say the same again and again.
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
        """Whether its records tell what something came to."""
        return not self.keys.isdisjoint(_PRICES)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The words of the keys of its records."""
        return frozenset(word for key, _ in self._leaves for word in key)

    def flags(self, deeds: frozenset[RecordDeed]) -> frozenset[str]:
        """Return the stems of keys that say whether something is on.

        Those that say the contrary of what some deeds bring about are left out: a
        record with `"roaming": "off"` tells of no roaming that was switched on.
        """
        wanted = deeds & SWITCHES
        return frozenset(
            one
            for key, value in self._leaves
            if not _FLAGS.isdisjoint(map(stem, key)) and _says(key, value) != wanted
            for one in map(stem, key)
        )

    @cached_property
    def records(self) -> frozenset[str]:
        """The stems of what its records are: `reservation`, from key or tool name."""
        if not self.call.call.output.strip(" \n[]{}"):
            return frozenset()
        found = {
            stem(key[0])
            for key, _ in self._leaves
            if len(key) > 1 and key[-1] in _NAMES_RECORDS and key[0] != "number"
        }
        name = [stem(word) for word in words_of(self.call.call.tool)]
        if _SEARCHES.isdisjoint(name):
            found.update(one for one in name if one not in LOOKS)
        return frozenset(found)

    def beside(self, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the ids of the records that have most of some names, and of their kin.

        Kin are rows of one list: a pupil's name says nothing of the lessons beside it.
        Both are empty where no record has one, or every record has as many.
        """
        counts = [len(names & part.words) for part in self._parts]
        most = max(counts, default=0)
        if most == 0 or min(counts) == most:
            return frozenset(), frozenset()
        named = [
            part.place
            for part, count in zip(self._parts, counts, strict=True)
            if count == most
        ]
        mine: set[str] = set()
        others: set[str] = set()
        for part in self._parts:
            place = part.place
            kin = any(
                place[: len(one)] == one or one[: len(place)] == place for one in named
            )
            if kin:
                mine.update(part.ids)
            elif any(_are_rows(place, one) for one in named):
                others.update(part.ids)
        return frozenset(mine), frozenset(others - mine)

    def words_beside(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the stems of the texts of records that have one of some ids."""
        if self.data is not None or self._parts:
            return frozenset[str]().union(
                *(
                    part.words
                    for part in self._parts
                    if any(one in part.text for one in ids)
                )
            )
        found: set[str] = set()
        for one in ids:
            place = self.upper.find(one)
            if place >= 0:
                near = self.upper[max(0, place - _BESIDE) : place + _BESIDE]
                found.update(map(stem, words_of(near.lower())))
        return frozenset(found)

    def has_both(self, id_: str, given: frozenset[str]) -> bool:
        """Whether one record of it has an id beside another that a call was given."""
        id_ = id_.strip("#")
        if id_ not in self.upper:
            # What was looked up by an id is the record that has it.
            known = (id_ in str(one).upper() for one in self.call.call.input.values())
            return any(known) and len(self.upper) <= _RECORD_TEXT and self._has(given)
        if self.data is None and not self._parts:
            return len(self.upper) <= _RECORD_TEXT and self._has(given)
        return any(
            id_ in part.ids and not given.isdisjoint(part.ids) for part in self._parts
        )

    def _has(self, given: Iterable[str]) -> bool:
        return any(
            one in self.upper if len(one) > _SHORT_ID else self._says(one)
            for one in given
            if any(map(str.isdigit, one))
        )

    def _says(self, word: str) -> bool:
        return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", self.upper))

    @cached_property
    def _parts(self) -> Sequence[_Part]:
        """Its records, each by its place: the stems of its texts, and its ids."""
        if self.data is None:
            lines = self.call.call.output[:_TEXT_LIMIT].splitlines()
            parts = [_part((at,), (line,)) for at, line in enumerate(lines) if line]
            # Lines that have no ids of their own are one record.
            return parts if sum(bool(x.ids) for x in parts) > len(parts) / 2 else []
        found: list[_Part] = []
        stack: list[tuple[tuple[int, ...], object]] = [((), self.data)]
        while stack and len(found) < _MOST_PARTS:
            place, item = stack.pop()
            if len(place) > _MOST_DEPTH:
                continue
            if isinstance(item, Mapping):
                values = list(item.values())
            elif isinstance(item, list):
                values = item
            else:
                continue
            alike = isinstance(item, list) or all(
                map(_HAS_DIGIT.search, map(str, item))
            )
            stack += [
                ((*place, at if alike else ~at), one)
                for at, one in enumerate(values)
                if isinstance(one, Mapping | list)
            ]
            if isinstance(item, Mapping):
                texts = [str(one) for one in values if isinstance(one, str | int)]
                # What a record has or has not is not what it is of: `"roaming": false`.
                keys = [key for key in item if not isinstance(item[key], bool | float)]
                part = _part(place, (*map(str, keys), *texts))
                own = ((words_of(str(key)), one) for key, one in item.items())
                found.append(part._replace(states=_states(own)))
        return found

    @cached_property
    def data(self) -> object:
        """What its output is as JSON; None for what is none, or too long."""
        text = self.call.call.output
        if len(text) > _OUTPUT_LIMIT or text.lstrip()[:1] not in {"{", "["}:
            return None
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None

    @cached_property
    def _leaves(self) -> Sequence[tuple[tuple[str, ...], object]]:
        leaves: list[tuple[tuple[str, ...], object]] = []
        stack: list[tuple[tuple[str, ...], object, int]] = [((), self.data, 0)]
        while stack and len(leaves) < _MOST_LEAVES:
            key, item, depth = stack.pop()
            if isinstance(item, Mapping) and depth < _MOST_DEPTH:
                stack += [(words_of(str(k)), v, depth + 1) for k, v in item.items()]
            elif isinstance(item, list) and depth < _MOST_DEPTH:
                stack += [(key, one, depth + 1) for one in item]
                if item and isinstance(item[0], Mapping):
                    leaves.append((key, True))
            else:
                leaves.append((key, item))
        return leaves


def _states(leaves: Iterable[tuple[tuple[str, ...], object]]) -> frozenset[RecordDeed]:
    """Return the deeds that the states among some leaves tell."""
    found: set[RecordDeed] = set()
    for key, value in leaves:
        if key[-1:] in {("status",), ("state",)} and isinstance(value, str):
            words = words_of(value)
            found |= deeds_of(words)
            found.update(*(NOUNS.get(stem(word), ()) for word in words))
    return frozenset(found - {RecordDeed.ANY})


def _part(place: tuple[int, ...], texts: Iterable[str]) -> _Part:
    short = [text[:_LONGEST_NAME] for text in texts]
    words = frozenset(stem(word) for text in short for word in words_of(text))
    text = "\n".join(short).upper()
    ids = frozenset(one for one in _ID.findall(text) if any(map(str.isdigit, one)))
    return _Part(place, words, ids, text)


_TEXT_LIMIT = 40_000
_RECORD_TEXT = 4_000
_SHORT_ID = 2
_BESIDE = 300
_MOST_PARTS = 1_000
_LONGEST_NAME = 200
_ID = re.compile(r"(?!\d{4}-\d\d-\d\d)[A-Za-z0-9][\w-]{2,63}")
_NO: Sequence[object] = (None, False, "", "false", "False", "no", "No", "none", 0)


_UNTOLD = frozenset({RecordDeed.OTHER})


def look_ups(calls: Iterable[Call], doing: Iterable[RecordCall]) -> tuple[LookUp, ...]:
    """Return the calls of a run that showed something, in order.

    Those that are known to do something are left out: `loans(card)` may have looked.
    """
    did = {one.index for one in doing if one.deeds != _UNTOLD}
    return tuple(LookUp(one) for one in calls if one.succeeded and one.index not in did)


def _says(key: Sequence[str], value: object) -> frozenset[RecordDeed]:
    """Return the deed whose contrary a flag says: of `"roaming": "off"` to enable.

    Empty where its value is neither yes nor no. `"locked": false` is unlocked.
    """
    said = str(value).casefold()
    if said not in _SAYS_NO and said not in _SAYS_YES:
        return frozenset()
    off = any(VERBS.get(stem(one), frozenset()) & SWITCHES == OFF for one in key)
    contrary = (
        RecordDeed.ENABLE if (said in _SAYS_NO) is not off else RecordDeed.DISABLE
    )
    return frozenset({contrary})


_SAYS_NO = frozenset({"false", "off", "no", "none", "disabled", "inactive"})
_SAYS_YES = frozenset({"true", "on", "yes", "enabled", "active"})


_HAS_DIGIT = re.compile(r"\d")


def _are_rows(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two places part at a list, and not at the fields of a record."""
    parted = next(pair for pair in zip(one, other, strict=False) if pair[0] != pair[1])
    return min(parted) >= 0
