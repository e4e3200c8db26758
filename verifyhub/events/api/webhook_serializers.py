"""Shapes of webhooks in the API."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from verifyhub.common.contract import ContractModel
from verifyhub.events.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint


class WebhookSerializer(serializers.ModelSerializer[WebhookEndpoint]):
    """A webhook, without its secrets."""

    state_reason = serializers.CharField(source="reason_words", read_only=True)

    class Meta:
        model = WebhookEndpoint
        fields = [
            "id",
            "name",
            "url",
            "form",
            "types",
            "state",
            "state_reason",
            "failures",
            "failing_since",
            "last_success_at",
            "old_secret_until",
            "created_at",
        ]


class NewWebhookSerializer(WebhookSerializer):
    """A webhook that was just added, with its secret."""

    secret = serializers.CharField(
        allow_blank=True,
        help_text="Shown this once; empty where nothing is signed.",
    )

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class SecretSerializer(serializers.Serializer[Any]):
    """A new secret, shown this once."""

    secret = serializers.CharField()
    old_secret_until = serializers.DateTimeField(allow_null=True)


class AttemptSerializer(serializers.ModelSerializer[WebhookAttempt]):
    """One request to a receiver."""

    error = serializers.CharField(source="error_words", read_only=True)

    class Meta:
        model = WebhookAttempt
        fields = ["created_at", "status", "error", "excerpt", "duration_ms"]


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One event on its way to one receiver."""

    event = serializers.UUIDField(
        source="event_id", help_text="Also the `webhook-id` of every attempt."
    )
    type = serializers.CharField(source="event_type")
    error = serializers.CharField(source="error_words", read_only=True)

    class Meta:
        model = WebhookDelivery
        fields = [
            "id",
            "event",
            "type",
            "state",
            "attempts",
            "replays",
            "last_status",
            "error",
            "next_at",
            "created_at",
            "finished_at",
        ]


class LoggedDeliverySerializer(DeliverySerializer):
    """One delivery with every attempt."""

    log = AttemptSerializer(many=True)

    class Meta(DeliverySerializer.Meta):
        fields = [*DeliverySerializer.Meta.fields, "log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryQuery(ContractModel):
    """Which deliveries to list."""

    state: WebhookDelivery.State | None = None


class ReplayedSerializer(serializers.Serializer[Any]):
    """How many dead letters are sent again."""

    replayed = serializers.IntegerField()
