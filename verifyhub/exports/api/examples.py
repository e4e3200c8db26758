"""Examples of exports for the API's description."""

from typing import Any

CATALOGUE: dict[str, Any] = {
    "datasets": [
        {
            "name": "constraints",
            "description": "every name that agents must not use",
            "scope": "read",
            "columns": [
                {"name": "id", "type": "id", "parquet": "string"},
                {"name": "pinned", "type": "flag", "parquet": "bool"},
            ],
            "line": {
                "type": "object",
                "properties": {
                    "id": {"type": ["string", "null"]},
                    "pinned": {"type": ["boolean", "null"]},
                },
                "required": ["id", "pinned"],
                "additionalProperties": False,
            },
        }
    ]
}
LINE = (
    '{"interaction_id": "0d9c3c5e-8f3c-4ad5-8f0e-6a2c8c5b1c77", "client_id": "run-1",'
    ' "number": 1, "state": "finished", "verdict": "reject"}'
)
JOB_REQUEST: dict[str, Any] = {
    "datasets": ["interactions", "verdicts"],
    "format": "parquet",
    "filters": {"since": "2026-11-01", "verdict": "reject"},
}
JOB: dict[str, Any] = {
    "id": "5b0d4f1e-6c0c-4a5e-9d0b-6f3f0a2f4c11",
    "state": "finished",
    "datasets": ["interactions", "verdicts"],
    "format": "parquet",
    "filters": {"verdict": "reject"},
    "made_since": "2026-11-01T00:00:00Z",
    "made_before": "2026-11-21T18:00:00Z",
    "asked_by": "key nightly",
    "schedule": None,
    "expected": 240,
    "rows": 240,
    "bytes": 81920,
    "error": "",
    "created_at": "2026-11-21T18:00:00Z",
    "finished_at": "2026-11-21T18:00:02Z",
    "expires_at": "2026-11-28T18:00:02Z",
    "files": [
        "manifest.json",
        "interactions.parquet",
        "verdicts.parquet",
    ],
}
JOBS: dict[str, Any] = {"next": None, "previous": None, "results": [JOB]}
