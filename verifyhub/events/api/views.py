"""API: read events from a cursor on."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import LimitedPages, page_parameters
from verifyhub.common.api_bodies import RowBody, operation, read_from, shown
from verifyhub.events.api.examples import PAGE
from verifyhub.events.api.queries import TYPE, chosen_types, whole_number
from verifyhub.events.selectors import events_after


class EventBody(RowBody):
    """One event."""

    id: UUID
    cursor: Annotated[str, read_from("position")]
    """Position of the event; increases, with gaps."""
    type: str
    created_at: datetime
    subject: dict[str, str]
    """The subject of the event: kinds with ids. `name` is your own id of the
    interaction, if you set one."""
    data: dict[str, Any]
    """By type; at most 20 kB."""


class EventPageBody(RowBody):
    """A page of a project's events, oldest first."""

    results: list[EventBody]
    after: str
    """Pass it as `after` to get the next events, at any later time."""
    more: bool
    """Whether more events are available."""


class EventPages(LimitedPages):
    """How many events are read at once; their positions are the cursors."""

    max_page_size = 500


class EventList(APIView):
    """What happened in a project, in the order in which it became true."""

    @operation(
        "listEvents",
        "List events after a cursor",
        scope="read",
        description=(
            "Oldest first. Start without `after`, then pass the `after` of the last "
            "response: each event is returned exactly once. The operator sets how many "
            "days events are kept."
        ),
        parameters=[
            OpenApiParameter(
                "after",
                {"type": "string", "pattern": "^[0-9]{1,18}$"},
                description="`after` of the last response.",
            ),
            TYPE,
            *page_parameters(EventPages.page_size, EventPages.max_page_size)[1:],
        ],
        replies={200: shown(EventPageBody, PAGE)},
    )
    def get(self, request: Request) -> Response:
        query = request.query_params
        after = whole_number(query.get("after") or "0", "after")
        limit = EventPages().get_page_size(request)
        project = key_of(request).project
        rows = events_after(project, after, types=chosen_types(query.getlist("type")))
        events = list(rows[: limit + 1])
        page = events[:limit]
        body = EventPageBody.of(
            None,
            results=page,
            after=page[-1].position if page else after,
            more=len(events) > len(page),
        )
        return Response(body)
