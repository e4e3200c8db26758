"""Mitigations, with stable codes for their reasons."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from verifyhub.common.contract import StoredModel

if TYPE_CHECKING:
    from verifyhub.engine.verdicts import VerificationReport

VERDICT = "verdict"


class MitigationAction(StrEnum):
    """An action against a failed answer, mildest first (the six of requirement E8)."""

    FLAG_UNCERTAIN = "flag_uncertain"
    REQUEST_SOURCES = "request_sources"
    DISCLAIM = "disclaim"
    REGENERATE = "regenerate"
    DECOMPOSE_AND_RETRY = "decompose_and_retry"
    BLOCK = "block"

    @property
    def severity(self) -> int:
        """Its place among all, 0 for the mildest."""
        return list(MitigationAction).index(self)


class MitigationReason(StrEnum):
    """The reason for a mitigation; `REASON_WORDS` has the texts."""

    CLAIM_CONTRADICTED = "claim_contradicted"
    BELOW_BLOCK_LINE = "below_block_line"
    BELOW_PROJECT_LINE = "below_project_line"
    SEVERAL_FACTS_FAILED = "several_facts_failed"
    BELOW_REWRITE_LINE = "below_rewrite_line"
    LAYER_FAILED = "layer_failed"
    EVIDENCE_MISSING = "evidence_missing"
    TOO_FEW_SOURCES = "too_few_sources"
    EVIDENCE_DISAGREES = "evidence_disagrees"
    CLAIM_DOUBTED = "claim_doubted"
    BELOW_FLOOR = "below_floor"
    SENT_BACK = "sent_back"
    FAULTS_TOLERATED = "faults_tolerated"


REASON_WORDS = {
    MitigationReason.CLAIM_CONTRADICTED: "the evidence contradicts a statement",
    MitigationReason.BELOW_BLOCK_LINE: (
        "a layer's score is below the blocking threshold"
    ),
    MitigationReason.BELOW_PROJECT_LINE: (
        "a score is below the project's blocking threshold"
    ),
    MitigationReason.SEVERAL_FACTS_FAILED: "several facts are not supported",
    MitigationReason.BELOW_REWRITE_LINE: "a layer's score is low",
    MitigationReason.LAYER_FAILED: "a layer failed narrowly",
    MitigationReason.EVIDENCE_MISSING: "there is no evidence for a statement",
    MitigationReason.TOO_FEW_SOURCES: "there are too few sources to compare",
    MitigationReason.EVIDENCE_DISAGREES: "the evidence is contradictory",
    MitigationReason.CLAIM_DOUBTED: "a statement differs from the evidence",
    MitigationReason.BELOW_FLOOR: "the layers together stay below the profile's floor",
    MitigationReason.SENT_BACK: "the answer is sent back to its agent",
    MitigationReason.FAULTS_TOLERATED: "the project tolerates the fault",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockingLine:
    """A threshold that a project blocks answers by, with a promise (`conformal`).

    Attributes:
        check: Whose raw score it is compared with: a check's of the report, or
            `verdict` for the verdict's confidence.
        below: Lower scores are blocked, 0..1.
        version: What blocked answers are labelled with.
    """

    check: str
    below: float
    version: str

    def score_in(self, report: "VerificationReport") -> float | None:
        """Return the score of a report that this line is about; None if it has none."""
        if self.check == VERDICT:
            return report.confidence
        scores = (check.score for check in report.checks if check.name == self.check)
        return next(scores, None)

    def blocks(self, report: "VerificationReport") -> bool:
        """Return whether a report has that score, and it is below the line."""
        score = self.score_in(report)
        return score is not None and score < self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class Mitigation(StoredModel):
    """Advice for one answer."""

    action: MitigationAction
    """The first action to take."""
    reason: MitigationReason
    worst: float | None
    """Lowest probability among the failed parts, 0..1; null if nothing failed."""
    block_below: float
    """The blocking threshold that was applied."""
    blocked_by: str = ""
    """Version of the project's threshold, if it blocked the answer."""
    layers: tuple[str, ...] = ()
    """The layers that failed."""
    claims: tuple[int, ...] = ()
    """Positions of the failed claims in the report's `claims`."""
    also: tuple[MitigationAction, ...] = ()
    """Other useful actions, strongest first."""
    text_for_agent: str = ""
    """Text for the next prompt; quotes untrusted text."""
    disclaimer: str = ""
    """A note for readers of the answer, in its language."""
    language: str = "en"
    """Language of the disclaimer."""
