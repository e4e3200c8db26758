"""Texts of the calibration page."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from verifyhub.common.code_words import words_for
from verifyhub.common.layer_words import LAYERS, RISKS
from verifyhub.engine.calibration.conformal import TooFewRightError
from verifyhub.engine.calibration.fit import (
    MIN_OF_EACH,
    MIN_OF_EACH_PART,
    MIN_SAMPLES,
    TooFewSamplesError,
)
from verifyhub.engine.calibration.reachable import BestScores, cut
from verifyhub.learning.models import CalibrationModel

# The requirements of a fit, for texts.
NEEDED = {"samples": MIN_SAMPLES, "each": MIN_OF_EACH}
CHECKS = {
    "verdict": gettext_lazy("Confidence of the verdict"),
    "mention": pgettext_lazy("check", "Names, one by one"),
    "claim": gettext_lazy("Claims of work, one by one"),
    "claims": gettext_lazy("Claims of fact, one by one"),
    **LAYERS,
}


def check_words(name: str) -> str:
    """Return the name of the check of the scores."""
    return str(CHECKS.get(name, words_for(name)))


def too_few(error: TooFewSamplesError) -> str:
    """Return the text about existing decisions and those that a fit needs."""
    if error.part == "all":
        words = _(
            "A fit needs %(samples)d decisions, %(each)d of each kind; there are "
            "%(right)d correct and %(wrong)d wrong."
        )
    else:
        words = _(
            "The newest third tests the fit to the older ones; each part needs "
            "%(part)d of each kind, and one has %(right)d correct and %(wrong)d wrong."
        )
    return words % {
        "samples": MIN_SAMPLES,
        "each": MIN_OF_EACH,
        "part": MIN_OF_EACH_PART,
        "right": error.right,
        "wrong": error.wrong,
    }


def refused(model: CalibrationModel) -> str:
    """Return the text about why a fit was refused, with held-out figures."""
    before, after = model.measured_before, model.measured_after
    words = str(CalibrationModel.Refusal(model.refusal).label)
    if after is None:
        return words
    return (
        words
        + " "
        + _(
            "Brier score %(brier)s before and %(brier_after)s after, calibration error"
            " %(ece)s and %(ece_after)s, on %(n)d decisions."
        )
        % {
            "brier": f"{before.brier:.4f}",
            "brier_after": f"{after.brier:.4f}",
            "ece": f"{before.ece:.4f}",
            "ece_after": f"{after.ece:.4f}",
            "n": before.n,
        }
    )


def impossible(reaches: Mapping[str, BestScores]) -> str:
    """Return the risk profiles that no text could pass, with the calculation."""
    return " ".join(_impossible(level, reach) for level, reach in reaches.items())


def too_few_right(error: TooFewRightError) -> str:
    """Return why an error rate cannot be guaranteed."""
    return _(
        "%(n)d correct answers are too few for a bound of %(percent)s %% false "
        "blocks: (%(n)d + 1) × %(percent)s %% is below 1. At least %(needed)d are "
        "needed."
    ) % {"n": error.n, "percent": f"{error.at_most * 100:g}", "needed": error.needed}


def moved() -> str:
    """Return the message that another reviewer changed it first."""
    return _("It was changed by someone else first; this is the current version.")


def _impossible(level: str, reach: BestScores) -> str:
    parts = ", ".join(
        f"{check_words(name)} {cut(value)}" for name, value in reach.layers.items()
    )
    return _(
        "With it no text could pass where the risk is %(level)s: with every raw score"
        " at 1 the layers reach at most %(parts)s; their mean is %(mean)s, below the"
        " floor %(floor)s."
    ) % {
        "level": RISKS.get(level, level),
        "parts": parts,
        "mean": cut(reach.mean),
        "floor": f"{reach.floor:g}",
    }
