"""What every model and every state change of a row shares."""

from collections.abc import Mapping
from typing import Any

from django.db import models


class TimestampedModel(models.Model):
    """A row that knows when it was written."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


def update_if(
    row: models.Model, *, expected: Mapping[str, Any], **changes: Any
) -> bool:
    """Change a row only if it still is as expected, in one UPDATE.

    Args:
        row: The row to change; its attributes follow when the update wins.
        expected: Field values that the stored row must still have.
        changes: New field values.

    Returns:
        True if this caller won; False if another changed the row first.
    """
    manager = type(row)._default_manager
    won = manager.filter(pk=row.pk, **expected).update(**changes) == 1
    if won:
        for name, value in changes.items():
            setattr(row, name, value)
    return won
