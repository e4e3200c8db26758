"""The queue for programs: list items, claim, release and assign them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, cast
from uuid import UUID

from django.forms import CharField, ChoiceField, Form
from django.forms import Field as FormField
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from pydantic import Field, WithJsonSchema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import CURSOR, LIMIT, ApiProblem, LimitedPages, cursor_refused
from verifyhub.common.api_bodies import RowBody, body_of, operation, read_from, refused
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import (
    ANY_TEXT,
    ContractModel,
)
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.review.errors import (
    HeldByOtherError,
    ItemChangedError,
    NotAReviewerError,
)
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import (
    PAGE_SIZE,
    Holder,
    QueueFilterForm,
    UnreadableCursorError,
    assign_items,
    english_words,
    holder_name,
    is_held,
    item_of,
    lease_item,
    lease_next,
    queue_page,
    release_item,
    reviewer_named,
)
from verifyhub.review.visibility import mask_for_programs


class QueueItemBody(RowBody):
    id: UUID
    interaction: Annotated[UUID, read_from("interaction_id")]
    state: ReviewItem.State
    version: int
    verdict: Annotated[str, read_from("machine_verdict")]
    agent: Annotated[str, read_from("agent_name")]
    reasons: list[str]
    reason_kinds: list[str]
    risk: float
    uncertainty: float
    reach: int
    rank: float
    created_at: datetime
    due_at: datetime | None
    assignee: Annotated[str | None, read_from("assignee.username")] = None
    held_by: str | None
    held_until: datetime | None


class QueuePageBody(RowBody):
    results: list[QueueItemBody]
    next_cursor: str | None


class LeaseBody(RowBody):
    item: Annotated[UUID, read_from("item_id")]
    interaction: Annotated[UUID, read_from("interaction_id")]
    token: UUID
    until: datetime


ITEM, LEASE = reply(QueueItemBody), reply(LeaseBody)


def _filter(field: FormField) -> dict[str, Any]:
    if isinstance(field, ChoiceField):
        # An empty value does not filter, as on the page.
        words = [str(choice) for choice, _ in cast(Any, field).choices]
        return {"type": "string", "enum": words}
    longest = cast(CharField, field).max_length
    return {
        "type": "string",
        "minLength": 0,
        "maxLength": longest,
        "pattern": ANY_TEXT,
    }


FILTERS = {name: _filter(known) for name, known in QueueFilterForm.base_fields.items()}
QUEUE_FILTER = {
    "type": "object",
    "properties": FILTERS,
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRequest(ContractModel):
    """The items to claim from."""

    filter: Annotated[dict[str, str], WithJsonSchema(QUEUE_FILTER)] = field(
        default_factory=dict
    )
    """Filters, as in the parameters of the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignRequest(ContractModel):
    """The assignee of an item."""

    assignee: Annotated[str, Field(min_length=1)] | None
    """A user name; null unassigns the item."""


class ByRank(LimitedPages):
    """The page size of the queue; `queue_page` does the paging."""

    page_size = PAGE_SIZE


PAGING: tuple[str, ...] = (CURSOR, LIMIT)


class ItemList(APIView):
    """The items of a project, most urgent first."""

    @operation(
        "listReviewItems",
        "List the review queue, most urgent first",
        scope="review",
        parameters=[
            *(
                # No parameter is empty; `enum` leaves the empty word out.
                OpenApiParameter(name, str, enum=shape["enum"])
                if "enum" in shape
                else OpenApiParameter(name, shape)
                for name, shape in FILTERS.items()
            ),
            OpenApiParameter(
                CURSOR, str, description="`next_cursor` of the previous page."
            ),
            OpenApiParameter(
                LIMIT,
                int,
                description=f"Items per page: default {ByRank.page_size}, at most "
                f"{ByRank.max_page_size:,}.",
            ),
        ],
        replies={200: reply(QueuePageBody)},
    )
    def get(self, request: Request) -> Response:
        filters = _filters(
            {k: str(v) for k, v in request.query_params.items() if k not in PAGING}
        )
        try:
            page = queue_page(
                key_of(request).project_id,
                filters,
                now=timezone.now(),
                cursor=request.query_params.get(CURSOR, ""),
                size=ByRank().get_page_size(request),
            )
        except UnreadableCursorError as error:
            raise cursor_refused() from error
        return Response(
            {
                "results": [_body(item) for item in page.items],
                "next_cursor": page.next_cursor or None,
            }
        )


