"""API: webhooks, their log, and resending."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of
from verifyhub.common.api_bodies import (
    RowBody,
    body_of,
    operation,
    query_of,
    read_from,
    shown,
    shown_page,
)
from verifyhub.common.contract import ContractModel, Count
from verifyhub.events import selectors, services
from verifyhub.events.api import examples
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
    """A new webhook with its secret."""

    secret: str
    """Returned only once; empty if nothing is signed."""


class SecretBody(RowBody):
    """A new secret, returned only once."""

    secret: str
    old_secret_until: datetime | None


class AttemptBody(RowBody):
    """One request to a webhook."""

    created_at: datetime
    status: Count | None
    error: Annotated[str, read_from("error_words")]
    excerpt: str
    duration_ms: Count


class DeliveryBody(RowBody):
    """The delivery of one event to one webhook."""

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
    """One delivery with its attempts."""

    log: list[AttemptBody]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryQuery(ContractModel):
    """Which deliveries to list."""

    state: WebhookDelivery.State | None = None


class ReplayedBody(RowBody):
    """Number of failed deliveries that are resent."""

    replayed: Count


class WebhookList(APIView):
    """The webhooks of a project."""

    @operation(
        "listWebhooks",
        "List webhooks",
        scope="webhooks",
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(WebhookBody, examples.WEBHOOK)},
    )
    def get(self, request: Request) -> Response:
        rows = selectors.webhooks(key_of(request).project)
        return page_of(rows, request, body=WebhookBody.of)

    @operation(
        "addWebhook",
        "Create a webhook",
        scope="webhooks",
        description=(
            "The webhook receives events from now on. The secret is returned only "
            "once: use it with any Standard Webhooks library to verify signatures."
        ),
        request=services.WebhookValues,
        example=examples.WEBHOOK_REQUEST,
        replies={201: shown(NewWebhookBody, examples.NEW_WEBHOOK)},
    )
    def post(self, request: Request) -> Response:
        key, values = key_of(request), body_of(request, services.WebhookValues)
        row, secret = services.add_webhook(
            project=key.project, values=values, actor=key
        )
        body = NewWebhookBody.of(row, secret=secret)
        return Response(body, status=status.HTTP_201_CREATED)


class WebhookDetail(APIView):
    """One webhook."""

    @operation(
        "readWebhook",
        "Read a webhook",
        scope="webhooks",
        replies={200: shown(WebhookBody, examples.WEBHOOK)},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return Response(WebhookBody.of(_project_webhook(request, webhook_id)))

    @operation(
        "changeWebhook",
        "Update, pause or resume a webhook",
        scope="webhooks",
        request=services.WebhookChange,
        example={"state": "paused"},
        replies={200: shown(WebhookBody, examples.WEBHOOK)},
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        key, row = key_of(request), _project_webhook(request, webhook_id)
        body = asdict(body_of(request, services.WebhookChange))
        state = body.pop("state")
        changes = {name: value for name, value in body.items() if value is not None}
        if changes:
            now = {"name": row.name, "url": row.url, "types": row.types}
            values = services.WebhookValues(**{**now, "form": row.form, **changes})
            services.change_webhook(endpoint=row, values=values, actor=key)
        if state == WebhookEndpoint.State.PAUSED:
            services.pause_webhook(endpoint=row, actor=key)
        elif state == WebhookEndpoint.State.ACTIVE:
            services.resume_webhook(endpoint=row, actor=key)
        return Response(WebhookBody.of(row))

    @operation(
        "deleteWebhook",
        "Delete a webhook and its log",
        scope="webhooks",
        replies={204: None},
    )
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        row = _project_webhook(request, webhook_id)
        services.delete_webhook(endpoint=row, actor=key_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecret(APIView):
    """The secret of a receiver, which is replaced and never read."""

    @operation(
        "rotateWebhookSecret",
        "Rotate the secret of a webhook",
        scope="webhooks",
        description="The previous secret also signs until `old_secret_until`.",
        request=services.Rotation,
        example={"overlap_hours": 24},
        replies={200: shown(SecretBody, examples.NEW_SECRET)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        row = _project_webhook(request, webhook_id)
        secret = services.rotate_secret(
            endpoint=row,
            overlap_hours=body_of(request, services.Rotation).overlap_hours,
            now=timezone.now(),
            actor=key_of(request),
        )
        return Response(SecretBody.of(row, secret=secret))


class WebhookTest(APIView):
    """Send a test event."""

    @operation(
        "testWebhook",
        "Send a test event",
        scope="webhooks",
        request=None,
        replies={202: shown(DeliveryBody, examples.DELIVERY)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        row = _project_webhook(request, webhook_id)
        delivery = services.send_test(endpoint=row, actor=key_of(request))
        body = DeliveryBody.of(delivery)
        return Response(body, status=status.HTTP_202_ACCEPTED)


class DeliveryList(APIView):
    """The deliveries of a webhook."""

    @operation(
        "listDeliveries",
        "List the deliveries of a webhook",
        scope="webhooks",
        query=DeliveryQuery,
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(DeliveryBody, examples.DELIVERY)},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        state = query_of(request, DeliveryQuery).state or ""
        rows = selectors.deliveries(_project_webhook(request, webhook_id), state=state)
        return page_of(rows, request, body=DeliveryBody.of)


class DeliveryDetail(APIView):
    """One delivery with its attempts."""

    @operation(
        "readDelivery",
        "Read a delivery with its attempts",
        scope="webhooks",
        replies={200: shown(LoggedDeliveryBody, examples.LOGGED_DELIVERY)},
    )
    def get(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        row = _delivery(request, webhook_id, delivery_id)
        return Response(LoggedDeliveryBody.of(row, log=list(row.log.all())))


class DeliveryReplay(APIView):
    """A delivery that is sent again."""

    @operation(
        "replayDelivery",
        "Send a delivery again",
        scope="webhooks",
        description="Uses the same `webhook-id` and a new timestamp.",
        request=None,
        replies={202: shown(DeliveryBody, examples.DELIVERY)},
        refusals={409: "The delivery is already in progress."},
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        row = _delivery(request, webhook_id, delivery_id)
        if not services.replay_delivery(delivery=row, actor=key_of(request)):
            raise ApiProblem(409, "The delivery is already in progress.")
        body = DeliveryBody.of(row)
        return Response(body, status=status.HTTP_202_ACCEPTED)


class DeadReplay(APIView):
    """All dead letters of a receiver."""

    @operation(
        "replayDeadLetters",
        "Resend all failed deliveries",
        scope="webhooks",
        description="At most 1000 per request, oldest first.",
        request=None,
        replies={202: shown(ReplayedBody, {"replayed": 12})},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        row = _project_webhook(request, webhook_id)
        count = services.replay_dead(endpoint=row, actor=key_of(request))
        return Response({"replayed": count}, status=status.HTTP_202_ACCEPTED)


def _project_webhook(request: Request, webhook_id: UUID) -> WebhookEndpoint:
    return get_object_or_404(selectors.webhooks(key_of(request).project), pk=webhook_id)


def _delivery(request: Request, webhook_id: UUID, delivery_id: UUID) -> WebhookDelivery:
    rows = selectors.deliveries(_project_webhook(request, webhook_id))
    return get_object_or_404(rows, pk=delivery_id)
