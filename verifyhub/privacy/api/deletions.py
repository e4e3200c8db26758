"""API: retention and deletions."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of
from verifyhub.common.api_bodies import RowBody, body_of, operation, shown, shown_page
from verifyhub.common.contract import AS_WHOLE, ContractModel, Count
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.privacy import deletions
from verifyhub.privacy.deletion_forms import MOST_DAYS
from verifyhub.privacy.deletions import DeletionRefusedError
from verifyhub.privacy.models import Deletion, RetentionRule

Days = Annotated[int, Field(ge=1, le=MOST_DAYS), AS_WHOLE]
WORDS = {
    "unknown": "The project has nothing with this name.",
    "too_short": "A person is named by at least three characters.",
    "not_waiting": "The deletion is not waiting to be confirmed.",
    "over": "The deletion is over.",
    "held": "A legal hold keeps it.",
}
DELETION: dict[str, Any] = {
    "id": "6f0c2c52-6b3e-4d6e-9d0e-2f1f5d0f1a11",
    "kind": "session",
    "target": "checkout-42",
    "before": None,
    "state": "counted",
    "asked_by": "ci (vh_abcde…)",
    "looked_at": 3,
    "held": 0,
    "expected": {"runs": 3, "tool_calls": 12, "verdicts": 3, "entries": 2},
    "deleted": {},
    "error": "",
    "created_at": "2026-11-21T10:00:00Z",
    "finished_at": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionDays(ContractModel):
    """Days after which a project deletes stored data; null: never."""

    run_days: Days | None = None
    """Runs with their tool calls, verdicts, decisions and learned data."""
    output_days: Days | None = None
    """Tool inputs and outputs, encrypted values and the trace. They are replaced by
    placeholders; runs and verdicts stay."""
    trace_days: Days | None = None
    """OpenTelemetry traces; runs created from them stay."""
    memory_days: Days | None = None
    """Findings, blockers and gaps, and names without a decision."""
    event_days: Days | None = None
    """Events with their webhook deliveries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeletion(ContractModel):
    """The data to delete."""

    kind: Literal["run", "session", "agent", "person"]
    target: Annotated[str, Field(min_length=1, max_length=Deletion.MAX_TARGET)]
    """Your id or the server's id of the run, the name of the session or agent, or an
    identifier of the person in texts, such as an e-mail address."""


class DeletionBody(RowBody):
    """A deletion with the rows to delete and deleted so far."""

    id: UUID
    kind: Deletion.Kind
    target: str
    before: datetime | None
    state: Deletion.State
    asked_by: str
    looked_at: Count
    held: Count
    expected: dict[str, int]
    """Rows to delete, by kind."""
    deleted: dict[str, int]
    """Rows deleted so far, by kind."""
    error: str
    created_at: datetime
    finished_at: datetime | None


ONE = shown(DeletionBody, DELETION)
OVER = "The deletion has already started or ended."


class RetentionSettings(APIView):
    """The retention settings of a project."""

    @operation(
        "readRetention",
        "Read how long runs, outputs, traces, memory and events are kept",
        scope="read",
        replies={200: RetentionDays},
    )
    def get(self, request: Request) -> Response:
        rule = RetentionRule.objects.filter(project=key_of(request).project).first()
        return Response(_days(rule))

    @operation(
        "putRetention",
        "Set how long runs, outputs, traces, memory and events are kept",
        scope="manage",
        description="Older data is deleted once a day, with a report.",
        request=RetentionDays,
        example={
            "run_days": 365,
            "output_days": 30,
            "trace_days": 14,
            "memory_days": None,
            "event_days": 90,
        },
        replies={200: RetentionDays},
    )
    def put(self, request: Request) -> Response:
        values = body_of(request, RetentionDays)
        rule = deletions.set_retention(
            project=key_of(request).project,
            days=asdict(values),
            actor=key_of(request),
        )
        return Response(_days(rule))


class Deletions(APIView):
    """Requested deletions."""

    @operation(
        "listDeletions",
        "List deletions, newest first",
        scope="manage",
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(DeletionBody, DELETION)},
    )
    def get(self, request: Request) -> Response:
        rows = Deletion.objects.filter(project=key_of(request).project)
        return page_of(rows, request, body=DeletionBody.of)

    @operation(
        "askDeletion",
        "Create a deletion and count its rows",
        scope="manage",
        description="A worker counts the rows. Nothing is deleted until you confirm.",
        request=NewDeletion,
        example={"kind": "session", "target": "checkout-42"},
        replies={202: ONE},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, NewDeletion)
        try:
            row = deletions.open_deletion(
                project=key_of(request).project,
                kind=Deletion.Kind(body.kind),
                target=body.target,
                actor=key_of(request),
            )
        except DeletionRefusedError as error:
            message = WORDS[str(error)]
            raise ApiProblem(422, message, errors=(("target", message),)) from error
        return Response(DeletionBody.of(row), status=202)


class DeletionDetail(APIView):
    """One deletion."""

    @operation(
        "readDeletion",
        "Read a deletion: what it will delete or has deleted",
        scope="manage",
        replies={200: ONE},
    )
    def get(self, request: Request, deletion_id: UUID) -> Response:
        return Response(DeletionBody.of(_project_deletion(request, deletion_id)))


class DeletionConfirm(APIView):
    """Confirm a deletion."""

    @operation(
        "confirmDeletion",
        "Confirm a deletion",
        scope="manage",
        request=None,
        replies={200: ONE},
        refusals={409: OVER},
    )
    def post(self, request: Request, deletion_id: UUID) -> Response:
        return _acted(request, deletion_id, deletions.confirm_deletion)


class DeletionStop(APIView):
    """Stop a deletion."""

    @operation(
        "stopDeletion",
        "Stop a deletion after the current batch",
        scope="manage",
        request=None,
        replies={200: ONE},
        refusals={409: OVER},
    )
    def post(self, request: Request, deletion_id: UUID) -> Response:
        return _acted(request, deletion_id, deletions.stop_deletion)


def _acted(request: Request, deletion_id: UUID, act: Any) -> Response:
    row = _project_deletion(request, deletion_id)
    try:
        act(deletion=row, actor=key_of(request))
    except DeletionRefusedError as error:
        raise ApiProblem(409, WORDS[str(error)]) from error
    return Response(DeletionBody.of(row))


def _days(rule: RetentionRule | None) -> dict[str, int | None]:
    return {name: getattr(rule, name, None) for name in deletions.OLD}


def _project_deletion(request: Request, deletion_id: UUID) -> Deletion:
    rows = Deletion.objects.filter(project=key_of(request).project)
    return get_object_or_404(rows, pk=deletion_id)
