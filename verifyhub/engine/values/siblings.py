"""Words by which one object of a list is told from another."""

import re
from collections.abc import Iterator


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
