"""Spans over OTLP/HTTP, as any exporter of OpenTelemetry sends them.

Source: OTLP specification 1.x, "OTLP/HTTP": the reply has the encoding of the request,
partial success is a 200, errors are a google.rpc.Status.
"""

from typing import Any, cast

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import (
    ApiKeyAuthentication,
    BasicKeyAuthentication,
    key_of,
)
from verifyhub.common.api import ApiProblem
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.ingest.api.otlp_schema import export_logs, export_traces
from verifyhub.ingest.formats.otlp.bodies import (
    JSON,
    PROTOBUF,
    read_body,
    refusal,
    reply,
)
from verifyhub.ingest.formats.otlp.limits import OtlpError
from verifyhub.ingest.formats.otlp.requests import Signal
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.ingest.waiting import TooManyWaitingError


class OtlpTraces(APIView):
    """Takes in spans; a 200 means that they are stored."""

    signal = Signal.TRACES
    authentication_classes = [ApiKeyAuthentication, BasicKeyAuthentication]
    content_negotiation_class = ErrorsAsJSON

    @export_traces
    def post(self, request: Request) -> HttpResponse:
        return self.received(request)

    def received(self, request: Request) -> HttpResponse:
        """Store the received spans, and reply how many were refused."""
        try:
            batch = read_body(
                _body(request),
                content_type=_media_type(request),
                encoding=request.headers.get("Content-Encoding", "").strip().lower(),
                max_bytes=settings.MAX_BODY_BYTES,
                signal=self.signal,
            )
            key = key_of(request)
            received = receive_spans(
                project=key.project, api_key=key, spans=batch.spans
            )
        except OtlpError as error:
            raise ApiProblem(error.status, str(error)) from error
        except TooManyWaitingError as error:
            raise ApiProblem(
                429, str(error), headers={"Retry-After": str(error.retry_after)}
            ) from error
        body = reply(
            _reply_type(request),
            signal=self.signal,
            refused=batch.refused + received.refused,
            reason=batch.reason or received.reason,
        )
        return HttpResponse(body, content_type=_reply_type(request))

    def handle_exception(self, exc: Exception) -> Response:
        """Reply to an error in the form of OTLP, with the usual headers."""
        response = super().handle_exception(exc)
        kind = _reply_type(self.request)
        problem: dict[str, Any] = response.data or {}
        body = refusal(
            kind, status=response.status_code, message=str(problem.get("detail", ""))
        )
        plain = HttpResponse(body, status=response.status_code, content_type=kind)
        for name in ("Retry-After", "WWW-Authenticate", "Allow"):
            if name in response.headers:
                plain.headers[name] = response.headers[name]
        return cast(Response, plain)


class OtlpLogs(OtlpTraces):
    """Takes in log records: the events of GenAI that belong to a span."""

    signal = Signal.LOGS

    @export_logs
    def post(self, request: Request) -> HttpResponse:
        return self.received(request)


def _body(request: Request) -> bytes:
    try:
        return bytes(request.body)
    except OSError as error:
        raise OtlpError("The body is shorter than its Content-Length.") from error


def _media_type(request: Request) -> str:
    return (request.content_type or "").split(";")[0].strip().lower()


def _reply_type(request: Request) -> str:
    return PROTOBUF if _media_type(request) == PROTOBUF else JSON
