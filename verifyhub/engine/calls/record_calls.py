"""Calls that do something to a record: which deed, to what, and how it ended."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import (
    NOUNS,
    THINGS,
    VERBS,
    RecordDeed,
    deeds_of,
    stem,
    stems,
    words_of,
)
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set

# Fields in which a tool that does many things is told which.
_SAYS_WHAT = word_set(
    "action operation method endpoint path url function event type mutation query"
)
_STATE_FIELDS = word_set("status state newstatus orderstatus")
_ID = re.compile(r"[A-Za-z0-9][\w-]{2,63}")
_ID_WORDS = frozenset({"id", "ids", "number", "code", "key", "no", "reference"})
_CAPITALS = re.compile(r"\b[A-Z]{5,}\b")
_INPUT_LIMIT = 20_000
_OUTPUT_LIMIT = 40_000
_MOST_LEAVES = 500
_MOST_DEPTH = 12
_NUMBER = re.compile(r"\d[\d,]{0,14}(?:\.\d{1,4})?")
_PAYS = re.compile(r"pay|refund|charge|price|amount|card|fee|cost|balance|credit", re.I)
# An answer in words that tells why nothing was done.
_REFUSES = re.compile(
    r"\s*+(?:\"|')?(?:[^\n]{0,80}?\b)?(?:error|failed|failure|unable|denied|declined"
    r"|rejected|invalid|timed? ?out|not (?:found|allowed|permitted|possible|eligible"
    r"|available|authori[sz]ed|supported|be (?:found|completed|processed|made))"
    r"|(?:cannot|can ?not|can't|could not|couldn't|did not|didn't|was not|wasn't)"
    r" (?:be )?\w+|no such|insufficient|forbidden|unauthori[sz]ed|unavailable)\b",
    re.IGNORECASE,
)
_REFUSING_FIELDS = word_set("error errors errormessage failurereason exception")
_WORDS_LIMIT = 300
_EDITS = frozenset(
    {
        ToolKind.READ, ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE, ToolKind.LIST,
        ToolKind.SEARCH, ToolKind.SHELL, ToolKind.NOTE, ToolKind.AGENT,
    }
)  # fmt: skip
_EMPTY = frozenset({"no", "none", "false", "0", "", "null"})
# What a tool gets hold of by its name: `GetRide` calls a car, `get_order` looks.
_ACQUIRED = stems("ride cab taxi ticket car")


@dataclass(frozen=True, kw_only=True)
class RecordCall:
    """One call that does, or tries to do, something to a record.

    `deeds` are what it does by its name and arguments; `words` those of its name.
    `acquires`: its name alone could also be that of a look-up.
    """

    call: Call
    deeds: frozenset[RecordDeed]
    words: tuple[str, ...]
    acquires: bool = False

    @property
    def index(self) -> int:
        return self.call.index

    @cached_property
    def failed(self) -> bool:
        """Whether it is known not to have done its work."""
        if self.call.failed or not self.call.succeeded:
            return True
        output = self.call.call.output[:_WORDS_LIMIT].strip()
        if output[:1] in {"{", "["}:
            return _says_error(self.call.call.output)
        return bool(_REFUSES.match(output))

    @cached_property
    def given(self) -> tuple[tuple[str, str], ...]:
        """The fields and values of its input, values that say "none" left out."""
        return tuple(
            (field, value)
            for field, value in leaves(self.call.call.input)
            if value.strip().lower() not in _EMPTY
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its name, and of its input's fields and values."""
        texts = [word for field, _ in self.given for word in words_of(field)]
        texts += [
            word for _, value in self.given for word in words_of(value[:_WORDS_LIMIT])
        ]
        return frozenset(map(stem, (*self.words, *texts)))

    @cached_property
    def things(self) -> frozenset[int]:
        """The known things that its name or input speaks of."""
        return frozenset(THINGS[one] for one in self.stems if one in THINGS)

    @cached_property
    def given_ids(self) -> frozenset[str]:
        """What its input names, piece by piece, in upper case."""
        text = "\n".join(value for _, value in self.given)[:_INPUT_LIMIT]
        return _ids(text)

    @cached_property
    def nameless(self) -> bool:
        """Whether its input names no record, so that it may be any."""
        return not any(
            bool(_ID_WORDS.intersection(words_of(field)[-1:]))
            or (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))
            or bool(_CAPITALS.search(value))
            for field, value in self.given
        )

    @cached_property
    def returned_ids(self) -> frozenset[str]:
        """What its output names, piece by piece, in upper case."""
        return _ids(self.call.call.output[:_OUTPUT_LIMIT])

    @cached_property
    def amounts(self) -> frozenset[float]:
        """The numbers of its input and output."""
        text = "\n".join(value for _, value in self.given)[:_INPUT_LIMIT]
        found = _NUMBER.findall(text + "\n" + self.call.call.output[:_OUTPUT_LIMIT])
        return frozenset(float(one.replace(",", "")) for one in found)

    def shows(self, deeds: frozenset[RecordDeed]) -> bool:
        """Whether its input or output speaks of one of some deeds."""
        return not self._spoken.isdisjoint(deeds)

    @cached_property
    def _spoken(self) -> frozenset[RecordDeed]:
        words = words_of(self.call.call.output[: _WORDS_LIMIT * 10])
        found = {*map(stem, words), *self.stems}
        return frozenset[RecordDeed]().union(
            *(table[one] for table in (VERBS, NOUNS) for one in found if one in table)
        )

    @cached_property
    def pays(self) -> bool:
        """Whether money is spoken of in its input's fields or in its output."""
        fields = any(_PAYS.search(field) for field, _ in self.given)
        return fields or bool(_PAYS.search(self.call.call.output[:_OUTPUT_LIMIT]))


