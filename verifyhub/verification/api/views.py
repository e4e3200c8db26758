"""API: interactions and their verdicts."""

from collections.abc import Callable
from typing import Any

from django.db.models import Prefetch
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem, RunParser, page_of
from verifyhub.common.api_bodies import body_of
from verifyhub.common.contract import FormatError
from verifyhub.ingest.api.idempotency import idempotency_key, once
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import find_interaction, interactions
from verifyhub.ingest.services import (
    ClientIdConflictError,
    StoredReply,
    UnknownParentError,
    check_parent,
    record_interaction,
    replace_reply,
)
from verifyhub.verification import selectors
from verifyhub.verification.api import bodies, schemas
from verifyhub.verification.api.preferences import preferred_wait, wait_until_done
from verifyhub.verification.api.reading_order import in_reading_order
from verifyhub.verification.api.replies import replied, room_for
from verifyhub.verification.api.schemas import ReverifyRequest
from verifyhub.verification.models import Verification
from verifyhub.verification.services import VerificationRunningError, reverify


class InteractionList(APIView):
    parser_classes = (RunParser,)

    @schemas.post_interaction
    def post(self, request: Request) -> Response:
        try:
            interaction = parse_interaction(request.data)
        except FormatError as error:
            raise ApiProblem(
                400,
                f"The interaction is invalid: {error}",
                errors=((error.field, error.message),),
            ) from error
        key = key_of(request)
        rows: list[Interaction] = []

        def act() -> tuple[int, Any]:
            room_for(request)
            check_parent(project=key.project, interaction=interaction)
            row, is_new = record_interaction(
                project=key.project, api_key=key, interaction=interaction
            )
            rows.append(row)
            # Nobody can have claimed what is not committed yet.
            state = Verification.State.PENDING if is_new else _newest(row).state
            return 202, bodies.accepted(request, row, state)

        try:
            reply = once(request, act)
        except ClientIdConflictError as error:
            raise ApiProblem(409, str(error), errors=(("id", str(error)),)) from error
        except UnknownParentError as error:
            message = "is not an interaction of this project."
            raise ApiProblem(
                422,
                f"The interaction is invalid: parent: {message}",
                errors=(("parent", message),),
            ) from error
        if reply.replayed:
            return replied(reply)
        return _after_waiting(request, rows[0], reply)

    @schemas.list_interactions
    def get(self, request: Request) -> Response:
        rows = interactions(key_of(request).project).prefetch_related(
            "project",
            Prefetch(
                "verifications",
                queryset=Verification.objects.defer("report").order_by("-number"),
                to_attr="newest_first",
            ),
        )
        if session := request.query_params.get("session"):
            rows = rows.filter(session__key=session)
        return page_of(
            rows,
            request,
            body=lambda row: bodies.summary(
                request, row, next(iter(row.newest_first), None)
            ),
            size=schemas.PAGE_SIZE,
            most=schemas.MAX_PAGE_SIZE,
        )


class InteractionDetail(APIView):
    @schemas.read_interaction
    def get(self, request: Request, reference: str) -> Response:
        row = interaction_or_404(request, reference)
        newest = selectors.latest_verification(row)
        return Response(
            bodies.detail(request, row, newest, selectors.latest_finished(row))
        )


class InteractionVerdict(APIView):
    @schemas.read_verdict
    def get(self, request: Request, reference: str) -> Response:
        row = interaction_or_404(request, reference)
        newest = _newest(row)
        applied = _wait(request, newest)
        judged = selectors.latest_finished(row)
        if judged:
            verdict = in_reading_order(judged.verdict_object.as_dict())
            return Response(verdict, headers=applied)
        if newest.state == Verification.State.FAILED:
            raise ApiProblem(
                409,
                "The verification failed three times, so there is no verdict. Start "
                "another one with POST to reverify/.",
            )
        reply = StoredReply(202, bodies.accepted(request, row, newest.state))
        return replied(reply, applied)


