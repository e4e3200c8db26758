"""The queue's order, its pages, views and news, and where items move."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.utils import timezone

from bench.review_queue import ROWS
from tests.factories import (
    InteractionFactory,
    ProjectFactory,
    ReviewItemFactory,
    UserFactory,
)
from tests.markup import markup
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode
from verifyhub.ingest.selectors import agent_names
from verifyhub.review.models import ReviewItem, SavedView
from verifyhub.review.queue import (
    Holder,
    UnreadableCursorError,
    lease_item,
    places,
    words_of,
)
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue import settings as desk
from verifyhub.review.queue.ranking import UrgencyFactors, uncertainty
from verifyhub.review.queue.reason_words import word

QUEUE = "/p/acme/review/"
NOW = timezone.now()
SETTINGS = {
    "doubling_hours": 24,
    "lease_minutes": 5,
    "due_high_hours": 1,
    "due_medium_hours": 1,
    "due_low_hours": None,
    "rotation": False,
    "open_limit": 3,
}


def page_of(project, cursor="", size=10, **filters):
    return queues.queue_page(
        project.id, filters, now=timezone.now(), cursor=cursor, size=size
    )


def test_waiting_doubles_urgency_in_the_same_time_for_all():
    low = UrgencyFactors(risk=0.2, uncertainty=1, reach=0)
    high = UrgencyFactors(risk=0.4, uncertainty=1, reach=0)

    older = low.rank(NOW - timedelta(hours=72), 72)

    assert older == pytest.approx(high.rank(NOW, 72))


@pytest.mark.parametrize(
    "more",
    [
        {"risk": 0.6, "uncertainty": 0.5, "reach": 0},
        {"risk": 0.5, "uncertainty": 0.6, "reach": 0},
        {"risk": 0.5, "uncertainty": 0.5, "reach": 1},
    ],
)
def test_each_factor_raises_the_rank(more):
    plain = UrgencyFactors(risk=0.5, uncertainty=0.5, reach=0)

    assert UrgencyFactors(**more).rank(NOW, 72) > plain.rank(NOW, 72)


def test_doubt_is_greatest_where_judges_disagree_and_nothing_is_covered():
    sure = VerificationReport(confidence=0.95, coverage=1.0)
    apart = ReportWarning(code=WarningCode.VERIFIERS_DISAGREE, message="They differ.")
    torn = VerificationReport(confidence=0.5, coverage=0.2, warnings=(apart,))

    assert 0.4 <= uncertainty(sure) < 0.6 < 0.9 < uncertainty(torn) <= 1


def test_pages_neither_skip_nor_repeat_while_items_come_and_go(project):
    items = [ReviewItemFactory(project=project, rank=1) for _ in range(7)]
    first = page_of(project, size=3)
    ReviewItemFactory(project=project, rank=9)
    ReviewItem.objects.filter(pk=first.items[0].pk).update(state="confirmed")

    second = page_of(project, first.next_cursor, size=3)
    third = page_of(project, second.next_cursor, size=3)

    seen = [item.pk for page in (first, second, third) for item in page.items]
    assert sorted(seen) == sorted(item.pk for item in items)
    assert third.next_cursor == ""


@pytest.mark.parametrize("cursor", ["nonsense", "W10=", "W10:1xZ:a", "\ud800"])
def test_a_cursor_that_no_page_gave_is_told(project, cursor):
    ReviewItemFactory(project=project)

    with pytest.raises(UnreadableCursorError):
        page_of(project, cursor)


def test_a_cursor_of_another_project_or_list_is_told(project):
    [ReviewItemFactory(project=project, rank=rank) for rank in (1, 2)]
    own = page_of(project, size=1).next_cursor

    with pytest.raises(UnreadableCursorError):
        page_of(ProjectFactory(), own)
    with pytest.raises(UnreadableCursorError):
        page_of(project, own, state="resolved")


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_the_list_says_that_it_begins_at_the_top(browse, reviewer, project, headers):
    item = ReviewItemFactory(project=project)

    page = markup(
        browse(reviewer).get(
            f"/p/{project.slug}/review/?all=1&cursor=old", headers=headers
        )
    )

    assert "begins at the top" in page
    assert str(item.interaction_id) in page


def test_search_goes_on_behind_its_window(project, monkeypatch):
    monkeypatch.setattr(queues, "SEARCH_WINDOW", 2)
    wanted = ReviewItemFactory(
        project=project, rank=1, verification__interaction__task="the needle"
    )
    for rank in (5, 4, 3):
        ReviewItemFactory(project=project, rank=rank)

    first = page_of(project, text="NEEDLE")
    second = page_of(project, first.next_cursor, text="NEEDLE")

    assert (first.items, first.searched) == ([], 2)
    assert second.items == [wanted]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"risk": "high"}, True),
        ({"risk": "low"}, False),
        ({"kind": "claim"}, True),
        ({"kind": "file"}, False),
        ({"age": "+24"}, True),
        ({"age": "-1"}, False),
        ({"due": "overdue"}, True),
        ({"assignee": "none"}, True),
        ({"assignee": "reviewer"}, False),
    ],
)
def test_filters(project, reviewer, filters, found):
    item = ReviewItemFactory(
        project=project,
        risk=0.8,
        flagged_kinds=["claim"],
        due_at=NOW - timedelta(hours=1),
    )
    ReviewItem.objects.filter(pk=item.pk).update(created_at=NOW - timedelta(days=2))

    assert bool(page_of(project, **filters).items) == found


def test_somebodys_items_are_found_by_their_name(project, reviewer, lead):
    ReviewItemFactory(project=project, assignee=lead)
    theirs = ReviewItemFactory(project=project, assignee=reviewer)

    assert page_of(project, assignee="reviewer").items == [theirs]
    assert page_of(project, assignee="nobody-there").items == []


def read_by(project, **filters):
    """Return the plan that the planner itself chooses for a page of many items."""
    statements = []

    def note(execute, sql, params, many, context):
        statements.append((sql, params))
        return execute(sql, params, many, context)

    person = UserFactory()
    values = {"project": project.id, "user": person.pk, "first": 1, "last": 5000}
    with connection.cursor() as cursor:
        cursor.execute(ROWS, values)
        cursor.execute("ANALYZE review_reviewitem, ingest_interaction")
        with connection.execute_wrapper(note):
            queues.queue_page(project.id, filters, now=timezone.now())
        cursor.execute(f"EXPLAIN {statements[0][0]}", statements[0][1])
        return "\n".join(row[0] for row in cursor.fetchall())


def test_what_came_lately_is_not_looked_for_behind_what_waits_longer(project):
    assert "review_item_rank" not in read_by(project, age="-1")


def test_a_search_reads_the_texts_of_its_window_alone(project):
    # As a condition of a scan or a join it would be held against every text there is.
    assert "LIKE" not in read_by(project, text="nowhere")


def test_the_newest_hour_is_shown_most_urgent_first(project):
    low, high = (ReviewItemFactory(project=project, rank=rank) for rank in (1, 2))
    old = ReviewItemFactory(project=project, rank=3)
    ReviewItem.objects.filter(pk=old.pk).update(created_at=NOW - timedelta(days=2))

    first = queues.queue_page(project.id, {"age": "-1"}, now=timezone.now(), size=1)

    assert first.items == [high]
    assert page_of(project, first.next_cursor, age="-1").items == [low]


def test_counts_are_honest_about_where_they_stop(project):
    for _ in range(4):
        ReviewItemFactory(project=project)

    items = ReviewItem.objects.filter(project=project)

    assert str(queues.bounded_count(items, limit=3)) == "3+"
    assert str(queues.bounded_count(items, limit=4)) == "4"


def test_news_count_what_came_or_moved_up_since(browse, project, reviewer):
    ReviewItemFactory(project=project, ranked_at=NOW - timedelta(hours=1))
    moved = ReviewItemFactory(project=project, ranked_at=NOW + timedelta(seconds=5))
    since = NOW.isoformat().replace("+", "%2B")
    url = f"{QUEUE}live/?since={since}&shown={moved.id}"

    page = markup(browse(reviewer).get(url))

    assert "1 new or moved up" in page
    assert f'id="hold-{moved.id}" hx-swap-oob="true"' in page


def test_news_heed_the_words_that_are_searched_for(project, answered):
    answered(task="Where is the cache?")
    answered(task="Who calls it?")

    def news(words):
        since = NOW - timedelta(hours=1)
        filters = {"text": words}
        return queues.news_since(project.id, filters, since=since, now=timezone.now())

    assert (news("cache").value, news("nowhere").value) == (1, 0)


def test_a_changed_view_stays_the_view(browse, project, reviewer):
    browse(reviewer).post(f"{QUEUE}views/", {"name": "Hot", "query": "risk=high"})
    view = SavedView.objects.get()
    client = browse(reviewer)

    changed = client.get(f"{QUEUE}?all=1&view={view.id}&risk=low")
    emptied = client.get(f"{QUEUE}?all=1&view={view.id}")

    assert (changed.context["view"], changed.context["view"].id) == (view, view.id)
    assert changed.context["query"] == f"risk=low&view={view.id}"
    assert emptied.context["query"] == f"view={view.id}&all=1"
    assert f'name="view" value="{view.id}"' in markup(changed)


def test_a_list_says_when_all_on_it_is_with_others(browse, item, reviewer, lead):
    lease_item(item=item, holder=Holder(user=lead))

    page = markup(browse(reviewer).get(QUEUE))

    assert "Other reviewers have claimed all of these. The first is released at" in page
    assert "Other reviewers have claimed" not in markup(browse(lead).get(QUEUE))


def test_tabs_count_in_one_query_and_leave_searches_out(
    project, reviewer, django_assert_num_queries
):
    ReviewItemFactory(project=project, risk=0.9)
    ReviewItemFactory(project=project, risk=0.1)
    each = [{}, {"risk": "high"}, {"text": "nowhere"}, {"state": "resolved"}]

    # And one for the gold that is withheld from whoever asks.
    with django_assert_num_queries(2):
        counts = queues.view_counts(project.id, each, now=timezone.now())

    assert [count if count is None else count.value for count in counts] == [
        2,
        1,
        None,
        0,
    ]


def test_agents_are_named_once_and_in_order(project):
    for name in ("b", "a", "b", ""):
        InteractionFactory(project=project, agent_name=name)
    InteractionFactory(agent_name="foreign")

    assert agent_names(project.id) == ["a", "b"]


def test_the_list_says_who_has_an_item(browse, item, reviewer, lead):
    lease_item(item=item, holder=Holder(user=lead))

    assert "claimed by lead until" in markup(browse(reviewer).get(QUEUE))


def test_the_place_of_an_item_is_explained(browse, item, reviewer):
    page = markup(browse(reviewer).get(f"{QUEUE}items/{item.id}/why/"))

    assert "× uncertainty" in page
    assert "doubles in 72 h" in page


def test_a_name_seen_in_other_sessions_moves_all_its_items_up(answered, item):
    before = ReviewItem.objects.get(pk=item.pk)
    assert before.reach == 0

    answered(session="s-2")
    places.spread_reach()

    after = ReviewItem.objects.get(pk=item.pk)
    assert after.reach == 1
    assert after.rank > before.rank
    assert not ReviewItem.objects.filter(reach_due=True).exists()


def test_passing_on_many_new_items_takes_as_many_statements_as_one(
    answered, item, django_assert_num_queries
):
    for number in range(5):
        answered(session=f"s-{number}")

    with django_assert_num_queries(11):
        assert places.spread_reach() == 6

    assert set(ReviewItem.objects.values_list("reach", flat=True)) == {4}


def test_changed_settings_give_items_new_places_and_due_times(project, lead, item):
    desk.change_queue_settings(project_id=project.id, values=SETTINGS, actor=lead)
    while places.rerank(project_id=project.id):
        pass

    stored = ReviewItem.objects.get(pk=item.pk)
    expected = UrgencyFactors(
        risk=stored.risk, uncertainty=stored.uncertainty, reach=stored.reach
    ).rank(stored.created_at, 24)
    assert stored.rank == pytest.approx(expected)


def test_saved_views_are_ones_own_until_a_lead_shares_them(browse, project, lead):
    sent = {"name": "Hot", "query": "risk=high&nonsense=1", "shared": "on"}
    browse(lead).post(f"{QUEUE}views/", {**sent, "default": "on"})
    view = SavedView.objects.get()

    answer = browse(lead).get(QUEUE)

    assert (view.filters, view.shared) == ({"risk": "high"}, True)
    assert answer.url == f"{QUEUE}?view={view.id}"


def test_a_reviewer_cannot_share_a_view(browse, project, reviewer, lead):
    browse(reviewer).post(f"{QUEUE}views/", {"name": "Mine", "shared": "on"})

    assert queues.views_for(project.id, lead) == []
    assert len(queues.views_for(project.id, reviewer)) == 1


def test_a_claim_is_shown_without_marks_of_bold_and_code():
    fact = {"kind": "unattempted_claim", "claim": "deed", "text": "**Ada** ran `make`."}

    assert words_of([fact], []) == ["says “Ada ran make.”, no tool call shows it"]


def test_reasons_are_worded_when_they_are_shown(item):
    assert words_of(item.reason_facts, []) == ["2 names not found in the trace"]
    assert word({"kind": "unheard_of"}) == "unheard of"
    assert words_of([], ["older"]) == ["older"]


def test_everybody_is_told_until_when_all_is_held(browse, item, reviewer, lead):
    lease_item(item=item, holder=Holder(user=lead))

    answer = browse(reviewer).get(f"{QUEUE}next/")

    assert answer.url == QUEUE
    assert "The first is released at" in str(list(get_messages(answer.wsgi_request)))
