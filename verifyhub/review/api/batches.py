"""Batches of verifications, for programs: the filter is that of the list of answers."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from typing_extensions import TypedDict

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of, page_shape
from verifyhub.common.api_bodies import RowBody, body_of, operation, read_from
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import (
    ContractModel,
    Count,
    component,
)
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.review.answer_list.forms import AnswerFilterForm
from verifyhub.review.answer_list.selectors import answers
from verifyhub.review.api.items import refuse_filter
from verifyhub.verification import services
from verifyhub.verification.api.bodies import StateText, VerdictText
from verifyhub.verification.models import Batch
from verifyhub.verification.selectors import batches, progress


class AnswerFilterBody(TypedDict, total=False):
    """Filters for answers; without filters, all answers."""

    text: str
    """Text in the task or answer, or the id."""
    verdict: VerdictText
    agent: str
    """The agent's name."""
    state: StateText


reply(AnswerFilterBody)
AnswerFilter = Annotated[dict[str, str], component("AnswerFilter")]


class BatchBody(RowBody):
    id: UUID
    state: Batch.State
    filter: Annotated[AnswerFilter, read_from("filters")]
    strictness: str | None
    asked_by: str
    total: Count
    done: Count
    failed: Count
    waiting: Count
    created_at: datetime
    ended_at: datetime | None


BATCH = reply(BatchBody)
BATCHES = page_shape(BATCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRequest(ContractModel):
    """The answers to verify again, and the strictness."""

    filter: AnswerFilter
    strictness: Strictness | None = None


class BatchList(APIView):
    """The batches of a project."""

    @operation(
        "listBatches",
        "List batches, newest first",
        scope="read",
        parameters=PAGE_PARAMETERS,
        replies={200: BATCHES},
    )
    def get(self, request: Request) -> Response:
        rows = batches(key_of(request).project)
        return page_of(rows, request, ordering=("-created_at", "-id"), body=_body)

    @operation(
        "openBatch",
        "Verify all answers that match a filter again",
        scope="review",
        request=BatchRequest,
        replies={202: OpenApiResponse(BATCH, description="It runs in the background.")},
        refusals={
            409: "No answers match, too many match, or a batch is already running."
        },
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, BatchRequest)
        form = AnswerFilterForm(body.filter)
        refuse_filter(form, body.filter)
        filters = {name: value for name, value in form.cleaned_data.items() if value}
        project = key_of(request).project
        try:
            batch = services.open_batch(
                project=project,
                interactions=answers(project.id, filters),
                filters=filters,
                strictness=body.strictness,
                actor=key_of(request),
            )
        except services.BatchError as error:
            raise ApiProblem(409, str(error)) from error
        return Response(_body(batch), status=202)


class BatchDetail(APIView):
    """One batch."""

    @operation(
        "readBatch", "Read the progress of a batch", scope="read", replies={200: BATCH}
    )
    def get(self, request: Request, batch_id: UUID) -> Response:
        return Response(_body(_project_batch(request, batch_id)))


class BatchCancel(APIView):
    """Cancel a batch."""

    @operation(
        "cancelBatch",
        "Cancel a batch",
        scope="review",
        request=None,
        replies={200: BATCH},
        refusals={409: "The batch has already ended."},
    )
    def post(self, request: Request, batch_id: UUID) -> Response:
        batch = _project_batch(request, batch_id)
        if not services.cancel_batch(batch=batch, actor=key_of(request)):
            raise ApiProblem(409, "This batch has already ended.")
        return Response(_body(batch))


def _project_batch(request: Request, batch_id: UUID) -> Batch:
    batch = batches(key_of(request).project).filter(id=batch_id).first()
    if batch is None:
        raise ApiProblem(404, "This project has no such batch.")
    return batch


def _body(batch: Batch) -> dict[str, Any]:
    return BatchBody.of(
        batch, strictness=batch.strictness or None, **asdict(progress(batch))
    )
