"""One decision on many answers, as programs follow it."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_schema import reply
from verifyhub.review.api.decision_schemas import BulkActBody
from verifyhub.review.models import Act
from verifyhub.review.selectors import member_counts
from verifyhub.verification.api.schemas import problems


class ActDetail(APIView):
    """Progress of a bulk decision."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="getReviewAct",
        tags=["review"],
        summary="Read the progress of a bulk decision (scope: read)",
        responses={
            200: reply(BulkActBody),
            **problems(s404="The project has no such bulk decision."),
        },
    )
    def get(self, request: Request, act_id: UUID) -> Response:
        act = (
            Act.objects.filter(
                project=key_of(request).project,
                id=act_id,
                kind=Act.Kind.BULK,
            )
            .select_related("reviewer", "api_key")
            .first()
        )
        if act is None:
            raise ApiProblem(404, "This project has no such bulk decision.")
        body: BulkActBody = {
            "id": str(act.id),
            "state": act.state,
            "by": act.by,
            "decision": act.decision,
            "chosen_by": act.chosen_by,
            "answers": member_counts(act),
            "created_at": act.created_at.isoformat(),
            "undone_at": act.undone_at.isoformat() if act.undone_at else None,
        }
        return Response(body)
