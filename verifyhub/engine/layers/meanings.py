"""Answers by their meaning: clusters of bidirectional entailment, and their entropy.

Source: Kuhn, Gal, Farquhar 2023, Algorithm 1; Farquhar et al., Nature 2024, Methods:
each answer is compared with the first one of every cluster so far, in their order, and
joins the first that it entails and is entailed by. Here all answers are compared with
one cluster's first at once, which makes the same clusters and takes less time.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.layers.scores import entropy


class MeaningLikeness(StrEnum):
    """What comparing two answers gave; `unknown` where it could not be done."""

    SAME = "same"
    DIFFERENT = "different"
    CONTRARY = "contrary"
    UNKNOWN = "unknown"


# Compares pairs of positions; the text at hand is the last position.
Compare = Callable[[Sequence[tuple[int, int]]], Sequence[MeaningLikeness]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanings:
    """Clusters of answers, as positions, each with its first answer first.

    Attributes:
        clusters: In the order in which their first answers were drawn.
        unplaced: Answers whose comparisons failed; they count for nothing.
        at_hand: Which cluster the text at hand belongs to; None for none.
        contrary: Clusters whose first answer it contradicts.
    """

    clusters: tuple[tuple[int, ...], ...]
    unplaced: tuple[int, ...] = ()
    at_hand: int | None = None
    contrary: frozenset[int] = frozenset()

    @property
    def placed(self) -> int:
        """How many answers belong to a cluster."""
        return sum(map(len, self.clusters))

    @property
    def largest(self) -> int:
        """Which cluster has most answers; the earlier of two alike."""
        return max(
            range(len(self.clusters)), key=lambda place: len(self.clusters[place])
        )


def meanings_of(count: int, compare: Compare) -> Meanings:
    """Cluster `count` answers, and place the text at hand, position `count`.

    An answer whose comparison with a cluster failed may join a later one; it begins
    none, for nobody knows that it says something else.
    """
    clusters: list[tuple[int, ...]] = []
    left, doubtful = list(range(count)), set[int]()
    at_hand: int | None = None
    contrary = set[int]()
    while heads := [one for one in left if one not in doubtful]:
        head = heads[0]
        others = [one for one in left if one != head]
        compared = [*others, count] if at_hand is None else others
        likeness = dict(
            zip(compared, compare([(head, other) for other in compared]), strict=True)
        )
        same = {one for one in others if likeness[one] == MeaningLikeness.SAME}
        doubtful |= {one for one in others if likeness[one] == MeaningLikeness.UNKNOWN}
        if likeness.get(count) == MeaningLikeness.SAME:
            at_hand = len(clusters)
        if likeness.get(count) == MeaningLikeness.CONTRARY:
            contrary.add(len(clusters))
        clusters.append((head, *sorted(same)))
        left = [one for one in others if one not in same]
    return Meanings(
        clusters=tuple(clusters),
        unplaced=tuple(left),
        at_hand=at_hand,
        contrary=frozenset(contrary),
    )


def discrete_entropy(sizes: Sequence[int]) -> float:
    """Return the entropy of cluster counts, in nats (Nature 2024, discrete)."""
    return entropy([float(size) for size in sizes])


def weighted_entropy(clusters: Sequence[Sequence[float]]) -> float:
    """Return the Rao-Blackwellised entropy, in nats (Nature 2024, Methods).

    Args:
        clusters: Of each cluster its answers' log-probabilities, by length or not.
    """
    highest = max(value for cluster in clusters for value in cluster)
    return entropy(
        [math.fsum(math.exp(v - highest) for v in cluster) for cluster in clusters]
    )


def certainty(nats: float, answers: int) -> float:
    """Return 1 − H / log(M): 1 where all answers mean one thing, 0 where none agree."""
    return 1.0 - min(1.0, nats / math.log(answers))
