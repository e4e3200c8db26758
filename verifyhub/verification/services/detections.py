"""Run detection layers over a text: the row is the queue (ADR 0003, 0038).

A web request never waits for layers: it inserts a row, a worker claims it by one
conditional UPDATE and writes the result only under its fencing token.
"""

from uuid import UUID

from django.db import transaction

from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.contract import reader_of
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.engine.layer_results import DetectionResult
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Detection
from verifyhub.verification.services.announce import (
    announce_detection,
    announce_failed_detections,
)
from verifyhub.verification.services.layer_run import (
    LayersRequest,
    Subject,
    run_stored_layers,
)

logger = get_logger(__name__)

DETECTIONS = RowQueue(
    "verification_detection",
    task="verification.detect",
    argument="detection_id",
    failed=announce_failed_detections,
)


@transaction.atomic
def open_detection(
    *,
    project: Project,
    subject: Subject,
    layers_request: LayersRequest,
    actor: User | ApiKey,
    interaction: Interaction | None = None,
) -> Detection:
    """Queue a detection.

    Args:
        project: The tenant, whose models and budget are used.
        subject: The text.
        layers_request: The requested layers and limits.
        actor: Who requests it.
        interaction: The stored answer, if it is the text of one.
    """
    stored_request = reader_of(LayersRequest).write(layers_request)
    row = Detection.objects.create(
        project=project,
        interaction=interaction,
        asked_by=_name(actor)[: Detection.MAX_ASKED_BY],
        text=subject.text,
        task=subject.task,
        context=subject.context,
        sources=list(subject.sources),
        asked=stored_request,
    )
    answer = {"interaction": str(interaction.pk)} if interaction else {}
    record_event(
        "verification.layers_asked", row, actor, after={**stored_request, **answer}
    )
    DETECTIONS.ring(row.pk)
    return row


def open_answer_detection(
    *, interaction: Interaction, layers_request: LayersRequest, actor: User | ApiKey
) -> Detection:
    """Queue a detection of a stored answer."""
    return open_detection(
        project=interaction.project,
        subject=Subject(
            text=interaction.answer,
            task=interaction.task,
            sources=tuple(interaction.sources or ()),
        ),
        layers_request=layers_request,
        actor=actor,
        interaction=interaction,
    )


def run_detection(*, detection_id: UUID) -> bool:
    """Run the layers of a row if it can be claimed.

    Models are called outside any transaction. After a failure the row is retried
    later, up to three times.

    Returns:
        True if this call wrote the result.
    """
    return DETECTIONS.run(
        detection_id, lambda lease: _finish(lease, run_stored_layers(lease.row_id))
    )


@transaction.atomic
def _finish(lease: RowLease, result: DetectionResult) -> bool:
    won = Detection.end(
        lease,
        result=result.as_dict(),
        risk=result.risk.level,
        outcome=result.outcome,
        confidence=result.confidence,
    )
    if won:
        announce_detection(lease.row_id)
    logger.info("detection.finished", id=str(lease.row_id), written=won)
    return won


def _name(actor: User | ApiKey) -> str:
    return f"key {actor.name}" if isinstance(actor, ApiKey) else actor.get_username()
