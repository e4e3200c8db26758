"""Mitigations and deliberations, as JSON Schema."""

from typing import Any

from verifyhub.common.api import page_shape
from verifyhub.engine.deliberation.model import StepName, StepState
from verifyhub.engine.mitigation.compare import Objection
from verifyhub.engine.mitigation_results import MitigationAction

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
MOMENT = {**TEXT, "format": "date-time"}
FREE = {"type": "object", "additionalProperties": True}
COST = {"$ref": "#/components/schemas/Cost"}


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
_REWRITE: dict[str, Any] = {
    "text": {**TEXT, "description": "What was written; empty where nothing was."},
    "offered": {"type": "boolean"},
    "reason": {
        **TEXT,
        "description": "`offered`, `objections`, `no_model`, `no_reliable_part`,"
        " `deadline`, `cost`, or the reason of a model's error.",
    },
    "objections": {
        "type": "array",
        "items": {**TEXT, "enum": [str(one) for one in Objection]},
    },
    "verdict": {
        "type": ["object", "null"],
        "additionalProperties": True,
        "description": "The verdict object of what was written.",
    },
    "tries": {"type": "integer", "minimum": 0},
    "cost": COST,
    "model": TEXT,
    "parts": {
        "type": "array",
        "items": FREE,
        "description": "Of a task that was taken apart: `task`, `answer`, `confidence`"
        " and `reliable` of each part.",
    },
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
            "result": {"anyOf": [_object(_REWRITE), _object(_SHOWN), {"type": "null"}]},
        }
    ),
    "MitigationAttempts": page_shape(
        {"$ref": "#/components/schemas/MitigationAttempt"}
    ),
    "DeliberationStep": _object(
        {
            "name": {**TEXT, "enum": [str(one) for one in StepName]},
            "state": {**TEXT, "enum": [str(one) for one in StepState]},
            "reason": TEXT,
            "text": TEXT,
            "details": {
                **FREE,
                "description": "`claims` of the fact check; `offered`, `objections`"
                " and `verdict` of the synthesis.",
            },
            "cost": COST,
            "latency_seconds": {"type": "number", "minimum": 0},
        }
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
