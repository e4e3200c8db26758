"""ATIF: the Agent Trajectory Interchange Format of Harbor.

Source: Harbor, `docs/rfcs/0001-trajectory-format.md`, versions 1.0 to 1.6 (`steps` by
`system`, `user` and `agent`; `observation.results` name their call in
`source_call_id`).
"""

from typing import Any

from verifyhub.common.moments import moment
from verifyhub.engine.text.tokens import word_set
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument, share_of
from verifyhub.ingest.formats.content import kind_of
from verifyhub.ingest.formats.entries import TranscriptEntry, word_of
from verifyhub.ingest.formats.turn import TurnCall
from verifyhub.ingest.formats.turns import Conversation
from verifyhub.ingest.formats.usage import ReportedUsage

_READ = word_set(
    """
    schema_version session_id agent steps final_metrics trajectory_id
    """
)
_SOURCES = frozenset({"system", "user", "agent"})


class ATIF:
    """One trajectory."""

    name = "atif"
    about = "ATIF trajectories (Harbor)"

    def recognises(self, document: TranscriptDocument) -> float:
        version = document.member("schema_version")
        if isinstance(version, str) and version.startswith("ATIF"):
            return 1.0
        return 0.9 * share_of(document.member("steps"), _is_step)

    def read(self, document: TranscriptDocument) -> Transcript:
        root = document.root()
        agent = root.entry("agent")
        conversation = Conversation(self.name, agent=agent.word("name"))
        conversation.is_of(root.word("session_id"))
        conversation.model = agent.word("model_name")
        conversation.knows(agent_version=agent.word("version"))
        conversation.note_others(root, _READ, "steps")
        conversation.each(root.entries("steps"), _Steps(conversation).read)
        return conversation.transcript()


def _is_step(item: dict[str, Any]) -> bool:
    return word_of(item, "source") in _SOURCES and "step_id" in item


class _Steps:
    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation

    def read(self, item: Any, place: str) -> None:
        step = TranscriptEntry(item, place)
        source, conversation = step.word("source"), self.conversation
        if source not in _SOURCES:
            conversation.note(f"{kind_of(source)} step", place)
            return
        text = conversation.text_of(step, "message")
        if source == "system":
            conversation.instructs(text)
            return
        if source == "user":
            conversation.asks(text, place)
            return
        conversation.now = moment(step.get("timestamp"))
        conversation.model = step.word("model_name") or conversation.model
        if step.get("reasoning_content"):
            conversation.note("reasoning", step.at("reasoning_content"))
        conversation.says(text, place)
        self._act(step)

    def _act(self, step: TranscriptEntry) -> None:
        called: list[TurnCall] = []
        for place, item in step.entries("tool_calls"):
            with self.conversation.noting():
                call = TranscriptEntry(item, place)
                data = self.conversation.input_of(call)
                call_id = call.word("tool_call_id")
                called.append(
                    self.conversation.calls(
                        call.get("function_name"), data, call.place, call_id=call_id
                    )
                )
        only = called[0] if len(called) == 1 else None
        for place, item in step.entry("observation").entries("results"):
            with self.conversation.noting():
                self._result(TranscriptEntry(item, place), only)
        metrics = step.entry("metrics")
        self.conversation.spends(
            ReportedUsage.of(metrics, "prompt_tokens", "completion_tokens", "cost_usd")
        )

    def _result(self, result: TranscriptEntry, only: TurnCall | None) -> None:
        if result.get("subagent_trajectory_ref"):
            place = result.at("subagent_trajectory_ref")
            self.conversation.note("trajectory of a sub-agent, not in this file", place)
        output = self.conversation.output_of(result)
        call_id = result.word("source_call_id")
        if not call_id and only is not None and not only.is_answered:
            # A step with one call need not name it.
            self.conversation.fills(only, output)
            return
        self.conversation.returns(output, result.place, call_id=call_id)
