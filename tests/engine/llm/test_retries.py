"""What is asked again, how often, and for how long."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.engine.llm.endpoints import SECRET, allowing, an_endpoint
from tests.model_server import (
    a_call,
    break_off,
    failing,
    model_server,
    replies,
    send_json,
)
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.llm.endpoint import Dialect
from verifyhub.engine.llm.exchange import (
    FIRST_PAUSE_SECONDS,
    MAX_RETRY_AFTER_SECONDS,
    MAX_TRIES,
    retry_after,
)
from verifyhub.engine.llm.models import model_at
from verifyhub.engine.ports import ModelError, ModelRequest

SOUND = a_call({"x": 1})


class Exchange:
    """One question to a scripted server: what it gave, and the pauses before it."""

    def __init__(self, *script, seconds=5.0, **fields):
        self.pauses, self.arguments, self.error = [], None, None
        with model_server(replies(*script)) as server:
            model = model_at(
                an_endpoint(server.base_url, deadline_seconds=seconds, **fields),
                policy=allowing(server.base_url),
                pause=self.pauses.append,
            )
            try:
                self.arguments = model.ask(
                    ModelRequest(system="s", user="u", tool=TOOL, purpose="test")
                ).text
            except ModelError as error:
                self.error = error
            self.asked = len(server.requests)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_asked_again(status):
    exchange = Exchange(failing(status), failing(status), SOUND)

    assert exchange.arguments == '{"x": 1}'
    assert exchange.asked == 3


def test_a_broken_connection_is_asked_again():
    assert Exchange(break_off, SOUND).arguments == '{"x": 1}'


@pytest.mark.parametrize("status", [300, 302, 400, 401, 403, 404, 409, 413, 422, 451])
def test_what_will_not_pass_is_asked_once(status):
    exchange = Exchange(failing(status))

    assert exchange.error.reason == "refused"
    assert exchange.asked == 1
    assert str(status) in str(exchange.error)


@pytest.mark.parametrize(
    "script", [{"choices": []}, a_call({}, name="other"), {"error": {}}]
)
def test_a_reply_that_was_paid_for_is_not_bought_again_here(script):
    assert Exchange(script).asked == 1


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (failing(429), "rate_limited"),
        (failing(500), "unreachable"),
        (break_off, "unreachable"),
    ],
)
def test_tries_end(step, reason):
    exchange = Exchange(step)

    assert exchange.error.reason == reason
    assert exchange.asked == MAX_TRIES


def test_pauses_grow_and_differ():
    exchange = Exchange(failing(503))

    longest = [FIRST_PAUSE_SECONDS * 2**number for number in range(MAX_TRIES - 1)]
    assert len(exchange.pauses) == len(longest)
    for pause, limit in zip(exchange.pauses, longest, strict=True):
        assert limit / 2 <= pause <= limit
    assert exchange.pauses != Exchange(failing(503)).pauses


@pytest.mark.parametrize("status", [429, 503])
def test_an_endpoint_is_given_the_time_it_asks_for(status):
    exchange = Exchange(failing(status, retry_after="2"), SOUND)

    assert exchange.pauses == [2.0]
    assert exchange.arguments == '{"x": 1}'


@pytest.mark.parametrize("said", ["30", "1000000000", "9" * 400])
def test_a_time_beyond_the_deadline_is_left_to_the_caller(said):
    exchange = Exchange(failing(429, retry_after=said))

    assert (exchange.error.reason, exchange.asked) == ("rate_limited", 1)
    assert exchange.pauses == []
    assert exchange.error.retry_after_seconds == min(
        float(said), MAX_RETRY_AFTER_SECONDS
    )


def test_a_date_is_a_time_to_wait_too():
    moment = datetime.now(UTC) + timedelta(seconds=100)

    seconds = retry_after({"retry-after": format_datetime(moment, usegmt=True)})

    assert 90 < seconds <= 100


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0", 0.0),
        (" 7 ", 7.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:00", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", MAX_RETRY_AFTER_SECONDS),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("٣", None),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
        ("Fri, 31 Dec 99999999999 23:59:59 GMT", None),
    ],
)
def test_a_time_to_wait_is_read_or_left(said, seconds):
    assert retry_after({"retry-after": said}) == seconds


def test_no_pause_outlasts_the_deadline(monkeypatch):
    monkeypatch.setattr("verifyhub.engine.llm.exchange.FIRST_PAUSE_SECONDS", 0.5)
    exchange = Exchange(failing(503), seconds=0.2)

    assert exchange.asked == 1
    assert exchange.error.reason == "unreachable"


@pytest.mark.parametrize(
    ("refused", "missing", "instead"),
    [
        ("temperature", "temperature", None),
        ("max_tokens", "max_tokens", "max_completion_tokens"),
    ],
)
def test_a_parameter_the_model_does_not_take_is_left_out(refused, missing, instead):
    def particular(handler, request):
        if refused in request:
            message = f"Unsupported parameter: '{refused}'"
            send_json(handler, {"error": {"message": message}}, status=400)
        else:
            send_json(handler, SOUND)

    with model_server(particular) as server:
        endpoint = an_endpoint(server.base_url)
        for _ in range(2):
            model = model_at(endpoint, policy=allowing(server.base_url))
            model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))

    # Found out once, and known the second time.
    assert len(server.requests) == 3
    assert missing not in server.requests[-1]
    assert instead is None or server.requests[-1][instead] > 0


def test_a_400_about_something_else_is_not_asked_again():
    body = b'{"error": {"message": "max_tokens and temperature are both wrong"}}'
    exchange = Exchange(failing(400, body))

    assert exchange.error.reason == "refused"
    assert exchange.asked == 3


def test_an_answer_of_the_endpoint_is_never_quoted():
    body = f'{{"error": {{"message": "bad key {SECRET}", "code": "{SECRET}"}}}}'
    for status in (400, 401, 429, 500):
        error = Exchange(failing(status, body.encode())).error
        seen = f"{error}{error!r}{error.__cause__}{error.__context__}{error.args}"
        assert SECRET not in seen


@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.AZURE, Dialect.ANTHROPIC])
def test_the_guard_stands_before_every_dialect(dialect):
    with model_server(replies(SOUND)) as server:
        endpoint = an_endpoint(server.base_url, dialect=dialect)
        model = model_at(endpoint, policy=EgressPolicy())
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))

    assert caught.value.reason == "blocked"
    assert server.requests == []


@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.AZURE, Dialect.ANTHROPIC])
@pytest.mark.parametrize("url", ["", "models", "ftp://x", "http://", "http://[::1"])
def test_an_address_that_is_none_is_blocked(dialect, url):
    model = model_at(an_endpoint(url, dialect=dialect), policy=EgressPolicy())

    with pytest.raises(ModelError) as caught:
        model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))

    assert caught.value.reason == "blocked"


@pytest.mark.parametrize("name", ["a\nb", "a\x00b", "\ud800", "../../x?y#z", "%00"])
@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.AZURE, Dialect.ANTHROPIC])
def test_a_models_name_is_sent_or_said_to_be_unsendable(dialect, name):
    exchange = Exchange(failing(404), dialect=dialect, model=name)

    assert exchange.error.reason in {"refused", "not_configured"}


@pytest.mark.parametrize("key", ["schlüssel", "a\nb: c", "a\x00b", "\ud800"])
@pytest.mark.parametrize("dialect", [Dialect.OPENAI, Dialect.AZURE, Dialect.ANTHROPIC])
def test_a_key_no_header_can_hold_is_an_error_without_it(dialect, key):
    exchange = Exchange(SOUND, dialect=dialect, api_key=key)

    assert (exchange.asked, exchange.error.reason) == (0, "not_configured")
    assert key not in str(exchange.error)
