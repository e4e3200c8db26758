"""An agent is asked until its answer is accepted, or it is enough."""

import pytest

from tests.client.conftest import HONEST, INVENTED, LISTING, TASK, says
from verifyhub.embedded import AgentAnswer, AttemptKind, LocalHub, RunOutcome, VerifyHub
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import ContextDelivery

BOTH = pytest.mark.parametrize("where", ["hub", "local"])


@pytest.fixture
def where_hub(request: pytest.FixtureRequest) -> VerifyHub | LocalHub:
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("where_hub", ["hub", "local"], indirect=True)
def test_a_good_answer_is_accepted_at_once(where_hub):
    agent, asked = says(HONEST)

    result = where_hub.run_until_accepted(agent, TASK)

    assert (result.outcome, result.accepted) == (RunOutcome.ACCEPTED, True)
    assert [a.kind for a in asked] == [AttemptKind.FIRST]
    assert result.verdict.verified == ("shop/pricing.py", "shop/cart.py")


@pytest.mark.parametrize("where_hub", ["hub", "local"], indirect=True)
def test_inventions_are_named_in_the_next_prompt(where_hub):
    agent, asked = says(INVENTED, HONEST)

    result = where_hub.run_until_accepted(agent, TASK, session="prices")

    assert result.accepted
    assert [a.kind for a in asked] == [AttemptKind.FIRST, AttemptKind.RETRY]
    assert asked[1].prompt.startswith(TASK)
    assert '"shop/vouchers.py"' in asked[1].prompt
    assert [r.verdict.action for r in result.attempts] == ["retry", "accept"]


@pytest.mark.parametrize("where_hub", ["hub", "local"], indirect=True)
def test_after_the_limit_it_fails_with_the_last_verdict(where_hub):
    agent, asked = says(INVENTED)

    result = where_hub.run_until_accepted(agent, TASK, max_attempts=9)

    assert (result.outcome, result.reason) == ("failed", "max_retries_exceeded")
    assert len(asked) == 3
    assert result.verdict.action == "fail"
    assert len(result.verdict.flagged) == 4


def test_the_callers_own_limit_holds_too(local):
    agent, asked = says(INVENTED)

    result = local.run_until_accepted(agent, TASK, max_attempts=2)

    assert (result.outcome, result.reason, len(asked)) == ("failed", "max_attempts", 2)


def test_attempts_are_stored_as_a_chain_in_one_session(hub):
    agent, _ = says(INVENTED, HONEST)

    hub.run_until_accepted(agent, TASK, session="prices", run_id="r", name="a")

    first, second = Interaction.objects.order_by("created_at")
    assert (first.client_id, second.client_id, second.parent) == ("r.1", "r.2", "r.1")
    assert first.session == second.session
    assert second.metadata["run"] == {"id": "r", "attempt": 2, "kind": "retry"}


@pytest.mark.parametrize("where_hub", ["hub", "local"], indirect=True)
def test_what_a_session_learned_stands_in_the_next_runs_prompt(where_hub):
    where_hub.run_until_accepted(says(INVENTED)[0], TASK, session="s", max_attempts=1)
    learned = where_hub.context("s", task=TASK)
    agent, asked = says(HONEST)

    where_hub.run_until_accepted(agent, TASK, session="s")

    assert '"shop/taxes.py"' in learned
    assert asked[0].context == learned
    assert learned in asked[0].prompt


def test_an_answer_names_the_context_it_was_told_by_its_hash(hub):
    hub.run_until_accepted(says(INVENTED)[0], TASK, session="s", max_attempts=1)

    hub.run_until_accepted(says(HONEST)[0], TASK, session="s")

    untold, told = Interaction.objects.order_by("created_at")
    assert untold.context_sha256 == ""
    delivery = ContextDelivery.objects.get(sha256=told.context_sha256)
    assert delivery.counts["findings"] == 4


def test_an_agent_that_returns_something_else_is_an_error(local):
    with pytest.raises(TypeError, match="AgentAnswer"):
        local.run_until_accepted(lambda _: 7, TASK)


def test_what_the_agent_raises_goes_through(local):
    def agent(attempt):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        local.run_until_accepted(agent, TASK)


def test_one_answer_can_be_checked_alone(hub):
    verdict = hub.check(TASK, INVENTED, tool_calls=[LISTING], id="x", session="s")

    assert (verdict.id, verdict.verdict, verdict.action) == ("x", "reject", "retry")
    again = hub.check(TASK, AgentAnswer(answer=INVENTED, tool_calls=[LISTING]), id="y")
    assert again.flagged == verdict.flagged
