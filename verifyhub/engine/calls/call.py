"""Tool calls by their kind: each is read once, and answers the questions of checks.

The answers are what it showed, changed and ran, on which paths, and how it ended. They
are computed from the call at their first use and cached.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from verifyhub.engine.calls.changes import CallChange
from verifyhub.engine.calls.command_changes import command_changes
from verifyhub.engine.calls.commands import command_text, shown_paths
from verifyhub.engine.calls.content import (
    Content,
    content_printed,
    content_read,
    file_read,
    lines_found,
    printed_file,
)
from verifyhub.engine.calls.ends import CallOutcome, outcome_of
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.inputs import FILE_FIELDS, FOLDER_FIELDS, path_values
from verifyhub.engine.calls.listed import listed_paths
from verifyhub.engine.calls.outcomes.model import ReadOutcome
from verifyhub.engine.calls.outcomes.runs import call_outcomes, shows_stored_text
from verifyhub.engine.calls.outcomes.trouble import broke_off
from verifyhub.engine.calls.patches import patch_paths
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import ARGUMENTS_LIMIT, SimpleCommand
from verifyhub.engine.calls.states import CallState, call_state, exit_status
from verifyhub.engine.calls.tool_changes import tool_changes
from verifyhub.engine.calls.tools import (
    CHANGERS,
    NO_RULES,
    ToolKind,
    only_looks,
    tool_kind,
)
from verifyhub.engine.calls.web import asked_query, asked_url, fetched_urls, http_status
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.types import CallStatus, ToolCall

_PATH_FIELDS = FILE_FIELDS | FOLDER_FIELDS
_RUNNERS = frozenset({ToolKind.SHELL, ToolKind.OTHER})
_AGENT_FIELDS = frozenset({"subagent_type", "agent_type"})
# A read of a folder is a listing (OpenHands, OpenCode).
_DIRECTORY = re.compile(
    r"Here's the files and directories|<path>[^\n]{1,1000}\n<type>directory</type>"
)
_OPEN_FILE = re.compile(r"^\[File: (\S{1,400}) \(\d{1,9} lines total\)\]", re.MULTILINE)
_FRAME = 1_000
_BACKGROUND = re.compile(
    r"[Rr]unning in (?:the )?background|[Ss]tarted in (?:the )?background"
    r"|[Bb]ackground (?:job|process|task|command) (?:started|id)"
)
# Returned before the command ended: Codex says so before the output so far, OpenHands
# and others after it.
_UNFINISHED = re.compile(
    r"^[^\w\n]{0,4}(?:Process (?:is )?(?:still )?running with (?:session|process) ID"
    r"|Script running with cell ID"
    r"|The command has no new output after \d"
    r"|Your command [^\n]{0,2000} is NOT executed"
    r"|(?:The )?(?:previous )?(?:command|process|script) is still running\b"
    r"|(?:Command|Process) still running\b)",
    re.IGNORECASE | re.MULTILINE,
)
# The expression only matches texts with one of these.
_UNFINISHED_WORDS = ("running", "no new output", "not executed")
# Outputs that say so are short.
_BACKGROUND_OUTPUT = 600
_TAIL = 20_000


# The message of a commit, a tag or a pull request does nothing.
_MESSAGE = re.compile(
    r"\s(?:-[a-z]{0,3}m|--message|--body|-b|--title|-t|--notes)(?: |=)?"
    r"(?:\"\$\(cat <<.*|\"[^\"]*\"|'[^']*'|\S+)"
    r"|\s(?:-f|--file)[ =]?- ?<<.*",
    re.DOTALL,
)


def _without_message(command: SimpleCommand) -> str:
    text = command.text.lower()
    has_message = ProgramRole.VERSIONS in command.role
    return _MESSAGE.sub(" ", text) if has_message else text


class Deed(NamedTuple):
    """One action of a call, by its tool's name or by one of its commands.

    `text` is that name or command in lower case. `looks` is true if it changes nothing.
    """

    call: int
    text: str
    looks: bool
    command: SimpleCommand | None = None

    @property
    def rehearses(self) -> bool:
        """Whether it only shows what would be done."""
        return self.command is not None and self.command.rehearses

    def is_(self, kind: re.Pattern[str] | ProgramRole) -> bool:
        """Whether it is of a kind, by its words or by the role of its program."""
        if isinstance(kind, ProgramRole):
            return self.command is not None and bool(self.command.role & kind)
        return kind.search(self.text) is not None


@dataclass(frozen=True, kw_only=True)
class Call(CallFacts):
    """One tool call, with the properties that checks need."""

    @cached_property
    def outcome(self) -> CallOutcome:
        """How it ended, by its exit status or by the last words of its program."""
        return outcome_of(self)

    @property
    def failed(self) -> bool:
        """Whether it is known to have failed."""
        return self.outcome is CallOutcome.FAILED

    @cached_property
    def went_wrong(self) -> bool:
        """Whether it failed, by its exit status, or by its output if that is unknown.

        The exit status of a pipe is that of its last command: `… | tail` hides a
        failure.
        """
        if self.failed:
            return True
        known = self.exit_status is not None and len(self.commands) == 1
        return bool(self.command) and not known and broke_off(self.printed, None)

    @property
    def passed(self) -> bool:
        """Whether it is known to have succeeded."""
        return self.outcome is CallOutcome.PASSED

    @cached_property
    def results(self) -> tuple[ReadOutcome, ...]:
        """The results of tests, linters, type checks, builds and formatters in it.

        A report of another agent is not a result.
        """
        return () if self.is_report else call_outcomes(self)

    @cached_property
    def shows_stored(self) -> bool:
        """Whether its output is stored text, not the result of something that ran."""
        return shows_stored_text(self)

    @cached_property
    def changes(self) -> tuple[CallChange, ...]:
        """Its changes and attempted changes of files and of other records."""
        return tuple(tool_changes(self))

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        """Its actions in words: the tool's name, then its commands."""
        tool = self.call.tool.lower()
        return (Deed(call=self.index, text=tool, looks=only_looks(tool)),)

    @cached_property
    def given(self) -> str:
        """Its whole input as one text in lower case, for searches."""
        return str(self.call.input).lower()

    @property
    def tail(self) -> str:
        """The end of its output, in which results and subjects are searched."""
        return self.printed[-_TAIL:]

    @property
    def shown(self) -> tuple[str, ...]:
        """The paths of the files whose content it showed."""
        return ()

    @property
    def whole_file(self) -> tuple[str, str] | None:
        """Path and text of the file that it showed completely, if it is one."""
        return None

    @property
    def contents(self) -> tuple[Content, ...]:
        """The content that it showed, with the files."""
        return ()

    @property
    def listed(self) -> tuple[str, ...]:
        """The files that it named without showing their content."""
        return ()

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses that it requested."""
        return ()

    @property
    def queries(self) -> tuple[str, ...]:
        """Its search queries."""
        return ()

    @cached_property
    def http_status(self) -> int | None:
        """The HTTP status in its output."""
        return http_status(self.call.output)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The values of its input, and its output."""
        return (*map(str, self.call.input.values()), self.call.output)

    def names(self, candidates: Iterable[str]) -> bool:
        """Whether its input or output contains one of some names as a whole word."""
        return any(
            name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            for name in candidates
            for text in self.texts
        )


