"""The scrape: who may, what it says, and that its series are bounded."""

import json

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from tests.factories import (
    ConstraintFactory,
    MentionVerdictFactory,
    OverrideFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.inference.models import Budget, ModelCall
from verifyhub.metrics.scrape import totals

pytestmark = pytest.mark.django_db


def scrape():
    text = Client().get("/metrics").content.decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_loopback_may_scrape():
    assert Client().get("/metrics").status_code == 200


@pytest.mark.parametrize(
    "visitor",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"headers": {"x-forwarded-for": "127.0.0.1"}},
        {"headers": {"forwarded": "for=127.0.0.1"}},
    ],
)
def test_others_find_nothing(visitor):
    assert Client().get("/metrics", **visitor).status_code == 404


@pytest.mark.parametrize(
    ("authorization", "status"),
    [("Bearer s3cret", 200), ("Bearer wrong", 404), ("s3cret", 404), ("", 404)],
)
def test_a_token_opens_from_anywhere_and_is_needed_everywhere(
    settings, authorization, status
):
    settings.METRICS_TOKEN = "s3cret"
    client = Client(headers={"authorization": authorization})

    response = client.get("/metrics", REMOTE_ADDR="192.0.2.7")

    assert response.status_code == status


def test_the_scrape_counts_what_is_stored():
    OverrideFactory(
        item__verification=MentionVerdictFactory(
            invented=True, verification__verdict="reject"
        ).verification
    )
    VerificationFactory(waiting=True, attempts=2)
    ConstraintFactory(state="active")

    found = scrape()

    assert found[("verifyhub_interactions_total",)] == 2
    assert found[("verifyhub_verifications", "finished")] == 1
    assert found[("verifyhub_verifications", "pending")] == 1
    assert found[("verifyhub_verdicts", "reject")] == 1
    assert found[("verifyhub_queue_depth",)] == 1
    assert found[("verifyhub_queue_oldest_age_seconds",)] > 0
    assert found[("verifyhub_queue_wait_seconds",)] > 0
    assert found[("verifyhub_verification_attempts_total",)] == 2
    assert found[("verifyhub_verification_seconds_sum",)] == 0.01
    assert found[("verifyhub_mentions", "unverified")] == 1
    assert found[("verifyhub_review_items", "open")] == 1
    assert found[("verifyhub_overrides", "verdict")] == 1
    assert found[("verifyhub_constraints", "active")] == 1


def test_many_agents_add_no_series():
    before = scrape().keys()
    for number in range(30):
        VerificationFactory(interaction__agent_name=f"agent-{number}")

    assert scrape().keys() == before


@pytest.fixture
def kept(settings):
    """Sums are kept for a minute, in a broker that holds none before or after."""
    settings.METRICS_SECONDS = 60
    with Redis.from_url(settings.COUNTERS_URL) as broker:
        broker.delete(totals.KEY, totals.LOCK)
        yield broker
        broker.delete(totals.KEY, totals.LOCK)


def test_sums_are_kept_and_what_waits_or_failed_is_exact(kept):
    VerificationFactory()
    assert scrape()["verifyhub_interactions_total",] == 1

    VerificationFactory(waiting=True, attempts=2)
    VerificationFactory(state="failed", verdict="", report=None)
    found = scrape()

    assert found["verifyhub_interactions_total",] == 1
    assert found["verifyhub_verifications", "pending"] == 1
    assert found["verifyhub_verifications", "failed"] == 1
    assert found["verifyhub_queue_depth",] == 1
    assert found["verifyhub_queue_most_attempts",] == 2


def test_a_scrape_with_kept_sums_reads_no_whole_table(
    kept, django_assert_max_num_queries
):
    scrape()

    with django_assert_max_num_queries(7) as asked:
        scrape()

    read = " ".join(one["sql"] for one in asked.captured_queries)
    assert "verification_mentionverdict" not in read
    assert "ingest_interaction" not in read


def test_old_sums_are_counted_again_by_one_scrape_at_a_time(kept):
    scrape()
    VerificationFactory()
    row = json.loads(kept.get(totals.KEY))
    kept.set(totals.KEY, json.dumps(row | {"at": row["at"] - 61}))

    kept.set(totals.LOCK, "1")
    assert scrape()["verifyhub_interactions_total",] == 0
    kept.delete(totals.LOCK)
    assert scrape()["verifyhub_interactions_total",] == 1


def test_what_took_long_to_count_is_kept_longer(kept):
    scrape()
    VerificationFactory()
    row = json.loads(kept.get(totals.KEY))
    kept.set(totals.KEY, json.dumps(row | {"at": row["at"] - 61, "took": 10}))

    assert scrape()["verifyhub_interactions_total",] == 0


def test_without_a_broker_each_scrape_counts(settings):
    settings.METRICS_SECONDS = 60
    settings.COUNTERS_URL = "redis://127.0.0.1:1/0"

    scrape()
    VerificationFactory()

    assert scrape()["verifyhub_interactions_total",] == 1


def test_the_number_of_queries_is_fixed(django_assert_max_num_queries):
    with django_assert_max_num_queries(13):
        Client().get("/metrics")


def test_the_scrape_counts_calls_money_and_projects_that_wait(project):
    ModelCall.objects.create(
        project=project,
        purpose="cross_tier",
        tier="medium",
        outcome="deadline",
        charged_tokens=40,
        cost_microdollars=2_500_000,
    )
    Budget.objects.create(
        project=project, refused_by="month_tokens", refused_at=timezone.now()
    )

    found = scrape()

    assert found["verifyhub_model_calls", "deadline"] == 1
    assert found["verifyhub_model_tokens_total",] == 40
    assert found["verifyhub_model_cost_dollars_total",] == 2.5
    assert found["verifyhub_projects_out_of_budget",] == 1


def test_the_oldest_answer_that_waits_for_a_person_is_told():
    assert scrape()[("verifyhub_review_oldest_age_seconds",)] == 0

    with time_machine.travel("2026-01-01T00:00:00Z"):
        ReviewItemFactory()

    assert scrape()[("verifyhub_review_oldest_age_seconds",)] > 86_400
