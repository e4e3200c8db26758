"""Options of the three levels: a folder to check, and schemas of tool outputs."""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifyhub.common.beneath import is_supported
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs, read_pairs
from verifyhub.engine.errors import PairsError, ToolSchemaError
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.levels.schema import LevelSchema
from verifyhub.engine.levels.schema_rules import MAX_SCHEMA_BYTES, check_schema
from verifyhub.verification.workspace import WorkspaceTree

MAX_SCHEMAS_BYTES = 50 * MAX_SCHEMA_BYTES
FIELDS = ("reference", "tool", "schema")


class OptionError(ValueError):
    """An option is invalid; the message names it."""


def add_level_options(parser: argparse.ArgumentParser) -> None:
    """Describe the options to a parser."""
    parser.add_argument(
        "--root",
        metavar="DIR",
        help="the agent's working folder, to check its claims about files",
    )
    parser.add_argument(
        "--schemas",
        metavar="FILE",
        help="JSON Schemas of tool outputs, as returned by GET /api/v1/tool-schemas/",
    )
    parser.add_argument(
        "--pairs",
        metavar="FILE",
        help="names of coded values and actions of tools, as returned by GET "
        '/api/v1/checks/: {"names": [{"value": "T3", "name": "gold tier"}], '
        '"deeds": []}',
    )


@dataclass(frozen=True, slots=True)
class LevelOptions:
    """The parsed options; each run gets its own inputs."""

    root: str | None
    schemas: tuple[LevelSchema, ...]
    pairs: Pairs = NO_PAIRS

    @classmethod
    def read(cls, arguments: argparse.Namespace) -> "LevelOptions":
        """Read the folders and files of the arguments.

        Raises:
            OptionError: If one is invalid.
        """
        return cls(
            root=read_root(arguments.root) if arguments.root else None,
            schemas=_schemas(arguments.schemas) if arguments.schemas else (),
            pairs=_pairs(arguments.pairs) if arguments.pairs else NO_PAIRS,
        )

    def inputs(self) -> LevelInputs:
        """Return inputs for one run: a folder is read within a budget for each."""
        tree = WorkspaceTree(self.root) if self.root else None
        return LevelInputs(schemas=self.schemas, tree=tree, clock=time.monotonic)


def read_root(text: str) -> str:
    """Return a folder's real path.

    Raises:
        OptionError: If it is no folder, or this kernel cannot open paths below one.
    """
    root = Path(text)
    if not root.is_dir():
        raise OptionError(f"--root: {text} is not a folder")
    if not is_supported():
        raise OptionError(
            "--root: this kernel has no openat2, so the folder cannot be read"
        )
    return str(root.resolve())


def _pairs(name: str) -> Pairs:
    data = _data("--pairs", name)
    if not isinstance(data, dict):
        raise OptionError(f"--pairs: {name}: must be an object with names and deeds")
    try:
        return read_pairs(data.get("names", ()), data.get("deeds", ()))
    except PairsError as error:
        raise OptionError(f"--pairs: {name}: {error}") from error


def _data(option: str, name: str) -> Any:
    try:
        return loads(Path(name).read_bytes(), max_bytes=MAX_SCHEMAS_BYTES)
    except OSError as error:
        raise OptionError(f"{option}: {name}: {error.strerror}") from error
    except StrictJSONError as error:
        raise OptionError(f"{option}: {name}: {error}") from error


def _schemas(name: str) -> tuple[LevelSchema, ...]:
    data = _data("--schemas", name)
    entries: Any = data.get("results") if isinstance(data, dict) else data
    if not isinstance(entries, list):
        raise OptionError(
            f"--schemas: {name}: must be an array, or an object with the array results"
        )
    return tuple(
        _schema(f"{name}: item {at}", entry) for at, entry in enumerate(entries)
    )


def _schema(place: str, entry: Any) -> LevelSchema:
    fields = entry if isinstance(entry, dict) else {}
    reference, tool, schema = (fields.get(name) for name in FIELDS)
    if not isinstance(reference, str) or not isinstance(schema, dict):
        raise OptionError(
            f"--schemas: {place}: needs reference and schema; tool is optional"
        )
    try:
        check_schema(schema)
    except ToolSchemaError as error:
        raise OptionError(f"--schemas: {place}: {error}") from error
    return LevelSchema(reference=reference, tool=str(tool or ""), schema=schema)
