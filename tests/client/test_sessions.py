"""A session: its tool calls are its answers' evidence, its memory their prompt."""

import asyncio
import threading
from pathlib import Path

import pytest

from tests.client.conftest import HONEST, IMPATIENT, INVENTED, TASK
from tests.conftest import API_SECRET
from verifyhub.embedded import LocalHub
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction
from verifyhub_client import (
    Agent,
    AgentAnswer,
    AsyncVerifyHub,
    HubUnavailableError,
    VerifyHub,
    tool,
)
from verifyhub_client.recording import MAX_EARLIER_CALLS
from verifyhub_client.runs import interaction_body

LISTING = "shop/pricing.py\nshop/cart.py\nshop/orders.py\n"
NOWHERE = "http://127.0.0.1:9"


@tool
def list_files(path: str) -> str:
    return LISTING


def accepted_by_the_server(calls) -> None:
    """Read tool calls as the server does; it refuses what it cannot take."""
    body = interaction_body(
        TASK,
        AgentAnswer(answer=HONEST, tool_calls=calls),
        interaction_id="x",
        session=None,
        agent=Agent(),
        parent=None,
    )
    parse_interaction(body)


def test_an_answer_is_checked_on_what_the_sessions_tools_returned(hub):
    with hub.session("shop", agent=Agent(name="helper")) as session:
        list_files(".")
        checked = session.check(TASK, HONEST)

    assert checked.accepted, checked.verdict
    assert checked.value == HONEST
    stored = Interaction.objects.get(client_id=checked.id)
    assert (stored.session.key, stored.agent_name) == ("shop", "helper")
    (call,) = stored.tool_calls.all()
    assert (call.tool, call.input) == ("list_files", {"path": "."})
    assert (call.output, call.status) == (LISTING, "ok")
    assert call.started_at is not None
    assert call.duration_ms is not None


def test_what_an_answer_taught_is_in_the_next_prompt(hub):
    with hub.session("shop") as session:
        list_files(".")
        assert session.context(TASK) == ""
        assert session.check(TASK, INVENTED).rejected

        assert "price_engine.py" in session.context(TASK)


def test_it_observes_with_its_tool_calls(hub):
    with hub.session("shop") as session:
        session.tool("list", {"path": "."}, LISTING, status="ok", duration_ms=7)
        own_id = session.observe(TASK, HONEST)
    assert hub.flush(10)

    (call,) = Interaction.objects.get(client_id=own_id).tool_calls.all()
    assert (call.tool, call.output, call.duration_ms) == ("list", LISTING, 7)


def test_what_a_tool_raises_goes_on_and_is_noted_as_an_error():
    session = LocalHub().session("shop")

    @session.tool("reader")
    def read(path: str) -> str:
        raise FileNotFoundError(path)

    with pytest.raises(FileNotFoundError):
        read("a.py")

    (call,) = session.tool_calls
    assert (call["tool"], call["status"]) == ("reader", "error")
    assert call["output"] == "FileNotFoundError: a.py"


def test_tools_of_every_kind_are_noted_with_what_went_in():
    session = LocalHub().session("shop")

    class Box:
        @session.tool
        def read(self, path: str, *more: str, deep: bool = False) -> list[str]:
            return [path, *more]

    @session.tool
    async def fetch(url: str) -> dict[str, Path]:
        return {"found": Path(url)}

    with session.call("by-hand", {"n": 1}) as made:
        made.output, made.status = "no", "refused"
    assert Box().read("a", "b", deep=True) == ["a", "b"]
    assert asyncio.run(fetch("u")) == {"found": Path("u")}

    fields = ("tool", "input", "output", "status")
    noted = [tuple(call[one] for one in fields) for call in session.tool_calls]
    assert noted == [
        ("by-hand", {"n": 1}, "no", "refused"),
        ("read", {"path": "a", "2": "b", "deep": True}, '["a", "b"]', "ok"),
        ("fetch", {"url": "u"}, '{"found": "u"}', "ok"),
    ]
    accepted_by_the_server(session.tool_calls)


