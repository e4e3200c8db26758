"""Every figure of the metrics page for programs."""

from dataclasses import fields
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Scope
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.replica import from_replica
from verifyhub.metrics.api.parameters import WINDOW_PARAMETERS
from verifyhub.metrics.counting.reading import one_reading
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.selectors.attempts import goal_figures
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.selectors.questions import OutcomeFigures, questions
from verifyhub.metrics.selectors.questions.as_json import questions_as_json
from verifyhub.metrics.selectors.questions.inventions import HeldOut
from verifyhub.metrics.selectors.questions.progress import Quality
from verifyhub.metrics.windows import window_from

NUMBER = {"type": ["number", "null"]}
MOMENT = {"type": ["string", "null"], "format": "date-time"}
FIGURE: dict[str, Any] = {
    "type": "object",
    "required": ["name", "value", "n", "low", "high", "method", "small"],
    "properties": {
        "name": {"type": "string", "description": "A key of `definitions`."},
        "value": NUMBER,
        "n": {"type": "integer", "minimum": 0},
        "low": {**NUMBER, "description": "Lower end of the 95 % interval."},
        "high": {**NUMBER, "description": "Upper end of the 95 % interval."},
        "method": {
            "type": "string",
            "enum": [
                "counted",
                "wilson",
                "newcombe",
                "student",
                "poisson",
                "ratio",
                "bootstrap",
            ],
        },
        "small": {"type": "boolean", "description": "Too few cases to act on."},
        "count": {"type": "integer", "description": "Of a share: how many of `n`."},
    },
}


def _figures(of: Any) -> dict[str, Any]:
    """Describe the figures of a dataclass."""
    names = [one.name for one in fields(of) if one.type is Figure]
    return {"type": "object", "properties": dict.fromkeys(names, FIGURE)}


def _rows(**others: Any) -> dict[str, Any]:
    item = {"type": "object", "additionalProperties": True, "properties": others}
    return {"type": "array", "items": item}


FIGURES = {
    "type": "object",
    "properties": {
        "days": {"type": "string"},
        "since": MOMENT,
        "until": MOMENT,
        "as_of": {
            **MOMENT,
            "description": "Since when changes are missing; null where none are.",
        },
        "outcomes": _figures(OutcomeFigures),
        "progress": {
            "type": "object",
            "description": "By `all`, `agent`, `model` and `tool`; weeks oldest first.",
            "additionalProperties": _rows(
                name={"type": "string"},
                quality=_figures(Quality),
            ),
        },
        "inventions": {
            "type": "object",
            "properties": {
                "names": _rows(),
                "constraints": _rows(before=FIGURE, after=FIGURE, effect=FIGURE),
                "experiment": _figures(HeldOut),
            },
        },
        "checks": {
            "type": "object",
            "properties": {
                name: _rows(overridden=FIGURE, cleared=FIGURE, overlooked=FIGURE)
                for name in ("by_check", "by_reason", "by_agent")
            }
            | {"outcomes": _rows(passed=FIGURE)},
        },
        "honesty": {
            "type": "object",
            "properties": {
                "histogram": _rows(),
                "without": FIGURE,
                "tenths": _rows(promised=FIGURE, kept=FIGURE),
                "ece": FIGURE,
                "brier": FIGURE,
            },
        },
        "spending": {
            "type": "object",
            "properties": {
                **dict.fromkeys(("cost", "per_verdict", "share_of_run"), FIGURE),
                "tiers": _rows(cost=FIGURE, per_call=FIGURE),
                "purposes": _rows(cost=FIGURE, per_call=FIGURE),
            },
        },
        "people": {
            "type": "object",
            "properties": {
                **dict.fromkeys(("decisions", "disagreed", "alpha", "kappa"), FIGURE),
                "reviewers": {
                    "type": ["array", "null"],
                    "items": {"type": "object", "additionalProperties": True},
                    "description": "For keys with the scope `review`; else null.",
                },
            },
        },
        "backlog": {"type": "object", "additionalProperties": True},
        "levels": {"type": "object", "additionalProperties": True},
        "goals": {"type": "object", "additionalProperties": True},
        "definitions": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    name: {"type": "string"} for name in ("label", "definition", "unit")
                },
            },
        },
    },
}
EXAMPLE = {
    "days": "30",
    "since": "2026-10-23T00:00:00+00:00",
    "until": None,
    "as_of": None,
    "outcomes": {
        "flagged": {
            "name": "flagged",
            "value": 0.25,
            "n": 40,
            "low": 0.1419,
            "high": 0.4019,
            "method": "wilson",
            "small": False,
            "count": 10,
        }
    },
    "definitions": {
        "flagged": {
            "label": "Flagged",
            "definition": "Answers whose newest verdict is uncertain or reject, of"
            " those checked.",
            "unit": "share",
        }
    },
}


class FiguresView(APIView):
    """Every question of the metrics page."""

    required_scopes = {"GET": "read"}
    content_negotiation_class = ErrorsAsJSON

    @extend_schema(
        operation_id="figures",
        summary="Read all metrics (scope: read)",
        description="Uses the newest verification of each answer. Each metric has its "
        "n and, if it is a sample, a 95 % interval; `definitions` defines it. `levels` "
        "and `goals` include the names of their sources.",
        parameters=[
            *WINDOW_PARAMETERS,
        ],
        responses={200: FIGURES},
        examples=[OpenApiExample("A month", EXAMPLE, response_only=True)],
    )
    @from_replica
    def get(self, request: Request) -> Response:
        now = timezone.now()
        key = key_of(request)
        query = request.query_params
        window = window_from(query.get("days", ""), now, query)
        with one_reading():
            body = questions_as_json(
                questions(key.project, window, now),
                with_people=Scope.REVIEW in key.scopes,
            )
            body["levels"] = levels(key.project, window).as_dict()
            body["goals"] = goal_figures(key.project, window)
        return Response(body)
