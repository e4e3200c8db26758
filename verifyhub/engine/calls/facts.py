"""What is known of every tool call: its kind, how it ended, its paths and commands."""

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
    """One tool call with what its frame says.

    `paths` are the paths its input names; `written` those it changed, if its own
    success says so; `command` is the command line it ran, None if it ran none;
    `is_background` says that it only started something and did not wait for its end;
    `is_report` that another agent did the work: the output is that agent's word;
    `is_recorded` that its output was kept: else its silence says nothing.
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
        """Whether the call did what it was asked, as far as its output says."""
        return self.state in {CallState.OK, CallState.UNKNOWN}

    @property
    def ran(self) -> bool:
        """Whether it ran at all, be it to a bad end."""
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
        """What it printed without colours; every place is that of the output."""
        return without_ansi(self.printed)

    @cached_property
    def absent(self) -> list[Span]:
        """The places of the text where something is named as absent."""
        return absent_slots(self.text)

    @cached_property
    def denied(self) -> list[Span]:
        """The places of the text where a path that it asked for is denied."""
        return denied_slots(self.text, self.call.input)
