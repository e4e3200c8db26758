"""The guard and snapshots in the API."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count
from verifyhub.memory.guard import MAX_TEXT_LENGTH
from verifyhub.memory.models import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRequest(ContractModel):
    """A draft; nothing of it is stored."""

    text: Annotated[
        str, Field(description=f"The draft, up to {MAX_TEXT_LENGTH} code points.")
    ]


class FindingBody(RowBody):
    """One place of a draft where a wrong name stands; all names are data."""

    text: str
    kind: str
    span: Annotated[list[Count], Field(min_length=2, max_length=2)]
    """Half-open, in code points of the draft."""
    reason: Literal["constraint", "not_in_snapshot"]
    suggestion: str | None
    constraint: UUID | None


class GuardBody(RowBody):
    """What is wrong with a draft; `ok` where nothing is."""

    ok: bool
    findings: list[FindingBody]


class SnapshotBody(RowBody):
    """Names that a project has; `pools` says what the snapshot is whole for."""

    name: str
    format: str
    origin: Snapshot.Origin
    pools: Any
    names: Annotated[Count, read_from("name_count")]
    sha256: str
    changed_by: str
    created_at: datetime
    updated_at: datetime
