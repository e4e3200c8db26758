"""What a run did, read from its tool calls: runs, writes, deletions, commands.

A call is read by its fields and its output, never by the name of its tool alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.ledger.outcomes import Exit, Outcome, call_outcomes, read_exit
from verifyhub.engine.ledger.outcomes.runs import (
    command_of,
    is_background,
    shows_stored_text,
)
from verifyhub.engine.ledger.outcomes.tasks import Part, split_command
from verifyhub.engine.types import ToolCall

_PATH_KEYS = frozenset(
    [
        "file_path",
        "filepath",
        "path",
        "filename",
        "file",
        "notebook_path",
        "target_file",
        "relative_path",
        "uri",
        "absolute_path",
        "abs_path",
        "file_name",
        "output_path",
        "destination",
    ]
)
_BODY_KEYS = frozenset(
    [
        "content",
        "contents",
        "new_string",
        "newstring",
        "newtext",
        "new_text",
        "new_str",
        "file_text",
        "text",
        "new_source",
        "insert_text",
        "patch",
        "diff",
        "edits",
        "code_edit",
        "body",
        "data",
        "replacement",
        "newtext",
        "new_content",
        "replace",
        "changes",
    ]
)
_PATCH_FILE = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ b/)(\S.{0,300})$",
    re.MULTILINE,
)
_REFUSED = re.compile(
    r"\s*(?:<tool_use_error>|error\b|failed\b|permission denied|no replacement"
    r"|the user doesn['’]t want|user (?:rejected|denied|refused)|old_str(?:ing)? "
    r"|string to replace|file has not been read|no such file|invalid )",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\[\d{1,9} (?:characters|chars|bytes|lines|tokens) (?:trimmed|truncated|omitted)\]"
    r"|\[(?:truncated|trimmed|snip)|<truncated|\(truncated|\.\.\. ?truncated"
)
_PATH_WORD = re.compile(
    r"(?<![\w@.~+/-])(?:[\w@.~+-]*(?:/[\w@.~+-]+)+|[\w@~+-]+\.[A-Za-z]\w{0,9})"
)
_REDIRECT = re.compile(r"(?<![0-9&=-])>{1,2}\s*([\w@.~/+-]+)")
_SCRIPT_WRITE = re.compile(
    r"write_text|writeFile|\.write\(|open\([^)\n]{1,120}['\"][wa]|File\.write|>>? ?\S"
)
# Editors that some agents call as commands of a shell.
_EDITORS = frozenset(
    {"str_replace_editor", "str_replace_based_edit_tool", "edit", "create", "insert"}
)
_MOVERS = frozenset({"mv", "cp", "tee", "touch", "patch", "install", "ln"})
_SCRIPTS = frozenset(
    {"python", "python3", "node", "perl", "ruby", "bun", "deno", "php"}
)
_FIXERS = re.compile(r"\s(?:--fix|--write|-w|--in-place|-i\S*|lint:fix|fmt|format)\b")
_RECORD_VERBS = frozenset(
    [
        "create",
        "update",
        "write",
        "add",
        "save",
        "insert",
        "put",
        "set",
        "modify",
        "cancel",
        "exchange",
        "return",
        "book",
        "edit",
        "change",
        "delete",
        "remove",
        "move",
        "rename",
        "append",
        "upsert",
        "patch",
    ]
)
_AGENT_NAME = re.compile(
    r"^(?:task|agent|subagent|sub_agent|delegate\w*|dispatch_agent|run_agent"
    r"|spawn_agent|new_task|call_agent)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A call that wrote, edited or deleted files, or tried to.

    `paths` is empty where a command changed files that it does not name; `cut` says
    that the trace does not hold all the text that was written.
    """

    index: int
    paths: tuple[str, ...]
    text: str
    ok: bool
    deleted: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command of a call, with whether the call is known to have failed."""

    index: int
    part: Part
    ok: bool
    background: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything a run did, in order."""

    calls: tuple[ToolCall, ...]
    outcomes: tuple[tuple[int, Outcome], ...]
    writes: tuple[Write, ...]
    commands: tuple[Command, ...]
    reports: tuple[ToolCall, ...]

    def done(self) -> tuple[Write, ...]:
        """Return the writes that succeeded."""
        return tuple(write for write in self.writes if write.ok)


def read_trace(calls: tuple[ToolCall, ...]) -> Trace:
    """Read what a run did from its tool calls."""
    return Trace(
        calls=calls,
        outcomes=tuple(
            (call.index, outcome)
            for call in calls
            if not is_agent(call)
            for outcome in call_outcomes(call)
        ),
        writes=tuple(write for call in calls for write in _writes(call)),
        commands=tuple(command for call in calls for command in _commands(call)),
        reports=tuple(call for call in calls if is_agent(call)),
    )


def is_agent(call: ToolCall) -> bool:
    """Return whether a call handed work to another agent: its output is a report."""
    if _AGENT_NAME.match(call.tool):
        return True
    return "subagent_type" in call.input or "agent_type" in call.input


