"""An event as plain data, and a request that carries it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One event: `subject` from kind to id, `data` by type, as docs/api.md says."""

    id: str
    type: str
    occurred_at: datetime
    position: int
    project: str
    subject: Mapping[str, str]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A request as it is to be sent; its headers may hold secrets."""

    url: str
    body: bytes
    headers: Mapping[str, str] = field(repr=False)
