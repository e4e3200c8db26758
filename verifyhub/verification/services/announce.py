"""What the outbox tells of verifications (SPEC A11, E9; the fields: docs/api.md)."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from verifyhub.engine.grounding.ground import NOT_COUNTED
from verifyhub.engine.reports import Outcome, Status, VerificationType
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.trace_selectors import judged_span
from verifyhub.verification.models import Detection, Verification

_PASSED = {str(Outcome.PASSED): True, str(Outcome.FAILED): False}


def announce_completed(*, verification: Verification) -> None:
    """Tell of a verdict, in the transaction that writes it."""
    report = verification.report or {}
    _tell(EventType.VERIFICATION_COMPLETED, verification, completed_data(verification))
    goal = report.get("goal") or {}
    if goal.get("type") == VerificationType.ORCHESTRATOR:
        _tell(EventType.ORCHESTRATOR_ANSWERED, verification, _answered(verification))


def announce_amended(*, verification: Verification) -> None:
    """Tell that an opinion that came late changed a verdict."""
    _tell(EventType.VERIFICATION_AMENDED, verification, completed_data(verification))


def announce_failed(ids: Collection[UUID]) -> None:
    """Tell of verifications that ended without a verdict."""
    rows = Verification.objects.filter(pk__in=ids).select_related(
        "interaction__session", "interaction__project"
    )
    for row in rows.order_by("project_id", "id"):
        data = {
            "verification": {"number": row.number, "attempts": row.attempts},
            "error": row.error,
        }
        _tell(EventType.VERIFICATION_FAILED, row, data)


def announce_detection(detection_id: UUID) -> None:
    """Tell what layers that somebody asked for found, with the row that keeps it."""
    row = _detections([detection_id]).get()
    _tell_detection(
        EventType.DETECTION_COMPLETED, row, {"detection": _detection(row.result)}
    )


def announce_failed_detections(ids: Collection[UUID]) -> None:
    """Tell of layers that ended without a result."""
    for row in _detections(ids).order_by("project_id", "id"):
        _tell_detection(EventType.DETECTION_FAILED, row, {"error": row.error})


def subject_of(interaction: Interaction) -> dict[str, str]:
    """Name an answer as every event about it does."""
    subject = {
        "interaction": str(interaction.id),
        "name": interaction.client_id or "",
        "session": interaction.session.key if interaction.session else "",
    }
    judged = judged_span(interaction)
    if judged is not None:
        subject["trace"], subject["span"] = judged.trace_id, judged.span_id
        subject["response"] = judged.response_id
    return {kind: name for kind, name in subject.items() if name}


def completed_data(verification: Verification) -> dict[str, Any]:
    """Return the data of an event about a verdict."""
    report = verification.report or {}
    decision = report["decision"]
    mentions = report["mentions"]
    mitigation = report.get("mitigation")
    return {
        "verification": {
            "number": verification.number,
            "attempt": report["attempt"],
            "verdict": report["verdict"],
            "action": decision["action"],
            "reason": decision["reason"],
            "confidence": report["confidence"],
            "completeness": report["completeness"],
            "coverage": report["coverage"],
            "verified": _names(mentions, Status.VERIFIED),
            "unverified": _names(mentions, Status.UNVERIFIED),
            "gaps": report["gaps"],
            "warnings": _warnings(report),
        },
        "selfAssessment": report.get("self_assessment"),
        "detection": _detection(report.get("detection")),
        "mitigation": mitigation
        and {name: mitigation[name] for name in ("action", "reason")},
    }


def _tell(kind: EventType, row: Verification, data: Mapping[str, Any]) -> None:
    publish(
        project=row.interaction.project,
        type=kind,
        data=data,
        subject={**subject_of(row.interaction), "verification": str(row.id)},
    )


def _detections(ids: Collection[UUID]) -> QuerySet[Detection]:
    rows = Detection.objects.filter(pk__in=ids)
    return rows.select_related("project", "interaction__session")


def _tell_detection(kind: EventType, row: Detection, data: Mapping[str, Any]) -> None:
    subject = subject_of(row.interaction) if row.interaction else {}
    publish(
        project=row.project,
        type=kind,
        data=data,
        subject={**subject, "detection": str(row.id)},
    )


def _answered(verification: Verification) -> dict[str, Any]:
    told = completed_data(verification)["verification"]
    return {
        "synthesizedAnswer": verification.interaction.answer,
        "confidence": told["confidence"],
        "completeness": told["completeness"],
        "gaps": told["gaps"],
        "unverifiedMentions": told["unverified"],
        "warnings": told["warnings"],
        "verification": {"verdict": told["verdict"], "action": told["action"]},
    }


def _names(mentions: Collection[Mapping[str, Any]], status: Status) -> list[str]:
    return [
        one["text"]
        for one in mentions
        if one["status"] == status and one["reason"] not in NOT_COUNTED
    ]


def _warnings(report: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"code": one["code"], "message": one["message"]} for one in report["warnings"]
    ]


def _detection(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not found:
        return None
    run = [one for one in found["layers"] if one["outcome"] != Outcome.SKIPPED]
    return {
        "riskLevel": found["risk"]["level"],
        "layersRun": len(run),
        # Layers that did not run, or could not tell, say neither.
        "passed": _PASSED.get(found["outcome"]),
        "overallConfidence": found["confidence"],
        "totalLatencyMs": round(found["latency_seconds"] * 1000),
    }
