"""All cut-offs of the engine with their sources."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import Any

from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.faults import Fault

# Counts are compared, never allocated; the bound only refuses typing errors.
MAX_COUNT = 1_000_000


class SendsBack(StrEnum):
    """Reasons to send an answer back to its agent; each value includes the previous."""

    SOURCE = "source"
    """What requirement A8 lists: more unverified names than `retry_above_unverified`,
    low confidence, what is contradicted, a goal that was not reached."""
    UNTRUE = "untrue"
    """Also work that no tool call did, and an answer that a judge calls whole or
    reached in one word and denies in the next."""
    WRONG = "wrong"
    """Also any one unsupported name and any failed check."""
    DOUBTFUL = "doubtful"
    """Also what could not be settled, where the agent can do something about it."""

    def covers(self, other: "SendsBack") -> bool:
        """Whether an answer that `other` sends back is sent back by this as well."""
        values = list(SendsBack)
        return values.index(self) >= values.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Cut-offs of the decision policy (requirement A8) and of the checks.

    Attributes:
        sends_back: What sends an answer back while attempts remain: `source`,
            `untrue`, `wrong` or `doubtful` (`SendsBack`).
        retry_above_unverified: More counted unverified mentions than this ask for a
            retry that names them (A8: 3). From `wrong` on, the first one does.
        reformulate_below_confidence: Confidence, 0..1, under which the task is put in
            other words (A8: 0.4).
        follow_up_below_completeness: Completeness, 0..1, under which gaps become
            follow-up subtasks (A8: 0.6).
        max_follow_ups: Follow-up subtasks at most (A8: 2).
        uncertain_below_confidence: Confidence, 0..1, under which an accepted answer
            is marked uncertain (A8: 0.6).
        max_retries: Retries of one subtask, then fail (A8: 2).
        model_above_characters: Answers longer than this many code points are worth a
            model call (A6: 50); the ledger always runs.
        doubt_below_coverage: Coverage, 0..1, under which the ledger leaves doubt and a
            model is asked even by a project that asks only then.
        overconfident_above: An agent's own confidence less the verdict's, 0..1, above
            which the answer carries a warning (A7).
        low_confidence_below: Confidence, 0..1, under which memory keeps a warning
            about the answer as a whole (A12: 0.5).
        gap_confidence: Confidence, 0..1, given to a gap in memory (A12: 0.3).
        fact_confidence: Confidence, 0..1, from which a finding is delivered to the
            next agent as a fact (A13: 0.7).
        recurrence_interactions: Answers in which a name must stand unverified before
            it becomes a shared constraint (A14: 3).
        recurrence_sessions: Different sessions those answers must come from (A14: 2);
            never fewer than 2, so that no session speaks for the whole project.
        recurrence_keys: Witnesses that must have stated it: keys of different
            owners, agents and deployments (`memory.recurrence`); never fewer than 2, so
            that nobody speaks for the whole project. A person who confirms the name is
            the second.
        recurrence_days: Days within which they must fall (A14: 30).
        shadow_hours: Hours for which a constraint that has met the rule is measured
            before it is shared with agents.
        leaving_shadow: What lets it leave the shadow: `time`, or `lead` where a lead
            must confirm it.
        confirming_people: Voices that must agree before a person's decision is
            delivered to every session: other people, or evidence that agrees
            (`memory.voices`); 1 for none but the first.
        finding_days: Days after which a session's findings expire; 0 for never.
        blocker_days: The same for blockers.
        gap_days: The same for gaps. Corrections never expire.
        ask_models: When a model is asked beside the ledger: `always`,
            `when_in_doubt` (of `decisions.doubt`), or `never`.
        earlier_turns: Answers of a session before the one at hand whose tool calls are
            evidence for it, at most (ADR 0042); 0 for none. Attempts at the same task,
            what it follows and its subtasks count in any case.
        earlier_hours: How old they may be.
        minimum_grade: The least grade of evidence, A to C, that verifies a name or
            supports a claim (ARCHITECTURE: the grade is shown, the least is policy).
    """

    sends_back: str = field(
        default=SendsBack.WRONG.value,
        metadata={"choices": tuple(str(choice) for choice in SendsBack)},
    )
    retry_above_unverified: int = 3
    reformulate_below_confidence: float = 0.4
    follow_up_below_completeness: float = 0.6
    max_follow_ups: int = 2
    uncertain_below_confidence: float = 0.6
    max_retries: int = 2
    model_above_characters: int = 50
    doubt_below_coverage: float = 0.5
    overconfident_above: float = 0.3
    low_confidence_below: float = 0.5
    gap_confidence: float = 0.3
    fact_confidence: float = 0.7
    recurrence_interactions: int = field(default=3, metadata={"minimum": 2})
    recurrence_sessions: int = field(default=2, metadata={"minimum": 2})
    recurrence_keys: int = field(default=2, metadata={"minimum": 2})
    recurrence_days: int = field(default=30, metadata={"minimum": 1})
    shadow_hours: int = 24
    leaving_shadow: str = field(default="time", metadata={"choices": ("time", "lead")})
    confirming_people: int = field(default=2, metadata={"minimum": 1})
    finding_days: int = 90
    blocker_days: int = 90
    gap_days: int = 30
    ask_models: str = field(
        default="always", metadata={"choices": ("always", "when_in_doubt", "never")}
    )
    earlier_turns: int = 20
    earlier_hours: int = 72
    minimum_grade: str = field(default="C", metadata={"choices": ("A", "B", "C")})

    def sends_back_for(self, least: SendsBack) -> bool:
        """Whether what `least` sends back is sent back under these cut-offs."""
        return SendsBack(self.sends_back).covers(least)

    @property
    def unverified_allowed(self) -> int:
        """The number of counted unverified mentions that an answer may have."""
        none = self.sends_back_for(SendsBack.WRONG)
        return 0 if none else self.retry_above_unverified

    @classmethod
    def with_overrides(cls, values: Mapping[str, Any]) -> "Thresholds":
        """Build thresholds from a project's own values.

        Raises:
            ThresholdError: If a name is unknown, a type is wrong, or a share lies
                outside 0..1 or a count outside its bounds.
        """
        known = {cutoff.name: cutoff for cutoff in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise ThresholdError(name, value, Fault("no_such_threshold"))
            fault = _fault(known[name], value)
            if fault:
                raise ThresholdError(name, value, fault)
        return cls(**values)


def _fault(cutoff: "Field[Any]", value: object) -> Fault | None:
    choices = cutoff.metadata.get("choices")
    if choices is not None:
        known = ", ".join(choices)
        return None if value in choices else Fault("not_one_of", list=known)
    share = isinstance(cutoff.default, float)
    allowed = (int, float) if share else (int,)
    if isinstance(value, bool) or not isinstance(value, allowed):
        return Fault("no_fitting_number")
    minimum = cutoff.metadata.get("minimum", 0)
    if not minimum <= value <= (1 if share else MAX_COUNT):
        return Fault("out_of_range")
    return None
