"""Uploaded transcripts, stored for their preview."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel


class TranscriptUpload(TimestampedModel):
    """A transcript between its preview and its verification, visible to its sender.

    It is deleted when its turns are stored, when the same person uploads another one,
    or after `KEPT`.
    """

    KEPT = timedelta(hours=1)
    MAX_NAME = 200

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    # The file's own name, for people; empty for pasted text.
    name = models.CharField(max_length=MAX_NAME, blank=True)
    # The format to parse it as, or `auto`.
    format = models.CharField(max_length=40)
    # The uploaded transcript, compressed with zlib.
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "user"], name="transcript_upload_one_each"
            ),
        ]
        indexes = [models.Index(fields=["created_at"], name="transcript_upload_age")]

    def __str__(self) -> str:
        return self.name or str(self.id)
