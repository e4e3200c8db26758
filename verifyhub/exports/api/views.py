"""API: list the tables that can be exported, and stream their rows."""

from typing import Any
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from typing_extensions import TypedDict

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.permissions import HasScope
from verifyhub.common.api import form_problem
from verifyhub.common.api_bodies import operation, shown
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.exports.api import examples
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import Dataset, Place
from verifyhub.exports.filter_form import ExportFilterForm, shape_of
from verifyhub.exports.schema import ExportColumnBody, json_schema
from verifyhub.exports.stream import stream
from verifyhub.exports.wanted import may_key
from verifyhub.exports.writing import CONTENT_TYPES, FileFormat

FILTER_DESCRIPTIONS = {
    "since": (
        "Only rows created at or after this date or time; UTC if without a time zone."
    ),
    "until": "Only rows created before this date or time.",
    "verdict": "The newest machine verdict; `flagged` is uncertain or reject.",
    "text": "Text in the task or answer, or the id of the answer.",
    "agent": "The name of the agent.",
    "state": "State of the newest verification.",
    "review": "Whether a decision is pending.",
    "reason": "Why the answer is in the queue.",
    "kind": "What is flagged in the answer.",
    "risk": "The risk level.",
    "assignee": "A user name, or `none`.",
    "age": "Hours in the queue: `-24` for at most, `+24` for more than.",
    "due": "`overdue`: the due time has passed.",
    "undecided": "Training data: also include answers without a reviewer's decision.",
    "shape": "Training data: text as messages or as plain text.",
}


def described() -> list[OpenApiParameter]:
    """Describe every filter, with the values it takes."""
    form = ExportFilterForm()
    entries = []
    for name, field in form.fields.items():
        shape = shape_of(field)
        words = shape.pop("enum", None)
        kind = OpenApiTypes.BOOL if name == "undecided" else shape
        entries.append(
            OpenApiParameter(
                name, kind, enum=words, description=FILTER_DESCRIPTIONS.get(name, "")
            )
        )
    return entries


class ExportDatasetBody(TypedDict):
    name: str
    description: str
    scope: str
    columns: list[ExportColumnBody]
    line: dict[str, Any]
    """JSON Schema of a line of JSON Lines."""


class ExportCatalogueBody(TypedDict):
    datasets: list[ExportDatasetBody]


class CatalogueView(APIView):
    """The tables that can be exported."""

    @operation(
        "exportDatasets",
        "List the tables that can be exported, with their columns",
        scope="read",
        replies={200: shown(ExportCatalogueBody, examples.CATALOGUE)},
    )
    def get(self, request: Request) -> Response:
        key = key_of(request)
        body: ExportCatalogueBody = {
            "datasets": [
                _described(one)
                for one in DATASETS.values()
                if may_key(key.scopes, [one.name])
            ]
        }
        return Response(body)


class ExportView(APIView):
    """Every row of one kind, streamed."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "export",
        "Export a project's rows",
        scope="read",
        description="Streams every matching row in a stable order. JSON Lines contain "
        "each value as stored. In CSV, text that a spreadsheet could run as a formula "
        "is prefixed with an apostrophe. Parquet is written in row groups. To resume "
        "after a broken connection, pass the `id` of the last complete row as `after`. "
        "`judgements` also requires the scope `manage`: it contains the decision of "
        "each reviewer once all reviewers have decided. Decisions on gold items are "
        "not exported.",
        parameters=[
            OpenApiParameter("what", str, OpenApiParameter.PATH, enum=list(DATASETS)),
            OpenApiParameter("format", str, enum=list(FileFormat), default="jsonl"),
            OpenApiParameter(
                "after",
                OpenApiTypes.UUID,
                description="Start after the row with this `id`; CSV then has no "
                "header. Not supported for Parquet or for tables without an id.",
            ),
            *described(),
        ],
        replies={
            (200, "application/jsonl"): OpenApiResponse(
                OpenApiTypes.STR,
                examples=[OpenApiExample("A line of verdicts", examples.LINE)],
            ),
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/vnd.apache.parquet"): OpenApiTypes.BINARY,
        },
    )
    def get(self, request: Request, what: str) -> StreamingHttpResponse:
        if what not in DATASETS:
            raise Http404
        key = key_of(request)
        dataset = DATASETS[what]
        if not may_key(key.scopes, [what]):
            raise PermissionDenied(HasScope.message)
        form = ExportFilterForm(request.query_params)
        if form.errors:
            raise form_problem(form)
        written_as = FileFormat(request.query_params.get("format", "jsonl"))
        return StreamingHttpResponse(
            stream(
                dataset,
                written_as,
                project=key.project,
                filters=form.dataset_filters(now=timezone.now()),
                since=_place(request, dataset, key, written_as),
            ),
            content_type=CONTENT_TYPES[written_as],
        )


def _place(
    request: Request, dataset: Dataset, key: ApiKey, written_as: FileFormat
) -> Place | None:
    """Return where to go on; None for the beginning."""
    asked = request.query_params.get("after")
    if not asked:
        return None
    if written_as is FileFormat.PARQUET or not dataset.resumes:
        raise ValidationError({"after": "Only tables with an id can be resumed."})
    try:
        place = dataset.place_of(key.project, UUID(asked))
    except ValueError:
        place = None
    if place is None:
        raise ValidationError({"after": "This row does not exist."})
    return place


def _described(dataset: Dataset) -> ExportDatasetBody:
    columns = dataset.columns_of(deep=True)
    return {
        "name": dataset.name,
        "description": str(dataset.says),
        "scope": dataset.scope,
        "columns": [one.as_dict() for one in columns],
        "line": json_schema(columns),
    }
