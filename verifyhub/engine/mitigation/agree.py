"""What is advised and what was decided say the same.

The advice goes by claims and layers alone, the decision by everything and by what the
project sends back. Where they part, the decision counts.
"""

from dataclasses import replace

from verifyhub.engine.decisions.policy import REJECTING
from verifyhub.engine.mitigation_results import (
    Mitigation,
    MitigationAction,
    MitigationReason,
)
from verifyhub.engine.reports import NextStep

# From here on an answer is not to be used as it stands.
_WRITTEN_AGAIN = MitigationAction.REGENERATE
_DISCLAIM = MitigationAction.DISCLAIM


def agreed(advice: Mitigation | None, decision: NextStep) -> Mitigation | None:
    """Return the advice as the decision lets it stand.

    An answer that goes back is not merely marked, and one that the project lets through
    is not blocked: its reader is told what is wrong with it.

    Args:
        advice: By claims and layers; None where these say nothing.
        decision: What was decided about the answer.
    """
    if advice is None:
        return None
    strong = advice.action.severity >= _WRITTEN_AGAIN.severity
    goes_back = decision.action in REJECTING
    if strong is goes_back:
        return advice
    if not goes_back:
        return replace(
            advice,
            action=_DISCLAIM,
            reason=MitigationReason.FAULTS_TOLERATED,
            blocked_by="",
            also=tuple(one for one in advice.also if one.severity < _DISCLAIM.severity),
        )
    said = (decision.additional_context, advice.text_for_agent)
    return replace(
        advice,
        action=_WRITTEN_AGAIN,
        reason=MitigationReason.SENT_BACK,
        also=tuple(dict.fromkeys((advice.action, *advice.also))),
        text_for_agent="\n".join(text for text in said if text),
    )
