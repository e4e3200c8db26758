"""One turn of a conversation and its calls, while a transcript is read."""

from dataclasses import dataclass, field
from typing import Any

from verifyhub.common.contract import MAX_ID
from verifyhub.engine.types import CallStatus, RunUsage, ToolCall
from verifyhub.ingest.formats.usage import ReportedUsage


@dataclass(slots=True, kw_only=True)
class TurnCall:
    """A tool call while its transcript is read."""

    tool: str
    input: dict[str, Any]
    id: str
    started_at: str | None = None
    outputs: list[str] = field(default_factory=list)
    status: CallStatus = CallStatus.UNKNOWN
    duration_ms: int | None = None
    is_answered: bool = False

    def freeze(self) -> ToolCall:
        """Return the call as an engine value; its index is set later."""
        return ToolCall(
            index=0,
            tool=self.tool,
            input=self.input,
            output="\n".join(self.outputs),
            id=self.id[:MAX_ID] or None,
            status=self.status,
            started_at=self.started_at,
            duration_ms=self.duration_ms,
        )


@dataclass(slots=True)
class TranscriptTurn:
    """A turn that is being read from a transcript.

    `number` counts from 1; 0 is everything before the first request. `texts` are the
    agent's texts since its last call.
    """

    number: int
    place: str
    tasks: list[str] = field(default_factory=list)
    calls: list[TurnCall] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    has_acted: bool = False
    is_interrupted: bool = False
    spent: ReportedUsage = field(default_factory=ReportedUsage)
    spent_once: dict[str, ReportedUsage] = field(default_factory=dict)
    model: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    instructions: str = ""

    @property
    def answer(self) -> str:
        """The agent's last texts; empty if the user interrupted it."""
        if self.is_interrupted:
            return ""
        return "\n\n".join(text.strip() for text in self.texts)

    @property
    def usage(self) -> RunUsage | None:
        """Return the usage of the turn, as far as it is reported."""
        return sum(self.spent_once.values(), self.spent).usage()
