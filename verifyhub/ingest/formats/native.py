"""VerifyHub's own JSON: one interaction as the API and the command line take it."""

import re
from itertools import pairwise
from typing import Any

from verifyhub.engine.reports import VerificationType
from verifyhub.engine.types import Agent, CallStatus, Interaction, ToolCall
from verifyhub.ingest.formats.fields import MAX_ID, Fields, FormatError, sorted_keys
from verifyhub.ingest.formats.moments import from_iso
from verifyhub.ingest.formats.usage import parse_usage, usage_as_native

__all__ = [
    "MAX_ID",
    "FormatError",
    "as_native",
    "looks_native",
    "parse_interaction",
    "sorted_keys",
    "without_unknown",
]

MAX_NAME = 200
MAX_LABEL = 50
MAX_DURATION_MS = 2**53
MAX_TOOL_CALLS = 50_000
MAX_FILES = 10_000
MAX_PATH = 4096
MAX_ANCHORS = 1000
MAX_GOAL = 20_000
MAX_TURNS = 10_000
SIGNATURE_VERSION = 1
REQUIRED = "is required: a string."
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")

FIELDS = (
    "id",
    "task",
    "answer",
    "session",
    "agent",
    "parent",
    "tool_calls",
    "self_assessment",
    "claims",
    "sources",
    "metadata",
    "structured_output",
    "manifest",
    "goal",
    "verification_type",
    "discussion",
    "trace_signature",
    "usage",
    "context_sha256",
)
TURN_FIELDS = ("speaker", "text")
SIGNATURE_FIELDS = ("version", "key_id", "calls", "signature")
MANIFEST_FIELDS = ("path", "sha256", "anchors")
AGENT_FIELDS = ("name", "tier", "role")
CALL_FIELDS = (
    "id",
    "tool",
    "input",
    "output",
    "status",
    "is_error",
    "started_at",
    "duration_ms",
)


def looks_native(value: Any) -> bool:
    """Whether a value looks like a run in this format, whole or not.

    States of frameworks hold an `answer` beside the messages that led to it.
    """
    if not isinstance(value, dict):
        return False
    told = {"task", "answer"}.intersection(value)
    return len(told) == 2 or (bool(told) and "messages" not in value)


def parse_interaction(data: Any) -> Interaction:
    """Turn a parsed JSON document into an interaction.

    Objects inside `input` and the other free values get their keys sorted, so that an
    interaction is the same value before and after the database.

    Raises:
        FormatError: If a field is missing, unknown, of a wrong type or too long.
    """
    fields = Fields("", data, FIELDS)
    return Interaction(
        id=fields.reference("id"),
        task=fields.required_text("task"),
        answer=fields.required_text("answer"),
        session=fields.reference("session"),
        agent=_agent(fields),
        parent=fields.reference("parent"),
        tool_calls=_tool_calls(fields),
        self_assessment=fields.of_type("self_assessment", dict, "an object"),
        claims=fields.of_type("claims", list, "an array"),
        sources=fields.of_type("sources", list, "an array"),
        metadata=fields.of_type("metadata", dict, "an object"),
        # Any value: what is wrong with it is for the verdict to say (level 1).
        structured_output=sorted_keys(fields.get("structured_output")),
        manifest=_manifest(fields),
        goal=fields.name("goal", MAX_GOAL),
        verification_type=_verification_type(fields),
        discussion=_discussion(fields),
        trace_signature=_trace_signature(fields),
        usage=parse_usage(fields.get("usage")),
        context_sha256=_context(fields),
    )


