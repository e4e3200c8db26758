"""Objects of one shape that a word tells apart: the savings and the checking account.

They need no id: a clause that has the word of one object and a value of another one
speaks of the wrong one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.values.records import Leaf, Path

# A call, and where in its output an object stands.
Place: TypeAlias = tuple[int, Path]
# A field below an object, or where a key stands that it is called by.
Field: TypeAlias = str | Place
_LONGEST_WORD = 40
_SHORTEST_WORD = 3
_MOST_PEERS = 60
_MOST_WORDS = 24
_MOST_DEEPER = 2
_STATES = frozenset({"status", "state", "condition", "stage"})
_WORDED = re.compile(r"[^\W\d_]")


class Siblings:
    """The objects of what tools returned, by the words that stand in their fields."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self._leaves = leaves
        # The same sentence is asked for again and again.
        self._known: dict[str, _Spoken] = {}
        self._told: dict[tuple[str, str], Sequence[Leaf]] = {}

    def meant(self, leaf: Leaf, clause: str, sentence: str) -> Leaf | None:
        """Return what the object that a clause speaks of has in the field of a leaf.

        None where the clause may well speak of the leaf's own object.

        Args:
            leaf: Where a value of the answer stands.
            clause: The clause of the value, without the value itself.
            sentence: The sentence of the clause.
        """
        own = self._words.get(_place(leaf))
        peers = self._peers.get(leaf.key, ())
        if not own or len(peers) > _MOST_PEERS:
            return None
        in_clause, in_sentence = self._spoken(clause), self._spoken(sentence)
        named = {
            field: word for field, word in own.items() if _tells(in_sentence[word], "")
        }
        told = self._told_in(clause, leaf.key)
        meant = None
        words = self._words
        for peer in peers if named else told:
            other = words.get(_place(peer))
            if not other or other is own or peer.value == leaf.value:
                continue
            for field, word in named.items():
                its = other.get(field, word)
                if its != word and _tells(in_sentence[word], its):
                    return None
            if meant is not None:
                continue
            for field, word in own.items():
                its = other.get(field, word)
                if its != word and _tells(in_clause[its], word):
                    meant = peer
                    break
        return meant

    def _told_in(self, clause: str, key: str) -> Sequence[Leaf]:
        """Return the leaves with a key of whose objects a clause has a word."""
        told = self._told.get((clause, key))
        if told is None:
            parts, words = self._spoken(clause), self._words
            told = self._told[clause, key] = [
                peer
                for peer in self._peers.get(key, ())
                if any(
                    _tells(parts[word], "")
                    for word in words.get(_place(peer), {}).values()
                )
            ]
        return told

    def _spoken(self, text: str) -> "_Spoken":
        spoken = self._known.get(text)
        if spoken is None:
            spoken = self._known[text] = _Spoken(text)
        return spoken

    @cached_property
    def _words(self) -> Mapping[Place, Mapping[Field, str]]:
        """The texts of each object, by their fields below it."""
        by_place: dict[Place, dict[Field, str]] = {}
        for leaf in self._leaves:
            if not isinstance(leaf.value, str) or not _is_word(leaf.value):
                continue
            if leaf.key in _STATES:
                continue  # How a thing stands is not what it is called.
            for depth in range(1, _MOST_DEEPER + 1):
                below = leaf.path[len(leaf.path) - depth :]
                if len(below) < depth or any(isinstance(one, int) for one in below):
                    break
                words = by_place.setdefault((leaf.call, leaf.path[:-depth]), {})
                if len(words) < _MOST_WORDS:
                    words[".".join(map(str, below))] = leaf.value
        self._add_keys(by_place)
        return by_place

    def _add_keys(self, by_place: dict[Place, dict[Field, str]]) -> None:
        """Add what the objects of one object are called there: `collision: {…}`."""
        for leaf in self._leaves:
            key = leaf.path[-2] if len(leaf.path) > 1 else None
            if isinstance(key, str) and _is_word(key):
                by_place.setdefault(_place(leaf), {})[leaf.call, leaf.path[:-2]] = key

    @cached_property
    def _peers(self) -> Mapping[str, Sequence[Leaf]]:
        by_key: dict[str, list[Leaf]] = {}
        for leaf in self._leaves:
            if not isinstance(leaf.value, bool):
                by_key.setdefault(leaf.key, []).append(leaf)
        return by_key


class _Spoken(dict[str, frozenset[str] | None]):
    """Which parts of what things are called stand in a text; None for all of it."""

    def __init__(self, text: str) -> None:
        self._text = _folded(text)

    def __missing__(self, word: str) -> frozenset[str] | None:
        parts = self[word] = _parts_in(word, self._text)
        return parts


def _place(leaf: Leaf) -> Place:
    return leaf.call, leaf.path[:-1]


def _is_word(text: str) -> bool:
    if not _SHORTEST_WORD <= len(text) <= _LONGEST_WORD:
        return False
    return text[0].isalpha() or bool(_WORDED.match(text))


def _folded(text: str) -> str:
    return text.replace("_", " ").casefold()


def is_word_spoken(word: str, other: str, text: str) -> bool:
    """Whether a text has one of two words, or what a name has and the other lacks.

    Args:
        word: What one object is called.
        other: What another one is called; empty where it has no such word.
        text: Folded.
    """
    return _tells(_parts_in(word, text), other)


def _parts_in(word: str, text: str) -> frozenset[str] | None:
    """Return the words of a name that stand in a folded text; None for all of it."""
    if _stands_in(_folded(word), text):
        return None
    names = _NAME.findall(word)
    return frozenset(one for one in names if _stands_in(one.casefold(), text))


def _tells(parts: frozenset[str] | None, other: str) -> bool:
    """Whether the parts of one name tell it from another one."""
    if not parts:
        return parts is None
    return not parts.issubset(_NAME.findall(other))


# A word of a name: "Alpro" of "Alpro Oat 6x1 L".
_NAME = re.compile(r"(?<![^\W_])[A-ZÀ-ÞА-Я][a-zà-þа-я]{3,20}(?![^\W_])")


def _stands_in(word: str, text: str) -> bool:
    return any(
        not (text[at - 1 : at].isalnum() or text[at + len(word) :][:1].isalnum())
        for at in _places(word, text)
    )


def _places(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
