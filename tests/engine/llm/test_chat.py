"""A conversation with tools, in both dialects."""

import json

import pytest

from tests.engine.llm.endpoints import allowing, an_endpoint
from tests.model_server import a_text, a_tool_use, failing, model_server, replies
from verifyhub.engine.llm.endpoint import Dialect
from verifyhub.engine.llm.messages import ChatMessage, MessageRole
from verifyhub.engine.llm.models import chat_at
from verifyhub.engine.ports import ModelError

READ = {
    "name": "read",
    "description": "Read a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
}
ASKED = (
    ChatMessage(role=MessageRole.SYSTEM, text="You read files."),
    ChatMessage(role=MessageRole.USER, text="Which files are there?"),
)
USAGE = {"prompt_tokens": 7, "completion_tokens": 3}


def some_calls(*arguments: object):
    calls = [
        {"id": f"c{number}", "function": {"name": "read", "arguments": text}}
        for number, text in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": calls}
    return {
        "choices": [{"message": message, "finish_reason": "tool_calls"}],
        "usage": USAGE,
    }


def chat(server, **fields):
    return chat_at(
        an_endpoint(server.base_url, **fields),
        policy=allowing(server.base_url),
        pause=lambda _: None,
    )


def test_a_turn_may_hold_text_and_several_calls():
    with model_server(replies(some_calls('{"path": "a"}', '{"path": "b"}'))) as server:
        turn = chat(server).complete(ASKED, [READ])

    assert turn.text == "Let me see."
    assert [(call.id, call.name, call.arguments) for call in turn.tool_calls] == [
        ("c0", "read", {"path": "a"}),
        ("c1", "read", {"path": "b"}),
    ]
    assert turn.usage.input_tokens == 7
    assert "tool_choice" not in server.requests[0]


@pytest.mark.parametrize(
    ("text", "arguments"),
    [("", {}), (" ", {}), ("{}", {}), ('{"path": "ä"}', {"path": "ä"})],
)
def test_a_call_without_arguments_is_one(text, arguments):
    with model_server(replies(some_calls(text))) as server:
        (call,) = chat(server).complete(ASKED, [READ]).tool_calls

    assert (call.arguments, call.problem) == (arguments, "")


@pytest.mark.parametrize(
    "text", ["{", "path=a", "[]", "null", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 9999]
)
def test_arguments_that_are_none_are_a_value_that_says_why(text):
    with model_server(replies(some_calls(text, '{"path": "b"}'))) as server:
        bad, good = chat(server).complete(ASKED, [READ]).tool_calls

    assert bad.arguments is None
    assert bad.problem.startswith("The arguments are no")
    assert bad.text == text
    assert good.arguments == {"path": "b"}


def test_a_call_without_an_id_is_given_one():
    data = some_calls("{}", "{}")
    for call in data["choices"][0]["message"]["tool_calls"]:
        call["id"] = ""
    with model_server(replies(data)) as server:
        turn = chat(server).complete(ASKED, [READ])

    assert [call.id for call in turn.tool_calls] == ["call_1", "call_2"]


def the_next_request(dialect, first):
    """What is sent after a turn with a sound and a broken call was answered."""
    with model_server(replies(first)) as server:
        model = chat(server, dialect=dialect)
        turn = model.complete(ASKED, [READ])
        results = [
            ChatMessage(
                role=MessageRole.TOOL, call_id=call.id, text=call.problem or "x\ud800y"
            )
            for call in turn.tool_calls
        ]
        model.complete([*ASKED, turn.as_message(), *results], [READ])
    return server.requests[1]


def test_openai_is_told_the_calls_and_each_result():
    request = the_next_request(Dialect.OPENAI, some_calls('{"path": "a"}', "{"))

    _, _, said, first, second = request["messages"]
    assert said["content"] == "Let me see."
    assert [call["function"]["arguments"] for call in said["tool_calls"]] == [
        '{"path": "a"}',
        "{}",
    ]
    assert (first["role"], first["tool_call_id"]) == ("tool", "c0")
    assert "\ud800" not in first["content"]
    assert (second["tool_call_id"], second["content"][:17]) == (
        "c1",
        "The arguments are",
    )


def test_anthropic_is_told_all_results_in_one_turn():
    request = the_next_request(Dialect.ANTHROPIC, a_tool_use({"path": "a"}, {}))

    roles = [message["role"] for message in request["messages"]]
    assert roles == ["user", "assistant", "user"]
    assert [block["type"] for block in request["messages"][2]["content"]] == [
        "tool_result",
        "tool_result",
    ]
    assert request["messages"][1]["content"][0]["input"] == {"path": "a"}
    assert request["system"] == "You read files."
    json.dumps(request)


def test_a_turn_that_was_cut_says_so():
    with model_server(replies(a_text("The files", finish="length"))) as server:
        turn = chat(server).complete(ASKED)

    assert (turn.text, turn.is_cut, turn.tool_calls) == ("The files", True, ())
    assert "tools" not in server.requests[0]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (a_text("", finish="content_filter"), "refused"),
        (failing(401), "refused"),
        (failing(429), "rate_limited"),
        (failing(503), "unreachable"),
        ({"choices": []}, "malformed"),
    ],
)
def test_no_turn_is_a_model_error(step, reason):
    with model_server(replies(step)) as server, pytest.raises(ModelError) as caught:
        chat(server).complete(ASKED)

    assert caught.value.reason == reason
