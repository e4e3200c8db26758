"""The four steps of a deliberation and their results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from verifyhub.common.contract import Seconds, StoredModel
from verifyhub.engine.ports import Cost

_NO_COST = Cost()


class StepName(StrEnum):
    """The steps, in their order."""

    DRAFT = "draft"
    CRITIQUE = "critique"
    FACT_CHECK = "fact_check"
    SYNTHESIS = "synthesis"


class StepState(StrEnum):
    """The state of a step."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(StoredModel):
    """One step."""

    name: StepName
    state: StepState = StepState.WAITING
    reason: str = ""
    """Stable code for why it was skipped or failed (`no_model`, `deadline`, `cost`, or
    a model error); `given` for a draft that was sent along."""
    text: str = ""
    """The text written; empty for the fact check."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """`claims` of the fact check; `offered`, `objections` and `verdict` of the
    synthesis."""
    cost: Cost = _NO_COST
    """Cost of this step's calls."""
    latency_seconds: Seconds = 0.0
    """Duration of the step."""
