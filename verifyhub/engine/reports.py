"""The parts of a verdict (`verdicts.VerificationReport`), as frozen values."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, computed_field

from verifyhub.common.contract import Count, Share, StoredModel
from verifyhub.engine.types import MentionKind, Span, VerificationType

IS_NONE = partial(operator.is_, None)
# Places of one name that a verdict shows.
MOST_PLACES = 5


# Reasons that evidence of earlier answers gives.
FOUND_EARLIER = "found_earlier"
TOLD_VERIFIED = "told_verified"
STALE = "stale"
EARLIER_REASONS = frozenset({FOUND_EARLIER, TOLD_VERIFIED, STALE})
# Reasons with which an unverified name does not count against the answer.
NOT_COUNTED = frozenset(
    {
        "task_only",
        "quoted_task",
        "proposed",
        "hypothetical",
        "negated",
        "authored",
        STALE,
        "plain_words",
        "common_knowledge",
        "trace_cut",
    }
)


def _model_word(_by_model: bool) -> Literal["model"]:
    return "model"


class Status(StrEnum):
    """Whether a mention was found in evidence that may be trusted."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"


class Grade(StrEnum):
    """The trustworthiness of evidence; D never verifies.

    A: looked up by VerifyHub itself. B: a trace signed by a tool gateway. C: the
    agent-reported output of a successful call. D: the agent's own words.
    """

    A = "A"
    B = "B"
    C = "C"
    D = "D"


class Outcome(StrEnum):
    """The outcome of one check; inconclusive and skipped ones have no score."""

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
    """The next step that the policy asks of the agent (requirement A8)."""

    ACCEPT = "accept"
    RETRY = "retry"
    REFORMULATE = "reformulate"
    FOLLOW_UP = "follow_up"
    CLARIFY = "clarify"
    FAIL = "fail"


