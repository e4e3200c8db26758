"""API: every figure of the metrics page."""

from dataclasses import replace

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Scope
from verifyhub.common.api_bodies import operation
from verifyhub.common.api_schema import reply
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.replica import from_replica
from verifyhub.metrics.api.bodies import FiguresBody
from verifyhub.metrics.api.parameters import WINDOW_PARAMETERS, window_of
from verifyhub.metrics.counting.reading import one_reading
from verifyhub.metrics.definitions import DEFINITIONS
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.selectors.questions import questions


class FiguresView(APIView):
    """Every question of the metrics page."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "figures",
        "Read all metrics",
        scope="read",
        description="Uses the newest verification of each answer. Each metric has its "
        "n and, if it is a sample, a 95 % interval; `definitions` defines it. `levels` "
        "and `goals` include the names of their sources.",
        parameters=WINDOW_PARAMETERS,
        replies={200: reply(FiguresBody)},
    )
    @from_replica
    def get(self, request: Request) -> Response:
        now = timezone.now()
        key = key_of(request)
        window = window_of(request)
        with one_reading():
            figures = questions(key.project, window, now)
            people = figures.people
            if Scope.REVIEW not in key.scopes:
                people = replace(people, reviewers=None)
            body = FiguresBody.of(
                figures,
                people=people,
                levels=levels(key.project, window),
                goals=attempts(key.project, window),
                definitions=DEFINITIONS,
            )
        return Response(body)
