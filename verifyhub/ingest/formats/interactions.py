"""Build interactions from the turns of a conversation, with evidence of earlier turns.

An answer may rest on what an earlier turn read, so the latest calls of earlier turns
come first in its trace, within bounds (docs/adr/0042).
"""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from verifyhub.common.contract import MAX_ID, addressable, sorted_keys
from verifyhub.engine.types import MAX_NAME, Agent, Interaction, ToolCall
from verifyhub.ingest.formats.content import as_json
from verifyhub.ingest.formats.turn import TranscriptTurn

# Calls of earlier turns that an answer's trace begins with, and their characters.
EARLIER_CALLS = 200
EARLIER_CHARACTERS = 400_000
# More turns, each with calls of earlier ones in its trace, would fill the memory.
MAX_TURNS = 10_000
MAX_FACT = 1000
MAX_PART = 64


@dataclass(slots=True)
class ConversationFacts:
    """Properties shared by all turns of a conversation.

    Attributes:
        format: The name of the transcript's format.
        agent: The agent that answered.
        session: The transcript's own name of the conversation, if it has one.
        part: Distinguishes this transcript from others of its session (a sub-agent's).
    """

    format: str
    agent: str = ""
    session: str = ""
    part: str = ""


def interactions_of(
    turns: Iterable[TranscriptTurn], origin: ConversationFacts
) -> Iterator[Interaction]:
    """Yield an interaction for each turn that ended in an answer.

    Their ids are derived from the session and the turn's number, or from the whole
    conversation so far if the session has no name. Reading a transcript again gives the
    same ids, even if the conversation has continued.
    """
    earlier, identity = _Earlier(), _Identity(origin)
    for turn in turns:
        own = [call.freeze() for call in turn.calls]
        identity.goes_on(turn, own)
        if turn.number and turn.answer:
            yield Interaction(
                id=identity.of(turn),
                task="\n\n".join(turn.tasks),
                answer=turn.answer,
                session=identity.session,
                system_instructions=turn.instructions or None,
                agent=Agent(name=origin.agent[:MAX_NAME]),
                tool_calls=earlier.followed_by(own),
                metadata=sorted_keys(_facts(turn, origin, earlier)),
                usage=turn.usage,
            )
        earlier.add(own)


def _facts(
    turn: TranscriptTurn, origin: ConversationFacts, earlier: "_Earlier"
) -> dict[str, Any]:
    facts = {"format": origin.format, "turn": turn.number, **turn.facts}
    if turn.model:
        facts["model"] = turn.model[:MAX_FACT]
    if earlier.calls:
        facts["earlier_calls"] = len(earlier.calls)
    if earlier.left_out:
        facts["earlier_calls_left_out"] = earlier.left_out
    return facts


class _Earlier:
    """The latest calls of earlier turns, within bounds."""

    def __init__(self) -> None:
        self.calls: deque[ToolCall] = deque()
        self.left_out = 0
        self._sizes: deque[int] = deque()
        self._characters = 0

    def add(self, calls: list[ToolCall]) -> None:
        """Add the calls of a finished turn."""
        for call in calls:
            size = len(call.output) + len(as_json(call.input))
            self.calls.append(call)
            self._sizes.append(size)
            self._characters += size
        while len(self.calls) > EARLIER_CALLS or self._characters > EARLIER_CHARACTERS:
            self.calls.popleft()
            self._characters -= self._sizes.popleft()
            self.left_out += 1

    def followed_by(self, own: list[ToolCall]) -> tuple[ToolCall, ...]:
        """Return the trace of a turn: earlier calls, then its own."""
        trace = [*self.calls, *own]
        return tuple(replace(call, index=index) for index, call in enumerate(trace))


class _Identity:
    """The ids of a conversation and of its turns.

    Attributes:
        session: Its own name, or one derived from its first turn.
    """

    def __init__(self, origin: ConversationFacts) -> None:
        self._origin = origin
        self._digest = hashlib.sha256()
        self.session = addressable(origin.session[:MAX_ID])

    def goes_on(self, turn: TranscriptTurn, own: list[ToolCall]) -> None:
        """Add the content of a turn."""
        calls = [[call.tool, call.input, call.output] for call in own]
        self._digest.update(as_json([turn.tasks, turn.texts, calls]).encode())
        if turn.number == 1 and not self.session:
            beginning = self._digest.hexdigest()[:16]
            self.session = f"{self._origin.format}-{beginning}"

    def of(self, turn: TranscriptTurn) -> str:
        """Return the id of the interaction of the turn that was added last."""
        key = str(turn.number)
        if self._origin.part:
            key = f"{addressable(self._origin.part[:MAX_PART])}:{key}"
        if not self._origin.session:
            key += f"-{self._digest.hexdigest()[:8]}"
        if len(self.session) + len(key) < MAX_ID:
            return f"{self.session}:{key}"
        return f"{hashlib.sha256(self.session.encode()).hexdigest()}:{key}"
