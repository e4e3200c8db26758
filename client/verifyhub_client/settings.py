"""Settings of sending in the background."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Drop: TypeAlias = Literal["oldest", "newest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Settings and limits of sending in the background.

    Attributes:
        folder: The folder in which answers wait until the server has stored them; None
            keeps them in memory only. Several processes may share it.
        folder_bytes, folder_files: The maximum in the folder for this hub and key.
        max_answers, max_bytes: The maximum in memory.
        drop: Whether the oldest or the newest answers are dropped if either is full.
        batch_answers, batch_bytes: The maximum of one batch.
        flush_seconds: The maximum time that an answer waits for others of its batch.
        exit_seconds: The maximum time that the end of the program waits for sending.
        request_seconds: The time limit of one request, from connecting to the last
        byte.
        first_pause_seconds: The pause after a first failure; doubled after each further
            one, and shortened at random to spread clients over time.
        longest_pause_seconds: The maximum pause, whatever the server requests.
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
