"""The verdict object: the complete result of one verification."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from verifyhub.common.contract import Share, StoredModel
from verifyhub.engine.claim_results import ClaimResult, JudgedBy
from verifyhub.engine.layer_results import DetectionResult
from verifyhub.engine.mitigation_results import Mitigation
from verifyhub.engine.ports import Cost
from verifyhub.engine.reports import (
    NOT_COUNTED,
    Action,
    CheckResult,
    CompletionClaim,
    FirstBadStep,
    GoalResult,
    MentionResult,
    NextStep,
    Outcome,
    ReportWarning,
    SelfAssessment,
    Verdict,
)
from verifyhub.engine.value_results import VALUES, ValueResult

_NO_COST = Cost()
_NO_DECISION = NextStep(action=Action.ACCEPT, reason="")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport(StoredModel):
    """The complete result of one verification.

    Its document is the verdict object, schema 1. Documents of earlier versions lack
    fields; a missing field neither asks the agent for anything nor accepts anything.
    """

    schema: Literal[1] = 1
    id: str | None = None
    verdict: Verdict = Verdict.UNCERTAIN
    confidence: Share | None = None
    coverage: Share = 0.0
    completeness: Share | None = None
    mentions: tuple[MentionResult, ...] = ()
    completion_claims: tuple[CompletionClaim, ...] = ()
    values: tuple[ValueResult, ...] = ()
    """Amounts, dates, ids, names and similar values, each with its origin."""
    claims: tuple[ClaimResult, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    gaps: tuple[str, ...] = ()
    warnings: tuple[ReportWarning, ...] = ()
    decision: NextStep = _NO_DECISION
    first_bad_step: FirstBadStep | None = None
    goal: GoalResult | None = None
    strictness: str = "balanced"
    """The preset that was used."""
    explanation: str = ""
    """The verdict explained in two to five sentences."""
    attempt: Annotated[int, Field(ge=1)] = 1
    """Number of the attempt at the subtask."""
    detection: DetectionResult | None = None
    """Risk and detection layers; null if none ran."""
    mitigation: Mitigation | None = None
    cost: Cost = _NO_COST
    self_assessment: SelfAssessment | None = None

    @property
    def counted_mentions(self) -> list[MentionResult]:
        """The names whose reason lets them count for or against the answer."""
        return [
            mention for mention in self.mentions if mention.reason not in NOT_COUNTED
        ]

    @property
    def flagged_mentions(self) -> list[MentionResult]:
        """The names that speak against the answer."""
        return [mention for mention in self.mentions if mention.is_flagged]

    @property
    def flagged_claims(self) -> list[CompletionClaim]:
        """The claims of work done that the trace does not bear out."""
        return [claim for claim in self.completion_claims if claim.is_flagged]

    @property
    def compared_values(self) -> tuple[ValueResult, ...]:
        """The values, where the run is one that can tell of each."""
        check = self.check(VALUES)
        compared = check is not None and check.outcome is not Outcome.SKIPPED
        return self.values if compared else ()

    @property
    def flagged_values(self) -> list[ValueResult]:
        """The values that are not those of the run."""
        return [value for value in self.values if value.is_flagged]

    @property
    def denied_claims(self) -> list[ClaimResult]:
        """The claims of fact that a judge settled the evidence speaks against."""
        return [claim for claim in self.claims if claim.is_denied]

    @property
    def doubted_claims(self) -> list[ClaimResult]:
        """Claims of fact that the evidence leaves in doubt or that no judge settled."""
        return [claim for claim in self.claims if claim.is_doubted]

    @property
    def judged_claims(self) -> list[ClaimResult]:
        """Claims of fact that were compared with evidence."""
        return [
            claim for claim in self.claims if claim.judged_by is not JudgedBy.NOBODY
        ]

    @property
    def facts(self) -> list[ClaimResult]:
        """Its claims that state a fact; opinions, plans and questions do not."""
        return [claim for claim in self.claims if claim.is_factual]

    @property
    def has_faults(self) -> bool:
        """Whether the answer has faults that a rewrite could correct."""
        return bool(
            self.mitigation
            or self.flagged_mentions
            or self.flagged_claims
            or self.denied_claims
        )

    def check(self, name: str) -> CheckResult | None:
        """Return the check of this name, if it is there."""
        return next((check for check in self.checks if check.name == name), None)

    @property
    def warning_codes(self) -> frozenset[str]:
        """The codes of its warnings."""
        return frozenset(warning.code for warning in self.warnings)
