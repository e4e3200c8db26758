"""Compare an agent's assessment of its answer with the findings (requirement A7)."""

from collections.abc import Mapping
from typing import Any

from verifyhub.engine.reports import SelfAssessment

MAX_GAPS = 50
MAX_CHARACTERS = 2000


def self_assessment(
    submitted: Mapping[str, Any] | None,
    *,
    confidence: float | None,
    completeness: float | None,
) -> SelfAssessment | None:
    """Read an agent's self-assessment; invalid parts are left out.

    Args:
        confidence: The verdict's.
        completeness: The verdict's.
    """
    if not submitted:
        return None
    own_confidence, own_completeness = (
        _share(submitted.get("confidence")),
        _share(submitted.get("completeness")),
    )
    gaps = submitted.get("gaps")
    listed = gaps if isinstance(gaps, list) else []
    reasoning = submitted.get("reasoning")
    return SelfAssessment(
        confidence=own_confidence,
        completeness=own_completeness,
        gaps=tuple(
            gap[:MAX_CHARACTERS] for gap in listed[:MAX_GAPS] if isinstance(gap, str)
        ),
        reasoning=reasoning[:MAX_CHARACTERS] if isinstance(reasoning, str) else "",
        overconfidence=_more(own_confidence, confidence),
        overcompleteness=_more(own_completeness, completeness),
    )


def _share(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # False for NaN and infinities.
    return float(value) if 0 <= value <= 1 else None


def _more(stated: float | None, measured: float | None) -> float | None:
    return None if stated is None or measured is None else stated - measured