class NextLease(APIView):
    """Claim the most urgent unclaimed item."""

    @operation(
        "leaseNextReviewItem",
        "Claim the most urgent unclaimed item",
        scope="review",
        request=LeaseRequest,
        replies={200: LEASE, 204: None},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, LeaseRequest)
        lease = lease_next(
            project_id=key_of(request).project_id,
            holder=Holder(api_key=key_of(request)),
            filters=_filters(body.filter),
        )
        return Response(LeaseBody.of(lease)) if lease else Response(status=204)


class ItemLease(APIView):
    """Claim an item or renew the claim."""

    @operation(
        "leaseReviewItem",
        "Claim an item or renew the claim",
        scope="review",
        request=None,
        replies={200: LEASE},
        refusals={409: "Claimed by someone else."},
    )
    def post(self, request: Request, item_id: UUID) -> Response:
        item = _project_item(request, item_id)
        holder = Holder(api_key=key_of(request))
        try:
            return Response(LeaseBody.of(lease_item(item=item, holder=holder)))
        except (HeldByOtherError, ItemChangedError) as error:
            raise ApiProblem(409, str(error)) from error


class ItemRelease(APIView):
    """Release an item."""

    @operation(
        "releaseReviewItem",
        "Release an item",
        scope="review",
        request=None,
        replies={204: None},
        refusals={409: "Not claimed by this key."},
    )
    def post(self, request: Request, item_id: UUID) -> Response:
        holder = Holder(api_key=key_of(request))
        if not release_item(item=_project_item(request, item_id), holder=holder):
            raise ApiProblem(409, "This key has not claimed the item.")
        return Response(status=204)


class ItemAssign(APIView):
    """Assign an item."""

    @operation(
        "assignReviewItem",
        "Assign an item to a user; null unassigns it",
        scope="manage",
        request=AssignRequest,
        replies={200: ITEM},
    )
    def post(self, request: Request, item_id: UUID) -> Response:
        item = _project_item(request, item_id)
        name = body_of(request, AssignRequest).assignee
        person = reviewer_named(item.project_id, name) if name else None
        if name and person is None:
            raise refused("assignee", "is not a reviewer in this project.")
        try:
            assign_items(
                project_id=item.project_id,
                item_ids=[item.pk],
                assignee=person,
                actor=key_of(request),
            )
        except NotAReviewerError as error:
            raise refused("assignee", str(error)) from error
        return Response(_body(_project_item(request, item_id)))


def _project_item(request: Request, item_id: UUID) -> ReviewItem:
    item = item_of(key_of(request).project_id, item_id)
    if item is None:
        raise ApiProblem(404, "This project has no such item.")
    mask_for_programs(item)
    return item


def _filters(sent: Mapping[str, str]) -> dict[str, str]:
    """Read filters like the page; unknown or invalid ones are refused."""
    form = QueueFilterForm(sent)
    refuse_filter(form, sent)
    return form.filters()


def refuse_filter(form: Form, sent: Mapping[str, str]) -> None:
    """Refuse a filter that is unknown to the form of a page, or invalid."""
    for name in sent:
        if name not in form.fields:
            raise refused(f"filter.{name[:100]}", "is unknown.")
    for name, errors in form.errors.items():
        raise refused(f"filter.{name}", str(errors[0]))


def _body(item: ReviewItem) -> dict[str, Any]:
    is_leased = item.state == ReviewItem.State.OPEN and is_held(item, timezone.now())
    return QueueItemBody.of(
        item,
        reasons=english_words(item.reason_facts, item.reasons),
        held_by=holder_name(item) if is_leased else None,
        held_until=item.lease_until if is_leased else None,
    )
