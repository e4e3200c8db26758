"""The hub's documents as the results of tools; see `shapes`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from verifyhub.engine import reports
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.mcp_server.shapes import (
    Check,
    ContextReply,
    ExplainReply,
    GuardFinding,
    GuardReply,
    HumanReview,
    NameStatus,
    NextStep,
    VerifyReply,
    WorkStatus,
    WrongStep,
)


def pending(interaction_id: str) -> VerifyReply:
    """The result for an answer whose verdict is still to come."""
    return VerifyReply(**_no_verdict(interaction_id))


def verified(document: Any) -> VerifyReply:
    """The result for a verdict object.

    Raises:
        LookupError, TypeError, ValueError: If it is none.
    """
    return VerifyReply(**_verdict(_report(document)))


def _report(document: Any) -> VerificationReport:
    """Read a verdict object; what names no verdict is none."""
    if "verdict" not in document or "decision" not in document:
        raise LookupError("no verdict object")
    return VerificationReport.from_dict(document)


def explained(answer: Mapping[str, Any], page: str) -> ExplainReply:
    """The explanation of an answer as the hub's API gives it; see `verified`."""
    report = _report(answer["verdict"]) if answer["verdict"] is not None else None
    shared: dict[str, Any] = {
        "people": _people(answer.get("review"), report),
        "page": page,
    }
    if report is None:
        empty: dict[str, Any] = {"names": [], "all_claims": [], "checks": []}
        return ExplainReply(
            **_no_verdict(str(answer["id"])), **empty, **shared, first_bad_step=None
        )
    names, names_left = first(report.counted_mentions)
    claims, claims_left = first(report.completion_claims)
    values = _verdict(report)
    values["omitted"] += names_left + claims_left
    return ExplainReply(
        **values,
        **shared,
        names=[_name(one) for one in names],
        all_claims=[_claim(one) for one in claims],
        checks=[
            Check(name=cut(one.name), outcome=one.outcome, reason=cut(one.reason))
            for one in first(report.checks)[0]
        ],
        first_bad_step=_step(report.first_bad_step),
    )


def guarded(data: Mapping[str, Any]) -> GuardReply:
    """The result of the guard; see `verified`."""
    findings, omitted = first(data["findings"])
    return GuardReply(
        ok=bool(data["ok"]),
        findings=[
            GuardFinding(
                text=cut(one["text"]),
                kind=cut(one["kind"]),
                span=[int(place) for place in one["span"]],
                reason=cut(one["reason"]),
                suggestion=cut(one["suggestion"]) or None,
                constraint=cut(one["constraint"]) or None,
            )
            for one in findings
        ],
        omitted=omitted,
    )


def context_reply(data: Mapping[str, Any]) -> ContextReply:
    """The context of a session; its size is the budget's; see `verified`."""
    return ContextReply(
        session=cut(data["session"]),
        known=bool(data["known"]),
        text=str(data["text"]),
        estimated_tokens=int(data["estimated_tokens"]),
        sha256=str(data["sha256"]),
    )


def _no_verdict(interaction_id: str) -> dict[str, Any]:
    return {
        "id": interaction_id,
        "state": "pending",
        "verdict": None,
        "confidence": None,
        "completeness": None,
        "explanation": "The answer is stored; its verdict is pending. Get it with "
        "explain_verdict and this id.",
        "flagged": [],
        "claims": [],
        "gaps": [],
        "decision": None,
        "omitted": 0,
    }


def _verdict(report: VerificationReport) -> dict[str, Any]:
    flagged, names_left = first(report.flagged_mentions)
    claims, claims_left = first(report.flagged_claims)
    gaps, gaps_left = first(report.gaps)
    decision = report.decision
    return {
        "id": str(report.id),
        "state": "verified",
        "verdict": report.verdict,
        "confidence": report.confidence,
        "completeness": report.completeness,
        "explanation": cut(report.explanation, MAX_TEXT),
        "flagged": [_name(one) for one in flagged],
        "claims": [_claim(one) for one in claims],
        "gaps": [cut(gap) for gap in gaps],
        "decision": NextStep(
            action=decision.action,
            reason=decision.reason,
            additional_context=cut(decision.additional_context, MAX_TEXT),
            follow_ups=[cut(text, 1000) for text in first(decision.follow_ups)[0]],
        ),
        "omitted": names_left + claims_left + gaps_left,
    }


def _name(mention: reports.MentionResult) -> NameStatus:
    shown = {place.tool_call for place in mention.evidence}
    return NameStatus(
        text=cut(mention.text),
        kind=mention.kind,
        status=mention.status,
        reason=cut(mention.reason),
        suggestion=cut(mention.suggestion) or None,
        tool_calls=sorted(shown)[:20],
    )


def _claim(claim: reports.CompletionClaim) -> WorkStatus:
    return WorkStatus(text=cut(claim.text), kind=cut(claim.kind), status=claim.status)


def _step(step: reports.FirstBadStep | None) -> WrongStep | None:
    if step is None:
        return None
    return WrongStep(
        tool_call=step.tool_call,
        where=step.where,
        kind=step.kind,
        reason=step.reason,
    )


def _people(
    review: Mapping[str, Any] | None, report: VerificationReport | None
) -> HumanReview | None:
    if review is None or report is None:
        return None
    by_index = dict(enumerate(report.mentions))
    names = [
        _name(
            replace(by_index[one["index"]], status=reports.Status(one["human_status"]))
        )
        for one in first(review.get("mentions") or [])[0]
        if one["index"] in by_index
    ]
    return HumanReview(verdict=review.get("verdict"), names=names)


# How much of other people's words one reply carries.
#
# What an agent wrote comes back as data: in fields of a JSON document, cut to a size
# that no file name or error message can exceed.
MAX_LISTED = 50
MAX_NAME = 300
MAX_TEXT = 8000

T = TypeVar("T")


def cut(text: object, limit: int = MAX_NAME) -> str:
    """Return the text, or its beginning and an ellipsis, within `limit` characters."""
    whole = str(text or "")
    return whole if len(whole) <= limit else whole[: limit - 1] + "…"


def first(items: Sequence[T], limit: int = MAX_LISTED) -> tuple[Sequence[T], int]:
    """Return the first items, and how many were left out."""
    return items[:limit], max(0, len(items) - limit)
