"""The columns of an export, for every format and description.

Times are in UTC, to the microsecond. Money is in millionths of a US dollar, as a whole
number. JSON without a fixed structure is JSON text in Parquet and CSV, and itself in
JSON Lines; with a fixed structure it is a list or a struct in Parquet.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from verifyhub.common.contract import one_of


class ColumnKind(StrEnum):
    """The type of a column."""

    TEXT = "text"
    ID = "id"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    MOMENT = "moment"
    DAY = "day"
    JSON = "json"
    TEXTS = "texts"
    MESSAGES = "messages"
    SPANS = "spans"


_MESSAGE = {
    "type": "object",
    "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
    "required": ["role", "content"],
}
_SPAN = {
    "type": "object",
    "properties": {
        "start": {"type": "integer"},
        "end": {"type": "integer"},
        "text": {"type": "string"},
        "kind": {"type": "string"},
        "label": {"type": "string"},
    },
    "required": ["start", "end", "text", "kind", "label"],
}
JSON_SCHEMA: Mapping[ColumnKind, Mapping[str, Any]] = {
    ColumnKind.TEXT: {"type": ["string", "null"]},
    ColumnKind.ID: {"type": ["string", "null"]},
    ColumnKind.INTEGER: {"type": ["integer", "null"]},
    ColumnKind.NUMBER: {"type": ["number", "null"]},
    ColumnKind.FLAG: {"type": ["boolean", "null"]},
    ColumnKind.MOMENT: {"type": ["string", "null"], "format": "date-time"},
    ColumnKind.DAY: {"type": ["string", "null"], "format": "date"},
    ColumnKind.JSON: {},
    ColumnKind.TEXTS: {"type": "array", "items": {"type": "string"}},
    ColumnKind.MESSAGES: {"type": "array", "items": _MESSAGE},
    ColumnKind.SPANS: {"type": "array", "items": _SPAN},
}


class ExportColumnBody(TypedDict):
    name: str
    type: Annotated[str, one_of(ColumnKind)]
    parquet: str
    """The type of its values in Parquet."""
    description: NotRequired[str]


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """One column; every one may be null.

    Attributes:
        name: Its name in the file.
        kind: Its type.
        path: Its source: a field path of the table, or an annotation.
        says: A description in English, for the API and the manifest.
        deep: Whether it is nested, and so left out of CSV.
        worded: Adds the texts of stored codes to a value.
    """

    name: str
    kind: ColumnKind
    path: str = ""
    says: str = ""
    deep: bool = False
    worded: Callable[[Any], Any] | None = None

    @property
    def source(self) -> str:
        """The path that it is read from."""
        return self.path or self.name

    def as_dict(self) -> ExportColumnBody:
        """Describe the column, in a manifest and in the API."""
        from verifyhub.exports.parquet import ARROW

        parquet = str(ARROW[self.kind])
        body: ExportColumnBody = {
            "name": self.name,
            "type": str(self.kind),
            "parquet": parquet,
        }
        return {**body, "description": self.says} if self.says else body


def columns(
    kind: ColumnKind, *names: str, deep: bool = False
) -> tuple[ExportColumn, ...]:
    """Return columns that have the names of their fields."""
    return tuple(ExportColumn(name, kind, deep=deep) for name in names)


text = partial(columns, ColumnKind.TEXT)
ids = partial(columns, ColumnKind.ID)
integers = partial(columns, ColumnKind.INTEGER)
numbers = partial(columns, ColumnKind.NUMBER)
flags = partial(columns, ColumnKind.FLAG)
moments = partial(columns, ColumnKind.MOMENT)
free = partial(columns, ColumnKind.JSON)


def json_schema(of: Iterable[ExportColumn]) -> dict[str, Any]:
    """Return the JSON Schema of one line of JSON Lines."""
    properties = {
        one.name: {
            **JSON_SCHEMA[one.kind],
            **({"description": one.says} if one.says else {}),
        }
        for one in of
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
