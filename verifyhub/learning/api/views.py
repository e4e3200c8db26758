"""What operators script of learning; all of it only reads."""

from typing import Any, cast

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import LimitedPages
from verifyhub.common.api_bodies import query_of
from verifyhub.learning import selectors
from verifyhub.learning.api.serializers import (
    AdviceSerializer,
    CalibrationsSerializer,
    EffectsSerializer,
    ExampleQuery,
    ExampleSerializer,
    PairSerializer,
    PriorsSerializer,
)
from verifyhub.learning.models import LabelledExample, PreferencePair


class ByDecision(LimitedPages):
    """Newest decision first, with none skipped or doubled while some are added."""

    ordering = ("-decided_at", "-id")


class ExampleListView(ListAPIView[LabelledExample]):
    """The project's labelled examples."""

    required_scopes = {"GET": "read"}
    serializer_class = ExampleSerializer
    pagination_class = ByDecision

    @extend_schema(
        operation_id="learning_examples",
        summary="List what people's decisions taught",
        parameters=[cast(Any, ExampleQuery)],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[LabelledExample]:
        query = query_of(self.request, ExampleQuery)
        project = _project(self.request)
        found = selectors.examples(
            project, state=query.state or "", target=query.target or ""
        )
        return selectors.readable(found, project, None)


class ByCorrection(ByDecision):
    """As decisions, in smaller pages: each row carries two whole answers."""

    page_size = 20
    max_page_size = 100


class PairListView(ListAPIView[PreferencePair]):
    """The project's preference pairs."""

    required_scopes = {"GET": "read"}
    serializer_class = PairSerializer
    pagination_class = ByCorrection

    @extend_schema(
        operation_id="learning_pairs",
        summary="List corrected answers beside the originals",
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[PreferencePair]:
        project = _project(self.request)
        return selectors.readable(selectors.preference_pairs(project), project, None)


class CalibrationView(APIView):
    """How far scores can be trusted."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_calibration",
        summary="Compare scores with what people said",
        responses=CalibrationsSerializer,
    )
    def get(self, request: Request) -> Response:
        checks = selectors.calibrations(_project(request), now=timezone.now())
        return Response(CalibrationsSerializer({"checks": checks}).data)


class AdviceView(APIView):
    """How strict to be."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_advice",
        summary="Read which threshold would have served better",
        responses=AdviceSerializer,
    )
    def get(self, request: Request) -> Response:
        project, now = _project(request), timezone.now()
        looked = selectors.looked_at(project, now=now)
        found = {
            "days": looked.days,
            "rejected": looked.rejected,
            "few": looked.is_few,
            "advice": selectors.advice(project, now=now),
        }
        return Response(AdviceSerializer(found).data)


class PriorsView(APIView):
    """Records of agents, models and tools."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_priors",
        summary="Read how often answers and names stood up",
        responses=PriorsSerializer,
    )
    def get(self, request: Request) -> Response:
        found = selectors.priors(_project(request), now=timezone.now())
        return Response(PriorsSerializer(found).data)


class EffectsView(APIView):
    """What feedback changes."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="learning_effects",
        summary="Compare sessions that were told with those held out",
        responses=EffectsSerializer,
    )
    def get(self, request: Request) -> Response:
        found = selectors.effects(_project(request), now=timezone.now())
        return Response(EffectsSerializer({"effects": found}).data)


def _project(request: Request) -> Project:
    return key_of(request).project
