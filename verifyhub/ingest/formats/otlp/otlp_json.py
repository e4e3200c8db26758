"""OTLP/JSON as messages of protobuf.

Source: OTLP specification 1.x, "JSON Protobuf Encoding": ids are hexadecimal, 64-bit
numbers may be strings, enumerations are numbers, unknown fields are ignored.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from pydantic.alias_generators import to_camel

from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.ingest.formats.otlp.limits import OtlpError
from verifyhub.ingest.formats.otlp.span import SpanRefusedError

# An attribute is four values: a pair, its key, its value, the value's value.
MAX_NODES = 2_000_000
MAX_DIGITS = 20
# A pair of surrogates, one alone, NUL, or any other escape: always consumes.
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))|\\.",
    re.DOTALL,
)
# The fields of AnyValue that are read, by their keys; one of them is set.
VALUES = {
    "stringValue": "string_value",
    "boolValue": "bool_value",
    "intValue": "int_value",
    "doubleValue": "double_value",
    "bytesValue": "bytes_value",
    "arrayValue": "array_value",
    "kvlistValue": "kvlist_value",
}


def read_json(data: bytes) -> "JsonMessage":
    """Decode a request.

    Text that cannot be stored becomes a replacement mark: an exporter would drop a
    refused batch with all its valid spans.

    Raises:
        OtlpError: If the bytes are not a JSON object.
    """
    mended = _ESCAPE.sub(lambda m: rb"\ufffd" if m.group(1) else m.group(), data)
    try:
        document = loads(mended, max_bytes=2 * len(data), max_nodes=MAX_NODES)
    except StrictJSONError as error:
        raise OtlpError(f"The body is invalid: {error}") from None
    if not isinstance(document, dict):
        raise OtlpError("The body is not an object.")
    return JsonMessage(document)


class JsonMessage:
    """An object with the attributes of its protobuf message.

    A field of a wrong type is an error when it is read.
    """

    __slots__ = ("_data", "_name")

    def __init__(self, data: Any, name: str = "") -> None:
        self._data, self._name = data, name

    def __getattr__(self, field: str) -> Any:
        if not isinstance(self._data, dict):
            raise SpanRefusedError(f"{self._name} is not an object.")
        key, read = _field(field)
        return read(self._data.get(key), key)

    def WhichOneof(self, _oneof: str) -> str | None:  # noqa: N802 - protobuf's name
        return next((VALUES[key] for key in VALUES if key in self._data), None)


@cache
def _field(name: str) -> tuple[str, Callable[[Any, str], Any]]:
    """Return the key and the reader of a field."""
    return to_camel(name), _READERS.get(name, _text)


def _text(value: Any, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SpanRefusedError(f"{key} is not a string.")
    return value


def _integer(value: Any, _key: str) -> int:
    if value is None:
        return 0
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= MAX_DIGITS:
        try:
            return int(value)
        except ValueError:
            pass
    raise SpanRefusedError("A number of a span is not a whole number.")


def _double(value: Any, _key: str) -> float:
    if isinstance(value, str) and value in {"NaN", "Infinity", "-Infinity"}:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SpanRefusedError("A number of a span is not a number.")
    return float(value)


def _object(value: Any, key: str) -> JsonMessage:
    if value is not None and not isinstance(value, dict):
        raise SpanRefusedError(f"{key} is not an object.")
    return JsonMessage(value or {})


def _objects(value: Any, key: str) -> list[JsonMessage]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise SpanRefusedError(f"{key} is not an array of objects.")
    return [JsonMessage(item) for item in value]


def _groups(value: Any, key: str) -> list[JsonMessage]:
    items = _records(value, key)
    if value and not all(isinstance(item, dict) for item in value):
        raise OtlpError(f"{key} must contain objects.")
    return items


def _records(value: Any, key: str) -> list[JsonMessage]:
    """Read spans or log records; one that is not an object is refused by itself."""
    if value is not None and not isinstance(value, list):
        raise OtlpError(f"{key} must be an array.")
    name = "A log record" if key == "logRecords" else "A span"
    return [JsonMessage(item, name) for item in value or ()]


# The other fields are strings.
_READERS: dict[str, Callable[[Any, str], Any]] = {
    "resource_spans": _groups,
    "scope_spans": _groups,
    "spans": _records,
    "resource_logs": _groups,
    "scope_logs": _groups,
    "log_records": _records,
    "resource": _object,
    "scope": _object,
    "status": _object,
    "attributes": _objects,
    "events": _objects,
    "links": _objects,
    "values": _objects,
    "array_value": _object,
    "kvlist_value": _object,
    "kind": lambda value, _: value,
    "code": lambda value, _: value,
    "start_time_unix_nano": _integer,
    "end_time_unix_nano": _integer,
    "time_unix_nano": _integer,
    "observed_time_unix_nano": _integer,
    "int_value": _integer,
    "double_value": _double,
    "bool_value": lambda value, _: value is True,
    "value": lambda value, _: JsonMessage(value if isinstance(value, dict) else {}),
    "body": lambda value, _: JsonMessage(value if isinstance(value, dict) else {}),
}