def without_unknown(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Leave out the fields of a run, its agent and its calls that are not known.

    Returns:
        The document without them, and their names once each: `labels`,
        `agent.model`, `tool_calls[].cost`.
    """
    unknown: dict[str, None] = {}

    def kept(value: Any, fields: tuple[str, ...], path: str) -> Any:
        if not isinstance(value, dict):
            return value
        unknown.update({path + key: None for key in value if key not in fields})
        return {key: value[key] for key in value if key in fields}

    known: dict[str, Any] = kept(data, FIELDS, "")
    if "agent" in known:
        known["agent"] = kept(known["agent"], AGENT_FIELDS, "agent.")
    calls = known.get("tool_calls")
    if isinstance(calls, list):
        known["tool_calls"] = [
            kept(call, CALL_FIELDS, "tool_calls[].") for call in calls
        ]
    return known, list(unknown)


def as_native(interaction: Interaction) -> dict[str, Any]:
    """Return the document of an interaction, every field present, in a fixed order."""
    agent = interaction.agent
    return {
        "id": interaction.id,
        "task": interaction.task,
        "answer": interaction.answer,
        "session": interaction.session,
        "agent": {"name": agent.name, "tier": agent.tier, "role": agent.role},
        "parent": interaction.parent,
        "tool_calls": [_call_as_native(call) for call in interaction.tool_calls],
        "self_assessment": interaction.self_assessment,
        "claims": interaction.claims,
        "sources": interaction.sources,
        "metadata": interaction.metadata,
        "structured_output": interaction.structured_output,
        "manifest": interaction.manifest,
        "goal": interaction.goal,
        "verification_type": interaction.verification_type,
        "discussion": interaction.discussion,
        "trace_signature": interaction.trace_signature,
        "usage": usage_as_native(interaction.usage),
        "context_sha256": interaction.context_sha256,
    }


def _call_as_native(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "tool": call.tool,
        "input": call.input,
        "output": call.output,
        "status": str(call.status),
        "started_at": call.started_at,
        "duration_ms": call.duration_ms,
    }


def _trace_signature(fields: Fields) -> dict[str, Any] | None:
    if fields.get("trace_signature") is None:
        return None
    signed = Fields("trace_signature", fields.get("trace_signature"), SIGNATURE_FIELDS)
    if signed.get("version") != SIGNATURE_VERSION or signed.get("version") is True:
        signed.fail("version", f"must be {SIGNATURE_VERSION}.")
    calls = signed.of_type("calls", list, "an array")
    if not calls or not all(type(index) is int and index >= 0 for index in calls):
        signed.fail("calls", "must be positions in tool_calls, at least one.")
    if any(left >= right for left, right in pairwise(calls)):
        signed.fail("calls", "must rise.")
    return {
        "version": SIGNATURE_VERSION,
        "key_id": signed.name("key_id", MAX_ID) or signed.fail("key_id", REQUIRED),
        "calls": calls,
        "signature": signed.name("signature", MAX_ID)
        or signed.fail("signature", REQUIRED),
    }


def _context(fields: Fields) -> str | None:
    digest = fields.text("context_sha256")
    if digest is not None and not _SHA256.fullmatch(digest):
        fields.fail("context_sha256", "must be 64 hexadecimal digits.")
    return digest.lower() if digest else None


def _manifest(fields: Fields) -> list[dict[str, Any]] | None:
    files = fields.of_type("manifest", list, "an array")
    if files is None:
        return None
    if len(files) > MAX_FILES:
        fields.fail("manifest", f"has more than {MAX_FILES} files.")
    return [_listed_file(index, data) for index, data in enumerate(files)]


def _listed_file(index: int, data: Any) -> dict[str, Any]:
    listed = Fields(f"manifest[{index}]", data, MANIFEST_FIELDS)
    if not listed.name("path", MAX_PATH):
        listed.fail("path", "is required: a string.")
    digest = listed.text("sha256")
    if "sha256" not in data:
        listed.fail("sha256", "is required; null says that the file was not there.")
    if digest is not None and not _SHA256.fullmatch(digest):
        listed.fail("sha256", "must be 64 hexadecimal digits.")
    anchors = listed.of_type("anchors", list, "an array") or []
    if len(anchors) > MAX_ANCHORS or not all(isinstance(a, str) for a in anchors):
        listed.fail("anchors", f"must be at most {MAX_ANCHORS} strings.")
    return {name: data[name] for name in sorted(data) if data[name] is not None} | {
        "sha256": digest
    }


def _verification_type(fields: Fields) -> str | None:
    kind = fields.name("verification_type", MAX_LABEL)
    if kind is not None and kind not in set(VerificationType):
        fields.fail(
            "verification_type", f"must be one of {', '.join(VerificationType)}."
        )
    return kind


def _discussion(fields: Fields) -> list[dict[str, str]] | None:
    turns = fields.of_type("discussion", list, "an array")
    kind = fields.get("verification_type")
    if kind and bool(turns) != (kind == VerificationType.MODERATOR):
        needs = "is required" if not turns else "has a meaning only"
        fields.fail("discussion", f"{needs} where verification_type is moderator.")
    if not turns:
        return None
    if len(turns) > MAX_TURNS:
        fields.fail("discussion", f"has more than {MAX_TURNS} turns.")
    return [_turn(index, data) for index, data in enumerate(turns)]


def _turn(index: int, data: Any) -> dict[str, str]:
    turn = Fields(f"discussion[{index}]", data, TURN_FIELDS)
    speaker = turn.name("speaker", MAX_NAME)
    if speaker is None:
        turn.fail("speaker", "is required: a string.")
    return {"speaker": speaker, "text": turn.required_text("text")}


def _agent(fields: Fields) -> Agent:
    if fields.get("agent") is None:
        return Agent()
    agent = Fields("agent", fields.get("agent"), AGENT_FIELDS)
    return Agent(
        name=agent.name("name", MAX_NAME) or "",
        tier=agent.name("tier", MAX_LABEL) or "",
        role=agent.name("role", MAX_LABEL) or "",
    )


def _tool_calls(fields: Fields) -> tuple[ToolCall, ...]:
    calls = fields.of_type("tool_calls", list, "an array", sort=False) or []
    if len(calls) > MAX_TOOL_CALLS:
        fields.fail("tool_calls", f"has more than {MAX_TOOL_CALLS} calls.")
    return tuple(_tool_call(index, call) for index, call in enumerate(calls))


def _tool_call(index: int, data: Any) -> ToolCall:
    call = Fields(f"tool_calls[{index}]", data, CALL_FIELDS)
    tool = call.name("tool", MAX_NAME)
    if not tool:
        call.fail("tool", "is required: the name of the tool.")
    return ToolCall(
        index=index,
        id=call.name("id", MAX_ID),
        tool=tool,
        input=call.of_type("input", dict, "an object") or {},
        output=call.text("output") or "",
        status=_status(call),
        started_at=_started_at(call),
        duration_ms=_duration(call),
    )


def _status(call: Fields) -> CallStatus:
    status, is_error = call.text("status"), call.of_type("is_error", bool, "a boolean")
    if status is None:
        if is_error is None:
            return CallStatus.UNKNOWN
        return CallStatus.ERROR if is_error else CallStatus.OK
    if status not in set(CallStatus):
        call.fail("status", f"must be one of {', '.join(CallStatus)}.")
    if is_error is not None and is_error == (status == CallStatus.OK):
        call.fail("is_error", f"contradicts the status {status}.")
    return CallStatus(status)


def _started_at(call: Fields) -> str | None:
    text = call.name("started_at", MAX_LABEL)
    if text is None:
        return None
    return from_iso(text) or call.fail(
        "started_at", "must be a date and time of ISO 8601."
    )


def _duration(call: Fields) -> int | None:
    value = call.get("duration_ms")
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        call.fail("duration_ms", "must be a whole number of milliseconds.")
    if not 0 <= value <= MAX_DURATION_MS:
        call.fail("duration_ms", f"must lie between 0 and {MAX_DURATION_MS}.")
    return value
