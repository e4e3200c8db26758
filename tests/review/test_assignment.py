"""Whose an item is: skips, questions, rules, rotation, people who leave, progress."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import MembershipFactory, ReviewItemFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.review.decide import confirm_verdict
from verifyhub.review.errors import DecisionInvalidError, NotAReviewerError
from verifyhub.review.models import Question, QueueSettings, ReviewItem
from verifyhub.review.queue import (
    Holder,
    assign_items,
    lease_item,
    lease_next,
    rotation,
)
from verifyhub.review.queue import settings as desk
from verifyhub.review.queue.assignment import (
    ask_colleague,
    reply_to_question,
    requeue_item,
    skip_item,
)
from verifyhub.review.queue.progress import reviewer_progress

ITEMS = "/p/acme/review/items/"


def take(project, user):
    lease = lease_next(project_id=project.id, holder=Holder(user=user))
    return lease.item_id if lease else None


@pytest.fixture
def colleague(project):
    return MembershipFactory(project=project, user__username="colleague").user


def in_an_hour():
    return timezone.now() + timedelta(hours=1)


def test_a_skipped_item_is_for_others_until_its_time(project, reviewer, colleague):
    item = ReviewItemFactory(project=project)
    skip = skip_item(item=item, user=reviewer, until=in_an_hour())

    assert take(project, reviewer) is None
    skip.until = timezone.now()
    skip.save()
    assert take(project, reviewer) == item.id


def test_requeueing_leaves_nothing_of_ones_own(project, reviewer):
    item = ReviewItemFactory(project=project)
    skip_item(item=item, user=reviewer, until=in_an_hour())

    requeue_item(item=item, user=reviewer)

    assert take(project, reviewer) == item.id


def test_assigned_items_come_first_and_to_nobody_else(project, reviewer, colleague):
    ReviewItemFactory(project=project, rank=5)
    mine = ReviewItemFactory(project=project, rank=1)
    assign_items(
        project_id=project.id, item_ids=[mine.id], assignee=reviewer, actor=colleague
    )

    assert take(project, reviewer) == mine.id
    assert take(project, colleague) != mine.id
    assert take(project, MembershipFactory(project=project).user) is None


def test_items_go_only_to_those_who_may_judge(project, viewer, lead):
    item = ReviewItemFactory(project=project)

    with pytest.raises(NotAReviewerError):
        assign_items(
            project_id=project.id, item_ids=[item.id], assignee=viewer, actor=lead
        )


def test_a_colleague_is_asked_and_the_reply_brings_the_item_back(
    project, reviewer, colleague
):
    item = ReviewItemFactory(project=project)

    question = ask_colleague(
        item=item, asked_by=reviewer, asked_of=colleague, note="Is it `tax.py`?"
    )
    assert take(project, colleague) == item.id
    reply_to_question(question=question, user=colleague, reply="It is.")

    assert ReviewItem.objects.get().assignee == reviewer
    assert Question.objects.get().reply == "It is."
    assert AuditEvent.objects.filter(action="review.colleague_replied").exists()


def test_a_question_needs_words(project, reviewer, colleague):
    item = ReviewItemFactory(project=project)

    with pytest.raises(DecisionInvalidError):
        ask_colleague(item=item, asked_by=reviewer, asked_of=colleague, note=" ")


def test_a_rule_gives_items_to_its_person(project, reviewer, lead):
    fits = ReviewItemFactory(project=project, agent_name="scout")
    other = ReviewItemFactory(project=project, agent_name="clerk")
    desk.add_rule(
        project_id=project.id,
        agent_name="scout",
        reason_kind="",
        user=reviewer,
        actor=lead,
    )

    rotation.deal_items(project_id=project.id)

    fits.refresh_from_db()
    other.refresh_from_db()
    assert (fits.assignee, other.assignee) == (reviewer, None)


def test_rotation_deals_by_weight_up_to_the_limit(project, reviewer, colleague, lead):
    QueueSettings.objects.create(project=project, rotation=True, open_limit=2)
    for person, weight in ((reviewer, 1), (colleague, 2)):
        desk.set_duty(
            project_id=project.id,
            user=person,
            on_duty=True,
            weight=weight,
            actor=lead,
        )
    for rank in range(10):
        ReviewItemFactory(project=project, rank=rank)

    given = rotation.deal_items(project_id=project.id)

    assert given == 6
    assert ReviewItem.objects.filter(assignee=reviewer).count() == 2
    assert ReviewItem.objects.filter(assignee=colleague).count() == 4
    assert not ReviewItem.objects.filter(rank__lt=4, assignee__isnull=False).exists()


def test_items_of_who_left_return_to_everybody(project, reviewer, colleague):
    item = ReviewItemFactory(project=project, assignee=reviewer)
    reviewer.is_active = False
    reviewer.save()

    rotation.take_back_items()

    assert take(project, colleague) == item.id


def test_progress_tells_each_ones_week(item, project, reviewer):
    ReviewItemFactory(
        project=project,
        assignee=reviewer,
        due_at=timezone.now() - timedelta(hours=1),
    )
    lease_item(item=item, holder=Holder(user=reviewer))
    confirm_verdict(item=item, reviewer=reviewer, version=0)

    (mine,) = reviewer_progress(project.id, now=timezone.now(), user_id=reviewer.pk)

    assert (mine.today, mine.week, mine.open_items, mine.overdue) == (1, 1, 1, 1)
    assert mine.median_seconds >= 0


def test_only_leads_see_everybody(browse, project, reviewer, lead, colleague):
    page = "/p/acme/review/team/"

    assert "colleague" not in browse(reviewer).get(page).content.decode()
    assert "colleague" in browse(lead).get(page).content.decode()


@pytest.mark.parametrize(
    ("act", "sent"),
    [
        ("take", {}),
        ("skip", {"hours": "1"}),
        ("requeue", {}),
        ("release", {}),
        ("assign", {"assignee": "reviewer"}),
        ("ask", {"colleague": "colleague", "note": "Look here."}),
    ],
)
def test_the_bar_works_without_javascript(browse, item, reviewer, colleague, act, sent):
    answer = browse(reviewer).post(f"{ITEMS}{item.id}/{act}/", sent)

    assert answer.status_code == 302


@pytest.mark.parametrize("act", ["take", "renew", "skip", "assign", "ask"])
def test_outsiders_and_viewers_do_nothing(browse, item, outsider, viewer, act):
    url = f"{ITEMS}{item.id}/{act}/"

    assert browse(outsider).post(url).status_code == 404
    assert browse(viewer).post(url).status_code == 403


def test_a_page_that_lost_its_lease_is_told(browse, item, reviewer, lead):
    token = lease_item(item=item, holder=Holder(user=reviewer)).token
    url = f"{ITEMS}{item.id}/renew/"
    assert browse(reviewer).post(url, {"token": token}).json()["held"]

    lease_item(item=item, holder=Holder(user=lead), take_over=True)

    assert browse(reviewer).post(url, {"token": token}).status_code == 409


def test_a_lead_assigns_many_at_once(browse, item, project, reviewer, lead):
    sent = {"item": [str(item.id)], "assignee": "reviewer"}

    refused = browse(reviewer).post("/p/acme/review/assign/", sent)
    browse(lead).post("/p/acme/review/assign/", sent)

    assert refused.status_code == 403
    assert ReviewItem.objects.get(pk=item.pk).assignee == reviewer


def test_the_settings_page_saves_and_refuses_nonsense(browse, project, lead):
    values = {"doubling_hours": 24, "lease_minutes": 5, "open_limit": 4}
    url = "/p/acme/review/team/settings/"

    refused = browse(lead).post(url, {**values, "lease_minutes": 0})
    browse(lead).post(url, values)

    assert refused.status_code == 422
    assert QueueSettings.objects.get().due_high_hours is None


def test_the_folded_bar_loads_its_actions_when_it_is_opened(browse, item, reviewer):
    page = browse(reviewer).get(f"/p/acme/answers/{item.interaction_id}/")
    answer = page.content.decode()

    assert f'hx-get="{ITEMS}{item.id}/bar/"' in answer
    assert f"{ITEMS}{item.id}/take/" not in answer


def test_a_link_opens_the_bar_without_javascript(browse, item, reviewer):
    page = browse(reviewer).get(f"/p/acme/answers/{item.interaction_id}/?bar")

    assert '<details class="answer-about" id="about" open>' in page.content.decode()
    assert f"{ITEMS}{item.id}/take/" in page.content.decode()
