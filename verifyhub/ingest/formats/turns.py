"""A conversation of any format: turns and calls.

A turn begins with a user's request and ends before the next one. Its answer is the
agent's text after its last tool call, or the text of a call that ends a run. Texts
before further calls are counted as notes. A turn without an answer (interrupted, cut
off, ended by a tool) becomes no interaction; a later answer may rest on its calls.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.engine.types import MAX_NAME, MAX_TOOL_CALLS
from verifyhub.ingest.formats.base import Note, Transcript
from verifyhub.ingest.formats.content import (
    Output,
    as_input,
    as_output,
    message_text,
    need_text,
)
from verifyhub.ingest.formats.entries import TranscriptEntry
from verifyhub.ingest.formats.interactions import (
    MAX_FACT,
    MAX_TURNS,
    ConversationFacts,
    interactions_of,
)
from verifyhub.ingest.formats.turn import TranscriptTurn, TurnCall
from verifyhub.ingest.formats.usage import ReportedUsage

MAX_KINDS = 100
OTHER_KINDS = "other entries"
NO_CALL = "result without a call"
UNKNOWN_TOOL = "unknown"
# Tools whose call ends a run, and their arguments with the final text: OpenHands,
# SWE-agent, Cline and Roo, Copilot CLI, smolagents.
ENDING_TOOLS: Mapping[str, tuple[str, ...]] = {
    "finish": ("message", "final_thought"),
    "submit": (),
    "attempt_completion": ("result",),
    "task_complete": ("summary",),
    "final_answer": ("answer",),
}


class Conversation:
    """Collects the turns of a transcript, entry by entry, in any format.

    Attributes:
        origin: The properties of the whole conversation.
        facts: Facts for `metadata` that apply from here on.
        model: The model that answers from here on.
        now: The time of the current entry, if it is reported.
    """

    def __init__(self, format_name: str, *, agent: str = "") -> None:
        self.origin = ConversationFacts(format_name, agent)
        self.facts: dict[str, str] = {}
        self.model = ""
        self.now: str | None = None
        self._instructions: list[str] = []
        self._turn = TranscriptTurn(0, "")
        self._turns = [self._turn]
        self._standby: list[str] = []
        self._open_by_id: defaultdict[str, deque[TurnCall]] = defaultdict(deque)
        self._open_by_tool: defaultdict[str, deque[TurnCall]] = defaultdict(deque)
        self._open: deque[TurnCall] = deque()
        self._answered: dict[str, TurnCall] = {}
        self._notes: dict[str, list[Any]] = {}
        self._count = 0

    # Methods for readers.

    def knows(self, **facts: str) -> None:
        """Record facts about the conversation, if they are given."""
        given_facts = {name: value[:MAX_FACT] for name, value in facts.items() if value}
        self.facts.update(given_facts)

    def instructs(self, text: str) -> None:
        """Add system instructions, which apply from here on."""
        if text.strip() and text not in self._instructions:
            self._instructions.append(text)

    def is_of(self, *sessions: str) -> None:
        """Set the session's name, unless it has one."""
        names = filter(None, (self.origin.session, *sessions))
        self.origin.session = next(names, "")

    def asks(self, text: str, place: str) -> None:
        """Add a user's text: to a new turn, or to one without an answer yet."""
        self._standby.clear()
        if not text.strip():
            self.note("empty request", place)
            return
        turn = self._turn
        if turn.number == 0 or turn.texts or turn.is_interrupted:
            if turn.number == MAX_TURNS:
                raise TooLongError(place, f"is past the {MAX_TURNS}th turn.")
            turn = TranscriptTurn(turn.number + 1, place, model=self.model)
            self._turns.append(turn)
            self._turn = turn
        elif turn.has_acted:
            self.note("request during a turn, added to it", place)
        turn.tasks.append(text)

    def may_ask(self, text: str) -> None:
        """Hold a request back until the agent acts on it (a command of its shell)."""
        self._standby = [text]

    def adds_to_request(self, text: str) -> None:
        """Add a text to a held-back request."""
        if self._standby:
            self._standby.append(text)

    def drops_request(self) -> None:
        """Drop a held-back request that the agent did not act on."""
        self._standby.clear()

    def says(self, text: str, place: str) -> None:
        """Add a text of the agent."""
        if not text.strip():
            return
        self._acts(place)
        if self._turn.number == 0:
            self.note("text before any request", place)
            return
        self._turn.texts.append(text)

    def calls(
        self, tool: Any, data: dict[str, Any], place: str, *, call_id: str = ""
    ) -> TurnCall:
        """Add a tool call.

        Raises:
            FormatError: If the tool has no name, or one that cannot be stored.
        """
        name = need_text(tool, place)
        if len(name) > MAX_NAME:
            raise FormatError(place, f"names a tool with more than {MAX_NAME} letters.")
        self._acts(place)
        turn = self._turn
        last_words = ENDING_TOOLS.get(name.lower())
        if last_words is None:
            for _ in turn.texts:
                self.note("text before a tool call", place)
            turn.texts = []
        else:
            turn.texts += _last_words(data, last_words, turn.texts)
        call = TurnCall(tool=name, input=data, id=call_id, started_at=self.now)
        turn.calls.append(call)
        if call_id:
            self._open_by_id[call_id].append(call)
        self._open_by_tool[name].append(call)
        self._open.append(call)
        self._count += 1
        if self._count > MAX_TOOL_CALLS:
            raise TooLongError(place, f"is past the {MAX_TOOL_CALLS}th tool call.")
        return call

    def returns(
        self, output: Output, place: str, *, call_id: str = "", tool: str = ""
    ) -> TurnCall:
        """Add a tool's output to the oldest open call of that id.

        Without an id, it is added to the oldest open call, of the tool if one is named.
        A second result of a call follows the first; a result without a call becomes a
        call, so that its evidence is not lost.
        """
        call = self._call_of(call_id, tool)
        if call is None:
            self.note(NO_CALL, place)
            call = self.calls(tool or UNKNOWN_TOOL, {}, place, call_id=call_id)
        elif call.is_answered:
            self.note("second result of a call", place)
        return self.fills(call, output)

    def fills(self, call: TurnCall, output: Output) -> TurnCall:
        """Set the output of a call."""
        call.outputs.append(output.text)
        call.status = output.status
        call.is_answered = True
        if call.id:
            self._answered[call.id] = call
        return call

    def interrupts(self, place: str) -> None:
        """Record that the user interrupted the agent."""
        self.note("interruption by the user", place)
        self._turn.is_interrupted = True

    def spends(self, spent: ReportedUsage, *, once: str = "") -> None:
        """Add the usage of a request to the model to its turn.

        Args:
            spent: The usage.
            once: The id of a request that is reported repeatedly; the last report
            counts.
        """
        if once:
            self._turn.spent_once[once] = spent
        else:
            self._turn.spent = self._turn.spent + spent

    def text_of(self, entry: TranscriptEntry, name: str = "content") -> str:
        """Return the text of a message's member; other content is noted."""
        return message_text(entry.get(name), entry.at(name), self.note)

    def input_of(
        self, entry: TranscriptEntry, name: str = "arguments"
    ) -> dict[str, Any]:
        """Return a member as the input of a call."""
        return as_input(entry.get(name), entry.at(name), self.note)

    def output_of(self, entry: TranscriptEntry, name: str = "content") -> Output:
        """Return a member as the output of a call."""
        return as_output(entry.get(name), entry.at(name), self.note)

    def note_others(
        self, root: TranscriptEntry, known: Collection[str], kind: str
    ) -> None:
        """Note the fields of an object that are not read."""
        for name in root.data:
            if name not in known:
                self.note(f"field beside the {kind}", name[:100])

    def note(self, kind: str, place: str) -> None:
        """Count something that is not mapped."""
        if kind not in self._notes and len(self._notes) >= MAX_KINDS:
            kind = OTHER_KINDS
        counted = self._notes.setdefault(kind, [0, place])
        counted[0] += 1

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Turn an error in one entry into a note, so that the others are read."""
        try:
            yield
        except TooLongError:
            raise
        except FormatError as error:
            self.note(f"unreadable: {error.message}", error.field)

    def each(self, items: Iterable[tuple[str, Any]], read: "Reading") -> None:
        """Read entries one by one; unreadable ones are noted."""
        for place, item in items:
            with self.noting():
                read(item, place)

    # The result.

    def transcript(self) -> Transcript:
        """Return the interactions of the turns that ended in an answer."""
        interactions = tuple(interactions_of(self._turns, self.origin))
        for turn in self._turns[1:]:
            if not turn.answer:
                self.note("turn without an answer", turn.place)
        calls = [call for turn in self._turns for call in turn.calls]
        return Transcript(
            format=self.origin.format,
            interactions=interactions,
            notes=tuple(
                Note(kind=kind, count=count, first=first)
                for kind, (count, first) in self._notes.items()
            ),
            turns=len(self._turns) - 1,
            calls=len(calls),
            outputs=sum(call.is_answered for call in calls),
            may_go_on=bool(self._turn.number and self._turn.answer),
        )

    def _acts(self, place: str) -> None:
        if self._standby:
            self.asks("\n\n".join(self._standby), place)
        turn = self._turn
        turn.has_acted = True
        turn.model = self.model or turn.model
        # A copy, since later facts must not change an earlier turn.
        turn.facts = dict(self.facts)
        turn.instructions = "\n\n".join(self._instructions)

    def _call_of(self, call_id: str, tool: str) -> TurnCall | None:
        if call_id:
            return _oldest(self._open_by_id[call_id]) or self._answered.get(call_id)
        return _oldest(self._open_by_tool[tool] if tool else self._open)


Reading = Callable[[Any, str], None]


class TooLongError(FormatError):
    """A transcript exceeds a limit."""


def _oldest(calls: deque[TurnCall]) -> TurnCall | None:
    """Take answered calls off a queue and return the first open one."""
    while calls:
        if not calls[0].is_answered:
            return calls[0]
        calls.popleft()
    return None


def _last_words(
    data: Mapping[str, Any], names: tuple[str, ...], texts: list[str]
) -> list[str]:
    """Return the text of a call that ends a run, unless it repeats the last ones."""
    words = [data[name] for name in names if isinstance(data.get(name), str)]
    before = {text.strip() for text in texts}
    return [word for word in words[:1] if word.strip() and word.strip() not in before]