class Rude:
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "hostile",
    [
        "a\x00b",
        "half a pair \ud800",
        b"\xff\x00",
        float("nan"),
        {"deep": {1: {None: object()}}},
        Rude(),
        {1, 2},
        None,
    ],
)
def test_whatever_a_tool_takes_and_returns_the_server_can_read_it(hostile):
    session = LocalHub().session("shop")

    session.tool("x", {"given": hostile, "more": [hostile]}, hostile)

    accepted_by_the_server(session.tool_calls)


def test_what_a_tool_changes_in_its_input_is_not_what_went_in():
    session = LocalHub().session("shop")

    @session.tool
    def drain(items: list[int]) -> int:
        items.clear()
        return 0

    drain([1, 2])

    assert session.tool_calls[0]["input"] == {"items": [1, 2]}


def test_outside_a_session_nothing_is_noted_and_threads_need_the_sessions_own_mark():
    session = LocalHub().session("shop")
    marked = session.tool(list_files)

    with session:
        for work in (list_files, marked):
            thread = threading.Thread(target=work, args=(".",))
            thread.start()
            thread.join()
    list_files(".")

    assert [call["tool"] for call in session.tool_calls] == ["list_files"]


def test_a_later_answer_rests_on_earlier_calls_up_to_a_bound():
    session = LocalHub().session("shop")
    session.tool("first", {}, LISTING)
    first = session.answered(HONEST)
    session.tool("second", {}, "x")
    second = session.answered(HONEST)

    assert [call["tool"] for call in first.tool_calls] == ["first"]
    assert first.metadata == {}
    assert [call["tool"] for call in second.tool_calls] == ["first", "second"]
    assert second.metadata == {"earlier_calls": 1}

    for _ in range(MAX_EARLIER_CALLS):
        session.tool("many", {}, "y")
    session.answered(HONEST)
    last = session.answered(HONEST)

    assert [call["tool"] for call in last.tool_calls] == ["many"] * MAX_EARLIER_CALLS
    assert last.metadata == {"earlier_calls": 200, "earlier_calls_left_out": 2}
    assert session.answered(HONEST).metadata == last.metadata
    assert len(session.tool_calls) == MAX_EARLIER_CALLS


def test_a_hub_that_is_away_does_not_reach_the_agent():
    hub = VerifyHub(NOWHERE, API_SECRET, patience=IMPATIENT)
    with hub.session("shop") as session:
        assert session.context(TASK) == ""
        assert session.guard(HONEST) is None
        checked = session.check(TASK, HONEST)

    assert (checked.value, checked.verdict, checked.accepted) == (HONEST, None, False)
    assert isinstance(checked.error, HubUnavailableError)
    assert checked.require() == HONEST


def test_unless_it_is_asked_to():
    hub = VerifyHub(NOWHERE, API_SECRET, patience=IMPATIENT, raise_errors=True)
    session = hub.session("shop")

    for act in (lambda: session.context(TASK), lambda: session.check(TASK, HONEST)):
        with pytest.raises(HubUnavailableError):
            act()
    assert hub.session("shop", raise_errors=False).context(TASK) == ""


def test_it_is_the_same_for_asyncio(server):
    async def run():
        async with AsyncVerifyHub(server, API_SECRET) as hub:
            async with hub.session("shop") as session:
                list_files(".")
                checked = await session.check(TASK, HONEST)
                guarded = await session.guard(HONEST)
                own_id = session.observe(TASK, INVENTED)
            assert await hub.flush(10)
            return checked, guarded, own_id, hub.stats.sent

    checked, guarded, own_id, sent = asyncio.run(run())

    assert (checked.accepted, guarded.ok, sent) == (True, True, 1)
    assert Interaction.objects.get(client_id=own_id).tool_calls.count() == 1
