"""What an agent says of its own answer, beside what was found (requirement A7)."""

from collections.abc import Mapping
from typing import Any

from verifyhub.engine.reports import SelfAssessment

MAX_GAPS = 50
MAX_CHARACTERS = 2000


def self_assessment(
    said: Mapping[str, Any] | None,
    *,
    confidence: float | None,
    completeness: float | None,
) -> SelfAssessment | None:
    """Read what an agent says of itself; what cannot be read is left out.

    Args:
        said: As the agent's side sent it; any JSON object.
        confidence: The verdict's.
        completeness: The verdict's.
    """
    if not said:
        return None
    sure, whole = _share(said.get("confidence")), _share(said.get("completeness"))
    gaps = said.get("gaps")
    listed = gaps if isinstance(gaps, list) else []
    reasoning = said.get("reasoning")
    return SelfAssessment(
        confidence=sure,
        completeness=whole,
        gaps=tuple(
            gap[:MAX_CHARACTERS] for gap in listed[:MAX_GAPS] if isinstance(gap, str)
        ),
        reasoning=reasoning[:MAX_CHARACTERS] if isinstance(reasoning, str) else "",
        overconfidence=_more(sure, confidence),
        overcompleteness=_more(whole, completeness),
    )


def _share(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # Neither NaN nor an infinity lies between them.
    return float(value) if 0 <= value <= 1 else None


def _more(own: float | None, found: float | None) -> float | None:
    return None if own is None or found is None else own - found
