"""Mitigations and deliberations, as JSON Schema."""

from typing import Any

from verifyhub.common.api import page_shape
from verifyhub.engine.deliberation.model import Step
from verifyhub.engine.mitigation.rewrite import Rewrite
from verifyhub.engine.mitigation_results import MitigationAction

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
MOMENT = {**TEXT, "format": "date-time"}
# Replies that are written as they are stored.
WORK_TYPES = (Rewrite, Step)


def _object(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


_WORK: dict[str, Any] = {
    "id": {**TEXT, "format": "uuid"},
    "state": {**TEXT, "enum": ["pending", "running", "finished", "failed"]},
    "interaction": {
        **TEXT_OR_NULL,
        "description": "Your own id of the answer, or its UUID; null for a text that"
        " came by itself.",
    },
    "task": TEXT,
    "asked_by": TEXT,
    "error": {**TEXT, "description": "Why the last try failed."},
    "created_at": MOMENT,
    "finished_at": {**MOMENT, "type": ["string", "null"]},
    "links": _object({"self": {**TEXT, "format": "uri"}}),
}
_SHOWN: dict[str, Any] = {
    "applied": {"type": "boolean"},
    "shown": {**TEXT, "description": "What a reader may see; empty: nothing."},
    "text_for_agent": TEXT,
}

WORK_SCHEMAS: dict[str, Any] = {
    "MitigationAttempt": _object(
        {
            **_WORK,
            "action": {**TEXT, "enum": [str(one) for one in MitigationAction]},
            "mitigation": {
                "anyOf": [
                    {"$ref": "#/components/schemas/Mitigation"},
                    {"type": "null"},
                ],
                "description": "The advice that was given.",
            },
            "offered": {
                "type": ["boolean", "null"],
                "description": "Whether there is a text that may be used; null while"
                " that is not known.",
            },
            "text": {**TEXT, "description": "The text it is about."},
            "result": {
                "anyOf": [
                    {"$ref": "#/components/schemas/Rewrite"},
                    _object(_SHOWN),
                    {"type": "null"},
                ]
            },
        }
    ),
    "MitigationAttempts": page_shape(
        {"$ref": "#/components/schemas/MitigationAttempt"}
    ),
    "Deliberation": _object(
        {
            **_WORK,
            "draft": TEXT,
            "steps": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/DeliberationStep"},
            },
            "page": {**TEXT, "format": "uri"},
        }
    ),
}
