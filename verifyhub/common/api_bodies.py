"""Request bodies that are read by serializers, as strictly as all others."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

MAX_NAMED = 20
MAX_NAME = 100
# What a field takes of JSON, and how that is said. The framework would also take 0 for
# "0" and true for 1: what is stored were then not what was sent.
STRICT: tuple[tuple[tuple[type, ...], tuple[type, ...], str], ...] = (
    (
        (
            serializers.CharField,
            serializers.ChoiceField,
            serializers.DateTimeField,
            serializers.UUIDField,
        ),
        (str,),
        "must be a string",
    ),
    (
        (serializers.FloatField, serializers.IntegerField),
        (int, float),
        "must be a number",
    ),
    ((serializers.BooleanField,), (bool,), "must be true or false"),
)


class RequestBody(serializers.Serializer[Any]):
    """A JSON object whose members are known and of their kind.

    A misspelled key would count as left out, and say nothing of it.
    """

    def to_internal_value(self, data: Any) -> Any:
        """Read an object.

        Raises:
            ValidationError: With the members that are unknown or of a wrong kind.
        """
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            wrong = {name[:MAX_NAME]: "This key is not known." for name in unknown}
            for name, field in self.fields.items():
                if said := _wrong_kind(field, data.get(name)):
                    wrong[name] = said
            if wrong:
                raise serializers.ValidationError(dict(list(wrong.items())[:MAX_NAMED]))
        return super().to_internal_value(data)


def _wrong_kind(field: Any, value: Any) -> str:
    if value is None:
        return ""  # Whether there may be none, the field says itself.
    for fields, kinds, said in STRICT:
        if isinstance(field, fields):
            is_number = bool not in kinds and isinstance(value, bool)
            return said if is_number or not isinstance(value, kinds) else ""
    return ""


class PageSerializer(serializers.Serializer[Any]):
    """One page of a list; its kind adds `results`."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class RequestBodyShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """What the document says of such a body: it holds nothing else."""

    target_class = "verifyhub.common.api_bodies.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the shape without further members."""
        shape: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return {**shape, "additionalProperties": False}
