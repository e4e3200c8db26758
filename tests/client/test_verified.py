"""`@verified`: a function's answers are checked, and the function stays what it was."""

import asyncio
import inspect
import json

import pytest

from tests.client.conftest import HONEST, IMPATIENT, INVENTED, TASK
from tests.client.scripted_server import scripted_server
from tests.client.test_observe import STORED, watching
from tests.client.test_sessions import LISTING, NOWHERE, list_files
from tests.conftest import API_SECRET
from verifyhub.embedded import AsyncLocalHub, LocalHub
from verifyhub_client import (
    AgentAnswer,
    AnswerBlockedError,
    AnswerRejectedError,
    AsyncVerifyHub,
    Checked,
    HubUnavailableError,
    VerifyHub,
    verified,
)


def seen(server) -> list[dict]:
    """The answers a scripted server was sent."""
    return [json.loads(body) for _, _, _, body in server.requests]


def observed(make, *, close=True) -> dict:
    """The one answer that reaches the server when `make(hub)` is called."""
    with scripted_server(STORED) as server, watching(server.url) as hub:
        make(hub)
        assert hub.flush(10)
    (answer,) = seen(server)
    return answer


def test_an_observed_function_returns_what_it_did_and_its_tools_are_the_evidence():
    def act(hub):
        @verified(hub)
        def helper(task: str) -> str:
            """Say where."""
            list_files(".")
            return HONEST

        assert helper(TASK) == HONEST
        assert (helper.__name__, helper.__doc__) == ("helper", "Say where.")

    answer = observed(act)

    assert (answer["task"], answer["answer"]) == (TASK, HONEST)
    assert answer["agent"]["name"] == "helper"
    assert "session" not in answer
    assert [call["output"] for call in answer["tool_calls"]] == [LISTING]


def test_the_task_is_found_among_the_arguments():
    class Agent:
        @verified(LocalHub(), mode="check")
        def by_place(self, question: str) -> str:
            return HONEST

        @verified(LocalHub(), mode="check")
        def by_name(self, other: int, task: str = TASK) -> str:
            return HONEST

        @verified(LocalHub(), mode="check", task="goal")
        def as_told(self, other: int, *, goal: str) -> str:
            return HONEST

        @verified(LocalHub(), mode="check", task=lambda _self, pair: pair[1])
        def made(self, pair: tuple[int, str]) -> str:
            return HONEST

    agent = Agent()
    for checked in (
        agent.by_place(TASK),
        agent.by_name(1),
        agent.by_name(1, TASK),
        agent.as_told(1, goal=TASK),
        agent.made((1, TASK)),
    ):
        assert checked.verdict is not None, checked.error


def test_a_checked_one_carries_its_verdict():
    @verified(LocalHub(), mode="check")
    def helper(task: str) -> str:
        list_files(".")
        return HONEST if task == TASK else INVENTED

    good, bad = helper(TASK), helper("Which files are there?")

    assert isinstance(good, Checked)
    assert (good.value, good.accepted, good.error) == (HONEST, True, None)
    assert (bad.value, bad.rejected, bad.accepted) == (INVENTED, True, False)


def test_an_enforced_one_raises_for_what_is_refused_and_only_that():
    @verified(LocalHub(), mode="enforce")
    def helper(task: str) -> str:
        list_files(".")
        return HONEST if task == TASK else INVENTED

    @verified(LocalHub(), mode="enforce", refuse=())
    def lenient(task: str) -> str:
        list_files(".")
        return INVENTED

    assert helper(TASK) == HONEST
    assert lenient(TASK) == INVENTED
    with pytest.raises(AnswerRejectedError) as refused:
        helper("Which files are there?")
    assert refused.value.verdict.flagged


def test_an_answer_nobody_may_see_is_blocked():
    verdict = LocalHub().check(
        "When was the lighthouse built?",
        "The lighthouse was built in 1921.",
    )
    advice = {
        "action": "block",
        "reason": "claim_contradicted",
        "text_for_agent": "",
        "disclaimer": "",
    }
    blocked = type(verdict).from_json({**verdict.raw, "mitigation": advice})

    with pytest.raises(AnswerBlockedError):
        Checked(value="x", id="a", verdict=blocked).require()


def test_async_functions_work_with_both_hubs():
    async def run():
        found = []
        for hub in (LocalHub(), AsyncLocalHub()):

            @verified(hub, mode="check")
            async def helper(task: str) -> str:
                await asyncio.sleep(0)
                list_files(".")
                return HONEST

            assert inspect.iscoroutinefunction(helper)
            found.append(await helper(TASK))
        return found

    assert [one.accepted for one in asyncio.run(run())] == [True, True]


