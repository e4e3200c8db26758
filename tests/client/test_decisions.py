"""Each decision of a verdict leads to its own next step, and to an end."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client.conftest import HONEST, LISTING, TASK, says
from tests.model_server import an_honest_submission
from verifyhub.embedded import AgentAnswer, AttemptKind, LocalHub, RunOutcome, Verdict
from verifyhub.engine.ports import ModelReply
from verifyhub.engine.reports import Action
from verifyhub_client.loop import LONGEST_WAIT_SECONDS, run_steps
from verifyhub_client.options import RunOptions
from verifyhub_client.steps import Call, Pause

GAP = "Does not say how discounts are applied to prices"
RUN = {
    "tool": "bash",
    "input": {"command": "pytest"},
    "output": "2 failed, 3 passed in 0.1s\n",
    "status": "ok",
}


class Judge:
    """A sound verifier that finds these gaps in each answer in turn."""

    name = "judge"

    def __init__(self, *gaps: list[str]) -> None:
        self.gaps = [*gaps]

    def ask(self, asked):
        gaps = self.gaps.pop(0) if len(self.gaps) > 1 else self.gaps[0]
        request = {"messages": [{"content": asked.system}, {"content": asked.user}]}
        submission = an_honest_submission(
            request, gaps=gaps, completeness=0.3 if gaps else 0.9
        )
        return ModelReply(text=json.dumps(submission))


def judged_by(judge: Judge) -> LocalHub:
    return LocalHub(verifier_for=lambda _: judge)


def test_a_gap_is_closed_by_a_subtask_and_the_answer_completed():
    agent, asked = says(HONEST)

    result = judged_by(Judge([GAP], [])).run_until_accepted(agent, TASK, run_id="r")

    assert result.accepted
    kinds = [attempt.kind for attempt in asked]
    assert kinds == [AttemptKind.FIRST, AttemptKind.FIRST, AttemptKind.COMPLETE]
    (child,) = result.attempts[0].follow_ups
    assert child.id == "r.1.f1.1"
    assert child.task.startswith("Address missing aspect: ")
    assert json.dumps(HONEST) in asked[2].prompt


def test_at_most_two_gaps_become_subtasks_once():
    agent, asked = says(HONEST)

    result = judged_by(Judge([GAP, GAP + " 2", GAP + " 3"])).run_until_accepted(
        agent, TASK, max_attempts=9
    )

    assert (result.outcome, result.reason) == (RunOutcome.UNCERTAIN, "incomplete")
    assert [len(record.follow_ups) for record in result.attempts] == [2, 0]
    assert len(asked) == 4


def test_subtasks_can_be_declined():
    agent, asked = says(HONEST)

    result = judged_by(Judge([GAP])).run_until_accepted(agent, TASK, follow_ups=False)

    assert (result.outcome, len(asked)) == (RunOutcome.UNCERTAIN, 1)


def test_tool_results_of_subtasks_are_evidence_for_the_whole(local):
    own = {**LISTING, "output": "docs/guide.md\n"}
    answers = iter(
        [
            AgentAnswer(answer=HONEST, tool_calls=[LISTING]),
            AgentAnswer(answer="`docs/guide.md` tells it.", tool_calls=[own]),
            AgentAnswer(answer=HONEST + " `docs/guide.md` tells how."),
        ]
    )

    result = judged_by(Judge([GAP], [])).run_until_accepted(
        lambda _: next(answers), TASK
    )

    assert result.accepted
    assert result.verdict.verified[-1] == "docs/guide.md"
    assert list(result.tool_calls) == [LISTING, own]


def test_a_contradiction_is_put_to_a_person_and_their_words_to_the_agent(local):
    def agent(attempt):
        seen.append(attempt)
        text = "All tests pass." if len(seen) == 1 else "Two tests fail."
        return AgentAnswer(answer=text, tool_calls=[RUN])

    def person(record):
        asked.append(record)
        return 'Look at "2 failed".'

    seen, asked = [], []
    local.run_until_accepted(agent, "Run the tests.", clarify=person)

    assert asked[0].verdict.action == "clarify"
    assert seen[1].kind is AttemptKind.CLARIFY
    assert json.dumps('Look at "2 failed".') in seen[1].prompt


def test_without_a_person_the_agent_clears_it_up(local):
    agent, asked = says("All tests pass.")

    result = local.run_until_accepted(
        lambda attempt: AgentAnswer(answer=agent(attempt).answer, tool_calls=[RUN]),
        "Run the tests.",
    )

    assert [a.kind for a in asked] == ["first", "clarify", "clarify"]
    assert (result.outcome, result.reason) == ("failed", "max_retries_exceeded")


def a_verdict(**decision) -> Verdict:
    raw = dict(LocalHub().check(TASK, HONEST, tool_calls=[LISTING]).raw)
    return Verdict.from_json({**raw, "decision": {**raw["decision"], **decision}})


class Says:
    """A checker that gives one verdict, for ever."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def check_steps(self, body):
        yield from ()
        return self.verdict

    def context_steps(self, session, task, budget):
        yield from ()
        return ""