class ShellCall(Call):
    """A call that ran a command line."""

    @cached_property
    def texts(self) -> tuple[str, ...]:
        # What an agent calls a command is its own word, and no part of it.
        given = self.call.input.items()
        told = {"description", "explanation"} if self.command else ()
        return (
            *(str(text) for key, text in given if key not in told),
            self.call.output,
        )

    @cached_property
    def changes(self) -> tuple[CallChange, ...]:
        return tuple(command_changes(self)) if self.command else super().changes

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        commands = (
            Deed(
                call=self.index,
                text=_without_message(command)[:ARGUMENTS_LIMIT],
                looks=command.looks,
                command=command,
            )
            for command in self.commands
        )
        return (*super().deeds, *commands)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        if not self.succeeded:
            return ()
        command = self.command or ""
        spans = shown_paths(self.commands)
        return tuple(dict.fromkeys(command[start:end] for start, end in spans))

    @cached_property
    def whole_file(self) -> tuple[str, str] | None:
        return printed_file(self)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        searches = any(
            ProgramRole.SEARCHES in command.role for command in self.commands
        )
        return lines_found(self) if searches else content_printed(self)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        roles = ProgramRole.LISTS | ProgramRole.SEARCHES
        lists = any(command.role & roles for command in self.commands)
        return listed_paths(self) if lists else ()

    @cached_property
    def urls(self) -> tuple[str, ...]:
        return fetched_urls(self.commands)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        searches = (
            command for command in self.commands if ProgramRole.SEARCHES in command.role
        )
        return tuple(
            dict.fromkeys(
                command.operands[0] for command in searches if command.operands
            )
        )


class ReadCall(Call):
    """A call that showed a file."""

    @property
    def shown(self) -> tuple[str, ...]:
        if not self.succeeded or not self.call.output.strip():
            return ()
        return tuple(dict.fromkeys(self.paths))

    @cached_property
    def whole_file(self) -> tuple[str, str] | None:
        return file_read(self)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        return content_read(self)


class EditCall(Call):
    """A call that wrote, edited or deleted files."""


class QueryCall(Call):
    """A call of an index, a database or a search engine."""

    @property
    def queries(self) -> tuple[str, ...]:
        return asked_query(self.call.input)


