"""Decisions older than learning are taken up, once, and can still be undone."""

import io

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.factories import OverrideFactory, VerificationFactory
from tests.learning.conftest import a_report
from verifyhub.learning.holdouts import is_held_out
from verifyhub.learning.models import HoldOut, JudgedAnswer, LabelledExample
from verifyhub.learning.services import undo_effects
from verifyhub.review.decide import learn_from_old_decisions

pytestmark = pytest.mark.django_db


def old_decision(**fields):
    run = VerificationFactory(verdict="reject", report=a_report().as_dict())
    return OverrideFactory(item__verification=run, **fields)


def learn() -> str:
    said = io.StringIO()
    call_command("learn_from_history", stdout=said)
    return said.getvalue()


def test_old_answers_and_decisions_are_learned_once():
    old_decision()
    VerificationFactory(report=a_report(verdict="accept").as_dict())

    assert "2 answers recorded, 1 decisions learned." in learn()
    assert "0 answers recorded, 0 decisions learned." in learn()
    assert JudgedAnswer.objects.count() == 2


def test_a_learned_old_decision_keeps_its_time_and_can_be_undone(reviewer):
    made = old_decision()
    learn()

    made.refresh_from_db()
    example = LabelledExample.objects.get()
    assert example.decided_at == made.created_at
    undo_effects(effects=made.effects, actor=reviewer)
    assert not LabelledExample.objects.filter(active=True).exists()


def test_a_run_that_broke_off_goes_on_where_it_was():
    for _ in range(3):
        old_decision()

    assert learn_from_old_decisions(batch=2) == 2
    assert learn_from_old_decisions(batch=2) == 1
    assert LabelledExample.objects.count() == 3


def test_what_was_undone_teaches_nothing(reviewer):
    old_decision(undone_at=timezone.now(), undone_by=reviewer)

    assert "0 decisions learned." in learn()


def test_an_answer_older_than_its_sessions_side_is_in_no_experiment():
    run = VerificationFactory(report=a_report().as_dict())
    project, session = run.project, run.interaction.session
    HoldOut.objects.create(project=project, kind="gaps", share=50, salt="s")
    is_held_out(project=project, session_key=session.key, kind="gaps")

    learn()

    assert JudgedAnswer.objects.get().arms == {}
