"""The OpenAPI description of the detection service and the settings of checks."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from verifyhub.common.api_bodies import operation, shown
from verifyhub.verification.api.detection_bodies import (
    DetectionBody,
    DetectionRequest,
    LayerRequest,
    RiskRequest,
)
from verifyhub.verification.api.examples import DETECTION
from verifyhub.verification.api.schemas import (
    GONE,
    IDEMPOTENCY_KEY,
    OUTPUTS_REMOVED,
    PREFER,
    REFERENCE,
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
FINISHED = shown(DetectionBody, FINISHED_EXAMPLE, "The result.")
WAITING = shown(DetectionBody, None, "Committed; the result is not ready yet.")

verify_text = operation(
    "detect",
    "Run detection layers over a text",
    scope="ingest",
    description="A 2xx response means that the request is committed. With `Prefer: "
    "wait=N` the response is the result, if it is ready in time.",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request=DetectionRequest,
    example=REQUEST_EXAMPLE,
    replies={200: FINISHED, 202: WAITING},
    refusals={410: GONE},
)
run_layer = operation(
    "runLayer",
    "Run one layer alone over a text",
    scope="ingest",
    parameters=[PREFER, IDEMPOTENCY_KEY],
    request=LayerRequest,
    replies={200: FINISHED, 202: WAITING},
    refusals={410: GONE},
)
assess_risk = operation(
    "assessRisk",
    "Assess the risk of a text by rules",
    scope="read",
    description="Uses rules only, so the response is immediate. If no rule applies, "
    "the level is `medium`, by `default`; a run of layers then asks the project's "
    "model.",
    request=RiskRequest,
    replies={200: OpenApiResponse(ref("Risk"), description="The risk.")},
)
read_detection = operation(
    "readDetection",
    "Read a run of layers",
    scope="read",
    parameters=[PREFER],
    replies={200: FINISHED},
    refusals={410: GONE},
)
answer_layers = operation(
    "runAnswerLayers",
    "Run the layers over a stored answer",
    scope="ingest",
    tags=["detection"],
    parameters=[REFERENCE, PREFER, IDEMPOTENCY_KEY],
    request=LayersRequest,
    replies={200: FINISHED, 202: WAITING},
    refusals={410: GONE, 409: f"There is nothing to check: {OUTPUTS_REMOVED}."},
)
read_settings = operation(
    "readCheckSettings",
    "Read which claims and layers are checked",
    scope="read",
    replies={
        200: OpenApiResponse(
            ref("CheckSettings"),
            description="The active calibrations and blocking threshold.",
            examples=[OpenApiExample("Settings", SETTINGS_EXAMPLE)],
        )
    },
)
put_settings = operation(
    "putCheckSettings",
    "Choose which claims and layers are checked",
    scope="manage",
    description="A profile that no text could pass under the active calibrations is "
    "rejected; the error shows the calculation.",
    request=NewCheckSettings,
    replies={
        200: OpenApiResponse(
            ref("CheckSettings"),
            description="The active calibrations and blocking threshold.",
        )
    },
)
