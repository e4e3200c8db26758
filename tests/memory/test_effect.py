"""What telling agents of a constraint did: measured, on its page and by API."""

import datetime as dt
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import ConstraintFactory, InteractionFactory, SessionFactory
from tests.memory.reports import mention, remember_again
from verifyhub.learning.models import JudgedAnswer
from verifyhub.memory.effect import effect_in_force, effect_of
from verifyhub.memory.models import Constraint
from verifyhub.memory.services import deliver_context, merge_constraint

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.fixture
def constraint(project):
    """In force since yesterday."""
    return ConstraintFactory(
        project=project,
        mention_kind="package",
        mention_key="mind-auth",
        text="mind-auth",
        pinned=True,
        active_at=timezone.now() - DAY,
    )


def answer(project, *, invents=False, session=None, arms=None, told=""):
    row = InteractionFactory(
        project=project,
        session=session or SessionFactory(project=project),
        context_sha256=told,
    )
    if invents:
        remember_again(row, mention("mind-auth"))
    if arms is not None:
        JudgedAnswer.objects.create(
            interaction=row,
            project=project,
            verification_id=row.id,
            answered_at=row.created_at,
            session_key=row.session.key,
            verdict="accept",
            arms=arms,
            facts={},
        )
    return row


def counts(share):
    return share.count, share.total


def measured(constraint):
    return effect_in_force(constraint, now=timezone.now() + dt.timedelta(hours=1))


def hash_of(project):
    told = deliver_context(
        project=project, session_key="s", task="", budget=1000, format="text"
    )
    return told.delivered.sha256


def test_arms_are_compared_by_the_side_of_each_answer(project, constraint):
    for invents in (True, False, False):
        answer(project, invents=invents, arms={"constraints": False})
    for invents in (True, True):
        answer(project, invents=invents, arms={"constraints": True, "gaps": False})
    answer(project, invents=True, arms={"gaps": True})
    answer(project, invents=True)

    arms = measured(constraint).arms

    assert (counts(arms.told), counts(arms.not_told)) == ((1, 3), (2, 2))
    assert (arms.sessions_told, arms.sessions_not_told) == (3, 2)
    assert arms.difference.value == pytest.approx(1 / 3 - 1)
    low, high = arms.difference.interval
    assert low < arms.difference.value < high


def test_contexts_are_compared_by_what_answers_say_they_were_told(project, constraint):
    told = hash_of(project)
    Constraint.objects.update(state="candidate")
    ConstraintFactory(project=project, text="other")
    untold = hash_of(project)
    answer(project, invents=True, told=told)
    answer(project, told=told)
    answer(project, invents=True, told=untold)
    answer(project, invents=True, told="0" * 64)
    answer(project, invents=True)

    contexts = measured(constraint).contexts

    assert (counts(contexts.told), counts(contexts.not_told)) == ((1, 2), (1, 1))


def test_many_answers_of_one_session_are_no_many_cases(project, constraint):
    for number in range(6):
        session = SessionFactory(project=project)
        for _ in range(5):
            answer(
                project,
                session=session,
                invents=number < 3,
                arms={"constraints": bool(number % 2)},
            )

    arms = measured(constraint).arms

    assert (arms.sessions_told, arms.sessions_not_told) == (3, 3)
    assert arms.difference.first_effect > 3
    assert arms.told.total == 15


def test_only_the_time_in_force_counts(project, constraint):
    row = answer(project, invents=True, arms={"constraints": False})

    before = effect_of(constraint, since=row.created_at - DAY, until=row.created_at)
    never = effect_in_force(Constraint(project=project), now=timezone.now())

    assert before.arms.told.total == 0
    assert measured(constraint).arms.told.total == 1
    assert never is None


def test_a_merged_spelling_counts_for_its_constraint(project, constraint, lead):
    other = answer(project, arms={"constraints": False})
    remember_again(other, mention("mind_auth"))
    merge_constraint(
        constraint=Constraint.objects.get(mention_key="mind_auth"),
        into=constraint,
        actor=lead,
    )

    assert counts(measured(constraint).arms.told) == (1, 1)


def test_the_page_shows_both_comparisons_with_n_and_interval(
    project, constraint, viewer, browse
):
    for invents in (True, False, False, False):
        answer(project, invents=invents, arms={"constraints": False})
    answer(project, invents=True, arms={"constraints": True})
    url = reverse("memory:constraint", args=[project.slug, constraint.id])

    page = browse(viewer).get(url).content.decode()

    section = page.partition('id="effect"')[2].partition("</section>")[0]
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", section))
    assert "Sessions: 4 with feedback, 1 without." in text
    assert "1 of 4, 95 % between 5 and 70 %" in text
    assert "1 of 1, 95 %" in text
    assert "−75" in text
    assert "Few cases" in text
    assert "nothing to compare yet" in text


def test_a_constraint_nobody_was_told_of_has_no_effect(project, viewer, browse, api):
    row = ConstraintFactory(project=project, state="candidate", active_at=None)
    url = reverse("memory:constraint", args=[project.slug, row.id])

    page = browse(viewer).get(url).content.decode()

    assert 'id="effect"' not in page
    assert api.get(f"/api/v1/constraints/{row.id}/").json()["effect"] is None


def test_the_api_tells_the_effect_with_n_and_interval(project, constraint, api):
    answer(project, invents=True, arms={"constraints": True})
    answer(project, arms={"constraints": False})

    effect = api.get(f"/api/v1/constraints/{constraint.id}/").json()["effect"]

    arms = effect["arms"]
    assert arms["told"] == {
        "count": 0,
        "n": 1,
        "share": 0.0,
        "low": 0.0,
        "high": pytest.approx(0.79, abs=0.01),
    }
    assert (arms["difference"], arms["sessions_not_told"]) == (-1.0, 1)
    assert arms["low"] == -1.0
    assert effect["contexts"]["difference"] is None
    assert dt.datetime.fromisoformat(effect["since"]) == constraint.active_at
