"""Replies about exports."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import Count
from verifyhub.common.queued_row import WorkState
from verifyhub.exports.download import downloads
from verifyhub.exports.models import ExportJob
from verifyhub.exports.writing import FileFormat


class JobBody(RowBody):
    """An export that a worker makes."""

    id: UUID
    state: WorkState
    datasets: list[str]
    format: Annotated[FileFormat, read_from("written_as")]
    filters: dict[str, str]
    made_since: Annotated[datetime | None, read_from("since")]
    made_before: Annotated[datetime, read_from("until")]
    asked_by: str
    schedule: Annotated[str | None, read_from("schedule.name")] = None
    expected: Count | None
    """Rows to look through; null until it is known."""
    rows: Count
    bytes: Annotated[Count, read_from("size")]
    error: str
    created_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None
    files: list[str]
    """Names to download it by, once it is finished and until it expires."""


def job_body(job: ExportJob) -> dict[str, Any]:
    """Return an export as the API tells it."""
    return JobBody.of(job, files=downloads(job))
