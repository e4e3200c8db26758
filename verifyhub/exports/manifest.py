"""The manifest of an export, written last."""

import json
from typing import Any

from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.models import ExportJob
from verifyhub.exports.writing import FileFormat

NAME = "manifest.json"
VERSION = "verifyhub.export/1"


def manifest_of(job: ExportJob) -> dict[str, Any]:
    """Return the manifest of an export whose files are complete.

    All its files exist, with the given rows and hashes.
    """
    return {
        "manifest": VERSION,
        "id": str(job.id),
        "project": job.project.slug,
        "format": job.written_as,
        "made_since": job.since.isoformat() if job.since else None,
        "made_before": job.until.isoformat(),
        "filters": job.filters,
        "rows": job.rows,
        "bytes": job.size,
        "datasets": [_dataset(job, name) for name in job.datasets],
    }


def manifest_bytes(job: ExportJob) -> bytes:
    """Return the manifest as written to its file."""
    text = json.dumps(job.manifest, ensure_ascii=False, indent=2)
    return f"{text}\n".encode()


def _dataset(job: ExportJob, name: str) -> dict[str, Any]:
    deep = FileFormat(job.written_as).is_deep
    columns = DATASETS[name].columns_of(deep=deep, shape=job.shape)
    own = [entry for entry in job.parts if entry["dataset"] == name]
    return {
        "name": name,
        "rows": sum(entry["rows"] for entry in own),
        "columns": [entry.as_dict() for entry in columns],
        "files": [
            {key: entry[key] for key in ("name", "rows", "bytes", "sha256")}
            for entry in own
        ],
    }