def record_calls(calls: Sequence[Call]) -> tuple[RecordCall, ...]:
    """Return the calls of a run that do something to a record, in order."""
    return tuple(_read(calls))


def _read(calls: Sequence[Call]) -> Iterator[RecordCall]:
    for entry in calls:
        if entry.command is not None:
            yield from _by_command(entry)
            continue
        if entry.kind in _EDITS:
            continue
        words = words_of(entry.call.tool.rpartition("__")[2])
        deeds = deeds_of(words)
        told = _told(entry.call.input)
        deeds |= told
        acquires = (
            not deeds and words[:1] == ("get",) and (stem(words[-1]) in _ACQUIRED)
        )
        if acquires:
            deeds = frozenset({RecordDeed.BOOK})
        if deeds:
            yield RecordCall(call=entry, deeds=deeds, words=words, acquires=acquires)


# Words of a command in which its program is told what to do.
_COMMAND_WORDS = 5


def _by_command(entry: Call) -> Iterator[RecordCall]:
    """Yield a command that names a deed: `gh run cancel 17`, `shop orders refund`."""
    for part in entry.commands:
        words = [
            word for word in part.bare_words[:_COMMAND_WORDS] if _PLAIN.match(word)
        ]
        deeds = deeds_of(word for one in words for word in words_of(one))
        deeds -= {RecordDeed.ANY}
        if deeds and not part.looks:
            yield RecordCall(call=entry, deeds=deeds, words=tuple(words))
            return


_PLAIN = re.compile(r"[a-z]+(?:[-:][a-z]+)*$")


def _told(given: Mapping[str, Any]) -> frozenset[RecordDeed]:
    """Return the deeds that an input names: `action="cancel"`, `status="cancelled"`."""
    deeds: frozenset[RecordDeed] = frozenset()
    for field, value in given.items():
        if not isinstance(value, str) or len(value) > _WORDS_LIMIT:
            continue
        key = "".join(words_of(field))
        if key in _SAYS_WHAT or key in _STATE_FIELDS:
            deeds |= deeds_of(words_of(value)) - {RecordDeed.ANY}
    return deeds


def leaves(value: object) -> Iterator[tuple[str, str]]:
    """Yield the last field's name and the value of each leaf, bounded."""
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    count = 0
    while stack and count < _MOST_LEAVES:
        field, item, depth = stack.pop()
        if isinstance(item, Mapping) and depth < _MOST_DEPTH:
            stack += [(str(key), one, depth + 1) for key, one in item.items()]
        elif isinstance(item, list | tuple) and depth < _MOST_DEPTH:
            stack += [(field, one, depth + 1) for one in item]
        elif isinstance(item, str | int | float):
            count += 1
            yield field, str(item)


def _ids(text: str) -> frozenset[str]:
    return frozenset(match.upper() for match in _ID.findall(text))


def _says_error(text: str) -> bool:
    if len(text) > _OUTPUT_LIMIT:
        return False
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(data, Mapping):
        return False
    return any(
        "".join(words_of(str(key))) in _REFUSING_FIELDS and bool(value)
        for key, value in data.items()
    )
