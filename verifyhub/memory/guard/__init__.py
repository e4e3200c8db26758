"""Guard: check a draft against the names that its project knows."""

from verifyhub.memory.guard.check import (
    MAX_TEXT_LENGTH,
    guard,
    nearest_names,
)
from verifyhub.memory.guard.files import MAX_FILE_BYTES, SnapshotRefusedError
from verifyhub.memory.guard.names import SYMBOLS
from verifyhub.memory.guard.snapshots import (
    delete_snapshot,
    holds_name,
    learn_names,
    put_snapshot,
    start_learning,
)
