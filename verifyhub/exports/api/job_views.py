"""Exports that a worker makes, for programs."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.permissions import HasScope
from verifyhub.common.api import ApiProblem, LimitedPages
from verifyhub.common.api_bodies import body_of
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.exports import services
from verifyhub.exports.api import examples
from verifyhub.exports.api.serializers import JobSerializer
from verifyhub.exports.download import download_of, send
from verifyhub.exports.errors import ExportError
from verifyhub.exports.models import ExportJob
from verifyhub.exports.selectors import job_for_key, jobs_for_key
from verifyhub.exports.wanted import ExportSelection, may_key
from verifyhub.ingest.api.idempotency import idempotent

JOB = OpenApiResponse(JobSerializer, examples=[OpenApiExample("Export", examples.JOB)])


class Newest(LimitedPages):
    """Newest first."""

    page_size = 50
    max_page_size = 200


class JobListView(ListAPIView[ExportJob]):
    """The exports of a project that programs may see."""

    required_scopes = {"GET": "read", "POST": "read"}
    serializer_class = JobSerializer
    pagination_class = Newest

    @extend_schema(
        operation_id="exportJobs",
        tags=["exports"],
        summary="List exports, newest first (scope: read)",
        examples=[OpenApiExample("Export", examples.JOB, response_only=True)],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="openExport",
        tags=["exports"],
        summary="Ask for an export (scope: read)",
        description="A worker makes it: ask again until its `state` is `finished`, or"
        " wait for the event `export.finished`. Whatever comes in meanwhile is not"
        " part of it. Its files are kept for the days that the operator set.",
        request=ExportSelection,
        examples=[
            OpenApiExample("Asked", examples.JOB_REQUEST, request_only=True),
        ],
        responses={
            202: JOB,
            400: OpenApiResponse(description="It cannot be; the field is named."),
        },
    )
    @idempotent
    def post(self, request: Request) -> Response:
        wanted, key = body_of(request, ExportSelection), key_of(request)
        if not may_key(key.scopes, wanted.datasets):
            raise PermissionDenied(HasScope.message)
        try:
            job = services.open_export(project=key.project, wanted=wanted, actor=key)
        except ExportError as error:
            raise ApiProblem(
                400, "The export cannot be made.", errors=((error.field, str(error)),)
            ) from error
        return Response(JobSerializer(job).data, status=202)

    def get_queryset(self) -> QuerySet[ExportJob]:
        return jobs_for_key(key_of(self.request))


class JobView(APIView):
    """One export."""

    required_scopes = {"GET": "read", "DELETE": "read"}

    @extend_schema(
        operation_id="exportJob",
        tags=["exports"],
        summary="Read how far an export is (scope: read)",
        responses={200: JOB},
    )
    def get(self, request: Request, job_id: UUID) -> Response:
        return Response(JobSerializer(_job(request, job_id)).data)

    @extend_schema(
        operation_id="deleteExport",
        tags=["exports"],
        summary="Delete an export with its files, or stop it (scope: read)",
        description="Not one that a schedule made: that is for an admin, on the page.",
        responses={204: None},
    )
    def delete(self, request: Request, job_id: UUID) -> Response:
        key, job = key_of(request), _job(request, job_id)
        if job.schedule_id is not None:
            raise PermissionDenied("An admin deletes what a schedule made.")
        services.delete_export(job=job, actor=key)
        return Response(status=204)


class FileView(APIView):
    """A file of an export."""

    required_scopes = {"GET": "read"}
    content_negotiation_class = ErrorsAsJSON

    @extend_schema(
        operation_id="exportFile",
        tags=["exports"],
        summary="Download a file of an export (scope: read)",
        description="`Range` with one range of bytes, and `If-Range` with the `ETag`,"
        " go on where a connection broke. The manifest names every file with its rows"
        " and its SHA-256.",
        responses={
            (200, "application/vnd.apache.parquet"): OpenApiTypes.BINARY,
            (200, "application/jsonl"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
            206: OpenApiResponse(description="The bytes that were asked for."),
            416: OpenApiResponse(description="It has no such bytes."),
        },
    )
    def get(self, request: Request, job_id: UUID, name: str) -> HttpResponseBase:
        job = _job(request, job_id)
        file = download_of(job, name)
        if file is None:
            raise Http404
        return send(request._request, file, called=f"{job.project.slug}-{name}")


def _job(request: Request, job_id: UUID) -> ExportJob:
    job = job_for_key(key_of(request), job_id)
    if job is None:
        raise Http404
    return job
