"""What calls changed: which value of an output is the one before, and which is now.

A write returns both: `{"phone": "2", "previous": "1"}`, `{"old": "A", "new": "B"}`, or
what an earlier call showed of the record otherwise. The old one said as the new one,
and the new one said as the old one, are wrong.
"""

import itertools
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import TypeAlias

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.values.evidence import RunValues, input_texts
from verifyhub.engine.values.records import (
    Leaf,
    Path,
    is_position,
    key_words,
    writes,
)

# A call, and where in its output a leaf stands.
Place: TypeAlias = tuple[int, Path]
_OLD = word_set(
    """
    old previous previously former original prior replaces replaced before alt bisher
    ancien anterior
    """
)
_NEW = word_set("new now current updated after neu nouveau nuevo")
_MOST_OBJECTS, _MOST_PAIRS = 2000, 100


class Side(StrEnum):
    """Whether a value was there before a change, or is there since."""

    BEFORE = "before"
    NOW = "now"


class Changes:
    """The values that calls of a run put in the place of others.

    Args:
        run: The run.
    """

    def __init__(self, run: RunValues) -> None:
        self._run = run

    @cached_property
    def last(self) -> int:
        """The last call that wrote and returned something; -1 for none."""
        written = (one.call for one in self._run.records.records if one.written)
        return max(written, default=-1)

    def said_of_now(self, leaves: Sequence[Leaf]) -> tuple[Leaf, Leaf] | None:
        """Return what stands now in the place of a value, with it, if it is an old one.

        None where any of its leaves is no old one and not older than the change.
        """
        if not self._pairs:
            return None
        sides = [self._side(leaf) for leaf in leaves]
        old = next((one for one in sides if one and one[0] is Side.BEFORE), None)
        if old is None:
            return None
        at = old[2].call
        for leaf, side in zip(leaves, sides, strict=True):
            if leaf.call >= at if side is None else side[0] is Side.NOW:
                return None
        return (old[2], old[1]) if old[1].value != old[2].value else None

    def said_of_before(self, leaves: Sequence[Leaf]) -> tuple[Leaf, Leaf] | None:
        """Return what stood before in the place of a value, with it, if it is new."""
        sides = [self._side(leaf) or self._version(leaf) for leaf in leaves]
        if any(one and one[0] is Side.BEFORE for one in sides):
            return None
        new = next((one for one in sides if one and one[0] is Side.NOW), None)
        return None if new is None else (new[1], new[2])

    def _side(self, leaf: Leaf) -> tuple[Side, Leaf, Leaf] | None:
        """Return whether a leaf is old or new, with what was before and what is now."""
        place = (leaf.call, leaf.path)
        for old, new in self._pairs:
            if place == (old.call, old.path):
                return Side.BEFORE, old, new
            same_object = place[0] == new.call and leaf.path[:-1] == new.path[:-1]
            if place == (new.call, new.path) or (
                same_object and not _NEW.isdisjoint(key_words(leaf.key))
            ):
                return Side.NOW, old, new
            # A price of the plan that was left for another one is an old one.
            around = leaf.ids_around
            was = str(old.value).casefold() in around
            if was != (str(new.value).casefold() in around):
                return (Side.BEFORE if was else Side.NOW), old, new
        return None

    def _version(self, leaf: Leaf) -> tuple[Side, Leaf, Leaf] | None:
        """Return whether a record had another value, or has another one now."""
        record = leaf.record
        if record is None or not record.id or any(map(is_position, _below(leaf))):
            return None
        below = _below(leaf)
        seen = [
            other
            for one in self._run.records.by_id[record.id.casefold()]
            for other in one.leaves
            if _below(other) == below
        ]
        for other in seen:
            if other.call < leaf.call and record.written and other.value != leaf.value:
                return Side.NOW, other, leaf
        if any(other.call > leaf.call and other.value != leaf.value for other in seen):
            return Side.BEFORE, leaf, leaf
        return None

    @cached_property
    def _pairs(self) -> Sequence[tuple[Leaf, Leaf]]:
        """What writes say that they changed: before and now."""
        objects: dict[Place, list[Leaf]] = {}
        for call in self._run.calls:
            if call.succeeded and writes(call.call.tool):
                for leaf in self._run.records.by_call.get(call.index, ()):
                    objects.setdefault((leaf.call, leaf.path[:-1]), []).append(leaf)
            if len(objects) > _MOST_OBJECTS:
                break
        pairs: list[tuple[Leaf, Leaf]] = []
        for (call_index, path), leaves in objects.items():
            pairs += self._within(leaves)
            above = path[-1] if path else ""
            if isinstance(above, str) and not _OLD.isdisjoint(key_words(above)):
                pairs += _alike(leaves, objects.get((call_index, path[:-1]), ()))
        changed = ((old, new) for old, new in pairs if old.value != new.value)
        return list(itertools.islice(changed, _MOST_PAIRS))

    def _within(self, leaves: Sequence[Leaf]) -> Iterator[tuple[Leaf, Leaf]]:
        """Yield the old and new values of one object."""
        for old in leaves:
            words = key_words(old.key)
            if _OLD.isdisjoint(words):
                continue
            base = [one for one in words if one not in _OLD]
            new = next((one for one in leaves if _is_new_of(one, base)), None)
            if new is None and not base:
                new = self._given(old, leaves)
            if new is not None:
                yield old, new

    def _given(self, old: Leaf, leaves: Sequence[Leaf]) -> Leaf | None:
        """Return the one field of an object that may be told of `previous`.

        What earlier calls had the old value in, or what the call was given.
        """
        records = self._run.records
        keys = {one.key for one in records.leaves if one.value == old.value} - {old.key}
        named = [one for one in leaves if one.key in keys]
        if not named:
            given: set[str] = set()
            known = {
                one.id.casefold() for one in records.records if one.call < old.call
            }
            for call in self._run.calls:
                texts = (text.casefold() for text in input_texts(call))
                if call.index < old.call:
                    known.update(texts)
                elif call.index == old.call:
                    given.update(texts)
            new = given - known
            named = [one for one in leaves if str(one.value).casefold() in new]
        return named[0] if len(named) == 1 else None


def _is_new_of(leaf: Leaf, base: Sequence[str]) -> bool:
    words = key_words(leaf.key)
    is_new = not _NEW.isdisjoint(words)
    rest = [one for one in words if one not in _NEW]
    return rest == list(base) and (is_new or bool(base)) and _OLD.isdisjoint(words)


def _alike(
    leaves: Sequence[Leaf], around: Sequence[Leaf]
) -> Iterator[tuple[Leaf, Leaf]]:
    """Yield the fields of `previous: {…}` with those of the object around it."""
    by_key = {leaf.key: leaf for leaf in around}
    for leaf in leaves:
        if leaf.key in by_key:
            yield leaf, by_key[leaf.key]


def _below(leaf: Leaf) -> Path:
    return leaf.path[len(leaf.record.path) :] if leaf.record else leaf.path
