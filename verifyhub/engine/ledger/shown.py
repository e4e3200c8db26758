"""A ledger as JSON-ready data, bounded, so that a person can see what it holds."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import Action, CallChange
from verifyhub.engine.ledger.files import FileEntry
from verifyhub.engine.ledger.packages import Package
from verifyhub.engine.ledger.runs import Command, RunResult
from verifyhub.engine.ledger.symbols import Symbol
from verifyhub.engine.ledger.web import Fetch, Query

if TYPE_CHECKING:
    from verifyhub.engine.ledger.ledger import Ledger

SCHEMA = 1
# Rows of one kind, and characters of one text.
MAX_ROWS = 1_000
MAX_TEXT = 400
_MAX_PATHS = 20


def ledger_as_dict(ledger: "Ledger") -> dict[str, Any]:
    """Return what a ledger holds; `omitted` counts the rows beyond `MAX_ROWS`."""
    tried = [change for change in ledger.changes if not change.done]
    records = [one for one in ledger.changes if one.action is Action.RECORD]
    tables: dict[str, tuple[Sequence[Any], Callable[[Any], dict[str, Any]]]] = {
        "calls": (ledger.calls, _call),
        "files": (ledger.files, _file),
        "listed": (ledger.listed, _file),
        "not_done": (tried, _change),
        "records": (records, _change),
        "commands": (ledger.commands, _command),
        "results": (ledger.results, _result),
        "packages": (ledger.packages, _package),
        "symbols": (ledger.symbols, _symbol),
        "fetches": (ledger.fetches, _fetch),
        "queries": (ledger.queries, _query),
    }
    shown: dict[str, Any] = {"schema": SCHEMA}
    for name, (rows, row_of) in tables.items():
        shown[name] = [row_of(row) for row in rows[:MAX_ROWS]]
    shown["omitted"] = {
        name: len(rows) - MAX_ROWS
        for name, (rows, _) in tables.items()
        if len(rows) > MAX_ROWS
    }
    return shown


def _call(entry: Call) -> dict[str, Any]:
    return {
        "call": entry.index,
        "tool": _cut(entry.call.tool),
        "kind": str(entry.kind),
        "state": str(entry.state),
        "exit_status": entry.exit_status,
        "background": entry.is_background,
        "recorded": entry.is_recorded,
    }


def _file(entry: FileEntry) -> dict[str, Any]:
    return {
        "call": entry.call,
        "path": _cut(entry.path),
        "action": str(entry.action),
        "sha256": entry.sha256,
        "exact": entry.sha256 is not None and entry.is_exact,
    }


def _change(change: CallChange) -> dict[str, Any]:
    return {
        "call": change.call,
        "action": str(change.action),
        "names": [_cut(path) for path in change.paths[:_MAX_PATHS]],
        "done": change.done,
    }


def _command(command: Command) -> dict[str, Any]:
    return {
        "call": command.call,
        "text": _cut(command.part.text),
        "folder": _cut(command.folder),
        "state": str(command.state),
        "exit_status": command.exit_status,
        "background": command.is_background,
    }


def _result(result: RunResult) -> dict[str, Any]:
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


def _package(package: Package) -> dict[str, Any]:
    return {
        "call": package.call,
        "name": _cut(package.name),
        "ecosystem": str(package.ecosystem),
        "shown": str(package.shown),
        "version": package.version,
        "path": _cut(package.path),
    }


def _symbol(symbol: Symbol) -> dict[str, Any]:
    return {
        "call": symbol.call,
        "name": symbol.name,
        "kind": symbol.kind,
        "parent": symbol.parent,
        "path": _cut(symbol.path),
        "line": symbol.line,
    }


def _fetch(fetch: Fetch) -> dict[str, Any]:
    return {
        "call": fetch.call,
        "url": _cut(fetch.url),
        "status": fetch.status,
        "state": str(fetch.state),
    }


def _query(query: Query) -> dict[str, Any]:
    return {
        "call": query.call,
        "text": _cut(query.text),
        "state": str(query.state),
        "has_results": query.has_results,
    }


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
