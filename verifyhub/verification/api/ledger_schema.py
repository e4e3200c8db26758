"""The ledger object, schema 1, as JSON Schema."""

from typing import Any

from verifyhub.engine.calls.changes import Action
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.ledger.files import FileAction
from verifyhub.engine.ledger.packages import Ecosystem, Shown
from verifyhub.engine.ledger.shown import MAX_ROWS
from verifyhub.verification.api.verdict_schema import INDEX, SPAN, TEXT

_COUNT = {"type": ["integer", "null"], "minimum": 0}
_EXIT = {
    "type": ["integer", "null"],
    "description": "As the tool's frame states it; null where it states none.",
}
_CALL = {**INDEX, "description": "Index of the tool call."}
_FLAG = {"type": "boolean"}
_TEXT_OR_NULL = {"type": ["string", "null"]}


def _one_of(values: Any) -> dict[str, Any]:
    return {"type": "string", "enum": [str(value) for value in values]}


def _rows(description: str, **properties: Any) -> dict[str, Any]:
    fields = {"call": _CALL, **properties}
    return {
        "type": "array",
        "maxItems": MAX_ROWS,
        "description": description,
        "items": {
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        },
    }


_STATE = {
    **_one_of(CallState),
    "description": "`failed` ran and returned another exit status than 0; `error`"
    " never did its work; `refused` was not allowed to.",
}
_FILE = {
    "path": TEXT,
    "action": _one_of(FileAction),
    "sha256": {
        **_TEXT_OR_NULL,
        "description": "Of the file's bytes after the call; null where the trace does"
        " not hold them.",
    },
    "exact": {
        **_FLAG,
        "description": "False where the hash is of what a tool showed of the file,"
        " which may have other line breaks, or where there is none.",
    },
}
_CHANGE = {
    "action": _one_of(Action),
    "names": {"type": "array", "items": TEXT},
    "done": _FLAG,
}
_TABLES = {
    "calls": _rows(
        "Every tool call, and how it ended.",
        tool=TEXT,
        kind=_one_of(ToolKind),
        state=_STATE,
        exit_status=_EXIT,
        background=_FLAG,
        recorded={
            **_FLAG,
            "description": "Whether its output, or how it ended, is in the run.",
        },
    ),
    "files": _rows("Files seen, written, edited and deleted.", **_FILE),
    "listed": _rows("Files that a listing or a search named.", **_FILE),
    "not_done": _rows("Changes that failed or were refused.", **_CHANGE),
    "records": _rows("Changes of what is no file: a ticket, a booking.", **_CHANGE),
    "commands": _rows(
        "Simple commands; state and exit status are those of their call.",
        text=TEXT,
        folder=TEXT,
        state=_STATE,
        exit_status=_EXIT,
        background=_FLAG,
    ),
    "results": _rows(
        "How tests, linters, type checks, builds and formatters ended.",
        kind=_one_of(RunKind),
        result=_one_of(Result),
        tool=TEXT,
        passed=_COUNT,
        failed=_COUNT,
        skipped=_COUNT,
        span={**SPAN, "type": ["array", "null"]},
    ),
    "packages": _rows(
        "Packages in manifests, lock files, imports and installers' output.",
        name=TEXT,
        ecosystem=_one_of(Ecosystem),
        shown=_one_of(Shown),
        version=_TEXT_OR_NULL,
        path=TEXT,
    ),
    "symbols": _rows(
        "Definitions in content that was read.",
        name=TEXT,
        kind=_one_of(("class", "function", "method")),
        parent=TEXT,
        path=TEXT,
        line=_COUNT,
    ),
    "fetches": _rows("Addresses asked for.", url=TEXT, status=_COUNT, state=_STATE),
    "queries": _rows(
        "Searches.",
        text=TEXT,
        state=_STATE,
        has_results={**_FLAG, "type": ["boolean", "null"]},
    ),
}
LEDGER_SCHEMAS: dict[str, Any] = {
    "Ledger": {
        "type": "object",
        "description": "What a run's tools showed, computed from the stored run.",
        "properties": {
            "schema": {"type": "integer", "const": 1},
            **_TABLES,
            "omitted": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 1},
                "description": f"Rows of a table beyond the first {MAX_ROWS}.",
            },
        },
        "required": ["schema", *_TABLES, "omitted"],
        "additionalProperties": False,
    }
}
