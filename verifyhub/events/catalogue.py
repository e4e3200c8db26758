"""Types of events."""

from collections.abc import Mapping
from typing import Final

from django.db import models
from django.utils.translation import pgettext_lazy as _


class EventType(models.TextChoices):
    """The type of an event; docs/api.md describes each type's `data`."""

    VERIFICATION_COMPLETED = (
        "verification.completed",
        _("event", "Verification completed"),
    )
    VERIFICATION_AMENDED = "verification.amended", _("event", "Verdict amended")
    VERIFICATION_FAILED = "verification.failed", _("event", "Verification failed")
    DETECTION_COMPLETED = "detection.completed", _("event", "Detection completed")
    DETECTION_FAILED = "detection.failed", _("event", "Detection failed")
    ORCHESTRATOR_ANSWERED = (
        "orchestrator.answered",
        _("event", "Orchestrator answer checked"),
    )
    MITIGATION_APPLIED = (
        "verification.mitigation-applied",
        _("event", "Mitigation applied"),
    )
    REVIEW_OVERRIDDEN = "review.overridden", _("event", "Overridden by a reviewer")
    REVIEW_OVERRIDE_UNDONE = "review.override-undone", _("event", "Override undone")
    REVIEW_CONFIRMED = "review.confirmed", _("event", "Confirmed by a reviewer")
    REVIEW_REOPENED = "review.reopened", _("event", "Reopened for review")
    CONSTRAINT_SHADOWED = (
        "constraint.shadowed",
        _("event", "Constraint under observation"),
    )
    CONSTRAINT_ACTIVATED = "constraint.activated", _("event", "Constraint activated")
    CONSTRAINT_RETIRED = "constraint.retired", _("event", "Constraint retired")
    CONSTRAINT_CHANGED = "constraint.changed", _("event", "Constraint reworded")
    CONSTRAINT_MERGED = "constraint.merged", _("event", "Constraints merged")
    CONSTRAINT_SPLIT = "constraint.split", _("event", "Constraints split")
    EXPORT_FINISHED = "export.finished", _("event", "Export finished")
    EXPORT_FAILED = "export.failed", _("event", "Export failed")
    REPORT_READY = "report.ready", _("event", "Report ready")
    ALERT_RAISED = "alert.raised", _("event", "Alert raised")
    ALERT_CLEARED = "alert.cleared", _("event", "Alert cleared")
    AUDIT_SEALED = "audit.sealed", _("event", "Audit record sealed")
    WEBHOOK_DISABLED = "webhook.disabled", _("event", "Webhook disabled")
    WEBHOOK_TEST = "webhook.test", _("event", "Webhook test")


# Aliases with the spelling of requirement A11.
ALIASES: Final[Mapping[str, EventType]] = {
    "verification:complete": EventType.VERIFICATION_COMPLETED,
    "orchestrator:answer": EventType.ORCHESTRATOR_ANSWERED,
}


def event_type(name: str) -> EventType | None:
    """Return the type of a name or alias; None if it is unknown."""
    if name in ALIASES:
        return ALIASES[name]
    return EventType(name) if name in EventType.values else None
