"""Calls through `verifier_for`, over a real wire."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.model_server import a_call, model_server, send_json
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.ports import ModelError, ModelRequest, OpinionMemory
from verifyhub.inference.models import Budget, ModelCall
from verifyhub.inference.services import forget, verifier_for

pytestmark = pytest.mark.django_db

QUESTION = {"system": "Check.", "user": "{}", "tool": TOOL, "purpose": "cross_tier"}
REPLY = a_call({"x": 1}) | {"usage": {"prompt_tokens": 1000, "completion_tokens": 10}}


def a_server(settings, server, **changes):
    settings.MODELS = ModelSettings(
        base_url=server.base_url,
        models={Tier.MEDIUM: "medium-1", Tier.LARGE: "large-1"},
        prices={"medium-1": (1_000_000, 2_000_000)},
        reply_mode=ReplyMode.FORCED_TOOL,
        **changes,
    )


def replying(data, *, status=200):
    return lambda handler, _: send_json(handler, data, status=status)


def a_verifier(project, tier="small", verification_id=None):
    return verifier_for(
        project=project,
        executor_tier=tier,
        verification_id=verification_id or uuid4(),
    )


def test_without_a_configured_model_nobody_is_asked(project):
    assert a_verifier(project) is None


def test_a_call_leaves_a_row_without_any_text(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        reply = a_verifier(project).ask(ModelRequest(**QUESTION))

    call = ModelCall.objects.get()
    assert json.loads(reply.text) == {"x": 1}
    assert (call.outcome, call.model, call.tier) == ("ok", "medium-1", "medium")
    assert (call.purpose, call.endpoint_name) == ("cross_tier", "server")
    assert "Check." not in str(call.__dict__)


def test_a_failed_call_is_recorded_with_its_reason_and_charged_nothing(
    settings, project
):
    with model_server(replying({}, status=401)) as server:
        a_server(settings, server)
        with pytest.raises(ModelError):
            a_verifier(project).ask(ModelRequest(**QUESTION))

    call, budget = ModelCall.objects.get(), Budget.objects.get()
    assert (call.outcome, call.cost_microdollars) == ("refused", 0)
    assert (budget.day_spent_tokens, budget.reserved_tokens) == (0, 0)
    assert budget.calls_running == 0


def test_a_server_that_is_away_costs_nothing(settings, project):
    with model_server(replying({})) as server:
        a_server(settings, server)
    with pytest.raises(ModelError):
        a_verifier(project).ask(ModelRequest(**QUESTION))

    call = ModelCall.objects.get()
    assert (call.outcome, call.charged_tokens) == ("unreachable", 0)


def test_a_reply_that_breaks_off_is_charged_at_its_worst(settings, project):
    def break_off(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
        handler.connection.close()

    with model_server(break_off) as server:
        a_server(settings, server)
        with pytest.raises(ModelError):
            a_verifier(project).ask(ModelRequest(**QUESTION))

    call = ModelCall.objects.get()
    assert call.outcome == "unreachable"
    assert call.charged_tokens == call.reserved_tokens > 4096
    assert call.is_estimate


def test_nothing_is_asked_when_the_cap_is_reached(settings, project):
    Budget.objects.create(project=project, day_tokens=100)
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        with pytest.raises(ModelError) as caught:
            a_verifier(project).ask(ModelRequest(**QUESTION))

    assert caught.value.reason == "budget"
    assert 0 < caught.value.retry_after_seconds <= 24 * 3600
    assert server.requests == []
    assert ModelCall.objects.get().outcome == "budget"


def test_an_opinion_is_remembered_for_the_same_material_only(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        model = a_verifier(project)
        model.ask(ModelRequest(**QUESTION))
        model.remember(purpose="cross_tier", material="same", opinion='{"ok": true}')
    later = a_verifier(project)

    assert isinstance(later, OpinionMemory)
    assert later.recall(purpose="cross_tier", material="same") == '{"ok": true}'
    assert later.recall(purpose="cross_tier", material="other") is None
    assert ModelCall.objects.filter(outcome="cached").count() == 1


def test_an_opinion_is_forgotten_with_any_answer_that_used_it(settings, project):
    used = uuid4()
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        model = a_verifier(project)
        model.ask(ModelRequest(**QUESTION))
        model.remember(purpose="cross_tier", material="same", opinion="{}")
    user = a_verifier(project, verification_id=used)
    user.recall(purpose="cross_tier", material="same")

    forgotten = forget(project=project, verification_ids=[used])

    assert forgotten == 1
    assert user.recall(purpose="cross_tier", material="same") is None


def test_usage_that_cannot_be_is_charged_at_the_bound_and_flags_the_endpoint(
    settings, project, admin, browse
):
    usage = {"prompt_tokens": 10**9, "completion_tokens": 10**9}
    with model_server(replying(REPLY | {"usage": usage})) as server:
        a_server(settings, server)
        reply = a_verifier(project).ask(ModelRequest(**QUESTION))

    call, budget = ModelCall.objects.get(), Budget.objects.get()
    assert call.is_overstated
    assert call.charged_tokens <= call.reserved_tokens < 20_000
    assert call.cost_microdollars <= call.reserved_microdollars
    assert budget.day_spent_tokens == call.charged_tokens
    assert reply.usage.input_tokens + reply.usage.output_tokens == call.charged_tokens
    address = reverse("inference:models", args=[project.slug])
    page = browse(admin).get(address).content.decode()
    assert "counted more tokens than were sent and asked for" in " ".join(page.split())


def test_usage_that_can_be_flags_nobody(settings, project):
    with model_server(replying(REPLY)) as server:
        a_server(settings, server)
        a_verifier(project).ask(ModelRequest(**QUESTION))

    call = ModelCall.objects.get()
    assert (call.is_overstated, call.is_estimate) == (False, False)
    assert call.charged_tokens == 1010
