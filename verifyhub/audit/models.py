"""The append-only record of who did what."""

from django.conf import settings
from django.db import models

from verifyhub.common.db import TimestampedModel


class AuditEvent(TimestampedModel):
    """One act of a person, an API key or the system; never changed, never deleted.

    A database trigger refuses UPDATE, DELETE and TRUNCATE. Rows outlive what they
    speak of, so they name it by type and id instead of pointing at it.
    """

    project_id = models.UUIDField(null=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    actor_name = models.CharField(max_length=200)
    action = models.CharField(max_length=100)
    object_type = models.CharField(max_length=100)
    object_id = models.CharField(max_length=64)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(
                fields=["object_type", "object_id", "id"], name="audit_event_object"
            ),
            models.Index(fields=["project_id", "id"], name="audit_event_project"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_name}"