def steps_taken(verdict: Verdict):
    """Carry out a run by hand and return its steps and its result."""
    steps, taken, outcome = run_steps(Says(verdict), str, TASK, RunOptions()), [], None
    try:
        while True:
            step = steps.send(outcome)
            taken.append(step)
            outcome = HONEST if isinstance(step, Call) else None
    except StopIteration as done:
        return taken, done.value


@pytest.mark.parametrize(
    ("advised", "waited"), [(4, 4), (300, 300), (99999, LONGEST_WAIT_SECONDS)]
)
def test_it_waits_as_long_as_is_advised_within_reason(advised, waited):
    verdict = a_verdict(action="retry", retry_after_seconds=advised)

    taken, _ = steps_taken(verdict)

    assert [s.seconds for s in taken if isinstance(s, Pause)] == [waited, waited]


def test_an_opinion_that_is_missing_is_no_acceptance():
    """Also with a server that calls the answer accepted meanwhile."""
    _, result = steps_taken(a_verdict(action="accept", reason="awaiting_verifier"))

    assert (result.outcome, result.reason) == ("uncertain", "awaiting_verifier")


@pytest.mark.parametrize("action", ["fail", "escalate", "", "ACCEPT"])
def test_a_step_it_does_not_know_is_no_acceptance(action):
    taken, result = steps_taken(a_verdict(action=action, reason="why"))

    assert (result.outcome, result.reason, len(taken)) == ("failed", "why", 1)


def test_reformulation_asks_for_other_words():
    _, result = steps_taken(a_verdict(action="reformulate"))

    second = result.attempts[1].attempt
    assert second.kind is AttemptKind.REFORMULATE
    assert "in your own words" in second.prompt
    assert second.task == TASK


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_no_run_is_longer_than_its_limit(limit):
    checker = Says(a_verdict(action="retry"))
    hub = LocalHub()

    result = hub.carry_out(
        run_steps(checker, lambda _: HONEST, TASK, RunOptions(max_attempts=limit))
    )

    assert len(result.attempts) == limit
    assert result.reason == "max_attempts"


class SaysInTurn(Says):
    """A checker that gives these verdicts in turn, the last for ever."""

    def __init__(self, verdicts: list[Verdict]) -> None:
        self.verdicts = verdicts

    def check_steps(self, body):
        yield from ()
        return self.verdicts.pop(0) if len(self.verdicts) > 1 else self.verdicts[0]


ONE_VERDICT = st.builds(
    lambda action, verdict, follow_ups: (action, verdict, follow_ups),
    st.sampled_from([*Action, "", "later", "accepted"]),
    st.sampled_from(["accept", "uncertain", "reject"]),
    st.lists(st.text(max_size=8), max_size=4),
)


@given(st.lists(ONE_VERDICT, min_size=1, max_size=8), st.integers(1, 5))
def test_whatever_is_decided_a_run_ends_and_accepts_only_what_was_accepted(
    decided, limit
):
    verdicts = [
        replace(a_verdict(action=action, follow_ups=follow_ups), verdict=verdict)
        for action, verdict, follow_ups in decided
    ]

    result = LocalHub().carry_out(
        run_steps(
            SaysInTurn(verdicts), lambda _: HONEST, TASK, RunOptions(max_attempts=limit)
        )
    )

    last = result.verdict
    assert 1 <= len(result.attempts) <= limit
    assert sum(len(record.follow_ups) for record in result.attempts) <= 2
    assert result.accepted == ((last.action, last.verdict) == ("accept", "accept"))
    for record in result.attempts:
        for child in record.follow_ups:
            assert all(not own.follow_ups for own in child.attempts)
