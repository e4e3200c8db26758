"""Request bodies and query parameters, read as types of the contract, strictly.

What the OpenAPI document says of such a type is made from it.
"""

from typing import Any, TypeVar, cast

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers
from rest_framework.request import Request

from verifyhub.common.api import ApiProblem
from verifyhub.common.contract import FormatError, field_names, json_schemas, reader_of

T = TypeVar("T")


def body_of(request: Request, kind: type[T]) -> T:
    """Read a request's body as a type of the contract.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    return _read(kind, request.data)


def query_of(request: Request, kind: type[T]) -> T:
    """Read the query parameters that a type of the contract names.

    Which others there may be, and that none is empty, `KnownParameters` has checked.

    Raises:
        ApiProblem: 400 with the parameter that cannot be used.
    """
    names = field_names(cast(Any, kind))
    given = request.query_params.items()
    return _read(kind, {name: value for name, value in given if name in names})


def _read(kind: type[T], data: Any) -> T:
    try:
        return reader_of(kind).read(data)
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


class PageSerializer(serializers.Serializer[Any]):
    """One page of a list; its kind adds `results`."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
