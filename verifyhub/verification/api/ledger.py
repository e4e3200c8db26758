"""API: the ledger of a run."""

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.common.api_schema import reply
from verifyhub.engine.ledger.shown import LedgerBody
from verifyhub.verification.api import schemas
from verifyhub.verification.api.views import interaction_with_outputs
from verifyhub.verification.selectors import ledger_of


class InteractionLedger(APIView):
    """The ledger of one run, computed on request."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="readLedger",
        tags=["interactions"],
        summary="Read the ledger of a run (scope: read)",
        parameters=[schemas.REFERENCE],
        responses={
            200: OpenApiResponse(
                reply(LedgerBody), description="All tables with their first rows."
            ),
            **schemas.problems(
                **schemas.UNKNOWN,
                s409=f"There is no ledger: {schemas.OUTPUTS_REMOVED}.",
            ),
        },
    )
    def get(self, request: Request, reference: str) -> Response:
        return Response(
            ledger_of(interaction_with_outputs(request, reference)).as_dict()
        )