class SearchCall(QueryCall):
    """A call that searched files or listed them."""

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        return lines_found(self) if self.kind is ToolKind.SEARCH else ()

    @cached_property
    def listed(self) -> tuple[str, ...]:
        return listed_paths(self)


class FetchCall(Call):
    """A call that requested an address."""

    @property
    def urls(self) -> tuple[str, ...]:
        return asked_url(self.call.input)


_BY_KIND: Mapping[ToolKind, type[Call]] = {
    ToolKind.READ: ReadCall,
    ToolKind.WRITE: EditCall,
    ToolKind.EDIT: EditCall,
    ToolKind.DELETE: EditCall,
    ToolKind.LIST: SearchCall,
    ToolKind.SEARCH: SearchCall,
    ToolKind.FETCH: FetchCall,
    ToolKind.QUERY: QueryCall,
}


class Silence(StrEnum):
    """The meaning of a call without output in a run."""

    RETURNED = "returned"
    UNKNOWN = "unknown"
    NOT_RECORDED = "not_recorded"


# With so many calls and no output at all, the outputs were not recorded.
_ALL_SILENT = 3


def silence_of(
    calls: Sequence[ToolCall], rules: Mapping[str, ToolKind] = NO_RULES
) -> Silence:
    """Return whether the recorder of a run stored the tools' outputs.

    Some agents' logs have calls without outputs. A read without output shows this,
    since most files are not empty; so does a run without any output. With one or two
    calls it is unknown, and the reported status of a call counts.
    """
    silent = [not call.output or call.output.isspace() for call in calls]
    if not any(silent):
        return Silence.RETURNED
    reads = [
        is_empty
        for call, is_empty in zip(calls, silent, strict=True)
        if tool_kind(call.tool, None, rules) is ToolKind.READ
    ]
    if reads:
        is_kept = 2 * sum(reads) < len(reads)
        return Silence.RETURNED if is_kept else Silence.NOT_RECORDED
    if not all(silent):
        return Silence.RETURNED
    return Silence.NOT_RECORDED if len(calls) >= _ALL_SILENT else Silence.UNKNOWN


def read_call(
    call: ToolCall,
    rules: Mapping[str, ToolKind] = NO_RULES,
    *,
    silence: Silence = Silence.RETURNED,
) -> Call:
    """Read one tool call.

    Args:
        call: The call.
        rules: The kinds of the project's own tools.
        silence: The meaning of an empty output in its run.
    """
    kind = tool_kind(call.tool, call.input.get("command"), rules)
    if kind is ToolKind.READ and _DIRECTORY.match(call.output):
        kind = ToolKind.LIST
    command = _command(call, kind)
    runs = kind in _RUNNERS
    status = exit_status(call.output) if runs else None
    state = call_state(call, kind, status, runs=runs)
    paths = path_values(call.input, _PATH_FIELDS)
    paths = paths or _open_file(call, kind)
    written: tuple[str, ...] = ()
    succeeded = state in {CallState.OK, CallState.UNKNOWN}
    # A status shows that it was done; without one, the tool itself must say so.
    has_output = state is CallState.OK or bool(call.output.strip())
    if kind in CHANGERS and succeeded and has_output:
        written = paths + patch_paths(call.input)
    return (_BY_KIND.get(kind, Call) if command is None else ShellCall)(
        call=call,
        kind=kind,
        state=state,
        paths=paths,
        written=written,
        command=command,
        exit_status=status,
        is_background=_is_background(call),
        is_report=kind is ToolKind.AGENT or not _AGENT_FIELDS.isdisjoint(call.input),
        is_recorded=silence is Silence.RETURNED
        or bool(call.output.strip())
        or (silence is Silence.UNKNOWN and call.status is not CallStatus.UNKNOWN),
    )


def _command(call: ToolCall, kind: ToolKind) -> str | None:
    if kind is ToolKind.SHELL:
        return command_text(call.input)
    if kind is ToolKind.OTHER:
        return command_text(call.input, shell=False) or None
    return None


def _is_background(call: ToolCall) -> bool:
    if call.input.get("run_in_background") is True:
        return True
    output = call.output
    if _says_unfinished(output[:_FRAME]) or (
        len(output) > _FRAME and _says_unfinished(output[-_FRAME:])
    ):
        return True
    if len(output) >= _BACKGROUND_OUTPUT or "ackground" not in output:
        return False
    return bool(_BACKGROUND.search(output))


def _says_unfinished(text: str) -> bool:
    lowered = text.lower()
    has_word = any(word in lowered for word in _UNFINISHED_WORDS)
    return has_word and _UNFINISHED.search(text) is not None


def _open_file(call: ToolCall, kind: ToolKind) -> tuple[str, ...]:
    """Return the open file of SWE-agent's editor, if the input names none."""
    if kind not in CHANGERS and kind is not ToolKind.READ:
        return ()
    opened = _OPEN_FILE.search(call.output[:_FRAME])
    return (opened[1],) if opened else ()
