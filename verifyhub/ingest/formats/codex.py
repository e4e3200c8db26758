"""Rollouts of Codex CLI: JSON Lines in `~/.codex/sessions/`.

Sources: Codex CLI, `codex-rs/protocol` (`RolloutLine`: `session_meta`,
`response_item`, `event_msg`, `turn_context`, `compacted`), as described in
github.com/kvsankar/agent-history and github.com/jnarowski/agentcmd. Events repeat items
for the screen; only tokens and interruptions by the user, which items lack, are read
from them.
"""

from typing import Any

from verifyhub.common.moments import moment
from verifyhub.engine.text.tokens import word_set
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import kind_of
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.response_items import ItemReader
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_TYPES = word_set("session_meta response_item event_msg turn_context compacted")


class Codex:
    """One rollout."""

    name = "codex"
    about = "Codex CLI rollouts (JSON Lines)"

    def recognises(self, document: TranscriptDocument) -> float:
        return share_of(document.value, _is_rollout_line)

    def read(self, document: TranscriptDocument) -> Transcript:
        items = document.lines()
        conversation = Conversation(self.name, agent="Codex CLI")
        conversation.each(items, _Rollout(conversation).read)
        return conversation.transcript()


def _is_rollout_line(line: dict[str, Any]) -> bool:
    return word_of(line, "type") in _TYPES and isinstance(line.get("payload"), dict)


class _Rollout:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.items = ItemReader(conversation)
        self.total = ReportedUsage()

    def read(self, item: Any, place: str) -> None:
        line = TranscriptEntry(item, place)
        kind = line.word("type")
        if kind == "response_item":
            self.conversation.now = moment(line.get("timestamp"))
            self.items.read(line.get("payload"), line.at("payload"))
        elif kind == "event_msg":
            self._event(line.entry("payload"))
        elif kind == "session_meta":
            self._meta(line.entry("payload"))
        elif kind == "turn_context":
            payload = line.entry("payload")
            self.conversation.model = payload.word("model") or self.conversation.model
        else:
            self.conversation.note(kind_of(kind), place)

    def _meta(self, payload: TranscriptEntry) -> None:
        conversation = self.conversation
        conversation.is_of(payload.word("id"), payload.word("session_id"))
        conversation.knows(
            agent_version=payload.word("cli_version"),
            cwd=payload.word("cwd"),
            parent_session=payload.word("forked_from_id"),
        )

    def _event(self, payload: TranscriptEntry) -> None:
        kind = payload.word("type")
        if kind == "token_count":
            self._tokens(payload)
        elif kind == "turn_aborted":
            self.conversation.interrupts(payload.place)
        else:
            self.conversation.note(f"event {kind_of(kind)}", payload.place)

    def _tokens(self, payload: TranscriptEntry) -> None:
        """Add the usage since the last count; counts are repeated."""
        if payload.get("info") is None:
            return
        usage = payload.entry("info").entry("total_token_usage")
        now = ReportedUsage.of(usage, "input_tokens", "output_tokens")
        self.conversation.spends(now.since(self.total))
        self.total = now
