"""A ledger as JSON values of limited size, for people."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.contract import Count, one_of
from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import CallChange, ChangeKind
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.ledger.files import FileAction, FileEntry
from verifyhub.engine.ledger.packages import Ecosystem, Shown
from verifyhub.engine.ledger.runs import Command, RunResult

if TYPE_CHECKING:
    from verifyhub.engine.ledger.ledger import Ledger

SCHEMA = 1
# Maximum rows of one kind, and characters of one text.
MAX_ROWS = 1_000
MAX_TEXT = 400
_MAX_PATHS = 20
_Row = TypeVar("_Row")
_Rows = Annotated[list[_Row], Field(max_length=MAX_ROWS)]
StateText = Annotated[str, one_of(CallState)]


# No docstring, since it would describe only one field.
_CALL = "Index of the tool call."
_STATE = (
    "`failed`: ran with an exit status other than 0; `error`: could not run; "
    "`refused`: not allowed to run."
)
_EXIT_STATUS = "Exit status reported by the tool; null if not reported."


class _OfCall(TypedDict):
    call: Annotated[Count, Field(description=_CALL)]


class _Ended(_OfCall):
    state: Annotated[StateText, Field(description=_STATE)]


class _Exited(_Ended):
    exit_status: Annotated[int | None, Field(description=_EXIT_STATUS)]
    background: bool


class ShownCall(_Exited):
    tool: str
    kind: Annotated[str, one_of(ToolKind)]
    recorded: bool
    """Whether the run contains its output or result."""


class ShownFile(_OfCall):
    path: str
    action: Annotated[str, one_of(FileAction)]
    sha256: str | None
    """SHA-256 of the file after the call; null if the trace does not contain the
    file."""
    exact: bool
    """False if the hash is of the file as shown by a tool, which may differ in line
    breaks, or if there is no hash."""


class ShownChange(_OfCall):
    action: Annotated[str, one_of(ChangeKind)]
    names: list[str]
    done: bool


class ShownCommand(_Exited):
    text: str
    folder: str


class ShownResult(_OfCall):
    kind: Annotated[str, one_of(RunKind)]
    result: Annotated[str, one_of(Result)]
    tool: str
    passed: Count | None
    failed: Count | None
    skipped: Count | None
    span: Annotated[list[Count], Field(min_length=2, max_length=2)] | None
    """Half-open range in Unicode code points."""


class ShownPackage(_OfCall):
    name: str
    ecosystem: Annotated[str, one_of(Ecosystem)]
    shown: Annotated[str, one_of(Shown)]
    version: str | None
    path: str


class ShownSymbol(_OfCall):
    name: str
    kind: Annotated[str, one_of(("class", "function", "method"))]
    parent: str
    path: str
    line: Count | None


class ShownFetch(_Ended):
    url: str
    status: Count | None


class ShownQuery(_Ended):
    text: str
    has_results: bool | None


class LedgerBody(TypedDict):
    """The ledger of a run, computed from the stored run."""

    schema: Literal[1]
    calls: _Rows[ShownCall]
    """Every tool call, and how it ended."""
    files: _Rows[ShownFile]
    """Files seen, written, edited and deleted."""
    listed: _Rows[ShownFile]
    """Files that a listing or a search named."""
    not_done: _Rows[ShownChange]
    """Changes that failed or were refused."""
    records: _Rows[ShownChange]
    """Changes of records other than files, such as tickets or bookings."""
    commands: _Rows[ShownCommand]
    """Simple commands; state and exit status are those of their call."""
    results: _Rows[ShownResult]
    """Results of tests, linters, type checks, builds and formatters."""
    packages: _Rows[ShownPackage]
    """Packages in manifests, lock files, imports and installers' output."""
    symbols: _Rows[ShownSymbol]
    """Definitions in content that was read."""
    fetches: _Rows[ShownFetch]
    """Requested URLs."""
    queries: _Rows[ShownQuery]
    """Searches."""
    omitted: dict[str, Annotated[int, Field(ge=1)]]
    """Number of omitted rows per table."""


def ledger_as_dict(ledger: "Ledger") -> LedgerBody:
    """Return a ledger as JSON-ready data; `omitted` counts rows beyond `MAX_ROWS`."""
    tried = [change for change in ledger.changes if not change.done]
    records = [
        change for change in ledger.changes if change.action is ChangeKind.RECORD
    ]
    tables: dict[str, tuple[Sequence[Any], Callable[[Any], Any]]] = {
        "calls": (ledger.calls, _call),
        "files": (ledger.files, _file),
        "listed": (ledger.listed, _file),
        "not_done": (tried, _change),
        "records": (records, _change),
        "commands": (ledger.commands, _command),
        "results": (ledger.results, _result),
        "packages": (ledger.packages, _fields),
        "symbols": (ledger.symbols, _fields),
        "fetches": (ledger.fetches, _fields),
        "queries": (ledger.queries, _fields),
    }
    document: dict[str, Any] = {"schema": SCHEMA}
    for name, (rows, row_of) in tables.items():
        document[name] = [row_of(row) for row in rows[:MAX_ROWS]]
    document["omitted"] = {
        name: len(rows) - MAX_ROWS
        for name, (rows, _) in tables.items()
        if len(rows) > MAX_ROWS
    }
    return cast(LedgerBody, document)


def _call(entry: Call) -> ShownCall:
    return {
        "call": entry.index,
        "tool": _cut(entry.call.tool),
        "kind": str(entry.kind),
        "state": str(entry.state),
        "exit_status": entry.exit_status,
        "background": entry.is_background,
        "recorded": entry.is_recorded,
    }


def _file(entry: FileEntry) -> ShownFile:
    return {
        "call": entry.call,
        "path": _cut(entry.path),
        "action": str(entry.action),
        "sha256": entry.sha256,
        "exact": entry.sha256 is not None and entry.is_exact,
    }


def _change(change: CallChange) -> ShownChange:
    return {
        "call": change.call,
        "action": str(change.action),
        "names": [_cut(path) for path in change.paths[:_MAX_PATHS]],
        "done": change.done,
    }


def _command(command: Command) -> ShownCommand:
    return {
        "call": command.call,
        "text": _cut(command.part.text),
        "folder": _cut(command.folder),
        "state": str(command.state),
        "exit_status": command.exit_status,
        "background": command.is_background,
    }


def _result(result: RunResult) -> ShownResult:
    outcome = result.outcome
    counts = outcome.counts
    return {
        "call": result.call,
        "kind": str(outcome.kind),
        "result": str(outcome.result),
        "tool": _cut(outcome.tool),
        "passed": counts.passed if counts else None,
        "failed": counts.failed if counts else None,
        "skipped": counts.skipped if counts else None,
        "span": list(outcome.span) if outcome.span else None,
    }


def _fields(row: Any) -> dict[str, Any]:
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    return {
        name: _cut(str(value)) if isinstance(value, str) else value
        for name, value in values.items()
    }


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
