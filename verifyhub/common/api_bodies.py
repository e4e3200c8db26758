"""Request bodies, read as types of the contract or by serializers, strictly.

What the OpenAPI document says of a type of the contract is made from it.
"""

from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers
from rest_framework.request import Request

from verifyhub.common.api import ApiProblem
from verifyhub.common.contract import FormatError, json_schemas, reader_of

T = TypeVar("T")

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


def body_of(request: Request, kind: type[T]) -> T:
    """Read a request's body as a type of the contract.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    try:
        return reader_of(kind).read(request.data)
    except FormatError as error:
        raise refused(error.field, error.message) from error


def refused(field: str, message: str) -> ApiProblem:
    """Return the refusal of one field of a body."""
    return ApiProblem(
        400,
        f"The request is refused: {f'{field}: ' if field else ''}{message}",
        errors=((field, message),),
    )


class ContractShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """What the document says of a body that is read as a type of the contract."""

    target_class = "verifyhub.common.contract.ContractModel"
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:  # noqa: ARG002
        """Return the name of the component."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the shape; what it is made of becomes components too."""
        shapes = json_schemas([self.target], {})
        own: dict[str, Any] = shapes.pop(self.target.__name__)
        for name, shape in shapes.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=name, type=ResolvedComponent.SCHEMA, object=name, schema=shape
                )
            )
        return own


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
