"""Pass decisions to learning: examples, calibration samples and pairs."""

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
# Notes contain no label, and values are not learned so far.
UNLABELLED = (Target.NOTE, Target.VALUE)


@dataclass
class MissedName:
    """A name that a reviewer added, in the form for memory and learning."""

    text: str
    kind: str
    key: str
    suggestion: str
    # The verification did not find the name.
    status: str = ""
    reason: str = ""

    @classmethod
    def of(cls, subject: Mapping[str, Any]) -> "MissedName":
        """Create it from an override's subject."""
        key = subject["key"][: MentionVerdict.MAX_KEY]
        return cls(subject["text"], subject["kind"], key, subject["suggestion"])


def learned_from(override: Override, reviewer: Reviewer) -> list[Effect]:
    """Learn from one statement; those of keys are learned without a person's name."""
    if override.target in UNLABELLED:
        return []
    item = override.item
    common: dict[str, Any] = {
        "project": item.project,
        "interaction": item.interaction,
        "verification_id": item.verification_id,
        "report": report_of(item.verification),
        "override_id": override.id,
        "actor": reviewer if isinstance(reviewer, User) else None,
        "decided_at": override.created_at,
        "reason": override.reason or ", ".join(override.reason_codes),
    }
    if override.target == Target.ANSWER:
        return learning.learn_from_correction(chosen=override.text, **common)
    if override.target == Target.AGREEMENT:
        return learning.learn_from_agreement(verdict=override.after, **common)
    return learning.learn_from_override(
        **common, **_about(override), before=override.before, after=override.after
    )


def _about(override: Override) -> dict[str, Any]:
    """Return the target in learning's terms, and its name or claim."""
    if override.target == Target.MENTION:
        return {"target": "mention", "mention": override.mention}
    if override.target == Target.FACT:
        return {"target": "fact", "claim": override.subject}
    if override.target == Target.MISSED and override.subject.get("kind") != CLAIM:
        return {"target": "mention", "mention": MissedName.of(override.subject)}
    if override.target in (Target.CLAIM, Target.MISSED):
        return {"target": "claim", "claim": override.subject}
    return {"target": "verdict"}
