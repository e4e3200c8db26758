"""API of the detection service: layers over a text, its risk, and stored runs."""

from collections.abc import Callable
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_bodies import body_of
from verifyhub.engine.layer_results import LayerName
from verifyhub.ingest.api.idempotency import once
from verifyhub.verification.api import detection_bodies as bodies
from verifyhub.verification.api import detection_schemas as schemas
from verifyhub.verification.api.preferences import (
    deleted_meanwhile,
    preferred_wait,
    wait_until_done,
)
from verifyhub.verification.api.views import interaction_with_outputs
from verifyhub.verification.models import Detection
from verifyhub.verification.selectors import detections
from verifyhub.verification.services import (
    LayersRequest,
    Subject,
    assess_by_rules,
    open_answer_detection,
    open_detection,
)

RETRY_AFTER_SECONDS = "1"


class DetectionVerify(APIView):
    """Layers over a text, as the profile of its risk has them."""

    @schemas.verify_text
    def post(self, request: Request) -> Response:
        body = body_of(request, bodies.DetectionRequest)
        return _run(request, body, body.layers_request(*body.layers))


class DetectionLayer(APIView):
    """One layer alone."""

    @schemas.run_layer
    def post(self, request: Request, name: str) -> Response:
        if name not in set(LayerName):
            raise ApiProblem(
                404, f"This layer does not exist. Layers: {', '.join(LayerName)}."
            )
        body = body_of(request, bodies.LayerRequest)
        return _run(request, body, body.layers_request(LayerName(name)))


class DetectionRisk(APIView):
    """The risk of a text."""

    @schemas.assess_risk
    def post(self, request: Request) -> Response:
        body = body_of(request, bodies.RiskRequest)
        risk = assess_by_rules(
            key_of(request).project,
            text=body.text,
            context=body.context,
            level=body.risk,
        )
        return Response(risk.as_dict())


class DetectionDetail(APIView):
    """A run of layers."""

    @schemas.read_detection
    def get(self, request: Request, detection_id: UUID) -> Response:
        row = detections(key_of(request).project).filter(pk=detection_id).first()
        if row is None:
            raise ApiProblem(404, "This project has no such detection.")
        return _detection_response(request, row, status=200)


class InteractionLayers(APIView):
    """Layers over a stored answer."""

    @schemas.answer_layers
    def post(self, request: Request, reference: str) -> Response:
        interaction = interaction_with_outputs(request, reference)
        body = body_of(request, LayersRequest)

        return _reply(
            request,
            lambda: open_answer_detection(
                interaction=interaction, layers_request=body, actor=key_of(request)
            ),
        )


def _run(request: Request, subject: Subject, layers_request: LayersRequest) -> Response:
    return _reply(
        request,
        lambda: open_detection(
            project=key_of(request).project,
            subject=subject,
            layers_request=layers_request,
            actor=key_of(request),
        ),
    )


def _reply(request: Request, make: Callable[[], Detection]) -> Response:
    """Open a run once for each idempotency key, and wait as the client prefers."""
    reply = once(request, lambda: (202, bodies.body(request, make())))
    rows = Detection.objects.select_related("project")
    row = rows.filter(pk=reply.body["id"]).first()
    if row is None:
        raise deleted_meanwhile()
    response = _detection_response(request, row, status=202)
    if reply.replayed:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _detection_response(request: Request, row: Detection, *, status: int) -> Response:
    """Tell of a run: 200 with its result once it has ended."""
    seconds = preferred_wait(request)
    headers = {}
    if seconds is not None and wait_until_done(row, seconds):
        headers["Preference-Applied"] = f"wait={seconds}"
    body = bodies.body(request, row)
    if row.state in Detection.WAITING:
        headers["Retry-After"] = RETRY_AFTER_SECONDS
        headers["Location"] = body["links"]["self"]
    else:
        status = 200
    return Response(body, status=status, headers=headers)
