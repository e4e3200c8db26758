"""Layers in threads, on a project's account: counted, capped, nothing left behind."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import connections

from bench.layers import SUBJECT, model_server
from tests.inference.models import connections_held, held_at_last
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.layer_results import Risk, RiskLevel
from verifyhub.engine.layers.base import LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.reports import Outcome
from verifyhub.engine.risk.profiles import PROFILES
from verifyhub.inference.models import Budget, ModelCall, VerdictSpend
from verifyhub.inference.services import verifier_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tools(settings, project):
    with model_server(slowness=0.02) as base_url:
        settings.MODELS = ModelSettings(
            base_url=base_url,
            models={Tier.MEDIUM: "medium-1", Tier.LARGE: "large-1"},
            prices={"medium-1": (100_000, 400_000)},
            reply_mode=ReplyMode.FORCED_TOOL,
        )
        asked = {
            "project": project,
            "executor_tier": "small",
            "verification_id": uuid4(),
        }
        yield LayerTools(
            text_model=verifier_for(**asked),
            verifier=verifier_for(**asked),
            release=connections.close_all,
        )


def run(tools):
    return run_layers(
        SUBJECT,
        tools=tools,
        risk=Risk(level=RiskLevel.CRITICAL, by="override"),
        profile=PROFILES[RiskLevel.CRITICAL],
    )


def test_every_call_of_every_layer_is_a_row_and_costs_what_the_result_says(tools):
    result = run(tools)
    calls = ModelCall.objects.all()

    assert len(calls) == result.cost.calls > 15
    assert {call.outcome for call in calls} == {"ok"}
    assert sum(call.cost_microdollars for call in calls) == result.cost.microdollars
    assert {call.purpose for call in calls} >= {
        "layer.semantic_entropy",
        "layer.entailment",
        "layer.fact_decomposition",
        "layer.multi_source",
        "layer.self_consistency",
        "layer.nli",
    }
    assert (result.stopped_by, result.reason) == ("", "")
    assert Budget.objects.get().calls_running == 0


def test_no_thread_keeps_a_connection(tools):
    before = connections_held()
    run(tools)

    assert held_at_last(before) <= before


def test_a_project_that_allows_one_call_at_once_gets_its_layers_one_by_one(
    tools, project
):
    Budget.objects.create(project=project, calls_at_once=1)
    result = run(replace(tools, calls_at_once=1))

    assert sum(one.score is not None for one in result.layers) >= 1
    assert "busy" not in {one.reason for one in result.layers}
    assert Budget.objects.get().calls_running == 0
    assert "failed_inside" not in {one.reason for one in result.layers}


def test_a_verdicts_own_cap_holds_beside_the_profiles(tools, project):
    Budget.objects.create(project=project, verdict_microdollars=400)
    result = run(tools)

    assert VerdictSpend.objects.get().microdollars <= 400
    assert result.outcome != Outcome.PASSED
    assert "budget" in {one.reason for one in result.layers}
