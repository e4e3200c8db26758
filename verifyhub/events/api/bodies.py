"""Events in the API."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from verifyhub.common.api_bodies import RowBody, read_from


class EventBody(RowBody):
    """One event."""

    id: UUID
    cursor: Annotated[str, read_from("position")]
    """Its place in the order; rises, with gaps."""
    type: str
    created_at: datetime
    subject: dict[str, str]
    """What it is about, from kind to id. `name` is your own id of the interaction,
    where you gave one."""
    data: dict[str, Any]
    """By type; at most 20 kB."""


class EventPageBody(RowBody):
    """A stretch of a project's events, oldest first."""

    results: list[EventBody]
    after: str
    """Send it as `after` for what comes next, however much later."""
    more: bool
    """Whether more are there already."""
