"""Bulks as JSON Schema."""

from typing import Any

from verifyhub.ingest.models import Bulk
from verifyhub.verification.api.transcript_components import COUNT, TEXT, URI, _object

NULL = {"type": "null"}
BULK_COUNTS: dict[str, Any] = {
    "line": {**COUNT, "description": "The last line that is committed."},
    "created": {**COUNT, "description": "Interactions that were made."},
    "same": {**COUNT, "description": "Interactions that were there before."},
    "spans": {**COUNT, "description": "Traces' spans that were taken in."},
    "refused": {**COUNT, "description": "Interactions and lines not stored."},
}
BULK_COMPONENTS: dict[str, Any] = {
    "Bulk": _object(
        {
            "id": {**TEXT, "description": "Your name for it, else VerifyHub's."},
            "uuid": {**TEXT, "format": "uuid"},
            "name": {**TEXT, "description": "An uploaded file's name."},
            "format": TEXT,
            "state": {**TEXT, "enum": [str(state) for state in Bulk.State]},
            "error": {**TEXT, "description": "Why it broke off or failed."},
            **BULK_COUNTS,
            "created_at": {**TEXT, "format": "date-time"},
            "finished_at": {"type": ["string", "null"], "format": "date-time"},
            "links": _object({"self": URI, "errors": URI, "page": URI}),
        }
    ),
    "BulkLine": _object(
        {
            "line": COUNT,
            "item": {**COUNT, "description": "A line may hold several."},
            "status": {
                "type": "integer",
                "enum": [200, 201, 202, 400, 409, 422],
                "description": "201 made, 200 there before, 202 a span taken in, 400 no"
                " JSON, 409 the id names other content, 422 it cannot be stored.",
            },
            "id": {
                "type": ["string", "null"],
                "description": "The interaction's, or the trace's; of a line that was"
                " refused its own, null where none could be read.",
            },
            "uuid": {"type": ["string", "null"], "format": "uuid"},
            "errors": {
                "type": "array",
                "items": _object({"field": TEXT, "message": TEXT}),
            },
        }
    ),
    "BulkSummary": _object(
        {
            "summary": _object(
                {
                    "status": {
                        "type": "integer",
                        "enum": [200, 400, 408, 413, 422, 429, 503],
                        "description": "200 all was read; else why it ended before.",
                    },
                    "detail": TEXT,
                    "retry_after": {"type": ["integer", "null"]},
                    "bulk": {"$ref": "#/components/schemas/Bulk"},
                }
            )
        }
    ),
    "BulkPage": _object(
        {
            "next": {"type": ["string", "null"]},
            "previous": {"type": ["string", "null"]},
            "results": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/Bulk"},
            },
        }
    ),
}
