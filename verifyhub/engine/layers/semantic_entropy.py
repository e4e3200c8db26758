"""E1: how much sampled answers to the same task differ in meaning.

Source: Farquhar et al., Nature 2024; E1. High entropy says that the model makes
its answers up; that all are alike does not make them true.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Any

from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import (
    NO_MODEL,
    NO_TASK,
    EntropyBy,
    LayerFinding,
    LayerInput,
    LayerWork,
    inconclusive,
    skipped,
)
from verifyhub.engine.layers.control import controlled
from verifyhub.engine.layers.inference import Inference, Infers
from verifyhub.engine.layers.material import text_of
from verifyhub.engine.layers.sampling import BRIEFLY, LEAST, draw
from verifyhub.engine.layers.scores import clamped, entropy, mean
from verifyhub.engine.passages import Embedder
from verifyhub.engine.ports import ModelError, ModelReply
from verifyhub.engine.reports import Outcome
from verifyhub.engine.retrieval.run_search import cosine


# Answers by their meaning: clusters of bidirectional entailment, and their entropy.
#
# Source: Kuhn, Gal, Farquhar 2023, Algorithm 1; Farquhar et al., Nature 2024, Methods:
# each answer is compared with the first one of every cluster so far, in their order,
# and joins the first that it entails and is entailed by. Here all answers are compared
# with one cluster's first at once, which makes the same clusters and takes less time.
class MeaningLikeness(StrEnum):
    """The relation of two answers' meanings; `unknown` where they were not compared."""

    SAME = "same"
    DIFFERENT = "different"
    CONTRARY = "contrary"
    UNKNOWN = "unknown"


# Compares pairs of positions; the last position is the checked text.
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
        """The number of answers that belong to a cluster."""
        return sum(map(len, self.clusters))

    @property
    def largest(self) -> int:
        """The index of the largest cluster; the first of equal ones."""
        return max(
            range(len(self.clusters)), key=lambda place: len(self.clusters[place])
        )


