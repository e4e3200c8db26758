"""API: legal holds."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of, page_shape
from verifyhub.common.api_bodies import RowBody, body_of, operation
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.privacy.holds import HoldRefusedError, place_hold, release_hold
from verifyhub.privacy.models import LegalHold

WORDS = {
    "unknown": "The project has nothing with this name.",
    "held": "A legal hold keeps it already.",
    "released": "The hold is released already.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLegalHold(ContractModel):
    """The data to keep until the hold is released."""

    kind: Literal["project", "run", "session", "agent"]
    target: Annotated[str, Field(max_length=200)] = ""
    """Your id or the server's id of the run, or the name of the session or agent; empty
    for the project."""
    reason: Annotated[str, Field(min_length=1, max_length=LegalHold.MAX_REASON)]
    """The reason; stored in the audit log."""


class LegalHoldBody(RowBody):
    """Data protected from deletion, with reason and start."""

    id: UUID
    kind: LegalHold.Kind
    target: str
    reason: str
    placed_by: str
    created_at: datetime
    released_by: str
    released_at: datetime | None


HOLD = reply(LegalHoldBody)
HOLDS = page_shape(HOLD)


class LegalHolds(APIView):
    """The holds of a project, active and released."""

    @operation(
        "listLegalHolds",
        "List legal holds, newest first",
        scope="manage",
        parameters=PAGE_PARAMETERS,
        replies={200: HOLDS},
    )
    def get(self, request: Request) -> Response:
        rows = LegalHold.objects.filter(project=key_of(request).project)
        return page_of(
            rows, request, ordering=("-created_at", "-id"), body=LegalHoldBody.of
        )

    @operation(
        "placeLegalHold",
        "Create a legal hold on a project, session, agent or run",
        scope="manage",
        description="The data cannot be deleted, by people or by retention, until the "
        "hold is released. While any hold is active, retention does not delete traces, "
        "memory or events of the project.",
        request=NewLegalHold,
        example={
            "kind": "session",
            "target": "checkout-42",
            "reason": "Complaint 2026-117",
        },
        replies={201: OpenApiResponse(HOLD, description="The legal hold.")},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, NewLegalHold)
        try:
            hold = place_hold(
                project=key_of(request).project,
                kind=LegalHold.Kind(body.kind),
                target=body.target,
                reason=body.reason,
                actor=key_of(request),
            )
        except HoldRefusedError as error:
            message = WORDS[str(error)]
            raise ApiProblem(422, message, errors=(("target", message),)) from error
        return Response(LegalHoldBody.of(hold), status=201)


class LegalHoldRelease(APIView):
    """Release a hold."""

    @operation(
        "releaseLegalHold",
        "Release a legal hold",
        scope="manage",
        request=None,
        replies={200: HOLD},
        refusals={409: "The hold is already released."},
    )
    def post(self, request: Request, hold_id: UUID) -> Response:
        rows = LegalHold.objects.filter(project=key_of(request).project)
        hold = rows.filter(pk=hold_id).first()
        if hold is None:
            raise ApiProblem(404, "This project has no such hold.")
        try:
            release_hold(hold=hold, actor=key_of(request))
        except HoldRefusedError as error:
            raise ApiProblem(409, WORDS[str(error)]) from error
        return Response(LegalHoldBody.of(hold))
