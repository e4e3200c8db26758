"""The replies of the detection service, as JSON Schema."""

from typing import Any

from verifyhub.verification.models import Detection

TEXT = {"type": "string"}
MOMENT = {**TEXT, "format": "date-time"}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


DETECTION_SCHEMAS: dict[str, Any] = {
    "Detection": _object(
        {
            "id": {**TEXT, "format": "uuid"},
            "state": {**TEXT, "enum": Detection.State.values},
            "interaction": {"type": ["string", "null"], "format": "uuid"},
            "asked_by": TEXT,
            "asked": {"type": "object", "additionalProperties": True},
            "created_at": MOMENT,
            "finished_at": {**MOMENT, "type": ["string", "null"]},
            "error": TEXT,
            "result": {
                "anyOf": [
                    {"$ref": "#/components/schemas/DetectionResult"},
                    {"type": "null"},
                ]
            },
            "links": _object(
                {"self": {**TEXT, "format": "uri"}, "page": {**TEXT, "format": "uri"}}
            ),
        }
    ),
}
