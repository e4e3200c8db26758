"""Sessions of Claude Code: JSON Lines in `~/.claude/projects/`.

Sources: transcripts of versions 2.0 and 2.1; public descriptions of the format
(github.com/jeremedia/claude-code-log-format, github.com/DRMacIver/claude-reliability).
A line contains one or more blocks of a message; lines with the same `message.id` repeat
its usage. Lines with `isSidechain` belong to a sub-agent, whose result is that of its
`Task` call in the session; in a sub-agent's own file, all lines have it.
"""

from typing import Any

from verifyhub.common.moments import duration, moment
from verifyhub.ingest.formats.anthropic_messages import BlockReader, spent_by
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, objects_of
from verifyhub.ingest.formats.content import kind_of
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.turns import Conversation

_SPOKEN = frozenset({"user", "assistant"})
_TYPES = _SPOKEN | {
    "system", "progress", "summary", "file-history-snapshot", "queue-operation",
    "attachment",
}  # fmt: skip
_OWN = frozenset({"sessionId", "uuid", "parentUuid", "leafUuid", "messageId"})
# The program's own messages in the agent's role: errors, "No response requested."
_SYNTHETIC = "<synthetic>"


class ClaudeCode:
    """One session, or one sub-agent's file."""

    name = "claude_code"
    about = "Claude Code sessions (JSON Lines)"

    def recognises(self, document: TranscriptDocument) -> float:
        lines = objects_of(document.value)
        recognised = [
            line
            for line in lines
            if word_of(line, "type") in _TYPES and not _OWN.isdisjoint(line)
        ]
        has_messages = any(
            line["type"] in _SPOKEN and isinstance(line.get("message"), dict)
            for line in recognised
        )
        return len(recognised) / len(lines) if has_messages else 0.0

    def read(self, document: TranscriptDocument) -> Transcript:
        items = document.lines()
        conversation = Conversation(self.name, agent="Claude Code")
        # Whether the file is a sub-agent's own, without lines of the session.
        messages = [
            item
            for _, item in items
            if isinstance(item, dict) and word_of(item, "type") in _SPOKEN
        ]
        session = _Session(
            conversation,
            is_side=bool(messages)
            and all(item.get("isSidechain") is True for item in messages),
        )
        conversation.each(items, session.read)
        return conversation.transcript()


class _Session:
    def __init__(self, conversation: Conversation, *, is_side: bool) -> None:
        self.conversation, self.is_side = conversation, is_side
        self.blocks = BlockReader(conversation)
        self.seen: set[str] = set()

    def read(self, item: Any, place: str) -> None:
        line = TranscriptEntry(item, place)
        if line.word("type") == "attachment":
            self._attached(line)
            return
        if reason := self._skipped(line):
            self.conversation.note(reason, place)
            return
        conversation = self.conversation
        session = line.word("sessionId")
        if not conversation.origin.session:
            agent = line.word("agentId") if self.is_side else ""
            conversation.origin.session = session
            conversation.origin.part = agent
            conversation.knows(subagent=agent)
        elif session and session != conversation.origin.session:
            conversation.note("line of another session, read with this one", line.place)
        conversation.knows(
            agent_version=line.word("version"),
            cwd=line.word("cwd"),
            git_branch=line.word("gitBranch"),
        )
        if line.word("type") == "user":
            self._request(line)
        else:
            self._answer(line)

    def _attached(self, line: TranscriptEntry) -> None:
        """Read a user's message sent while the agent worked; note other attachments."""
        attached = line.entry("attachment")
        typed = attached.word("commandMode") in {"", "prompt"}
        if attached.word("type") == "queued_command" and typed:
            content = {"content": attached.get("prompt")}
            self.blocks.request(TranscriptEntry(content, line.at("attachment")))
        else:
            kind = kind_of(attached.get("type"))
            self.conversation.note(f"attachment {kind}", line.place)

    def _skipped(self, line: TranscriptEntry) -> str:
        """Return why a line is not part of the conversation; "" if it is."""
        kind = line.word("type")
        if kind not in _SPOKEN:
            detail = line.word("subtype") or line.entry("data").word("type")
            return f"{kind_of(kind)} {kind_of(detail)}" if detail else kind_of(kind)
        if line.get("isSidechain") is True and not self.is_side:
            return "line of a sub-agent"
        uuid = line.word("uuid")
        if uuid and uuid in self.seen:
            return "line that stands twice"
        self.seen.add(uuid)
        if line.get("isCompactSummary") is True:
            return "summary of what came before"
        if line.get("isMeta") is True and line.word("type") == "user":
            # The expansion of a command is part of the request, if the command is one.
            content = line.entry("message").get("content")
            self.conversation.adds_to_request(_plain(content))
            return "text of the shell, no request"
        if line.entry("message").word("model") == _SYNTHETIC:
            return "message of the program in the agent's place"
        return ""

    def _request(self, line: TranscriptEntry) -> None:
        for call in self.blocks.request(line.entry("message")):
            result = line.get("toolUseResult")
            if isinstance(result, dict):
                milliseconds = result.get("durationMs", result.get("totalDurationMs"))
                call.duration_ms = duration(milliseconds)

    def _answer(self, line: TranscriptEntry) -> None:
        message = line.entry("message")
        self.conversation.now = moment(line.get("timestamp"))
        self.blocks.answer(message)
        if message.get("usage") is not None:
            spent = spent_by(message.entry("usage"))
            self.conversation.spends(spent, once=message.word("id"))


def _plain(content: Any) -> str:
    """Return the text of a message of the program."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))
