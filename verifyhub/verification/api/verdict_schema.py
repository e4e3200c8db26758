"""The verifications of an interaction, as JSON Schema."""

from typing import Any

from verifyhub.common.api import page_shape
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import Verdict

INDEX = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}
SPAN = {
    "type": "array",
    "items": INDEX,
    "minItems": 2,
    "maxItems": 2,
    "description": "Half-open range in Unicode code points.",
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _one_of(values: Any) -> dict[str, Any]:
    return {"type": "string", "enum": [str(value) for value in values]}


def _object(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


STRICTNESS = {
    "type": ["string", "null"],
    "enum": [*Strictness, None],
    "description": "The preset; null for the project's own.",
}
MOMENT = {**TEXT, "format": "date-time"}

# The components' names, where a class has another one.
NAMES = {
    "CheckResult": "Check",
    "ClaimResult": "FactClaim",
    "GoalResult": "Goal",
    "LayerResult": "Layer",
    "MentionResult": "Mention",
    "NewCheckSettings": "CheckSettings",
    "ReportWarning": "Warning",
    "Step": "DeliberationStep",
    "ValueResult": "Value",
    "VerificationReport": "Verdict",
}
RUN_SCHEMAS: dict[str, Any] = {
    "VerificationRun": _object(
        {
            "number": {"type": "integer", "minimum": 1},
            "state": _one_of(["pending", "running", "finished", "failed"]),
            "verdict": {"type": ["string", "null"], "enum": [*Verdict, None]},
            "strictness": STRICTNESS,
            "created_at": MOMENT,
            "finished_at": {**MOMENT, "type": ["string", "null"]},
        }
    ),
    "VerificationRuns": page_shape(_ref("VerificationRun")),
}
