"""Webhooks in every state, for the suites that look at all pages."""

from typing import Any
from uuid import uuid4

from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.events.models import WebhookAttempt, WebhookDelivery
from verifyhub.events.services import WebhookValues, add_webhook, rotate_secret
from verifyhub.events.services.endpoints import disable_webhook


def furnish_webhooks(project: Project) -> dict[str, Any]:
    """Leave a receiver with a log, and one that is switched off."""
    endpoint, _ = add_webhook(
        project=project,
        values=WebhookValues(
            name="<script>alert(1)</script>", url="https://ci.example.com/hook"
        ),
        actor=None,
    )
    endpoint.failures, endpoint.failing_since = 2, timezone.now()
    endpoint.save()
    rotate_secret(endpoint=endpoint, overlap_hours=24, now=timezone.now(), actor=None)
    for number, state in enumerate(WebhookDelivery.State.values):
        row = WebhookDelivery.objects.create(
            project=project,
            endpoint=endpoint,
            event_id=uuid4(),
            event_type="verification.completed",
            position=number,
            state=state,
            next_at=timezone.now(),
        )
        WebhookAttempt.objects.create(
            delivery=row,
            status=500,
            error="HTTP 500",
            excerpt="<img src=x onerror=alert(1)>",
            duration_ms=12,
        )
    gone, _ = add_webhook(
        project=project,
        values=WebhookValues(
            name="scout",
            url="https://otel.example.com/v1/logs",
            form="otlp-logs",
            headers={"Authorization": "Bearer x"},
        ),
        actor=None,
    )
    disable_webhook(endpoint=gone, reason="The receiver says that it is gone.")
    return {"webhook_id": endpoint.id, "delivery_id": row.id}
