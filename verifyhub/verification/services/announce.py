"""Publish verdicts in the outbox (A11, E9; the fields: docs/api.md)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from verifyhub.engine.layer_results import DetectionResult
from verifyhub.engine.reports import Outcome
from verifyhub.engine.types import VerificationType
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import event_of, publish, publish_all
from verifyhub.ingest.trace_selectors import subject_of, subjects_of
from verifyhub.verification.models import Detection, Verification
from verifyhub.verification.steps import FinishedVerification

_PASSED = {str(Outcome.PASSED): True, str(Outcome.FAILED): False}


def announce_completed(finished: Sequence[FinishedVerification]) -> None:
    """Publish the verdicts, in the transaction that writes them."""
    news = []
    for completed in finished:
        data = completed_data(completed.verification)
        news.append((EventType.VERIFICATION_COMPLETED, completed.verification, data))
        goal = completed.report.goal
        if goal and goal.type is VerificationType.ORCHESTRATOR:
            judged = data["verification"]
            answer = {
                "synthesizedAnswer": completed.interaction.answer,
                "confidence": judged["confidence"],
                "completeness": judged["completeness"],
                "gaps": judged["gaps"],
                "unverifiedMentions": judged["unverified"],
                "warnings": judged["warnings"],
                "verification": {
                    "verdict": judged["verdict"],
                    "action": judged["action"],
                },
            }
            news.append(
                (EventType.ORCHESTRATOR_ANSWERED, completed.verification, answer)
            )
    _publish(news)


def announce_amended(finished: Sequence[FinishedVerification]) -> None:
    """Publish the verdicts that a late opinion amended."""
    rows = [completed.verification for completed in finished]
    _publish(
        [(EventType.VERIFICATION_AMENDED, row, completed_data(row)) for row in rows]
    )


def announce_failed(ids: Collection[UUID]) -> None:
    """Publish verifications that ended without a verdict."""
    rows = Verification.objects.filter(pk__in=ids).select_related(
        "interaction__session", "interaction__project"
    )
    news = []
    for row in rows.order_by("project_id", "id"):
        attempts = {"number": row.number, "attempts": row.attempts}
        data = {"verification": attempts, "error": row.error}
        news.append((EventType.VERIFICATION_FAILED, row, data))
    _publish(news)


def announce_detection(detection_id: UUID) -> None:
    """Publish the result of a detection, with the row that stores it."""
    row = _detections([detection_id]).get()
    result = row.detection_result
    data = {"detection": _detection(result)}
    _tell_detection(EventType.DETECTION_COMPLETED, row, data)


def announce_failed_detections(ids: Collection[UUID]) -> None:
    """Publish detections that ended without a result."""
    for row in _detections(ids).order_by("project_id", "id"):
        _tell_detection(EventType.DETECTION_FAILED, row, {"error": row.error})


def completed_data(verification: Verification) -> dict[str, Any]:
    """Return the data of an event about a verdict."""
    report = verification.verdict_object
    assessed, mitigation = report.self_assessment, report.mitigation
    return {
        "verification": {
            "number": verification.number,
            "attempt": report.attempt,
            "verdict": str(report.verdict),
            "action": str(report.decision.action),
            "reason": report.decision.reason,
            "confidence": report.confidence,
            "completeness": report.completeness,
            "coverage": report.coverage,
            "verified": [
                mention.text
                for mention in report.counted_mentions
                if mention.is_verified
            ],
            "unverified": [mention.text for mention in report.flagged_mentions],
            "gaps": list(report.gaps),
            "warnings": [
                {"code": mention.code, "message": mention.message}
                for mention in report.warnings
            ],
        },
        "selfAssessment": assessed.as_dict() if assessed else None,
        "detection": _detection(report.detection),
        "mitigation": mitigation
        and {"action": str(mitigation.action), "reason": str(mitigation.reason)},
    }


def _publish(news: Sequence[tuple[EventType, Verification, Mapping[str, Any]]]) -> None:
    subjects = subjects_of([row.interaction for _, row, _ in news])
    publish_all(
        [
            event_of(
                project_id=row.project_id,
                type=kind,
                data=data,
                subject={
                    **subjects[row.interaction_id],
                    "verification": str(row.id),
                },
            )
            for kind, row, data in news
        ]
    )


def _detections(ids: Collection[UUID]) -> QuerySet[Detection]:
    rows = Detection.objects.filter(pk__in=ids)
    return rows.select_related("project", "interaction__session")


def _tell_detection(kind: EventType, row: Detection, data: Mapping[str, Any]) -> None:
    publish(
        project=row.project,
        type=kind,
        data=data,
        subject={**subject_of(row.interaction), "detection": str(row.id)},
    )


def _detection(result: DetectionResult | None) -> dict[str, Any] | None:
    if result is None:
        return None
    run = [layer for layer in result.layers if layer.outcome is not Outcome.SKIPPED]
    return {
        "riskLevel": str(result.risk.level),
        "layersRun": len(run),
        # Null for layers that did not run or were inconclusive.
        "passed": _PASSED.get(result.outcome),
        "overallConfidence": result.confidence,
        "totalLatencyMs": round(result.latency_seconds * 1000),
    }
