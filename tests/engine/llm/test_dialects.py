"""What each dialect puts on the wire, and reads from it."""

import json

import pytest

from tests.engine.llm.endpoints import SECRET, a_model_at
from tests.model_server import a_call, a_text, a_tool_use, model_server, replies
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.llm.endpoint import Dialect, ReplyMode
from verifyhub.engine.ports import ModelError, ModelRequest

PRICED = {
    "input_microdollars_per_mtok": 150_000,
    "output_microdollars_per_mtok": 600_000,
}


def submit(server, **fields):
    model = a_model_at(server.base_url, **fields)
    return model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))


def refusal(script, **fields) -> ModelError:
    with model_server(replies(script)) as server, pytest.raises(ModelError) as caught:
        submit(server, **fields)
    return caught.value


def with_usage(data, usage):
    return {**data, "usage": usage}


def test_openai_forces_the_call():
    with model_server(replies(a_call({"x": 1}))) as server:
        reply = submit(server, max_output_tokens=77)

    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {SECRET}"
    assert request["model"] == "m"
    assert request["max_tokens"] == 77
    assert request["temperature"] == 0.1
    assert request["tools"][0]["function"]["name"] == TOOL["name"]
    assert request["tool_choice"]["function"]["name"] == TOOL["name"]
    assert "response_format" not in request
    assert reply.text == '{"x": 1}'


def test_openai_asks_for_the_schema_where_there_are_no_forced_tools():
    with model_server(replies(a_text('{"x": 1}'))) as server:
        reply = submit(server, reply_mode=ReplyMode.JSON_SCHEMA)

    (request,) = server.requests
    form = request["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"] == TOOL["parameters"]
    assert "tools" not in request
    assert "tool_choice" not in request
    assert TOOL["name"] in request["messages"][0]["content"]
    assert reply.text == '{"x": 1}'


def test_arguments_that_arrive_parsed_are_taken():
    data = a_call({})
    data["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = {"x": 1}
    with model_server(replies(data)) as server:
        assert json.loads(submit(server).text) == {"x": 1}


def test_azure_is_asked_for_its_deployment_with_its_own_header():
    with model_server(replies(a_call({"x": 1}))) as server:
        model = a_model_at(
            server.base_url.removesuffix("/v1"),
            dialect=Dialect.AZURE,
            model="my-deployment",
            api_version="2025-04-01-preview",
        )
        model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))

    (path,) = server.paths
    assert path == (
        "/openai/deployments/my-deployment/chat/completions"
        "?api-version=2025-04-01-preview"
    )
    assert server.headers[0]["api-key"] == SECRET


def test_anthropic_forces_the_call():
    with model_server(replies(a_tool_use({"x": 1}))) as server:
        reply = submit(server, dialect=Dialect.ANTHROPIC, max_output_tokens=77)

    (request,) = server.requests
    (sent,) = server.headers
    assert server.paths == ["/v1/messages"]
    assert (sent["x-api-key"], sent["anthropic-version"]) == (SECRET, "2023-06-01")
    assert "authorization" not in sent
    assert request["max_tokens"] == 77
    assert request["temperature"] == 0.1
    assert request["system"] == "s"
    assert request["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "u"}]}
    ]
    assert request["tools"][0]["input_schema"] == TOOL["parameters"]
    assert request["tool_choice"] == {
        "type": "tool",
        "name": TOOL["name"],
        "disable_parallel_tool_use": True,
    }
    assert json.loads(reply.text) == {"x": 1}
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (10, 5)


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_anthropics_address_may_end_in_its_version(end):
    with model_server(replies(a_tool_use({}))) as server:
        base = server.base_url.removesuffix("/v1") + end
        model = a_model_at(base, dialect=Dialect.ANTHROPIC)
        model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))

    assert server.paths == ["/v1/messages"]


ANTHROPIC_FAULTS = [
    (a_tool_use(), "no_tool_call"),
    (a_tool_use({}, {}), "no_tool_call"),
    (a_tool_use({}, name="other"), "no_tool_call"),
    ({**a_tool_use({}), "stop_reason": "max_tokens"}, "malformed"),
    ({**a_tool_use({}), "stop_reason": "pause_turn"}, "malformed"),
    ({**a_tool_use({}), "stop_reason": "refusal"}, "refused"),
    ({**a_tool_use(), "content": [{"type": "text", "text": "OK"}]}, "no_tool_call"),
    ({**a_tool_use(), "content": "VERIFIED"}, "malformed"),
    ({**a_tool_use(), "content": None}, "no_tool_call"),
    ({**a_tool_use(), "content": ["x"]}, "malformed"),
    (a_tool_use("{}"), "malformed"),
    (a_tool_use(None), "malformed"),
    (a_tool_use([]), "malformed"),
    (a_tool_use(*[{}] * 65), "malformed"),
    ({"type": "error", "error": {"type": "overloaded_error"}}, "malformed"),
    ({}, "malformed"),
    ([], "malformed"),
    (None, "malformed"),
]


