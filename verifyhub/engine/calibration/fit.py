"""Fit a calibration to people's decisions, and test it on held-out decisions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

from verifyhub.engine.calibration.calibrator import Calibrator, CurveKind
from verifyhub.engine.calibration.measures import Reliability, Sample, reliability
from verifyhub.engine.errors import CalibrationError

# A third of the samples is held out; under 100 that is too few to tell ten bins apart.
MIN_SAMPLES = 100
# Ten cases of the rarer kind for each of the two parameters (Peduzzi et al. 1996).
MIN_OF_EACH = 20
# Each part of the held-out check must hold both kinds for its figures to mean anything.
MIN_OF_EACH_PART = 5
# Fewer overfit a curve without a form; scikit-learn's guide names the same number.
ISOTONIC_FROM = 1000
# The newest third: a calibration is used on what comes after it.
HELD_OUT = 3


class TooFewSamplesError(CalibrationError):
    """There are too few decisions to fit by.

    Attributes:
        right, wrong: How many of each there are.
        part: `all`, `older` or `newest`: where they are too few.
    """

    def __init__(self, *, right: int, wrong: int, part: str = "all") -> None:
        self.right, self.wrong, self.part = right, wrong, part
        if part == "all":
            required = f"{MIN_SAMPLES} decisions, {MIN_OF_EACH} of each kind"
        else:
            required = f"{MIN_OF_EACH_PART} of each kind among the {part}"
        super().__init__(
            f"A fit needs {required}; there are {right} correct and {wrong} wrong."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A calibration, and its effect on held-out decisions.

    Attributes:
        calibrator: Fitted to all samples; None where the curve would fall.
        n, right: Samples, and those that people call right.
        before: Raw scores of the newest third.
        after: The same by a calibration fitted to the older ones only; None where
            that curve would fall.
        refusal: Why it must not be used: `falls` (higher scores were not more often
            right), `not_better` (it did not bring held-out scores nearer to the
            labels), or empty.
    """

    calibrator: Calibrator | None
    n: int
    right: int
    before: Reliability
    after: Reliability | None
    refusal: str = ""


def fit(
    scores: Sequence[float],
    labels: Sequence[bool],
    *,
    version: str = "",
    groups: Sequence[Hashable] | None = None,
) -> Fitted:
    """Fit a calibration, guarded by counts and by a held-out check.

    The older two thirds fit, the newest third tests; then all of them fit the curve
    that is returned. From 1000 samples on isotonic regression competes with Platt's
    sigmoid, and the lower held-out Brier score wins. It is refused unless both the
    Brier score falls and the calibration error does not rise.

    Args:
        scores: 0..1, oldest first.
        labels: Whether people call each one right.
        version: What its results are labelled with.
        groups: What each sample belongs to, such as an answer: samples of one group
            are never on both sides of the check.

    Raises:
        TooFewSamplesError: If there are too few samples, or too few of one kind.
        CalibrationError: If a score is no number within 0..1.
    """
    samples = list(zip(scores, labels, strict=True))
    _guard(samples)
    older, newest = _split(samples, groups or range(len(samples)))
    _guard_part(older, "older")
    _guard_part(newest, "newest")
    before = reliability(newest)
    right = sum(labels)
    tried = {
        kind: _measured(kind, older, newest)
        for kind in CurveKind
        if kind == CurveKind.PLATT or len(samples) >= ISOTONIC_FROM
    }
    usable = {kind: curve for kind, curve in tried.items() if curve is not None}
    if not usable:
        return Fitted(
            calibrator=None,
            n=len(samples),
            right=right,
            before=before,
            after=None,
            refusal="falls",
        )
    best = min(usable, key=lambda kind: usable[kind].brier)
    calibrator, after = _curve(best, samples, version), usable[best]
    better = after.brier < before.brier and after.ece <= before.ece
    refusal = "" if better else "not_better"
    if calibrator is None:
        refusal = "falls"
    return Fitted(
        calibrator=calibrator,
        n=len(samples),
        right=right,
        before=before,
        after=after,
        refusal=refusal,
    )


