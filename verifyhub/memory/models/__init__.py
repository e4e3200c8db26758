"""What a project's memory stores."""

from verifyhub.memory.models.deliveries import ContextDelivery
from verifyhub.memory.models.entries import (
    Constraint,
    KeyForgetting,
    MemoryEntry,
    Sighting,
    folded,
    folded_value,
)
from verifyhub.memory.models.snapshots import Snapshot, SnapshotName

__all__ = [
    "Constraint",
    "ContextDelivery",
    "KeyForgetting",
    "MemoryEntry",
    "Sighting",
    "Snapshot",
    "SnapshotName",
    "folded",
    "folded_value",
]
