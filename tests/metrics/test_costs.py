"""What checking cost, by verdict, tier and purpose, and beside the runs' own cost."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import InteractionFactory, ProjectFactory, VerificationFactory
from verifyhub.inference.models import Budget, ModelCall
from verifyhub.inference.selectors import calls_of, spent
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.selectors.costs import costs
from verifyhub.metrics.selectors.questions import spending
from verifyhub.metrics.windows import Window

pytestmark = pytest.mark.django_db

EVER = Window(days=None, since=None)


def a_verification(project, run_cost=None):
    interaction = InteractionFactory(project=project, run_cost_microdollars=run_cost)
    return VerificationFactory(interaction=interaction)


def a_call(verification, *, cost=100, outcome="ok", **fields) -> ModelCall:
    return ModelCall.objects.create(
        **{
            "project": verification.project,
            "verification_id": verification.id,
            "purpose": "cross_tier",
            "tier": "medium",
            "outcome": outcome,
            "cost_microdollars": cost,
            "charged_tokens": 10,
            "latency_ms": 5,
            **fields,
        }
    )


def test_the_cost_of_a_verdict_is_that_of_all_its_calls(project):
    first, second = a_verification(project), a_verification(project)
    a_call(first, cost=300)
    a_call(first, cost=100, outcome="malformed")
    a_call(second, cost=0, outcome="cached", charged_tokens=0)
    a_verification(project)

    found = costs(project, EVER)

    assert found.spending.cost_microdollars == 400
    assert (found.verdicts, found.per_verdict) == (2, 200)
    assert (found.spending.calls, found.spending.failed) == (2, 1)
    assert found.spending.cached == 1


def test_a_verdict_whose_calls_a_cap_held_back_asked_no_model(project):
    a_call(a_verification(project, run_cost=1_000), cost=300)
    a_call(a_verification(project, run_cost=5_000), cost=0, outcome="budget")

    found = costs(project, EVER)

    assert (found.verdicts, found.per_verdict) == (1, 300)
    assert (found.of_runs.runs, found.of_runs.run_microdollars) == (1, 1_000)


def test_costs_are_parted_by_tier_and_purpose_the_dearest_first(project):
    verification = a_verification(project)
    a_call(verification, cost=1)
    a_call(verification, cost=5, tier="large", purpose="goal.agent")

    found = costs(project, EVER)

    assert [share.name for share in found.by_tier] == ["large", "medium"]
    assert [share.name for share in found.by_purpose] == ["goal.agent", "cross_tier"]


def test_the_share_counts_only_runs_that_said_their_cost(project):
    a_call(a_verification(project, run_cost=10_000), cost=200)
    a_call(a_verification(project), cost=5_000)
    a_verification(project, run_cost=99_000)

    beside = costs(project, EVER).of_runs

    assert (beside.runs, beside.run_microdollars) == (1, 10_000)
    assert beside.value == pytest.approx(0.02)


def test_a_run_checked_twice_counts_its_own_cost_once(project):
    verification = a_verification(project, run_cost=1_000)
    again = VerificationFactory(interaction=verification.interaction, number=2)
    a_call(verification, cost=10)
    a_call(again, cost=10)

    assert costs(project, EVER).of_runs.value == pytest.approx(0.02)


def test_without_any_price_there_is_no_cost_and_no_share(project):
    a_call(a_verification(project, run_cost=1_000), cost=None)

    found = costs(project, EVER)

    assert found.per_verdict is None
    assert found.of_runs.value is None
    assert found.spending.unpriced == 1


def test_old_answers_and_other_projects_do_not_count(project):
    old = a_verification(project)
    a_call(old)
    long_ago = timezone.now() - timedelta(days=40)
    Interaction.objects.filter(pk=old.interaction_id).update(created_at=long_ago)
    a_call(a_verification(ProjectFactory()))
    window = Window(days=30, since=timezone.now() - timedelta(days=30))

    assert costs(project, window).verdicts == 0


def test_what_was_spent_is_summed_by_period_and_listed_by_verification(project):
    verification = a_verification(project)
    a_call(verification)
    earlier = a_call(verification)
    ModelCall.objects.filter(pk=earlier.pk).update(
        created_at=timezone.now() - timedelta(days=70)
    )

    assert spent(project, "month").cost_microdollars == 100
    assert spent(project, "day").tokens == 10
    assert next(iter(calls_of(verification.id))) == earlier


def test_the_page_shows_costs_and_a_project_that_waits(project, viewer, browse):
    a_call(a_verification(project, run_cost=10_000), cost=200)
    Budget.objects.create(
        project=project, refused_by="day_tokens", refused_at=timezone.now()
    )

    page = browse(viewer).get("/p/acme/metrics/cost/").content.decode()

    assert "Model costs" in page
    assert "<b>2.0 %</b>" in page
    assert "Out of budget." in page


def test_the_cost_of_checking_is_all_of_it(project):
    verification = a_verification(project)
    a_call(verification, cost=300)
    for fields in (
        {"verification_id": uuid4(), "purpose": "layer.nli"},
        {"verification_id": None, "purpose": "probe"},
    ):
        a_call(verification, cost=50, **fields)
    a_call(a_verification(ProjectFactory()), cost=7_000)

    found, some = costs(project, EVER), Window(days=None, since=None, agent="x")

    assert found.spending.cost_microdollars == 400
    assert spending(project, EVER).cost.value == 400
    assert {share.name for share in found.by_purpose} == {
        "cross_tier",
        "layer.nli",
        "probe",
    }
    assert (found.of_answers.cost_microdollars, found.per_verdict) == (300, 300)
    assert costs(project, some).spending.calls == 0
    later = Window(days=None, since=timezone.now() + timedelta(days=1))
    assert costs(project, later).spending.calls == 0