def meanings_of(count: int, compare: Compare) -> Meanings:
    """Cluster `count` answers, and assign the checked text, position `count`.

    An answer whose comparison with a cluster failed may join a later one; it begins
    none, because it is unknown whether it says something else.
    """
    clusters: list[tuple[int, ...]] = []
    remaining, doubtful = list(range(count)), set[int]()
    at_hand: int | None = None
    contrary = set[int]()
    while heads := [position for position in remaining if position not in doubtful]:
        head = heads[0]
        others = [position for position in remaining if position != head]
        compared = [*others, count] if at_hand is None else others
        likeness = dict(
            zip(compared, compare([(head, other) for other in compared]), strict=True)
        )
        same = {
            position
            for position in others
            if likeness[position] == MeaningLikeness.SAME
        }
        doubtful |= {
            position
            for position in others
            if likeness[position] == MeaningLikeness.UNKNOWN
        }
        if likeness.get(count) == MeaningLikeness.SAME:
            at_hand = len(clusters)
        if likeness.get(count) == MeaningLikeness.CONTRARY:
            contrary.add(len(clusters))
        clusters.append((head, *sorted(same)))
        remaining = [position for position in others if position not in same]
    return Meanings(
        clusters=tuple(clusters),
        unplaced=tuple(remaining),
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


PURPOSE = "layer.semantic_entropy"
# The source's cut-off: an entropy under 0.3, here of the normalised one.
PASS_SCORE = 0.7
NO_EMBEDDER = "no_embedder"
# That drawn answers are alike says nothing of a text that is unlike them.
ANSWER_APART = "answer_apart"
ANSWER_CONTRADICTS = "answer_contradicts_samples"
MAX_SHOWN_CHARACTERS = 200


class SemanticEntropy:
    name = LayerName.SEMANTIC_ENTROPY
    timeout_seconds = 10.0

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        model = work.tools.text_model
        if model is None:
            return skipped(NO_MODEL)
        infers = Infers(model, work)
        if not subject.task.strip():
            return skipped(NO_TASK)
        by_cosine = work.tools.options.entropy_by == EntropyBy.COSINE
        if by_cosine and work.tools.embedder is None:
            return skipped(NO_EMBEDDER)
        samples, reason = draw(subject, work, model, system=BRIEFLY, purpose=PURPOSE)
        if len(samples) < LEAST:
            return inconclusive(reason, samples=len(samples))
        if by_cosine and work.tools.embedder is not None:
            return _by_cosine(subject, samples, work.tools.embedder)
        texts = [*(sample.text for sample in samples), text_of(subject)]
        comparing = _Comparing(texts, subject.task, infers, work)
        finding = _by_entailment(samples, comparing, work)
        if work.tools.judge is not None or not comparing.asked:
            return finding

        def accepts(control: ControlSentence) -> bool:
            relation = infers.relation(
                control.truth, control.falsehood, task=subject.task
            )
            return relation is Inference.ENTAILMENT

        return controlled(finding, work, subject, accepts)


def _by_entailment(
    samples: Sequence[ModelReply], comparing: "_Comparing", work: LayerWork
) -> LayerFinding:
    meanings = meanings_of(len(samples), comparing.compare)
    if meanings.placed < LEAST:
        return inconclusive(comparing.reason, samples=len(samples))
    details = _measured(meanings, samples, work)
    details["judged_by"] = comparing.judged_by
    score = certainty(details["entropy"], meanings.placed)
    contradicts = meanings.largest in meanings.contrary
    passed = score >= PASS_SCORE and not contradicts
    if not contradicts and _may_be_otherwise(meanings, passed=passed):
        return inconclusive(comparing.reason, **details)
    # The text has to say what most of the drawn answers say. It may say more: a request
    # for one brief sentence gets less than an answer.
    if passed and meanings.at_hand != meanings.largest:
        head = meanings.clusters[meanings.largest][0]
        if not comparing.entails_head(head):
            return inconclusive(comparing.reason or ANSWER_APART, **details)
    return LayerFinding(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=score,
        reason=ANSWER_CONTRADICTS if contradicts else "",
        details=details,
    )


def _may_be_otherwise(meanings: Meanings, *, passed: bool) -> bool:
    """Return whether the answers that were not placed could turn the outcome.

    Those that say something else are compared most often, and fail most often.
    """
    sizes = [len(cluster) for cluster in meanings.clusters]
    count = len(meanings.unplaced)
    if not count:
        return False
    if passed:
        sizes += [1] * count
    else:
        sizes[meanings.largest] += count
    score = certainty(discrete_entropy(sizes), meanings.placed + count)
    return passed != (score >= PASS_SCORE)


class _Comparing:
    """Compares texts both ways; equal words need no model."""

    def __init__(
        self, texts: Sequence[str], task: str, infers: Infers, work: LayerWork
    ) -> None:
        self._texts, self._task = texts, task
        self._infers, self._work = infers, work
        self.reason = ""
        # Whether any pair was not of equal words.
        self.asked = False
        self.judged_by = infers.name

    def compare(self, pairs: Sequence[tuple[int, int]]) -> list[MeaningLikeness]:
        """Compare pairs of positions at once; see `meanings.Compare`."""
        results = self._work.each(
            [partial(self._compare_pair, *pair) for pair in pairs]
        )
        for result in results:
            if isinstance(result, ModelError):
                self.reason = self.reason or result.reason
        return [
            MeaningLikeness.UNKNOWN if isinstance(result, ModelError) else result
            for result in results
        ]

    def entails_head(self, head: int) -> bool:
        """Return whether the text at hand entails a drawn answer."""

        def ask() -> bool:
            relation = self._infers.relation(
                self._texts[-1], self._texts[head], task=self._task
            )
            return relation is Inference.ENTAILMENT

        (entails,) = self._work.each([ask])
        if isinstance(entails, ModelError):
            self.reason = self.reason or entails.reason
            return False
        return entails

    def _compare_pair(self, first: int, second: int) -> MeaningLikeness:
        first_text, second_text = self._texts[first], self._texts[second]
        if _plain(first_text) == _plain(second_text):
            return MeaningLikeness.SAME
        self.asked = True
        forth = self._infers.relation(first_text, second_text, task=self._task)
        if forth == Inference.CONTRADICTION:
            return MeaningLikeness.CONTRARY
        if forth == Inference.NEUTRAL:
            return MeaningLikeness.DIFFERENT
        back = self._infers.relation(second_text, first_text, task=self._task)
        same = back == Inference.ENTAILMENT
        return MeaningLikeness.SAME if same else MeaningLikeness.DIFFERENT


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!")


def _measured(
    meanings: Meanings, samples: Sequence[ModelReply], work: LayerWork
) -> dict[str, Any]:
    """Measure both entropies; the weighted one is taken where every answer has one."""
    sizes = [len(cluster) for cluster in meanings.clusters]
    discrete = discrete_entropy(sizes)
    by_length = work.tools.options.length_normalised
    logs = [
        [_log(samples[place], by_length=by_length) for place in cluster]
        for cluster in meanings.clusters
    ]
    known = [[log for log in cluster if log is not None] for cluster in logs]
    weighted = weighted_entropy(known) if known == logs else None
    share = (
        0.0 if meanings.at_hand is None else sizes[meanings.at_hand] / meanings.placed
    )
    return {
        "samples": meanings.placed,
        "unplaced": len(meanings.unplaced),
        "clusters": [
            {
                "size": len(cluster),
                "first": samples[cluster[0]].text[:MAX_SHOWN_CHARACTERS],
            }
            for cluster in meanings.clusters
        ],
        "by": "discrete" if weighted is None else "weighted",
        "entropy": discrete if weighted is None else weighted,
        "discrete_entropy": discrete,
        "weighted_entropy": weighted,
        "length_normalised": by_length,
        "answer_cluster": meanings.at_hand,
        "answer_share": share,
    }


def _log(sample: ModelReply, *, by_length: bool) -> float | None:
    if sample.logprob is None or not sample.tokens:
        return None
    return sample.logprob / sample.tokens if by_length else sample.logprob


def _by_cosine(
    subject: LayerInput, samples: Sequence[ModelReply], embedder: Embedder
) -> LayerFinding:
    """The cheap variant of the source: the mean cosine of all pairs."""
    vectors = embedder.embed([*(sample.text for sample in samples), text_of(subject)])
    *drawn, own_vector = vectors
    score = clamped(mean([cosine(*pair) for pair in combinations(drawn, 2)])) or 0.0
    share = clamped(mean([cosine(own_vector, vector) for vector in drawn])) or 0.0
    passed = score >= PASS_SCORE
    details = {
        "samples": len(samples),
        "by": "cosine",
        "entropy": 1.0 - score,
        "answer_share": share,
        "judged_by": embedder.name,
    }
    if passed and share < PASS_SCORE:
        return inconclusive(ANSWER_APART, **details)
    return LayerFinding(
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=score,
        details=details,
    )
