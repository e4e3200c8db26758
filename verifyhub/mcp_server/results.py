"""Convert the hub's documents to results of tools; see `shapes`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from verifyhub.engine.reports import Status
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.mcp_server.shapes import (
    ContextReply,
    ExplainReply,
    GuardReply,
    VerifyReply,
    left_out,
)


def pending(interaction_id: str) -> VerifyReply:
    """Return the result for an answer whose verdict is pending."""
    return VerifyReply.model_validate(_no_verdict(interaction_id))


def verified(document: Any) -> VerifyReply:
    """Return the result for a verdict object.

    Raises:
        LookupError, TypeError, ValueError: If the document is not one.
    """
    return VerifyReply.model_validate(_verdict(_report(document)))


def _report(document: Any) -> VerificationReport:
    """Read a verdict object; a document without a verdict is not one."""
    if "verdict" not in document or "decision" not in document:
        raise LookupError("no verdict object")
    return VerificationReport.from_dict(document)


def explained(answer: Mapping[str, Any], page: str) -> ExplainReply:
    """Return the explanation of an answer from the hub's document; see `verified`."""
    if answer["verdict"] is None:
        values = _no_verdict(str(answer["id"])) | {
            "names": [],
            "all_claims": [],
            "checks": [],
            "first_bad_step": None,
            "people": None,
        }
    else:
        report = _report(answer["verdict"])
        values = _verdict(report) | {
            "names": report.counted_mentions,
            "all_claims": report.completion_claims,
            "checks": report.checks,
            "first_bad_step": report.first_bad_step,
            "people": _people(answer.get("review"), report),
        }
        values["omitted"] += left_out(values["names"], values["all_claims"])
    return ExplainReply.model_validate({**values, "page": page})


def guarded(data: Mapping[str, Any]) -> GuardReply:
    """Return the result of the guard; see `verified`."""
    return GuardReply.model_validate({**data, "omitted": left_out(data["findings"])})


def context_reply(data: Any) -> ContextReply:
    """Return the context of a session; the budget limits its size; see `verified`."""
    return ContextReply.model_validate(data)


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
    flagged, claims = report.flagged_mentions, report.flagged_claims
    return {
        "id": str(report.id),
        "state": "verified",
        "verdict": report.verdict,
        "confidence": report.confidence,
        "completeness": report.completeness,
        "explanation": report.explanation,
        "flagged": flagged,
        "claims": claims,
        "gaps": report.gaps,
        "decision": report.decision,
        "omitted": left_out(flagged, claims, report.gaps),
    }


def _people(
    review: Mapping[str, Any] | None, report: VerificationReport
) -> dict[str, Any] | None:
    if review is None:
        return None
    by_index = dict(enumerate(report.mentions))
    names = [
        replace(by_index[one["index"]], status=Status(one["human_status"]))
        for one in review.get("mentions") or []
        if one["index"] in by_index
    ]
    return {"verdict": review.get("verdict"), "names": names}
