"""A threshold that blocks at most a promised share of right answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from verifyhub.common.shares import Share
from verifyhub.engine.errors import CalibrationError

DEFAULT_AT_MOST = 0.05
MAX_AT_MOST = 0.5


class TooFewRightError(CalibrationError):
    """There are too few right answers for the promise.

    Attributes:
        n: How many there are.
        needed: The least number.
        at_most: The share of false blocks that was to be promised.
    """

    def __init__(self, *, n: int, needed: int, at_most: float) -> None:
        self.n, self.needed, self.at_most = n, needed, at_most
        super().__init__(
            f"{n} correct answers are too few for a bound of {at_most * 100:g} % "
            f"false blocks: ({n} + 1) x {at_most:g} = {(n + 1) * at_most:.3g} is below "
            f"1. At least {needed} are needed."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockingThreshold:
    """Answers that score below it are blocked.

    Attributes:
        score: The least score that passes.
        at_most: The share of right answers that are blocked at most, 0..0.5, in the
            mean over samples drawn like these.
        n: Right answers it was drawn from.
        rank: Which of them, lowest first, set it: floor((n + 1) x at_most).
        caught: Of the wrong answers among the samples, those that score below.
    """

    score: float
    at_most: float
    n: int
    rank: int
    caught: Share

    def blocks(self, score: float) -> bool:
        """Return whether an answer with this score is blocked."""
        return score < self.score

    @property
    def promise(self) -> str:
        """The promised error rate with its n, as text."""
        return f"at most {self.at_most * 100:g} % false blocks, n = {self.n}"


def threshold(
    scores: Sequence[float], labels: Sequence[bool], at_most: float = DEFAULT_AT_MOST
) -> BlockingThreshold:
    """Return the highest threshold that keeps the promise.

    Of n right answers and a further one like them, each is equally likely to be among
    the k lowest; so the further one scores below the k-th lowest of the n with a
    probability of at most k / (n + 1). k is the largest whole number for which that
    is at most `at_most`. Ties only lower it. Nothing is assumed of how scores are
    distributed, and a rising calibration changes no rank: the promise is the same for
    raw and calibrated scores.

    Args:
        scores: Of answers that people judged, raw or calibrated; higher is better.
        labels: Whether people call each one right.
        at_most: Share of right answers that may be blocked, above 0 and up to 0.5.

    Raises:
        TooFewRightError: If n + 1 is below 1 / `at_most`.
        CalibrationError: If `at_most` is out of range.

    Source:
        Vovk, Gammerman and Shafer 2005, "Algorithmic learning in a random world";
        split conformal prediction as in Lei et al. 2018.
    """
    if not 0 < at_most <= MAX_AT_MOST:
        raise CalibrationError(f"at_most: {at_most} is not above 0 and up to 0.5")
    right_scores = sorted(
        score for score, label in zip(scores, labels, strict=True) if label
    )
    # Exact: in floats 0.07 x 100 is above 7, and other products are below theirs.
    share = Fraction(repr(at_most))
    rank = floor((len(right_scores) + 1) * share)
    if rank == 0:
        needed = ceil(1 / share) - 1
        raise TooFewRightError(n=len(right_scores), needed=needed, at_most=at_most)
    limit = right_scores[rank - 1]
    wrong = [score for score, label in zip(scores, labels, strict=True) if not label]
    return BlockingThreshold(
        score=limit,
        at_most=at_most,
        n=len(right_scores),
        rank=rank,
        caught=Share(count=sum(score < limit for score in wrong), total=len(wrong)),
    )
