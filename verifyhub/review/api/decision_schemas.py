"""Requests and replies of decisions."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any, NotRequired
from uuid import UUID

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from verifyhub.common.api_bodies import RowBody
from verifyhub.common.contract import ContractModel, Count, MomentText, UuidText, one_of
from verifyhub.review.decisions import Decision, Position
from verifyhub.review.models import Act, ActMember, Override, ReviewItem
from verifyhub.verification.api.bodies import VerdictText

COUNTS = {word: {"type": "integer", "minimum": 0} for word in ActMember.State.values}
StateText = Annotated[str, one_of(ReviewItem.State)]


class DecisionEffectBody(TypedDict):
    type: NotRequired[str]
    id: NotRequired[str]
    before: NotRequired[dict[str, Any]]
    after: NotRequired[dict[str, Any]]
    code: NotRequired[str]
    """Parameters of the code; missing in old effects."""
    params: NotRequired[dict[str, Any]]
    """The subject of the code."""
    text: str
    """The same as an English sentence."""


class DecisionEffectsBody(TypedDict):
    effects: list[DecisionEffectBody]


class StatementBody(DecisionEffectsBody):
    id: UuidText
    act: UuidText | None
    target: Annotated[str, one_of(Override.Target)]
    subject: dict[str, Any] | None
    before: str | None
    after: str | None
    text: str | None
    reason: str
    reason_codes: list[str]
    by: str
    """A user name, or `key` and the key's name."""
    created_at: MomentText
    undone_at: MomentText | None


class ReviewItemBody(TypedDict):
    id: UuidText
    interaction: UuidText
    version: Count
    state: StateText
    machine_verdict: VerdictText
    human_verdict: str | None
    resolved_by: str | None
    decisions: list[StatementBody]


class ActBody(TypedDict):
    act: UuidText
    version: Count
    state: StateText
    decisions: list[StatementBody]


class ProposalBody(TypedDict):
    act: None
    waits_for: str


class BulkActBody(RowBody):
    id: UUID
    state: Act.State
    by: str
    decision: dict[str, Any]
    chosen_by: dict[str, Any]
    answers: Annotated[
        dict[str, int], WithJsonSchema({"type": "object", "properties": COUNTS})
    ]
    """Number of answers by state: `waiting` are not processed yet; `waits` are proposed
    or judged and wait for other reviewers."""
    created_at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class DecisionRequest(Decision):
    """All parts of a decision on one answer; empty parts are ignored."""

    version: Position
    """The version of the item on which the decision is based."""

    @property
    def decision(self) -> Decision:
        """Return the decision."""
        values = {field.name: getattr(self, field.name) for field in fields(Decision)}
        return Decision(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest(ContractModel):
    """The act to undo."""

    act: UUID
    version: Position
    """The version of the item on which the decision is based."""


DECISION_PROBLEMS = {
    403: "The key lacks the scope, or it sent this answer itself.",
    409: "The item has changed, is decided, or is claimed by someone else.",
}
