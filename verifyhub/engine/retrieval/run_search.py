"""Search the passages of one run in memory, by words first, then by meaning.

An embedding takes some 10 to 65 ms of a processor: only the passages with the best
words are embedded, and of one run no more than `MAX_EMBEDDED`.
"""

import math
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest, nsmallest
from operator import mul

from verifyhub.engine.passages import Candidate, Embedder, Passage
from verifyhub.engine.ports import ModelError
from verifyhub.engine.retrieval.run_passages import passages_of
from verifyhub.engine.text.tokens import UNSPACED

__all__ = ["MAX_EMBEDDED", "RunSearch", "cosine", "passages_of", "text_to_embed"]

# The most passages of a claim that are ranked by words; the first of them are embedded.
MAX_LEXICAL = 24
MAX_LEXICAL_EMBEDDED = 8
# Of one run, however many claims there are.
MAX_EMBEDDED = 64


def text_to_embed(title: str, text: str) -> str:
    """Return the text of a passage to embed, with its title."""
    return f"{title}\n{text}" if title else text


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine of two unit vectors, -1..1."""
    product: float = sum(map(mul, first, second))
    return max(-1.0, min(1.0, product))


class RunSearch:
    """A `PassageSearch` over given passages; safe for threads."""

    def __init__(
        self, passages: Sequence[Passage], *, embedder: Embedder | None = None
    ) -> None:
        """Take the passages; nothing is read before the first question.

        Args:
            passages: What is searched; their ids are distinct.
            embedder: Ranks by meaning as well; None: by words alone.
        """
        self._passages = tuple(passages)
        self._embedder = embedder
        self._index: LexicalIndex | None = None
        self._vectors: dict[int, Sequence[float]] = {}
        self._lock = threading.Lock()

    def search(self, claims: Sequence[str], *, limit: int = 3) -> list[list[Candidate]]:
        """Return the best passages of each claim; see `PassageSearch.search`.

        Where the embedding model fails, words alone rank.
        """
        if not self._passages or not claims:
            return [[] for _ in claims]
        with self._lock:
            if self._index is None:
                self._index = LexicalIndex([passage.text for passage in self._passages])
            ranked = [self._index.best(claim, MAX_LEXICAL) for claim in claims]
            vectors = self._embed(claims, ranked)
        return [
            self._fused(places, vector, limit)
            for places, vector in zip(ranked, vectors, strict=True)
        ]

    def _embed(
        self, claims: Sequence[str], ranked: Sequence[Sequence[int]]
    ) -> Sequence[Sequence[float] | None]:
        """Embed the claims, and the passages that their words rank first."""
        if self._embedder is None:
            return [None] * len(claims)
        places = self._to_embed(ranked)
        rows = [self._passages[place] for place in places]
        texts = [text_to_embed(row.title, row.text) for row in rows]
        try:
            vectors = self._embedder.embed([*claims, *texts])
        except ModelError:
            return [None] * len(claims)
        self._vectors.update(zip(places, vectors[len(claims) :], strict=True))
        return vectors[: len(claims)]

    def _to_embed(self, ranked: Sequence[Sequence[int]]) -> list[int]:
        """Choose what to embed: every claim's first, then every claim's second, …

        Where there are few passages, all of them: a passage may say the same without
        one common word.
        """
        room = MAX_EMBEDDED - len(self._vectors)
        if len(self._passages) <= MAX_LEXICAL_EMBEDDED:
            places = list(range(len(self._passages)))
        else:
            places = [
                places[turn]
                for turn in range(MAX_LEXICAL_EMBEDDED)
                for places in ranked
                if turn < len(places)
            ]
        new = [place for place in dict.fromkeys(places) if place not in self._vectors]
        return new[:room]

    def _fused(
        self, places: Sequence[int], vector: Sequence[float] | None, limit: int
    ) -> list[Candidate]:
        near: dict[int, float] = {}
        if vector is not None:
            near = {
                place: cosine(vector, other_vector)
                for place, other_vector in self._vectors.items()
            }
        nearest = nlargest(MAX_LEXICAL, near, key=lambda place: (near[place], -place))
        by_id = {self._passages[place].id: place for place in (*places, *nearest)}
        rankings = [
            [self._passages[place].id for place in ranking]
            for ranking in (places, nearest)
        ]
        return [
            Candidate(
                passage=self._passages[by_id[id_]],
                score=score,
                similarity=near.get(by_id[id_]),
            )
            for id_, score in reciprocal_rank_fusion(rankings)[:limit]
        ]


_K1, _B = 1.2, 0.75
# Endings are cut off by length, in every language alike: "measured" meets "measures".
# Nearly as good as real stems (McNamee & Mayfield 2004), and it knows no language.
_STEM = 6
_LONGEST = 40

_WORD = re.compile(r"[^\W_]++")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]++")


def terms(text: str) -> Iterator[str]:
    """Yield the index terms of a text: words, their beginnings, pairs of characters."""
    for word in _WORD.findall(text.casefold()):
        if not word.isascii() and _UNSPACED_RUN.search(word):
            # Scripts without blanks are searched by two signs at a time.
            for place in range(max(1, len(word) - 1)):
                yield word[place : place + 2]
            continue
        yield word[:_LONGEST]
        if len(word) > _STEM and not word.isdigit():
            yield f"{word[:_STEM]}~"


class LexicalIndex:
    """An index of words that finds the texts sharing most with another one."""

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
            held_by = len(postings)
            rarity = (len(self._lengths) - held_by + 0.5) / (held_by + 0.5)
            weight = math.log(1 + rarity)
            for place, count in postings:
                length = _K1 * (1 - _B + _B * self._lengths[place] / self._mean)
                gain = weight * count * (_K1 + 1) / (count + length)
                scores[place] = scores.get(place, 0.0) + gain
        return nsmallest(limit, scores, key=lambda place: (-scores[place], place))


# The constant of the paper: it keeps one ranking's first place from outweighing all.
K = 60


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[str]],
) -> list[tuple[str, float]]:
    """Merge rankings by reciprocal ranks: high places in several of them come first.

    Scores of one ranking need not be like those of another; only places count. The
    order of the rankings does not matter.

    Args:
        rankings: Ids, each best first; of a repeated one the first place counts.

    Returns:
        Every id once with the sum of `1 / (K + place)`, highest first; of equals the
        one with the best single place, then the smaller id.
    """
    places: dict[str, list[int]] = {}
    for ranking in rankings:
        for place, id_ in enumerate(dict.fromkeys(ranking), start=1):
            places.setdefault(id_, []).append(place)
    scored = [
        (math.fsum(1 / (K + place) for place in ranks), min(ranks), id_)
        for id_, ranks in places.items()
    ]
    scored.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [(id_, score) for score, _, id_ in scored]
