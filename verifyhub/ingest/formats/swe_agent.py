"""Trajectories of SWE-agent: `.traj`.

Sources: SWE-agent 0.7 to 1.1 (`sweagent/agent/agents.py`, `types.py`: `history`,
`trajectory`, `info`), and its demonstration trajectories. The history
contains the messages to the model. With function calling, observations are messages of
the role `tool` with the ids of their calls in `tool_call_ids`; without it, they are
messages of the user after an action. The `trajectory` repeats the same steps and is
read if there is no history. With function calling, it may be an array of messages, or
each step may contain messages (`.traj.json`).
"""

from typing import Any

from verifyhub.ingest.formats.base import Transcript, TranscriptDocument
from verifyhub.ingest.formats.content import as_input, as_output, message_text
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.openai_chat import ChatReader
from verifyhub.ingest.formats.turn import TurnCall
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

# Actions are lines for its shell, which has some commands of its own.
SHELL = "bash"
_ROLES = frozenset({"system", "user", "assistant", "tool"})
_READ = frozenset({"history", "trajectory", "info", "environment"})


class SWEAgent:
    """One run."""

    name = "swe_agent"
    about = "SWE-agent trajectories (.traj)"

    def recognises(self, document: TranscriptDocument) -> float:
        steps, history = document.member("trajectory"), document.member("history")
        if not isinstance(steps, list):
            return 0.0
        first = next((step for step in steps if isinstance(step, dict)), {})
        if _is_message(first) or _messages_of(first):
            return 1.0
        if steps and not {"action", "observation"} <= first.keys():
            return 0.0
        return 1.0 if isinstance(history, list) or steps else 0.0

    def read(self, document: TranscriptDocument) -> Transcript:
        conversation = Conversation(self.name, agent="SWE-agent")
        root = document.root()
        conversation.note_others(root, _READ, "history")
        history = root.array("history")
        if history:
            conversation.each(root.entries("history"), _AgentHistory(conversation).read)
            for place, _ in root.entries("trajectory"):
                conversation.note("step that the history tells too", place)
        elif messages := _messages(root):
            reader = _AgentHistory(conversation)
            conversation.each(messages, reader.read)
        else:
            self._steps(root, conversation)
        stats = root.entry("info").entry("model_stats")
        conversation.spends(
            ReportedUsage.of(stats, "tokens_sent", "tokens_received", "instance_cost")
        )
        return conversation.transcript()

    def _steps(self, root: TranscriptEntry, conversation: Conversation) -> None:
        """Read a trajectory without its history."""
        with conversation.noting():
            conversation.asks(_problem(root, conversation), "trajectory")

        def read(item: Any, place: str) -> None:
            step = TranscriptEntry(item, place)
            conversation.says(step.word("thought") or step.word("response"), place)
            call = _act(conversation, step)
            if call is not None:
                output = as_output(step.get("observation"), place, conversation.note)
                conversation.fills(call, output)

        conversation.each(root.entries("trajectory"), read)


def _is_message(item: Any) -> bool:
    return isinstance(item, dict) and item.get("role") in _ROLES


def _messages_of(step: Any) -> list[Any]:
    """Return the messages in a step of a trajectory."""
    messages = step.get("messages") if isinstance(step, dict) else None
    if not isinstance(messages, list) or not all(map(_is_message, messages)):
        return []
    return messages


def _messages(root: TranscriptEntry) -> list[tuple[str, Any]]:
    """Return the messages in a trajectory, with their places.

    A step may contain only new messages, or all messages so far.
    """
    steps = list(root.entries("trajectory"))
    if any(_is_message(item) for _, item in steps):
        return steps
    merged: list[Any] = []
    places: list[str] = []
    for place, step in steps:
        messages = _messages_of(step)
        so_far = len(merged) <= len(messages) and messages[: len(merged)] == merged
        repeated = len(merged) if so_far else 0
        merged += messages[repeated:]
        places += [
            f"{place}.messages[{index}]" for index in range(repeated, len(messages))
        ]
    return list(zip(places, merged, strict=True))


def _problem(root: TranscriptEntry, conversation: Conversation) -> str:
    """Return the task of a run without a history, from its settings or query."""
    config = root.get("replay_config")
    if isinstance(config, str):
        config = as_input(config, "replay_config", conversation.note)
    stated = config.get("problem_statement") if isinstance(config, dict) else None
    text = stated.get("text") if isinstance(stated, dict) else None
    if isinstance(text, str):
        return text
    for place, item in root.entries("trajectory"):
        for where, query in TranscriptEntry(item, place).entries("query"):
            message = TranscriptEntry(query, where)
            if message.word("role") == "user":
                return message_text(message.get("content"), where, conversation.note)
        break
    return ""


def _act(conversation: Conversation, step: TranscriptEntry) -> TurnCall | None:
    """Add an action, which is a line for the shell; None if it is empty."""
    action = step.word("action").strip()
    if not action:
        return None
    tool = "submit" if action == "submit" else SHELL
    return conversation.calls(tool, {"command": action}, step.place)


class _AgentHistory:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.chat = ChatReader(conversation)
        # The last action without a call id, whose observation is the next message.
        self.acted: TurnCall | None = None

    def read(self, item: Any, place: str) -> None:
        message = TranscriptEntry(item, place)
        role = message.word("role")
        if message.get("is_demo") is True:
            self.conversation.note("demonstration", place)
        elif role == "assistant" and not message.get("tool_calls"):
            self.chat.answer(message)
            self.acted = _act(self.conversation, message)
        elif role == "user" and self.acted is not None:
            self.conversation.fills(self.acted, self.conversation.output_of(message))
            self.acted = None
        elif role == "tool" and message.get("tool_call_ids"):
            output = self.conversation.output_of(message)
            call_ids = message.array("tool_call_ids")
            ids = [call_id for call_id in call_ids if isinstance(call_id, str)]
            # One observation answers all calls of a step.
            for call_id in ids or [""]:
                self.conversation.returns(output, message.place, call_id=call_id)
        else:
            self.chat.read(item, place)
