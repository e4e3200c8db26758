"""Run a task as subtasks, each verified by the tier above, then a synthesis (A9).

A small model answers the subtasks and a medium one checks them. A medium model combines
the answers, and a large one checks the result against all outputs of the subtasks'
tools.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, Unpack
from uuid import uuid4

from verifyhub.engine.cross_tier.tiers import verifier_tier
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.synthesis.cross_check import cross_check
from verifyhub.engine.synthesis.prompt import synthesis_prompt
from verifyhub.engine.synthesis.results import Groups, SubtaskResult, partition
from verifyhub.engine.types import VerificationType
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.loop import Checker, distinct, run_steps
from verifyhub_client.options import (
    AgentFunction,
    AsyncAgentFunction,
    RunKeywords,
    RunOptions,
)
from verifyhub_client.runs import RunOutcome, RunResult
from verifyhub_client.steps import Call, Steps
from verifyhub_client.verdict import Verdict
from verifyhub_client.words import Judgement

Planner: TypeAlias = Callable[[str], Sequence[str]]
AsyncPlanner: TypeAlias = Callable[[str], Awaitable[Sequence[str]] | Sequence[str]]
MAX_SUBTASKS = 20
CONTRADICTED = "subtasks_contradict"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestratedResult:
    """The answer to a task, with the runs that led to it.

    Attributes:
        synthesis: The run of the whole answer, with every attempt.
        subtasks: The runs of the subtasks, in order.
        groups: The subtasks' results, grouped by reliability.
        warnings: Contradictions between subtasks.
    """

    synthesis: RunResult
    subtasks: tuple[RunResult, ...]
    groups: Groups
    warnings: tuple[ReportWarning, ...]

    @property
    def outcome(self) -> RunOutcome:
        """The synthesis's outcome; at best uncertain if subtasks contradict."""
        if self.warnings and self.synthesis.accepted:
            return RunOutcome.UNCERTAIN
        return self.synthesis.outcome

    @property
    def reason(self) -> str:
        """A stable word for the reason of the outcome."""
        if self.warnings and self.synthesis.accepted:
            return CONTRADICTED
        return self.synthesis.reason

    @property
    def accepted(self) -> bool:
        """Whether VerifyHub accepted the whole answer and no subtasks contradict."""
        return self.outcome is RunOutcome.ACCEPTED

    @property
    def answer(self) -> str:
        """The whole answer, whatever its verdict."""
        return self.synthesis.answer

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the whole answer."""
        return self.synthesis.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roles:
    agent: AsyncAgentFunction
    synthesizer: AsyncAgentFunction
    planner: AsyncPlanner | None


class Orchestrator:
    """Runs a task as subtasks and a synthesis, repeating each until it is accepted.

    Args:
        hub: A `VerifyHub` or `LocalHub`.
        agent: Answers subtasks.
        synthesizer: Combines the subtasks' answers, which its `Attempt.prompt`
            contains, grouped by reliability. The agent itself by default.
        planner: Splits a task into subtasks if `run` receives none.
    """

    def __init__(
        self,
        hub: SyncHub,
        *,
        agent: AgentFunction,
        synthesizer: AgentFunction | None = None,
        planner: Planner | None = None,
    ) -> None:
        self._hub = hub
        self._roles = _Roles(
            agent=agent, synthesizer=synthesizer or agent, planner=planner
        )

    def run(
        self,
        task: str,
        *,
        subtasks: Sequence[str] | None = None,
        **options: Unpack[RunKeywords],
    ) -> OrchestratedResult:
        """Run a task.

        Args:
            task: The task as text.
            subtasks: Its parts; None leaves them to the planner.
            options: See `RunOptions`. They apply to the subtasks and the synthesis,
                except `tier`, which only applies to the subtasks.

        Raises:
            HubError: As `run_until_accepted` does.
            ValueError: If there are no subtasks, or too many.
        """
        steps = orchestrate(
            self._hub.checker, self._roles, task, subtasks, RunOptions(**options)
        )
        return self._hub.carry_out(steps)


class AsyncOrchestrator:
    """Runs a task as subtasks without blocking the event loop; see `Orchestrator`."""

    def __init__(
        self,
        hub: AsyncHub,
        *,
        agent: AsyncAgentFunction,
        synthesizer: AsyncAgentFunction | None = None,
        planner: AsyncPlanner | None = None,
    ) -> None:
        self._hub = hub
        self._roles = _Roles(
            agent=agent, synthesizer=synthesizer or agent, planner=planner
        )

    async def run(
        self,
        task: str,
        *,
        subtasks: Sequence[str] | None = None,
        **options: Unpack[RunKeywords],
    ) -> OrchestratedResult:
        """Run a task; see `Orchestrator.run`."""
        steps = orchestrate(
            self._hub.checker, self._roles, task, subtasks, RunOptions(**options)
        )
        return await self._hub.carry_out(steps)


def orchestrate(
    checker: Checker,
    roles: _Roles,
    task: str,
    subtasks: Sequence[str] | None,
    options: RunOptions,
) -> Steps[OrchestratedResult]:
    """Run subtasks in sequence, so that each uses the memory of the previous ones."""
    run_id = options.run_id or f"run-{uuid4().hex}"
    options = replace(options, run_id=run_id, session=options.session or run_id)
    planned = yield from _planned(roles, task, subtasks)
    # The whole answer is the parent of its subtasks, although it is sent last.
    answer_id = f"{run_id}.1"
    results: list[RunResult] = []
    for number, subtask in enumerate(planned, start=1):
        own = replace(
            options,
            run_id=f"{run_id}.s{number}",
            parent=answer_id,
            parent_expected=True,
            # The goal of a subtask is its own text (C1).
            goal=subtask,
            verification_type=str(VerificationType.AGENT),
        )
        results.append((yield from run_steps(checker, roles.agent, subtask, own)))
    subtask_results = [as_subtask_result(result) for result in results]
    conflicts = cross_check(subtask_results)
    warnings = tuple(conflict.as_warning() for conflict in conflicts)
    synthesis = yield from run_steps(
        checker,
        roles.synthesizer,
        task,
        _for_synthesis(options, task, warnings),
        material=synthesis_prompt(subtask_results, conflicts),
        evidence=distinct(result.tool_calls for result in results),
        helper=roles.agent,
    )
    return OrchestratedResult(
        synthesis=synthesis,
        subtasks=tuple(results),
        groups=partition(subtask_results),
        warnings=warnings,
    )


def as_subtask_result(run: RunResult) -> SubtaskResult:
    """Return a run as an input of the engine's synthesis."""
    verdict = run.verdict
    if verdict is None:
        return SubtaskResult(task=run.task, answer=run.answer)
    return SubtaskResult(
        task=run.task,
        answer=run.answer,
        confidence=verdict.confidence,
        unverified=tuple(name.text for name in verdict.flagged),
        verified=verdict.verified,
        confirmed=_confirmed(verdict),
        gaps=verdict.gaps,
        warnings=tuple(f"{code}: {message}" for code, message in verdict.warnings),
        rejected=verdict.verdict is Judgement.REJECT,
    )


