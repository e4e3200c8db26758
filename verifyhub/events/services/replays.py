"""Send deliveries again, and send a test event."""

from django.db import models, transaction

from verifyhub.audit.services import record_event
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services.outbox import publish

State = WebhookDelivery.State
ENDED = (State.FINISHED, State.FAILED)
# Maximum deliveries of one call; the reply has their number.
MAX_REPLAYS = WebhookEndpoint.MAX_WAITING


@transaction.atomic
def replay_delivery(*, delivery: WebhookDelivery, actor: models.Model | None) -> bool:
    """Resend an ended delivery, with the same `webhook-id`.

    Returns:
        False if it has not ended.
    """
    ended = WebhookDelivery.objects.filter(pk=delivery.pk, state__in=ENDED)
    if not _replay(delivery.endpoint, ended):
        return False
    record_event(
        "events.delivery_replayed", delivery.endpoint, actor, after={"count": 1}
    )
    delivery.refresh_from_db()
    return True


@transaction.atomic
def replay_dead(*, endpoint: WebhookEndpoint, actor: models.Model | None) -> int:
    """Resend failed deliveries, oldest first.

    Returns:
        How many; at most `MAX_REPLAYS`.
    """
    dead = endpoint.deliveries.filter(state=State.FAILED).order_by("position")
    chosen = list(dead.values_list("pk", flat=True)[:MAX_REPLAYS])
    count = _replay(
        endpoint, WebhookDelivery.objects.filter(pk__in=chosen, state=State.FAILED)
    )
    if count:
        record_event(
            "events.delivery_replayed", endpoint, actor, after={"count": count}
        )
    return count


@transaction.atomic
def send_test(
    *, endpoint: WebhookEndpoint, actor: models.Model | None
) -> WebhookDelivery:
    """Send a test event to a receiver, whatever types it subscribes to."""
    event = publish(
        project=endpoint.project,
        type=EventType.WEBHOOK_TEST,
        data={"message": f"A test of the webhook {endpoint.name}."},
        subject={"webhook": str(endpoint.id)},
    )
    row = WebhookDelivery.objects.create(
        project_id=endpoint.project_id,
        endpoint=endpoint,
        event_id=event.id,
        event_type=event.type,
        # Before other deliveries, since somebody is watching.
        position=0,
        state=_begun(endpoint),
    )
    enqueue_on_commit("events.deliver")
    record_event("events.webhook_tested", endpoint, actor, after={"count": 1})
    return row


def _replay(endpoint: WebhookEndpoint, rows: models.QuerySet[WebhookDelivery]) -> int:
    count = rows.update(
        state=_begun(endpoint),
        attempts=0,
        next_at=None,
        rung_at=None,
        error="",
        finished_at=None,
        replays=models.F("replays") + 1,
    )
    if count:
        enqueue_on_commit("events.deliver")
    return count


def _begun(endpoint: WebhookEndpoint) -> State:
    active = endpoint.state == WebhookEndpoint.State.ACTIVE
    return State.PENDING if active else State.HELD
