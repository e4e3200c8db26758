"""Writes: the outbox and its deliveries."""

from verifyhub.events.services.audit_head import publish_audit_head
from verifyhub.events.services.deliver import (
    deliver_due,
    reconcile_deliveries,
    spread_events,
)
from verifyhub.events.services.endpoints import (
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
