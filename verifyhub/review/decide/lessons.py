"""Hand what was decided on to learning: examples, calibration samples and pairs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.accounts.models import User
from verifyhub.common.effects import Effect
from verifyhub.learning import services as learning
from verifyhub.review.decisions import CLAIM, Reviewer
from verifyhub.review.models import Override
from verifyhub.review.selectors import report_of
from verifyhub.verification.models import MentionVerdict

Target = Override.Target
# Notes label nothing of the machine's; nothing is learned of values so far.
UNLABELLED = (Target.NOTE, Target.VALUE)


@dataclass
class MissedName:
    """A name that a reviewer marked, as memory and learning want names."""

    text: str
    kind: str
    key: str
    suggestion: str
    # The machine saw no such name.
    status: str = ""
    reason: str = ""

    @classmethod
    def of(cls, subject: Mapping[str, Any]) -> "MissedName":
        """Make it of an override's subject."""
        return cls(
            text=subject["text"],
            kind=subject["kind"],
            key=subject["key"][: MentionVerdict.MAX_KEY],
            suggestion=subject["suggestion"],
        )


def learned_from(made: Override, reviewer: Reviewer) -> list[Effect]:
    """Learn from one statement; what a key says is learned without a person's name."""
    if made.target in UNLABELLED:
        return []
    item = made.item
    common: dict[str, Any] = {
        "project": item.project,
        "interaction": item.interaction,
        "verification_id": item.verification_id,
        "report": report_of(item.verification),
        "override_id": made.id,
        "actor": reviewer if isinstance(reviewer, User) else None,
        "decided_at": made.created_at,
        "reason": made.reason or ", ".join(made.reason_codes),
    }
    if made.target == Target.ANSWER:
        return learning.learn_from_correction(chosen=made.text, **common)
    if made.target == Target.AGREEMENT:
        return learning.learn_from_agreement(verdict=made.after, **common)
    return learning.learn_from_override(
        **common, **_about(made), before=made.before, after=made.after
    )


def _about(made: Override) -> dict[str, Any]:
    """Return the target in learning's words, and the name or claim it is about."""
    if made.target == Target.MENTION:
        return {"target": "mention", "mention": made.mention}
    if made.target == Target.FACT:
        return {"target": "fact", "claim": made.subject}
    is_claim = made.subject.get("kind") == CLAIM and made.target == Target.MISSED
    if made.target == Target.CLAIM or is_claim:
        return {"target": "claim", "claim": made.subject}
    if made.target == Target.MISSED:
        return {"target": "mention", "mention": MissedName.of(made.subject)}
    return {"target": "verdict"}
