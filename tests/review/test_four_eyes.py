"""Four eyes: what one proposes, another confirms or declines."""

import pytest

from tests.review.test_several_reviewers import ask, fresh, invented, judge, other
from verifyhub.accounts.models import User
from verifyhub.memory.models import Constraint
from verifyhub.review.decide import confirm_proposal, decline_proposal
from verifyhub.review.decide import judge as judge_item
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import (
    OwnProposalError,
    ReasonMissingError,
    SeveralPeopleError,
)
from verifyhub.review.models import Override, Proposal, ReviewItem
from verifyhub.review.queue.filters import exclude_judged_by


@pytest.fixture
def careful(project, lead):
    """A project in which every override needs a second person."""
    ask(project, 1, lead, confirm_overrides=True)
    return project


def test_an_override_waits_for_a_second_person(item, careful, reviewer, lead):
    judged = judge(item, reviewer, other(item))

    assert not judged.settled
    assert fresh(item).state == ReviewItem.State.OPEN
    assert not Override.objects.exists()
    confirm_proposal(proposal=judged.proposal, actor=lead)
    assert fresh(item).state == ReviewItem.State.OVERRIDDEN
    assert Override.objects.get().reviewer == reviewer


def test_agreement_needs_nobody_else(item, careful, reviewer):
    assert judge(item, reviewer).settled


def test_nobody_confirms_their_own(item, careful, reviewer):
    made = judge(item, reviewer, other(item)).proposal

    with pytest.raises(OwnProposalError):
        confirm_proposal(proposal=made, actor=reviewer)
    with pytest.raises(OwnProposalError):
        decline_proposal(proposal=made, actor=reviewer, reason="no")

    assert fresh(item).state == ReviewItem.State.OPEN


def test_a_declined_proposal_keeps_its_reason_and_changes_nothing(
    item, careful, reviewer, lead
):
    made = judge(item, reviewer, other(item)).proposal

    with pytest.raises(ReasonMissingError):
        decline_proposal(proposal=made, actor=lead, reason=" ")
    decline_proposal(proposal=made, actor=lead, reason="Check again.")

    assert Proposal.objects.get().decline_reason == "Check again."
    assert fresh(item).version == 0
    assert judge(item, reviewer, other(item)).proposal is not None


def test_a_proposal_for_an_item_that_changed_is_outdated(item, careful, reviewer, lead):
    made = judge(item, reviewer, other(item)).proposal
    judge(item, lead)

    assert confirm_proposal(proposal=made, actor=lead) is None
    assert Proposal.objects.get().state == Proposal.State.OUTDATED
    assert not Override.objects.filter(target="verdict").exists()


def test_only_what_changes_constraints_may_be_asked_of_two(
    item, project, reviewer, lead
):
    ask(project, 1, lead, confirm_constraints=True)

    made = judge(item, reviewer, invented(item)).proposal

    assert made.reason_code == "constraint"
    assert not Constraint.objects.filter(state="active").exists()
    confirm_proposal(proposal=made, actor=lead)
    assert Constraint.objects.filter(state="active").count() == 1


def test_acts_on_many_may_be_asked_of_two(item, project, reviewer, lead):
    ask(project, 1, lead, confirm_bulk=True)

    made = judge(item, reviewer, Decision(agree=True), bulk=True).proposal

    assert made.reason_code == "bulk"
    assert judge(item, lead).settled


def test_no_other_door_passes_by_the_second_person(item, careful, reviewer, api_key):
    with pytest.raises(SeveralPeopleError):
        apply_decision(item=item, decision=other(item), reviewer=reviewer, version=0)
    with pytest.raises(SeveralPeopleError):
        judge_item(item=item, decision=other(item), reviewer=api_key, version=0)


def test_next_leaves_out_what_waits_for_a_second_person(item, careful, reviewer):
    judge(item, reviewer, other(item))

    for person in User.objects.all():
        assert not exclude_judged_by(ReviewItem.objects.all(), person)
