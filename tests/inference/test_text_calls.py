"""Text through `verifier_for`: reserved at its worst, settled, held back by caps."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from tests.inference.models import connections_held, held_at_last
from tests.inference.test_metered_calls import a_server, replying
from tests.model_server import a_text, model_server
from verifyhub.engine.ports import ModelError, ModelRequest, Priced
from verifyhub.inference.models import Budget, ModelCall
from verifyhub.inference.services import verifier_for

pytestmark = pytest.mark.django_db

QUESTION = {"system": "Check.", "user": "{}", "purpose": "claims.judge"}
REPLY = a_text("VERIFIED") | {"usage": {"prompt_tokens": 100, "completion_tokens": 3}}


def a_text_model(project, **changes):
    fields = {"project": project, "executor_tier": "small", "verification_id": uuid4()}
    return verifier_for(**fields | changes)


def test_without_a_configured_model_nobody_writes(project):
    assert a_text_model(project) is None


def test_a_text_is_charged_what_it_took_and_its_row_holds_no_text(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        said = a_text_model(project).ask(ModelRequest(**QUESTION, max_output_tokens=10))

    call, budget = ModelCall.objects.get(), Budget.objects.get()
    assert (said.text, said.usage.cost_microdollars) == ("VERIFIED", 106)
    assert (call.outcome, call.purpose, call.cost_microdollars) == (
        "ok",
        "claims.judge",
        106,
    )
    assert (budget.day_spent_microdollars, budget.reserved_microdollars) == (106, 0)
    assert "Check." not in str(call.__dict__)


def test_the_reservation_is_the_worst_of_the_reply_asked_for(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        model = a_text_model(project)
        model.ask(ModelRequest(**QUESTION, max_output_tokens=10))
        model.ask(ModelRequest(**QUESTION))
        short, long = ModelCall.objects.order_by("created_at")

    asked = len("Check.") + len("{}") + 1024
    assert short.reserved_tokens == asked + 10
    assert short.reserved_microdollars == asked + 20
    assert long.reserved_tokens == asked + 4096
    assert isinstance(model, Priced)
    request = ModelRequest(**QUESTION, max_output_tokens=10)
    assert model.worst_microdollars(request) == asked + 20


def test_a_cap_holds_text_back_before_it_is_asked_for(settings, project):
    Budget.objects.create(project=project, day_microdollars=1000)
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        with pytest.raises(ModelError) as caught:
            a_text_model(project).ask(ModelRequest(**QUESTION, max_output_tokens=10))

    assert caught.value.reason == "budget"
    assert server.requests == []
    assert ModelCall.objects.get().outcome == "budget"


def test_a_failed_text_is_settled(settings, project):
    with model_server(replying({}, status=401)) as server:
        a_server(settings, server)
        with pytest.raises(ModelError):
            a_text_model(project).ask(ModelRequest(**QUESTION))

    assert ModelCall.objects.get().outcome == "refused"
    assert Budget.objects.get().calls_running == 0


def test_a_shorter_deadline_holds_less_time_back(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        model = a_text_model(project)
        model.ask(ModelRequest(**QUESTION, deadline_seconds=9))
        model.ask(ModelRequest(**QUESTION, deadline_seconds=900))
        short, long = ModelCall.objects.order_by("created_at")

    assert (short.reserved_ms, long.reserved_ms) == (9_000, 60_000)


@pytest.mark.django_db(transaction=True)
def test_threads_ask_at_once_and_leave_no_connection_behind(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        model = a_text_model(project)
        before = connections_held()
        with ThreadPoolExecutor(4) as pool:
            said = list(pool.map(model.ask, [ModelRequest(**QUESTION)] * 8))
            held = held_at_last(before)

    assert [one.text for one in said] == ["VERIFIED"] * 8
    assert Budget.objects.get().calls_running == 0
    assert Budget.objects.get().day_spent_microdollars == 8 * 106
    assert held <= before
