"""The verdict object, schema 1, as JSON Schema."""

from typing import Any

from verifyhub.common.api import page_shape
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import (
    Action,
    BadStepReason,
    ClaimStatus,
    GoalState,
    Grade,
    Outcome,
    Status,
    Verdict,
)
from verifyhub.engine.types import MentionKind, VerificationType
from verifyhub.verification.api.claim_schema import CLAIM_SCHEMAS
from verifyhub.verification.api.mitigation_schema import MITIGATION

SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SHARE_OR_NULL = {**SHARE, "type": ["number", "null"]}
INDEX = {"type": "integer", "minimum": 0}
COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
DIFFERENCE_OR_NULL = {"type": ["number", "null"], "minimum": -1, "maximum": 1}
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
SPAN = {
    "type": "array",
    "items": INDEX,
    "minItems": 2,
    "maxItems": 2,
    "description": "Half-open range in Unicode code points.",
}
FREE = {"type": "object", "additionalProperties": True}
GRADE = {"type": ["string", "null"], "enum": [*map(str, Grade), None]}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


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

VERDICT_SCHEMAS: dict[str, Any] = {
    **CLAIM_SCHEMAS,
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
    "VerificationRequest": {
        "type": "object",
        "properties": {
            "strictness": STRICTNESS,
            "layers": {
                "type": ["boolean", "null"],
                "description": "Run the detection layers, whatever the project wants.",
            },
        },
        "additionalProperties": False,
    },
    "Evidence": _object(
        {
            "tool_call": {**INDEX, "description": "Index of the tool call."},
            "field": {**TEXT, "description": "`output` or `input.<path>`."},
            "span": SPAN,
            "grade": _one_of(Grade),
        },
        "grade",
    ),
    "Mention": _object(
        {
            "text": TEXT,
            "kind": _one_of(MentionKind),
            "key": {**TEXT, "description": "The name in its normalised form."},
            "spans": _list(SPAN),
            "status": _one_of(Status),
            "reason": TEXT,
            "grade": GRADE,
            "evidence": _list(_ref("Evidence")),
            "suggestion": {**TEXT, "description": "The nearest real name."},
            "by": {
                **_one_of(["model"]),
                "description": "Who pointed the name out, where it was a model."
                " Its status is the trace's alone.",
            },
        },
        "suggestion",
        "by",
    ),
    "CompletionClaim": _object(
        {
            "text": TEXT,
            "span": SPAN,
            "kind": TEXT,
            "status": _one_of(ClaimStatus),
            "evidence": _list(INDEX),
            "grade": GRADE,
        }
    ),
    "Check": _object(
        {
            "name": TEXT,
            "outcome": _one_of(Outcome),
            "score": SHARE_OR_NULL,
            "reason": TEXT,
            "details": FREE,
        }
    ),
    "Warning": _object({"code": TEXT, "message": TEXT, "details": FREE}),
    "Decision": _object(
        {
            "action": _one_of(Action),
            "reason": TEXT,
            "additional_context": {
                **TEXT,
                "description": "Text for the next prompt on retry or reformulate.",
            },
            "follow_ups": TEXTS,
            "retry_after_seconds": {
                **INDEX,
                "description": "How long to wait before the retry of a failed level;"
                " with `accept`: before the verdict may hold the model's opinion.",
            },
        },
        "retry_after_seconds",
    ),
    "FirstBadStep": _object(
        {
            "tool_call": {
                **INDEX,
                "type": ["integer", "null"],
                "description": "Index of the tool call; null: the answer itself.",
            },
            "where": _one_of(["tool_call", "answer"]),
            "kind": _one_of(["mention", "completion_claim"]),
            "reason": _one_of(BadStepReason),
            "span": {**SPAN, "description": "What in the answer goes back to it."},
        }
    ),
    "Goal": _object(
        {
            "type": {**_one_of(VerificationType), "description": "Whose goal it is."},
            "target": {**TEXT, "description": "The agent's name."},
            "goal": {**TEXT, "description": "The task, where no goal was given."},
            "stated": {
                "type": "boolean",
                "description": "Whether the run stated a goal or asked for the check.",
            },
            "state": _one_of(GoalState),
            "goalAchieved": {
                "type": ["boolean", "null"],
                "description": "Null where nothing was decided.",
            },
            "confidence": SHARE_OR_NULL,
            "issues": TEXTS,
            "suggestions": TEXTS,
            "source": _one_of(["ledger", "model", ""]),
            "reason": TEXT,
            "tool_calls": _list(INDEX),
            "model": TEXT,
            "domain": TEXT,
            "prompt_version": TEXT,
        }
    ),
    "Cost": _object(
        {
            "calls": {
                **INDEX,
                "description": "Calls of models; replies from the cache are none.",
            },
            "input_tokens": COUNT_OR_NULL,
            "output_tokens": COUNT_OR_NULL,
            "microdollars": {
                **COUNT_OR_NULL,
                "description": "Millionths of a US dollar; null: a price is unknown.",
            },
            "latency_seconds": {"type": "number", "minimum": 0},
            "share_of_run": {
                "type": ["number", "null"],
                "minimum": 0,
                "description": "Of what the run cost by its own `usage`.",
            },
        }
    ),
    "Mitigation": MITIGATION,
    "SelfAssessment": _object(
        {
            "confidence": SHARE_OR_NULL,
            "completeness": SHARE_OR_NULL,
            "gaps": TEXTS,
            "reasoning": TEXT,
            "overconfidence": {
                **DIFFERENCE_OR_NULL,
                "description": "The agent's confidence less the verdict's.",
            },
            "overcompleteness": {
                **DIFFERENCE_OR_NULL,
                "description": "The same of completeness.",
            },
        }
    ),
    "Verdict": _object(
        {
            "schema": {"type": "integer", "enum": [1]},
            "id": TEXT,
            "verdict": _one_of(Verdict),
            "confidence": SHARE_OR_NULL,
            "coverage": SHARE,
            "completeness": SHARE_OR_NULL,
            "mentions": _list(_ref("Mention")),
            "completion_claims": _list(_ref("CompletionClaim")),
            "claims": _list(_ref("FactClaim")),
            "checks": _list(_ref("Check")),
            "gaps": TEXTS,
            "warnings": _list(_ref("Warning")),
            "decision": _ref("Decision"),
            "first_bad_step": {"anyOf": [_ref("FirstBadStep"), {"type": "null"}]},
            "goal": {"anyOf": [_ref("Goal"), {"type": "null"}]},
            "strictness": {
                **_one_of(Strictness),
                "description": "The preset that was in force.",
            },
            "explanation": {
                **TEXT,
                "description": "The verdict in two to five plain sentences.",
            },
            "attempt": {
                "type": "integer",
                "minimum": 1,
                "description": "Which attempt at its subtask the answer is.",
            },
            "mitigation": {"anyOf": [_ref("Mitigation"), {"type": "null"}]},
            "detection": {
                "anyOf": [_ref("DetectionResult"), {"type": "null"}],
                "description": "Risk and detection layers; null where none ran.",
            },
            "cost": _ref("Cost"),
            "self_assessment": {"anyOf": [_ref("SelfAssessment"), {"type": "null"}]},
        },
        # Verdicts that an earlier version wrote do without them.
        "first_bad_step",
        "goal",
        "strictness",
        "explanation",
        "attempt",
        "mitigation",
        "detection",
        "cost",
        "self_assessment",
    ),
}
