"""A program may follow the advice in a verdict: nothing gets better by it."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client.conftest import HONEST, INVENTED, TASK, says
from tests.engine.mitigation.made import PASSAGE, a_claim, a_layer, an_unknown, found
from verifyhub.embedded import (
    AnswerBlockedError,
    AsyncLocalHub,
    AttemptKind,
    LocalHub,
    RunOutcome,
    Verdict,
)
from verifyhub.engine.mitigation.choose import DISCLAIMERS, choose
from verifyhub.engine.mitigation_results import MitigationAction

BLOCK = choose(claims=[a_claim()])
REGENERATE = choose(detection=found(a_layer(0.3)))
DISCLAIM = choose(detection=found(a_layer(0.6)))
SOURCES = choose(claims=[an_unknown()])
NOTE = DISCLAIMERS["en"]


class Advising:
    """The engine in this process, with advice of the test's for each answer in turn."""

    def __init__(self, checker, *advice):
        self.checker, self.advice = checker, [*advice]

    def check_steps(self, body):
        verdict = yield from self.checker.check_steps(body)
        advice = self.advice.pop(0) if len(self.advice) > 1 else self.advice[0]
        told = advice.as_dict() if hasattr(advice, "as_dict") else advice
        return Verdict.from_json({**verdict.raw, "mitigation": told})

    def context_steps(self, session, task, budget):
        return self.checker.context_steps(session, task, budget)


def advising(*advice, hub=LocalHub):
    made = hub()
    made.checker = Advising(made.checker, *advice)
    return made


def test_advice_is_read_and_followed_only_when_asked_for():
    agent, asked = says(HONEST)

    result = advising(BLOCK).run_until_accepted(agent, TASK)

    assert result.accepted
    assert len(asked) == 1
    assert result.verdict.mitigation.action == "block"


def test_a_blocked_answer_is_tried_again_and_may_become_good():
    agent, asked = says(HONEST, HONEST + " That is all.")

    result = advising(BLOCK, None).run_until_accepted(agent, TASK, mitigate=True)

    assert result.accepted
    assert asked[1].kind is AttemptKind.MITIGATE
    assert PASSAGE in asked[1].prompt


def test_what_stays_blocked_can_be_shown_to_nobody():
    agent, asked = says(HONEST)

    result = advising(BLOCK).run_until_accepted(
        agent, TASK, mitigate=True, max_attempts=2
    )

    assert (result.outcome, result.reason) == ("blocked", "claim_contradicted")
    assert not result.accepted
    assert len(asked) == 2
    with pytest.raises(AnswerBlockedError, match="claim_contradicted"):
        _ = result.shown


def test_a_disclaimer_stands_below_the_answer():
    agent, asked = says(HONEST)

    result = advising(DISCLAIM).run_until_accepted(agent, TASK, mitigate=True)

    assert (result.outcome, len(asked)) == (RunOutcome.UNCERTAIN, 1)
    assert result.shown == f"{HONEST}\n\n{NOTE}"


@pytest.mark.parametrize("advice", [REGENERATE, SOURCES])
def test_what_can_be_better_goes_to_the_agent_first(advice):
    agent, asked = says(HONEST)

    result = advising(advice).run_until_accepted(
        agent, TASK, mitigate=True, max_attempts=2
    )

    assert advice.text_for_agent in asked[1].prompt
    assert result.outcome is RunOutcome.UNCERTAIN
    assert result.shown.endswith(NOTE)


def test_where_the_decision_asks_again_the_advice_goes_along():
    agent, asked = says(INVENTED, HONEST)

    result = advising(REGENERATE, None).run_until_accepted(agent, TASK, mitigate=True)

    assert asked[1].kind is AttemptKind.RETRY
    assert REGENERATE.text_for_agent in asked[1].prompt
    assert result.accepted


def test_a_function_chooses_what_is_followed():
    agent, _ = says(HONEST)
    seen = []

    def milder(record):
        seen.append(record.verdict.mitigation.reason)
        return "flag_uncertain"

    result = advising(BLOCK).run_until_accepted(agent, TASK, mitigate=milder)

    assert seen == ["claim_contradicted"]
    assert (result.outcome, result.disclaimer) == (RunOutcome.UNCERTAIN, NOTE)


def test_a_function_may_follow_nothing_and_name_nothing_else():
    agent, _ = says(HONEST)

    assert (
        advising(BLOCK)
        .run_until_accepted(agent, TASK, mitigate=lambda _: None)
        .accepted
    )
    with pytest.raises(ValueError, match="shrug"):
        advising(BLOCK).run_until_accepted(agent, TASK, mitigate=lambda _: "shrug")


def test_a_word_of_a_newer_server_is_never_an_acceptance():
    agent, _ = says(HONEST)
    newer = {**BLOCK.as_dict(), "action": "quarantine"}

    result = advising(newer).run_until_accepted(agent, TASK, mitigate=True)

    assert result.outcome is RunOutcome.UNCERTAIN


def test_it_is_the_same_for_asyncio():
    agent, asked = says(HONEST)

    async def chosen(record):
        return record.verdict.mitigation.action

    async def run():
        hub = advising(BLOCK, None, hub=AsyncLocalHub)
        return await hub.run_until_accepted(agent, TASK, mitigate=chosen)

    assert asyncio.run(run()).accepted
    assert len(asked) == 2


@given(st.sampled_from(MitigationAction), st.sampled_from([HONEST, INVENTED]))
def test_no_mitigation_makes_an_outcome_better(action, answer):
    def outcome(**options):
        agent, _ = says(answer)
        hub = advising({**BLOCK.as_dict(), "action": str(action)})
        result = hub.run_until_accepted(agent, TASK, max_attempts=1, **options)
        return ["accepted", "uncertain", "failed", "blocked"].index(result.outcome)

    assert outcome(mitigate=True) >= outcome()
