"""What operators script of learning; all of it only reads."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, cast
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import (
    PAGE_PARAMETERS,
    page_of,
    page_parameters,
    page_shape,
)
from verifyhub.common.api_bodies import RowBody, query_of, read_from
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel, Count
from verifyhub.learning import selectors
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


NEWEST = ("-decided_at", "-id")
# Smaller pages of pairs: each row carries two whole answers.
PAIRS, MAX_PAIRS = 20, 100


class ExampleListView(APIView):
    """The project's labelled examples."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_examples",
        summary="List what people's decisions taught",
        parameters=[cast(Any, ExampleQuery), *PAGE_PARAMETERS],
        responses={200: page_shape(reply(ExampleBody))},
    )
    def get(self, request: Request) -> Response:
        query, project = query_of(request, ExampleQuery), _project(request)
        rows = selectors.examples(
            project, state=query.state or "", target=query.target or ""
        )
        readable = selectors.readable(rows, project, None)
        return page_of(readable, request, ordering=NEWEST, body=ExampleBody.of)


class PairListView(APIView):
    """The project's preference pairs."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_pairs",
        summary="List corrected answers beside the originals",
        parameters=page_parameters(PAIRS, MAX_PAIRS),
        responses={200: page_shape(reply(PairBody))},
    )
    def get(self, request: Request) -> Response:
        project = _project(request)
        return page_of(
            selectors.readable(selectors.preference_pairs(project), project, None),
            request,
            ordering=NEWEST,
            body=PairBody.of,
            size=PAIRS,
            most=MAX_PAIRS,
        )


class CalibrationView(APIView):
    """How far scores can be trusted."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_calibration",
        summary="Compare scores with what people said",
        responses={200: reply(CalibrationsBody)},
    )
    def get(self, request: Request) -> Response:
        checks = selectors.calibrations(_project(request), now=timezone.now())
        return Response(CalibrationsBody.of(None, checks=checks))


class AdviceView(APIView):
    """How strict to be."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_advice",
        summary="Read which threshold would have served better",
        responses={200: reply(AdviceBody)},
    )
    def get(self, request: Request) -> Response:
        project, now = _project(request), timezone.now()
        looked = selectors.looked_at(project, now=now)
        body = AdviceBody.of(looked, advice=selectors.advice(project, now=now))
        return Response(body)


class PriorsView(APIView):
    """Records of agents, models and tools."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_priors",
        summary="Read how often answers and names stood up",
        responses={200: reply(PriorsBody)},
    )
    def get(self, request: Request) -> Response:
        found = selectors.priors(_project(request), now=timezone.now())
        return Response(PriorsBody.of(found))


class EffectsView(APIView):
    """What feedback changes."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_effects",
        summary="Compare sessions that were told with those held out",
        responses={200: reply(EffectsBody)},
    )
    def get(self, request: Request) -> Response:
        found = selectors.effects(_project(request), now=timezone.now())
        return Response(EffectsBody.of(None, effects=found))


def _project(request: Request) -> Project:
    return key_of(request).project
