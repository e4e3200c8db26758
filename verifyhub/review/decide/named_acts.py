"""The usual decisions as functions, for pages with one form each."""

from typing import Any

from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision, MentionFlip, Reviewer
from verifyhub.review.models import Override, ReviewItem
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verdict


def confirm_verdict(
    *, item: ReviewItem, reviewer: Reviewer, version: int
) -> ReviewItem:
    """Agree with the verdict; raises the errors of `apply_decision`."""
    return _applied(item, reviewer, version, agree=True).item


def override_verdict(
    *, item: ReviewItem, verdict: Verdict, reason: str, reviewer: Reviewer, version: int
) -> Override:
    """Override the verdict; raises the errors of `apply_decision`."""
    return _applied(item, reviewer, version, verdict=verdict, reason=reason)


def override_mention(
    *,
    item: ReviewItem,
    mention: MentionVerdict,
    status: MentionStatus,
    reason: str,
    reviewer: Reviewer,
    version: int,
    suggestion: str = "",
) -> Override:
    """Mark a name as right or as invented; raises the errors of `apply_decision`.

    The item stays open, since the whole answer is not decided.
    """
    flip = MentionFlip(index=mention.index, status=status, suggestion=suggestion)
    return _applied(item, reviewer, version, mentions=(flip,), reason=reason)


def _applied(
    item: ReviewItem, reviewer: Reviewer, version: int, **parts: Any
) -> Override:
    outcome = apply_decision(
        item=item, decision=Decision(**parts), reviewer=reviewer, version=version
    )
    return outcome.overrides[0]
