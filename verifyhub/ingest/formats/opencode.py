"""Sessions of OpenCode, as `opencode export` writes them.

Sources: OpenCode 1.x, `packages/opencode/src/session/message-v2.ts` (messages with
`info` and `parts`; a part of type `tool` contains a call with its result in `state`),
and exported sessions. Exports may redact call ids, so a call and its result are read
together.
"""

from typing import Any

from verifyhub.common.moments import milliseconds, moment
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import (
    Output,
    ended,
    kind_of,
    with_exit,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage, total


class OpenCode:
    """One session."""

    name = "opencode"
    about = "OpenCode exports"

    def recognises(self, document: TranscriptDocument) -> float:
        return share_of(document.member("messages"), _is_message)

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name, agent="OpenCode")
        root = document.root()
        info = root.entry("info")
        conversation.is_of(info.word("id"))
        conversation.knows(
            agent_version=info.word("version"),
            cwd=info.word("directory"),
            parent_session=info.word("parentID"),
        )
        conversation.note_others(root, {"info", "messages"}, "messages")
        conversation.each(
            root.entries("messages"), _OpenCodeMessages(conversation).read
        )
        return conversation.transcript()


def _is_message(item: dict[str, Any]) -> bool:
    return isinstance(item.get("info"), dict) and isinstance(item.get("parts"), list)


class _OpenCodeMessages:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    def read(self, item: Any, place: str) -> None:
        message = TranscriptEntry(item, place)
        info = message.entry("info")
        if info.word("role") == "user":
            self._request(message)
        elif info.word("role") == "assistant":
            self._answer(message, info)
        else:
            self.conversation.note(f"{kind_of(info.get('role'))} message", place)

    def _request(self, message: TranscriptEntry) -> None:
        texts = []
        for place, item in message.entries("parts"):
            part = TranscriptEntry(item, place)
            if part.word("type") == "text" and part.get("synthetic") is not True:
                texts.append(part.text("text"))
            else:
                self.conversation.note(f"part {kind_of(part.get('type'))}", place)
        self.conversation.asks("\n\n".join(texts), message.place)

    def _answer(self, message: TranscriptEntry, info: TranscriptEntry) -> None:
        conversation = self.conversation
        conversation.model = info.word("modelID") or conversation.model
        if info.get("summary") is True:
            conversation.note("summary of what came before", message.place)
            return
        conversation.each(message.entries("parts"), self._part)
        tokens = info.entry("tokens")
        cache = tokens.entry("cache")
        conversation.spends(
            ReportedUsage(
                input_tokens=total(
                    tokens.number("input"), cache.number("read"), cache.number("write")
                ),
                output_tokens=tokens.number("output"),
                dollars=info.number("cost"),
            )
        )
        if info.entry("error").word("name") == "MessageAbortedError":
            conversation.interrupts(message.place)

    def _part(self, item: Any, place: str) -> None:
        part = TranscriptEntry(item, place)
        kind = part.word("type")
        if kind == "text" and part.get("synthetic") is not True:
            self.conversation.says(part.text("text"), place)
        elif kind == "tool":
            self._tool(part)
        else:
            self.conversation.note(f"part {kind_of(kind)}", place)

    def _tool(self, part: TranscriptEntry) -> None:
        state = part.entry("state")
        time = state.entry("time")
        self.conversation.now = moment(time.get("start"))
        data = self.conversation.input_of(state, "input")
        call = self.conversation.calls(
            part.get("tool"), data, part.place, call_id=part.word("callID")
        )
        call.duration_ms = milliseconds(time.get("start"), time.get("end"))
        status = state.word("status")
        if status == "completed":
            output = self.conversation.output_of(state, "output")
            code = state.entry("metadata").get("exit")
            if code is None:
                output = Output(output.text, CallStatus.OK)
            else:
                output = with_exit(output.text, code)
            self.conversation.fills(call, output)
        elif status == "error":
            text = state.text("error")
            self.conversation.fills(call, Output(text, ended(False, text)))
        else:
            self.conversation.note(f"call still {kind_of(status)}", state.place)
