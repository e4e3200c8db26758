"""Mitigate an answer that failed a check."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.engine.mitigation.choose import DISCLAIMERS
from verifyhub.engine.mitigation.decompose import decompose
from verifyhub.engine.mitigation.rewrite import Rewrite, rewrite
from verifyhub.engine.mitigation_results import Mitigation, MitigationAction
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.ingest.trace_selectors import subject_of
from verifyhub.verification.models import MitigationAttempt, Verification
from verifyhub.verification.services.at_hand import at_hand, name_of

logger = get_logger(__name__)

MITIGATIONS = RowQueue(
    "verification_mitigationattempt",
    task="verification.mitigate",
    argument="mitigation_id",
)
# These write a new text; the others decide how the answer is shown.
WRITING = frozenset({MitigationAction.REGENERATE, MitigationAction.DECOMPOSE_AND_RETRY})


class NothingToMitigateError(Exception):
    """The answer has no faults, so there is nothing to mitigate."""


@transaction.atomic
def mitigate_answer(
    *,
    verification: Verification,
    action: MitigationAction | None,
    actor: models.Model | None,
) -> MitigationAttempt:
    """Mitigate an answer as its verdict advises, or by the caller's action.

    Args:
        verification: A finished verification.
        action: The action; None for the advised one, or for a new text if only names
            and claims of work are wrong.
        actor: Who requests it; None for the system.

    Raises:
        NothingToMitigateError: If the answer has no faults.
    """
    report = verification.verdict_object
    if not report.has_faults:
        raise NothingToMitigateError
    advice = report.mitigation
    row = MitigationAttempt(
        project=verification.project,
        interaction=verification.interaction,
        verification=verification,
        asked_by=name_of(actor),
        task=verification.interaction.task,
        text=verification.interaction.answer,
        advice=advice.as_dict() if advice else None,
        action=action or _advised(advice),
    )
    return _begun(row, actor)


@transaction.atomic
def mitigate_text(
    *,
    project: Project,
    text: str,
    task: str,
    sources: Sequence[Any],
    failed_layers: Sequence[Mapping[str, Any]],
    advice: Mitigation | None,
    action: MitigationAction | None,
    actor: models.Model | None,
) -> MitigationAttempt:
    """Mitigate a text that belongs to no stored answer.

    Args:
        project: The tenant.
        text, task, sources: The text with its task and sources.
        failed_layers: Layers that failed, each with its score.
        advice: The advice of `choose`; None if the text has no faults.
        action: The action; None for the advised one.
        actor: Who requests it.

    Raises:
        NothingToMitigateError: If there is neither advice nor an action.
    """
    if advice is None and action is None:
        raise NothingToMitigateError
    row = MitigationAttempt(
        project=project,
        asked_by=name_of(actor),
        task=task,
        text=text,
        sources=list(sources),
        failed_layers=[dict(layer) for layer in failed_layers],
        advice=advice.as_dict() if advice else None,
        action=action or _advised(advice),
    )
    return _begun(row, actor)


def run_mitigation(*, mitigation_id: UUID) -> bool:
    """Rewrite a text if its row can be claimed.

    Models are called and the text is verified outside any transaction. After a failure
    the row is retried later, up to three times.

    Returns:
        True if this call wrote the result.
    """
    return MITIGATIONS.run(
        mitigation_id, lambda lease: _finish(lease, _rewrite(lease.row_id))
    )


def _begun(row: MitigationAttempt, actor: models.Model | None) -> MitigationAttempt:
    if row.action not in WRITING:
        row.result, row.offered = _applied(row), row.action != MitigationAction.BLOCK
        row.state, row.finished_at = MitigationAttempt.State.FINISHED, timezone.now()
    row.save(force_insert=True)
    record_event("mitigation.requested", row, actor, after={"action": str(row.action)})
    if row.is_waiting:
        MITIGATIONS.ring(row.id)
    else:
        _publish_applied(row)
    return row


def _rewrite(mitigation_id: UUID) -> Rewrite:
    row = MitigationAttempt.objects.select_related(
        "project", "interaction__session", "verification"
    ).get(pk=mitigation_id)
    tools = at_hand(row)
    write = rewrite if row.action == MitigationAction.REGENERATE else decompose
    return write(tools.subject(), model=tools.model, verify=tools.verify)


@transaction.atomic
def _finish(lease: RowLease, result: Rewrite) -> bool:
    if not MitigationAttempt.end(
        lease, result=result.as_dict(), offered=result.offered
    ):
        logger.warning("mitigation.claim_lost", id=str(lease.row_id))
        return False
    if result.offered:
        row = MitigationAttempt.objects.select_related(
            "project", "interaction__session"
        ).get(pk=lease.row_id)
        _publish_applied(row)
    logger.info("mitigation.finished", id=str(lease.row_id), reason=result.reason)
    return True


def _applied(row: MitigationAttempt) -> dict[str, Any]:
    """Return how an answer is shown; a blocked one is not."""
    advice = row.advice or {}
    note = str(advice.get("disclaimer") or DISCLAIMERS["en"])
    shown = {
        MitigationAction.BLOCK: "",
        MitigationAction.DISCLAIM: f"{row.text}\n\n{note}",
        MitigationAction.FLAG_UNCERTAIN: f"{row.text}\n\n{note}",
    }
    return {
        "applied": True,
        "shown": shown.get(MitigationAction(row.action), row.text),
        "text_for_agent": str(advice.get("text_for_agent") or ""),
    }


def _publish_applied(row: MitigationAttempt) -> None:
    advice, result = row.advice or {}, row.rewrite
    judged = result.report if result else None
    publish(
        project=row.project,
        type=EventType.MITIGATION_APPLIED,
        data={
            "mitigation": {
                "action": str(row.action),
                "reason": advice.get("reason", ""),
                "originalText": row.text,
                "correctedText": result.text if result else "",
            },
            "offered": row.offered,
            "verification": {"verdict": str(judged.verdict)} if judged else None,
        },
        subject={**subject_of(row.interaction), "mitigation": str(row.id)},
    )


def _advised(advice: Mitigation | None) -> MitigationAction:
    return advice.action if advice else MitigationAction.REGENERATE
