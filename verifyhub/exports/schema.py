"""The columns of an export, said once for every way of writing and describing them.

Times are in UTC, to the microsecond. Money is in millionths of a US dollar, as a whole
number. What was stored as JSON of any shape is JSON in a text column of Parquet and of
CSV, and itself in JSON Lines; what always has one shape is a list or a structure in
Parquet too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pyarrow as pa

MESSAGES_TYPE = pa.list_(
    pa.struct([pa.field("role", pa.string()), pa.field("content", pa.string())])
)
SPANS_TYPE = pa.list_(
    pa.struct(
        [
            pa.field("start", pa.int64()),
            pa.field("end", pa.int64()),
            pa.field("text", pa.string()),
            pa.field("kind", pa.string()),
            pa.field("label", pa.string()),
        ]
    )
)


class Kind(StrEnum):
    """What a column holds."""

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


ARROW: Mapping[Kind, pa.DataType] = {
    Kind.TEXT: pa.string(),
    Kind.ID: pa.string(),
    Kind.INTEGER: pa.int64(),
    Kind.NUMBER: pa.float64(),
    Kind.FLAG: pa.bool_(),
    Kind.MOMENT: pa.timestamp("us", tz="UTC"),
    Kind.DAY: pa.date32(),
    Kind.JSON: pa.string(),
    Kind.TEXTS: pa.list_(pa.string()),
    Kind.MESSAGES: MESSAGES_TYPE,
    Kind.SPANS: SPANS_TYPE,
}
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
JSON_SCHEMA: Mapping[Kind, Mapping[str, Any]] = {
    Kind.TEXT: {"type": ["string", "null"]},
    Kind.ID: {"type": ["string", "null"]},
    Kind.INTEGER: {"type": ["integer", "null"]},
    Kind.NUMBER: {"type": ["number", "null"]},
    Kind.FLAG: {"type": ["boolean", "null"]},
    Kind.MOMENT: {"type": ["string", "null"], "format": "date-time"},
    Kind.DAY: {"type": ["string", "null"], "format": "date"},
    Kind.JSON: {},
    Kind.TEXTS: {"type": "array", "items": {"type": "string"}},
    Kind.MESSAGES: {"type": "array", "items": _MESSAGE},
    Kind.SPANS: {"type": "array", "items": _SPAN},
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column; every one may be null.

    Attributes:
        name: As it stands in the file.
        kind: What it holds.
        path: Where it is read from: a field path of the table, or an annotation.
        says: What the name leaves open, in English, for programs and the manifest.
        deep: Too deep for a table of cells: CSV leaves it out.
    """

    name: str
    kind: Kind
    path: str = ""
    says: str = ""
    deep: bool = False

    @property
    def source(self) -> str:
        """The path it is read from."""
        return self.path or self.name

    def as_dict(self) -> dict[str, Any]:
        """Describe the column in a manifest."""
        said = {"name": self.name, "type": str(self.kind), "parquet": str(self.arrow)}
        return {**said, "description": self.says} if self.says else said

    @property
    def arrow(self) -> pa.DataType:
        """Its type in Parquet."""
        return ARROW[self.kind]


def columns(kind: Kind, *names: str, deep: bool = False) -> tuple[Column, ...]:
    """Make columns that are called as the fields they are read from."""
    return tuple(Column(name, kind, deep=deep) for name in names)


def text(*names: str) -> tuple[Column, ...]:
    return columns(Kind.TEXT, *names)


def ids(*names: str) -> tuple[Column, ...]:
    return columns(Kind.ID, *names)


def integers(*names: str) -> tuple[Column, ...]:
    return columns(Kind.INTEGER, *names)


def numbers(*names: str) -> tuple[Column, ...]:
    return columns(Kind.NUMBER, *names)


def flags(*names: str) -> tuple[Column, ...]:
    return columns(Kind.FLAG, *names)


def moments(*names: str) -> tuple[Column, ...]:
    return columns(Kind.MOMENT, *names)


def free(*names: str, deep: bool = False) -> tuple[Column, ...]:
    return columns(Kind.JSON, *names, deep=deep)


def arrow_schema(
    of: Iterable[Column], *, metadata: Mapping[str, str] | None = None
) -> pa.Schema:
    """Return the schema of a Parquet file."""
    return pa.schema(
        [
            pa.field(
                one.name,
                one.arrow,
                metadata={"description": one.says} if one.says else None,
            )
            for one in of
        ],
        metadata=metadata,
    )


def json_schema(of: Iterable[Column]) -> dict[str, Any]:
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
