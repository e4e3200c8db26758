"""Whose agent gave an answer, as far as the answer says."""

from collections.abc import Mapping
from typing import Any

from verifyhub.ingest.models import Interaction

MAX_LENGTH = 200


def agent_of(answer: Interaction) -> str:
    """Return the agent's name with its version, where one is told; empty for neither.

    Another version is another agent: they need not share an error.
    """
    version = _word(answer.metadata, "agent_version")
    name = answer.agent_name
    return f"{name}/{version}"[:MAX_LENGTH] if name and version else name


def deployment_of(answer: Interaction) -> str:
    """Return the deployment that the answer's `metadata` names; empty for none."""
    return _word(answer.metadata, "deployment")


def _word(metadata: Mapping[str, Any] | None, key: str) -> str:
    value = (metadata or {}).get(key)
    return value[:MAX_LENGTH] if isinstance(value, str) else ""
