"""The append-only audit log."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from verifyhub.common.db import TimestampedModel

DIGEST_BYTES = 32


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


class AuditSeal(models.Model):
    """A link of the chain over audit events: append-only like them (ADR 0075).

    Attributes:
        number: 1, 2, 3, … without a gap.
        event_ids: The events that it seals, in the order of the chain.
        digests: For each of them 32 bytes: SHA-256 of the digest before and the event.
            Of no event, the digest before.
        top: The highest id there was when it was made.
        next_transaction: The number that the database would have given a transaction.
        settled: The seal whose `top` no unsealed event was below when this one was
            made, nor can be later; 0 as long as there is none.
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