class InteractionLedger(APIView):
    """The ledger of one run, computed on request."""

    @schemas.read_ledger
    def get(self, request: Request, reference: str) -> Response:
        row = interaction_with_outputs(request, reference)
        return Response(selectors.ledger_of(row).as_dict())


class InteractionReverify(APIView):
    @schemas.reverify_interaction
    def post(self, request: Request, reference: str) -> Response:
        row = interaction_with_outputs(request, reference)
        return _verified_again(
            request, row, lambda: reverify(interaction=row, actor=key_of(request))
        )


class InteractionVerifications(APIView):
    """The verifications of an interaction, with a choice of strictness.

    Choosing the strictness requires the scope `review`, so that an agent's own key
    cannot have its answers verified with a looser preset.
    """

    @schemas.list_verifications
    def get(self, request: Request, reference: str) -> Response:
        row = interaction_or_404(request, reference)
        rows = row.verifications.defer("report")
        return page_of(rows, request, ordering=("-number",), body=bodies.run)

    @schemas.open_verification
    def post(self, request: Request, reference: str) -> Response:
        row = interaction_with_outputs(request, reference)
        options = body_of(request, ReverifyRequest)

        return _verified_again(
            request,
            row,
            lambda: reverify(
                interaction=row,
                actor=key_of(request),
                strictness=options.strictness,
                with_layers=options.layers,
            ),
            shows_run=True,
        )


def _verified_again(
    request: Request,
    row: Interaction,
    begin: Callable[[], Verification],
    *,
    shows_run: bool = False,
) -> Response:
    def act() -> tuple[int, Any]:
        verification = begin()
        body = bodies.accepted(request, row, verification.state)
        if shows_run:
            body["verification"] = bodies.run(verification)
        return 202, body

    try:
        reply = once(request, act)
    except VerificationRunningError as error:
        raise ApiProblem(
            409, "A verification of this interaction is already pending."
        ) from error
    if reply.replayed:
        return replied(reply)
    return _after_waiting(request, row, reply)


def interaction_or_404(request: Request, reference: str) -> Interaction:
    row = find_interaction(key_of(request).project, reference)
    if row is None:
        raise ApiProblem(404, "This project has no such interaction.")
    return row


def interaction_with_outputs(request: Request, reference: str) -> Interaction:
    """Return the interaction, or refuse if its tool outputs were removed."""
    row = interaction_or_404(request, reference)
    if row.outputs_removed_at is not None:
        raise ApiProblem(
            409,
            "Its tool inputs and outputs were deleted at "
            f"{row.outputs_removed_at:%Y-%m-%dT%H:%M:%SZ}; it cannot be verified "
            "again.",
        )
    return row


def _newest(row: Interaction) -> Verification:
    newest = selectors.latest_verification(row)
    if newest is None:
        raise ApiProblem(404, "No verification of this interaction was requested.")
    return newest


def _wait(request: Request, verification: Verification) -> dict[str, str]:
    """Wait as long as the client prefers; the headers say if that was done."""
    seconds = preferred_wait(request)
    if seconds is None or not wait_until_done(verification, seconds):
        return {}
    return {"Preference-Applied": f"wait={seconds}"}


def _after_waiting(request: Request, row: Interaction, reply: StoredReply) -> Response:
    """The verdict if it is there in the time the client prefers to wait, else 202."""
    if preferred_wait(request) is None:
        return replied(reply)
    newest = _newest(row)
    applied = _wait(request, newest)
    if not applied or newest.state != Verification.State.FINISHED:
        return replied(reply, applied)
    verdict = in_reading_order(newest.verdict_object.as_dict())
    replace_reply(
        api_key=key_of(request),
        key=idempotency_key(request),
        status_code=200,
        body=verdict,
    )
    location = {"Location": bodies.links(request, row)["self"]}
    return Response(verdict, headers={**location, **applied})
