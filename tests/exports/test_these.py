"""From a list to an export of exactly what it shows."""

import json
import re
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from tests.factories import (
    InteractionFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import ReviewItem

LIST, QUEUE = "/p/acme/answers/", "/p/acme/review/"
DETAIL = re.compile(r'href="/p/acme/answers/([0-9a-f-]{36})/')
LINK = re.compile(r'href="(/p/acme/exports/[^"]*)">Export these<')


@pytest.fixture
def answers(project, lead):
    """Answers that differ in all that the lists are filtered by."""
    now = timezone.now()
    verdicts = ["accept", "uncertain", "reject", "reject", "accept", "reject"]
    for at, verdict in enumerate(verdicts):
        run = VerificationFactory(
            interaction__project=project,
            interaction__agent_name=f"agent {at % 2} & co",
            interaction__task=f"Where is 100 % of part {at}?",
            verdict=verdict,
            confidence=at / 10,
        )
        made = now - timedelta(days=at)
        Interaction.objects.filter(pk=run.interaction_id).update(created_at=made)
        if verdict != "accept":
            ReviewItemFactory(
                verification=run,
                agent_name=run.interaction.agent_name,
                machine_verdict=verdict,
                risk=at / 10,
                assignee=lead if at == 2 else None,
                state="confirmed" if at == 3 else "open",
            )
    # Rejected once, and accepted since.
    again = VerificationFactory(interaction__project=project, verdict="reject")
    VerificationFactory(interaction=again.interaction, number=2, verdict="accept")
    InteractionFactory(project=project, task="Nobody looked yet")


def shown_and_exported(client, page, query):
    """The answers on a page, and those in the JSON Lines of its export."""
    html = client.get(page, query).content.decode()
    (address,) = LINK.findall(html)
    exports = client.get(unescape(address))
    assert exports.status_code == 200
    (download,) = re.findall(
        r'href="([^"]*/export/interactions\.jsonl[^"]*)"', exports.content.decode()
    )
    response = client.get(unescape(download))
    lines = b"".join(response.streaming_content).decode().splitlines()
    return set(DETAIL.findall(html)), {json.loads(line)["id"] for line in lines}


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({}, 8),
        ({"verdict": "reject"}, 3),
        ({"verdict": "accept"}, 3),
        ({"verdict": "flagged"}, 4),
        ({"agent": "agent 1 & co"}, 3),
        ({"text": "100 %"}, 6),
        ({"state": "finished", "verdict": "reject"}, 3),
        ({"person": "decided"}, 1),
        ({"person": "open"}, 3),
        ({"confidence": "4"}, 1),
    ],
)
def test_the_answer_list_leads_to_an_export_of_its_rows(
    browse, lead, answers, query, count
):
    shown, exported = shown_and_exported(browse(lead), LIST, query)

    assert len(shown) == count
    assert exported == shown


def test_the_last_day_is_in_the_export_as_it_is_in_the_list(browse, lead, answers):
    day = (timezone.now() - timedelta(days=3)).date().isoformat()

    shown, exported = shown_and_exported(
        browse(lead), LIST, {"since": day, "until": day}
    )

    assert len(shown) == 1
    assert exported == shown


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"all": "1"}, 3),
        ({"state": "resolved"}, 1),
        ({"verdict": "reject"}, 2),
        ({"agent": "agent 1 & co"}, 2),
        ({"agent": "agent 1 & co", "verdict": "uncertain"}, 1),
        ({"assignee": "me"}, 1),
        ({"assignee": "none"}, 2),
        ({"risk": "medium"}, 1),
        ({"text": "part 2"}, 1),
        ({"age": "-24"}, 3),
    ],
)
def test_the_queue_leads_to_an_export_of_its_answers(
    browse, lead, answers, query, count
):
    shown, exported = shown_and_exported(browse(lead), QUEUE, query)

    assert len(shown) == count
    assert exported == shown


def test_what_was_verified_again_stays_with_the_verdict_of_its_item(
    browse, lead, answers
):
    item = ReviewItem.objects.get(machine_verdict="uncertain")
    VerificationFactory(interaction=item.interaction, number=2, verdict="accept")

    shown, exported = shown_and_exported(browse(lead), QUEUE, {"verdict": "uncertain"})

    assert shown == exported == {str(item.interaction_id)}


def test_filters_that_only_figures_have_are_kept_and_shown(browse, lead, answers):
    client = browse(lead)

    html = client.get(LIST, {"attempt": "first", "verdict": "reject"})
    (address,) = LINK.findall(html.content.decode())
    asked = parse_qs(urlsplit(unescape(address)).query)
    page = client.get(unescape(address)).content.decode()

    assert asked == {"attempt": ["first"], "verdict": ["reject"]}
    assert 'name="verdict"' in page
    assert '<option value="first" selected>' in page


def test_who_may_export_nothing_is_not_led_there(browse, viewer, answers):
    client = browse(viewer)

    for page in (LIST, QUEUE):
        assert "Export these" not in client.get(page).content.decode()


def test_filters_that_make_no_sense_filter_neither(browse, lead, answers):
    shown, exported = shown_and_exported(browse(lead), LIST, {"since": "soon"})

    assert len(shown) == 8
    assert exported == shown


def test_an_export_asked_for_there_has_the_same_filters(browse, lead, answers):
    client = browse(lead)
    html = client.get(LIST, {"verdict": "flagged"}).content.decode()
    (address,) = LINK.findall(html)

    asked = {"datasets": ["interactions"], "written_as": "csv"}
    filters = {
        name: values[0] for name, values in parse_qs(urlsplit(address).query).items()
    }
    reply = client.post("/p/acme/exports/new/", asked | filters)

    assert reply.status_code == 302
    job = client.get(reply["Location"]).context["job"]
    assert job.filters == {"verdict": "flagged"}
