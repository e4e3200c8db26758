"""The next answer is fetched while this one is looked at: shown only as it is then."""

import re

import pytest
from django.urls import reverse

from tests.factories import MembershipFactory
from verifyhub.review.decide import override_mention
from verifyhub.review.models import ReviewItem
from verifyhub.review.panel import set_review_rules
from verifyhub.review.queue import Holder, lease_item, lease_next
from verifyhub.verification.models import MentionVerdict

HTMX = {"HX-Request": "true"}


@pytest.fixture
def ana(project):
    return MembershipFactory(project=project, user__username="ana").user


@pytest.fixture
def queue(project, answered):
    """Three open items of different names, in the order in which they are next."""
    for number in range(3):
        answered(task=f"Question {number}?", answer=f"In `part_{number}()`.")
    return list(ReviewItem.objects.order_by("-rank", "id"))


@pytest.fixture
def sit(browse, ana, queue):
    """Ana has the first item open; fetch what comes next, or decide with what is."""
    client = browse(ana)
    lease_next(project_id=queue[0].project_id, holder=Holder(user=ana))

    def fetch():
        url = reverse("review:queue-ahead", args=["acme"])
        reply = client.get(url, {"after": queue[0].interaction_id}, headers=HTMX)
        return reply, stamp_in(reply)

    def decide(stamp):
        url = reverse("review:answer-agree", args=["acme", queue[0].interaction_id])
        return client.post(
            url, {"version": 0, "move_on": 1}, headers={**HTMX, "X-Ahead": stamp}
        )

    return fetch, decide


def stamp_in(reply):
    if reply.status_code != 200:
        return ""
    return re.search(r'data-stamp="([^"]+)"', reply.content.decode()).group(1)


def test_the_page_of_the_next_answer_is_fetched_and_nothing_is_taken(sit, queue):
    reply, _stamp = sit[0]()

    assert b"Question 1?" in reply.content
    assert ReviewItem.objects.get(pk=queue[1].pk).lease_holder is None


def test_a_decision_takes_what_was_fetched_and_sends_it_no_second_time(sit, queue, ana):
    _, stamp = sit[0]()

    reply = sit[1](stamp)

    assert reply["X-Ahead"] == stamp
    assert reply.content == b""
    assert str(queue[1].interaction_id) in reply["HX-Push-Url"]
    assert ReviewItem.objects.get(pk=queue[1].pk).lease_holder == ana


def test_a_decision_and_what_is_next_take_few_statements(
    sit, django_assert_max_num_queries
):
    _, stamp = sit[0]()

    # Each is a round trip that a reviewer waits for; 72 before they were counted.
    with django_assert_max_num_queries(44):
        reply = sit[1](stamp)

    assert reply["X-Ahead"] == stamp


def test_what_was_fetched_learns_of_its_lease_and_of_the_decision_before(
    sit, queue, browse, ana
):
    _, stamp = sit[0]()
    sit[1](stamp)

    url = reverse("review:answer-going-on", args=["acme", queue[1].interaction_id])
    page = browse(ana).get(url, headers=HTMX).content.decode()

    token = ReviewItem.objects.get(pk=queue[1].pk).lease_token
    assert f'data-token="{token}"' in page
    assert "Undo my last decision" in page


def test_another_page_comes_where_somebody_else_took_what_was_fetched(sit, queue, lead):
    _, stamp = sit[0]()
    lease_item(item=queue[1], holder=Holder(user=lead))

    reply = sit[1](stamp)

    assert "X-Ahead" not in reply
    assert b"Question 2?" in reply.content


def test_the_page_comes_anew_where_a_name_in_it_was_judged_since(sit, queue, lead):
    _, stamp = sit[0]()
    override_mention(
        item=queue[1],
        mention=MentionVerdict.objects.get(verification=queue[1].verification_id),
        status="verified",
        reason="It exists.",
        reviewer=lead,
        version=queue[1].version,
    )

    reply = sit[1](stamp)

    assert "X-Ahead" not in reply
    assert b"It exists." in reply.content


def test_the_page_comes_anew_where_it_names_what_was_just_judged(
    project, answered, sit, queue
):
    answered(task="Again?", answer="In `part_0()`.")
    ReviewItem.objects.filter(interaction__task="Again?").update(rank=queue[1].rank + 1)
    ReviewItem.objects.filter(pk=queue[0].pk).update(rank=queue[1].rank + 2)
    _, stamp = sit[0]()

    reply = sit[1](stamp)

    assert "X-Ahead" not in reply
    assert b"Again?" in reply.content


def test_nothing_is_fetched_where_gold_may_come_in_its_place(sit, project, lead):
    set_review_rules(project=project, values={"gold_percent": 10}, actor=lead)

    reply, _stamp = sit[0]()

    assert reply.status_code == 204


def test_an_unreadable_address_is_not_found(browse, ana, project):
    url = reverse("review:queue-ahead", args=["acme"])

    assert browse(ana).get(url, {"after": "x"}).status_code == 404
