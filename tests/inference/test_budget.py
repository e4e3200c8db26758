"""Caps are never passed, however many callers ask at once."""

import threading
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.factories import ProjectFactory
from verifyhub.engine.ports import ModelError, ModelUsage
from verifyhub.inference.caps import BY_NAME, resumes_at
from verifyhub.inference.models import Budget, ModelCall, VerdictSpend
from verifyhub.inference.selectors import budget_state
from verifyhub.inference.services.budget import Worst, reserve, settle, settle_lost

WORST = Worst(microdollars=1000, tokens=100, ms=1000)
KNOWN = ModelUsage(
    input_tokens=30, output_tokens=10, cost_microdollars=400, latency_seconds=0.5
)


def a_call(project, verification_id=None, *, priced=True) -> ModelCall:
    return ModelCall(
        project=project,
        verification_id=verification_id,
        purpose="cross_tier",
        tier="medium",
        endpoint_name="server",
        model="medium-1",
        prompt_version="1",
        cost_microdollars=0 if priced else None,
    )


def reserved(project, verification_id=None, **changes) -> ModelCall:
    call = a_call(project, verification_id, **changes)
    return reserve(call=call, worst=WORST, deadline_seconds=60)


def caps(project, **limits) -> Budget:
    return Budget.objects.create(project=project, **limits)


def refused(project, verification_id=None) -> ModelError:
    with pytest.raises(ModelError) as caught:
        reserved(project, verification_id)
    return caught.value


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cap", "limit", "fitting"),
    [
        ("day_microdollars", 2500, 2),
        ("month_microdollars", 1000, 1),
        ("day_tokens", 399, 3),
        ("month_tokens", 400, 4),
        ("day_seconds", 2, 2),
        ("month_seconds", 1, 1),
        ("calls_at_once", 3, 3),
    ],
)
def test_each_cap_lets_through_exactly_what_fits(project, cap, limit, fitting):
    caps(project, **{cap: limit})
    for _ in range(fitting):
        reserved(project)

    error = refused(project)

    assert error.reason == ("busy" if cap == "calls_at_once" else "budget")
    assert str(BY_NAME[cap].words) in str(error)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cap", "limit", "fitting"),
    [
        ("verdict_microdollars", 1999, 1),
        ("verdict_tokens", 200, 2),
        ("verdict_calls", 3, 3),
    ],
)
def test_a_verdicts_cap_holds_back_that_verdict_alone(project, cap, limit, fitting):
    caps(project, **{cap: limit})
    verification = uuid4()
    for _ in range(fitting):
        reserved(project, verification)

    error = refused(project, verification)

    assert error.retry_after_seconds is None
    assert reserved(project, uuid4()).outcome == "running"
    assert not budget_state(project, datetime.now(UTC)).is_waiting


@pytest.mark.django_db
def test_a_first_call_above_a_verdicts_cap_reserves_nothing(project):
    caps(project, verdict_tokens=99)

    refused(project, uuid4())

    budget = Budget.objects.get()
    assert (budget.reserved_tokens, budget.calls_running) == (0, 0)
    assert not VerdictSpend.objects.exists()


@pytest.mark.django_db
def test_settling_charges_what_was_counted_and_frees_the_rest(project):
    call = reserved(project, uuid4())

    settle(call=call, outcome="ok", usage=KNOWN)

    budget, spend = Budget.objects.get(), VerdictSpend.objects.get()
    assert (budget.day_spent_tokens, budget.month_spent_microdollars) == (40, 400)
    assert (budget.reserved_tokens, budget.reserved_microdollars) == (0, 0)
    assert (budget.day_spent_ms, budget.calls_running) == (500, 0)
    assert (spend.tokens, spend.microdollars, spend.calls) == (40, 400, 1)


@pytest.mark.django_db
def test_settling_twice_charges_once(project):
    call = reserved(project)

    outcomes = [settle(call=call, outcome="ok", usage=KNOWN) for _ in range(2)]

    assert outcomes == [True, False]
    assert Budget.objects.get().day_spent_tokens == 40


@pytest.mark.django_db
def test_what_nobody_counted_is_charged_as_reserved(project):
    call = reserved(project)

    settle(call=call, outcome="ok", usage=ModelUsage(latency_seconds=1))

    call.refresh_from_db()
    assert (call.charged_tokens, call.cost_microdollars) == (100, 1000)
    assert (call.is_estimate, call.input_tokens) == (True, None)


@pytest.mark.django_db
def test_without_a_price_no_cost_is_claimed(project):
    call = reserved(project, priced=False)

    settle(call=call, outcome="ok", usage=KNOWN)

    call.refresh_from_db()
    assert call.cost_microdollars is None
    assert call.charged_tokens == 40


@pytest.mark.django_db
def test_a_worker_that_never_came_back_is_charged_its_reservation(project):
    call = reserved(project)
    late = datetime.now(UTC) - timedelta(seconds=1)
    ModelCall.objects.update(lease_until=late)
    reserved(project)

    assert settle_lost() == 1

    call.refresh_from_db()
    budget = Budget.objects.get()
    assert (call.outcome, call.charged_tokens, call.is_estimate) == ("lost", 100, True)
    assert (budget.calls_running, budget.day_spent_tokens) == (1, 100)


