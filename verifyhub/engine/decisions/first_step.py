"""Find the first bad step: where a flagged answer departs from the evidence.

Every flagged name and claim is traced back to the earliest tool call that it is based
on; the earliest of these calls is the step. Without a call it is the answer itself.
"""

from collections.abc import Iterator, Sequence

from verifyhub.engine.reports import (
    BadStepReason,
    ClaimStatus,
    CompletionClaim,
    FirstBadStep,
    MentionResult,
)

_ABSENT = "error_only"


def first_bad_step(
    counted: Sequence[MentionResult], claims: Sequence[CompletionClaim]
) -> FirstBadStep | None:
    """Return the earliest step that a flagged name or claim comes from.

    Returns:
        The step with the earliest tool call, or else the first place of the answer;
        None if nothing is flagged.
    """
    steps = [*_of_claims(claims), *_of_mentions(counted)]
    return min(
        steps,
        key=lambda step: (step.tool_call is None, step.tool_call or 0, step.span[0]),
        default=None,
    )


def _of_claims(claims: Sequence[CompletionClaim]) -> Iterator[FirstBadStep]:
    for claim in claims:
        denied = claim.status is ClaimStatus.CONTRADICTED
        if claim.is_flagged:
            yield FirstBadStep(
                kind="completion_claim",
                reason=(
                    BadStepReason.RESULT_DENIED
                    if denied
                    else BadStepReason.WORK_NOT_DONE
                ),
                span=claim.span,
                # The decisive call is first.
                tool_call=claim.evidence[0] if denied and claim.evidence else None,
            )


def _of_mentions(mentions: Sequence[MentionResult]) -> Iterator[FirstBadStep]:
    for mention in mentions:
        if mention.is_verified:
            continue
        calls = [place.tool_call for place in mention.evidence if place.tool_call >= 0]
        reason = BadStepReason.NAME_INVENTED
        if calls:
            absent = mention.reason == _ABSENT
            reason = BadStepReason.NAME_ABSENT if absent else BadStepReason.NAME_UNSEEN
        yield FirstBadStep(
            kind="mention",
            reason=reason,
            span=mention.spans[0],
            tool_call=min(calls, default=None),
        )
