"""The interface of judges of claims, and the judgement that one returns (D3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.passages import Candidate
from verifyhub.engine.ports import ModelUsage

JUDGED, MISLED, UNREADABLE, UNCONFIRMED, FAILED = (
    "judged",
    "judge_misled",
    "judge_unreadable",
    "not_confirmed",
    "judge_failed",
)
# The reason of a result whose claim the judge verifies and local signs contradict.
DISPUTED = "judge_disputed"
JUDGE_REASONS = frozenset({JUDGED, MISLED, UNREADABLE, UNCONFIRMED, FAILED, DISPUTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimJudgement:
    """A judge's judgement of one claim.

    Attributes:
        status: UNKNOWN also if the judge gave no verdict.
        reason: `judged`, or a stable code for why there is none: `judge_misled`,
            `judge_unreadable`, `judge_failed`, `not_confirmed`, or the reason of a
            `ModelError`.
        confidence: The probability that the judge gives its own verdict, 0..1; None
            if it gives none.
        deciding: Position of the passage that decided among the candidates.
        against: Positions of passages that speak against the claim, or, where the
            claim is contradicted, of further ones that do.
        nuance: What limits the evidence, in a stable code; empty if nothing does.
        usages: What the calls took.
    """

    status: FactStatus
    reason: str = JUDGED
    confidence: float | None = None
    deciding: int | None = None
    against: tuple[int, ...] = ()
    nuance: str = ""
    usages: tuple[ModelUsage, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether the judge could not be asked, or its word cannot be used."""
        return self.reason not in (JUDGED, UNCONFIRMED)


class ClaimJudge(Protocol):
    """Judges one claim against the passages that were found for it."""

    @property
    def name(self) -> str:
        """The judge's name in the report."""

    @property
    def judged_by(self) -> JudgedBy:
        """Whether it is a model, or an operator's own judge on this machine."""

    def judge(
        self, claim: str, candidates: Sequence[Candidate], *, task: str
    ) -> ClaimJudgement:
        """Judge a claim; a failing model is no exception but a result.

        Args:
            claim: What is judged.
            candidates: At least one passage, best first.
            task: What the user asked for: it says what the claim is about.
        """
