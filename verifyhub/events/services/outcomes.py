"""Write the result of a delivery attempt."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.common.sealing import UnsealError
from verifyhub.events.adapters import ReceiverReply
from verifyhub.events.error_words import DELETED, FAILING, FORGOTTEN, GONE, UNSEALED
from verifyhub.events.formats.message import Message, Outgoing
from verifyhub.events.formats.otlp import (
    as_logs,
    as_spans,
    refusal_of_logs,
    refusal_of_spans,
)
from verifyhub.events.formats.standard_webhooks import as_webhook
from verifyhub.events.models import (
    Event,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
)
from verifyhub.events.services.endpoints import (
    count_failure,
    count_success,
    disable_webhook,
)
from verifyhub.events.services.secrets import headers_of, signing_secrets

logger = get_logger(__name__)

Form = WebhookEndpoint.Form
STATUS_GONE = 410
# A receiver without a success for so long is disabled.
DISABLE_AFTER = timedelta(days=5)
# Consecutive failures after which a receiver is paused, for twice as long each time,
# and the maximum pause in seconds.
FIRST_REST, MAX_REST = 3, 300


def prepared(delivery_id: UUID) -> Outgoing | str:
    """Return the request of the next attempt, or why there is none."""
    row = _delivery(delivery_id)
    if row is None:
        return DELETED
    event = Event.objects.filter(project=row.project_id, pk=row.event_id).first()
    if event is None or event.position is None:
        return FORGOTTEN
    data, masker = event.data, row.endpoint.project.outgoing_masker
    if masker is not None:
        data = masker.document(data).document
    message = Message(
        id=str(event.id),
        type=event.type,
        occurred_at=event.created_at,
        position=event.position,
        project=row.endpoint.project.slug,
        subject=event.subject,
        data=data,
    )
    try:
        now = timezone.now()
        if row.endpoint.form == Form.WEBHOOK:
            signing = signing_secrets(row.endpoint, now)
            return as_webhook(message, url=row.endpoint.url, signing=signing, now=now)
        make = as_logs if row.endpoint.form == Form.OTLP_LOGS else as_spans
        return make(message, url=row.endpoint.url, headers=headers_of(row.endpoint))
    except UnsealError:
        return UNSEALED
    except Exception as error:  # noqa: BLE001 - one event must not stop all others
        logger.error("webhook.unspeakable", id=str(row.id), error=type(error).__name__)
        return f"It cannot be put into words: {type(error).__name__}"


@transaction.atomic
def write_down(
    queue: RowQueue, claim: RowLease, reply: ReceiverReply, *, wait_seconds: float
) -> str | None:
    """Save the outcome of an attempt, for the delivery and its receiver.

    Returns:
        The delivery's new state; None if the claim was lost, or the receiver was
        deleted.
    """
    row = _delivery(claim.row_id)
    if row is None:
        return None
    error = _error(row.endpoint, reply)
    claimed = WebhookDelivery.objects.filter(
        pk=row.pk, token=claim.token, state=WebhookDelivery.State.RUNNING
    )
    if not claimed.update(last_status=reply.status):
        return None
    WebhookAttempt.objects.create(
        delivery=row,
        status=reply.status,
        error=error[:300],
        excerpt=reply.excerpt(WebhookAttempt.MAX_EXCERPT),
        duration_ms=reply.duration_ms,
    )
    if not error:
        _end(claimed, WebhookDelivery.State.FINISHED, "")
        count_success(row.endpoint, now=timezone.now(), duration_ms=reply.duration_ms)
        return WebhookDelivery.State.FINISHED
    if error == FORGOTTEN:
        _end(claimed, WebhookDelivery.State.FAILED, error)
        return WebhookDelivery.State.FAILED
    return _failed(queue, row, claim, error, reply, wait_seconds)


def _delivery(delivery_id: UUID) -> WebhookDelivery | None:
    rows = WebhookDelivery.objects.select_related("endpoint__project")
    return rows.filter(pk=delivery_id).first()


def _error(endpoint: WebhookEndpoint, reply: ReceiverReply) -> str:
    """Return the error of a reply; empty for a success."""
    if not reply.was_taken:
        return reply.error or f"HTTP {reply.status}"
    if endpoint.form == Form.OTLP_LOGS:
        return refusal_of_logs(reply.body)
    if endpoint.form == Form.OTLP_TRACES:
        return refusal_of_spans(reply.body)
    return ""


def _failed(
    queue: RowQueue,
    row: WebhookDelivery,
    claim: RowLease,
    error: str,
    reply: ReceiverReply,
    wait_seconds: float,
) -> str | None:
    endpoint, now = row.endpoint, timezone.now()
    count_failure(endpoint, now=now, wait=_rest(endpoint.failures + 1))
    if reply.status == STATUS_GONE:
        delivery = WebhookDelivery.objects.filter(pk=row.pk)
        _end(delivery, WebhookDelivery.State.FAILED, error)
        disable_webhook(endpoint=endpoint, reason=GONE)
        return WebhookDelivery.State.FAILED
    state = queue.release(claim, error, wait_seconds=wait_seconds)
    since = endpoint.failing_since
    if since is not None and now - since >= DISABLE_AFTER:
        params = {"n": DISABLE_AFTER.days, "error": error[:200]}
        disable_webhook(endpoint=endpoint, reason=FAILING, params=params)
    # Its receiver may have been paused meanwhile.
    stopped = WebhookDelivery.objects.filter(
        pk=row.pk, state=WebhookDelivery.State.PENDING
    ).exclude(endpoint__state=WebhookEndpoint.State.ACTIVE)
    stopped.update(state=WebhookDelivery.State.HELD)
    return state


def _rest(failures: int) -> float:
    """Return the pause in seconds after so many consecutive failures."""
    if failures < FIRST_REST:
        return 0.0
    return float(min(2 ** min(failures - FIRST_REST, 10), MAX_REST))


def _end(rows: QuerySet[WebhookDelivery], state: str, error: str) -> None:
    rows.update(
        state=state,
        error=error[:500],
        lease_until=None,
        next_at=None,
        finished_at=Now(),
    )
