"""Rows of a shown list, distinguished by values that only one of them has.

"I blocked the card ending in 4417" means the row with 4417. A call with the id of
another row of that list did something else.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.look_ups import LookUp, lists_in
from verifyhub.engine.text.quantity_words import MONTH, WEEKDAY
from verifyhub.engine.text.tokens import word_set

_MOST_ROWS = 400
_MOST_FIELDS = 24
_SHORTEST, _LONGEST = 3, 60
_TOKEN = re.compile(r"[^\W_]+(?:[-_][^\W_]+)*")
# Values that many things have, such as a state, and that are no names.
_SAY_STATE = word_set("status state stage condition date time created updated day")
_SAY_NAME = word_set("name label title nickname alias kind type")


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a single row; `exact` names are written with a capital."""

    text: str
    rows: tuple[int, int]
    exact: bool


class KinRows:
    """The rows of the lists that look-ups showed.

    Args:
        looks: The look-ups of a run.
    """

    def __init__(self, looks: Iterable[LookUp]) -> None:
        self._by_token: dict[str, list[_Value]] = {}
        self._words: dict[str, set[tuple[int, int]]] = {}
        self._known: dict[str, set[tuple[int, int]]] = {}
        self._sizes: list[int] = []
        self._stated: dict[str, tuple[_Value, ...]] = {}
        for number, rows in enumerate(_groups(looks)):
            self._sizes.append(len(rows))
            self._add(number, rows)

    def _add(self, group: int, rows: Sequence[Mapping[str, str]]) -> None:
        value_counts = Counter(
            value
            for row in rows
            for value in {text.casefold() for text in row.values()}
        )
        row_words = [
            {word for text in row.values() for word in _names(text)} for row in rows
        ]
        word_counts = Counter(word for words in row_words for word in words)
        for at, row in enumerate(rows):
            place = (group, at)
            for key, text in row.items():
                if value_counts[text.casefold()] == 1:
                    self._known.setdefault(text.casefold(), set()).add(place)
                    self._add_value(key, text, place)
            for word in row_words[at]:
                if word_counts[word] == 1:
                    self._words.setdefault(word, set()).add(place)

    def _add_value(self, key: str, text: str, place: tuple[int, int]) -> None:
        is_name = not _SAY_NAME.isdisjoint(words_of(key)[-1:])
        has_digit = any(map(str.isdigit, text))
        if not (is_name or has_digit or text[:1].isupper()):
            return
        first = _TOKEN.search(text)
        if first is not None:
            exact = not is_name and not has_digit
            value = _Value(text if exact else text.casefold(), place, exact)
            self._by_token.setdefault(first[0].casefold(), []).append(value)

    def is_of_other(
        self, object_text: str, inputs: Collection[str], output: str
    ) -> bool:
        """Whether the input of a call is of another row than the mentioned one.

        Args:
            object_text: The text of the answer about the call's object.
            inputs: The input of the call, whole and in pieces, folded.
            output: The output of the call, folded.
        """
        if not self._by_token:
            return False
        stated_rows = {
            value.rows
            for value in self._stated_in(object_text)
            if value.text not in output
        }
        if not stated_rows:
            return False
        given_rows = {place for value in inputs for place in self._known.get(value, ())}
        groups = {group for group, _ in stated_rows} & {
            group for group, _ in given_rows
        }
        if not groups:
            return False
        near = {
            place for word in _names(object_text) for place in self._words.get(word, ())
        }
        return not any(
            place in given_rows for place in stated_rows | near if place[0] in groups
        )

    def is_of_other_named(
        self, object_text: str, inputs: Collection[str], output: str
    ) -> bool:
        """Whether a name that only one row has is of another row than a call's.

        Args:
            object_text: The words of the call's object in the answer.
            inputs: The input of the call, whole and in parts, folded.
            output: The output of the call, folded.
        """
        if not self._words:
            return False
        words = [word for word in _names(object_text) if word.isalpha()]
        named_rows = {place for word in words for place in self._words.get(word, ())}
        if len(named_rows) != 1:
            return False
        said = f"{output} {' '.join(inputs)}"
        if any(word in said for word in words):
            return False
        given_rows = {place for value in inputs for place in self._known.get(value, ())}
        (named_group, _), *_ = named_rows
        return named_rows.isdisjoint(given_rows) and any(
            group == named_group for group, _ in given_rows
        )

    def is_near(self, object_text: str, inputs: Collection[str]) -> bool:
        """Whether a call was given the row that has a word which a text names."""
        given_rows = {place for value in inputs for place in self._known.get(value, ())}
        return any(
            not given_rows.isdisjoint(self._words.get(word, ()))
            for word in _names(object_text)
        )

    def are_fewer(self, inputs: Iterable[Collection[str]], count: int) -> bool:
        """Whether calls had rows of one list as input, but fewer than the answer says.

        Args:
            inputs: The input of each call, folded.
            count: The number of rows in the answer.
        """
        rows = [
            {place for value in values for place in self._known.get(value, ())}
            for values in inputs
        ]
        groups = {group for places in rows for group, _ in places}
        if len(groups) != 1 or not all(rows):
            return False
        given_rows = frozenset[tuple[int, int]]().union(*rows)
        return len(given_rows) < count <= self._sizes[next(iter(groups))]

    def names(self, text: str, ids: Iterable[str]) -> bool:
        """Whether a text has a word that only one row has.

        Where some ids are of rows, that is one of their list.
        """
        groups = {
            group for id_ in ids for group, _ in self._known.get(id_.casefold(), ())
        }
        named_rows = (
            place for word in _names(text) for place in self._words.get(word, ())
        )
        return any(not groups or group in groups for group, _ in named_rows)

    def _stated_in(self, text: str) -> tuple[_Value, ...]:
        """Return the values that a text states; every call is asked of one text."""
        if text not in self._stated:
            self._stated[text] = tuple(self._stated_values(text))
        return self._stated[text]

    def _stated_values(self, text: str) -> Iterator[_Value]:
        folded = text.casefold()
        for match in _TOKEN.finditer(text):
            token = match[0].casefold()
            for value in self._by_token.get(token, ()):
                searched = text if value.exact else folded
                end = match.start() + len(value.text)
                if searched[match.start() : end] == value.text and not (
                    searched[end : end + 1].isalnum()
                ):
                    yield value


