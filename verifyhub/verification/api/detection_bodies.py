"""API bodies of the detection service."""

from dataclasses import dataclass
from typing import Annotated, Any

from django.http import HttpRequest
from django.urls import reverse
from typing_extensions import TypedDict

from verifyhub.common.contract import (
    ContractModel,
    MomentText,
    UriText,
    UuidText,
    component,
    one_of,
)
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.verification.models import Detection
from verifyhub.verification.services import Caps, LayerNames, LayersRequest, Subject


@dataclass(frozen=True, kw_only=True)
class LayerRequest(Caps, Subject):
    """A text to run one layer over."""

    def layers_request(self, *layers: LayerName) -> LayersRequest:
        """Return the requested layers and limits."""
        return LayersRequest(
            risk=self.risk,
            layers=layers,
            max_latency_ms=self.max_latency_ms,
            max_cost_microdollars=self.max_cost_microdollars,
        )


@dataclass(frozen=True, kw_only=True)
class DetectionRequest(LayerRequest):
    """A text to run layers over."""

    layers: LayerNames = ()
    """Run only these layers, regardless of the profile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRequest(ContractModel):
    """A text to assess the risk of."""

    text: str
    """The text to assess."""
    context: str = ""
    """The context from which the text was generated."""
    risk: RiskLevel | None = None
    """A risk level to use instead of the assessment."""


class DetectionLinksBody(TypedDict):
    self: UriText
    page: UriText


class DetectionBody(TypedDict):
    id: UuidText
    state: Annotated[str, one_of(Detection.State)]
    interaction: UuidText | None
    asked_by: str
    asked: dict[str, Any]
    created_at: MomentText
    finished_at: MomentText | None
    error: str
    result: Annotated[dict[str, Any], component("DetectionResult")] | None
    links: DetectionLinksBody


def body(request: HttpRequest, row: Detection) -> DetectionBody:
    """Return a run of layers as the API's body."""
    ended = row.finished_at
    return {
        "id": str(row.id),
        "state": row.state,
        "interaction": str(row.interaction_id) if row.interaction_id else None,
        "asked_by": row.asked_by,
        "asked": row.asked,
        "created_at": row.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
        "error": row.error,
        "result": row.result,
        "links": {
            "self": request.build_absolute_uri(reverse("api-detection", args=[row.id])),
            "page": request.build_absolute_uri(
                reverse("verification:detection", args=[row.project.slug, row.id])
            ),
        },
    }
