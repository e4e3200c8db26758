"""The models of memory."""

from verifyhub.memory.models.deliveries import ContextDelivery
from verifyhub.memory.models.entries import (
    Constraint,
    KeyForgetting,
    MemoryEntry,
    Sighting,
    folded,
    is_folded_like,
)
from verifyhub.memory.models.snapshots import Snapshot, SnapshotName
