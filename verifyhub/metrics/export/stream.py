"""From a dataset to the lines of a file."""

from collections.abc import Iterator
from enum import StrEnum

from verifyhub.accounts.models import Project
from verifyhub.metrics.export.datasets import Dataset, Filters
from verifyhub.metrics.export.encode import csv_lines, json_lines


class Format(StrEnum):
    """How an export is written."""

    CSV = "csv"
    JSONL = "jsonl"


CONTENT_TYPES = {
    Format.CSV: "text/csv; charset=utf-8; header=present",
    Format.JSONL: "application/jsonl; charset=utf-8",
}


def lines(
    dataset: Dataset, written_as: Format, *, project: Project, filters: Filters
) -> Iterator[str]:
    """Write a project's rows, lazily: a line is made when it is asked for."""
    if written_as is Format.CSV:
        rows = dataset.rows(project, filters, deep=False)
        return csv_lines(tuple(dataset.columns), rows)
    return json_lines(dataset.rows(project, filters, deep=True))
