"""Storage of export files: one folder a job.

They are in the object store, if there is one, or else in a folder that servers and
workers share.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.conf import settings

from verifyhub.common.object_store import ObjectStore, object_store

# The suffix of a file that is being written.
UNFINISHED = ".unfinished"
PIECE = 256 * 1024


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A complete file of a job.

    Attributes:
        path: Its path on this machine, if it is not in a store.
        key: Its key in the store, if it is in one.
        store: The store; None for a file on disk.
    """

    path: Path
    key: str = ""
    store: ObjectStore | None = None

    def exists(self) -> bool:
        """Return whether it exists."""
        if self.store is None:
            return self.path.exists()
        return self.store.size(self.key) is not None

    def pieces(self, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield a range of its bytes, by default to its end."""
        if self.store is not None:
            size = self.store.size(self.key) or 0 if length is None else 0
            stretch = size - start if length is None else length
            yield from self.store.pieces(self.key, start, stretch)
            return
        with self.path.open("rb") as file:
            file.seek(start)
            left = self.path.stat().st_size - start if length is None else length
            while left > 0 and (piece := file.read(min(PIECE, left))):
                left -= len(piece)
                yield piece


def folder_of(job_id: UUID) -> Path:
    """Return the folder of a job, which may not exist."""
    return Path(settings.EXPORT_FOLDER) / str(job_id)


def file_of(job_id: UUID, name: str) -> ExportFile:
    """Return a file of a job by its name; it may not exist any more."""
    path = folder_of(job_id) / name
    store = object_store()
    # Files from before the store was configured stay on disk.
    if store is None or path.exists():
        return ExportFile(path)
    return ExportFile(path, f"{_beginning(job_id)}{name}", store)


def write_file(job_id: UUID, name: str, pieces: Iterable[bytes]) -> tuple[int, str]:
    """Write a file of a job under a temporary name, and rename it once complete.

    Args:
        job_id: The job.
        name: A name that is unique to this claim.
        pieces: Its bytes.

    Returns:
        Its size in bytes, and its SHA-256 in hexadecimal.

    Raises:
        OSError: If it cannot be written, or the store fails.
    """
    folder = folder_of(job_id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, size = hashlib.sha256(), 0
    unfinished = folder / f"{name}{UNFINISHED}"
    store = object_store()
    try:
        with unfinished.open("wb") as file:
            for piece in pieces:
                digest.update(piece)
                size += file.write(piece)
            file.flush()
            if store is None:
                os.fsync(file.fileno())
        if store is None:
            unfinished.replace(folder / name)
        else:
            store.put(f"{_beginning(job_id)}{name}", unfinished)
    finally:
        unfinished.unlink(missing_ok=True)
    return size, digest.hexdigest()


def forget(job_id: UUID) -> None:
    """Delete all files of a job, if there are any."""
    shutil.rmtree(folder_of(job_id), ignore_errors=True)
    store = object_store()
    if store is not None:
        store.delete(list(store.keys(_beginning(job_id))))


def _beginning(job_id: UUID) -> str:
    return f"exports/{job_id}/"
