"""How answers are sent in the background."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Drop: TypeAlias = Literal["oldest", "newest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """How answers are sent in the background, and how much may wait.

    Attributes:
        folder: Where answers wait on disk until the server has them; None keeps them
            in memory alone. Several processes may share it.
        folder_bytes, folder_files: Most that waits there for this hub and key.
        max_answers, max_bytes: Most that waits in memory.
        drop: What goes when either is full: the oldest, or what is new.
        batch_answers, batch_bytes: Most that goes to server or folder at once.
        flush_seconds: An answer waits so long at most for others to go with it.
        exit_seconds: Most that the end of the program waits for what is unsent.
        request_seconds: For one request, from connecting to the last byte.
        first_pause_seconds: After a first failure; doubled with each further one, and
            shortened at random so that many clients do not come at once.
        longest_pause_seconds: No pause is longer, whatever the server asks for.
    """

    folder: str | Path | None = None
    folder_bytes: int = 64 * 1024 * 1024
    folder_files: int = 1000
    max_answers: int = 1000
    max_bytes: int = 32 * 1024 * 1024
    drop: Drop = "oldest"
    batch_answers: int = 100
    batch_bytes: int = 1024 * 1024
    flush_seconds: float = 1.0
    exit_seconds: float = 5.0
    request_seconds: float = 30.0
    first_pause_seconds: float = 0.5
    longest_pause_seconds: float = 300.0

    def __post_init__(self) -> None:
        counts = (
            self.folder_bytes,
            self.folder_files,
            self.max_answers,
            self.max_bytes,
            self.batch_answers,
            self.batch_bytes,
        )
        if min(counts) < 1:
            raise ValueError("limits of the background must be 1 or more")
        if self.drop not in {"oldest", "newest"}:
            raise ValueError("drop must be oldest or newest")
