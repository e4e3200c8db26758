"""The bodies of the detection service, as JSON Schema."""

from typing import Any

from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import EntropyBy
from verifyhub.verification.api.detection_bodies import MAX_CAP, MAX_SOURCES
from verifyhub.verification.check_choices import Claims, Layers
from verifyhub.verification.models import Detection

TEXT = {"type": "string"}
MOMENT = {**TEXT, "format": "date-time"}
LEVEL = {"type": ["string", "null"], "enum": [*RiskLevel, None]}
LAYER_NAMES = {"type": "array", "items": {**TEXT, "enum": [*LayerName]}}
CAP = {"type": ["integer", "null"], "minimum": 1, "maximum": MAX_CAP}
ASKED: dict[str, Any] = {
    "risk": {
        **LEVEL,
        "description": "Use the profile of this level; else the risk is assessed.",
    },
    "layers": {
        **LAYER_NAMES,
        "type": ["array", "null"],
        "description": "Only these, whatever the profile says.",
    },
    "max_latency_ms": {
        **CAP,
        "description": "No longer than this, nor than the profile allows.",
    },
    "max_cost_microdollars": {
        **CAP,
        "description": "No dearer than this (millionths of a US dollar), nor than the"
        " profile allows.",
    },
}
SUBJECT: dict[str, Any] = {
    "text": {**TEXT, "description": "What is checked."},
    "task": {"type": ["string", "null"], "description": "What it answers."},
    "context": {
        "type": ["string", "null"],
        "description": "What it was written from.",
    },
    "sources": {
        "type": ["array", "null"],
        "maxItems": MAX_SOURCES,
        "items": {"type": ["string", "object"]},
        "description": "Texts that may speak for or against it: strings, or objects"
        " with `title` and `text`.",
    },
}

SETTINGS: dict[str, Any] = {
    "claims": {**TEXT, "enum": Claims.values},
    "layers": {**TEXT, "enum": Layers.values},
    "layers_off": {**LAYER_NAMES, "description": "They never run."},
    "entropy_by": {
        **TEXT,
        "enum": [str(one) for one in EntropyBy],
        "default": str(EntropyBy.ENTAILMENT),
        "description": "How semantic entropy tells meanings apart.",
    },
    "risk": {
        **LEVEL,
        "description": "The level every text has; null: each is assessed.",
    },
    "profiles": {
        "type": "object",
        "additionalProperties": True,
        "description": "What differs from the built-in risk profiles, by level:"
        " `layers`, `floor`, `latency_seconds`, `microdollars`.",
    },
}


def _body(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


DETECTION_SCHEMAS: dict[str, Any] = {
    "DetectionRequest": _body({**SUBJECT, **ASKED}, "text"),
    "LayerRequest": _body(
        {
            **SUBJECT,
            **{name: value for name, value in ASKED.items() if name != "layers"},
        },
        "text",
    ),
    "LayersRequest": _body(ASKED),
    "RiskRequest": _body(
        {
            "text": SUBJECT["text"],
            "context": SUBJECT["context"],
            "risk": {**LEVEL, "description": "What somebody decided; it holds."},
        },
        "text",
    ),
    "Detection": _body(
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
            "links": _body(
                {"self": {**TEXT, "format": "uri"}, "page": {**TEXT, "format": "uri"}},
                "self",
                "page",
            ),
        },
        *("id", "state", "interaction", "asked_by", "asked", "created_at"),
        *("finished_at", "error", "result", "links"),
    ),
    "NewCheckSettings": _body(
        {
            "claims": SETTINGS["claims"],
            "layers": SETTINGS["layers"],
            **{
                name: {**SETTINGS[name], "type": [SETTINGS[name]["type"], "null"]}
                for name in ("layers_off", "profiles")
            },
            "entropy_by": {
                "type": ["string", "null"],
                "enum": [*map(str, EntropyBy), None],
                "description": "`entailment` where it says nothing.",
            },
            "risk": SETTINGS["risk"],
        },
        *("claims", "layers"),
    ),
    "CheckSettings": _body(
        SETTINGS,
        *("claims", "layers", "layers_off", "risk", "profiles"),
    ),
}
