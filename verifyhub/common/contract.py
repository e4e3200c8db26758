"""Read external JSON into typed values, and describe the types as JSON Schema.

A type of the contract is a frozen dataclass, or a `TypedDict` with `Strict()`, whose
annotations declare all of its constraints. pydantic reads documents by them.
Constructing a value in Python validates nothing, and costs as little as a dataclass.

A reply of the API is a type named after its component with the suffix `Body`, and
OpenAPI shows it: a `RowBody` (`common/api_bodies.py`) if it is read from a row, else a
`TypedDict`, against which mypy checks what a view returns.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from datetime import datetime
from functools import cache, cached_property
from typing import Annotated, Any, Generic, Literal, Self, TypeVar, get_type_hints

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    PydanticCustomError,
    core_schema,
)
from typing_extensions import is_typeddict

from verifyhub.common.moments import from_iso

T = TypeVar("T")
MAX_ID = 200
BODY = "Body"
# The largest integer that every JSON parser reads exactly.
MAX_WHOLE = 2**53
# Characters that are not allowed in a URL: control characters and line separators. Also
# used in regular expressions of JSON Schema.
CONTROLS = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
NOT_ADDRESSABLE = "must not hold control characters, such as the end of a line."
REPLACEMENT = "\ufffd"
# Any text without U+0000, which the database cannot store, as in JSON Schema.
ANY_TEXT = r"^[^\x00]*$"
_CONTROL = re.compile(f"[{CONTROLS}]")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")
# The step of pydantic's paths to a key, where the key itself is invalid.
KEY = "[key]"
_Mode = Literal["validation", "serialization"]
_REFERENCES = "#/components/schemas/"
_COMPONENT = "x-component"
_NULL = {"type": "null"}


class FieldError(ValueError):
    """A value is invalid.

    Attributes:
        field: Its field; empty for the whole request.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class FormatError(ValueError):
    """A field of the input is invalid.

    Attributes:
        field: The JSON path of the field, as `tool_calls[3].input`; empty for the
            document itself.
        message: The reason, without the field's content.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field, self.message = field, message
        super().__init__(f"{field}: {message}" if field else message)


def invalid_field(field: str, message: str) -> PydanticCustomError:
    """Return the error to raise in a type's own validator of a field."""
    return PydanticCustomError(
        "field", "{message}", {"field": field, "message": message}
    )


def sorted_keys(value: Any) -> Any:
    """Copy a JSON value with the keys of every object in code point order."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


def is_addressable(name: str) -> bool:
    """Return whether a name can be part of a URL's path."""
    return not _CONTROL.search(name)


def addressable(name: str) -> str:
    """Return a name from a trace or transcript with invalid characters replaced."""
    return _CONTROL.sub(REPLACEMENT, name)


def _absent_if_empty(text: str | None) -> str | None:
    return text or None


def _reference(name: str) -> str:
    if not is_addressable(name):
        raise ValueError(NOT_ADDRESSABLE)
    return name


def _digest(text: str) -> str:
    if not _SHA256.fullmatch(text):
        raise ValueError("must be 64 hexadecimal digits.")
    return text


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("must be a whole number.")
    return value


def _moment(text: Any) -> datetime:
    if isinstance(text, str) and (moment := from_iso(text)):
        return datetime.fromisoformat(moment)
    raise ValueError("must be a date and time of ISO 8601.")


# Reads the empty text as absent. Limits on its length belong to the text inside, since
# None has no length.
EMPTY_IS_ABSENT = AfterValidator(_absent_if_empty)
Reference = Annotated[
    str,
    Field(max_length=MAX_ID, json_schema_extra={"pattern": f"^[^{CONTROLS}]*$"}),
    AfterValidator(_reference),
]
OptionalReference = Annotated[Reference | None, EMPTY_IS_ABSENT]
Sha256 = Annotated[
    str,
    Field(json_schema_extra={"pattern": "^[0-9a-fA-F]{64}$"}),
    AfterValidator(_digest),
]
# A number without fraction, as JSON Schema's `integer`: 5.0 is one.
AS_WHOLE = BeforeValidator(_whole)
Whole = Annotated[int, Field(ge=0, le=MAX_WHOLE), AS_WHOLE]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
Seconds = Annotated[
    float,
    Field(ge=0),
    PlainSerializer(lambda seconds: round(seconds, 3), return_type=float),
    WithJsonSchema({"type": "number", "minimum": 0}),
]
# Texts of a reply.
UuidText = Annotated[str, WithJsonSchema({"type": "string", "format": "uuid"})]
MomentText = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
UriText = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
# Any JSON, with sorted keys, so that a value is the same before and after the database.
FreeObject = Annotated[
    dict[str, Any],
    Field(json_schema_extra={"propertyNames": {"pattern": ANY_TEXT}}),
    AfterValidator(sorted_keys),
]
FreeArray = Annotated[list[Any], AfterValidator(sorted_keys)]
FreeValue = Annotated[Any, AfterValidator(sorted_keys)]


