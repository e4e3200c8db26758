"""Which object of a list a run acted on: of the rooms that were free, the booked one.

A call that does more than look names it by its id. What the answer says from then on is
said of this object, unless it has a word of another one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

from verifyhub.engine.calls.call import Call
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.values.evidence import input_texts
from verifyhub.engine.values.records import Leaf, Path, Record, writes

# A call, and where in its output a list or a mapping by ids stands.
Container: TypeAlias = tuple[int, Path]
_MOST_GIVEN = 400


class Choices:
    """The objects of lists that later calls acted on.

    Args:
        calls: The calls of the run.
        records: What they returned.
    """

    def __init__(self, calls: Sequence[Call], records: Iterable[Record]) -> None:
        self._calls = calls
        self._records = records

    def chosen(self, leaf: Leaf) -> tuple[Record, Leaf] | None:
        """Return the object that a leaf lies in, and what the chosen one has there.

        None where its list holds no chosen object or several, where the leaf lies in
        the chosen one, and where both have the same.
        """
        own = _listed(leaf)
        if own is None:
            return None
        chosen = self._chosen.get(_container(own))
        if chosen is None or chosen is own or own.id.casefold() in self._asked:
            return None
        below = leaf.path[len(own.path) :]
        depth = len(chosen.path)
        for other in chosen.leaves:
            if other.path[depth:] == below and other.value != leaf.value:
                return own, other
        return None

    @cached_property
    def _chosen(self) -> Mapping[Container, Record]:
        """The one object of each list that a later call acted on by its id."""
        by_list: dict[Container, list[Record]] = {}
        for record in self._records:
            if record.id and _is_listed(record):
                acted = self._acted.get(record.id.casefold())
                if acted is not None and acted > record.call:
                    by_list.setdefault(_container(record), []).append(record)
        return {place: some[0] for place, some in by_list.items() if len(some) == 1}

    @cached_property
    def _acted(self) -> Mapping[str, int]:
        """What calls that wrote were given, with the last of them."""
        return {
            given: call.index
            for call in self._calls
            if call.succeeded and writes(call.call.tool)
            for given in _given(call)
        }

    @cached_property
    def _asked(self) -> frozenset[str]:
        """All that any call was given."""
        return frozenset(given for call in self._calls for given in _given(call))


def _listed(leaf: Leaf) -> Record | None:
    """Return the innermost object of a list that a leaf lies in directly."""
    record = leaf.record
    return record if record is not None and record.id and _is_listed(record) else None


def _is_listed(record: Record) -> bool:
    """Whether a record is one of several, of a list or of a mapping by ids."""
    return bool(record.path) and (isinstance(record.path[-1], int) or not record.id_key)


def _container(record: Record) -> Container:
    return record.call, record.path[:-1]


def _given(call: Call) -> Iterator[str]:
    return (text.casefold() for text in islice(input_texts(call), _MOST_GIVEN))
