"""Delivered contexts, to measure their effect."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.db import TimestampedModel
from verifyhub.ingest.models import Session


class ContextDelivery(TimestampedModel):
    """One delivered context; deleted after 90 days.

    An interaction refers to the context that it received by the text's hash.
    """

    class Format(models.TextChoices):
        TEXT = "text", _("Text for a prompt")
        JSON = "json", "JSON"
        MARKDOWN = "markdown", _("Markdown for AGENTS.md")
        MCP = "mcp", _("MCP resource")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    # None for a session that has sent nothing yet.
    session = models.ForeignKey(
        Session, null=True, on_delete=models.CASCADE, related_name="+"
    )
    session_key = models.CharField(max_length=200)
    api_key = models.ForeignKey(
        ApiKey, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The hash of the text as delivered, in its format.
    sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=10, choices=Format)
    budget = models.PositiveIntegerField()
    tokens = models.PositiveIntegerField()
    # Number of lines by kind of feedback (`learning`).
    counts = models.JSONField(default=dict)
    entry_ids = ArrayField(models.UUIDField(), default=list)
    constraint_ids = ArrayField(models.UUIDField(), default=list)
    # The kinds this session is held out from, so that their effect can be measured.
    held_out = ArrayField(models.CharField(max_length=20), default=list)

    class Meta:
        indexes = [
            models.Index(fields=["project", "sha256"], name="context_delivery_sha256"),
            models.Index(
                fields=["project", "-created_at", "-id"],
                name="context_delivery_recent",
            ),
            models.Index(fields=["created_at"], name="context_delivery_age"),
            # What a session received last, also one that has sent nothing yet.
            models.Index(
                fields=["project", "session_key", "-created_at", "-id"],
                name="context_delivery_last",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_key}: {self.sha256[:12]}"
