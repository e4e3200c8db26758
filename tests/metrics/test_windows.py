"""Figures can be asked for by days, by dates, and of some agents alone."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import InteractionFactory, VerificationFactory
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.selectors.answers import answers
from verifyhub.metrics.windows import window_from

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def arrived(project, when, **facts):
    interaction = InteractionFactory(project=project, **facts)
    Interaction.objects.filter(pk=interaction.pk).update(created_at=when)
    VerificationFactory(interaction=interaction, verdict="reject")


def test_both_chosen_days_are_counted_whole(project):
    for hours in (-1, 0, 47, 48):
        day = datetime(2026, 11, 10, tzinfo=UTC)
        arrived(project, day + timedelta(hours=hours))

    window = window_from("", NOW, {"since": "2026-11-10", "until": "2026-11-11"})

    assert window.parameter == "dates"
    assert answers(project, window).checked == 2
    assert answers(project, window).received == 2


def test_days_chosen_in_the_wrong_order_are_the_same_days(project):
    days = {"since": "2026-11-11", "until": "2026-11-10"}

    assert window_from("", NOW, days) == window_from(
        "", NOW, {"since": "2026-11-10", "until": "2026-11-11"}
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("since=2026-11-11&until=2026-11-10", "until"),
        ("since=2026-02-31", "since"),
        ("until=x", "until"),
        ("since=1700006400", "since"),
        ("days=8", "days"),
        (f"agent={'a' * 201}", "agent"),
    ],
)
@pytest.mark.parametrize("of", ["", "compare/"])
def test_the_api_names_a_parameter_of_the_window_that_is_wrong(api, of, query, field):
    reply = api.get(f"/api/v1/metrics/{of}?{query}")

    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == [field]


def test_days_to_come_have_no_days_in_them(project, api):
    arrived(project, NOW)

    found = api.get("/api/v1/metrics/?since=3488-06-04").json()

    assert found["backlog"]["opened_per_day"]["n"] == 0


@pytest.mark.parametrize("day", ["2026-02-31", "x", "9999-12-31", "\0", "10000-01-01"])
def test_a_day_that_is_none_chooses_nothing(day):
    assert window_from("", NOW, {"since": day}).parameter in ("30", "all")


@pytest.mark.parametrize("named", [{"agent": "a"}, {"tier": "small"}, {"model": "m-1"}])
def test_some_agents_answers_count_alone(project, named):
    facts = {"agent_name": "a", "agent_tier": "small", "metadata": {"model": "m-1"}}
    arrived(project, NOW, **facts)
    arrived(project, NOW)

    assert answers(project, window_from("all", NOW, named)).checked == 1


def test_without_a_named_model_the_tier_is_the_model(project):
    arrived(project, NOW, agent_tier="small", metadata={"model": ""})
    arrived(project, NOW, agent_tier="small")
    arrived(project, NOW, agent_tier="small", metadata={"model": "m-1"})

    assert answers(project, window_from("all", NOW, {"model": "small"})).checked == 2
