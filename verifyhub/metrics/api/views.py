"""API: figures of goals and levels."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api_bodies import operation
from verifyhub.common.api_schema import reply
from verifyhub.metrics.api.bodies import GoalFiguresBody, LevelFiguresBody
from verifyhub.metrics.api.parameters import DAYS, window_of
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.selectors.levels import levels


class GoalsView(APIView):
    """Attempts, goals and overrides in figures (requirement C6)."""

    @operation(
        "goalFigures",
        "Read metrics of attempts and goals",
        scope="read",
        description="Uses the newest verification of each answer.",
        parameters=[DAYS],
        replies={200: reply(GoalFiguresBody)},
    )
    def get(self, request: Request) -> Response:
        window = window_of(request)
        project = key_of(request).project
        return Response(GoalFiguresBody.of(attempts(project, window)))


class LevelsView(APIView):
    """The three levels of checks in figures."""

    @operation(
        "levelFigures",
        "Read metrics of the three levels of checks",
        scope="read",
        description="Uses the newest verification of each answer. Skipped and "
        "inconclusive levels are counted separately, not as passed.",
        parameters=[DAYS],
        replies={200: reply(LevelFiguresBody)},
    )
    def get(self, request: Request) -> Response:
        window = window_of(request)
        project = key_of(request).project
        return Response(LevelFiguresBody.of(levels(project, window)))
