"""Four presets of strictness over a project's own cut-offs.

Source: requirement C7. The values are judgement, not measurement; what matters is the
direction: strict never loosens a cut-off that a project has set, lenient and source
never tighten one. Source sends back what requirement A8 lists, and nothing else.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from verifyhub.engine.thresholds import SendsBack, Thresholds


class Strictness(StrEnum):
    """A preset of strictness."""

    STRICT = "strict"
    BALANCED = "balanced"
    LENIENT = "lenient"
    SOURCE = "source"


# Of every other cut-off that presets and domains move, the higher value is stricter.
_LOWER_IS_STRICTER = frozenset({"retry_above_unverified", "model_above_characters"})

PRESETS: Mapping[Strictness, Mapping[str, float | int]] = {
    Strictness.STRICT: {
        "retry_above_unverified": 0,
        "reformulate_below_confidence": 0.5,
        "follow_up_below_completeness": 0.8,
        "uncertain_below_confidence": 0.7,
        "model_above_characters": 0,
    },
    Strictness.BALANCED: {},
    Strictness.LENIENT: {
        "retry_above_unverified": 5,
        "reformulate_below_confidence": 0.25,
        "follow_up_below_completeness": 0.4,
        "uncertain_below_confidence": 0.5,
        "model_above_characters": 200,
    },
    Strictness.SOURCE: {},
}
# At least, or at most, what a preset sends back; a project's own choice may go further.
_SENDS_BACK = {
    Strictness.STRICT: SendsBack.DOUBTFUL,
    Strictness.LENIENT: SendsBack.UNTRUE,
    Strictness.SOURCE: SendsBack.SOURCE,
}
# When models are asked; a project that never asks any has its reasons.
_ASK_MODELS: Mapping[Strictness, Mapping[str, str]] = {
    Strictness.STRICT: {"when_in_doubt": "always"},
    Strictness.LENIENT: {"always": "when_in_doubt"},
}
# The cut-offs that are compared in one direction or the other.
MOVABLE = frozenset(PRESETS[Strictness.STRICT])


def apply_strictness(thresholds: Thresholds, strictness: Strictness) -> Thresholds:
    """Return a project's cut-offs as a preset moves them."""
    if strictness is Strictness.BALANCED:
        return thresholds
    loosen = strictness is not Strictness.STRICT
    asks, current = _ASK_MODELS.get(strictness, {}), thresholds.ask_models
    most, sends_back = _SENDS_BACK[strictness], SendsBack(thresholds.sends_back)
    takes_own = most.covers(sends_back) is loosen
    return replace(
        moved(thresholds, PRESETS[strictness], loosen=loosen),
        ask_models=asks.get(current, current),
        sends_back=str(sends_back if takes_own else most),
    )


def moved(
    thresholds: Thresholds, values: Mapping[str, float | int], *, loosen: bool = False
) -> Thresholds:
    """Move cut-offs in one direction only.

    Args:
        thresholds: The cut-offs as they are.
        values: Where to, by name; names of `MOVABLE`.
        loosen: Take the looser of both values each time, instead of the stricter.
    """
    changed = {}
    for name, value in values.items():
        takes_lower = (name in _LOWER_IS_STRICTER) is not loosen
        current = getattr(thresholds, name)
        changed[name] = min(current, value) if takes_lower else max(current, value)
    return replace(thresholds, **changed)
