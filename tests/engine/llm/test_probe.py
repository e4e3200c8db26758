"""How an endpoint is found to reply in shape, and what counts as that."""

import pytest

from tests.engine.llm.endpoints import allowing, an_endpoint
from tests.model_server import (
    a_call,
    a_text,
    a_tool_use,
    break_off,
    failing,
    model_server,
    replies,
    send_json,
)
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.llm.endpoint import Dialect, ReplyMode
from verifyhub.engine.llm.models import model_at
from verifyhub.engine.llm.probe import probe
from verifyhub.engine.ports import ModelError, ModelRequest

TOTAL = {"total": 5}
A_CALL = a_call(TOTAL, name="report_total")
PROSE = a_text("The total is 5. VERIFIED.")
USAGE = {"prompt_tokens": 10, "completion_tokens": 2}


def probed(*script, **fields):
    with model_server(replies(*script)) as server:
        endpoint = an_endpoint(server.base_url, **fields)
        return probe(endpoint, policy=allowing(server.base_url)), server


def by_mode(*, tool, schema):
    """A server whose reply depends on how it is asked."""

    def respond(handler, request):
        step = tool if "tools" in request else schema
        if callable(step):
            step(handler, request)
        else:
            send_json(handler, step)

    return respond


def test_a_forced_call_is_the_first_choice():
    result, server = probed(A_CALL)

    assert result.reply_mode is ReplyMode.FORCED_TOOL
    assert result.message == "Forced tool calls work."
    assert result.latency_seconds > 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "tool",
    [
        PROSE,
        a_text('{"total": 5}'),
        a_call({"total": "5"}, name="report_total"),
        a_call({"total": True}, name="report_total"),
        a_call({"total": 5, "verified": True}, name="report_total"),
        a_call([5], name="report_total"),
        a_call("5", name="report_total"),
        a_call(TOTAL, name="another"),
        failing(400),
        failing(500),
        failing(501),
    ],
)
def test_an_endpoint_without_forced_calls_is_asked_for_the_schema(tool):
    result, server = probed(by_mode(tool=tool, schema=a_text('{"total": 4}')))

    assert result.reply_mode is ReplyMode.JSON_SCHEMA
    assert "forced call: " in result.message
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "schema", [PROSE, a_text("5"), a_text('```json\n{"total": 5}\n```'), failing(400)]
)
def test_prose_is_never_a_pass(schema):
    result, _ = probed(by_mode(tool=PROSE, schema=schema))

    assert result.reply_mode is None
    assert result.message.startswith("No structured reply.")
    assert result.reason in {"malformed", "refused"}


def test_anthropic_is_not_asked_for_a_schema():
    result, server = probed(a_tool_use(), dialect=Dialect.ANTHROPIC)

    assert (result.reply_mode, result.reason) == (None, "no_tool_call")
    assert len(server.requests) == 1


def test_anthropics_forced_call_works():
    result, _ = probed(
        a_tool_use(TOTAL, name="report_total"), dialect=Dialect.ANTHROPIC
    )

    assert result.reply_mode is ReplyMode.FORCED_TOOL


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (failing(401), "refused"),
        (failing(503), "unreachable"),
        (break_off, "unreachable"),
        (failing(429, retry_after="99"), "rate_limited"),
    ],
)
def test_why_there_is_no_reply_is_said_in_words(step, reason):
    result, _ = probed(step)

    assert (result.reply_mode, result.reason) == (None, reason)
    assert result.message


def test_where_the_guard_forbids_the_address_nothing_is_asked():
    with model_server(replies(A_CALL)) as server:
        result = probe(an_endpoint(server.base_url), policy=EgressPolicy())

    assert (result.reply_mode, result.reason) == (None, "blocked")
    assert "not public" in result.message
    assert server.requests == []


def test_what_probing_took_is_accounted_for():
    result, _ = probed(
        by_mode(
            tool={**PROSE, "usage": USAGE},
            schema={**a_text('{"total": 5}'), "usage": USAGE},
        ),
        input_microdollars_per_mtok=1_000_000,
        output_microdollars_per_mtok=1_000_000,
    )

    assert (result.usage.input_tokens, result.usage.output_tokens) == (20, 4)
    assert result.usage.cost_microdollars == 24


class Auto:
    """A model told to find out for itself, at a server that answers as scripted."""

    def __init__(self, server):
        endpoint = an_endpoint(server.base_url, reply_mode=ReplyMode.AUTO)
        self.model = model_at(
            endpoint, policy=allowing(server.base_url), pause=lambda _: None
        )

    def ask(self):
        return self.model.ask(
            ModelRequest(system="s", user="u", tool=TOOL, purpose="test")
        )


def test_the_way_is_found_once_and_remembered():
    def respond(handler, request):
        if "tools" in request:
            send_json(handler, {**PROSE, "usage": USAGE})
        elif "report_total" in request["messages"][0]["content"]:
            send_json(handler, {**a_text('{"total": 5}'), "usage": USAGE})
        else:
            send_json(handler, {**a_text('{"x": 1}'), "usage": USAGE})

    with model_server(respond) as server:
        first, second = Auto(server).ask(), Auto(server).ask()

    assert first.text == second.text == '{"x": 1}'
    assert len(server.requests) == 4
    # Who pays for the question pays for finding out how to ask it.
    assert first.usage.input_tokens == 30
    assert second.usage.input_tokens == 10


def test_an_endpoint_that_cannot_is_not_asked_again_and_again():
    with model_server(replies(PROSE)) as server:
        for _ in range(3):
            with pytest.raises(ModelError) as caught:
                Auto(server).ask()
            assert caught.value.reason in {"no_tool_call", "malformed"}

    assert len(server.requests) == 2


def test_an_endpoint_that_is_away_is_asked_again():
    with model_server(replies(failing(503), failing(503), A_CALL)) as server:
        with pytest.raises(ModelError) as caught:
            Auto(server).ask()
        assert caught.value.reason == "unreachable"
        with pytest.raises(ModelError) as again:
            Auto(server).ask()

    # The probe passes; what the script answers after it calls another tool.
    assert again.value.reason == "no_tool_call"