def fit_platt(samples: Sequence[Sample], *, version: str = "") -> Calibrator:
    """Fit Platt's sigmoid to samples, as published.

    Labels are smoothed to t+ = (N+ + 1) / (N+ + 2) and t- = 1 / (N- + 2), so that
    neither side is ever certain. scikit-learn's logistic regression takes no such
    targets; a sample with target t is one of weight t that is right and one of weight
    1 - t that is wrong, which is the same likelihood. Equal scores are put together
    first: 20,000 samples of ten different scores are twenty rows.

    Args:
        samples: Score in 0..1 and label; both labels and two scores at least.
        version: What results are labelled with.

    Raises:
        CalibrationError: If the curve would fall, or there is nothing to fit to.

    Source:
        Platt 1999, section 2.2; Lin, Lin and Weng 2007, "A note on Platt's
        probabilistic outputs for support vector machines".
    """
    # Costs a second to import, and only fitting needs it.
    import numpy as np
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    counts = _counts(samples)
    right = sum(yes for yes, _no in counts.values())
    wrong = sum(no for _yes, no in counts.values())
    if not right or not wrong or len(counts) < 2:
        raise CalibrationError("platt: it takes both labels and two different scores")
    high, low = (right + 1) / (right + 2), 1 / (wrong + 2)
    points = sorted(counts)
    up = [counts[at][0] * high + counts[at][1] * low for at in points]
    down = [sum(counts[at]) - weight for at, weight in zip(points, up, strict=True)]
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10)
    with catch_warnings():
        # Where Newton's method fails it warns and continues with another solver.
        simplefilter("ignore", ConvergenceWarning)
        model.fit(
            np.array([points + points]).T,
            [1] * len(points) + [0] * len(points),
            sample_weight=up + down,
        )
    return Calibrator(
        kind=CurveKind.PLATT,
        parameters={"a": -float(model.coef_[0][0]), "b": -float(model.intercept_[0])},
        version=version,
    )


def fit_isotonic(samples: Sequence[Sample], *, version: str = "") -> Calibrator:
    """Fit the increasing step function that is nearest to the labels (isotonic).

    No number of samples proves certainty: values stay between 1 / (n + 2) and
    (n + 1) / (n + 2), as under the rule of succession.

    Source:
        Zadrozny and Elkan 2002; scikit-learn's pool-adjacent-violators.
    """
    # As above.
    from sklearn.isotonic import IsotonicRegression

    counts = _counts(samples)
    n, points = len(samples), sorted(counts)
    model = IsotonicRegression(y_min=1 / (n + 2), y_max=(n + 1) / (n + 2))
    model.fit(
        points,
        [counts[at][0] / sum(counts[at]) for at in points],
        sample_weight=[sum(counts[at]) for at in points],
    )
    return Calibrator(
        kind=CurveKind.ISOTONIC,
        parameters={
            "scores": [float(score) for score in model.X_thresholds_],
            "values": [float(value) for value in model.y_thresholds_],
        },
        version=version,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The number of decisions that a fit still needs: in total, and of each label."""

    in_all: int
    right: int
    wrong: int


def missing(right: int, wrong: int) -> Missing:
    """Return what a fit still needs; all 0 where there are enough decisions.

    Args:
        right, wrong: How many of each there are.
    """
    right_short, wrong_short = max(0, MIN_OF_EACH - right), max(0, MIN_OF_EACH - wrong)
    in_all = max(MIN_SAMPLES - right - wrong, right_short + wrong_short, 0)
    return Missing(in_all=in_all, right=right_short, wrong=wrong_short)


_FITS: dict[CurveKind, Any] = {
    CurveKind.PLATT: fit_platt,
    CurveKind.ISOTONIC: fit_isotonic,
}


def _curve(
    kind: CurveKind, samples: Sequence[Sample], version: str
) -> Calibrator | None:
    try:
        calibrator: Calibrator = _FITS[kind](samples, version=version)
    except CalibrationError:
        return None
    # A level line tells nothing apart; isotonic regression draws it where scores fall.
    return calibrator if calibrator.highest > calibrator.lowest else None


def _measured(
    kind: CurveKind, older: Sequence[Sample], newest: Sequence[Sample]
) -> Reliability | None:
    curve = _curve(kind, older, "")
    if curve is None:
        return None
    return reliability([(curve.apply(score), label) for score, label in newest])


def _counts(samples: Sequence[Sample]) -> dict[float, tuple[int, int]]:
    """Count right and wrong samples of each score."""
    counts: dict[float, tuple[int, int]] = {}
    for score, label in samples:
        yes, no = counts.get(score, (0, 0))
        counts[score] = (yes + label, no + (not label))
    return counts


def _split(
    samples: Sequence[Sample], groups: Sequence[Hashable]
) -> tuple[list[Sample], list[Sample]]:
    """Return older samples, and the newest third of those whose groups begin there."""
    first_newest = len(samples) - len(samples) // HELD_OUT
    before = set(groups[:first_newest])
    older: list[Sample] = []
    newest: list[Sample] = []
    for sample, group in zip(samples, groups, strict=True):
        (older if group in before else newest).append(sample)
    return older, newest


def _guard(samples: Sequence[Sample]) -> None:
    for score, _label in samples:
        if not 0 <= score <= 1:
            raise CalibrationError(f"score: {score} is not within 0..1")
    right = sum(label for _, label in samples)
    if missing(right, len(samples) - right).in_all:
        raise TooFewSamplesError(right=right, wrong=len(samples) - right)


def _guard_part(samples: Sequence[Sample], part: str) -> None:
    right = sum(label for _, label in samples)
    if min(right, len(samples) - right) < MIN_OF_EACH_PART:
        raise TooFewSamplesError(right=right, wrong=len(samples) - right, part=part)
