"""The outbox: rows that commit together with the changes they describe."""

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

    The database assigns its `position` during the commit, under a lock of the project:
    of two events of a project the one that becomes visible later has the higher
    position, so that a reader that continues after the last one misses none. Servers
    may only insert rows; a trigger refuses UPDATE, TRUNCATE and DELETE to the owner
    too, except in `events_forget`. Rows refer to other rows by id, and outlive them.
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
    # Ids of its subjects by kind: `interaction`, `verification`, `session`, …
    subject = models.JSONField(default=dict)
    # One of the two columns contains the data; `data` reads and sets it. Compressed,
    # since assigning the position copies the row.
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
            # The events of a run, when it is deleted.
            models.Index(
                KeyTextTransform("interaction", "subject"), name="event_of_interaction"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.position}"

    @property
    def word(self) -> str:
        """The type in the viewer's language; unknown types as they are."""
        is_known = self.type in EventType.values
        return str(EventType(self.type).label) if is_known else self.type
