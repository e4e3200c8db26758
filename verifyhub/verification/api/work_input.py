"""What may be sent to mitigate a text or to deliberate on a task."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from verifyhub.common.contract import ContractModel, Share, wrong
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.verification.services.layer_run import Source

MAX_TEXT = 200_000
MAX_SOURCES = 200


Text = Annotated[str, Field(max_length=MAX_TEXT)]
RequiredText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
Sources = Annotated[tuple[Source, ...], Field(max_length=MAX_SOURCES)]
Action = Annotated[
    MitigationAction | None,
    Field(description="Left out: what the verdict's `mitigation` advises."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest(ContractModel):
    """Which action to take on a stored answer."""

    action: Action = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedLayer(ContractModel):
    """A layer that failed."""

    layer: LayerName
    score: Share
    calibrated: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MitigationRequest(ContractModel):
    """A text that failed, with what is known of it."""

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
    """A stored detection: its text and its failed layers are taken."""

    def __post_init__(self) -> None:
        if not self.text and self.detection is None:
            raise wrong("text", "is required, where no detection is named.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliberationRequest(ContractModel):
    """A task to deliberate on."""

    task: RequiredText
    draft: Text = ""
    """A first answer; left out, the model writes one."""
    sources: Sources = ()
