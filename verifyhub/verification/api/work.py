"""API: mitigations and deliberations."""

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample
from pydantic import ConfigDict, Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of
from verifyhub.common.api_bodies import body_of, operation, shown, shown_page
from verifyhub.common.contract import ContractModel, Share, invalid_field, reader_of
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.mitigation.choose import choose
from verifyhub.engine.mitigation.text_report import failed_detection
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.engine.reports import Outcome
from verifyhub.ingest.api.idempotency import once
from verifyhub.verification import selectors, services
from verifyhub.verification.api import schemas, work_bodies
from verifyhub.verification.api.replies import replied
from verifyhub.verification.api.views import (
    interaction_or_404,
    interaction_with_outputs,
)
from verifyhub.verification.api.work_examples import (
    DELIBERATE_REQUEST,
    DELIBERATION,
    MITIGATE_REQUEST,
    MITIGATION,
)
from verifyhub.verification.models import Deliberation, Detection, MitigationAttempt
from verifyhub.verification.services.layer_run import Source

MAX_TEXT = 200_000
MAX_SOURCES = 200


Text = Annotated[str, Field(max_length=MAX_TEXT)]
RequiredText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Sources = Annotated[tuple[Source, ...], Field(max_length=MAX_SOURCES)]
Action = Annotated[
    MitigationAction | None,
    Field(description="Default: the action recommended in the verdict's `mitigation`."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest(ContractModel):
    """The mitigation to apply to a stored answer."""

    action: Action = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedLayer(ContractModel):
    """A layer that failed."""

    layer: LayerName
    score: Share
    calibrated: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MitigationRequest(ContractModel):
    """A text that failed, with its context."""

    __pydantic_config__ = ConfigDict(
        **ContractModel.__pydantic_config__,
        json_schema_extra={
            "anyOf": [
                {
                    "required": ["text"],
                    "properties": {"text": {"type": "string", "minLength": 1}},
                },
                {
                    "required": ["detection"],
                    "properties": {"detection": {"type": "string"}},
                },
            ]
        },
    )

    action: Action = None
    text: Text = ""
    task: Text = ""
    sources: Sources = ()
    layers: tuple[FailedLayer, ...] = ()
    """The layers that failed, with their scores."""
    detection: UUID | None = None
    """The id of a stored detection, whose text and failed layers are used."""

    def __post_init__(self) -> None:
        if not self.text and self.detection is None:
            raise invalid_field("text", "is required without a detection.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliberationRequest(ContractModel):
    """A task to deliberate on."""

    task: RequiredText
    draft: Text = ""
    """A first answer; by default, the model writes one."""
    sources: Sources = ()


NOTHING = "No check failed, so there is nothing to mitigate."
WRITTEN = shown(
    work_bodies.MitigationAttemptBody,
    MITIGATION,
    "The mitigation so far; poll while `state` is pending or running. "
    "`offered` is true if there is a text to use.",
)
THOUGHT = shown(work_bodies.DeliberationBody, DELIBERATION, "The steps so far.")


class InteractionMitigate(APIView):
    """Mitigations of an answer."""

    @operation(
        "mitigateInteraction",
        "Mitigate an answer that failed a check",
        scope="ingest",
        tags=["detection"],
        description="For `regenerate` and `decompose_and_retry`, a worker has a model "
        "write another text, which is verified before it is offered. The other actions "
        "return immediately how to show the answer. Each applied action creates an "
        "event.",
        parameters=[schemas.REFERENCE, schemas.IDEMPOTENCY_KEY],
        request=ActionRequest,
        examples=[
            OpenApiExample("As advised", {}, request_only=True),
            OpenApiExample(
                "Write it again", {"action": "regenerate"}, request_only=True
            ),
        ],
        replies={202: WRITTEN},
        refusals={
            409: "There is no verdict yet, no check failed, or "
            f"{schemas.OUTPUTS_REMOVED}."
        },
    )
    def post(self, request: Request, reference: str) -> Response:
        row = interaction_with_outputs(request, reference)
        body = body_of(request, ActionRequest)
        verification = selectors.latest_finished(row)
        if verification is None:
            raise ApiProblem(409, "There is no verdict on this interaction yet.")

        def act() -> tuple[int, Any]:
            mitigation = services.mitigate_answer(
                verification=verification, action=body.action, actor=key_of(request)
            )
            return 202, work_bodies.mitigation(request, mitigation)

        return _begun(request, act)

    @operation(
        "listMitigations",
        "List the mitigations of an answer, newest first",
        scope="read",
        tags=["detection"],
        parameters=[schemas.REFERENCE, *PAGE_PARAMETERS],
        replies={200: shown_page(work_bodies.MitigationAttemptBody, MITIGATION)},
    )
    def get(self, request: Request, reference: str) -> Response:
        row = interaction_or_404(request, reference)
        return page_of(
            selectors.mitigations_of(row.project_id, row.pk),
            request,
            ordering=("-created_at", "-id"),
            body=lambda attempt: work_bodies.mitigation(request, attempt),
        )


class Mitigate(APIView):
    """Do something about a text that belongs to no stored answer."""

    @operation(
        "mitigateText",
        "Mitigate a text that failed",
        scope="ingest",
        description="The recommended action depends on the failed layers, which you "
        "send or which come from a stored detection. Claims of the text and of its "
        "rewrite are checked against `sources`.",
        parameters=[schemas.IDEMPOTENCY_KEY],
        request=MitigationRequest,
        example=MITIGATE_REQUEST,
        replies={202: WRITTEN},
        refusals={
            404: "The project has no such detection.",
            409: "No check failed, and no action was chosen.",
        },
    )
    def post(self, request: Request) -> Response:
        body = body_of(request, MitigationRequest)
        values = _with_detection(key_of(request).project, body)
        advice = choose(detection=failed_detection(values["failed_layers"]))

        def act() -> tuple[int, Any]:
            mitigation = services.mitigate_text(
                project=key_of(request).project,
                **values,
                advice=advice,
                action=body.action,
                actor=key_of(request),
            )
            return 202, work_bodies.mitigation(request, mitigation)

        return _begun(request, act)


class MitigationDetail(APIView):
    """One mitigation of one text."""

    @operation(
        "readMitigation",
        "Read a mitigation",
        scope="read",
        replies={200: WRITTEN},
    )
    def get(self, request: Request, work_id: UUID) -> Response:
        rows = MitigationAttempt.objects.filter(project=key_of(request).project)
        row = get_object_or_404(rows.select_related("interaction"), id=work_id)
        return Response(work_bodies.mitigation(request, row))


class InteractionDeliberate(APIView):
    """Deliberate on a stored answer."""

    @operation(
        "deliberateInteraction",
        "Deliberate on an answer: critique, fact check, synthesis",
        scope="ingest",
        tags=["detection"],
        description="The answer is the draft. Without a model, only the fact check "
        "runs. The synthesis is verified before it is offered.",
        parameters=[schemas.REFERENCE, schemas.IDEMPOTENCY_KEY],
        request=None,
        replies={202: THOUGHT},
        refusals={409: f"There is no evidence: {schemas.OUTPUTS_REMOVED}."},
    )
    def post(self, request: Request, reference: str) -> Response:
        row = interaction_with_outputs(request, reference)

        def act() -> tuple[int, Any]:
            deliberation = services.deliberate_answer(
                interaction=row, actor=key_of(request)
            )
            return 202, work_bodies.deliberation(request, deliberation)

        return _begun(request, act)


class Deliberations(APIView):
    """Deliberate on a task without a run."""

    @operation(
        "deliberate",
        "Deliberate on a task: draft, critique, fact check, synthesis",
        scope="ingest",
        parameters=[schemas.IDEMPOTENCY_KEY],
        request=DeliberationRequest,
        example=DELIBERATE_REQUEST,
        replies={202: THOUGHT},
    )
    def post(self, request: Request) -> Response:
        body = body_of(request, DeliberationRequest)

        def act() -> tuple[int, Any]:
            deliberation = services.deliberate_task(
                project=key_of(request).project,
                actor=key_of(request),
                task=body.task,
                draft=body.draft,
                sources=body.sources,
            )
            return 202, work_bodies.deliberation(request, deliberation)

        return _begun(request, act)


class DeliberationDetail(APIView):
    """One deliberation."""

    @operation(
        "readDeliberation",
        "Read a deliberation and its progress",
        scope="read",
        replies={200: THOUGHT},
    )
    def get(self, request: Request, work_id: UUID) -> Response:
        rows = Deliberation.objects.filter(project=key_of(request).project)
        rows = rows.select_related("interaction", "project")
        row = get_object_or_404(rows, id=work_id)
        return Response(work_bodies.deliberation(request, row))


def _begun(request: Request, act: Any) -> Response:
    try:
        return replied(once(request, act))
    except services.NothingToMitigateError as error:
        raise ApiProblem(409, NOTHING) from error


def _with_detection(project: Project, body: MitigationRequest) -> dict[str, Any]:
    """Add the text and the failed layers of a stored detection, if one is named."""
    sent: dict[str, Any] = {
        "text": body.text,
        "task": body.task,
        "sources": body.sources,
        "failed_layers": [reader_of(FailedLayer).write(layer) for layer in body.layers],
    }
    if body.detection is None:
        return sent
    row = Detection.objects.filter(project=project, id=body.detection).first()
    result = row.detection_result if row else None
    if row is None or result is None:
        raise ApiProblem(404, "This project has no such detection.")
    layers = [
        layer.as_dict() for layer in result.layers if layer.outcome is Outcome.FAILED
    ]
    stored = {
        "text": row.text,
        "task": row.task,
        "sources": row.sources,
        "failed_layers": [
            {name: layer[name] for name in ("layer", "score", "calibrated", "details")}
            for layer in layers
            if layer["score"] is not None
        ],
    }
    return {name: sent[name] or stored[name] for name in sent}
