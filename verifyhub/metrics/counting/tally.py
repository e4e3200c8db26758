"""Additive counts: those of two periods can be summed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import add
from typing import Any

from verifyhub.metrics.counting.answers_sql import OF_ANSWERS
from verifyhub.metrics.counting.decisions_sql import OF_ACTS, OF_DECIDED

Key = tuple[str, ...]
# Maximum rows of a section, since agents may use a new name each time.
MAX_KEYS = 400
REST = "\N{HORIZONTAL ELLIPSIS}"
# The names of the numbers of each row, in order, by section.
MEASURES: dict[str, tuple[str, ...]] = {
    # Names without evidence that are not stored by name, and their answers in total.
    "unlisted": ("names", "answers"),
    **{one.name: tuple(one.numbers) for one in (*OF_ANSWERS, *OF_DECIDED, *OF_ACTS)},
}


def rest_of(key: Key) -> Key:
    """Return the key for the sum of rare rows like this one."""
    return (REST,) * len(key)


class RowCounts:
    """The numbers of one row, by name."""

    __slots__ = ("_measures", "numbers")

    def __init__(self, section: str, numbers: Sequence[int]) -> None:
        self._measures = MEASURES[section]
        self.numbers = list(numbers)

    def __getitem__(self, measure: str) -> int:
        return self.numbers[self._measures.index(measure)]


class Tally:
    """Rows of numbers by section and key."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[Key, list[int]]] = defaultdict(dict)

    def __bool__(self) -> bool:
        return any(self._rows.values())

    def add(self, section: str, key: Key, numbers: Iterable[int]) -> None:
        """Add the numbers of one row to those already there."""
        rows = self._rows[section]
        sums = rows.get(key)
        if sums is None:
            rows[key] = list(numbers)
            return
        sums[:] = map(add, sums, numbers)

    def include(self, other: "Tally", *only: str) -> None:
        """Add another tally, or some sections of it."""
        for section in only or other._rows:
            sums = self._rows[section]
            for key, numbers in other._rows.get(section, {}).items():
                sum_of_key = sums.get(key)
                if sum_of_key is None:
                    sums[key] = numbers.copy()
                else:
                    sum_of_key[:] = map(add, sum_of_key, numbers)

    def without(self, other: "Tally") -> None:
        """Subtract another tally that was included before."""
        for section, rows in other._rows.items():
            for key, numbers in rows.items():
                sums = self._rows[section]
                # It may have been summed up with other rare rows.
                place = key if key in sums else rest_of(key)
                self.add(section, place, [-number for number in numbers])
                if not any(sums[place]):
                    del sums[place]

    def bound(self) -> None:
        """Merge the rarest rows of sections with more than `MAX_KEYS` rows."""
        for section, rows in self._rows.items():
            if len(rows) <= MAX_KEYS:
                continue
            ordered = sorted(rows.items(), key=lambda row: (-row[1][0], row[0]))
            self._rows[section] = dict(ordered[:MAX_KEYS])
            for key, numbers in ordered[MAX_KEYS:]:
                self.add(section, rest_of(key), numbers)

    def rows(self, section: str) -> Iterator[tuple[Key, RowCounts]]:
        """Return the rows of a section, in no particular order."""
        for key, numbers in self._rows.get(section, {}).items():
            yield key, RowCounts(section, numbers)

    def by(self, section: str, *places: int) -> dict[Key, RowCounts]:
        """Return a section summed over the other parts of the key.

        Args:
            section: The section.
            places: Positions of the parts of the key to keep.
        """
        by_key: dict[Key, RowCounts] = {}
        for key, numbers in self._rows.get(section, {}).items():
            part = tuple(key[place] for place in places)
            sums = by_key.get(part)
            if sums is None:
                by_key[part] = RowCounts(section, numbers)
            else:
                sums.numbers[:] = map(add, sums.numbers, numbers)
        return by_key

    def sum(self, section: str) -> RowCounts:
        """Return the numbers of a section, all rows together."""
        nothing = RowCounts(section, [0] * len(MEASURES[section]))
        return self.by(section).get((), nothing)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values in a fixed order."""
        return {
            section: {
                "numbers": list(MEASURES[section]),
                "rows": sorted([list(key), numbers] for key, numbers in rows.items()),
            }
            for section, rows in sorted(self._rows.items())
            if rows
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Tally":
        """Read the output of `as_json`.

        A number that was added later is 0. Rows stored without names of numbers have
        them in the order of their section.
        """
        tally = cls()
        for section, stored in data.items():
            measures = MEASURES.get(section, ())
            if isinstance(stored, list):
                stored = {"numbers": measures[: len(stored[0][1])], "rows": stored}
            names = stored["numbers"]
            places = [
                names.index(measure) if measure in names else None
                for measure in measures
            ]
            is_current = places == list(range(len(names)))
            tally._rows[section] = {
                tuple(key): numbers
                if is_current
                else [0 if place is None else numbers[place] for place in places]
                for key, numbers in stored["rows"]
            }
        return tally
