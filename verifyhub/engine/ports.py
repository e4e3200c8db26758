"""What the engine needs from outside, supplied by whoever calls it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
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


class FileState(StrEnum):
    """What a look at one path gave; `unread` says nothing about the file."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLook:
    """One file as it was found.

    `sha256` and `anchors` (the asked-for texts that stand in it) are None where they
    are not known. `reason` says in a stable word why a file was not read; every path
    that does not lead to a file inside gives the same word, there or not.
    """

    state: FileState
    sha256: str | None = None
    anchors: frozenset[str] | None = None
    reason: str = ""


class FileTree(Protocol):
    """The files of a run, and nothing outside them."""

    @property
    def name(self) -> str:
        """Where its answers come from, as the check records it."""

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        """Look at one file once; never raises for what an agent claims.

        Args:
            path: As the agent wrote it.
            anchors: Texts to search for in it.
        """


class Clock(Protocol):
    """Seconds that only ever grow, from any start."""

    def __call__(self) -> float:
        """Read the clock."""
