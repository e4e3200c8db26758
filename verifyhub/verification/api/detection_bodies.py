"""API bodies of the detection service."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from typing_extensions import TypedDict

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import (
    ContractModel,
    UriText,
    component,
)
from verifyhub.common.queued_row import WorkState
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


class DetectionBody(RowBody):
    id: UUID
    state: WorkState
    interaction: Annotated[UUID | None, read_from("interaction_id")]
    asked_by: str
    asked: dict[str, Any]
    created_at: datetime
    finished_at: datetime | None
    error: str
    result: Annotated[dict[str, Any], component("DetectionResult")] | None
    links: DetectionLinksBody


def body(request: HttpRequest, row: Detection) -> dict[str, Any]:
    """Return a run of layers as the API's body."""
    own = reverse("api-detection", args=[row.id])
    page = reverse("verification:detection", args=[row.project.slug, row.id])
    links = {"self": own, "page": page}
    return DetectionBody.of(
        row,
        links={name: request.build_absolute_uri(links[name]) for name in links},
    )
