"""Earlier answers of the same work, and the evidence found for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifyhub.engine.reports import EarlierEvidence, Grade, Relation
from verifyhub.engine.types import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurn:
    """The tool calls of one earlier answer; its text is no evidence.

    Attributes:
        interaction: The UUID of the answer.
        relation: How it stands to the answer at hand.
        age_seconds: How long before that it came.
        calls: Its tool calls, in order, each with its `index` in its own trace; there
            may be gaps.
        signed_calls: The indexes of those that a gateway signed.
    """

    interaction: str
    relation: Relation
    age_seconds: int
    calls: tuple[ToolCall, ...]
    signed_calls: frozenset[int] = frozenset()

    def evidence(self, index: int) -> EarlierEvidence:
        """Return one of its calls as evidence."""
        return EarlierEvidence(
            interaction=self.interaction,
            relation=self.relation,
            age_seconds=self.age_seconds,
            grade=Grade.B if index in self.signed_calls else Grade.C,
            tool_call=index,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurns:
    """Everything before an answer that is evidence for it.

    Attributes:
        turns: Earlier answers with their calls, oldest first.
        from_memory: Evidence of the names that memory delivered, by kind and key.
    """

    turns: tuple[EarlierTurn, ...] = ()
    from_memory: Mapping[tuple[str, str], EarlierEvidence] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.turns or self.from_memory)


NOTHING_EARLIER = EarlierTurns()
