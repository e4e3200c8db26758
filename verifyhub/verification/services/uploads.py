"""Uploaded transcripts: stored for the preview, verified, then deleted."""

import zlib

from django.conf import settings
from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.retention import Retention
from verifyhub.ingest.formats.base import Transcript, TranscriptDocument
from verifyhub.ingest.formats.transcripts import parse_document, read_document
from verifyhub.verification.models import TranscriptUpload
from verifyhub.verification.services.transcripts import (
    CREATED,
    Recorded,
    record_transcript,
)


@transaction.atomic
def keep_upload(
    *, project: Project, user: User, name: str, data: bytes, format_name: str
) -> TranscriptUpload:
    """Store a transcript for its preview, replacing the person's last one.

    Raises:
        FormatError: If it cannot be parsed.
    """
    read_document(_parsed(data), format=format_name)
    TranscriptUpload.objects.filter(project=project, user=user).delete()
    return TranscriptUpload.objects.create(
        project=project,
        user=user,
        name=name[: TranscriptUpload.MAX_NAME],
        format=format_name,
        content=zlib.compress(data),
    )


def unpacked(upload: TranscriptUpload) -> bytes:
    """Return the transcript as it was uploaded."""
    return zlib.decompress(upload.content)


def read_upload(upload: TranscriptUpload) -> tuple[TranscriptDocument, Transcript]:
    """Parse a stored transcript: as JSON, and as turns."""
    document = _parsed(unpacked(upload))
    return document, read_document(document, format=upload.format)


def verify_upload(*, upload: TranscriptUpload, actor: User, is_final: bool) -> Recorded:
    """Store the turns of a transcript, which queues them, and delete the file.

    A file with more turns than one request writes is kept for the next request.

    Args:
        upload: The stored transcript.
        actor: Who requests it.
        is_final: Whether its last turn is complete too.
    """
    _, transcript = read_upload(upload)
    recorded = record_transcript(
        project=upload.project, api_key=None, transcript=transcript, is_final=is_final
    )
    with transaction.atomic():
        record_event(
            "verification.transcript_uploaded",
            upload,
            actor,
            after={
                "name": upload.name,
                "format": transcript.format,
                "answers": recorded.count(CREATED),
            },
        )
        if not recorded.remaining:
            upload.delete()
    return recorded


def _parsed(data: bytes) -> TranscriptDocument:
    return parse_document(data, max_bytes=settings.MAX_BODY_BYTES)


# Transcripts that nobody verified in time.
UPLOAD_RETENTION = Retention(
    name="uploads",
    old=lambda now: TranscriptUpload.objects.filter(
        created_at__lt=now - TranscriptUpload.KEPT
    ),
)
