"""What the documentation says of decisions by programs."""

from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from verifyhub.common.contract import ContractModel
from verifyhub.review.decisions import Decision, Position
from verifyhub.review.models import Act, ActMember, Override, ReviewItem
from verifyhub.verification.models import Verdict

TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
INDEX = {"type": "integer", "minimum": 0}
UUID_TEXT = {**TEXT, "format": "uuid"}
MOMENT = {**TEXT, "format": "date-time"}
VERDICT = {**TEXT, "enum": Verdict.values}
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


@dataclass(frozen=True, kw_only=True)
class DecisionRequest(Decision):
    """What is said of one answer in one go; empty parts say nothing."""

    version: Position
    """The item's version that was seen."""

    @property
    def decision(self) -> Decision:
        """What is said."""
        said = {one.name: getattr(self, one.name) for one in fields(Decision)}
        return Decision(**said)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest(ContractModel):
    """Which act to take back."""

    act: UUID
    version: Position
    """The item's version that was seen."""


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
