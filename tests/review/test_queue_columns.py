"""The list's order and columns: sorted by what is shown, chosen by each person."""

import pytest
from django.utils import timezone

from tests.factories import ReviewItemFactory
from tests.markup import markup
from verifyhub.review.queue import UnreadableCursorError
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue.views import Readers

QUEUE = "/p/acme/review/"


def page_of(project, cursor="", **filters):
    return queues.queue_page(
        project.id, filters, now=timezone.now(), cursor=cursor, size=2
    )


def items_of(project):
    values = [("b", 0.2, 3), ("a", 0.9, 1), ("", 0.5, 2), ("a", 0.9, 4), ("\x85", 0, 5)]
    return [
        ReviewItemFactory(project=project, agent_name=name, risk=risk, rank=rank)
        for name, risk, rank in values
    ]


@pytest.mark.parametrize(
    "sort", ["", "risk", "-risk", "age", "-age", "agent", "-agent"]
)
def test_pages_of_every_order_hold_each_item_once(project, sort):
    items, seen, cursor = items_of(project), [], ""

    for _ in range(3):
        page = page_of(project, cursor, sort=sort)
        seen += page.items
        cursor = page.next_cursor

    assert sorted(item.pk for item in seen) == sorted(item.pk for item in items)
    assert cursor == ""


@pytest.mark.parametrize(
    ("sort", "first"), [("risk", 0.9), ("-risk", 0), ("-priority", 0.9)]
)
def test_the_list_is_sorted_by_what_was_clicked(project, sort, first):
    items_of(project)

    assert page_of(project, sort=sort).items[0].risk == first


def test_a_cursor_of_another_order_is_told(project):
    items_of(project)

    with pytest.raises(UnreadableCursorError):
        page_of(project, page_of(project, sort="risk").next_cursor)


def test_a_heading_says_what_the_list_is_sorted_by(browse, reviewer, item):
    plain = markup(browse(reviewer).get(QUEUE))
    by_risk = markup(browse(reviewer).get(f"{QUEUE}?all=1&sort=risk"))

    assert plain.count('aria-sort="descending"') == 1
    assert 'class="q-c-risk"' not in plain
    assert '<th class="q-c-risk" aria-sort="descending"' in " ".join(by_risk.split())


def test_people_choose_their_columns(browse, reviewer, item):
    client = browse(reviewer)
    client.post(f"{QUEUE}columns/", {"columns": ["due", "agent"], "query": "risk=high"})

    page = markup(client.get(QUEUE))

    assert 'class="q-c-due"' in page
    assert 'class="q-c-verdict"' not in page
    refused = client.post(f"{QUEUE}columns/", {"columns": ["secret"]}, follow=True)
    assert "This column does not exist." in markup(refused)


def test_a_row_names_the_first_name_without_evidence(browse, reviewer, item):
    page = markup(browse(reviewer).get(QUEUE))

    assert "apply_discount()" in page
    assert "2 of 4 names supported" in page


@pytest.mark.parametrize("address", ["review/?all=1&text=", "answers/?text="])
def test_an_answer_is_found_by_the_beginning_of_its_id(
    browse, reviewer, item, answered, address
):
    other = answered(id="billing-0042", task="And now?")
    start = str(item.interaction_id)[:20].upper()
    client = browse(reviewer)

    by_id = markup(client.get(f"/p/acme/{address}{start}"))
    by_name = markup(client.get(f"/p/acme/{address}billing-00"))

    assert f"/answers/{item.interaction_id}/" in by_id
    assert f"/answers/{other.id}/" not in by_id or str(other.id).startswith(start)
    assert f"/answers/{other.id}/" in by_name


def test_what_is_next_goes_by_priority_whatever_the_list_is_sorted_by(
    browse, reviewer, project
):
    urgent = ReviewItemFactory(project=project, rank=9, risk=0.1)
    ReviewItemFactory(project=project, rank=1, risk=0.9)

    found = browse(reviewer).get(f"{QUEUE}next/?sort=risk")

    assert str(urgent.interaction_id) in found.url


def test_a_pulse_says_when_something_last_came(browse, reviewer, outsider, item):
    url = f"{QUEUE}pulse/"

    assert markup(browse(reviewer).get(url)) == item.ranked_at.isoformat()
    assert browse(outsider).get(url).status_code == 404


def test_a_pulse_is_given_to_so_many_readers_and_no_more():
    readers = Readers(limit=2)

    admitted = [readers.admit(user) for user in (1, 2, 3, 1)]

    assert admitted == [True, True, False, True]
