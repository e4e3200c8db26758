"""Where the files of exports lie until they are deleted: one folder a job."""

import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from django.conf import settings

# Ends the name of a file that is still being written.
UNFINISHED = ".unfinished"


def folder_of(job_id: UUID) -> Path:
    """Return the folder of a job; it need not exist."""
    return Path(settings.EXPORT_FOLDER) / str(job_id)


def write_file(job_id: UUID, name: str, pieces: Iterable[bytes]) -> tuple[int, str]:
    """Write a file of a job, and give it its name when it is whole.

    Args:
        job_id: Whose.
        name: One that no other claim uses.
        pieces: Its bytes.

    Returns:
        Its size in bytes, and its SHA-256 in hexadecimal.
    """
    folder = folder_of(job_id)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, size = hashlib.sha256(), 0
    unfinished = folder / f"{name}{UNFINISHED}"
    try:
        with unfinished.open("wb") as file:
            for piece in pieces:
                digest.update(piece)
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(folder / name)
    finally:
        unfinished.unlink(missing_ok=True)
    return size, digest.hexdigest()


def forget(job_id: UUID) -> None:
    """Delete every file of a job; nothing happens where there are none."""
    shutil.rmtree(folder_of(job_id), ignore_errors=True)
