"""Which passages share words with a claim: BM25 (Robertson & Zaragoza 2009)."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nsmallest

from verifyhub.engine.text.tokens import UNSPACED

_K1, _B = 1.2, 0.75
# Endings are cut off by length, in every language alike: "measured" meets "measures".
# Nearly as good as real stems (McNamee & Mayfield 2004), and it knows no language.
_STEM = 6
_LONGEST = 40

_WORD = re.compile(r"[^\W_]++")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]++")


def terms(text: str) -> Iterator[str]:
    """Yield what a text is found by: its words, their beginnings, pairs of signs."""
    for word in _WORD.findall(text.casefold()):
        if not word.isascii() and _UNSPACED_RUN.search(word):
            yield from _pairs(word)
            continue
        yield word[:_LONGEST]
        if len(word) > _STEM and not word.isdigit():
            yield f"{word[:_STEM]}~"


def _pairs(word: str) -> Iterator[str]:
    """Scripts without blanks are searched by two signs at a time."""
    if len(word) == 1:
        yield word
    for place in range(len(word) - 1):
        yield word[place : place + 2]


class LexicalIndex:
    """Words of some texts; asked for the texts that share most with another one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._held: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        for place, text in enumerate(texts):
            counts = Counter(terms(text))
            self._lengths.append(counts.total())
            for term, count in counts.items():
                self._held.setdefault(term, []).append((place, count))
        total = sum(self._lengths)
        self._mean = total / len(texts) if total else 1.0

    def best(self, text: str, limit: int) -> list[int]:
        """Return the positions of the texts that fit best, best first.

        Only those that share a word; of equals the earlier comes first.
        """
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms(text)):
            postings = self._held.get(term, ())
            weight = self._weight(len(postings))
            for place, count in postings:
                gain = weight * count * (_K1 + 1) / (count + self._norm(place))
                scores[place] = scores.get(place, 0.0) + gain
        return nsmallest(limit, scores, key=lambda place: (-scores[place], place))

    def _weight(self, held_by: int) -> float:
        others = len(self._lengths) - held_by
        return math.log(1 + (others + 0.5) / (held_by + 0.5))

    def _norm(self, place: int) -> float:
        return _K1 * (1 - _B + _B * self._lengths[place] / self._mean)
