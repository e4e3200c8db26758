"""What the engine needs from outside, supplied by whoever calls it."""

from collections.abc import Mapping
from typing import Any, Protocol

from verifyhub.engine.errors import EngineError


class ModelError(EngineError):
    """A model gave no usable reply; `reason` is a stable word for it.

    One of `unreachable`, `deadline`, `refused`, `too_large`, `no_tool_call`,
    `malformed`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class VerifierModel(Protocol):
    """A model that answers with one forced tool call."""

    @property
    def name(self) -> str:
        """The model's name, as it is recorded with the check."""

    def submit(self, *, system: str, user: str, tool: Mapping[str, Any]) -> str:
        """Ask once, and return the arguments of the call as the model wrote them.

        Args:
            system: Instructions of VerifyHub; never holds text of an agent.
            user: The material, as one JSON document.
            tool: `name`, `description` and `parameters` (JSON Schema).

        Raises:
            ModelError: If no such reply arrived within the adapter's limits.
        """
