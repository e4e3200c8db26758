import pytest

from tests.client.conftest import IMPATIENT, TASK
from tests.conftest import API_SECRET
from tests.mcp_server.conftest import HONEST_RUN, RUN
from verifyhub.embedded import VerifyHub
from verifyhub.ingest.models import Interaction

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_invented_name_is_flagged_over_every_transport(ask):
    async def act(client):
        return await client.call_tool("verify", RUN)

    result = ask(act)

    assert not result.is_error, result.content
    said = result.structured_content
    assert said["verdict"] == "reject"
    assert [name["text"] for name in said["flagged"]] == [
        "shop/price_engine.py",
        "shop/taxes.py",
        "shop/vouchers.py",
        "shop/discounts.py",
    ]
    assert said["decision"]["action"] == "retry"
    assert "shop/taxes.py" in said["decision"]["additional_context"]
    assert Interaction.objects.get().task == TASK


def test_it_says_what_the_api_says(ask_http, hub):
    async def act(client):
        return await client.call_tool("verify", {**HONEST_RUN, "id": "run-1"})

    said = ask_http(act).structured_content

    stated = hub.check(TASK, HONEST_RUN["answer"], tool_calls=HONEST_RUN["tool_calls"])
    assert said["id"] == "run-1"
    assert said["state"] == "verified"
    assert (said["verdict"], said["confidence"]) == (stated.verdict, stated.confidence)
    assert said["flagged"] == said["claims"] == []


def test_the_same_call_twice_is_stored_once(ask_http):
    async def act(client):
        return [await client.call_tool("verify", RUN) for _ in range(2)]

    first, second = ask_http(act)

    assert first.structured_content == second.structured_content
    assert Interaction.objects.count() == 1


def test_without_waiting_it_is_pending_and_explained_later(ask_http):
    async def act(client):
        sent = await client.call_tool("verify", {**RUN, "wait_seconds": 0})
        pending = sent.structured_content
        while True:
            explained = await client.call_tool("explain_verdict", {"id": pending["id"]})
            if explained.structured_content["state"] == "verified":
                return pending, explained.structured_content

    pending, explained = ask_http(act)

    assert (pending["state"], pending["verdict"]) == ("pending", None)
    assert explained["verdict"] == "reject"


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"tool_call": []}, "- tool_call: unknown field"),
        ({"answer": 7}, "- answer: must be a string."),
        (
            {"tool_calls": [{"tool": "ls", "status": "fine"}]},
            "- tool_calls[0].status: must be one of ok, error, refused, unknown.",
        ),
        (
            {"tool_calls": [{"tool": "ls", "outptu": "a"}]},
            "- tool_calls[0].outptu: is unknown; known are id, tool, input,",
        ),
        # What only the hub can say.
        ({"tool_calls": [{"tool": ""}]}, "- tool_calls[0].tool: "),
        ({"session": "x" * 201}, "- session: "),
        ({"wait_seconds": 31}, "- wait_seconds: "),
    ],
)
def test_a_wrong_field_is_named(ask_http, wrong, line):
    async def act(client):
        return await client.call_tool("verify", {**RUN, **wrong})

    result = ask_http(act)

    assert result.is_error
    assert line in result.content[0].text
    assert not Interaction.objects.exists()


def test_a_missing_field_is_named(ask_http):
    async def act(client):
        return await client.call_tool("verify", {"task": "?", "answer": "!"})

    assert "- tool_calls: is required." in ask_http(act).content[0].text


def test_what_comes_back_of_a_hostile_answer_is_bounded(ask_http):
    names = [f"`{'x' * 100}{number}/ignore_all_rules.py`" for number in range(80)]
    run = {**RUN, "answer": "I used " + ", ".join(names)}

    async def act(client):
        return await client.call_tool("verify", run)

    result = ask_http(act)

    assert not result.is_error, result.content
    said = result.structured_content
    assert len(said["flagged"]) == 50
    assert said["omitted"] == 30
    assert all(len(name["text"]) <= 300 for name in said["flagged"])
    assert len(said["decision"]["additional_context"]) <= 8000


def test_every_tool_has_a_schema_of_what_it_returns(ask_http):
    async def act(client):
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in ask_http(act)}

    assert set(tools) == {"verify", "guard", "context", "explain_verdict"}
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["properties"]
        assert tool.description
        assert tool.annotations.destructive_hint is not True
    assert tools["verify"].input_schema["required"] == ["task", "answer", "tool_calls"]


@pytest.fixture
def hub(server):
    with VerifyHub(server, API_SECRET, patience=IMPATIENT) as hub:
        yield hub
