"""Learning in the API."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count
from verifyhub.learning.models import FeedbackKind, LabelledExample
from verifyhub.learning.selectors.effects import MEASURES


class LearningShareBody(RowBody):
    """A share with its n and its 95 % Wilson interval; null where n is 0."""

    count: Count
    total: Count
    value: float | None
    low: float | None
    high: float | None
    few: Annotated[bool, read_from("is_small")]
    """Fewer than 20 cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleQuery(ContractModel):
    """Which examples to list."""

    state: LabelledExample.State | None = None
    target: LabelledExample.Target | None = None


class ExampleBody(RowBody):
    """One decision of a person about an answer, a name or a claim of work."""

    id: UUID
    interaction: Annotated[UUID, read_from("interaction_id")]
    target: LabelledExample.Target
    subject: str
    subject_kind: str
    machine: str
    person: str
    reason: str
    task_excerpt: str
    answer_excerpt: str
    state: LabelledExample.State
    active: bool
    decided_at: datetime


class PairBody(RowBody):
    """A task with the answer a person wrote and the one they rejected."""

    id: UUID
    interaction: Annotated[UUID, read_from("interaction_id")]
    task: Annotated[str, read_from("interaction.task")]
    chosen: str
    """The person's correction of it, whole."""
    rejected: Annotated[str, read_from("interaction.answer")]
    """The agent's answer, as it was sent."""
    agent: Annotated[str, read_from("interaction.agent_name")]
    machine: str
    reason: str
    decided_at: datetime


class ReliabilityBinBody(RowBody):
    """Samples whose score lies in one tenth."""

    low: float
    high: float
    score: float
    """Mean score."""
    right: LearningShareBody
    """Of those, what people call right."""


class CalibrationBody(RowBody):
    """One check's scores against people's labels, over 90 days."""

    check: str
    n: Annotated[Count, read_from("measured.n")]
    few: Annotated[bool, read_from("measured.is_small")]
    right: Annotated[LearningShareBody, read_from("measured.right")]
    brier: Annotated[float, read_from("measured.brier")]
    """0 best, 1 worst."""
    ece: Annotated[float, read_from("measured.ece")]
    """Expected calibration error, ten bins."""
    bins: Annotated[list[ReliabilityBinBody], read_from("measured.bins")]


class DifferenceBody(RowBody):
    """A difference of two shares with Newcombe's 95 % interval."""

    value: float | None
    interval: Annotated[list[float], Field(min_length=2, max_length=2)] | None


class OneAdviceBody(RowBody):
    """A threshold whose other value would have served better."""

    name: str
    now: Any
    value: Any
    caught: LearningShareBody
    """Of the rejected, those it would have held up."""
    extra: LearningShareBody
    """Of the accepted, those it would have held up."""
    gain: DifferenceBody


class AdviceBody(RowBody):
    """How strict to be; no advice where there are fewer than 20 decisions."""

    days: Count
    rejected: LearningShareBody
    """Of answers that the machine accepts and people decided about."""
    few: Annotated[bool, read_from("is_few")]
    advice: list[OneAdviceBody]


class PriorRowBody(RowBody):
    """One agent, model or tool."""

    name: str
    answers: LearningShareBody
    """Answers that stood up."""
    names: LearningShareBody
    """Names with evidence, of those that count."""
    looked_at: Count


class PriorsBody(RowBody):
    """Records over 90 days, the most used first."""

    agents: list[PriorRowBody]
    models: list[PriorRowBody]
    tools: list[PriorRowBody]


class MeasuredBody(RowBody):
    """One figure in both arms."""

    name: Literal[tuple(MEASURES)]  # type: ignore[valid-type]
    told: LearningShareBody
    held_out: LearningShareBody
    difference: DifferenceBody
    """Told less held out."""


class LearningEffectBody(RowBody):
    """One kind of feedback and what it showed so far."""

    kind: FeedbackKind
    share: Count
    """Percent of new sessions held out."""
    sessions: Annotated[list[Count], Field(min_length=2, max_length=2)]
    """With answers: told, held out."""
    few: Annotated[bool, read_from("is_few")]
    """Fewer than 20 sessions in either arm."""
    measures: list[MeasuredBody]


class EffectsBody(RowBody):
    """Every kind of feedback."""

    effects: list[LearningEffectBody]


class CalibrationsBody(RowBody):
    """Every check that decisions label."""

    checks: list[CalibrationBody]
