"""What may be sent to mitigate a text or to deliberate on a task."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from verifyhub.common.api_bodies import RequestBody
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.mitigation_results import MitigationAction

MAX_TEXT = 200_000
MAX_SOURCES = 200
_ACTIONS = [(str(one), str(one)) for one in MitigationAction]
_LAYERS = [(str(one), str(one)) for one in LayerName]


class ActionSerializer(RequestBody):
    """Which action to take on a stored answer."""

    action = serializers.ChoiceField(
        choices=_ACTIONS,
        required=False,
        allow_null=True,
        help_text="Left out: what the verdict's `mitigation` advises.",
    )


class FailedLayerSerializer(RequestBody):
    """A layer that failed."""

    layer = serializers.ChoiceField(choices=_LAYERS)
    score = serializers.FloatField(min_value=0, max_value=1)
    calibrated = serializers.FloatField(
        min_value=0, max_value=1, required=False, allow_null=True
    )


class SourcesField(serializers.ListField):
    """Sources as an interaction brings them: texts, or objects with a text."""

    def to_internal_value(self, data: Any) -> list[Any]:
        """Take texts and objects that hold one."""
        found = super().to_internal_value(data)
        for number, one in enumerate(found):
            text = one.get("text", one.get("content")) if isinstance(one, dict) else one
            if not isinstance(text, str):
                message = "must be a text, or an object with `text` or `content`"
                raise serializers.ValidationError({str(number): message})
        return found


class MitigateSerializer(ActionSerializer):
    """A text that failed, with what is known of it."""

    text = serializers.CharField(
        max_length=MAX_TEXT, trim_whitespace=False, required=False
    )
    task = serializers.CharField(
        max_length=MAX_TEXT, trim_whitespace=False, allow_blank=True, default=""
    )
    sources = SourcesField(max_length=MAX_SOURCES, default=list)
    layers = FailedLayerSerializer(
        many=True, default=list, help_text="The layers that failed, with their scores."
    )
    detection = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="A stored detection: its text and its failed layers are taken.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for a text, its own or a detection's."""
        if not attrs.get("text") and not isinstance(attrs.get("detection"), UUID):
            raise serializers.ValidationError({"text": "This field is required."})
        return attrs


class DeliberateSerializer(RequestBody):
    """A task to deliberate on."""

    task = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False)
    draft = serializers.CharField(
        max_length=MAX_TEXT,
        trim_whitespace=False,
        allow_blank=True,
        default="",
        help_text="A first answer; left out, the model writes one.",
    )
    sources = SourcesField(max_length=MAX_SOURCES, default=list)
