"""VerifyHub's own JSON format of interactions."""

from typing import Any

from verifyhub.common.contract import FormatError, field_names, reader_of
from verifyhub.engine.types import Agent, Interaction, ToolCall, VerificationType

INTERACTION = reader_of(Interaction)


def looks_native(value: Any) -> bool:
    """Whether a value looks like a run in this format, complete or not.

    States of frameworks may have an `answer` too, but beside `messages`.
    """
    if not isinstance(value, dict):
        return False
    named = {"task", "answer"}.intersection(value)
    return len(named) == 2 or (bool(named) and "messages" not in value)


def parse_interaction(data: Any) -> Interaction:
    """Convert a parsed JSON document to an interaction.

    Objects inside `input` and the other free values get their keys sorted, so that an
    interaction is the same value before and after the database.

    Raises:
        FormatError: If a field is missing, unknown, of a wrong type or too long.
    """
    interaction = INTERACTION.read(data)
    kind, turns = interaction.verification_type, interaction.discussion
    if kind and bool(turns) != (kind is VerificationType.MODERATOR):
        needs = "is required" if not turns else "has a meaning only"
        raise FormatError(
            "discussion", f"{needs} where verification_type is moderator."
        )
    return interaction


def as_native(interaction: Interaction) -> dict[str, Any]:
    """Return the document of an interaction, with all fields in a fixed order."""
    return INTERACTION.write(interaction)


def without_unknown(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a run without unknown fields, also of its agent and calls.

    Returns:
        The document without them, and the distinct names: `labels`, `agent.model`,
        `tool_calls[].cost`.
    """
    unknown: dict[str, None] = {}

    def without(value: Any, kind: type, path: str) -> Any:
        if not isinstance(value, dict):
            return value
        result = field_names(kind)
        unknown.update({path + key: None for key in value if key not in result})
        return {key: value[key] for key in value if key in result}

    result: dict[str, Any] = without(data, Interaction, "")
    if "agent" in result:
        result["agent"] = without(result["agent"], Agent, "agent.")
    calls = result.get("tool_calls")
    if isinstance(calls, list):
        result["tool_calls"] = [
            without(call, ToolCall, "tool_calls[].") for call in calls
        ]
    return result, list(unknown)