def one_of(words: Iterable[str]) -> WithJsonSchema:
    """Describe a text of a reply that is one of these words."""
    return WithJsonSchema({"type": "string", "enum": [str(word) for word in words]})


def component(name: str) -> WithJsonSchema:
    """Describe a document of a reply that is defined as a component elsewhere."""
    return WithJsonSchema({_COMPONENT: name})


@cache
def field_names(kind: type) -> Mapping[str, bool]:
    """Return the names of a type's fields in documents, and whether each is required.

    A field with `Field(init=False)` is in no document.
    """
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        required = kind.__required_keys__  # type: ignore[attr-defined]
        return {name: name in required for name in hints}
    known = {}
    for name, field in kind.__dataclass_fields__.items():  # type: ignore[attr-defined]
        metadata = getattr(hints[name], "__metadata__", ())
        info = next((item for item in metadata if isinstance(item, FieldInfo)), None)
        if info is None or info.init is not False:
            required = field.default is MISSING and field.default_factory is MISSING
            known[info.alias if info and info.alias else name] = required
    return known


def _strict_schema(kind: type, schema: CoreSchema) -> CoreSchema:
    """Refuse unknown fields by name, and read null as absent for optional fields."""
    names = field_names(kind)
    known = names.keys()
    optional = frozenset(name for name, required in names.items() if not required)

    def prepare(data: Any) -> Any:
        if not isinstance(data, dict):
            raise invalid_field("", "must be an object.")
        if not data.keys() <= known:
            key = next(key for key in data if key not in known)
            raise invalid_field(
                key[:MAX_ID], f"is unknown; known are {', '.join(known)}."
            )
        if None in data.values():
            return {
                name: value
                for name, value in data.items()
                if value is not None or name not in optional
            }
        return data

    return core_schema.no_info_before_validator_function(prepare, schema)


class ContractModel:
    """A dataclass that documents are read as, strictly."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return _strict_schema(cls, handler(source))


class StoredModel:
    """A dataclass whose documents are stored and shown.

    Documents of other versions are read too: missing fields have a default, and unknown
    ones are ignored.
    """

    __slots__ = ()
    __pydantic_config__ = ConfigDict(
        extra="ignore",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )

    def as_dict(self) -> dict[str, Any]:
        """Return the document, JSON values only."""
        return reader_of(type(self)).write(self)

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """Read a stored document.

        Raises:
            FormatError: If it is not one.
        """
        value: Self = reader_of(cls).read(document)
        return value


class Strict:
    """An annotation that makes a `TypedDict` as strict as a `ContractModel`."""

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return _strict_schema(source, handler(source))


_CONFIG_ATTRIBUTE = "__pydantic_config__"
_DICTIONARY_CONFIG = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Reader(Generic[T]):
    """Reads, writes and describes the documents of one type of the contract."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @cached_property
    def adapter(self) -> TypeAdapter[T]:
        """The adapter, created at first use: many processes never read."""
        if is_typeddict(self._kind) and not hasattr(self._kind, _CONFIG_ATTRIBUTE):
            setattr(self._kind, _CONFIG_ATTRIBUTE, _DICTIONARY_CONFIG)
        return TypeAdapter(self._kind)

    def read(self, data: Any) -> T:
        """Read a parsed JSON document.

        Raises:
            FormatError: If a field is missing, unknown, of a wrong type or too long.
        """
        try:
            return self.adapter.validate_python(data)
        except ValidationError as error:
            raise format_errors(error)[0] from None

    def write(self, value: T, *, defaults: bool = True) -> dict[str, Any]:
        """Return the document of a value, every field present, in a fixed order.

        Args:
            value: A value of the type.
            defaults: Whether fields with their default value are included.
        """
        document: dict[str, Any] = self.adapter.dump_python(
            value,
            mode="json",
            by_alias=True,
            warnings="none",
            exclude_defaults=not defaults,
        )
        return document


_READERS: dict[type, Reader[Any]] = {}


def reader_of(kind: type[T]) -> Reader[T]:
    """Return the one reader of a type."""
    return _READERS.setdefault(kind, Reader(kind))


_MESSAGES: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    "missing": "is required.",
    "string_type": "must be a string.",
    "bool_type": "must be a boolean.",
    "bool_parsing": "must be a boolean.",
    "dict_type": "must be an object.",
    "list_type": "must be an array.",
    "tuple_type": "must be an array.",
    "float_type": "must be a number.",
    "float_parsing": "must be a number.",
    "finite_number": "must be a number.",
    "int_type": "must be a whole number.",
    "int_from_float": "must be a whole number.",
    "int_parsing": "must be a whole number.",
    "string_too_long": lambda context: (
        f"must have at most {context['max_length']} characters."
    ),
    "string_too_short": "must not be empty.",
    "too_long": lambda context: f"has more than {context['max_length']} entries.",
    "too_short": lambda context: f"must have at least {context['min_length']} entries.",
    "greater_than": lambda context: f"must be more than {context['gt']}.",
    "greater_than_equal": lambda context: f"must be at least {context['ge']}.",
    "less_than_equal": lambda context: f"must be at most {context['le']}.",
    "uuid_parsing": "must be a UUID.",
    "uuid_type": "must be a UUID.",
    "enum": lambda context: f"must be one of {_listed(context['expected'])}.",
    "literal_error": lambda context: f"must be one of {_listed(context['expected'])}.",
    "value_error": lambda context: str(context["error"]),
    "field": lambda context: str(context["message"]),
}