def test_calls_at_the_same_time_keep_their_evidence_apart():
    @verified(AsyncLocalHub(), mode="check")
    async def helper(task: str, listing: bool) -> str:
        if listing:
            list_files(".")
        await asyncio.sleep(0.01)
        return HONEST

    async def run():
        return await asyncio.gather(helper(TASK, True), helper(TASK, False))

    with_it, without = asyncio.run(run())

    assert (with_it.accepted, without.accepted) == (True, False)


def test_pieces_go_through_as_they_come_and_are_one_answer():
    def act(hub):
        @verified(hub)
        def helper(task: str):
            list_files(".")
            got = yield "Prices are computed in "
            assert got == "sent"
            yield "`shop/pricing.py`."
            return "end"

        stream = helper(TASK)
        assert next(stream) == "Prices are computed in "
        assert stream.send("sent") == "`shop/pricing.py`."
        with pytest.raises(StopIteration) as end:
            next(stream)
        assert end.value.value == "end"

    answer = observed(act)

    assert answer["answer"] == "Prices are computed in `shop/pricing.py`."
    assert len(answer["tool_calls"]) == 1


def test_async_pieces_too_and_what_was_shown_before_the_reader_left():
    def act(hub):
        @verified(hub)
        async def helper(task: str):
            list_files(".")
            yield "one "
            yield "two "
            yield "three"

        async def run():
            stream = helper(TASK)
            async for piece in stream:
                if piece == "two ":
                    break
            await stream.aclose()

        asyncio.run(run())

    assert observed(act)["answer"] == "one two "


def test_in_the_block_of_a_session_it_belongs_to_it():
    def act(hub):
        @verified(hub)
        def helper(task: str) -> str:
            return HONEST

        with hub.session("shop") as session:
            session.tool("list", {}, LISTING)
            helper(TASK)

    answer = observed(act)

    assert (answer["session"], len(answer["tool_calls"])) == ("shop", 1)


@pytest.mark.parametrize("given", ["shop", lambda _task: "shop"])
def test_it_can_be_told_its_session(given):
    def act(hub):
        @verified(hub, session=given)
        def helper(task: str) -> str:
            return HONEST

        helper(TASK)

    assert observed(act)["session"] == "shop"


def test_what_is_no_text_is_made_one():
    def act(hub):
        @verified(hub, answer=lambda found: AgentAnswer(answer=found["text"]))
        def helper(task: str) -> dict[str, str]:
            return {"text": HONEST}

        assert helper(TASK) == {"text": HONEST}

    assert observed(act)["answer"] == HONEST


def test_what_cannot_be_verified_is_returned_all_the_same():
    @verified(LocalHub(), mode="check")
    def helper(task: str) -> int:
        return 7

    @verified(LocalHub(), mode="enforce", task=lambda task: task["none"])
    def other(task: str) -> str:
        return HONEST

    @verified(LocalHub(), mode="check", raise_errors=True)
    def raising(task: str) -> int:
        return 7

    checked = helper(TASK)
    assert (checked.value, checked.verdict) == (7, None)
    assert isinstance(checked.error, TypeError)
    assert other(TASK) == HONEST
    with pytest.raises(TypeError):
        raising(TASK)


def test_what_the_agent_raises_goes_on_as_it_was():
    @verified(LocalHub(), mode="check")
    def helper(task: str) -> str:
        raise KeyError(task)

    with pytest.raises(KeyError):
        helper(TASK)


@pytest.mark.parametrize("mode", ["check", "enforce"])
def test_a_hub_that_is_away_reaches_the_caller_only_if_asked_to(mode):
    hub = VerifyHub(NOWHERE, API_SECRET, patience=IMPATIENT)

    def helper(task: str) -> str:
        return HONEST

    found = verified(hub, mode=mode)(helper)(TASK)
    value = found.value if isinstance(found, Checked) else found
    assert value == HONEST
    with pytest.raises(HubUnavailableError):
        verified(hub, mode=mode, raise_errors=True)(helper)(TASK)


def test_what_makes_no_sense_is_refused_when_the_function_is_defined():
    def pieces(task: str):
        yield HONEST

    def plain(task: str) -> str:
        return HONEST

    away = AsyncVerifyHub(NOWHERE, API_SECRET)
    with pytest.raises(TypeError, match="only be observed"):
        verified(LocalHub(), mode="check")(pieces)
    with pytest.raises(TypeError, match="hub that waits"):
        verified(away, mode="check")(plain)
    with pytest.raises(TypeError, match="no server"):
        verified(LocalHub())
    with pytest.raises(TypeError, match="no parameter goal"):
        verified(LocalHub(), mode="check", task="goal")(plain)
    with pytest.raises(ValueError, match="observe, check or enforce"):
        verified(LocalHub(), mode="sometimes")