class ClaimStatus(StrEnum):
    """The status of a completion claim, by the ledger."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNATTEMPTED = "unattempted"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(StoredModel):
    """A place in the trace, or in the task."""

    tool_call: Annotated[int, Field(ge=-1)]
    """Index of the tool call; -1 if the name is in the task."""
    field: str
    """`task`, `output` or `input.<path>`, whose keys and list positions are joined by
    dots, as in `input.edits.0.path`."""
    span: Span
    """Half-open range in Unicode code points."""
    grade: Grade = Grade.C


class Relation(StrEnum):
    """The relation of an earlier answer, whose run is evidence, to the current one."""

    ATTEMPT = "attempt"
    PARENT = "parent"
    SUBTASK = "subtask"
    SESSION = "session"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierEvidence(StoredModel):
    """A place in the trace of an earlier answer, or a memory entry about it."""

    interaction: str
    """The UUID of the earlier answer; empty for a person's decision."""
    relation: Relation
    """An earlier attempt at the same task, another answer that this one follows, a
    subtask, a turn of the session, or verified memory that the agent received."""
    age_seconds: Annotated[int, Field(ge=0)]
    """Time between the earlier answer and this one."""
    grade: Grade = Grade.C
    tool_call: Count | None = None
    """Index of the tool call in that answer's trace; null if unknown."""
    field: str = ""
    """As in `evidence`."""
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionResult(StoredModel):
    """One mention with its status, reason and deciding evidence."""

    text: str
    kind: MentionKind
    key: str
    """The name in its normalised form."""
    spans: tuple[Span, ...]
    status: Status
    reason: str
    grade: Grade | None = None
    evidence: tuple[Evidence, ...] = ()
    """At most five places, each in a different text, best grade first."""
    earlier_evidence: Annotated[
        tuple[EarlierEvidence, ...], Field(exclude_if=operator.not_)
    ] = ()
    """Places in earlier answers' traces, if this answer's own trace does not decide."""
    suggestion: Annotated[str | None, Field(exclude_if=IS_NONE)] = None
    """The nearest real name."""
    by_model: Annotated[
        bool,
        Field(
            alias="by",
            exclude_if=operator.not_,
            description="`model` if a model found the name. Its status depends on the "
            "trace only.",
        ),
        BeforeValidator(lambda word: word == "model"),
        PlainSerializer(_model_word),
    ] = False

    @property
    def is_verified(self) -> bool:
        """Whether the trace holds it."""
        return self.status is Status.VERIFIED

    @property
    def tool_calls(self) -> list[int]:
        """The positions of the calls that hold it, in order."""
        return sorted({place.tool_call for place in self.evidence})

    @property
    def counts(self) -> bool:
        """Whether the answer's confidence depends on it."""
        return self.is_verified or self.reason not in NOT_COUNTED

    @property
    def is_flagged(self) -> bool:
        """Whether it speaks against the answer."""
        return not self.is_verified and self.reason not in NOT_COUNTED


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionClaim(StoredModel):
    """A sentence that claims work was done, compared with the ledger."""

    text: str
    span: Span
    kind: str
    status: ClaimStatus
    evidence: tuple[Count, ...] = ()
    earlier_evidence: Annotated[
        tuple[EarlierEvidence, ...], Field(exclude_if=operator.not_)
    ] = ()
    """Deciding calls of earlier answers, most important first."""
    grade: Grade | None = None
    parts: Annotated[tuple[str, ...], Field(exclude_if=operator.not_)] = ()
    """In a sentence with several claims, the deciding claims, if others did not
    decide."""

    @property
    def words(self) -> tuple[str, ...]:
        """The clauses that its status is about: the whole sentence, or some of it."""
        return self.parts or (self.text,)

    @property
    def is_flagged(self) -> bool:
        """Whether it speaks against the answer."""
        return self.status in {ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(StoredModel):
    """One check; `score` in [0, 1] only where the outcome is passed or failed."""

    name: str
    outcome: Outcome
    score: Share | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        decided = self.outcome in {Outcome.PASSED, Outcome.FAILED}
        if not decided and self.score is not None:
            raise ValueError(f"{self.name}: {self.outcome} carries no score")
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise ValueError(f"{self.name}: score {self.score} is outside 0..1")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWarning(StoredModel):
    """Something a reader of the verdict should know, by a stable code."""

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep(StoredModel):
    """The recommended next step, and the exact text for the next prompt."""

    action: Action
    reason: str
    additional_context: str = ""
    """Text for the next prompt on retry or reformulate."""
    follow_ups: tuple[str, ...] = ()
    retry_after_seconds: Annotated[Count | None, Field(exclude_if=IS_NONE)] = None
    """How long to wait before retrying after a failed level; with `accept`, until the
    model's opinion may be available."""


class BadStepReason(StrEnum):
    """The way in which an answer departs from the evidence."""

    RESULT_DENIED = "result_denied"
    NAME_ABSENT = "name_absent"
    NAME_UNSEEN = "name_unseen"
    NAME_INVENTED = "name_invented"
    WORK_NOT_DONE = "work_not_done"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBadStep(StoredModel):
    """The first step where a flagged answer departs from the evidence."""

    kind: Literal["mention", "completion_claim"]
    reason: BadStepReason
    span: Span
    """The part of the answer that follows from this step."""
    tool_call: Count | None = None
    """Index of the tool call; null for the answer itself."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def where(self) -> Literal["tool_call", "answer"]:
        """Whether it is a tool call or the answer itself."""
        return "answer" if self.tool_call is None else "tool_call"


class GoalState(StrEnum):
    """Whether a goal was reached; only the first two are judgements."""

    ACHIEVED = "achieved"
    NOT_ACHIEVED = "not_achieved"
    INCONCLUSIVE = "inconclusive"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeniedWork(StoredModel):
    """A claim of work that shows, by the ledger, that a goal was not achieved."""

    status: ClaimStatus
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalResult(StoredModel):
    """Whether the goal of a run was achieved."""

    type: VerificationType
    """Whose goal it is."""
    target: str
    """The agent's name."""
    goal: str
    """The goal; the task if no goal was stated."""
    stated: bool
    """Whether the run stated a goal or asked for the check."""
    state: GoalState
    source: Literal["ledger", "model", ""] = ""
    """What decided the result: a judge or the ledger."""
    reason: str = ""
    """Stable code for how it came about."""
    confidence: Share | None = None
    """The judge's confidence; null if no judge decided."""
    issues: tuple[str, ...] = ()
    """Missing or wrong parts."""
    denied: Annotated[tuple[DeniedWork, ...], Field(exclude_if=operator.not_)] = ()
    """The claims described in `issues`, if the ledger decided."""
    suggestions: tuple[str, ...] = ()
    """Suggested changes."""
    tool_calls: tuple[Count, ...] = ()
    """Deciding tool calls."""
    model: str = ""
    """The judge's name."""
    domain: str = "general"
    """The verifier whose criteria were used."""
    prompt_version: str = ""
    """Version of the judge's prompt."""

    @computed_field(alias="goalAchieved")  # type: ignore[prop-decorator]
    @property
    def achieved(self) -> bool | None:
        """Whether the goal was achieved; null if inconclusive."""
        decided = {GoalState.ACHIEVED: True, GoalState.NOT_ACHIEVED: False}
        return decided.get(self.state)


Difference = Annotated[float, Field(ge=-1, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfAssessment(StoredModel):
    """An agent's assessment of its answer, as far as it is valid."""

    confidence: Share | None
    """Null if missing or invalid."""
    completeness: Share | None
    gaps: tuple[str, ...]
    reasoning: str
    overconfidence: Difference | None = None
    """The agent's confidence minus the verdict's."""
    overcompleteness: Difference | None = None
    """The agent's completeness minus the verdict's."""
