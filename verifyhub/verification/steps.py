"""The steps that follow a verification in its transaction (`config.steps`).

`config.steps` names the functions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.common.steps import Steps
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.learning.services import JudgedReport
from verifyhub.verification.models import Verification


@dataclass(frozen=True, kw_only=True)
class FinishedVerification(JudgedReport):
    """A report that the engine made, or that was amended.

    Attributes:
        verification: The row, with its interaction, session and project loaded.
        attempt: The number of the attempt that the engine judged, from 1; None if a
            missing opinion was given up, so that the engine did not run.
        before: The report that was amended; None for the first one.
        parent_missing: Whether the answer's parent had not arrived.
        duration_ms: How long the engine ran.
    """

    verification: Verification
    attempt: int | None
    before: VerificationReport | None = None
    parent_missing: bool = False
    duration_ms: int = 0


# A step receives all verifications that one transaction finishes.
Step = Callable[[Sequence[FinishedVerification]], object]

AFTER_VERIFICATION: Steps[Step] = Steps()
# A model's opinion arrived late, or was given up (ADR 0015).
AFTER_AMENDMENT: Steps[Step] = Steps()
# API fields about people's decisions on a verdict.
PEOPLE_OF_VERDICT: Steps[Callable[[Verification], Mapping[str, Any]]] = Steps()