@pytest.mark.parametrize(("data", "reason"), ANTHROPIC_FAULTS)
def test_what_is_no_single_call_of_anthropics_has_a_reason(data, reason):
    assert refusal(data, dialect=Dialect.ANTHROPIC).reason == reason


@pytest.mark.parametrize("mode", [ReplyMode.FORCED_TOOL, ReplyMode.JSON_SCHEMA])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (a_text("VERIFIED", finish="length"), "malformed"),
        (a_text("", finish="content_filter"), "refused"),
        ({"choices": [{"message": {"refusal": "No."}}]}, "refused"),
        (a_text(""), "no_tool_call"),
        (a_text("  \n"), "no_tool_call"),
    ],
)
def test_a_reply_that_is_cut_declined_or_empty_says_so(mode, data, reason):
    assert refusal(data, reply_mode=mode).reason == reason


USAGE = {"prompt_tokens": 1_001, "completion_tokens": 10}


def test_tokens_are_counted_and_priced_rounding_up():
    with model_server(replies(with_usage(a_call({}), USAGE))) as server:
        usage = submit(server, **PRICED).usage

    assert (usage.input_tokens, usage.output_tokens) == (1_001, 10)
    # 150.15 for the input, 6 for the output.
    assert usage.cost_microdollars == 157
    assert not usage.overstated
    assert usage.latency_seconds > 0


@pytest.mark.parametrize("count", [None, True, -1, 1.5, "7", [], {}, float("1e9")])
def test_a_count_that_is_none_is_not_known(count):
    usage = {"prompt_tokens": count, "completion_tokens": 3}
    with model_server(replies(with_usage(a_call({}), usage))) as server:
        found = submit(server, **PRICED).usage

    assert found.input_tokens is None
    assert found.output_tokens == 3
    assert found.cost_microdollars is None


@pytest.mark.parametrize("count", [10**6, 10**9, 10**12, 10**25])
@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens"])
def test_a_count_that_cannot_be_is_bounded_by_what_was_sent_and_asked_for(name, count):
    counts = {**USAGE, name: count}
    with model_server(replies(with_usage(a_call({}), counts))) as server:
        usage = submit(server, **PRICED).usage

    assert usage.overstated
    assert usage.input_tokens < 10_000
    assert usage.output_tokens <= 4_096
    assert usage.cost_microdollars < 5_000


@pytest.mark.parametrize("usage", [None, [], "x", 3, {}])
def test_usage_that_is_missing_spoils_nothing(usage):
    with model_server(replies(with_usage(a_call({}), usage))) as server:
        assert submit(server).usage.input_tokens is None


def test_anthropic_counts_what_its_cache_took_as_input():
    usage = {
        "input_tokens": 5,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 300,
        "output_tokens": 2,
    }
    with model_server(replies(with_usage(a_tool_use({}), usage))) as server:
        found = submit(server, dialect=Dialect.ANTHROPIC).usage

    assert (found.input_tokens, found.output_tokens) == (325, 2)


@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.ANTHROPIC])
def test_a_reply_that_cannot_be_used_has_been_paid_for(dialect):
    data = {**a_text("VERIFIED"), "type": "message", "content": []}
    counts = {**USAGE, "input_tokens": 1_001, "output_tokens": 10}

    error = refusal(with_usage(data, counts), dialect=dialect, **PRICED)

    assert error.reason == "no_tool_call"
    assert error.usage.cost_microdollars == 157


def test_nothing_of_the_environment_is_sent(monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "OPENAI_ADMIN_KEY",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "AZURE_OPENAI_API_KEY",
        "AZURE_OPENAI_AD_TOKEN",
    ):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS",
        "X-Secret: from-the-environment\nAuthorization: from-the-environment",
    )
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/from-the-environment")
    with model_server(replies(a_call({}))) as server:
        for key in ("", SECRET):
            for dialect in (Dialect.OPENAI, Dialect.AZURE):
                submit(server, dialect=dialect, api_key=key)

    assert len(server.requests) == 4
    assert "from-the-environment" not in json.dumps([server.headers, server.paths])


def test_a_lone_surrogate_in_the_material_can_be_sent():
    with model_server(replies(a_call({}))) as server:
        a_model_at(server.base_url).ask(
            ModelRequest(system="s", user="a\ud800b", tool=TOOL, purpose="test")
        )

    assert server.requests[0]["messages"][1]["content"].startswith("a")
