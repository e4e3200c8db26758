"""What is said to follow from a decision follows, and not before it does."""

import pytest

from tests.factories import MembershipFactory
from tests.review.test_several_reviewers import AGREE, ask, fresh, judge, other
from verifyhub.review.decide import foresee as foresee_item
from verifyhub.review.decide.foresight import WaitsFor, foresee_many
from verifyhub.review.errors import JudgedAlreadyError
from verifyhub.review.models import Judgement, Override

NOTHING_YET = "This takes effect once all reviewers of the answer have judged it"


@pytest.fixture
def people(project):
    return [
        MembershipFactory(project=project, user__username=name).user
        for name in ("ana", "ben")
    ]


def foresee(item, person, decision=None):
    return foresee_item(
        run=item.verification,
        decision=decision or other(item),
        reviewer=person,
        version=fresh(item).version,
    )


def test_alone_the_effects_are_told(item, people):
    found = foresee(item, people[0])

    assert found.waits_for == WaitsFor.NOBODY
    assert found.effects
    assert not Override.objects.exists()


def test_neither_the_first_nor_the_last_of_several_is_told_effects(
    item, people, project
):
    ask(project, 2)
    first = foresee(item, people[0])
    judge(item, people[0], other(item))

    last = foresee(item, people[1])

    assert [first.effects, last.effects] == [[], []]
    assert {first.waits_for, last.waits_for} == {WaitsFor.OTHERS}
    assert Judgement.objects.count() == 1


def test_the_page_says_that_nothing_follows_yet(item, people, project, browse):
    ask(project, 2)
    url = f"/p/acme/answers/{item.interaction_id}/override/"
    sent = {
        "version": 0,
        "verdict": other(item).verdict,
        "reason": "x",
        "preview": "1",
    }

    said = browse(people[0]).post(url, sent, headers={"HX-Request": "true"})

    assert NOTHING_YET in said.content.decode()
    assert "This will change:" not in said.content.decode()


def test_what_waits_for_a_second_person_says_so_with_its_effects(
    item, people, project, lead
):
    ask(project, 1, lead, confirm_overrides=True)

    found = foresee(item, people[0])

    assert found.waits_for == WaitsFor.SECOND
    assert found.effects


def test_many_answers_that_wait_are_counted_and_tell_no_effects(item, people, project):
    ask(project, 2)

    found = foresee_many(
        decision=AGREE, items=[(item, 0)], chosen_by={}, reviewer=people[0]
    )

    assert (found.effects, found.others, found.second) == ([], 1, 0)
    assert not Judgement.objects.exists()


def test_a_key_foresees_the_refusal_it_would_get(item, project, api):
    ask(project, 2)

    reply = api.post(
        f"/api/v1/review/items/{item.pk}/decisions/preview/",
        {"version": 0, "agree": True},
        content_type="application/json",
    )

    assert reply.status_code == 409


def test_what_was_judged_already_is_refused_beforehand(item, people, project):
    ask(project, 2)
    judge(item, people[0])

    with pytest.raises(JudgedAlreadyError):
        foresee(item, people[0])
