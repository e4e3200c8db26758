"""API: the context and the constraints that agents read before their next task."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, cast
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, page_of
from verifyhub.common.api_bodies import (
    RowBody,
    operation,
    query_of,
    read_from,
    refused,
    shown_page,
)
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import MAX_ID, ContractModel, Count
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.engine.memory.formats import ContextFormat
from verifyhub.memory import selectors, services
from verifyhub.memory.effect import effect_in_force
from verifyhub.memory.models import Constraint
from verifyhub.memory.rates import rates

DEFAULT_BUDGET = 1000
MAX_BUDGET = 32_000
MAX_TASK_LENGTH = 20_000
MAX_SEARCH_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery(ContractModel):
    """Parameters of a context."""

    task: Annotated[str, Field(max_length=MAX_TASK_LENGTH)] = ""
    """The agent's next task; entries relevant to it come first."""
    budget: Annotated[int, Field(ge=1, le=MAX_BUDGET)] = DEFAULT_BUDGET
    """Maximum size in tokens, estimated at 4 bytes of UTF-8 each."""
    format: ContextFormat = ContextFormat.JSON
    """`text` is plain text for a prompt, `markdown` a section for AGENTS.md, `mcp` the
    result of `resources/read`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintQuery(ContractModel):
    """Filters of the list of constraints."""

    state: Constraint.State | None = None
    search: Annotated[str, Field(max_length=MAX_SEARCH_LENGTH)] = ""


class LineBody(RowBody):
    """One line of the context; `line` is safe in a prompt, `name` is raw."""

    section: str
    line: str
    name: str
    kind: str
    suggestion: str
    confidence: float | None
    id: str
    """The id of the entry or constraint."""


class ContextBody(RowBody):
    """The memory context of a session."""

    session: str
    known: bool
    """False for a session without runs."""
    estimated_tokens: Count
    text: str
    items: list[LineBody]
    sha256: str
    """Send it as `context_sha256` with the answer for which the context was used."""


class McpContextBody(RowBody):
    """The same as the result of `resources/read` of the Model Context Protocol."""

    contents: list[dict[str, Any]]
    """One resource: `uri`, `mimeType`, `text`, and `_meta` with its hash."""


class ConstraintBody(RowBody):
    """A name that agents of the project repeatedly hallucinate."""

    id: UUID
    kind: Annotated[str, read_from("mention_kind")]
    name: Annotated[str, read_from("text")]
    suggestion: str
    state: Constraint.State
    origin: Constraint.Origin
    pinned: bool
    interaction_count: Count
    session_count: Count
    key_count: Count
    first_seen_at: datetime | None
    last_seen_at: datetime | None
    shadow_at: datetime | None
    confirmed_at: datetime | None
    active_at: datetime | None
    retired_at: datetime | None
    merged_into: Annotated[UUID | None, read_from("merged_into_id")]
    retired_reason: Annotated[str, read_from("why_retired")]
    created_at: datetime


class RateBody(RowBody):
    """A share of the project's answers that arrived in [since, until)."""

    since: datetime
    until: datetime
    count: Annotated[Count, read_from("share.count")]
    n: Annotated[Count, read_from("share.total")]
    share: Annotated[float | None, read_from("share.value")]
    low: Annotated[float | None, read_from("share.low")]
    high: Annotated[float | None, read_from("share.high")]


class RatesBody(RowBody):
    """The hallucination rate of a name before and after it was shared with agents."""

    before: RateBody | None
    after: RateBody | None
    in_shadow: bool
    """Whether `before` was measured during the observation period, without
    selection."""


class ShareBody(RowBody):
    """A share of answers, with its 95 % interval."""

    count: Count
    n: Annotated[Count, read_from("total")]
    share: Annotated[float | None, read_from("value")]
    low: float | None
    high: float | None


class SidesBody(RowBody):
    """Answers that state the name, with and without feedback."""

    told: ShareBody
    not_told: ShareBody
    sessions_told: Count
    sessions_not_told: Count
    difference: Annotated[float | None, read_from("difference.value")]
    """With minus without feedback, -1 to 1; below 0, feedback helps."""
    low: Annotated[float | None, read_from("difference.low")]
    high: Annotated[float | None, read_from("difference.high")]


class EffectBody(RowBody):
    """The effect of feedback on answers that arrived in [since, until)."""

    since: datetime
    until: datetime
    arms: SidesBody
    """By the random arm of the session, while the project has a holdout for
    constraints; "not told" is the holdout."""
    contexts: SidesBody
    """By whether the context that the answer refers to by hash contained the
    constraint."""


class MeasuredConstraintBody(ConstraintBody):
    """A constraint with its effect."""

    rates: RatesBody
    effect: EffectBody | None


def measured(constraint: Constraint) -> dict[str, Any]:
    """Return a constraint with its rates before and after, and its effect."""
    now = timezone.now()
    return MeasuredConstraintBody.of(
        constraint,
        rates=rates(constraint, now=now),
        effect=effect_in_force(constraint, now=now),
    )


CONTEXT_REPLY = {"oneOf": [reply(ContextBody), reply(McpContextBody)]}


class SessionContextView(APIView):
    """The context of a session, by the client's own name for it."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "session_context",
        "Read the memory context of a session",
        scope="read",
        description=(
            "Returns corrections, verified facts, known hallucinations, gaps and the "
            "project's shared constraints, ordered by relevance to the task and then "
            "by age, within a token budget. A session without runs receives the shared "
            "constraints, so the first turn has them too. Names are quoted as data: an "
            "agent's file names cannot forge a line."
        ),
        query=ContextQuery,
        parameters=[OpenApiParameter("session", str, OpenApiParameter.PATH)],
        replies={
            (200, "application/json"): CONTEXT_REPLY,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "text/markdown"): OpenApiTypes.STR,
            304: OpenApiResponse(description="Not modified: matches `If-None-Match`."),
        },
    )
    def get(self, request: Request, session: str) -> HttpResponse:
        if len(session) > MAX_ID:
            raise refused("session", f"must have at most {MAX_ID} characters.")
        query, key = query_of(request, ContextQuery), key_of(request)
        delivered = services.deliver_context(
            project=key.project,
            session_key=session,
            api_key=key,
            task=query.task,
            budget=query.budget,
            format=query.format,
        ).delivered
        reply = HttpResponse(
            delivered.body,
            content_type=delivered.content_type,
            headers={"ETag": f'"{delivered.sha256}"'},
        )
        response = get_conditional_response(
            request._request, etag=reply.headers["ETag"], response=reply
        )
        return cast(HttpResponse, response)


class ConstraintListView(APIView):
    """The project's constraints."""

    @operation(
        "constraints",
        "List constraints: names that agents repeatedly hallucinate",
        scope="read",
        query=ConstraintQuery,
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(ConstraintBody)},
    )
    def get(self, request: Request) -> Response:
        query = query_of(request, ConstraintQuery)
        rows = selectors.constraints(
            key_of(request).project, state=query.state or "", search=query.search
        )
        return page_of(rows, request, body=ConstraintBody.of)


class ConstraintView(APIView):
    """One constraint of the project, with its rates before and after."""

    @operation(
        "constraint",
        "Read a constraint and its hallucination rates",
        scope="read",
        replies={200: reply(MeasuredConstraintBody)},
    )
    def get(self, request: Request, constraint_id: UUID) -> Response:
        rows = selectors.constraints(key_of(request).project)
        row = get_object_or_404(rows.select_related("project"), pk=constraint_id)
        return Response(measured(row))
