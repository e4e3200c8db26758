"""Figures for programs."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.metrics.api.parameters import DAYS
from verifyhub.metrics.selectors.attempts import goal_figures
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.windows import window_from

COUNT = {"type": "integer", "minimum": 0}
SHARE_OR_NULL = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
COUNTS = {"total": COUNT, "passed": COUNT, "failed": COUNT}
LEVELS = {
    "type": "object",
    "properties": {
        "totalChecks": COUNT,
        "passRate": SHARE_OR_NULL,
        "inconclusive": COUNT,
        "byLevel": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    **COUNTS,
                    "inconclusive": COUNT,
                    "skipped": COUNT,
                    "avgDurationMs": {"type": ["number", "null"]},
                },
            },
        },
        "bySpecialist": {
            "type": "object",
            "additionalProperties": {"type": "object", "properties": COUNTS},
        },
        "errorsByCategory": {"type": "object", "additionalProperties": COUNT},
    },
}


SHARE = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "total": {"type": "integer"},
        "share": {"type": ["number", "null"]},
    },
}
GOALS = {
    "type": "object",
    "properties": {
        "firstAttempts": {**SHARE, "description": "Accepted first attempts."},
        "retries": {"type": "integer"},
        "meanRetries": {"type": ["number", "null"]},
        "goalsReached": {**SHARE, "description": "Of the goals that were decided."},
        "failurePatterns": {
            "type": "array",
            "items": {"type": "object", "additionalProperties": True},
            "description": "Codes of warnings, by answers that carry them.",
        },
        "confidence": {
            "type": "array",
            "items": {"type": "object", "additionalProperties": True},
            "description": "Histogram in ten bins.",
        },
        "withoutConfidence": {"type": "integer"},
        "overrides": {**SHARE, "description": "Decided verdicts that people changed."},
    },
}


class GoalsView(APIView):
    """Attempts, goals and overrides in figures (requirement C6)."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="goalFigures",
        summary="Read metrics of attempts and goals (scope: read)",
        description="Uses the newest verification of each answer.",
        parameters=[DAYS],
        responses={200: GOALS},
    )
    def get(self, request: Request) -> Response:
        window = window_from(request.query_params.get("days", ""), timezone.now())
        project = key_of(request).project
        return Response(goal_figures(project, window))


class LevelsView(APIView):
    """The three levels of checks in figures."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="levelFigures",
        summary="Read metrics of the three levels of checks (scope: read)",
        description="Uses the newest verification of each answer. Skipped and "
        "inconclusive levels are counted separately, not as passed.",
        parameters=[DAYS],
        responses={200: LEVELS},
    )
    def get(self, request: Request) -> Response:
        window = window_from(request.query_params.get("days", ""), timezone.now())
        project = key_of(request).project
        return Response(levels(project, window).as_dict())
