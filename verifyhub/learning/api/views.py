"""What operators script of learning; all of it only reads."""

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import extend_schema
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
from verifyhub.common.api_bodies import query_of
from verifyhub.common.api_schema import reply
from verifyhub.learning import selectors
from verifyhub.learning.api.bodies import (
    AdviceBody,
    CalibrationsBody,
    EffectsBody,
    ExampleBody,
    ExampleQuery,
    PairBody,
    PriorsBody,
)

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
