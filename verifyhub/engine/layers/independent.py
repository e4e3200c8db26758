"""Which of several texts are independent: copies of one another count once."""

import re
from collections.abc import Iterable, Sequence

from verifyhub.engine.text.tokens import UNSPACED

SHINGLE_WORDS = 5
NEAR_IDENTICAL = 0.9
# Beyond this a copy gives itself away before.
MAX_WORDS = 5_000

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


def independent(texts: Sequence[str]) -> list[str]:
    """Return the texts that are no copy of an earlier one, in order.

    A text is one if nine tenths of the runs of five words of the shorter one stand in
    the longer one, so that a quotation of the whole is a copy too.
    """
    chosen: list[str] = []
    seen: list[frozenset[int]] = []
    for text in texts:
        marks = _shingles(_units(text))
        if marks and not any(_alike(marks, other) for other in seen):
            chosen.append(text)
            seen.append(marks)
    return chosen


def _units(text: str) -> list[str]:
    """Return the words of a text; its letters where words have no blanks between."""
    words = _WORD.findall(text.casefold())
    letters = "".join(words)
    if 2 * len(_UNSPACED.findall(letters)) > len(letters):
        return list(letters[:MAX_WORDS])
    return words[:MAX_WORDS]


def _shingles(words: Sequence[str]) -> frozenset[int]:
    count = max(1, len(words) - SHINGLE_WORDS + 1) if words else 0
    return frozenset(
        hash(tuple(words[place : place + SHINGLE_WORDS])) for place in range(count)
    )


def _alike(one: frozenset[int], other: Iterable[int]) -> bool:
    rest = frozenset(other)
    return len(one & rest) >= NEAR_IDENTICAL * min(len(one), len(rest))
