"""Claims about files and commands, read from the agent's account or from the trace."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from verifyhub.engine.types import Interaction

MAX_CLAIMS = 1000
BLOCK = "structured_output"


class ClaimType(StrEnum):
    """A kind of work that an agent can claim."""

    FILE_WRITE = "file-write"
    FILE_EDIT = "file-edit"
    FILE_DELETE = "file-delete"
    CODE_INSERTED = "code-inserted"
    COMMAND_EXECUTED = "command-executed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelClaim:
    """One claim of the agent: the state of a file, or a command that it ran.

    `index` counts from 0 in the list it came from, `place` is its JSON path. `sha256`
    is in lower case; `before` and `after` are texts that stood, or now stand, in the
    file.
    """

    index: int
    place: str
    type: ClaimType
    path: str = ""
    sha256: str = ""
    before: str | None = None
    after: str | None = None
    command: str = ""

    @property
    def subject(self) -> str:
        """The file or command that it is about."""
        return self.command if self.type is ClaimType.COMMAND_EXECUTED else self.path


def sent_claims(interaction: Interaction) -> tuple[str, list[tuple[int, Any]]]:
    """Return the list that holds claims, by JSON path, and its entries with indexes.

    An agent that sends no block may put typed objects among its `claims`; what else
    stands in that list is free.
    """
    block = interaction.structured_output
    if block is not None:
        claims = block.get("claims") if isinstance(block, Mapping) else None
        return f"{BLOCK}.claims", list(enumerate(claims or []))
    return "claims", [
        (index, claim)
        for index, claim in enumerate(interaction.claims or ())
        if is_typed(claim)
    ]


def is_typed(claim: object) -> bool:
    """Whether an entry of the free list `claims` is a claim that can be checked."""
    return isinstance(claim, Mapping) and claim.get("type") in tuple(ClaimType)


def read_claim(index: int, place: str, data: Mapping[str, Any]) -> LevelClaim:
    """Read a claim whose structure was checked.

    Only the fields that its type needs were; what else it carries is free, and is
    read where it is text.
    """
    kind = ClaimType(data["type"])
    inserted = kind is ClaimType.CODE_INSERTED
    return LevelClaim(
        index=index,
        place=place,
        type=kind,
        path=_text(data, "path") or "",
        sha256=(_text(data, "sha256") or "").lower(),
        before=None if inserted else _text(data, "before"),
        after=_text(data, "anchor" if inserted else "after"),
        command=_text(data, "command") or "",
    )


def _text(data: Mapping[str, Any], name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) else None
