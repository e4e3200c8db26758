"""What agents read before their next task."""

from typing import Any, cast
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, page_of, page_shape
from verifyhub.common.api_bodies import query_of, refused
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import MAX_ID
from verifyhub.common.negotiation import ErrorsAsJSON
from verifyhub.memory import selectors, services
from verifyhub.memory.api.bodies import (
    ConstraintBody,
    ConstraintQuery,
    ContextBody,
    ContextQuery,
    McpContextBody,
    MeasuredConstraintBody,
    measured,
)

CONTEXT_REPLY = {"oneOf": [reply(ContextBody), reply(McpContextBody)]}


class SessionContextView(APIView):
    """The context of a session, by the client's own name for it."""

    required_scopes = {"GET": "read"}
    content_negotiation_class = ErrorsAsJSON

    @extend_schema(
        operation_id="session_context",
        summary="Read what a session's agent should be told next",
        description=(
            "Corrections, verified facts, known hallucinations, gaps and the project's"
            " shared constraints, ordered by relevance to the task and then by age,"
            " within a token budget. A session that has sent nothing yet gets the"
            " shared constraints, so that the first turn profits too. Names are quoted"
            " data: whatever an agent called its files, no line is forged."
        ),
        parameters=[
            OpenApiParameter("session", str, OpenApiParameter.PATH),
            cast(Any, ContextQuery),
        ],
        responses={
            (200, "application/json"): CONTEXT_REPLY,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "text/markdown"): OpenApiTypes.STR,
            304: OpenApiResponse(description="It is what `If-None-Match` names."),
        },
    )
    def get(self, request: Request, session: str) -> HttpResponse:
        if len(session) > MAX_ID:
            raise refused("session", f"must have at most {MAX_ID} characters.")
        asked, key = query_of(request, ContextQuery), key_of(request)
        told = services.deliver_context(
            project=key.project,
            session_key=session,
            api_key=key,
            task=asked.task,
            budget=asked.budget,
            format=asked.format,
        ).delivered
        reply = HttpResponse(
            told.body,
            content_type=told.content_type,
            headers={"ETag": f'"{told.sha256}"'},
        )
        known = get_conditional_response(
            request._request, etag=reply.headers["ETag"], response=reply
        )
        return cast(HttpResponse, known)


class ConstraintListView(APIView):
    """The project's constraints."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="constraints",
        summary="List the names that agents of the project keep inventing",
        parameters=[cast(Any, ConstraintQuery), *PAGE_PARAMETERS],
        responses={200: page_shape(reply(ConstraintBody))},
    )
    def get(self, request: Request) -> Response:
        query = query_of(request, ConstraintQuery)
        rows = selectors.constraints(
            key_of(request).project, state=query.state or "", search=query.search
        )
        return page_of(rows, request, body=ConstraintBody.of)


class ConstraintView(APIView):
    """One constraint of the project, with the rates before and after."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="constraint",
        summary="Read one constraint and how often its name is invented",
        responses={200: reply(MeasuredConstraintBody)},
    )
    def get(self, request: Request, constraint_id: UUID) -> Response:
        rows = selectors.constraints(key_of(request).project)
        row = get_object_or_404(rows.select_related("project"), pk=constraint_id)
        return Response(measured(row))
