"""Summarise a run for a model that judges its answer (requirement A4).

Calls are classified by the declared registry, never by a part of their name; a tool
without a rule is `other`. Only a successful call shows that a file was read; its input
only shows that the agent requested it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.common.visible import visible
from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.tools import CHANGERS, ToolKind
from verifyhub.engine.ledger.ledger import Ledger

# Maximum characters of a call's output, by the kind of the tool (A4). Of a command the
# end is kept, which shows its result.
EXCERPTS = {
    ToolKind.QUERY: 500,
    ToolKind.FETCH: 500,
    ToolKind.SEARCH: 500,
    ToolKind.AGENT: 500,
    ToolKind.LIST: 300,
    ToolKind.OTHER: 300,
}
COMMAND_CHARACTERS = 100
COMMAND_ENDING_CHARACTERS = 100
MAX_NAME_CHARACTERS = 300
MAX_NAMES = 100
MAX_CALLS = 80
MAX_EXCERPTS_CHARACTERS = 12_000

_QUERIES = frozenset({ToolKind.SEARCH, ToolKind.QUERY, ToolKind.FETCH})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSummary:
    """One call: `subject` is its path, command or query, `excerpt` from its output.

    `is_earlier` is true for calls of earlier answers; then `index` counts from the
    first of all such calls.
    """

    index: int
    tool: str
    kind: str
    state: str
    subject: str = ""
    excerpt: str = ""
    characters: int = 0
    is_earlier: bool = False

    def as_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "call": self.index,
            "tool": self.tool,
            "kind": self.kind,
            "state": self.state,
        }
        if self.is_earlier:
            data["earlier"] = True
        if self.subject:
            data["subject"] = self.subject
        if self.excerpt:
            data["excerpt"] = self.excerpt
            data["of_characters"] = self.characters
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A summary of a run; `left_out` lists what was truncated.

    `about` are lines of outputs with names and numbers of the answer, each with the
    name of its call.
    """

    files_read: tuple[str, ...] = ()
    files_written: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    calls: tuple[CallSummary, ...] = ()
    left_out: tuple[str, ...] = ()
    about: tuple[tuple[str, str], ...] = ()


def summarise(ledger: Ledger, *, earlier: int = 0) -> RunSummary:
    """Summarise the calls of a run, with limited texts and a list of truncations.

    Args:
        earlier: The number of its first calls that belong to earlier answers.
    """
    left_out: list[str] = []
    read, written = files_of(ledger, left_out)
    commands = (
        call.command[:COMMAND_CHARACTERS] for call in ledger.calls if call.command
    )
    queries = (query for call in ledger.calls for query in _queries(call))
    return RunSummary(
        files_read=read,
        files_written=written,
        commands=_names(commands, "commands", left_out),
        queries=_names(queries, "queries", left_out),
        calls=tuple(_calls(ledger.calls, left_out, earlier)),
        left_out=tuple(left_out),
    )


def files_of(
    ledger: Ledger, left_out: list[str] | None = None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first files that a run read, and the first files that it wrote."""
    cut = [] if left_out is None else left_out
    reads = (path for call in ledger.calls for path in call.shown)
    writes = (path for call in ledger.calls for path in call.written)
    read = _names(reads, "files read", cut)
    return read, _names(writes, "files written", cut)


def _queries(entry: Call) -> tuple[str, ...]:
    return (*entry.queries, *entry.urls) if entry.kind in _QUERIES else ()


def _names(names: Iterator[str], label: str, left_out: list[str]) -> tuple[str, ...]:
    distinct = list(dict.fromkeys(_short(name) for name in names))
    if len(distinct) > MAX_NAMES:
        left_out.append(f"{len(distinct) - MAX_NAMES} of {len(distinct)} {label}")
    return tuple(distinct[:MAX_NAMES])


def _calls(
    entries: Sequence[Call], left_out: list[str], earlier: int
) -> Iterator[CallSummary]:
    """Yield the last calls, with excerpts as long as there is space, from the end.

    The answer usually reports the results of the last calls.
    """
    if len(entries) > MAX_CALLS:
        cut = len(entries) - MAX_CALLS
        left_out.append(f"the first {cut} of {len(entries)} calls")
    latest = entries[-MAX_CALLS:]
    excerpts, room, without = dict[int, str](), MAX_EXCERPTS_CHARACTERS, 0
    for entry in reversed(latest):
        text = _excerpt(entry)
        if text and len(text) <= room:
            excerpts[entry.index] = text
            room -= len(text)
        elif text:
            without += 1
    if without:
        left_out.append(f"the output of {without} earlier calls")
    for entry in latest:
        yield CallSummary(
            index=entry.index if entry.index < earlier else entry.index - earlier,
            is_earlier=entry.index < earlier,
            tool=_short(entry.call.tool),
            kind=str(entry.kind),
            state=str(entry.state),
            subject=_short(_subject(entry)),
            excerpt=excerpts.get(entry.index, ""),
            characters=len(entry.call.output),
        )


def _subject(entry: Call) -> str:
    if entry.command:
        return entry.command[:COMMAND_CHARACTERS]
    if entry.kind in CHANGERS or entry.kind in {ToolKind.READ, ToolKind.LIST}:
        return next(iter(entry.paths), "")
    return next(iter((*_queries(entry), *entry.paths)), "")


def _excerpt(entry: Call) -> str:
    output = entry.call.output
    if entry.kind is ToolKind.SHELL:
        return visible(output[-COMMAND_ENDING_CHARACTERS:])[-COMMAND_ENDING_CHARACTERS:]
    limit = EXCERPTS.get(entry.kind, 0)
    return visible(output[:limit])[:limit]


def _short(name: str) -> str:
    """Truncate a name, whose escaped form may be longer."""
    return visible(name[:MAX_NAME_CHARACTERS])[:MAX_NAME_CHARACTERS]
