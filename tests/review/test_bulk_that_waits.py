"""One decision on many answers where a second person, or others, must agree."""

from contextlib import suppress

import pytest

from tests.conftest import member
from tests.factories import ProjectFactory
from tests.review.conftest import send
from tests.review.test_bulk import run, states
from tests.review.test_several_reviewers import ask, fresh, judge, other
from tests.review.test_two_reviewers import race
from verifyhub.accounts.models import Role
from verifyhub.audit.models import AuditEvent
from verifyhub.review.decide import (
    advance_act,
    confirm_proposal,
    decline_proposal,
    withdraw,
)
from verifyhub.review.decide.bulk import open_bulk, undo_bulk
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import ItemChangedError
from verifyhub.review.models import Act, Judgement, Proposal, ReviewItem
from verifyhub.review.panel import begin_round


@pytest.fixture
def two(project):
    send(project, session="s-1")
    send(project, session="s-2")
    return list(ReviewItem.objects.order_by("created_at"))


@pytest.fixture
def proposed(two, project, reviewer, lead):
    """An act of the reviewer that waits for a second person, answer by answer."""
    ask(project, 1, lead, confirm_bulk=True)
    return agree_to_all(two, reviewer)


def agree_to_all(items, reviewer):
    act = open_bulk(
        project=items[0].project,
        decision=Decision(agree=True),
        items=[(item.id, item.version) for item in items],
        chosen_by={},
        reviewer=reviewer,
    )
    return run(act)


def test_what_is_proposed_is_not_counted_as_decided(proposed, browse, reviewer):
    page = browse(reviewer).get(f"/p/acme/review/acts/{proposed.id}/").content.decode()

    assert states(proposed) == ["waits", "waits"]
    assert "<b>0</b>decided" in page
    assert "<b>2</b>waiting for other reviewers" in page
    assert page.count("for second approval") == 2
    ended = AuditEvent.objects.get(action="review.bulk_ended")
    assert (ended.after["decided"], ended.after["waits"]) == (0, 2)


def test_the_api_counts_them_too(proposed, api):
    body = api.get(f"/api/v1/review/acts/{proposed.id}/").json()

    assert body["answers"]["waits"] == 2
    assert body["answers"]["done"] == 0


def test_an_act_of_another_project_is_unknown_to_the_api(two, reviewer, api):
    act = agree_to_all(two, reviewer)
    Act.objects.filter(pk=act.pk).update(project=ProjectFactory(slug="other"))

    assert api.get(f"/api/v1/review/acts/{act.id}/").status_code == 404


def test_confirmed_or_declined_it_is_counted_as_what_it_became(proposed, lead):
    first, second = Proposal.objects.order_by("created_at")

    made = confirm_proposal(proposal=first, actor=lead)
    decline_proposal(proposal=second, actor=lead, reason="Not that one.")

    assert states(proposed) == ["done", "skipped"]
    assert made.act == proposed
    assert proposed.members.last().detail == lead.username


def test_undoing_the_act_withdraws_what_waits_of_it(proposed, reviewer, lead):
    first = Proposal.objects.order_by("created_at").first()
    confirm_proposal(proposal=first, actor=lead)

    undo_bulk(act=proposed, actor=reviewer)
    run(proposed)

    assert states(proposed) == ["undone", "undone"]
    assert not Proposal.objects.filter(state="pending").exists()
    assert ReviewItem.objects.filter(state="open").count() == 2


def test_whoever_undoes_the_act_withdraws_what_waits_of_it(proposed, lead):
    undo_bulk(act=proposed, actor=lead)
    run(proposed)

    assert states(proposed) == ["undone", "undone"]
    assert set(Proposal.objects.values_list("state", flat=True)) == {"withdrawn"}


@pytest.fixture
def judged(two, project, reviewer, lead):
    """An act of the reviewer on answers that two people judge."""
    ask(project, 2, lead)
    return agree_to_all(two, reviewer)


def test_what_others_judge_as_well_is_not_counted_as_decided(judged, reviewer):
    assert states(judged) == ["waits", "waits"]
    assert {member.reason for member in judged.members.all()} == {"others"}

    undo_bulk(act=judged, actor=reviewer)
    run(judged)

    assert states(judged) == ["undone", "undone"]
    assert not Judgement.objects.filter(state="given").exists()


def test_what_others_settled_counts_as_decided_and_stands(judged, two, reviewer, lead):
    judge(two[0], lead)
    undo_bulk(act=judged, actor=reviewer)
    run(judged)

    assert states(judged) == ["done", "undone"]
    assert fresh(two[0]).state == "confirmed"
    assert judged.state == Act.State.UNDONE


def test_a_judgement_withdrawn_by_hand_waits_no_more(judged, two, reviewer):
    own = Judgement.objects.get(item=two[0], state="given")
    withdraw(judgement=own, actor=reviewer)
    judge(two[0], reviewer, other(two[0]))

    undo_bulk(act=judged, actor=reviewer)
    run(judged)

    assert states(judged) == ["skipped", "undone"]
    # What was said by itself afterwards is no part of the act.
    assert Judgement.objects.get(state="given").item == two[0]


def test_what_waits_and_is_judged_from_the_start_is_skipped(judged, two, reviewer):
    begin_round(two[0], reviewer)

    first = judged.members.order_by("id")[0]
    assert (first.state, first.reason) == ("skipped", "outdated")


@pytest.mark.django_db(transaction=True)
def test_undone_and_confirmed_at_one_moment_it_is_one_of_both():
    project = ProjectFactory(slug="acme")
    reviewer, lead = member(project, Role.REVIEWER), member(project, Role.LEAD)
    item = ReviewItem.objects.get(interaction=send(project))
    ask(project, 1, lead, confirm_bulk=True)
    act = agree_to_all([item], reviewer)
    proposal = Proposal.objects.get()

    def undo():
        undo_bulk(act=act, actor=reviewer)
        advance_act(act_id=act.id, seconds=60)

    def confirm():
        with suppress(ItemChangedError):
            confirm_proposal(proposal=proposal, actor=lead)

    errors = race(undo, confirm)

    assert errors == [None, None]
    assert states(act) == ["undone"]
    assert fresh(item).state == "open"
    assert not Proposal.objects.filter(state="pending").exists()
