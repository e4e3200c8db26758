"""API: comparisons."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import form_problem
from verifyhub.common.api_bodies import operation
from verifyhub.common.api_schema import reply
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.replica import from_replica
from verifyhub.common.row_files import CONTENT_TYPES, RowFormat, csv_lines
from verifyhub.metrics.api.bodies import ComparisonBody
from verifyhub.metrics.api.parameters import WINDOW_PARAMETERS, window_of
from verifyhub.metrics.forms import CompareForm
from verifyhub.metrics.selectors.compare import MAX_SIDES, compare
from verifyhub.metrics.selectors.compared import COLUMNS, rows
from verifyhub.metrics.selectors.sides import DIMENSIONS, offered

EXAMPLE = {
    "by": "agent",
    "alpha": 0.05,
    "correction": "holm",
    "tests": 1,
    "sides": [
        {"value": "coder", "answers": 70, "sessions": 70},
        {"value": "helper", "answers": 80, "sessions": 80},
    ],
    "pairs": [
        {
            "first": "coder",
            "second": "helper",
            "sameAnswers": None,
            "measures": [
                {
                    "name": "flagged",
                    "unit": "share",
                    "good": "low",
                    "first": {"value": 0.8, "n": 70, "low": 0.692, "high": 0.877},
                    "second": {"value": 0.6, "n": 80, "low": 0.490, "high": 0.700},
                    "difference": 0.2,
                    "corrected": 0.0078,
                    "says": "higher",
                    "low": 0.0524,
                    "high": 0.3339,
                    "p": 0.0078,
                    "effect": 0.442,
                    "detectable": 0.183,
                    "test": "score",
                }
            ],
        }
    ],
}


class CompareView(APIView):
    """Two or more sides, measure by measure."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "compareFigures",
        "Compare agents, models, prompts or verification methods",
        scope="read",
        description="Uses the newest 20,000 answers of each side in the time range. "
        "Without `side`, the two sides with the most answers are compared. Each "
        "session counts as one case; p-values are Holm-corrected over all tests.",
        parameters=[
            OpenApiParameter("by", str, enum=list(DIMENSIONS), default="agent"),
            OpenApiParameter(
                "side",
                {
                    "type": "array",
                    "items": {"type": "string"},
                    "maxItems": MAX_SIDES,
                },
                explode=True,
                description="Name of a side as in the answers; repeat it for each "
                f"side, at most {MAX_SIDES}.",
            ),
            *WINDOW_PARAMETERS,
            OpenApiParameter("format", str, enum=["json", "csv"], default="json"),
        ],
        examples=[OpenApiExample("Two agents", EXAMPLE, response_only=True)],
        replies={
            (200, "application/json"): reply(ComparisonBody),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    @from_replica
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        query = request.query_params
        form = CompareForm({"by": query.get("by", ""), "side": query.getlist("side")})
        if not form.is_valid():
            raise form_problem(form)
        if query.get("format", "json") not in ("json", "csv"):
            raise ValidationError({"format": "Choose json or csv."})
        project = key_of(request).project
        window = window_of(request)
        by = form.dimension
        sides = form.cleaned_data["side"] or [
            one.value for one in offered(project, window, by)[:2]
        ]
        comparison = compare(project, window, by, sides)
        if query.get("format") == "csv":
            return StreamingHttpResponse(
                csv_lines(COLUMNS, rows(comparison)),
                content_type=CONTENT_TYPES[RowFormat.CSV],
            )
        return Response(ComparisonBody.of(comparison))
