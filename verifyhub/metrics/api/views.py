"""Exports for programs."""

from typing import cast

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from verifyhub.accounts.models import ApiKey
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.metrics.export.datasets import DATASETS
from verifyhub.metrics.export.stream import CONTENT_TYPES, Format, lines
from verifyhub.metrics.forms import ExportForm
from verifyhub.verification.models import Verdict


class ExportView(APIView):
    """Every row of one kind, streamed."""

    required_scopes = {"GET": "read"}
    content_negotiation_class = ErrorsAsJSON

    @extend_schema(
        operation_id="export",
        summary="Export a project's rows",
        description="Streams every row that matches. JSON Lines carry"
        " each value as it is stored; in CSV a text that a spreadsheet could run as a"
        " formula gets an apostrophe in front.",
        parameters=[
            OpenApiParameter("what", str, OpenApiParameter.PATH, enum=list(DATASETS)),
            OpenApiParameter("format", str, enum=list(Format), default="jsonl"),
            OpenApiParameter("since", OpenApiTypes.DATETIME),
            OpenApiParameter("until", OpenApiTypes.DATETIME),
            OpenApiParameter("verdict", str, enum=list(Verdict.values)),
        ],
        responses={
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, what: str) -> StreamingHttpResponse:
        if what not in DATASETS:
            raise Http404
        form = ExportForm(request.query_params)
        if not form.is_valid():
            raise ValidationError(
                {
                    name: [str(line) for line in says]
                    for name, says in form.errors.items()
                }
            )
        try:
            written_as = Format(request.query_params.get("format", Format.JSONL))
        except ValueError as error:
            raise ValidationError({"format": "Choose csv or jsonl."}) from error
        return StreamingHttpResponse(
            lines(
                DATASETS[what],
                written_as,
                project=cast(ApiKey, request.auth).project,
                filters=form.filters(),
            ),
            content_type=CONTENT_TYPES[written_as],
        )
