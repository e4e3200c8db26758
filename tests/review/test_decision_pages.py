"""Deciding over HTTP: with and without htmx, by whom, and when the page was old."""

import pytest
from django.test import Client

from tests.factories import ReviewItemFactory
from tests.markup import markup
from verifyhub.review.decide import confirm_verdict
from verifyhub.review.effect_words import effect_words
from verifyhub.review.models import Override, ReviewItem

HTMX = {"HX-Request": "true"}
ACTIONS = ["agree", "override", "mentions/0/flip", "reopen", "reverify"]


def url(item, action):
    return f"/p/acme/answers/{item.interaction_id}/{action}/"


def flip_url(item):
    index = item.verification.mentions.filter(status="unverified").first().index
    return url(item, f"mentions/{index}/flip")


def flip_data(**changes):
    return {"version": 0, "status": "verified", "reason": "I looked."} | changes


@pytest.fixture
def client(browse, reviewer):
    return browse(reviewer)


def test_agreeing_without_javascript_comes_back_to_the_page(client, item):
    response = client.post(url(item, "agree"), {"version": 0})

    assert response.status_code == 302
    assert response.url == f"/p/acme/answers/{item.interaction_id}/"


def test_override_shows_what_it_changed(client, item):
    response = client.post(
        url(item, "override"),
        {"version": 0, "verdict": "accept", "reason": "All there."},
        headers=HTMX,
    )

    assert response.status_code == 200
    assert "What this changed" in markup(response)
    assert effect_words(Override.objects.get().effects[0])[:20] in markup(response)


def test_flip_comes_back_to_the_name(client, item):
    response = client.post(flip_url(item), flip_data())

    assert "#evidence" in response.url
    assert Override.objects.get().after == "verified"


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_missing_reason_is_said_at_the_field(client, item, reason):
    response = client.post(flip_url(item), flip_data(reason=reason), headers=HTMX)

    assert response.status_code == 422
    assert 'aria-describedby="flip-reason-error"' in markup(response)
    assert not Override.objects.exists()


def test_unknown_verdict_is_refused(client, item):
    response = client.post(
        url(item, "override"), {"version": 0, "verdict": "maybe", "reason": "r"}
    )

    assert response.status_code == 422
    assert not Override.objects.exists()


def test_stale_page_gets_the_fresh_one_and_409(client, item, reviewer):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    response = client.post(flip_url(item), flip_data(), headers=HTMX)

    assert response.status_code == 409
    assert "Someone else changed this answer" in markup(response)
    assert 'name="version" value="1"' in markup(response)


def test_undo_over_http(client, item):
    client.post(flip_url(item), flip_data())
    made = Override.objects.get()

    response = client.post(
        url(item, f"overrides/{made.id}/undo"), {"version": 1}, headers=HTMX
    )

    made.refresh_from_db()
    assert made.undone_at is not None
    assert "Undone by" in markup(response)


def test_taking_an_agreement_back_over_http(client, item):
    client.post(url(item, "agree"), {"version": 0})

    client.post(url(item, "reopen"), {"version": 1})

    item.refresh_from_db()
    assert item.state == ReviewItem.State.OPEN


def test_an_accepted_answer_can_be_judged_too(client, answered):
    interaction = answered(
        answer="See `shop/pricing.py`, `shop/tax.py` and `compute_price()`."
    )

    client.post(
        f"/p/acme/answers/{interaction.id}/override/",
        {"version": 0, "verdict": "reject", "reason": "Wrong file."},
    )

    assert ReviewItem.objects.get().human_verdict == "reject"


def test_refused_decision_on_an_accepted_answer_queues_nothing(client, answered):
    interaction = answered(
        answer="See `shop/pricing.py`, `shop/tax.py` and `compute_price()`."
    )

    client.post(
        f"/p/acme/answers/{interaction.id}/override/",
        {"version": 0, "verdict": "accept", "reason": "As the machine says."},
    )

    assert not ReviewItem.objects.exists()


def test_verifying_again_waits_in_the_queue(client, item):
    client.post(url(item, "reverify"))

    assert item.interaction.verifications.filter(state="pending").count() == 1


def test_verifying_twice_at_once_is_refused(client, item):
    client.post(url(item, "reverify"))

    response = client.post(url(item, "reverify"), headers=HTMX)

    assert response.status_code == 409
    assert "already being verified" in markup(response)


@pytest.mark.parametrize("action", ACTIONS)
def test_viewers_may_not_decide(browse, viewer, item, action):
    assert browse(viewer).post(url(item, action)).status_code == 403


@pytest.mark.parametrize("action", ACTIONS)
def test_outsiders_find_nothing(browse, outsider, item, action):
    foreign = outsider.memberships.get().project.slug
    stolen = url(item, action).replace("acme", foreign)

    assert browse(outsider).post(stolen, {"version": 0}).status_code == 404


@pytest.mark.parametrize("action", ACTIONS)
def test_reading_changes_nothing(client, item, action):
    assert client.get(url(item, action)).status_code == 405


@pytest.mark.parametrize("action", ACTIONS)
def test_posts_need_the_csrf_token(reviewer, item, action):
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")

    response = client.post(url(item, action), {"version": 0})

    assert response.status_code == 403
    assert b"This form has expired" in response.content


def test_override_of_another_project_cannot_be_undone(client, item):
    foreign = ReviewItemFactory()
    made = Override.objects.create(
        project=foreign.project,
        item=foreign,
        target="verdict",
        before="reject",
        after="accept",
        reason="r",
        reviewer=item.project.memberships.get().user,
    )

    response = client.post(url(item, f"overrides/{made.id}/undo"), {"version": 0})

    assert response.status_code == 404
