"""What the documentation says of decisions by programs."""

from typing import Any

from verifyhub.engine.types import MentionKind
from verifyhub.review.decide import CLAIM, CLAIM_WORDS
from verifyhub.review.models import Act, ActMember, Override, ReviewItem
from verifyhub.verification.models import FactWord, MentionStatus, Verdict

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
INDEX = {"type": "integer", "minimum": 0}
UUID_TEXT = {**TEXT, "format": "uuid"}
MOMENT = {**TEXT, "format": "date-time"}
VERDICT = {**TEXT, "enum": Verdict.values}
VERSION = {**INDEX, "description": "The item's version that was seen."}
EFFECTS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "type": TEXT,
            "id": TEXT,
            "before": {"type": "object"},
            "after": {"type": "object"},
            "code": {**TEXT, "description": "What it says; absent of old effects."},
            "params": {"type": "object", "description": "What the code speaks of."},
            "text": {**TEXT, "description": "The same as an English sentence."},
        },
        "required": ["text"],
    },
}
CLAIM_STATUS = {**TEXT, "enum": [str(word) for word in CLAIM_WORDS]}
STATUS = {**TEXT, "enum": MentionStatus.values}


def _list_of(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    item = {"type": "object", "properties": properties, "required": [*required]}
    return {"type": "array", "items": {**item, "additionalProperties": False}}


DECISION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "version": VERSION,
        "agree": {"type": "boolean", "description": "The machine's verdict is right."},
        "verdict": {**VERDICT, "description": "The right one, in its place."},
        "mentions": _list_of(
            {"index": INDEX, "status": STATUS, "suggestion": TEXT}, "index", "status"
        ),
        "claims": _list_of({"index": INDEX, "status": CLAIM_STATUS}, "index", "status"),
        "facts": _list_of(
            {"index": INDEX, "status": {**TEXT, "enum": FactWord.values}},
            "index",
            "status",
        ),
        "missed": _list_of(
            {
                "text": TEXT,
                "kind": {**TEXT, "enum": [*map(str, MentionKind), CLAIM]},
                "status": {
                    **TEXT,
                    "enum": [*MentionStatus.values, *map(str, CLAIM_WORDS)],
                },
                "start": {**INDEX, "description": "In code points of the answer."},
                "suggestion": TEXT,
            },
            "text",
            "kind",
            "status",
        ),
        "correction": {**TEXT, "description": "The answer as it should have been."},
        "note": TEXT,
        "reason": {**TEXT, "maxLength": 1000},
        "reason_codes": {"type": "array", "items": TEXT},
    },
    "required": ["version"],
    "additionalProperties": False,
}
UNDO = {
    "type": "object",
    "properties": {"act": UUID_TEXT, "version": VERSION},
    "required": ["act", "version"],
    "additionalProperties": False,
}
STATEMENT = {
    "type": "object",
    "properties": {
        "id": UUID_TEXT,
        "act": {**UUID_TEXT, "type": ["string", "null"]},
        "target": {**TEXT, "enum": Override.Target.values},
        "subject": {"type": ["object", "null"]},
        "before": TEXT_OR_NULL,
        "after": TEXT_OR_NULL,
        "text": TEXT_OR_NULL,
        "reason": TEXT,
        "reason_codes": {"type": "array", "items": TEXT},
        "by": {**TEXT, "description": "A user name, or `key` and the key's name."},
        "created_at": MOMENT,
        "undone_at": {**MOMENT, "type": ["string", "null"]},
        "effects": EFFECTS,
    },
}
STATEMENTS = {"type": "array", "items": STATEMENT}
ITEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": UUID_TEXT,
        "interaction": UUID_TEXT,
        "version": INDEX,
        "state": {**TEXT, "enum": ReviewItem.State.values},
        "machine_verdict": VERDICT,
        "human_verdict": {"type": ["string", "null"]},
        "resolved_by": TEXT_OR_NULL,
        "decisions": STATEMENTS,
    },
}
ACT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "act": UUID_TEXT,
        "version": INDEX,
        "state": TEXT,
        "decisions": STATEMENTS,
    },
}
WAITS: dict[str, Any] = {
    "type": "object",
    "properties": {"act": {"type": "null"}, "waits_for": TEXT},
    "required": ["act", "waits_for"],
}
ACT_ON_MANY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": UUID_TEXT,
        "state": {**TEXT, "enum": Act.State.values},
        "by": TEXT,
        "decision": {"type": "object"},
        "chosen_by": {"type": "object"},
        "answers": {
            "type": "object",
            "properties": dict.fromkeys(ActMember.State.values, INDEX),
            "description": (
                "How many of the answers: `waiting` are still to come, `waits` are"
                " proposed or judged and wait for other people, so are not decided."
            ),
        },
        "created_at": MOMENT,
        "undone_at": {**MOMENT, "type": ["string", "null"]},
    },
}
PREVIEW: dict[str, Any] = {"type": "object", "properties": {"effects": EFFECTS}}
UNKNOWN = {"s404": "The project has no such review item."}
DECISION_PROBLEMS = {
    "s403": "The key lacks the scope, or sent the answer it wants to judge.",
    "s409": "The item is another version by now, decided, or held by somebody.",
}
