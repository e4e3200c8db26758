"""The append-only audit log."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from verifyhub.common.db import TimestampedModel

DIGEST_BYTES = 32


class AuditEvent(TimestampedModel):
    """One act of a person, an API key or the system; never changed, never deleted.

    A database trigger refuses UPDATE, DELETE and TRUNCATE. Rows outlive their objects,
    so they refer to them by type and id instead of a foreign key.
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
            # Without the type: few objects of two types have the same id.
            models.Index(fields=["object_id", "id"], name="audit_event_of_object"),
            models.Index(fields=["project_id", "id"], name="audit_event_project"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_name}"


class AuditSeal(models.Model):
    """A link of the chain over audit events: append-only like them (ADR 0075).

    Attributes:
        number: 1, 2, 3, … without a gap.
        event_ids: The sealed events, in the order of the chain.
        digests: 32 bytes for each: SHA-256 of the previous digest and the event. For a
            seal without events, the previous digest.
        top: The highest event id at its creation.
        next_transaction: The next transaction id at its creation.
        settled: The seal below whose `top` there is no unsealed event, and cannot be
            one later; 0 without such a seal.
    """

    number = models.BigIntegerField(primary_key=True)
    sealed_at = models.DateTimeField(auto_now_add=True)
    event_ids = ArrayField(models.BigIntegerField())
    digests = models.BinaryField()
    top = models.BigIntegerField()
    next_transaction = models.BigIntegerField()
    settled = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.number}:{self.head.hex()}"

    @property
    def head(self) -> bytes:
        """The digest of its last event, which covers all events before it."""
        return bytes(self.digests)[-DIGEST_BYTES:]
