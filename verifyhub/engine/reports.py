"""The frozen values that the engine gives back, and the verdict object they make."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from verifyhub.engine.ports import Cost
from verifyhub.engine.types import MentionKind, Span, VerificationType

if TYPE_CHECKING:
    from verifyhub.engine.claim_results import ClaimResult
    from verifyhub.engine.layer_results import DetectionResult
    from verifyhub.engine.mitigation.model import Mitigation

VERDICT_SCHEMA = 1
_NO_COST = Cost()
# Places of one name that a verdict shows.
MOST_PLACES = 5


class Status(StrEnum):
    """Whether a mention was found in evidence that may be trusted."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"


class Grade(StrEnum):
    """How far a piece of evidence may be trusted; D never verifies.

    A: VerifyHub looked itself. B: a trace signed by a tool gateway. C: the
    agent-reported output of a successful call. D: the agent's own words.
    """

    A = "A"
    B = "B"
    C = "C"
    D = "D"


class Outcome(StrEnum):
    """How one check ended; inconclusive and skipped carry no score."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    SKIPPED = "skipped"


class Verdict(StrEnum):
    """The judgement of an answer."""

    ACCEPT = "accept"
    UNCERTAIN = "uncertain"
    REJECT = "reject"


class Action(StrEnum):
    """What the policy asks of the agent next (SPEC A8)."""

    ACCEPT = "accept"
    RETRY = "retry"
    REFORMULATE = "reformulate"
    FOLLOW_UP = "follow_up"
    CLARIFY = "clarify"
    FAIL = "fail"


class ClaimStatus(StrEnum):
    """What the ledger says of a claim of work done."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNATTEMPTED = "unattempted"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A place in the trace: `field` is `output` or `input.<path>` of a tool call.

    `input.<path>` joins keys and list positions with dots, as in `input.edits.0.path`.
    """

    tool_call: int
    field: str
    span: Span
    grade: Grade = Grade.C

    def as_dict(self) -> dict[str, Any]:
        return {
            "tool_call": self.tool_call,
            "field": self.field,
            "span": list(self.span),
            "grade": str(self.grade),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionResult:
    """One mention with its status, its reason and the evidence that decided.

    `evidence` holds at most five places, each in another text, best grade first.
    `by_model` marks a name that a model pointed out; its status is the ledger's alone.
    """

    text: str
    kind: MentionKind
    key: str
    spans: tuple[Span, ...]
    status: Status
    reason: str
    grade: Grade | None = None
    evidence: tuple[Evidence, ...] = ()
    suggestion: str | None = None
    by_model: bool = False

    def as_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "text": self.text,
            "kind": str(self.kind),
            "key": self.key,
            "spans": [list(span) for span in self.spans],
            "status": str(self.status),
            "reason": self.reason,
            "grade": str(self.grade) if self.grade else None,
            "evidence": [place.as_dict() for place in self.evidence],
        }
        if self.suggestion is not None:
            data["suggestion"] = self.suggestion
        if self.by_model:
            data["by"] = "model"
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionClaim:
    """A sentence that says work was done, against what the ledger holds."""

    text: str
    span: Span
    kind: str
    status: ClaimStatus
    evidence: tuple[int, ...] = ()
    grade: Grade | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "span": list(self.span),
            "kind": self.kind,
            "status": str(self.status),
            "evidence": list(self.evidence),
            "grade": str(self.grade) if self.grade else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One check; `score` in [0, 1] only where the outcome is passed or failed."""

    name: str
    outcome: Outcome
    score: float | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        decided = self.outcome in {Outcome.PASSED, Outcome.FAILED}
        if not decided and self.score is not None:
            raise ValueError(f"{self.name}: {self.outcome} carries no score")
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise ValueError(f"{self.name}: score {self.score} is outside 0..1")

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "outcome": str(self.outcome),
            "score": self.score,
            "reason": self.reason,
            "details": dict(self.details),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWarning:
    """Something a reader of the verdict should know, by a stable code."""

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "message": self.message,
            "details": dict(self.details),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the orchestrator should do, and the exact text for the next prompt.

    `retry_after_seconds` is how long to wait before a retry, where that is advised.
    """

    action: Action
    reason: str
    additional_context: str = ""
    follow_ups: tuple[str, ...] = ()
    retry_after_seconds: int | None = None

    def as_dict(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "action": str(self.action),
            "reason": str(self.reason),
            "additional_context": self.additional_context,
            "follow_ups": list(self.follow_ups),
        }
        if self.retry_after_seconds is not None:
            data["retry_after_seconds"] = self.retry_after_seconds
        return data


class BadStepReason(StrEnum):
    """How an answer left the evidence."""

    RESULT_DENIED = "result_denied"
    NAME_ABSENT = "name_absent"
    NAME_UNSEEN = "name_unseen"
    NAME_INVENTED = "name_invented"
    WORK_NOT_DONE = "work_not_done"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBadStep:
    """The earliest step where a flagged answer left the evidence.

    `tool_call` is None where it was the answer itself. `span` is the place in the
    answer that goes back to the step; `kind` says what stands there.
    """

    kind: str
    reason: BadStepReason
    span: Span
    tool_call: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return {
            "tool_call": self.tool_call,
            "where": "answer" if self.tool_call is None else "tool_call",
            "kind": self.kind,
            "reason": str(self.reason),
            "span": list(self.span),
        }


class GoalState(StrEnum):
    """Whether a goal was reached; only the first two are judgements."""

    ACHIEVED = "achieved"
    NOT_ACHIEVED = "not_achieved"
    INCONCLUSIVE = "inconclusive"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalResult:
    """Whether the goal of a run was reached (SPEC C2).

    Attributes:
        type: Whose goal it is.
        target: The agent's name.
        goal: What was to be reached.
        stated: Whether the run itself stated a goal or asked for the check.
        state: The result.
        source: What decided: `ledger`, `model`, or nothing.
        reason: Stable code for how it came about.
        confidence: The judge's own, 0..1; None where no judge decided.
        issues: What is missing or wrong.
        suggestions: What to do differently.
        tool_calls: Calls that the ledger decided by.
        model: The judge's name.
        domain: The verifier whose criteria were used.
        prompt_version: Of the judge's instructions.
    """

    type: VerificationType
    target: str
    goal: str
    stated: bool
    state: GoalState
    source: str = ""
    reason: str = ""
    confidence: float | None = None
    issues: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    tool_calls: tuple[int, ...] = ()
    model: str = ""
    domain: str = "general"
    prompt_version: str = ""

    def as_dict(self) -> dict[str, Any]:
        decided = {GoalState.ACHIEVED: True, GoalState.NOT_ACHIEVED: False}
        return {
            "type": str(self.type),
            "target": self.target,
            "goal": self.goal,
            "stated": self.stated,
            "state": str(self.state),
            "goalAchieved": decided.get(self.state),
            "confidence": self.confidence,
            "issues": list(self.issues),
            "suggestions": list(self.suggestions),
            "source": self.source,
            "reason": self.reason,
            "tool_calls": list(self.tool_calls),
            "model": self.model,
            "domain": self.domain,
            "prompt_version": self.prompt_version,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """Everything one verification found."""

    id: str | None
    verdict: Verdict
    confidence: float | None
    coverage: float
    completeness: float | None
    mentions: tuple[MentionResult, ...]
    completion_claims: tuple[CompletionClaim, ...]
    checks: tuple[CheckResult, ...]
    gaps: tuple[str, ...]
    warnings: tuple[ReportWarning, ...]
    decision: Decision
    first_bad_step: FirstBadStep | None = None
    goal: GoalResult | None = None
    strictness: str = "balanced"
    explanation: str = ""
    cost: Cost = _NO_COST
    self_assessment: Mapping[str, Any] | None = None
    attempt: int = 1
    claims: "tuple[ClaimResult, ...]" = ()
    detection: "DetectionResult | None" = None
    mitigation: "Mitigation | None" = None

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict object, schema 1: JSON values only."""
        return {
            "schema": VERDICT_SCHEMA,
            "id": self.id,
            "verdict": str(self.verdict),
            "confidence": self.confidence,
            "coverage": self.coverage,
            "completeness": self.completeness,
            "mentions": [mention.as_dict() for mention in self.mentions],
            "completion_claims": [claim.as_dict() for claim in self.completion_claims],
            "claims": [claim.as_dict() for claim in self.claims],
            "checks": [check.as_dict() for check in self.checks],
            "gaps": list(self.gaps),
            "warnings": [warning.as_dict() for warning in self.warnings],
            "decision": self.decision.as_dict(),
            "first_bad_step": (
                self.first_bad_step.as_dict() if self.first_bad_step else None
            ),
            "goal": self.goal.as_dict() if self.goal else None,
            "strictness": self.strictness,
            "explanation": self.explanation,
            "attempt": self.attempt,
            "detection": self.detection.as_dict() if self.detection else None,
            "mitigation": self.mitigation.as_dict() if self.mitigation else None,
            "cost": self.cost.as_dict(),
            "self_assessment": (
                dict(self.self_assessment) if self.self_assessment else None
            ),
        }
