"""Read request bodies and query parameters strictly, as types of the contract.

A `RowBody` writes the reply about a row. The OpenAPI document describes both from their
types.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from pydantic import AliasPath, BaseModel, ConfigDict, Field
from rest_framework.request import Request

from verifyhub.common.api import ApiProblem, page_shape
from verifyhub.common.api_schema import reply
from verifyhub.common.api_strictness import without_nul
from verifyhub.common.contract import FormatError, field_names, json_schemas, reader_of

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def body_of(request: Request, kind: type[T]) -> T:
    """Read a request's body as a type of the contract.

    Raises:
        ApiProblem: 400 with the invalid field.
    """
    return _read(kind, request.data)


def query_of(request: Request, kind: type[T]) -> T:
    """Read the query parameters that a type of the contract has fields for.

    `KnownParameters` has already refused unknown and empty ones.

    Raises:
        ApiProblem: 400 with the invalid parameter.
    """
    names = field_names(cast(Any, kind))
    sent = request.query_params.items()
    return _read(kind, {name: value for name, value in sent if name in names})


def _read(kind: type[T], data: Any) -> T:
    try:
        return reader_of(kind).read(data)
    except FormatError as error:
        raise refused(error.field, error.message) from error


def refused(field: str, message: str) -> ApiProblem:
    """Return the error for an invalid field of a body."""
    return ApiProblem(
        400,
        f"The request is refused: {f'{field}: ' if field else ''}{message}",
        errors=((field, message),),
    )


class ContractShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes request bodies that are types of the contract."""

    target_class = "verifyhub.common.contract.ContractModel"
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:  # noqa: ARG002
        """Return the name of the component."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the schema; the types in it become components too."""
        shapes = json_schemas([self.target], {})
        without_nul(shapes)
        own: dict[str, Any] = shapes.pop(self.target.__name__)
        for name, shape in shapes.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=name, type=ResolvedComponent.SCHEMA, object=name, schema=shape
                )
            )
        return own


class RowBody(BaseModel):
    """A reply whose fields are read from attributes of a row or another value.

    `read_from` declares an attribute of another name. A field with a default may be
    missing there.
    """

    model_config = ConfigDict(
        from_attributes=True,
        defer_build=True,
        coerce_numbers_to_str=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )

    @classmethod
    def of(cls, source: Any, **more: Any) -> dict[str, Any]:
        """Return the body, JSON values only.

        Args:
            source: The row or value.
            more: Values that it does not have, by field.
        """
        return cls.model_validate(_With(source, more)).model_dump(mode="json")


class _With:
    def __init__(self, source: Any, more: dict[str, Any]) -> None:
        self._source, self._more = source, more

    def __getattr__(self, name: str) -> Any:
        if name in self._more:
            return self._more[name]
        return getattr(self._source, name)


def read_from(path: str) -> Any:
    """Declare the path of attributes that a field is read from."""
    return Field(validation_alias=AliasPath(*path.split(".")))


def operation(
    name: str | None,
    summary: str,
    *,
    scope: str,
    replies: Mapping[Any, Any],
    refusals: Mapping[int, str] | None = None,
    query: type | None = None,
    parameters: Sequence[Any] = (),
    example: Any = None,
    **more: Any,
) -> Callable[[F], F]:
    """Describe an operation of the API; what all operations share is added later.

    Args:
        name: Its id in the document; None for one at several addresses.
        summary: What it does, in a line.
        scope: The scope that a key needs for it (`HasScope`).
        replies: Its replies by status, or by status and content type.
        refusals: Reasons for errors that are special to it, by status.
        query: The type that its query parameters are read as.
        parameters: Further parameters.
        example: An example of the request's body.
        more: Further arguments of `extend_schema`.
    """
    errors = {
        status: OpenApiResponse(description=reason)
        for status, reason in (refusals or {}).items()
    }
    if example is not None:
        more["examples"] = [OpenApiExample("Request", example, request_only=True)]
    describe = extend_schema(
        operation_id=name,
        summary=summary,
        parameters=[*([query] if query else ()), *parameters],
        responses={**replies, **errors},
        **more,
    )

    def declare(handler: F) -> F:
        described: Any = describe(handler)
        described.scope = scope
        return cast(F, described)

    return declare


def shown(kind: type, example: Any = None, description: str = "") -> OpenApiResponse:
    """Describe a reply."""
    return OpenApiResponse(
        reply(kind),
        description=description,
        examples=[] if example is None else [OpenApiExample("Example", example)],
    )


def shown_page(kind: type, example: Any = None) -> OpenApiResponse:
    """Describe a page of replies, with an example of one."""
    page = {"next": None, "previous": None, "results": [example]}
    return OpenApiResponse(
        page_shape(reply(kind)),
        examples=[] if example is None else [OpenApiExample("Page", page)],
    )
