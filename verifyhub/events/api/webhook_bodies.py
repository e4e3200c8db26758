"""Webhooks in the API."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint


class WebhookBody(RowBody):
    """A webhook, without its secrets."""

    id: UUID
    name: str
    url: str
    form: WebhookEndpoint.Form
    types: list[str]
    state: WebhookEndpoint.State
    state_reason: Annotated[str, read_from("reason_words")]
    failures: Count
    failing_since: datetime | None
    last_success_at: datetime | None
    old_secret_until: datetime | None
    created_at: datetime


class NewWebhookBody(WebhookBody):
    """A webhook that was just added, with its secret."""

    secret: str
    """Shown this once; empty where nothing is signed."""


class SecretBody(RowBody):
    """A new secret, shown this once."""

    secret: str
    old_secret_until: datetime | None


class AttemptBody(RowBody):
    """One request to a receiver."""

    created_at: datetime
    status: Count | None
    error: Annotated[str, read_from("error_words")]
    excerpt: str
    duration_ms: Count


class DeliveryBody(RowBody):
    """One event on its way to one receiver."""

    id: UUID
    event: Annotated[UUID, read_from("event_id")]
    """Also the `webhook-id` of every attempt."""
    type: Annotated[str, read_from("event_type")]
    state: WebhookDelivery.State
    attempts: Count
    replays: Count
    last_status: Count | None
    error: Annotated[str, read_from("error_words")]
    next_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


class LoggedDeliveryBody(DeliveryBody):
    """One delivery with every attempt."""

    log: list[AttemptBody]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryQuery(ContractModel):
    """Which deliveries to list."""

    state: WebhookDelivery.State | None = None


class ReplayedBody(RowBody):
    """How many dead letters are sent again."""

    replayed: Count
