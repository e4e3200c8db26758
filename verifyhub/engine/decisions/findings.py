"""Findings about an answer, by which the policy chooses its next step."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from verifyhub.engine.claim_results import ClaimResult, FactStatus, JudgedBy
from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import CONTRADICTION
from verifyhub.engine.cross_tier.verifier import NAME as CROSS_TIER
from verifyhub.engine.goals.check import CONTRADICTS_ITSELF
from verifyhub.engine.goals.check import NAME as GOAL
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    GoalResult,
    GoalState,
    MentionResult,
    Outcome,
)
from verifyhub.engine.value_results import VALUES, ValueResult

LEVELS = (STRUCTURE, SCHEMA, FILESYSTEM)
GROUNDING, COMPLETION = "grounding", "completion"
# Each has a rule of its own: what they found is known name by name, claim by claim.
_RULED = frozenset({GROUNDING, COMPLETION, VALUES, GOAL, *LEVELS})
_VERIFIERS = frozenset({CROSS_TIER, SECOND_NAME})


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Findings about an answer, by which the policy chooses its next step.

    Attributes:
        counted: Mentions that count.
        claims: Claims of work done, settled or not.
        wrong_values: Values of the answer that are not those of the run.
        shows_values: Whether what tools returned settles any value.
        confidence: 0..1, or None when nothing could be checked.
        completeness: 0..1, or None without a model.
        gaps: What the answer leaves open.
        contradictions: What the stronger model calls a contradiction, in its words.
        failed_level: The level (requirements B1 to B3) that failed, if one did.
        failed_checks: Failed checks that nothing else here speaks of.
        earlier_inventions: Kind and key of the names that earlier attempts at the
            same subtask invented.
        awaited: Whether a model's opinion is missing and will be asked for again;
            nothing is accepted without it (requirement A3).
        read_again_after: The seconds until it may be there; None if unknown.
        facts: Claims of fact with what the evidence says of each.
        facts_contradicted: Whether a judge found evidence against one of them.
        facts_doubted: Whether one differs from its evidence without a judge's word.
        below_floor: Whether the detection layers fell below the floor of the risk.
        goal: Whether the goal was reached; None before anybody looked.
        disagreed: Whether two verifiers judge the answer differently.
        level_open: Whether the agent's account of its work could not be settled whole.
        doubted: Whether anything else keeps the answer from being accepted unseen,
            as names that may stand in what the trace leaves out.
        misled: Whether a judge got a control name wrong. No agent can help that.
        left_open: Checks that the answer's domain needs and that stayed open.
        below_line: Whether a score is below the line that the project blocks by.
        settled: Whether the ledger alone could settle anything at all.
        shown: Some names that the run's tools did return.
    """

    counted: Sequence[MentionResult]
    claims: Sequence[CompletionClaim]
    confidence: float | None
    completeness: float | None = None
    gaps: Sequence[str] = ()
    contradictions: Sequence[str] = ()
    failed_level: CheckResult | None = None
    failed_checks: Sequence[CheckResult] = ()
    earlier_inventions: Collection[tuple[str, str]] = ()
    awaited: bool = False
    read_again_after: int | None = None
    facts: Sequence[ClaimResult] = ()
    facts_contradicted: bool = False
    facts_doubted: bool = False
    below_floor: bool = False
    goal: GoalResult | None = None
    disagreed: bool = False
    level_open: bool = False
    wrong_values: Sequence[ValueResult] = ()
    shows_values: bool = False
    doubted: bool = False
    misled: bool = False
    left_open: Sequence[str] = ()
    below_line: bool = False
    settled: bool = True
    shown: Sequence[str] = ()

    @property
    def false_facts(self) -> list[ClaimResult]:
        """Claims of fact that a judge found evidence against."""
        return [fact for fact in self.facts if fact.is_denied]

    @property
    def doubted_facts(self) -> list[ClaimResult]:
        """Claims of fact that the evidence leaves in doubt."""
        return [fact for fact in self.facts if fact.is_doubted]

    @property
    def wrong(self) -> list[MentionResult]:
        """Names that count and have no evidence."""
        return [m for m in self.counted if not m.is_verified]

    @property
    def is_disputed(self) -> bool:
        """Whether a name or a fact has no evidence, or evidence against it."""
        return bool(self.wrong) or self.facts_contradicted or self.facts_doubted

    @property
    def repeated(self) -> list[MentionResult]:
        """Wrong names that an earlier attempt invented as well."""
        earlier = self.earlier_inventions
        return [m for m in self.wrong if (str(m.kind), m.key) in earlier]

    @property
    def goal_missed(self) -> GoalResult | None:
        """The goal, if it was not reached by a judgement that counts.

        Where no goal was stated, what the ledger denies is left to the rules about
        claims of work.
        """
        goal = self.goal
        if goal is None or goal.state is not GoalState.NOT_ACHIEVED:
            return None
        return goal if goal.stated or goal.source == "model" else None

    @property
    def goal_unclear(self) -> GoalResult | None:
        """The goal, if its judge called it reached but listed missing parts."""
        goal = self.goal
        unclear = (
            goal is not None
            and goal.state is GoalState.INCONCLUSIVE
            and goal.reason == CONTRADICTS_ITSELF
        )
        return goal if unclear else None

    @property
    def is_compared(self) -> bool:
        """Whether anything in the answer was compared with anything."""
        judged = any(fact.judged_by is not JudgedBy.NOBODY for fact in self.facts)
        return self.settled or self.shows_values or judged

    def has(self, status: ClaimStatus) -> bool:
        """Whether a claim of work has this status."""
        return any(claim.status is status for claim in self.claims)


def other_failures(
    checks: Iterable[CheckResult], *, facts_contradicted: bool
) -> tuple[CheckResult, ...]:
    """Return the failed checks that no other finding covers.

    Args:
        facts_contradicted: Whether a judge denied a claim of fact, which is told
            claim by claim. Where sources only part over one, no agent can settle it.
    """
    told = set(_RULED)
    if facts_contradicted:
        told.add(CLAIMS)
    return tuple(
        check
        for check in checks
        if check.outcome is Outcome.FAILED
        and check.name not in told
        and (check.name != CLAIMS or check.details.get(str(FactStatus.CONTRADICTED)))
        and not (check.name in _VERIFIERS and check.reason == CONTRADICTION)
    )
