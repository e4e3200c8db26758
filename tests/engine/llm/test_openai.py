"""The wire itself: the official client against a local server."""

import gzip
import json
import time

import pytest

from tests.engine.llm.endpoints import SECRET, a_model_at
from tests.model_server import a_call, model_server, send_json
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.ports import ModelError, ModelRequest


def ask(base_url: str, *, deadline_seconds: float = 5.0) -> str:
    return (
        a_model_at(base_url, deadline_seconds=deadline_seconds)
        .ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))
        .text
    )


def refusal(respond, **options) -> ModelError:
    with model_server(respond) as server, pytest.raises(ModelError) as caught:
        ask(server.base_url, **options)
    return caught.value


def reply_with(data: object, *, status: int = 200):
    return lambda handler, _: send_json(handler, data, status=status)


def test_the_call_is_forced_at_low_temperature():
    with model_server(reply_with(a_call({"x": 1}))) as server:
        arguments = ask(server.base_url)

    (request,) = server.requests
    assert arguments == '{"x": 1}'
    assert request["tool_choice"]["function"]["name"] == "submit_verification"
    assert request["temperature"] == 0.1


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, "refused"),
        (401, "refused"),
        (404, "refused"),
        (429, "rate_limited"),
        (500, "unreachable"),
        (503, "unreachable"),
    ],
)
def test_an_error_status_has_its_reason_and_shows_no_secret(status, reason):
    error = refusal(reply_with({"error": {"message": SECRET}}, status=status))

    assert error.reason == reason
    assert SECRET not in str(error)


TWO_CALLS = a_call({})
TWO_CALLS["choices"][0]["message"]["tool_calls"] *= 2
PROSE = {"choices": [{"message": {"role": "assistant", "content": "VERIFIED"}}]}


@pytest.mark.parametrize(
    "data",
    [
        PROSE,
        TWO_CALLS,
        a_call({}, name="something_else"),
        {"choices": []},
        {},
        [],
        "text",
        None,
        {"choices": [{"message": {"tool_calls": [{"function": None}]}}]},
        {"choices": [{"message": {"tool_calls": [{"function": {}}]}}]},
    ],
)
def test_a_reply_without_exactly_that_call_is_none(data):
    assert refusal(reply_with(data)).reason in {"no_tool_call", "malformed"}


def test_a_connection_that_breaks_is_unreachable():
    def hang_up(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
        handler.connection.close()

    assert refusal(hang_up).reason == "unreachable"


def test_a_server_that_is_away_is_unreachable():
    with model_server(reply_with({})) as server:
        gone = server.base_url

    with pytest.raises(ModelError) as caught:
        ask(gone)

    assert caught.value.reason == "unreachable"


def test_a_slow_drip_ends_at_the_deadline():
    def drip(handler, _):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _count in range(40):
            try:
                handler.wfile.write(b" ")
            except OSError:
                return
            time.sleep(0.1)

    assert refusal(drip, deadline_seconds=0.6).reason == "deadline"


def test_a_huge_reply_is_cut():
    def flood(handler, _):
        handler.send_response(200)
        handler.end_headers()
        for _count in range(64):
            try:
                handler.wfile.write(b"x" * 65536)
            except OSError:
                return

    assert refusal(flood).reason == "too_large"


def test_a_compressed_reply_is_refused_unread():
    def bomb(handler, _):
        body = gzip.compress(json.dumps(a_call({"x": "0" * 10_000_000})).encode())
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    assert refusal(bomb).reason == "malformed"


def test_a_redirect_is_not_followed():
    def redirect(handler, _):
        handler.send_response(307)
        handler.send_header("Location", "http://127.0.0.1:9/v1/chat/completions")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    assert refusal(redirect).reason == "refused"