@lru_cache(maxsize=256)
def _names(text: str) -> tuple[str, ...]:
    """Return the words of a text that are written as names, or have a digit."""
    names: list[str] = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        if len(word) >= _SHORTEST and (
            word[0].isupper() or any(map(str.isdigit, word))
        ):
            folded = word.casefold()
            if folded not in MONTH and folded not in WEEKDAY:
                names.append(folded)
    return tuple(names)


def _groups(looks: Iterable[LookUp]) -> Iterator[Sequence[Mapping[str, str]]]:
    """Yield the lists of records, and the records that one tool showed one by one."""
    remaining = _MOST_ROWS
    alone: dict[tuple[str, object], list[Mapping[str, str]]] = {}
    for look in looks:
        data = look.data
        if isinstance(data, Mapping):
            # What one tool shows of records of two kinds begins with other fields.
            kind = (look.call.call.tool, next(iter(data), None))
            alone.setdefault(kind, []).append(_row(data))
        for rows in lists_in(data):
            if len(rows) == 1:
                continue
            if remaining < len(rows):
                return
            remaining -= len(rows)
            yield [_row(record) for record in rows]
    yield from (rows for rows in alone.values() if len(rows) > 1)


def _row(record: Mapping[str, object]) -> Mapping[str, str]:
    """Return the short texts and the ids of a record by their keys."""
    row: dict[str, str] = {}
    for key, value in list(record.items())[:_MOST_FIELDS]:
        words = words_of(str(key))
        if not _SAY_STATE.isdisjoint(words[-1:]):
            continue
        if isinstance(value, str) and _is_telling(value, words):
            row[str(key)] = value
    return row


def _is_telling(text: str, key: Sequence[str]) -> bool:
    if len(text) > _LONGEST or _DATE.match(text):
        return False
    is_id = key[-1:] in (("id",), ("ref",), ("key",), ("code",))
    return len(text) >= _SHORTEST or is_id


_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?:\d\d")
