"""Two people and two processes at once: nothing doubled, the newest word counts."""

from uuid import uuid4

import pytest
from django.utils import timezone

from tests.factories import ProjectFactory, UserFactory
from tests.learning.answers import accepted_and_judged
from tests.learning.conftest import decide
from tests.threads import at_once
from verifyhub.accounts.models import Project
from verifyhub.learning.holdouts import is_held_out
from verifyhub.learning.models import (
    AppliedAdvice,
    Arm,
    HoldOut,
    JudgedAnswer,
    LabelledExample,
)
from verifyhub.learning.selectors import advice
from verifyhub.learning.services import (
    ThresholdMovedError,
    apply_advice,
    undo_effects,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_reviewers_at_once_leave_one_word_in_force(an_answer):
    answer, ada, bob = an_answer(), UserFactory(), UserFactory()

    at_once(
        lambda: decide(answer, ada, after="accept"),
        lambda: decide(answer, bob, after="uncertain"),
    )

    (active,) = LabelledExample.objects.filter(active=True)
    assert LabelledExample.objects.count() == 2
    assert JudgedAnswer.objects.get().human_verdict == active.person


def test_one_decision_told_twice_at_once_teaches_once(an_answer):
    answer, ada, decision = an_answer(), UserFactory(), uuid4()

    told = at_once(*[lambda: decide(answer, ada, override_id=decision)] * 2)

    assert sorted(map(len, told)) == [0, 2]
    assert LabelledExample.objects.count() == 1


def test_undo_against_another_decision_leaves_that_one(an_answer):
    answer, ada, bob = an_answer(), UserFactory(), UserFactory()
    first = decide(answer, ada, after="uncertain")

    at_once(
        lambda: undo_effects(effects=first, actor=ada),
        lambda: decide(answer, bob, after="accept"),
    )

    (active,) = LabelledExample.objects.filter(active=True)
    assert (active.person, JudgedAnswer.objects.get().human_verdict) == (
        "accept",
        "accept",
    )


def test_two_first_contacts_draw_one_side():
    project = ProjectFactory()
    HoldOut.objects.create(project=project, kind="gaps", share=50, salt="s")

    sides = at_once(
        *[lambda: is_held_out(project=project, session_key="s-1", kind="gaps")] * 3
    )

    assert len(set(sides)) == 1
    assert Arm.objects.count() == 1


def test_two_leads_follow_one_advice_once():
    project, lead = ProjectFactory(), UserFactory()
    accepted_and_judged(project, right=30, wrong=12)
    (one,) = advice(project, now=timezone.now())

    def follow():
        try:
            fresh = Project.objects.get(pk=project.pk)
            return apply_advice(project=fresh, advice=one, actor=lead)
        except ThresholdMovedError:
            return None

    won = [result for result in at_once(follow, follow) if result]

    assert len(won) == 1
    assert AppliedAdvice.objects.count() == 1