def call_failed(call: ToolCall) -> bool:
    """Return whether a call is known to have failed or to have been refused."""
    return read_exit(call) is Exit.NONZERO


def _commands(call: ToolCall) -> Iterator[Command]:
    line = command_of(call)
    if not line:
        return
    failed, background = call_failed(call), is_background(call)
    for part in split_command(line):
        yield Command(index=call.index, part=part, ok=not failed, background=background)


def _writes(call: ToolCall) -> Iterator[Write]:
    line = command_of(call)
    patch = _patch_of(call.input)
    if patch:
        yield _write(call, tuple(_PATCH_FILE.findall(patch)), patch)
    elif line:
        yield from _command_writes(call, line)
    else:
        yield from _tool_writes(call)


def _patch_of(data: Mapping[str, Any]) -> str:
    for value in data.values():
        texts = value if isinstance(value, list) else [value]
        for text in texts:
            if isinstance(text, str) and "*** Begin Patch" in text:
                return text
    return ""


def _tool_writes(call: ToolCall) -> Iterator[Write]:
    keys = {key.lower() for key in call.input}
    paths = tuple(
        value
        for key, value in call.input.items()
        if key.lower() in _PATH_KEYS and isinstance(value, str)
    )
    words = set(re.findall(r"[a-z]+", call.tool.lower()))
    if not paths:
        # A record elsewhere: a ticket, a document, a booking.
        if words & _RECORD_VERBS and not words & {"todo", "task", "todowrite"}:
            text = "\n".join([*strings(call.input), call.output[:4000]])
            yield _write(call, (call.tool,), text)
        return
    if words & {"delete", "remove", "unlink"}:
        yield _write(call, paths, "", deleted=True)
    elif keys & _BODY_KEYS and not words & {"search", "grep", "find"}:
        yield _write(call, paths, "\n".join(strings(call.input)))
    elif words & {"mkdir", "move", "rename", "create"}:
        yield _write(call, paths, "")


def _write(
    call: ToolCall, paths: tuple[str, ...], text: str, *, deleted: bool = False
) -> Write:
    refused = bool(_REFUSED.match(call.output)) and "success" not in call.output[:300]
    return Write(
        index=call.index,
        paths=tuple(path.replace("\\", "/") for path in paths),
        text=text,
        ok=not (call_failed(call) or refused),
        deleted=deleted,
        cut=bool(_CUT.search(text)),
    )


def _command_writes(call: ToolCall, line: str) -> Iterator[Write]:
    for part in split_command(line):
        program = _program(part)
        if program in {"rm", "unlink", "rmdir", "trash", "git rm"}:
            yield _write(call, tuple(_PATH_WORD.findall(part.text)), line, deleted=True)
        elif (
            program in _MOVERS
            or (program in _EDITORS and "view" not in part.words)
            or program == "git mv"
            or (program in {"sed", "perl"} and re.search(r"\s-\w*i", part.text))
        ):
            yield _write(call, tuple(_PATH_WORD.findall(part.text)), line)
        elif program in _SCRIPTS and _SCRIPT_WRITE.search(line):
            yield _write(call, tuple(_PATH_WORD.findall(line[:20_000])), line)
        elif _FIXERS.search(" " + part.text) and program not in {"grep", "rg", "ls"}:
            yield _write(call, (), "")
        else:
            targets = [
                path
                for path in _REDIRECT.findall(part.text)
                if not path.startswith(("/dev/", "/tmp/"))  # noqa: S108
            ]
            if targets or program == "mkdir":
                yield _write(call, (*targets, *part.words[1:]), line)


def _program(part: Part) -> str:
    words = [word for word in part.words if word not in {"sudo", "rtk", "command"}]
    if not words:
        return ""
    if words[0] == "git":
        return "git " + git_verb(part)
    return words[0].rsplit("/", 1)[-1]


def git_verb(part: Part) -> str:
    """Return the verb of a git command, or "" if it is none."""
    words = list(part.words)
    while words and (words[0] in {"sudo", "rtk"} or "=" in words[0]):
        words.pop(0)
    if not words or words.pop(0) != "git":
        return ""
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in {"-C", "-c"} and words:
            words.pop(0)
    return words[0] if words else ""


def strings(value: object, depth: int = 0) -> Iterator[str]:
    """Yield every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif depth < 8 and isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item, depth + 1)
    elif depth < 8 and isinstance(value, list | tuple):
        for item in value:
            yield from strings(item, depth + 1)


def same_file(named: str, path: str) -> bool:
    """Return whether `named` is `path` or its last components."""
    if named.rsplit("/", 1)[-1].lower() != path.rsplit("/", 1)[-1].lower():
        return False
    left = [part for part in named.lower().split("/") if part not in {"", ".", "~"}]
    right = [part for part in path.lower().split("/") if part not in {"", ".", "~"}]
    size = min(len(left), len(right))
    return size > 0 and left[-size:] == right[-size:]


__all__ = [
    "Command",
    "Trace",
    "Write",
    "call_failed",
    "git_verb",
    "read_trace",
    "same_file",
    "shows_stored_text",
    "strings",
]
