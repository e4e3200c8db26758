"""The facts of every tool call: its kind, how it ended, its paths and commands."""

from dataclasses import dataclass

from verifyhub.engine.calls.absence import absent_slots, denied_slots
from verifyhub.engine.calls.shell import SimpleCommand, split_command
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.envelope import opened
from verifyhub.engine.text.tokens import without_ansi
from verifyhub.engine.types import Span, ToolCall


@dataclass(frozen=True, kw_only=True)
class CallFacts:
    """One tool call with the facts in its frame.

    `paths` are the paths in its input; `written` those that it changed if it succeeded;
    `command` is its command line, None if it has none; `is_background` is true if it
    only started something without waiting; `is_report` if another agent did the work,
    whose word is the output; `is_recorded` if its output was stored, since otherwise an
    empty output means nothing.
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
    is_recorded: bool = True

    @property
    def index(self) -> int:
        return self.call.index

    @property
    def succeeded(self) -> bool:
        """Whether the call succeeded, as far as its output says."""
        return self.state in {CallState.OK, CallState.UNKNOWN}

    @property
    def ran(self) -> bool:
        """Whether it was run at all, even if it failed."""
        return self.state not in {CallState.REFUSED, CallState.ERROR}

    @cached_property
    def commands(self) -> tuple[SimpleCommand, ...]:
        """The simple commands it ran, in order."""
        return split_command(self.command) if self.command else ()

    @cached_property
    def printed(self) -> str:
        """Its output, with the escapes of a one-line JSON document undone."""
        return opened(self.call.output)

    @cached_property
    def text(self) -> str:
        """Its output without colours; positions are those of the output."""
        return without_ansi(self.printed)

    @cached_property
    def absent(self) -> list[Span]:
        """The places in the text where something is reported as absent."""
        return absent_slots(self.text)

    @cached_property
    def denied(self) -> list[Span]:
        """The places in the text where a requested path is denied."""
        return denied_slots(self.text, self.call.input)
