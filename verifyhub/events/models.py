"""The outbox: rows that commit together with what they describe."""

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models.fields.json import KeyTextTransform

from verifyhub.accounts.models import Project
from verifyhub.common.db import TimestampedModel, new_id
from verifyhub.common.packing import packed_property
from verifyhub.events.catalogue import EventType
from verifyhub.events.usual_texts import USUAL_TEXTS
from verifyhub.events.webhook_models import (
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
)

__all__ = ["Event", "WebhookAttempt", "WebhookDelivery", "WebhookEndpoint"]


class Event(TimestampedModel):
    """An event; never changed (ADR 0040).

    The database gives it its `position` while the transaction commits, under a lock
    of the project that ends with the commit: of two events of a project the one that
    becomes visible later has the higher position, so a reader that goes on from the
    last one it saw misses none. Servers may only add rows; a trigger refuses UPDATE,
    TRUNCATE and DELETE to their owner, too, but by `events_forget`. Rows outlive what
    they speak of and name it by id.
    """

    MAX_TYPE = 60
    MAX_DATA_BYTES = 20_000

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(
        Project,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        db_index=False,
    )
    position = models.BigIntegerField(null=True, editable=False)
    type = models.CharField(max_length=MAX_TYPE)
    # What it is about, from kind to id: `interaction`, `verification`, `session`, …
    subject = models.JSONField(default=dict)
    # What happened, in one of the two: `data` reads and sets it. The number is written
    # into a copy of the row, which is therefore kept small.
    data_json = models.JSONField(null=True, db_column="data")
    data_packed = models.BinaryField(null=True)
    data = packed_property(
        "data_json",
        "data_packed",
        USUAL_TEXTS,
        "What happened (docs/api.md).",
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["project", "position"],
                condition=models.Q(position__isnull=False),
                name="event_of_project",
            ),
            models.Index(
                fields=["project", "type", "position"],
                condition=models.Q(position__isnull=False),
                name="event_of_type",
            ),
            BrinIndex(fields=["created_at"], name="event_age"),
            # What was told of a run, when it is deleted.
            models.Index(
                KeyTextTransform("interaction", "subject"), name="event_of_interaction"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.position}"

    @property
    def word(self) -> str:
        """The type in the viewer's language; a type of a newer version as it is."""
        is_known = self.type in EventType.values
        return str(EventType(self.type).label) if is_known else self.type
