"""Runs of OpenHands as actions and observations: histories and event streams.

Sources: OpenHands 0.20 to 0.59, `openhands/events` (serialised events: `id`, `source`,
`action` with `args`, `observation` with `cause` and `extras`, `tool_call_metadata`);
evaluation output (`output.jsonl`: `history`, `instruction`, `metadata`, `metrics`). The
`cause` of an observation is the id of its action.
"""

from typing import Any

from verifyhub.common.contract import FormatError, sorted_keys
from verifyhub.common.moments import moment
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import (
    Output,
    ended,
    kind_of,
    with_exit,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.turn import TurnCall
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_READ = frozenset({"history", "instance_id", "metadata", "metrics"})
# Actions of the program itself, not of the model.
_NO_CALLS = word_set(
    """
    system recall change_agent_state condensation condensation_request pause
    resume start null add_task modify_task summarize
    """
)
_FRAME = word_set(
    """
    thought is_confirmed confirmation_state security_risk hidden blocking
    image_urls kernel_init_code include_extra impl_source
    """
)
# Observations of commands, which have an exit status.
_COMMANDS = frozenset({"run", "run_ipython"})
_FAILED_EDIT = "ERROR:"


class OpenHands:
    """A history in an evaluation's output, or a bare stream of events."""

    name = "openhands"
    about = "OpenHands histories and event streams"

    def recognises(self, document: TranscriptDocument) -> float:
        events = document.member("history")
        if events is None:
            events = document.value
        return share_of(events, _is_event)

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name, agent="OpenHands")
        reader = _Stream(conversation)
        if isinstance(document.value, dict):
            root = document.root()
            metadata = root.entry("metadata")
            conversation.model = metadata.entry("llm_config").word("model")
            conversation.knows(instance=root.word("instance_id"))
            conversation.knows(agent_class=metadata.word("agent_class"))
            conversation.note_others(root, _READ, "history")
            conversation.each(root.entries("history"), reader.read)
        elif isinstance(document.value, list):
            conversation.each(document.items(), reader.read)
        else:
            raise FormatError("", "must be an object with a history, or events.")
        return conversation.transcript()


def _is_event(item: dict[str, Any]) -> bool:
    kind = item.get("action", item.get("observation"))
    return isinstance(kind, str) and ("args" in item or "extras" in item)


class _Stream:
    """Reads events.

    Attributes:
        waiting: Calls by the id of their action.
    """

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.waiting: dict[str, TurnCall] = {}
        self.total = ReportedUsage()

    def read(self, item: Any, place: str) -> None:
        event = TranscriptEntry(item, place)
        self.conversation.now = moment(event.get("timestamp"))
        if event.get("llm_metrics") is not None:
            self._metrics(event.entry("llm_metrics"))
        if event.get("observation") is not None:
            self._observation(event)
        elif event.get("action") == "message":
            args = event.entry("args")
            if event.word("source") == "user":
                self.conversation.asks(args.text("content"), event.place)
            else:
                self.conversation.says(args.text("content"), event.place)
        elif event.get("action") == "system":
            self.conversation.instructs(event.entry("args").word("content"))
        elif event.word("action") in _NO_CALLS or not event.word("action"):
            kind = event.get("action")
            self.conversation.note(f"action {kind_of(kind)}", place)
        else:
            self._action(event)

    def _action(self, event: TranscriptEntry) -> None:
        args, metadata = event.entry("args"), event.entry("tool_call_metadata")
        self.conversation.says(args.word("thought"), event.place)
        call_id = metadata.word("tool_call_id")
        tool = metadata.word("function_name") or event.word("action")
        data = self._arguments(metadata, call_id)
        if data is None:
            left = {key: v for key, v in args.data.items() if key not in _FRAME}
            data = sorted_keys(left)
        call = self.conversation.calls(tool, data, event.place, call_id=call_id)
        self.waiting[str(event.get("id"))] = call

    def _arguments(
        self, metadata: TranscriptEntry, call_id: str
    ) -> dict[str, Any] | None:
        """Return the arguments from the model's reply, if the event contains it."""
        for place, choice in metadata.entry("model_response").entries("choices"):
            for where, item in (
                TranscriptEntry(choice, place).entry("message").entries("tool_calls")
            ):
                request = TranscriptEntry(item, where)
                if request.get("id") == call_id:
                    return self.conversation.input_of(request.entry("function"))
        return None

    def _observation(self, event: TranscriptEntry) -> None:
        call = self.waiting.pop(str(event.get("cause")), None)
        kind = event.word("observation")
        if call is None and not event.get("tool_call_metadata"):
            self.conversation.note(f"observation {kind_of(kind)}", event.place)
            return
        output = self._output(event, kind)
        if call is not None:
            self.conversation.fills(call, output)
            return
        metadata = event.entry("tool_call_metadata")
        self.conversation.returns(
            output, event.place, call_id=metadata.word("tool_call_id"), tool=kind
        )

    def _output(self, event: TranscriptEntry, kind: str) -> Output:
        output = self.conversation.output_of(event)
        extras = event.entry("extras")
        if kind == "user_rejected":
            return Output(output.text, CallStatus.REFUSED)
        if kind == "error" or extras.get("error") is True:
            return Output(output.text, ended(False, output.text))
        if kind == "edit" and output.text.startswith(_FAILED_EDIT):
            return Output(output.text, ended(False, output.text))
        code = extras.entry("metadata").get("exit_code")
        if code is None:
            code = extras.get("exit_code")
        if code is not None or kind in _COMMANDS:
            return with_exit(output.text, code)
        # Failures have kinds of their own.
        return Output(output.text, ended(True, output.text))

    def _metrics(self, metrics: TranscriptEntry) -> None:
        """Add the usage since the last event, since the counts are running totals."""
        usage = metrics.entry("accumulated_token_usage")
        now = ReportedUsage(
            input_tokens=usage.number("prompt_tokens"),
            output_tokens=usage.number("completion_tokens"),
            dollars=metrics.number("accumulated_cost"),
        )
        self.conversation.spends(now.since(self.total))
        self.total = now
