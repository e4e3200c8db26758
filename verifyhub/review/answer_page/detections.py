"""The layers of an answer: those of its verdict, and those that people asked for."""

from typing import Any

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.verification.check_choices import RISK_CHOICES
from verifyhub.verification.models import Detection
from verifyhub.verification.pages.layer_page import shown
from verifyhub.verification.selectors import detections_of

# Older runs of an answer's layers stand on the page of detections.
SHOWN = 5


def detections_context(
    interaction: Interaction, report: VerificationReport
) -> dict[str, Any]:
    """Return what the answer page shows of risk and layers.

    Args:
        interaction: The answer.
        report: The verdict that is shown.
    """
    asked = list(detections_of(interaction)[:SHOWN])
    return {
        "layers_of_verdict": shown(report.detection),
        "layers_asked": [
            {"row": row, "shown": shown(row.detection_result)}
            for row in asked
            if row.state == Detection.State.FINISHED
        ],
        "layers_waiting": [row for row in asked if row.state in Detection.WAITING],
        "risk_choices": RISK_CHOICES,
        "layers_failed": [row for row in asked if row.state == Detection.State.FAILED],
    }
