"""Events of the OpenHands Software Agent SDK (OpenHands 1).

Sources: OpenHands documentation, "SDK architecture: events", and
`openhands-sdk/openhands/sdk/event`: events have a `kind`; an `ActionEvent` and its
result have the same `tool_call_id`.
"""

from typing import Any

from verifyhub.common.contract import FormatError, sorted_keys
from verifyhub.common.moments import moment
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import (
    Output,
    as_input,
    as_json,
    ended,
    kind_of,
    with_exit,
)
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.turns import Conversation

_KINDS = word_set(
    """
    ActionEvent ObservationEvent MessageEvent UserRejectObservation
    AgentErrorEvent SystemPromptEvent ConversationStateUpdateEvent
    """
)
# Fields of an observation that are not the tool's output.
_FRAME = frozenset({"kind", "metadata", "is_error", "error", "exit_code", "timeout"})


class OpenHandsEvents:
    """Events: JSON Lines, an array, `{"events": […]}`, or a page with `items`."""

    name = "openhands_events"
    about = "OpenHands SDK events"

    def recognises(self, document: TranscriptDocument) -> float:
        events = document.member("events") or document.member("items")
        return share_of(events or document.value, _is_event)

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name, agent="OpenHands")
        reader = _OpenHandsEvents(conversation)
        if isinstance(document.value, dict):
            root = document.root()
            conversation.is_of(root.word("conversation_id"), root.word("id"))
            name = "items" if root.get("events") is None else "events"
            conversation.each(root.entries(name), reader.read)
        elif isinstance(document.value, list):
            conversation.each(document.items(), reader.read)
        else:
            raise FormatError("", "must be events, one a line or in an array.")
        return conversation.transcript()


def _is_event(item: dict[str, Any]) -> bool:
    return word_of(item, "kind") in _KINDS and "source" in item


class _OpenHandsEvents:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.readers = {
            "MessageEvent": self._message,
            "ActionEvent": self._action,
            "ObservationEvent": self._observation,
            "UserRejectObservation": self._refusal,
            "AgentErrorEvent": self._error,
            "PauseEvent": self._pause,
        }

    def read(self, item: Any, place: str) -> None:
        event = TranscriptEntry(item, place)
        read = self.readers.get(event.word("kind"))
        if read is None:
            self.conversation.note(kind_of(event.get("kind")), place)
            return
        self.conversation.now = moment(event.get("timestamp"))
        read(event)

    def _message(self, event: TranscriptEntry) -> None:
        message = event.entry("llm_message")
        text = self.conversation.text_of(message)
        if event.word("source") == "user" or message.word("role") == "user":
            self.conversation.asks(text, event.place)
        else:
            self.conversation.says(text, event.place)

    def _action(self, event: TranscriptEntry) -> None:
        thought = self.conversation.text_of(event, "thought")
        self.conversation.says(thought, event.place)
        call_id = event.word("tool_call_id")
        self.conversation.calls(
            event.get("tool_name"), self._arguments(event), event.place, call_id=call_id
        )

    def _arguments(self, event: TranscriptEntry) -> dict[str, Any]:
        call = event.entry("tool_call")
        function = call.entry("function")
        arguments = call.get("arguments") or function.get("arguments")
        if arguments is not None:
            return as_input(arguments, call.at("arguments"), self.conversation.note)
        action = event.entry("action").data
        data: dict[str, Any] = sorted_keys(
            {key: value for key, value in action.items() if key != "kind"}
        )
        return data

    def _observation(self, event: TranscriptEntry) -> None:
        observation = event.entry("observation")
        output = self._observation_output(observation)
        code = observation.entry("metadata").get("exit_code")
        if code is None:
            code = observation.get("exit_code")
        if code is not None:
            output = with_exit(output.text, code)
        elif isinstance(
            failed := observation.get("is_error"), bool
        ) or observation.word("error"):
            failed = bool(failed or observation.word("error"))
            output = Output(output.text, ended(not failed, output.text))
        self._give(event, output)

    def _observation_output(self, observation: TranscriptEntry) -> Output:
        """Return the text of an observation, or else all its fields as JSON."""
        for name in ("content", "output", "text", "error"):
            if observation.get(name):
                return self.conversation.output_of(observation, name)
        shown = {
            key: value for key, value in observation.data.items() if key not in _FRAME
        }
        return Output(as_json(shown) if shown else "")

    def _refusal(self, event: TranscriptEntry) -> None:
        text = event.text("rejection_reason")
        self._give(event, Output(text, CallStatus.REFUSED))

    def _error(self, event: TranscriptEntry) -> None:
        text = event.text("error")
        self._give(event, Output(text, ended(False, text)))

    def _give(self, event: TranscriptEntry, output: Output) -> None:
        self.conversation.returns(
            output,
            event.place,
            call_id=event.word("tool_call_id"),
            tool=event.word("tool_name"),
        )

    def _pause(self, event: TranscriptEntry) -> None:
        self.conversation.note("pause by the user", event.place)
