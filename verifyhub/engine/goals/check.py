"""Check goals: the ledger first, then a judge, and both combined (meet rule).

Source: C1 to C3. No judge can call a goal reached that the tool calls deny, and
no failure of a judge is a score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verifyhub.engine.goals.prompts import (
    PROMPT_VERSION,
    SYSTEM,
    goal_document,
    goal_key,
    goal_material,
)
from verifyhub.engine.goals.submission import (
    TOOL,
    GoalSubmission,
    parse_goal_submission,
)
from verifyhub.engine.judging.ask import Controls, ask_judge
from verifyhub.engine.judging.examples import Example, instruction
from verifyhub.engine.ports import (
    HELD_BACK,
    Model,
    ModelError,
    ModelRequest,
    OpinionMemory,
)
from verifyhub.engine.presets.domains import GENERAL, DomainVerifier, choose_domain
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    DeniedWork,
    GoalResult,
    GoalState,
    MentionResult,
    Outcome,
    ReportWarning,
)
from verifyhub.engine.types import Interaction, VerificationType
from verifyhub.engine.warning_codes import WarningCode

NAME, MISLED = "goal", "judge_misled"
# It called the goal reached and named what is missing.
CONTRADICTS_ITSELF = "judge_contradicts_itself"
# Kept of one reply; a judge that lists more says nothing that helps the next try.
MAX_ISSUES = 20
# The judge calls the goal reached, but findings of other checks contradict that.
DISPUTED = "judge_disputed"
MAX_ISSUE_CHARACTERS = 500

_TYPES = {str(kind): kind for kind in VerificationType}
_DENIED = {
    ClaimStatus.CONTRADICTED: "The tool calls show otherwise:",
    ClaimStatus.UNATTEMPTED: "No tool call did this:",
}
_OUTCOMES = {
    GoalState.ACHIEVED: Outcome.PASSED,
    GoalState.NOT_ACHIEVED: Outcome.FAILED,
    GoalState.INCONCLUSIVE: Outcome.INCONCLUSIVE,
    GoalState.NOT_CHECKED: Outcome.SKIPPED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalInputs:
    """The judge, criteria and examples of a goal check.

    Attributes:
        model: The judge; None leaves only what the ledger can say.
        domain: Adds its criteria to the prompt, as data and never as instruction;
            None to choose a built-in one by the run.
        strictness: The preset in force; recorded with the verdict.
        examples: People's decisions on similar answers as a whole.
    """

    model: Model | None = None
    domain: DomainVerifier | None = None
    strictness: Strictness = Strictness.BALANCED
    examples: Sequence[Example] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalOpinion:
    """The result of a goal check, its entry among the checks, and warnings."""

    result: GoalResult
    check: CheckResult
    domain: DomainVerifier = GENERAL
    warnings: tuple[ReportWarning, ...] = ()

    @property
    def misled(self) -> bool:
        """Whether the judge sorted a control name wrongly."""
        return self.result.reason == MISLED


def verification_type(interaction: Interaction) -> VerificationType:
    """Return the role whose goal a run is checked for.

    As stated, else by the agent's role; a discussion makes it a moderator's.
    """
    stated = interaction.verification_type or interaction.agent.role.lower()
    if interaction.discussion and not interaction.verification_type:
        return VerificationType.MODERATOR
    return _TYPES.get(stated, VerificationType.AGENT)


def is_stated(interaction: Interaction) -> bool:
    """Return whether the run itself asks for a goal check."""
    return bool(
        interaction.goal or interaction.verification_type or interaction.discussion
    )


def check_goal(
    interaction: Interaction,
    mentions: Sequence[MentionResult],
    claims: Sequence[CompletionClaim],
    *,
    inputs: GoalInputs,
    disputed: bool = False,
) -> GoalOpinion:
    """Decide whether the goal of a run was reached.

    Claims of work that the ledger contradicts, or finds unattempted, settle it
    without any model: not achieved. Otherwise the judge is asked, where there is one.

    Args:
        interaction: The run; its task stands for a goal that is not given.
        mentions: Names of the answer, settled by the ledger.
        claims: Claims of work done, settled by the ledger.
        inputs: The judge and the criteria of the domain.
        disputed: Whether names or facts of the answer have no evidence, or evidence
            against them: no judge's word calls the goal reached then.
    """
    domain = inputs.domain or choose_domain(interaction)
    opinion = _check(interaction, mentions, claims, domain, inputs)
    if disputed and opinion.result.state is GoalState.ACHIEVED:
        opinion = _unanswered(opinion.result, DISPUTED)
    return replace(opinion, domain=domain)


def _check(
    interaction: Interaction,
    mentions: Sequence[MentionResult],
    claims: Sequence[CompletionClaim],
    domain: DomainVerifier,
    inputs: GoalInputs,
) -> GoalOpinion:
    blank = GoalResult(
        type=verification_type(interaction),
        target=interaction.agent.name,
        goal=interaction.goal or interaction.task,
        stated=is_stated(interaction),
        state=GoalState.NOT_CHECKED,
        domain=domain.name,
        prompt_version=PROMPT_VERSION,
    )
    denied = [claim for claim in claims if claim.status in _DENIED]
    if denied:
        return _opinion(_denied(blank, denied))
    model, reason = inputs.model, _why_not(interaction, blank, inputs)
    if model is None or reason:
        return _opinion(replace(blank, reason=reason))
    blank = replace(blank, source="model", model=model.name)
    document = goal_document(
        interaction, blank.type, mentions, claims, domain.criteria, inputs.examples
    )
    system = instruction(SYSTEM[blank.type], inputs.examples)
    question = goal_key(system, document)
    purpose = f"{NAME}.{blank.type}"
    memory = model if isinstance(model, OpinionMemory) else None
    remembered = memory.recall(purpose=purpose, material=question) if memory else None
    if remembered is not None:
        return _answered(blank, parse_goal_submission(remembered))
    controls = Controls.draw()
    try:
        submission, _ = ask_judge(
            model,
            ModelRequest(
                system=system,
                user=goal_material(document, controls),
                tool=TOOL,
                purpose=purpose,
            ),
            parse=parse_goal_submission,
        )
    except ModelError as error:
        if error.reason in HELD_BACK:
            # A cap kept the judge from being asked: nothing was judged.
            held_back = replace(blank, state=GoalState.NOT_CHECKED, reason=error.reason)
            return _waiting(_opinion(held_back), error)
        return _waiting(_unanswered(blank, error.reason), error)
    if controls.misled(accepted=submission.present, refused=submission.absent):
        return _unanswered(blank, MISLED)
    opinion = _answered(blank, submission)
    if memory and opinion.result.state is not GoalState.INCONCLUSIVE:
        memory.remember(
            purpose=purpose, material=question, opinion=submission.as_arguments()
        )
    return opinion


def _why_not(interaction: Interaction, blank: GoalResult, inputs: GoalInputs) -> str:
    """Return why no judge is asked; empty where one is."""
    if inputs.model is None:
        return "no_model"
    if not blank.goal.strip():
        return "no_goal_stated"
    moderates = blank.type is VerificationType.MODERATOR
    return "no_discussion" if moderates and not interaction.discussion else ""


def _denied(blank: GoalResult, denied: Sequence[CompletionClaim]) -> GoalResult:
    calls = dict.fromkeys(call for claim in denied for call in claim.evidence)
    return replace(
        blank,
        state=GoalState.NOT_ACHIEVED,
        source="ledger",
        reason="claims_not_shown",
        # A contradiction is read in the trace; it is no estimate.
        confidence=None,
        issues=tuple(
            f"{_DENIED[claim.status]} {', '.join(claim.words)}"[:MAX_ISSUE_CHARACTERS]
            for claim in denied[:MAX_ISSUES]
        ),
        denied=tuple(
            DeniedWork(
                status=claim.status, text=", ".join(claim.words)[:MAX_ISSUE_CHARACTERS]
            )
            for claim in denied[:MAX_ISSUES]
        ),
        suggestions=("Do this work, or say that it was not done.",),
        tool_calls=tuple(calls),
    )


def _answered(blank: GoalResult, submission: GoalSubmission) -> GoalOpinion:
    # A judge that names what is missing and still says "achieved" contradicts itself.
    sound = submission.achieved and not submission.issues
    if submission.achieved and not sound:
        with_model = replace(
            blank,
            issues=_shortened(submission.issues),
            suggestions=_shortened(submission.suggestions),
        )
        return _unanswered(with_model, CONTRADICTS_ITSELF)
    result = replace(
        blank,
        state=GoalState.ACHIEVED if sound else GoalState.NOT_ACHIEVED,
        reason="judged",
        confidence=submission.confidence,
        issues=_shortened(submission.issues),
        suggestions=_shortened(submission.suggestions),
    )
    return replace(_opinion(result), warnings=submission.clamped)


def _unanswered(blank: GoalResult, reason: str) -> GoalOpinion:
    misled = reason == MISLED
    result = replace(blank, state=GoalState.INCONCLUSIVE, reason=reason)
    warning = ReportWarning(
        code=WarningCode.JUDGE_MISLED if misled else WarningCode.GOAL_INCONCLUSIVE,
        message=(
            "The judge of the goal sorted a control name wrongly; a reviewer "
            "should check the answer."
            if misled
            else "The check of the goal is inconclusive."
        ),
        details={"reason": reason},
    )
    return replace(_opinion(result), warnings=(warning,))


def _waiting(opinion: GoalOpinion, error: ModelError) -> GoalOpinion:
    """Add to the check when the judge may be asked again, where it is known."""
    if error.retry_after_seconds is None:
        return opinion
    details = {
        **opinion.check.details,
        "retry_after_seconds": error.retry_after_seconds,
    }
    return replace(opinion, check=replace(opinion.check, details=details))


def _opinion(result: GoalResult) -> GoalOpinion:
    outcome = _OUTCOMES[result.state]
    check = CheckResult(
        name=NAME,
        outcome=outcome,
        score=result.confidence if outcome is Outcome.PASSED else None,
        reason="" if outcome is Outcome.PASSED else result.reason,
        details={
            "type": str(result.type),
            "source": result.source,
            **({"model": result.model} if result.model else {}),
        },
    )
    return GoalOpinion(result=result, check=check)


def _shortened(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text[:MAX_ISSUE_CHARACTERS] for text in texts[:MAX_ISSUES])