@pytest.mark.django_db
def test_another_day_and_month_begin_at_nothing(project):
    caps(
        project,
        day_tokens=100,
        month_tokens=100,
        day=date(2020, 1, 1),
        month=date(2020, 1, 1),
        day_spent_tokens=100,
        month_spent_tokens=100,
    )

    settle(call=reserved(project), outcome="ok", usage=KNOWN)

    budget = Budget.objects.get()
    assert (budget.day_spent_tokens, budget.month_spent_tokens) == (40, 40)


@pytest.mark.django_db
def test_the_operators_ceiling_holds_above_a_projects_own_cap(settings, project):
    settings.BUDGET_CEILINGS = {"day_tokens": 100}
    caps(project, day_tokens=1000)
    reserved(project)

    refused(project)

    use = next(
        use
        for use in budget_state(project, datetime.now(UTC)).uses
        if use.cap.name == "day_tokens"
    )
    assert (use.limit, use.is_of_server, use.used) == (100, True, 100)


@pytest.mark.django_db
def test_a_project_out_of_budget_waits_until_the_period_is_over(project):
    caps(project, day_tokens=50)
    refused(project)
    now = datetime.now(UTC)

    state = budget_state(project, now)

    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    assert state.waiting_for == BY_NAME["day_tokens"]
    assert state.resumes_at == midnight + timedelta(days=1)
    assert not budget_state(project, state.resumes_at).is_waiting


@pytest.mark.django_db
def test_a_call_that_fits_again_ends_the_waiting(project):
    caps(project, day_tokens=50)
    refused(project)
    Budget.objects.update(day_tokens=500)

    reserved(project)

    assert not budget_state(project, datetime.now(UTC)).is_waiting


@pytest.mark.django_db
def test_one_project_never_spends_anothers_budget(project):
    caps(project, day_tokens=100)
    for _ in range(3):
        reserved(ProjectFactory())

    assert reserved(project).outcome == "running"


@pytest.mark.parametrize(
    ("moment", "cap", "until"),
    [
        ((2026, 2, 28, 23, 59), "day_tokens", (2026, 3, 1)),
        ((2026, 12, 31, 12, 0), "month_tokens", (2027, 1, 1)),
        ((2024, 1, 31, 0, 0), "month_tokens", (2024, 2, 1)),
    ],
)
def test_a_period_ends_at_midnight_utc(moment, cap, until):
    now = datetime(*moment, tzinfo=UTC)

    assert resumes_at(BY_NAME[cap], now) == datetime(*until, tzinfo=UTC)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "limits",
    [
        {"day_microdollars": 20_000},
        {"month_tokens": 2000},
        {"calls_at_once": 20},
        {"verdict_calls": 20},
        {"verdict_tokens": 2000},
    ],
)
def test_fifty_callers_at_once_never_pass_a_cap(limits):
    project, verification = ProjectFactory(), uuid4()
    if "verdict" not in next(iter(limits)):
        verification = None
    caps(project, **limits)
    start, outcomes = threading.Barrier(50), list[str]()

    def ask() -> None:
        try:
            start.wait(30)
            reserved(project, verification)
            outcomes.append("through")
        except ModelError as error:
            outcomes.append(error.reason)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    held_back = "busy" if "calls_at_once" in limits else "budget"
    assert sorted(outcomes) == [held_back] * 30 + ["through"] * 20
    assert Budget.objects.get().reserved_tokens == 2000


@pytest.mark.django_db(transaction=True)
def test_the_first_callers_of_a_project_at_once_all_get_through():
    project = ProjectFactory()
    errors = list[Exception]()

    def ask() -> None:
        try:
            call = reserved(project)
            settle(call=call, outcome="ok", usage=KNOWN)
        except (ModelError, DatabaseError) as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    budget = Budget.objects.get()
    assert errors == []
    assert (budget.day_spent_tokens, budget.calls_running) == (480, 0)


ACTS = st.lists(st.sampled_from(["reserve", "ok", "unknown", "lost"]), max_size=30)


@pytest.mark.django_db
@hypothesis_settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(acts=ACTS)
def test_what_is_spent_and_reserved_stays_within_the_cap(acts):
    project = ProjectFactory()
    caps(project, month_tokens=500, month_microdollars=4500)
    open_calls = []
    for act in acts:
        if act == "reserve":
            try:
                open_calls.append(reserved(project))
            except ModelError:
                continue
        elif open_calls:
            usage = KNOWN if act == "ok" else None
            settle(call=open_calls.pop(), outcome=act, usage=usage)

    budget = Budget.objects.get(project=project)
    assert budget.month_spent_tokens + budget.reserved_tokens <= 500
    assert budget.month_spent_microdollars + budget.reserved_microdollars <= 4500
    assert budget.calls_running == len(open_calls)
