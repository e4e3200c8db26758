"""Judgements as a file: for those who oversee reviewers, once all have judged."""

import csv
import io
import json

import pytest
from django.utils import timezone

from tests.factories import ApiKeyFactory, MembershipFactory
from tests.review.conftest import send
from tests.review.test_several_reviewers import ask, fresh, judge, other
from verifyhub.review.gold import mark_gold
from verifyhub.review.models import GoldSeed, ReviewItem

PAGE = "/p/acme/metrics/export/{}"
ADDRESS = "/api/v1/exports/{}/"


@pytest.fixture
def people(project):
    return [
        MembershipFactory(project=project, user__username=name).user
        for name in ("=ana", "ben", "cy")
    ]


@pytest.fixture
def item(project):
    return ReviewItem.objects.get(interaction=send(project))


def text_of(client, address, **query):
    response = client.get(address, query)
    assert response.status_code == 200
    return response.getvalue().decode()


def rows_of(client, what="judgements"):
    text = text_of(client, PAGE.format(f"{what}.csv"))
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def gold(item, lead):
    """An answer that a lead overrode, and with it a name, and made gold."""
    judge(item, lead, other(item))
    return mark_gold(
        item=fresh(item),
        verdict=fresh(item).human_verdict,
        note="known",
        actor=lead,
        now=timezone.now(),
    )


def test_judgements_come_out_once_all_have_judged_and_run_no_formula(
    item, people, project, browse, lead
):
    ask(project, 2)
    judge(item, people[0], other(item))
    assert rows_of(browse(lead)) == []

    judge(item, people[1])

    first, second = rows_of(browse(lead))
    assert (first["reviewer"], first["verdict"]) == ("'=ana", other(item).verdict)
    assert (second["reviewer"], second["machine_verdict"]) == (
        "ben",
        item.verification.verdict,
    )
    assert (first["reason"], first["kind"], first["round"]) == (
        "I looked.",
        "review",
        "1",
    )


def test_json_lines_tell_all_that_was_said(item, people, project, browse, lead):
    judge(item, people[0], other(item))

    (line,) = text_of(browse(lead), PAGE.format("judgements.jsonl")).splitlines()

    assert json.loads(line)["decision"]["verdict"] == other(item).verdict


def test_a_reviewer_exports_no_judgements_and_is_not_offered_them(
    browse, reviewer, lead
):
    address = PAGE.format("judgements.csv")

    assert browse(reviewer).get(address).status_code == 403
    assert address not in browse(reviewer).get("/p/acme/exports/").content.decode()
    assert address in browse(lead).get("/p/acme/exports/").content.decode()


def test_a_key_that_only_reads_exports_no_judgements(project, client):
    secret = "vh_" + "r" * 40
    ApiKeyFactory(project=project, secret=secret, scopes=["read"])
    headers = {"authorization": f"Bearer {secret}"}

    for what, status in (("judgements", 403), ("overrides", 200)):
        answer = client.get(ADDRESS.format(what), headers=headers)
        assert answer.status_code == status


def test_gold_comes_out_undecided_to_whom_it_may_measure(
    gold, browse, reviewer, api, lead
):
    (verdict,) = rows_of(browse(reviewer), "verdicts")
    assert (verdict["human_verdict"], verdict["review_state"]) == ("", "open")
    assert rows_of(browse(reviewer), "overrides") == []
    assert all(not row["human_status"] for row in rows_of(browse(reviewer), "mentions"))
    for what in ("overrides", "judgements"):
        assert text_of(api, ADDRESS.format(what)) == ""
    (line,) = text_of(api, ADDRESS.format("verdicts")).splitlines()
    assert json.loads(line)["human_verdict"] == ""

    (kept,) = rows_of(browse(lead), "verdicts")
    assert kept["human_verdict"] == gold.verdict
    assert len(rows_of(browse(lead), "overrides")) == 1


def test_a_lead_who_is_measured_reads_nothing_of_that_gold_either(
    gold, project, browse, admin
):
    GoldSeed.objects.create(gold=gold, reviewer=admin, project=project)

    assert rows_of(browse(admin), "overrides") == []
    assert rows_of(browse(admin)) == []


def test_judgements_of_gold_come_out_with_the_right_verdict(
    gold, project, people, browse, lead
):
    GoldSeed.objects.create(gold=gold, reviewer=people[0], project=project)
    judge(gold.item, people[0])

    rows = rows_of(browse(lead))

    assert [(row["kind"], row["gold_verdict"]) for row in rows] == [
        ("review", gold.verdict),
        ("gold", gold.verdict),
    ]
