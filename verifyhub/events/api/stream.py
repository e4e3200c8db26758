"""Events as they happen, over one open connection."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)
from rest_framework.request import Request
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import ApiKey
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_bodies import operation
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.events.api.examples import STREAM
from verifyhub.events.api.queries import TYPE, chosen_types, whole_number
from verifyhub.events.selectors import newest_events
from verifyhub.events.streams import EventStream, NoPlaceError

RETRY_SECONDS = 5


class EventStreamView(APIView):
    """What happens in a project, while it happens."""

    content_negotiation_class = ErrorsAsJSON

    @operation(
        "streamEvents",
        "Stream events",
        scope="read",
        description=(
            "Server-sent events: `id` is the event's `cursor`, `event` its type, and "
            "`data` the event as in the list, on one line. To resume a broken "
            "connection without gaps, send `Last-Event-ID`. Without it and without "
            "`after`, the stream starts with the next event. A comment every 15 "
            "seconds keeps the connection open. It closes after ten minutes or when "
            "the server stops; then reconnect. The number of streams is limited: if a "
            "delay of some seconds is acceptable, poll the list."
        ),
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                str,
                OpenApiParameter.HEADER,
                description="`id` of the last event received.",
            ),
            OpenApiParameter(
                "after",
                str,
                description="Same as Last-Event-ID, for clients that cannot send the "
                "header.",
            ),
            TYPE,
        ],
        replies={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.STR, examples=[OpenApiExample("Stream", STREAM)]
            )
        },
        refusals={
            429: "The project has reached its limit of streams.",
            503: "The server has reached its limit of streams.",
        },
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        key = key_of(request)
        types = chosen_types(request.query_params.getlist("type"))
        after = _beginning(request, key)
        try:
            stream = EventStream(key, after, types)
        except NoPlaceError as error:
            limit = "The project" if error.is_projects else "The server"
            raise ApiProblem(
                429 if error.is_projects else 503,
                f"{limit} has reached its limit of event streams.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            ) from error
        return StreamingHttpResponse(
            stream,
            content_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )


def _beginning(request: Request, key: ApiKey) -> int:
    header = request.headers.get("Last-Event-ID")
    if header:
        return whole_number(header, "Last-Event-ID")
    after = request.query_params.get("after")
    if after:
        return whole_number(after, "after")
    newest = newest_events(key.project).first()
    return (newest.position if newest else None) or 0
