"""Exports that a worker makes, for programs."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.permissions import HasScope
from verifyhub.common.api import page_of, page_parameters
from verifyhub.common.api_bodies import (
    RowBody,
    body_of,
    operation,
    read_from,
    shown,
    shown_page,
)
from verifyhub.common.contract import Count
from verifyhub.common.http import or_404
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.common.queued_row import WorkState
from verifyhub.exports import services
from verifyhub.exports.api import examples
from verifyhub.exports.download import download_of, downloads, send
from verifyhub.exports.models import ExportJob
from verifyhub.exports.selectors import job_for_key, jobs_for_key
from verifyhub.exports.wanted import ExportSelection, may_key
from verifyhub.exports.writing import FileFormat
from verifyhub.ingest.api.idempotency import idempotent


class JobBody(RowBody):
    """An export that a worker makes."""

    id: UUID
    state: WorkState
    datasets: list[str]
    format: Annotated[FileFormat, read_from("written_as")]
    filters: dict[str, str]
    made_since: Annotated[datetime | None, read_from("since")]
    made_before: Annotated[datetime, read_from("until")]
    asked_by: str
    schedule: Annotated[str | None, read_from("schedule.name")] = None
    expected: Count | None
    """Rows to read; null until known."""
    rows: Count
    bytes: Annotated[Count, read_from("size")]
    error: str
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    files: list[str]
    """File names for download, when finished and until it expires."""


def job_body(job: ExportJob) -> dict[str, Any]:
    """Return an export as the API's body."""
    return JobBody.of(job, files=downloads(job))


JOB = shown(JobBody, examples.JOB)
PAGE_SIZE, MAX_PAGE_SIZE = 50, 200


class JobListView(APIView):
    """The exports of a project that API keys can read."""

    @operation(
        "exportJobs",
        "List exports, newest first",
        scope="read",
        parameters=page_parameters(PAGE_SIZE, MAX_PAGE_SIZE),
        replies={200: shown_page(JobBody, examples.JOB)},
    )
    def get(self, request: Request) -> Response:
        return page_of(
            jobs_for_key(key_of(request)),
            request,
            body=job_body,
            size=PAGE_SIZE,
            most=MAX_PAGE_SIZE,
        )

    @operation(
        "openExport",
        "Create an export",
        scope="read",
        description="A worker writes the export: poll until its `state` is `finished`, "
        "or wait for the event `export.finished`. Rows created in the meantime are not "
        "included. The operator sets how many days its files are kept.",
        request=ExportSelection,
        example=examples.JOB_REQUEST,
        replies={202: JOB},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        wanted, key = body_of(request, ExportSelection), key_of(request)
        if not may_key(key.scopes, wanted.datasets):
            raise PermissionDenied(HasScope.message)
        job = services.open_export(project=key.project, wanted=wanted, actor=key)
        return Response(job_body(job), status=202)


class JobView(APIView):
    """One export."""

    @operation(
        "exportJob",
        "Read the progress of an export",
        scope="read",
        replies={200: JOB},
    )
    def get(self, request: Request, job_id: UUID) -> Response:
        return Response(job_body(_job(request, job_id)))

    @operation(
        "deleteExport",
        "Delete an export and its files, or cancel it",
        scope="read",
        description=(
            "An export made by a schedule can only be deleted by an admin on its page."
        ),
        replies={204: None},
    )
    def delete(self, request: Request, job_id: UUID) -> Response:
        key, job = key_of(request), _job(request, job_id)
        if job.schedule_id is not None:
            raise PermissionDenied(
                "Only an admin can delete an export made by a schedule."
            )
        services.delete_export(job=job, actor=key)
        return Response(status=204)


class FileView(APIView):
    """A file of an export."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "exportFile",
        "Download a file of an export",
        scope="read",
        description="To resume a download, send `Range` with one byte range and "
        "`If-Range` with the `ETag`. The manifest lists every file with its row count "
        "and SHA-256.",
        replies={
            (200, "application/vnd.apache.parquet"): OpenApiTypes.BINARY,
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
            206: OpenApiResponse(description="The requested bytes."),
        },
        refusals={416: "The range is not satisfiable."},
    )
    def get(self, request: Request, job_id: UUID, name: str) -> HttpResponseBase:
        job = _job(request, job_id)
        file = or_404(download_of(job, name))
        return send(request._request, file, called=f"{job.project.slug}-{name}")


def _job(request: Request, job_id: UUID) -> ExportJob:
    return or_404(job_for_key(key_of(request), job_id))
