"""Some three hundred replies that are none, through adapters, parser and verdict.

None may raise, and none may make anything verified that the ledger does not hold.
"""

import json

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from tests.engine.llm.endpoints import a_model_at
from tests.engine.llm.malformed import FIELDS, arguments, envelopes
from tests.model_server import a_call, an_honest_submission, model_server, send
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.llm.endpoint import Dialect, ReplyMode
from verifyhub.engine.ports import ModelError, ModelRequest
from verifyhub.engine.reports import Outcome, Status
from verifyhub.engine.thresholds import Thresholds

ARGUMENTS = {f"{number} {name}": one for number, (name, one) in enumerate(arguments())}
ENVELOPES = {f"{number} {name}": one for number, (name, one) in enumerate(envelopes())}
RUN = an_interaction(
    "The dates are parsed in `dates.py`; the zones in `zones.py` and `cities.py`.",
    a_tool_call("list", output="dates.py\n"),
)
# The model is asked although a name has no evidence.
ASKED = Thresholds(sends_back="source")
WAYS = {
    "forced tool": {"reply_mode": ReplyMode.FORCED_TOOL},
    "json schema": {"reply_mode": ReplyMode.JSON_SCHEMA},
    "anthropic": {
        "reply_mode": ReplyMode.FORCED_TOOL,
        "dialect": Dialect.ANTHROPIC,
    },
}


def body_of(way: str, text: str) -> bytes:
    """Arguments in the envelope of a way of replying; their faults stay in them."""
    if way == "forced tool":
        return json.dumps(a_call(text)).encode()
    if way == "json schema":
        message = {"role": "assistant", "content": text}
        return json.dumps({"choices": [{"message": message}]}).encode()
    block = '{"type": "tool_use", "id": "t", "name": "submit_verification", "input": '
    message = f'{{"type": "message", "content": [{block}{text}}}]}}'
    return message.encode("utf-8", "surrogatepass")


def verified(report) -> set[str]:
    return {one.text for one in report.mentions if one.status is Status.VERIFIED}


def the_check(report):
    (check,) = (one for one in report.checks if one.name == "cross_tier")
    return check


@pytest.fixture(scope="module")
def server():
    """One server for the table; `server.body_for` is set by each case."""

    def respond(handler, request):
        send(handler, served.body_for(request))

    with model_server(respond) as served:
        yield served


def test_the_table_is_large_and_repeats_nothing():
    sound = {name: [name] for name in FIELDS}
    texts = {change(sound) for change in ARGUMENTS.values()}

    assert len(texts) == len(ARGUMENTS) > 150
    assert len(set(ENVELOPES.values())) == len(ENVELOPES) > 80


@pytest.mark.parametrize("way", WAYS)
def test_a_sound_reply_passes(server, way):
    server.body_for = lambda request: body_of(
        way, json.dumps(an_honest_submission(request))
    )

    report = verify(
        RUN, thresholds=ASKED, model=a_model_at(server.base_url, **WAYS[way])
    )

    assert the_check(report).outcome is Outcome.PASSED


# Each fault in one way; in `make test-deep` in each.
@pytest.mark.parametrize("step", [len(WAYS), pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("way", WAYS)
def test_malformed_arguments_verify_nothing(server, way, step):
    known = verified(verify(RUN))
    model = a_model_at(server.base_url, **WAYS[way])
    for fault, change in [*ARGUMENTS.items()][[*WAYS].index(way) % step :: step]:
        server.body_for = lambda request, change=change: body_of(
            way, change(an_honest_submission(request))
        )

        report = verify(RUN, thresholds=ASKED, model=model)

        assert the_check(report).outcome is Outcome.INCONCLUSIVE, fault
        assert report.completeness is None, fault
        assert verified(report) == known, fault
        # What is stored has to be storable: PostgreSQL takes neither of these.
        stored = json.dumps(report.as_dict(), ensure_ascii=False)
        assert "\x00" not in stored, fault
        stored.encode()


@pytest.mark.parametrize("way", WAYS)
def test_a_malformed_envelope_is_a_model_error(server, way):
    known = verified(verify(RUN))
    model = a_model_at(server.base_url, **WAYS[way])
    for fault, body in ENVELOPES.items():
        server.body_for = lambda _, body=body: body

        report = verify(RUN, thresholds=ASKED, model=model)

        assert the_check(report).outcome is Outcome.INCONCLUSIVE, fault
        assert verified(report) == known, fault
        if way == "json schema" and "content=" in fault:
            continue
        with pytest.raises(ModelError) as caught:
            model.ask(ModelRequest(system="s", user="u", tool=TOOL, purpose="test"))
        assert caught.value.reason in {
            "no_tool_call",
            "malformed",
            "refused",
            "too_large",
        }, fault
