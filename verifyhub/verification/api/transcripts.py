"""API: transcripts of agents."""

import gzip
import io
import zlib

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem, FieldErrorBody, body_too_large
from verifyhub.common.api_bodies import query_of
from verifyhub.common.contract import FormatError
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.ingest.api.idempotency import (
    idempotency_key,
    key_reused,
    once,
    request_digest,
)
from verifyhub.ingest.formats.base import Transcript
from verifyhub.ingest.formats.transcripts import read_transcript
from verifyhub.ingest.services import (
    IdempotencyKeyReusedError,
    StoredReply,
    earlier_reply,
)
from verifyhub.verification.api import transcript_schemas as schemas
from verifyhub.verification.api.bodies import (
    TurnResultBody,
    links_of,
)
from verifyhub.verification.api.replies import replied, room_for
from verifyhub.verification.services import TurnResult, record_transcript


class TranscriptList(APIView):
    """Take a transcript; each of its finished turns becomes an interaction."""

    # `?format=` is the transcript's, not the reply's.
    content_negotiation_class = ErrorsAsJSON

    @schemas.post_transcript
    def post(self, request: Request) -> Response:
        query = query_of(request, schemas.TranscriptQuery)
        if not query.dry_run and (reply := _earlier(request)):
            return replied(reply)
        if not query.dry_run:
            room_for(request)
        transcript = _read(request, query.format)
        recorded = record_transcript(
            project=key_of(request).project,
            api_key=key_of(request),
            transcript=transcript,
            session=query.session,
            is_final=query.final,
            is_trial=query.dry_run,
        )
        read = transcript.as_dict()
        body = {
            "format": read["format"],
            "not_mapped": read["not_mapped"],
            "understood": {
                "turns": read["turns"],
                "answers": read["answers"],
                "calls": read["calls"],
                "outputs": read["outputs"],
            },
            "unfinished": recorded.unfinished,
            "remaining": recorded.remaining,
            "results": [_result(request, result) for result in recorded.results],
        }
        if query.dry_run:
            return Response(body)
        # The turns are stored one by one, and may be sent again at any time; the key
        # holds the reply alone. Of twins the first to end gives it.
        return replied(once(request, lambda: (207, body)))


def _earlier(request: Request) -> StoredReply | None:
    try:
        return earlier_reply(
            api_key=key_of(request),
            key=idempotency_key(request),
            request_sha256=request_digest(request),
        )
    except IdempotencyKeyReusedError as error:
        raise key_reused() from error


def _read(request: Request, format_name: str) -> Transcript:
    try:
        return read_transcript(
            _sent(request),
            format=format_name,
            max_bytes=settings.MAX_BODY_BYTES,
        )
    except FormatError as error:
        raise ApiProblem(
            400,
            f"The transcript is invalid: {error}",
            errors=((error.field, error.message),),
        ) from error


def _sent(request: Request) -> bytes:
    """The body's bytes, unpacked; what they are is for the formats to say."""
    kind = (request.content_type or "").partition(";")[0].strip().lower()
    accepted = (schemas.JSON, *schemas.TEXTS)
    if kind not in accepted:
        raise ApiProblem(415, f"Send the transcript as {', '.join(accepted)}.")
    try:
        data = request.body
    except OSError as error:
        raise ApiProblem(400, "The body is shorter than its Content-Length.") from error
    return _unpacked(data, request.headers.get("Content-Encoding", "identity"))


def _unpacked(data: bytes, encoding: str) -> bytes:
    """Undo gzip, never further than the limit of bodies."""
    if encoding.lower() == "identity":
        return data
    if encoding.lower() != "gzip":
        raise ApiProblem(415, "Send the body compressed with gzip, or uncompressed.")
    limit = settings.MAX_BODY_BYTES
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            plain = packed.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ApiProblem(400, "The body is not valid gzip.") from error
    if len(plain) > limit:
        raise body_too_large()
    return plain


def _result(request: Request, result: TurnResult) -> TurnResultBody:
    slug = key_of(request).project.slug
    error: FieldErrorBody = {"field": result.field, "message": result.error}
    return {
        "id": result.id,
        "uuid": str(result.uuid) if result.uuid else None,
        "status": result.status,
        "links": links_of(request, slug, result.uuid) if result.uuid else None,
        "error": error if result.error else None,
    }
