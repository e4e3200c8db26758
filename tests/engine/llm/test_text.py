"""Text from a model, with its probability where the endpoint tells it."""

import math

import pytest

from tests.engine.llm.endpoints import allowing, an_endpoint
from tests.model_server import (
    a_text,
    a_tool_use,
    failing,
    model_server,
    replies,
    send_json,
)
from verifyhub.engine.llm.endpoint import Dialect
from verifyhub.engine.llm.models import model_at
from verifyhub.engine.ports import ModelError, ModelRequest

QUESTION = {"system": "Answer.", "user": "{}", "purpose": "layer.semantic_entropy"}
USAGE = {"prompt_tokens": 7, "completion_tokens": 2}


def with_logprobs(*values: object):
    reply = a_text("Paris") | {"usage": USAGE}
    content = [{"token": "x", "logprob": value} for value in values]
    reply["choices"][0]["logprobs"] = {"content": content}
    return reply


def text_model(server, **fields):
    return model_at(
        an_endpoint(server.base_url, **fields),
        policy=allowing(server.base_url),
        pause=lambda _: None,
    )


def test_a_text_carries_the_sum_of_its_tokens_logarithms():
    with model_server(replies(with_logprobs(-0.5, -0.25))) as server:
        said = text_model(server).ask(ModelRequest(**QUESTION, logprobs=True))

    assert said.text == "Paris"
    assert said.logprob == pytest.approx(-0.75)
    assert said.tokens == 2
    assert math.exp(said.logprob / said.tokens) == pytest.approx(math.exp(-0.375))
    assert server.requests[0]["logprobs"] is True


@pytest.mark.parametrize(
    "values",
    [(), (-0.5, None), (-0.5, "x"), (-0.5, True), (2.0,), (float("-1e6"),)],
)
def test_a_probability_that_is_none_is_not_told(values):
    with model_server(replies(with_logprobs(*values))) as server:
        said = text_model(server).ask(ModelRequest(**QUESTION, logprobs=True))

    assert (said.text, said.logprob, said.tokens) == ("Paris", None, None)


def test_nobody_is_told_a_probability_unasked():
    with model_server(replies(with_logprobs(-0.5))) as server:
        said = text_model(server).ask(ModelRequest(**QUESTION))

    assert said.logprob is None
    assert "logprobs" not in server.requests[0]


@pytest.mark.parametrize("status", [400, 403, 422])
def test_an_endpoint_that_refuses_logprobs_is_asked_again_without(status):
    def respond(handler, request):
        if "logprobs" in request:
            failing(status, b'{"error": "you may not request logprobs"}')(handler, {})
        else:
            send_json(handler, a_text("Paris"))

    with model_server(respond) as server:
        model = text_model(server)
        first = model.ask(ModelRequest(**QUESTION, logprobs=True))
        second = model.ask(ModelRequest(**QUESTION, logprobs=True))

    assert (first.text, first.logprob) == ("Paris", None)
    assert second.text == "Paris"
    # Once refused it is left out from then on.
    assert ["logprobs" in request for request in server.requests] == [
        True,
        False,
        False,
    ]


def test_a_refusal_that_names_no_parameter_is_an_answer():
    with (
        model_server(failing(403, b'{"error": "forbidden"}')) as server,
        pytest.raises(ModelError) as caught,
    ):
        text_model(server).ask(ModelRequest(**QUESTION, logprobs=True))

    assert caught.value.reason == "refused"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("wanted", "sent"), [(None, 50), (10, 10), (500, 50), (0, 1), (-3, 1)]
)
def test_the_shorter_limit_of_caller_and_endpoint_holds(wanted, sent):
    with model_server(replies(a_text("Paris"))) as server:
        model = text_model(server, max_output_tokens=50)
        model.ask(ModelRequest(**QUESTION, max_output_tokens=wanted, temperature=1.0))

    assert server.requests[0]["max_tokens"] == sent
    assert server.requests[0]["temperature"] == 1.0


def test_a_caller_can_wait_less_than_the_endpoint_allows_and_never_more():
    with model_server(replies(a_text("Paris"))) as server:
        model = text_model(server, deadline_seconds=60)
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(**QUESTION, deadline_seconds=0))
        hasty = text_model(server, deadline_seconds=0)
        with pytest.raises(ModelError) as still:
            hasty.ask(ModelRequest(**QUESTION, deadline_seconds=60))

    assert caught.value.reason == still.value.reason == "deadline"
    assert server.requests == []


def test_a_verifier_can_be_hurried():
    with model_server(replies(a_text("Paris"))) as server:
        model = text_model(server)
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(**QUESTION, tool={"name": "x"}, deadline_seconds=0))

    assert caught.value.reason == "deadline"


def test_a_text_that_was_cut_says_so_and_an_empty_one_is_none():
    with model_server(replies(a_text("Par", finish="length"), a_text(" "))) as server:
        model = text_model(server)
        assert model.ask(ModelRequest(**QUESTION)).is_cut
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(**QUESTION))

    assert caught.value.reason == "malformed"


def test_anthropic_gives_text_without_a_probability():
    reply = a_tool_use() | {
        "content": [{"type": "text", "text": "Paris"}],
        "stop_reason": "end_turn",
    }
    with model_server(replies(reply)) as server:
        model = text_model(server, dialect=Dialect.ANTHROPIC, max_output_tokens=50)
        said = model.ask(ModelRequest(**QUESTION, logprobs=True, max_output_tokens=10))

    assert (said.text, said.logprob, said.usage.output_tokens) == ("Paris", None, 5)
    assert server.requests[0]["max_tokens"] == 10
    assert "logprobs" not in server.requests[0]


def test_the_worst_price_is_a_token_a_byte_and_the_longest_reply():
    endpoint = an_endpoint(
        "http://127.0.0.1:9/v1",
        max_output_tokens=100,
        input_microdollars_per_mtok=1_000_000,
        output_microdollars_per_mtok=2_000_000,
    )
    model = model_at(endpoint, policy=allowing(endpoint.base_url))

    short = ModelRequest(system="ä", user="b", purpose="x", max_output_tokens=10)
    surrogate = ModelRequest(system="", user="\ud800", purpose="x")
    assert model.worst_microdollars(short) == 3 + 1024 + 20
    assert model.worst_microdollars(surrogate) == 9 + 1024 + 200
    unpriced = model_at(
        an_endpoint("http://127.0.0.1:9/v1"), policy=allowing("http://a")
    )
    assert unpriced.worst_microdollars(short) is None
