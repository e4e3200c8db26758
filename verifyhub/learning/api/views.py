"""API: read what a project has learned from decisions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils import timezone
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import (
    PAGE_PARAMETERS,
    page_of,
    page_parameters,
)
from verifyhub.common.api_bodies import (
    RowBody,
    operation,
    query_of,
    read_from,
    shown_page,
)
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel, Count
from verifyhub.learning import selectors
from verifyhub.learning.models import FeedbackKind, LabelledExample
from verifyhub.learning.selectors.effects import MEASURES


class LearningShareBody(RowBody):
    """A share with its n and 95 % Wilson interval; null if n is 0."""

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
    """A reviewer's decision on an answer, a name or a claim of work."""

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
    """A task with a reviewer's corrected answer and the rejected original."""

    id: UUID
    interaction: Annotated[UUID, read_from("interaction_id")]
    task: Annotated[str, read_from("interaction.task")]
    chosen: str
    """The complete corrected answer."""
    rejected: Annotated[str, read_from("interaction.answer")]
    """The agent's answer as sent."""
    agent: Annotated[str, read_from("interaction.agent_name")]
    machine: str
    reason: str
    decided_at: datetime


class ReliabilityBinBody(RowBody):
    """Samples with a score in one of ten bins."""

    low: float
    high: float
    score: float
    """Mean score."""
    right: LearningShareBody
    """Share of samples that reviewers call correct."""


class CalibrationBody(RowBody):
    """The scores of one check compared with reviewers' labels, over 90 days."""

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
    """A recommended change of a threshold."""

    name: str
    now: Any
    value: Any
    caught: LearningShareBody
    """Number of rejected answers that it would have flagged."""
    extra: LearningShareBody
    """Number of accepted answers that it would have flagged."""
    gain: DifferenceBody


class AdviceBody(RowBody):
    """Recommended thresholds; none with fewer than 20 decisions."""

    days: Count
    rejected: LearningShareBody
    """Of answers that the machine accepts and reviewers decided."""
    few: Annotated[bool, read_from("is_few")]
    advice: list[OneAdviceBody]


class PriorRowBody(RowBody):
    """One agent, model or tool."""

    name: str
    answers: LearningShareBody
    """Answers confirmed correct."""
    names: LearningShareBody
    """Supported names, of those that count."""
    looked_at: Count


class PriorsBody(RowBody):
    """Track records over 90 days, most used first."""

    agents: list[PriorRowBody]
    models: list[PriorRowBody]
    tools: list[PriorRowBody]


class MeasuredBody(RowBody):
    """One figure in both arms."""

    name: Literal[tuple(MEASURES)]  # type: ignore[valid-type]
    told: LearningShareBody
    held_out: LearningShareBody
    difference: DifferenceBody
    """Feedback minus holdout."""


class LearningEffectBody(RowBody):
    """One kind of feedback and its measured effect."""

    kind: FeedbackKind
    share: Count
    """Holdout share of new sessions, in percent."""
    sessions: Annotated[list[Count], Field(min_length=2, max_length=2)]
    """Sessions with answers: feedback, holdout."""
    few: Annotated[bool, read_from("is_few")]
    """True with fewer than 20 sessions in either arm."""
    measures: list[MeasuredBody]


class EffectsBody(RowBody):
    """Every kind of feedback."""

    effects: list[LearningEffectBody]


class CalibrationsBody(RowBody):
    """The checks that decisions label."""

    checks: list[CalibrationBody]


NEWEST = ("-decided_at", "-id")
# Smaller pages of pairs: each row carries two whole answers.
PAIRS, MAX_PAIRS = 20, 100


class ExampleListView(APIView):
    """The project's labelled examples."""

    @operation(
        "learning_examples",
        "List the examples from reviewers' decisions",
        scope="read",
        query=ExampleQuery,
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(ExampleBody)},
    )
    def get(self, request: Request) -> Response:
        query, project = query_of(request, ExampleQuery), key_of(request).project
        rows = selectors.examples(
            project, state=query.state or "", target=query.target or ""
        )
        readable = selectors.readable(rows, project, None)
        return page_of(readable, request, ordering=NEWEST, body=ExampleBody.of)


class PairListView(APIView):
    """The project's preference pairs."""

    @operation(
        "learning_pairs",
        "List corrected answers with the originals",
        scope="read",
        parameters=page_parameters(PAIRS, MAX_PAIRS),
        replies={200: shown_page(PairBody)},
    )
    def get(self, request: Request) -> Response:
        project = key_of(request).project
        return page_of(
            selectors.readable(selectors.preference_pairs(project), project, None),
            request,
            ordering=NEWEST,
            body=PairBody.of,
            size=PAIRS,
            most=MAX_PAIRS,
        )


class CalibrationView(APIView):
    """Scores compared with reviewers' decisions."""

    @operation(
        "learning_calibration",
        "Compare scores with reviewers' decisions",
        scope="read",
        replies={200: reply(CalibrationsBody)},
    )
    def get(self, request: Request) -> Response:
        checks = selectors.calibrations(key_of(request).project, now=timezone.now())
        return Response(CalibrationsBody.of(None, checks=checks))


class AdviceView(APIView):
    """Recommended thresholds."""

    @operation(
        "learning_advice",
        "Read recommended thresholds",
        scope="read",
        replies={200: reply(AdviceBody)},
    )
    def get(self, request: Request) -> Response:
        project, now = key_of(request).project, timezone.now()
        accepted = selectors.accepted_answers(project, now=now)
        body = AdviceBody.of(accepted, advice=selectors.advice(project, now=now))
        return Response(body)


class PriorsView(APIView):
    """Track records of agents, models and tools."""

    @operation(
        "learning_priors",
        "Read how often answers and names were confirmed correct",
        scope="read",
        replies={200: reply(PriorsBody)},
    )
    def get(self, request: Request) -> Response:
        priors = selectors.priors(key_of(request).project, now=timezone.now())
        return Response(PriorsBody.of(priors))


class EffectsView(APIView):
    """The effect of feedback."""

    @operation(
        "learning_effects",
        "Compare sessions that receive feedback with the holdout",
        scope="read",
        replies={200: reply(EffectsBody)},
    )
    def get(self, request: Request) -> Response:
        effects = selectors.effects(key_of(request).project, now=timezone.now())
        return Response(EffectsBody.of(None, effects=effects))
