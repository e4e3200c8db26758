"""Writes: the outbox and its deliveries."""

from verifyhub.events.services.audit_head import publish_audit_head
from verifyhub.events.services.deliver import (
    deliver_due,
    reconcile_deliveries,
    spread_events,
)
from verifyhub.events.services.endpoints import (
    MAX_OVERLAP_HOURS,
    Rotation,
    WebhookChange,
    WebhookError,
    WebhookValues,
    add_webhook,
    change_webhook,
    delete_webhook,
    pause_webhook,
    resume_webhook,
    rotate_secret,
)
from verifyhub.events.services.outbox import (
    EVENT_RETENTION,
    WEBHOOK_RETENTION,
    event_of,
    forget_events,
    forget_old_events,
    publish,
    publish_all,
)
from verifyhub.events.services.replays import replay_dead, replay_delivery, send_test
from verifyhub.events.services.secrets import reseal_webhooks

__all__ = [
    "EVENT_RETENTION",
    "MAX_OVERLAP_HOURS",
    "WEBHOOK_RETENTION",
    "Rotation",
    "WebhookChange",
    "WebhookError",
    "WebhookValues",
    "add_webhook",
    "change_webhook",
    "delete_webhook",
    "deliver_due",
    "event_of",
    "forget_events",
    "forget_old_events",
    "pause_webhook",
    "publish",
    "publish_all",
    "publish_audit_head",
    "reconcile_deliveries",
    "replay_dead",
    "replay_delivery",
    "reseal_webhooks",
    "resume_webhook",
    "rotate_secret",
    "send_test",
    "spread_events",
]
