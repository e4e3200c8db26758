"""The cascade: whether a more expensive check is worth running after the cheaper ones.

The ledger costs nothing and always runs; what it leaves open, and cheap local signs,
are doubts. Later steps run only if there is a doubt, or if the project always wants
them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.prior import Prior
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    Outcome,
    ReportWarning,
    SelfAssessment,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.warning_codes import WarningCode

LOCAL_SIGNALS = "local_signals"


class Asking(StrEnum):
    """When a project's verifications call a model."""

    ALWAYS = "always"
    IN_DOUBT = "when_in_doubt"
    NEVER = "never"


class Doubt(StrEnum):
    """A reason to doubt an answer after the earlier steps."""

    UNVERIFIED_NAMES = "unverified_names"
    OPEN_CLAIMS = "open_claims"
    LOW_CONFIDENCE = "low_confidence"
    LOW_COVERAGE = "low_coverage"
    NOTHING_CHECKED = "nothing_checked"
    LEVEL_OPEN = "level_open"
    NO_TOOL_CALLS = "no_tool_calls"
    OVERCONFIDENT = "overconfident"
    OWN_GAPS = "own_gaps"
    JUDGE_ADDRESSED = "judge_addressed"
    GOAL_OPEN = "goal_open"
    POOR_RECORD = "poor_record"


class Skipped(StrEnum):
    """Why a step of the cascade was skipped."""

    SHORT_ANSWER = "short_answer"
    SWITCHED_OFF = "switched_off"
    NO_MODEL = "no_model"
    ALREADY_REJECTED = "already_rejected"
    NO_DOUBT = "no_doubt"


# Words of the judges' protocol; an agent has no reason to use them.
_PROTOCOL = (
    "submit_verification",
    "submit_goal_verification",
    "names_to_judge",
    "names_found_in_full_output",
    "decided_by_people",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Results of cheap local checks of an answer: doubts, and warnings for readers.

    `prior` is the agent's track record; a poor one is a doubt, a good one has no
    effect.
    """

    doubts: tuple[Doubt, ...] = ()
    warnings: tuple[ReportWarning, ...] = ()
    prior: Prior | None = None

    @property
    def check(self) -> CheckResult:
        """The signs as a check of the report, which decides nothing by itself."""
        return CheckResult(
            name=LOCAL_SIGNALS,
            outcome=Outcome.INCONCLUSIVE if self.doubts else Outcome.PASSED,
            reason=str(self.doubts[0]) if self.doubts else "",
            details={
                "doubts": [str(doubt) for doubt in self.doubts],
                **({"prior": self.prior.as_dict()} if self.prior else {}),
            },
        )


def local_signals(
    interaction: Interaction,
    assessment: SelfAssessment | None,
    thresholds: Thresholds,
    prior: Prior | None = None,
) -> Signals:
    """Return signs that need neither a model nor the ledger's index."""
    doubts: list[Doubt] = []
    warnings: list[ReportWarning] = []
    if not interaction.tool_calls:
        doubts.append(Doubt.NO_TOOL_CALLS)
    over = assessment.overconfidence if assessment else None
    if over is not None and over > thresholds.overconfident_above:
        doubts.append(Doubt.OVERCONFIDENT)
        warnings.append(
            ReportWarning(
                code=WarningCode.OVERCONFIDENT,
                message="The agent's confidence is much higher than the verdict's.",
                details={"by": over},
            )
        )
    if assessment and _is_incomplete(assessment, thresholds):
        doubts.append(Doubt.OWN_GAPS)
    if _addresses_judge(interaction):
        doubts.append(Doubt.JUDGE_ADDRESSED)
        warnings.append(
            ReportWarning(
                code=WarningCode.JUDGE_ADDRESSED,
                message="A text of the run uses words of VerifyHub's own questions to"
                " judges; perhaps it talks to them.",
            )
        )
    if prior is not None and prior.is_poor:
        doubts.append(Doubt.POOR_RECORD)
    return Signals(doubts=tuple(doubts), warnings=tuple(warnings), prior=prior)


def _is_incomplete(assessment: SelfAssessment, thresholds: Thresholds) -> bool:
    share = assessment.completeness
    low = share is not None and share < thresholds.follow_up_below_completeness
    return low or bool(assessment.gaps)


def _addresses_judge(interaction: Interaction) -> bool:
    calls = interaction.tool_calls
    input_text = "\n".join(
        text
        for call in calls
        for _, text in ((0, call.tool), *string_leaves(call.input))
    )
    texts = (
        interaction.task,
        interaction.answer,
        input_text,
        *(c.output for c in calls),
    )
    return any(word in text for word in _PROTOCOL for text in texts)


def ledger_doubts(
    findings: Findings, *, coverage: float, level_open: bool, thresholds: Thresholds
) -> tuple[Doubt, ...]:
    """Return the doubts that the ledger leaves open.

    Args:
        findings: The ledger's findings, before any model.
        coverage: Share of names, claims and values that it could settle.
        level_open: Whether a level could not be settled.
    """
    confidence = findings.confidence
    states = {claim.status for claim in findings.claims}
    settled = bool(
        findings.counted or findings.shows_values or states - {ClaimStatus.UNCHECKED}
    )
    holds = {
        Doubt.NOTHING_CHECKED: not settled,
        Doubt.UNVERIFIED_NAMES: bool(findings.wrong),
        Doubt.OPEN_CLAIMS: bool(
            states & {ClaimStatus.UNATTEMPTED, ClaimStatus.UNCHECKED}
        ),
        Doubt.LOW_CONFIDENCE: confidence is not None
        and confidence < thresholds.uncertain_below_confidence,
        Doubt.LOW_COVERAGE: settled and coverage < thresholds.doubt_below_coverage,
        Doubt.LEVEL_OPEN: level_open,
    }
    return tuple(doubt for doubt, holds_true in holds.items() if holds_true)


def reason_to_skip(
    interaction: Interaction,
    *,
    asking: Asking,
    available: bool,
    doubts: Sequence[Doubt],
    goes_back: Callable[[], bool],
    thresholds: Thresholds,
) -> Skipped | None:
    """Return why the next step of the cascade is skipped; None if it is not.

    Args:
        asking: When the project's verifications call a model.
        available: Whether there is a model for the step.
        doubts: The doubts of the steps before.
        goes_back: Whether the answer is sent back anyway; then it needs no further
            opinion, which could only lower it.
    """
    if len(interaction.answer) <= thresholds.model_above_characters:
        return Skipped.SHORT_ANSWER
    if asking is Asking.NEVER:
        return Skipped.SWITCHED_OFF
    if not available:
        return Skipped.NO_MODEL
    if goes_back():
        return Skipped.ALREADY_REJECTED
    if asking is Asking.ALWAYS or doubts:
        return None
    return Skipped.NO_DOUBT
