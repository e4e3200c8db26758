"""The OpenAPI description of the detection service and the settings of checks."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from verifyhub.common.api_schema import reply
from verifyhub.verification.api.detection_bodies import (
    DetectionBody,
    DetectionRequest,
    LayerRequest,
    RiskRequest,
)
from verifyhub.verification.api.examples import DETECTION
from verifyhub.verification.api.schemas import (
    BODY_PROBLEMS,
    GONE,
    IDEMPOTENCY_KEY,
    OUTPUTS_REMOVED,
    PREFER,
    REFERENCE,
    UNKNOWN,
    problems,
    ref,
)
from verifyhub.verification.services import LayersRequest, NewCheckSettings

REQUEST_EXAMPLE: dict[str, Any] = {
    "text": "The file was written in 2019.",
    "task": "When was dates.py written?",
    "sources": [{"title": "CHANGELOG", "text": "dates.py: written in 2021."}],
    "risk": "low",
}
FINISHED_EXAMPLE: dict[str, Any] = {
    "id": "0c5f0f5e-6f0b-4f57-9a2b-0d7b8d7d1a10",
    "state": "finished",
    "interaction": None,
    "asked_by": "key ci",
    "asked": {
        "risk": "low",
        "layers": [],
        "max_latency_ms": None,
        "max_cost_microdollars": None,
    },
    "created_at": "2026-11-21T10:00:00+00:00",
    "finished_at": "2026-11-21T10:00:01+00:00",
    "error": "",
    "result": DETECTION,
    "links": {
        "self": "https://hub.example/api/v1/detection/0c5f0f5e…/",
        "page": "https://hub.example/p/acme/detection/0c5f0f5e…/",
    },
}
SETTINGS_EXAMPLE: dict[str, Any] = {
    "claims": "auto",
    "layers": "by_risk",
    "layers_off": ["self_consistency"],
    "entropy_by": "entailment",
    "risk": None,
    "profiles": {"high": {"floor": 0.85}},
    "names": [{"value": "T3", "name": "gold tier"}],
    "deeds": [{"tool": "crm_update_17", "deed": "refund"}],
}
TAGS = ["detection"]
FINISHED = OpenApiResponse(
    reply(DetectionBody),
    description="The result.",
    examples=[OpenApiExample("Finished", FINISHED_EXAMPLE)],
)
WAITING = OpenApiResponse(
    reply(DetectionBody), description="Committed; the result is not ready yet."
)

verify_text = extend_schema(
    operation_id="detect",
    tags=TAGS,
    summary="Run detection layers over a text (scope: ingest)",
    description="A 2xx response means that the request is committed. With `Prefer: "
    "wait=N` the response is the result, if it is ready in time.",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request=DetectionRequest,
    examples=[OpenApiExample("A text", REQUEST_EXAMPLE, request_only=True)],
    responses={200: FINISHED, 202: WAITING, **problems(**BODY_PROBLEMS, **GONE)},
)
run_layer = extend_schema(
    operation_id="runLayer",
    tags=TAGS,
    summary="Run one layer alone over a text (scope: ingest)",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request=LayerRequest,
    responses={
        200: FINISHED,
        202: WAITING,
        **problems(**BODY_PROBLEMS, **GONE, s404="The layer does not exist."),
    },
)
assess_risk = extend_schema(
    operation_id="assessRisk",
    tags=TAGS,
    summary="Assess the risk of a text by rules (scope: read)",
    description="Uses rules only, so the response is immediate. If no rule applies, "
    "the level is `medium`, by `default`; a run of layers then asks the project's "
    "model.",
    request=RiskRequest,
    responses={
        200: OpenApiResponse(ref("Risk"), description="The risk."),
        **problems(**BODY_PROBLEMS),
    },
)
read_detection = extend_schema(
    operation_id="readDetection",
    tags=TAGS,
    summary="Read a run of layers (scope: read)",
    parameters=[PREFER],
    responses={200: FINISHED, **problems(**GONE, s404="The project has no such run.")},
)
answer_layers = extend_schema(
    operation_id="runAnswerLayers",
    tags=TAGS,
    summary="Run the layers over a stored answer (scope: ingest)",
    parameters=[REFERENCE, PREFER, IDEMPOTENCY_KEY],
    request=LayersRequest,
    responses={
        200: FINISHED,
        202: WAITING,
        **problems(
            **UNKNOWN,
            **BODY_PROBLEMS,
            **GONE,
            s409=f"There is nothing to check: {OUTPUTS_REMOVED}.",
        ),
    },
)
read_settings = extend_schema(
    operation_id="readCheckSettings",
    tags=TAGS,
    summary="Read which claims and layers are checked (scope: read)",
    responses={
        200: OpenApiResponse(
            ref("CheckSettings"),
            description="The active calibrations and blocking threshold.",
            examples=[OpenApiExample("Settings", SETTINGS_EXAMPLE)],
        ),
        **problems(),
    },
)
put_settings = extend_schema(
    operation_id="putCheckSettings",
    tags=TAGS,
    summary="Choose which claims and layers are checked (scope: manage)",
    description="A profile that no text could pass under the active calibrations is "
    "rejected; the error shows the calculation.",
    request=NewCheckSettings,
    responses={
        200: OpenApiResponse(
            ref("CheckSettings"),
            description="The active calibrations and blocking threshold.",
        ),
        **problems(**BODY_PROBLEMS),
    },
)
