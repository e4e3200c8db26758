"""The webhooks that receive a project's events, and their deliveries (ADR 0050)."""

import uuid
from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel
from verifyhub.common.queued_row import QueuedRow
from verifyhub.events.error_words import error_words, reason_words


class WebhookEndpoint(TimestampedModel):
    """A receiver of a project's events.

    It reads the outbox by its own cursor, so that nothing is lost while it is paused or
    behind, and publishing an event costs nothing extra.
    """

    class Form(models.TextChoices):
        """The format of deliveries."""

        WEBHOOK = "webhook", _("Signed webhooks (Standard Webhooks)")
        OTLP_LOGS = "otlp-logs", _("OpenTelemetry evaluation events (OTLP logs)")
        OTLP_TRACES = "otlp-traces", _("OpenTelemetry evaluation spans (OTLP traces)")

    class State(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("webhook", "Active")
        PAUSED = "paused", pgettext_lazy("webhook", "Paused")
        # Automatically: it failed for days, or replied 410.
        DISABLED = "disabled", pgettext_lazy("webhook", "Disabled")

    MAX_NAME = 100
    MAX_URL = 2000
    # Maximum waiting deliveries; beyond it the cursor does not advance.
    MAX_WAITING = 1000

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_NAME)
    url = models.CharField(max_length=MAX_URL)
    form = models.CharField(max_length=20, choices=Form, default=Form.WEBHOOK)
    # Empty: every type.
    types = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    # Why it is disabled, as a code with parameters (`error_words`); older rows have an
    # English sentence.
    state_reason = models.CharField(max_length=300, blank=True)
    state_params = models.JSONField(default=dict, blank=True)
    # Encrypted for this row alone (`common.sealing`): `whsec_…`, or JSON of headers.
    sealed_secret = models.TextField(blank=True)
    # The previous secret, which also signs until then.
    sealed_old_secret = models.TextField(blank=True)
    old_secret_until = models.DateTimeField(null=True)
    sealed_headers = models.TextField(blank=True)
    # Position of the last processed event.
    cursor = models.BigIntegerField(default=0)
    # Failures since the last success, the first of them, and when to try again.
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    quiet_until = models.DateTimeField(null=True)
    last_success_at = models.DateTimeField(null=True)
    # Duration of the last successful request; null before the first.
    last_duration_ms = models.PositiveIntegerField(null=True)
    created_by = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-created_at", "-id"], name="webhook_list"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"], name="webhook_name_once_per_project"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def reason_words(self) -> str:
        """Why it is disabled, in the reader's language; empty if it is not."""
        return reason_words(self.state_reason, self.state_params)

    @property
    def signs(self) -> bool:
        """Whether deliveries are signed."""
        return self.form == self.Form.WEBHOOK

    def has_old_secret(self, now: datetime) -> bool:
        """Return whether the previous secret still signs."""
        return self.old_secret_until is not None and now < self.old_secret_until


class WebhookDelivery(QueuedRow):
    """The delivery of one event to one receiver (`common.row_queue`).

    The event's id is the `webhook-id` of every attempt, so that a receiver can detect
    repetitions.
    """

    class State(models.TextChoices):
        PENDING = "pending", pgettext_lazy("delivery", "Pending")
        RUNNING = "running", pgettext_lazy("delivery", "Sending")
        FINISHED = "finished", pgettext_lazy("delivery", "Delivered")
        # A dead letter: resent only on request.
        FAILED = "failed", pgettext_lazy("delivery", "Failed permanently")
        # Its receiver is paused or disabled.
        HELD = "held", pgettext_lazy("delivery", "On hold")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    endpoint = models.ForeignKey(
        WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries"
    )
    # Not a foreign key: old events are deleted.
    event_id = models.UUIDField()
    event_type = models.CharField(max_length=60)
    position = models.BigIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    # Of the last attempt; null without a reply.
    last_status = models.PositiveSmallIntegerField(null=True)
    replays = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "event_id"], name="delivery_once_per_event"
            ),
        ]
        indexes = [
            models.Index(
                fields=["endpoint", "position", "id"],
                condition=models.Q(state__in=["pending", "running", "held"]),
                name="delivery_waiting",
            ),
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(state__in=["pending", "running"]),
                name="delivery_queue",
            ),
            models.Index(
                fields=["endpoint", "-created_at", "-id"], name="delivery_log"
            ),
            models.Index(
                fields=["endpoint", "state", "-created_at", "-id"],
                name="delivery_log_of_state",
            ),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event_type} {self.event_id}"

    @property
    def may_be_replayed(self) -> bool:
        """Whether the delivery has ended."""
        return self.state in (self.State.FINISHED, self.State.FAILED)

    @property
    def error_words(self) -> str:
        """The error of the last attempt, in the reader's language."""
        return error_words(self.error)


class WebhookAttempt(TimestampedModel):
    """One request to a receiver, and its response."""

    # Maximum code points of a reply, which is hostile text.
    MAX_EXCERPT = 1000

    delivery = models.ForeignKey(
        WebhookDelivery, on_delete=models.CASCADE, related_name="log"
    )
    # Null without a reply.
    status = models.PositiveSmallIntegerField(null=True)
    # A code of `error_words`, or a text of the receiver or a library.
    error = models.CharField(max_length=300, blank=True)
    excerpt = models.CharField(max_length=MAX_EXCERPT, blank=True)
    duration_ms = models.PositiveIntegerField()

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.status or self.error}"

    @property
    def error_words(self) -> str:
        """The error of the attempt, in the reader's language; empty if it succeeded."""
        return error_words(self.error)
