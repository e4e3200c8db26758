"""Events of GitHub Copilot CLI: JSON Lines in `~/.copilot/session-state/`.

Sources: github/copilot-sdk, `session-events.schema.json` (envelope `type`, `data`,
`id`, `timestamp`, `parentId`), as described in github.com/cirvine-MSFT/editless and
github.com/edburns/copilot-sdk-java. An agent's message requests calls
(`toolRequests`); `tool.execution_start` and `tool.execution_complete` report their
execution. Events with an `agentId`, in older versions a `parentToolCallId`, are those
of a sub-agent.
"""

from typing import Any

from verifyhub.common.moments import moment
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import (
    Output,
    as_output,
    as_text,
    ended,
    kind_of,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_FAMILIES = word_set(
    """
    session user assistant tool subagent hook skill system abort permission
    """
)


class Copilot:
    """The events of one session."""

    name = "copilot"
    about = "Copilot CLI events (JSON Lines)"

    def recognises(self, document: TranscriptDocument) -> float:
        return share_of(document.value, _is_event)

    def read(self, document: TranscriptDocument) -> Transcript:
        items = document.lines()
        conversation = Conversation(self.name, agent="Copilot CLI")
        events = _CopilotEvents(conversation)
        conversation.each(items, events.read)
        for place in events.requested.values():
            conversation.note("call that was requested but never started", place[1])
        return conversation.transcript()


def _is_event(line: dict[str, Any]) -> bool:
    kind = line.get("type")
    if not isinstance(kind, str) or not isinstance(line.get("data"), dict):
        return False
    family, dot, _ = kind.partition(".")
    return family in _FAMILIES and (bool(dot) or kind == "abort")


class _CopilotEvents:
    """Reads events by type.

    Attributes:
        requested: Requested calls that have not started, by id: the request and its
            place.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.requested: dict[str, tuple[TranscriptEntry, str]] = {}
        self.readers = {
            "session.start": self._start,
            "session.resume": self._start,
            "session.model_change": self._model,
            "user.message": self._request,
            "assistant.message": self._message,
            "tool.execution_start": self._call,
            "tool.execution_complete": self._result,
            "abort": self._abort,
        }

    def read(self, item: Any, place: str) -> None:
        event = TranscriptEntry(item, place)
        kind, data = event.word("type"), event.entry("data")
        read = self.readers.get(kind)
        if read is None:
            self.conversation.note(kind_of(kind), place)
        elif data.word("parentToolCallId") or event.word("agentId"):
            self.conversation.note("event of a sub-agent", place)
        else:
            self.conversation.now = moment(event.get("timestamp"))
            read(data)

    def _start(self, data: TranscriptEntry) -> None:
        conversation = self.conversation
        conversation.is_of(data.word("sessionId"))
        conversation.model = data.word("selectedModel") or conversation.model
        conversation.knows(
            agent_version=data.word("copilotVersion"),
            cwd=data.entry("context").word("cwd"),
        )

    def _model(self, data: TranscriptEntry) -> None:
        self.conversation.model = data.word("newModel") or self.conversation.model

    def _request(self, data: TranscriptEntry) -> None:
        self.conversation.asks(data.text("content"), data.place)
        for place, _ in data.entries("attachments"):
            self.conversation.note("attachment", place)

    def _message(self, data: TranscriptEntry) -> None:
        if data.get("reasoningText"):
            self.conversation.note("reasoning", data.at("reasoningText"))
        self.conversation.says(data.text("content"), data.place)
        self.conversation.spends(
            ReportedUsage(output_tokens=data.number("outputTokens"))
        )
        for place, item in data.entries("toolRequests"):
            request = TranscriptEntry(item, place)
            self.requested[request.text("toolCallId")] = (request, place)

    def _call(self, data: TranscriptEntry) -> None:
        self._begin(data, data.get("toolName"))

    def _begin(self, data: TranscriptEntry, tool: Any) -> None:
        call_id = data.word("toolCallId")
        self.requested.pop(call_id, None)
        arguments = self.conversation.input_of(data)
        self.conversation.calls(tool, arguments, data.place, call_id=call_id)

    def _result(self, data: TranscriptEntry) -> None:
        call_id = data.word("toolCallId")
        if call_id in self.requested:
            request, _ = self.requested[call_id]
            self._begin(request, request.get("name"))
        self.conversation.model = data.word("model") or self.conversation.model
        tool = data.word("toolName")
        self.conversation.returns(
            self._output(data), data.place, call_id=call_id, tool=tool
        )

    def _output(self, data: TranscriptEntry) -> Output:
        success = data.get("success")
        succeeded = success if isinstance(success, bool) else None
        if data.get("error") is not None and not succeeded:
            error = data.entry("error")
            text = as_text(
                error.get("message"), error.at("message"), self.conversation.note
            )
            refused = error.word("code") in {"denied", "rejected"}
            return Output(text, CallStatus.REFUSED if refused else ended(False, text))
        result = data.get("result")
        if isinstance(result, dict):
            # The content is for the model, the details are for the screen.
            result = result.get("content") or result.get("detailedContent")
        output = as_output(result, data.at("result"), self.conversation.note)
        return Output(output.text, ended(succeeded, output.text))

    def _abort(self, data: TranscriptEntry) -> None:
        self.conversation.interrupts(data.place)
