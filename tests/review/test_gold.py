"""Gold measures reviewers: unseen among the others, and without any other effect."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from tests.factories import MembershipFactory
from tests.review.test_several_reviewers import ask, fresh, invented, judge, other
from verifyhub.memory.models import Constraint
from verifyhub.review.agreement.selectors import judged_items
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import gold_share, mark_gold, retire_gold, seed_gold
from verifyhub.review.models import GoldItem, GoldSeed, Judgement, Override, ReviewItem
from verifyhub.review.panel import rules_of, set_review_rules
from verifyhub.review.queue.filters import exclude_judged_by


@pytest.fixture
def ana(project):
    return MembershipFactory(project=project, user__username="ana").user


@pytest.fixture
def gold(item, lead):
    """A settled answer that a lead overrode and made gold."""
    judge(item, lead, other(item))
    return mark_gold(
        item=fresh(item),
        verdict=fresh(item).human_verdict,
        note="The file exists.",
        actor=lead,
        now=timezone.now(),
    )


def seed(project, person):
    rules = rules_of(project.id)
    found = seed_gold(rules=rules, reviewer=person, now=timezone.now())
    return found and found.item.interaction_id


def handed(project, person, answered, percent=50):
    """Let a person judge something, so that gold's turn comes."""
    set_review_rules(project=project, values={"gold_percent": percent}, actor=person)
    normal = ReviewItem.objects.get(interaction=answered(task="And the tax?"))
    judge(normal, person)
    return seed(project, person)


def text(browse, person, item):
    url = reverse("review:answer-detail", args=["acme", item.interaction_id])
    return browse(person).get(url).content.decode()


def test_gold_is_handed_out_at_its_share_and_never_first(
    gold, project, ana, answered, lead
):
    set_review_rules(project=project, values={"gold_percent": 50}, actor=lead)
    assert seed(project, ana) is None

    assert handed(project, ana, answered) == gold.item.interaction_id
    assert GoldSeed.objects.get().reviewer == ana
    judge(gold.item, ana)
    assert seed(project, ana) is None


def test_nobody_gets_what_they_decided_and_none_is_handed_out_at_zero(
    gold, project, ana, answered, lead
):
    assert handed(project, lead, answered) is None
    set_review_rules(project=project, values={"gold_percent": 0}, actor=lead)
    assert seed(project, ana) is None


def test_gold_looks_undecided_to_whom_it_measures_and_decided_to_others(
    gold, project, ana, answered, browse, lead
):
    handed(project, ana, answered)

    seen = text(browse, ana, gold.item)
    assert 'id="agree"' in seen
    assert "I looked." not in seen
    assert "gold" not in seen.lower()
    assert "Human decisions" not in seen
    assert "I looked." in text(browse, lead, gold.item)
    listed = browse(ana).get(reverse("review:answer-list", args=["acme"]))
    rows = listed.content.decode().partition("<tbody>")[2].partition("</tbody>")[0]
    assert str(gold.item.interaction_id) in rows
    assert "overridden" not in rows.lower()


def test_judging_gold_changes_nothing_but_ones_own_figures(
    gold, project, ana, answered, browse
):
    handed(project, ana, answered)
    item = fresh(gold.item)
    before = (item.state, item.version, item.human_verdict, item.round)
    overrides, constraints = Override.objects.count(), Constraint.objects.count()

    judge(item, ana, invented(item))
    judged = judge(item, ana)

    assert judged.judgement.kind == "gold"
    again = fresh(item)
    assert (again.state, again.version, again.human_verdict, again.round) == before
    assert Override.objects.count() == overrides
    assert Constraint.objects.count() == constraints
    assert judged_items(project.id) == []
    share = gold_share(project.id, ana)
    assert (share.count, share.total) == (0, 1)
    shown = text(browse, ana, item)
    assert 'id="agree"' not in shown
    assert "I looked." not in shown


def test_programs_are_not_told_what_people_said_of_gold(gold, api, lead):
    read = reverse("api-interaction", args=[gold.item.interaction_id])

    assert api.get(read).json()["review"] is None
    retire_gold(gold=gold, actor=lead, now=timezone.now())
    assert api.get(read).json()["review"]["verdict"] == gold.verdict


def test_gold_that_expired_or_was_retired_measures_nobody(
    gold, project, ana, answered, lead
):
    GoldItem.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert handed(project, ana, answered) is None
    GoldItem.objects.update(expires_at=None)
    retire_gold(gold=gold, actor=lead, now=timezone.now())
    assert seed(project, ana) is None


def test_feedback_is_given_where_the_project_wants_it(
    gold, project, ana, answered, browse
):
    handed(project, ana, answered)
    judge(gold.item, ana)

    assert "The file exists." not in text(browse, ana, gold.item)
    set_review_rules(project=project, values={"gold_feedback": True}, actor=ana)
    assert "The file exists." in text(browse, ana, gold.item)


def test_labelled_answers_are_uploaded_and_measure_whoever_judges_them(
    item, project, ana, lead, browse
):
    url = reverse("review:gold-list", args=["acme"])
    body = f"answer,verdict,note\n{item.interaction_id},accept,known\nnowhere,accept,\n"
    sent = SimpleUploadedFile("gold.csv", body.encode())

    response = browse(lead).post(url, {"file": sent})

    assert "Line 2" in response.content.decode()
    assert GoldItem.objects.get().verdict == "accept"
    judge(item, ana)
    assert Judgement.objects.get().kind == "gold"
    assert fresh(item).state == ReviewItem.State.GOLD
    assert item not in exclude_judged_by(ReviewItem.objects.all(), ana)


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"answer": ', b"[1]\n"])
def test_a_file_of_another_kind_is_refused(project, lead, browse, body):
    url = reverse("review:gold-list", args=["acme"])

    sent = SimpleUploadedFile("gold.txt", body)
    response = browse(lead).post(url, {"file": sent})

    assert response.status_code in (200, 302, 422)
    assert not GoldItem.objects.exists()


def test_a_large_file_is_refused_before_it_is_read(project, lead, browse):
    url = reverse("review:gold-list", args=["acme"])

    sent = SimpleUploadedFile("gold.csv", b"x" * (1024 * 1024 + 1))
    response = browse(lead).post(url, {"file": sent})

    assert "The file exceeds the limit of 1 MB." in response.content.decode()


def test_a_lead_makes_and_retires_gold_on_the_page(item, lead, browse, reviewer):
    judge(item, lead)
    mark = reverse("review:gold-mark", args=["acme", item.interaction_id])

    assert browse(reviewer).post(mark).status_code == 403
    browse(lead).post(mark, {"note": "sure"})
    made = GoldItem.objects.get()
    assert "Retire" in text(browse, lead, item)
    browse(lead).post(reverse("review:gold-retire", args=["acme", made.pk]))

    assert GoldItem.objects.get().retired_at is not None


def test_gold_is_not_counted_among_several_reviewers(gold, project, ana, lead):
    ask(project, 2, lead)
    GoldSeed.objects.create(gold=gold, reviewer=ana, project=project)

    judge(gold.item, ana, Decision(agree=True))

    assert judged_items(project.id) == []
    assert GoldSeed.objects.get().judgement is not None
