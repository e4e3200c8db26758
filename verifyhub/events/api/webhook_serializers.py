"""Shapes of webhooks in the API."""

from typing import Any

from rest_framework import serializers

from verifyhub.common.api_bodies import RequestBody
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import MAX_OVERLAP_HOURS

MAX_TYPES = 50


class WebhookRequest(RequestBody):
    """A webhook to be added."""

    name = serializers.CharField(max_length=WebhookEndpoint.MAX_NAME)
    url = serializers.CharField(
        max_length=WebhookEndpoint.MAX_URL,
        help_text="https; of a collector with its path, such as `/v1/logs`.",
    )
    form = serializers.ChoiceField(
        choices=WebhookEndpoint.Form.choices,
        default=WebhookEndpoint.Form.WEBHOOK.value,
        help_text="What is sent: events with a signature, or evaluations by OTLP.",
    )
    types = serializers.ListField(
        child=serializers.ChoiceField(choices=EventType.choices),
        max_length=MAX_TYPES,
        default=list,
        help_text="Only these; empty for every type it can take.",
    )
    headers = serializers.DictField(
        child=serializers.CharField(max_length=2000),
        required=False,
        help_text="For collectors, such as `Authorization`; never given back.",
    )


class WebhookChange(RequestBody):
    """What of a webhook is to change; what is left out stays."""

    name = serializers.CharField(max_length=WebhookEndpoint.MAX_NAME, required=False)
    url = serializers.CharField(max_length=WebhookEndpoint.MAX_URL, required=False)
    types = serializers.ListField(
        child=serializers.ChoiceField(choices=EventType.choices),
        max_length=MAX_TYPES,
        required=False,
    )
    headers = serializers.DictField(
        child=serializers.CharField(max_length=2000), required=False
    )
    state = serializers.ChoiceField(
        choices=["active", "paused"],
        required=False,
        help_text="`paused` keeps what happens back; `active` sends it.",
    )


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


class RotationRequest(RequestBody):
    """How a secret is to be replaced."""

    overlap_hours = serializers.IntegerField(
        min_value=0,
        max_value=MAX_OVERLAP_HOURS,
        default=24,
        help_text="For how long the former secret signs as well.",
    )


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


class DeliveryQuery(serializers.Serializer[Any]):
    """Which deliveries to list."""

    state = serializers.ChoiceField(
        choices=WebhookDelivery.State.choices, required=False
    )


class ReplayedSerializer(serializers.Serializer[Any]):
    """How many dead letters are sent again."""

    replayed = serializers.IntegerField()
