"""The queue and the list of answers: rights, order, filters, page and fragment."""

import pytest

from tests.conftest import member
from tests.markup import markup
from verifyhub.accounts.models import Role
from verifyhub.review.decide import confirm_verdict

QUEUE = "/p/acme/review/"
ANSWERS = "/p/acme/answers/"
ACCEPTED = "See `shop/pricing.py`, `shop/tax.py` and `compute_price()`."
WORSE = "Look at `a/ghost.py`, `b/ghost.py`, `c/ghost.py`, `d/ghost.py`, `e/g.py`."


def test_queue_says_why_an_answer_is_there(browse, reviewer, item):
    page = markup(browse(reviewer).get(QUEUE))

    assert "2 names not found in the trace" in page
    assert str(item.interaction_id) in page


def test_riskier_answers_come_first(browse, reviewer, item, answered):
    worse = answered(answer=WORSE)

    page = markup(browse(reviewer).get(QUEUE))

    assert page.index(str(worse.id)) < page.index(str(item.interaction_id))


def test_empty_queue_teaches_the_first_call(browse, reviewer):
    page = markup(browse(reviewer).get(QUEUE))

    assert "curl http://testserver/api/v1/interactions/" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("reason=unverified_names", True),
        ("reason=contradicted_claim", False),
        ("agent=scout", True),
        ("agent=nobody", False),
        ("text=discounts", True),
        ("text=nowhere", False),
        ("verdict=accept", False),
        ("state=resolved", False),
        ("risk=enormous", True),
        ("risk=enormous&verdict=accept", False),
    ],
)
def test_queue_filters(browse, reviewer, item, query, found):
    page = markup(browse(reviewer).get(f"{QUEUE}?{query}"))

    assert (str(item.interaction_id) in page) == found


def test_decided_answers_leave_the_queue_and_count_for_today(browse, reviewer, item):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    response = browse(reviewer).get(QUEUE)

    assert str(item.interaction_id) not in markup(response)
    assert response.context["progress"].today == 1


def test_decided_answers_are_found_by_state(browse, reviewer, item):
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    page = markup(browse(reviewer).get(f"{QUEUE}?state=resolved"))

    assert str(item.interaction_id) in page


@pytest.mark.parametrize("url", [QUEUE, ANSWERS])
def test_htmx_gets_the_table_alone(browse, reviewer, item, url):
    client = browse(reviewer)

    fragment = client.get(url, headers={"HX-Request": "true"})

    assert "<html" in markup(client.get(url))
    assert "<html" not in markup(fragment)
    assert str(item.interaction_id) in markup(fragment)
    assert "HX-Request" in fragment.headers["Vary"]


@pytest.mark.parametrize("url", [QUEUE, ANSWERS])
def test_more_answers_take_no_more_queries(
    browse, reviewer, answered, url, django_assert_num_queries
):
    client = browse(reviewer)
    for number in range(5):
        answered(task=f"Question {number}?")

    with django_assert_num_queries(16 if url == QUEUE else 13):
        client.get(url)


@pytest.mark.parametrize("url", [QUEUE, ANSWERS, f"{QUEUE}next/"])
def test_outsiders_find_nothing(browse, outsider, item, url):
    assert browse(outsider).get(url).status_code == 404


def test_answers_lists_accepted_and_pending_ones(browse, viewer, answered):
    accepted = answered(answer=ACCEPTED)
    waiting = answered(task="And now?")
    waiting.verifications.update(
        state="pending", report=None, verdict="", finished_at=None
    )

    page = markup(browse(viewer).get(ANSWERS))

    assert str(accepted.id) in page
    assert str(waiting.id) in markup(browse(viewer).get(f"{ANSWERS}?state=pending"))
    assert "Pending" in page


def test_answers_are_split_into_pages(browse, reviewer, answered):
    for number in range(26):
        answered(task=f"Question {number}?", answer=ACCEPTED)

    page = markup(browse(reviewer).get(f"{ANSWERS}?verdict=accept&page=2"))

    assert "Question 0?" in page
    assert "26–26 of 26" in page
    assert "verdict=accept&amp;page=1" in page


def test_next_leads_to_the_riskiest_and_then_on(browse, reviewer, item, answered):
    worse = answered(answer=WORSE)
    client = browse(reviewer)

    first = client.get(f"{QUEUE}next/").url
    second = client.get(f"{QUEUE}next/?after={worse.id}").url

    assert first == f"{ANSWERS}{worse.id}/"
    assert second == f"{ANSWERS}{item.interaction_id}/"


def test_next_without_work_leads_back_to_the_queue(browse, reviewer, project):
    assert browse(reviewer).get(f"{QUEUE}next/").url == QUEUE


def test_viewers_are_not_asked_to_judge(browse, project, item):
    viewer = member(project, Role.VIEWER)

    assert "Review next" not in markup(browse(viewer).get(QUEUE))