def _listed(expected: str) -> str:
    return expected.replace("'", "").replace(" or ", ", ")


def format_errors(error: ValidationError) -> list[FormatError]:
    """Return pydantic's errors as errors of the contract, without content."""
    return [
        _format_error(details)
        for details in error.errors(include_url=False, include_input=False)
    ]


def _format_error(error: ErrorDetails) -> FormatError:
    context = error.get("ctx", {})
    template = _MESSAGES.get(error["type"], "cannot be used.")
    steps = [*error["loc"], context.get("field", "")]
    path = "".join(
        f"[{step}]" if isinstance(step, int) else f".{step}"
        for step in steps
        if step not in {"", KEY}
    )
    message = template if isinstance(template, str) else template(context)
    return FormatError(path.removeprefix("."), message)


class _Schema(GenerateJsonSchema):
    """Generates concise JSON Schema: no titles, and null as one of the types."""

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        described = super().default_schema(schema)
        default = described.pop("default", None)
        if self.mode == "serialization":
            return described
        # An empty or null default needs no mention.
        if default and isinstance(default, str | int | float):
            described["default"] = default
        return _or_null(described)

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return _or_null(self.generate_inner(schema["schema"]))

    def field_is_required(self, field: Any, total: bool) -> bool:
        # A key that may be missing is not required in replies either.
        if field["type"] == "typed-dict-field":
            return bool(field.get("required", total))
        return super().field_is_required(field, total)

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False


def _or_null(described: JsonSchemaValue) -> JsonSchemaValue:
    kind = described.get("type")
    if kind is None and "anyOf" in described:
        others = [schema for schema in described["anyOf"] if schema != _NULL]
        return {**described, "anyOf": [*others, _NULL]}
    for name in ("$ref", _COMPONENT):
        if kind is None and name in described:
            only = {name: described[name]}
            return {"anyOf": [only, _NULL], **_without(described, name)}
    if not isinstance(kind, str) or kind == "null":
        return described
    nullable = {**described, "type": [kind, "null"]}
    if "enum" in described:
        nullable["enum"] = [*described["enum"], None]
    return nullable


def json_schemas(
    kinds: Iterable[type],
    names: Mapping[str, str],
    mode: _Mode = "validation",
) -> dict[str, Any]:
    """Describe types, and all types in them, as components of OpenAPI.

    Args:
        kinds: The types.
        names: Public names of classes whose Python names differ. The suffix `Body` is
            removed anyway.
        mode: Whether to describe documents as they are read or as they are written.

    Raises:
        ValueError: If two of the types have the same public name.
    """
    inputs: list[tuple[int, _Mode, TypeAdapter[Any]]] = [
        (number, mode, reader_of(kind).adapter) for number, kind in enumerate(kinds)
    ]
    _, described = TypeAdapter.json_schemas(
        inputs,
        ref_template=_REFERENCES + "{model}",
        schema_generator=_Schema,
    )
    schemas: dict[str, Any] = described["$defs"]
    enums = {name: schema for name, schema in schemas.items() if "enum" in schema}
    public = _public_names(schemas.keys() - enums.keys(), names)

    def tidy(node: Any) -> Any:
        if isinstance(node, list):
            return [tidy(item) for item in node]
        if not isinstance(node, dict):
            return node
        if _COMPONENT in node:
            return {
                "$ref": _REFERENCES + node[_COMPONENT],
                **_without(node, _COMPONENT),
            }
        name = str(node.get("$ref", "")).removeprefix(_REFERENCES)
        if name in enums:
            inlined = {"type": "string", "enum": enums[name]["enum"]}
            node = {**inlined, **_without(node, "$ref")}
        elif name:
            node = {**node, "$ref": _REFERENCES + public[name]}
        if node.get("anyOf", [])[1:] == [_NULL]:
            first = tidy(node["anyOf"][0])
            if "$ref" not in first:
                return _or_null({**first, **_without(node, "anyOf")})
        tidied = {key: tidy(value) for key, value in node.items()}
        if isinstance(node.get("description"), str):
            tidied["description"] = " ".join(node["description"].split())
        return tidied

    return {
        public[name]: tidy(_without(schema, "title"))
        for name, schema in schemas.items()
        if name not in enums
    }


def _public_names(kinds: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    public = {name: names.get(name, name.removesuffix(BODY)) for name in kinds}
    if len({*public.values()}) < len(public):
        raise ValueError("Two types have the same public name.")
    return public


def _without(node: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key != name}
