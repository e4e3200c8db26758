"""Tool calls as the ledger understands them: each is read here, once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from verifyhub.engine.calls.commands import command_text
from verifyhub.engine.calls.patches import patch_paths
from verifyhub.engine.calls.shell import Part, split_command
from verifyhub.engine.calls.states import CallState, call_state, exit_status
from verifyhub.engine.calls.tools import NO_RULES, ToolKind, tool_kind
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import ToolCall

_PATH_KEYS = word_set(
    """
    file_path filepath filePath path paths file files filename fileName file_name
    target_file relative_path relative_workspace_path absolute_path abs_path
    notebook_path directory dir dir_path workdir cwd working_directory uri root
    """
)
_RUNNERS = frozenset({ToolKind.SHELL, ToolKind.OTHER})
_CHANGERS = frozenset({ToolKind.WRITE, ToolKind.EDIT, ToolKind.DELETE})
_AGENT_FIELDS = frozenset({"subagent_type", "agent_type"})
# A read that shows a folder is a listing (OpenHands, OpenCode).
_DIRECTORY = re.compile(
    r"Here's the files and directories|<path>[^\n]{1,1000}\n<type>directory</type>"
)
_OPEN_FILE = re.compile(r"^\[File: (\S{1,400}) \(\d{1,9} lines total\)\]", re.MULTILINE)
_FRAME = 1_000
_BACKGROUND = re.compile(
    r"[Rr]unning in (?:the )?background|[Ss]tarted in (?:the )?background"
    r"|[Bb]ackground (?:job|process|task|command) (?:started|id)",
)
# Returned before the command ended: Codex says so ahead of what was printed so far,
# OpenHands and others after it.
_UNFINISHED = re.compile(
    r"^[^\w\n]{0,4}(?:Process (?:is )?(?:still )?running with (?:session|process) ID"
    r"|Script running with cell ID"
    r"|The command has no new output after \d"
    r"|Your command [^\n]{0,2000} is NOT executed"
    r"|(?:The )?(?:previous )?(?:command|process|script) is still running\b"
    r"|(?:Command|Process) still running\b)",
    re.IGNORECASE | re.MULTILINE,
)
# A tool that says so says little else.
_BACKGROUND_OUTPUT = 600


@dataclass(frozen=True, kw_only=True)
class LedgerCall:
    """One tool call as the ledger understands it.

    `paths` are the paths its input names; `written` those it changed, if its own
    success says so; `command` is the command line it ran, None if it ran none;
    `is_background` says that it only started something and did not wait for its end;
    `is_report` that another agent did the work: the output is that agent's word.
    """

    call: ToolCall
    kind: ToolKind
    state: CallState
    paths: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    command: str | None = None
    exit_status: int | None = None
    is_background: bool = False
    is_report: bool = False

    @property
    def index(self) -> int:
        return self.call.index

    @property
    def succeeded(self) -> bool:
        """Whether the call did what it was asked, as far as its output says."""
        return self.state in {CallState.OK, CallState.UNKNOWN}

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The simple commands it ran, in order."""
        return split_command(self.command) if self.command else ()


def read_call(call: ToolCall, rules: Mapping[str, ToolKind] = NO_RULES) -> LedgerCall:
    """Read one tool call.

    Args:
        call: The call.
        rules: What the project's own tools do.
    """
    kind = tool_kind(call.tool, call.input.get("command"), rules)
    if kind is ToolKind.READ and _DIRECTORY.match(call.output):
        kind = ToolKind.LIST
    command = _command(call, kind)
    runs = kind in _RUNNERS
    status = exit_status(call.output) if runs else None
    state = call_state(call, kind, status, runs=runs)
    paths = _paths(call) or _open_file(call, kind)
    written: tuple[str, ...] = ()
    done = state in {CallState.OK, CallState.UNKNOWN}
    # A status says that it was done; without one the tool itself must say so.
    told = state is CallState.OK or bool(call.output.strip())
    if kind in _CHANGERS and done and told:
        written = paths + patch_paths(call.input)
    return LedgerCall(
        call=call,
        kind=kind,
        state=state,
        paths=paths,
        written=written,
        command=command,
        exit_status=status,
        is_background=_is_background(call),
        is_report=kind is ToolKind.AGENT or not _AGENT_FIELDS.isdisjoint(call.input),
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
    if _UNFINISHED.search(output[:_FRAME]) or _UNFINISHED.search(output[-_FRAME:]):
        return True
    if len(output) >= _BACKGROUND_OUTPUT or "ackground" not in output:
        return False
    return bool(_BACKGROUND.search(output))


def _open_file(call: ToolCall, kind: ToolKind) -> tuple[str, ...]:
    """Return the file that SWE-agent's editor has open, where the input names none."""
    if kind not in _CHANGERS and kind is not ToolKind.READ:
        return ()
    opened = _OPEN_FILE.search(call.output[:_FRAME])
    return (opened[1],) if opened else ()


def _paths(call: ToolCall) -> tuple[str, ...]:
    found: list[str] = []
    for key, value in call.input.items():
        if key in _PATH_KEYS:
            values = value if isinstance(value, list) else [value]
            found += [item for item in values if isinstance(item, str) and item]
    return tuple(found)