def _confirmed(verdict: Verdict) -> tuple[str, ...]:
    """Return the claims that evidence supports."""
    work = verdict.raw.get("completion_claims") or ()
    facts = verdict.raw.get("claims") or ()
    confirmed = [claim for claim in work if claim.get("status") == "supported"]
    confirmed += [claim for claim in facts if claim.get("status") == "verified"]
    return tuple(str(claim.get("text", "")) for claim in confirmed)


def _planned(
    roles: _Roles, task: str, subtasks: Sequence[str] | None
) -> Steps[Sequence[str]]:
    if subtasks is None and roles.planner is not None:
        subtasks = yield Call(roles.planner, (task,))
    if not subtasks or isinstance(subtasks, str):
        raise ValueError("a task needs a list of subtasks, given or planned")
    if len(subtasks) > MAX_SUBTASKS:
        raise ValueError(f"a task has at most {MAX_SUBTASKS} subtasks")
    return subtasks


def _for_synthesis(
    options: RunOptions, task: str, warnings: Sequence[ReportWarning]
) -> RunOptions:
    conflicts = [warning.as_dict() for warning in warnings]
    metadata = (
        {**options.metadata, "cross_check": conflicts}
        if conflicts
        else options.metadata
    )
    # The tier that verifies the subtasks also writes the synthesis.
    tier = str(verifier_tier(options.tier))
    # The role tells the server that an orchestrator gave the whole answer (C1).
    role = options.role or "orchestrator"
    # The final answer is checked against the task, with a separate prompt (C1).
    return replace(
        options,
        tier=tier,
        role=role,
        metadata=metadata,
        goal=options.goal or task,
        verification_type=str(VerificationType.ORCHESTRATOR),
    )
