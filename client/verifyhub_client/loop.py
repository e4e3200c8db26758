"""Run an agent, check its answer and follow the decision, until it is accepted."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from uuid import uuid4

from verifyhub_client.errors import HubError, HubRefusedError
from verifyhub_client.mitigating import Taken, mitigation_steps
from verifyhub_client.options import AsyncAgentFunction, RunOptions
from verifyhub_client.prompts import findings, prompt_for
from verifyhub_client.protocol import AWAITING_VERIFIER, Guarded
from verifyhub_client.runs import (
    AgentAnswer,
    Attempt,
    AttemptKind,
    AttemptRecord,
    RunOutcome,
    RunResult,
    interaction_body,
)
from verifyhub_client.steps import Call, Pause, Steps
from verifyhub_client.verdict import Verdict
from verifyhub_client.words import Action, Judgement

MAX_FOLLOW_UPS = 2
LONGEST_WAIT_SECONDS = 300.0
NEXT_KIND = {
    Action.RETRY: AttemptKind.RETRY,
    Action.REFORMULATE: AttemptKind.REFORMULATE,
    Action.CLARIFY: AttemptKind.CLARIFY,
    Action.FOLLOW_UP: AttemptKind.COMPLETE,
}


class Checker(Protocol):
    """Verifies answers: a server, or the engine in this process."""

    def check_steps(self, body: Mapping[str, Any]) -> Steps[Verdict]:
        """Verify one run.

        Raises:
            HubError: If there is no verdict.
        """

    def context_steps(self, session: str, task: str, budget: int) -> Steps[str]:
        """Return the context for the agent of a session.

        Raises:
            HubError: If it is not available.
        """

    def guard_steps(self, text: str) -> Steps[Guarded]:
        """Check a draft with the names of a project.

        Raises:
            HubError: If it was not checked.
        """


@dataclass(slots=True)
class _Run:
    """The state of a run."""

    checker: Checker
    agent: AsyncAgentFunction
    task: str
    options: RunOptions
    run_id: str
    session: str
    context: str = ""
    records: list[AttemptRecord] = field(default_factory=list)
    # Tool calls of follow-up subtasks, as evidence for later answers.
    evidence: list[Mapping[str, Any]] = field(default_factory=list)
    material: str = ""
    helper: AsyncAgentFunction | None = None
    followed_up: bool = False


def run_steps(
    checker: Checker,
    agent: AsyncAgentFunction,
    task: str,
    options: RunOptions,
    *,
    material: str = "",
    evidence: Sequence[Mapping[str, Any]] = (),
    helper: AsyncAgentFunction | None = None,
) -> Steps[RunResult]:
    """Run an agent on a task until its answer is accepted, or a limit is reached.

    Args:
        checker: Verifies the answers.
        agent: The agent.
        task: The task, the same text in every attempt.
        options: Options of the run.
        material: Text for every prompt, after the task; safe in a prompt.
        evidence: Tool calls of other agents on which the answers may rest.
        helper: The agent for follow-up subtasks; by default the same agent.

    Raises:
        HubError: If an answer could not be checked and `on_outage` is `raise`; a
            refusal always raises.
    """
    run_id = options.run_id or f"run-{uuid4().hex}"
    run = _Run(checker, agent, task, options, run_id, options.session or run_id)
    run.evidence, run.material = list(evidence), material
    run.helper = helper or agent
    run.context = yield from _context(run)
    attempt = _attempt(run, AttemptKind.FIRST)
    while True:
        record = yield from _asked(run, attempt)
        run.records.append(record)
        if record.verdict is None:
            return _result(run, RunOutcome.UNVERIFIED, "hub_unavailable")
        ended = _ending(run, record.verdict)
        taken = yield from mitigation_steps(run.options, record)
        advice = taken.text_for_agent if taken and taken.asks_again else ""
        if ended is None:
            attempt = yield from _next_attempt(run, record, advice)
        elif taken and taken.asks_again and _may_go_on(run, ended):
            attempt = _attempt(run, AttemptKind.MITIGATE, advice, record.verdict)
        else:
            return _result(run, *ended, taken)


def _context(run: _Run) -> Steps[str]:
    if not run.options.context_budget:
        return ""
    try:
        return (
            yield from run.checker.context_steps(
                run.session, run.task, run.options.context_budget
            )
        )
    except HubRefusedError:
        raise
    except HubError:
        if run.options.on_outage == "raise":
            raise
        return ""


def _asked(run: _Run, attempt: Attempt) -> Steps[AttemptRecord]:
    """Call the agent once, and have its answer checked."""
    answer = _as_answer((yield Call(run.agent, (attempt,))))
    if run.evidence:
        # An agent that continues its last answer returns those calls again.
        answer = replace(answer, tool_calls=distinct([run.evidence, answer.tool_calls]))
    first = not run.records
    number = len(run.records) + 1
    own_id = f"{run.run_id}.{number}"
    metadata = {
        **run.options.metadata,
        **answer.metadata,
        "run": {"id": run.run_id, "attempt": number, "kind": str(attempt.kind)},
    }
    body = interaction_body(
        run.task,
        replace(answer, metadata=metadata),
        interaction_id=own_id,
        session=run.session,
        agent=run.options.agent,
        parent=run.options.parent if first else run.records[-1].id,
        # In an outage, the previous attempt may not have reached the server.
        parent_expected=run.options.parent_expected
        if first
        else run.records[-1].verdict is None,
        goal=run.options.goal,
        verification_type=run.options.verification_type,
        discussion=run.options.discussion,
        context=attempt.context,
    )
    verdict: Verdict | None = None
    try:
        verdict = yield from run.checker.check_steps(body)
    except HubRefusedError:
        raise
    except HubError:
        if run.options.on_outage == "raise":
            raise
    return AttemptRecord(id=own_id, attempt=attempt, answer=answer, verdict=verdict)


def _ending(run: _Run, verdict: Verdict) -> tuple[RunOutcome, str] | None:
    """Return the outcome of the run with this verdict; None if it continues."""
    if verdict.action == Action.ACCEPT:
        return _accepted(verdict)
    if verdict.action not in NEXT_KIND:
        # `fail`, or an unknown action of a newer server.
        return RunOutcome.FAILED, verdict.reason
    enough = len(run.records) >= run.options.max_attempts
    if verdict.action == Action.FOLLOW_UP:
        closed = run.followed_up or not run.options.follow_ups
        # The answer is right but incomplete.
        return (RunOutcome.UNCERTAIN, verdict.reason) if enough or closed else None
    return (RunOutcome.FAILED, "max_attempts") if enough else None


def _may_go_on(run: _Run, ended: tuple[RunOutcome, str]) -> bool:
    """Whether a mitigation may ask the agent again, within the limits."""
    enough = len(run.records) >= run.options.max_attempts
    return not enough and ended[0] is not RunOutcome.FAILED


def _accepted(verdict: Verdict) -> tuple[RunOutcome, str]:
    outcomes = {
        Judgement.ACCEPT: RunOutcome.ACCEPTED,
        Judgement.UNCERTAIN: RunOutcome.UNCERTAIN,
        Judgement.REJECT: RunOutcome.FAILED,
    }
    outcome = outcomes[verdict.verdict]
    # An older server accepts an answer even if an opinion is missing.
    if outcome is RunOutcome.ACCEPTED and verdict.reason == AWAITING_VERIFIER:
        outcome = RunOutcome.UNCERTAIN
    return outcome, verdict.reason


def _next_attempt(run: _Run, record: AttemptRecord, advice: str) -> Steps[Attempt]:
    """Wait if the verdict advises it, and return the next attempt.

    `advice` is the text of a mitigation for the agent.
    """
    verdict = record.verdict
    if verdict is None:
        raise ValueError("only a checked attempt leads to another")
    if verdict.retry_after_seconds > 0:
        yield Pause(min(verdict.retry_after_seconds, LONGEST_WAIT_SECONDS))
    kind = NEXT_KIND[Action(verdict.action)]
    context, said = verdict.additional_context, ""
    if kind is AttemptKind.COMPLETE:
        found = yield from _followed_up(run, record, verdict)
        context = f"{context}\n\n{found}"
    if kind is AttemptKind.CLARIFY and run.options.clarify is not None:
        said = (yield Call(run.options.clarify, (record,))) or ""
    told = "\n".join(part for part in (context, advice) if part)
    return _attempt(run, kind, told, verdict, said)


def _followed_up(run: _Run, record: AttemptRecord, verdict: Verdict) -> Steps[str]:
    """Run the subtasks of a verdict, as children of its answer."""
    results = []
    for number, subtask in enumerate(verdict.follow_ups[:MAX_FOLLOW_UPS], start=1):
        options = replace(
            run.options,
            session=run.session,
            parent=record.id,
            parent_expected=False,
            run_id=f"{record.id}.f{number}",
            # Gaps of a subtask are not followed up.
            follow_ups=False,
            # The goal applies to the whole answer.
            goal=None,
            verification_type=None,
            discussion=None,
        )
        task = f"{subtask}\n\nThis belongs to the task: {run.task}"
        agent = run.helper or run.agent
        results.append((yield from run_steps(run.checker, agent, task, options)))
    run.followed_up = True
    run.records[-1] = replace(record, follow_ups=tuple(results))
    run.evidence = distinct(
        [record.answer.tool_calls, *(result.tool_calls for result in results)]
    )
    return findings(results)


def distinct(groups: Iterable[Sequence[Mapping[str, Any]]]) -> list[Mapping[str, Any]]:
    """Join tool calls in order, without duplicates."""
    calls = (call for group in groups for call in group)
    return list({json.dumps(call, sort_keys=True): call for call in calls}.values())


def _attempt(
    run: _Run,
    kind: AttemptKind,
    additional_context: str = "",
    previous: Verdict | None = None,
    said: str = "",
) -> Attempt:
    return Attempt(
        task=run.task,
        prompt=prompt_for(
            run.task,
            kind=kind,
            material=run.material,
            context=run.context,
            additional_context=additional_context,
            said=said,
        ),
        number=len(run.records) + 1,
        kind=kind,
        context=run.context,
        additional_context=additional_context,
        previous=previous,
        session=run.session,
    )


def _as_answer(given: Any) -> AgentAnswer:
    if isinstance(given, str):
        return AgentAnswer(answer=given)
    if isinstance(given, AgentAnswer):
        return given
    raise TypeError("the agent must return a text or an AgentAnswer")


def _result(
    run: _Run, outcome: RunOutcome, reason: str, taken: Taken | None = None
) -> RunResult:
    result = RunResult(
        task=run.task,
        session=run.session,
        outcome=outcome,
        reason=reason,
        attempts=tuple(run.records),
    )
    return taken.applied_to(result) if taken else result
