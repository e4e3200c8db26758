"""The steps that follow a verification in its transaction (`config.steps`).

`config.steps` names the functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from verifyhub.common.steps import Steps
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification


@dataclass(frozen=True, slots=True)
class FinishedVerification:
    """A verification whose report was just written or amended.

    Attributes:
        verification: The row, with its interaction, session and project loaded.
        attempt: The number of the attempt that the engine judged, from 1; None if a
            missing opinion was given up, so that the engine did not run.
        before: The report that was amended; None for the first one.
        parent_missing: Whether the answer's parent had not arrived.
    """

    verification: Verification
    attempt: int | None
    before: VerificationReport | None = None
    parent_missing: bool = False

    @property
    def verification_id(self) -> UUID:
        return self.verification.id

    @property
    def interaction(self) -> Interaction:
        return self.verification.interaction

    @property
    def report(self) -> VerificationReport:
        """The current verdict object."""
        return self.verification.verdict_object


# A step receives all verifications that one transaction finishes.
Step = Callable[[Sequence[FinishedVerification]], object]

AFTER_VERIFICATION: Steps[Step] = Steps()
# A model's opinion arrived late, or was given up (ADR 0015).
AFTER_AMENDMENT: Steps[Step] = Steps()
# API fields about people's decisions on a verdict.
PEOPLE_OF_VERDICT: Steps[Callable[[Verification], Mapping[str, Any]]] = Steps()
