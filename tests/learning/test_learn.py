"""Decisions of people become labelled examples and calibration samples."""

from uuid import uuid4

import pytest

from tests.factories import MentionVerdictFactory
from tests.learning.conftest import a_report
from verifyhub.learning.models import CalibrationSample, JudgedAnswer, LabelledExample
from verifyhub.learning.services import (
    learn_from_agreement,
    restore_example,
    retire_example,
    undo_effects,
)
from verifyhub.learning.services.examples import ExampleChangedError

pytestmark = pytest.mark.django_db


def in_force() -> list[tuple[str, str]]:
    rows = LabelledExample.objects.filter(active=True).order_by("target", "subject")
    return [(row.subject, row.person) for row in rows]


def test_an_override_teaches_an_example_and_labels_every_score(an_answer, teach):
    effects = teach(an_answer())

    example = LabelledExample.objects.get()
    assert (example.machine, example.person) == ("reject", "accept")
    samples = CalibrationSample.objects.order_by("check_name")
    assert [(s.check_name, s.score, s.label) for s in samples] == [
        ("grounding", 0.0, True),
        ("verdict", 0.33, True),
    ]
    assert [effect["type"] for effect in effects] == ["example", "calibration_sample"]
    assert JudgedAnswer.objects.get().human_verdict == "accept"


def test_an_agreement_teaches_that_the_machine_was_right(an_answer, reviewer):
    answer = an_answer()

    learn_from_agreement(
        project=answer.project,
        interaction=answer,
        verification_id=uuid4(),
        report=a_report(),
        override_id=uuid4(),
        verdict="reject",
        actor=reviewer,
    )

    assert LabelledExample.objects.get().agrees
    assert {sample.label for sample in CalibrationSample.objects.all()} == {False}


def test_uncertain_labels_no_score(an_answer, teach):
    teach(an_answer(), after="uncertain")

    assert in_force() == [("", "uncertain")]
    assert not CalibrationSample.objects.exists()


def test_a_name_is_learned_with_what_the_machine_itself_said(an_answer, teach):
    answer = an_answer()
    name = MentionVerdictFactory(
        verification__interaction=answer, text="ghost.py", invented=True
    )

    teach(answer, target="mention", mention=name, before="verified", after="verified")

    example = LabelledExample.objects.get()
    assert (example.subject, example.machine) == ("ghost.py", "unverified")
    assert JudgedAnswer.objects.get().moved == -1


def test_a_claim_is_learned_by_its_sentence(an_answer, teach):
    claim = {"text": "All tests pass.", "kind": "tests", "status": "unattempted"}
    report = a_report(completion_claims=[{**claim, "grade": None, "span": [0, 15]}])

    teach(
        an_answer(),
        report=report,
        target="claim",
        claim=report.completion_claims[0].as_dict(),
        after="supported",
    )

    sample = CalibrationSample.objects.get()
    assert (sample.check_name, sample.score, sample.label) == ("claim", 0.0, True)


def test_the_same_decision_teaches_once(an_answer, teach):
    answer, decision = an_answer(), uuid4()
    teach(answer, override_id=decision)

    assert teach(answer, override_id=decision) == []
    assert LabelledExample.objects.count() == 1


def test_undo_takes_back_what_the_decision_taught_and_nothing_else(
    an_answer, teach, reviewer
):
    other = teach(an_answer(), after="uncertain")
    effects = teach(an_answer())

    undone = undo_effects(effects=effects, actor=reviewer)

    assert [effect["after"]["active"] for effect in undone] == [False, False]
    assert str(LabelledExample.objects.get(active=True).id) == other[0]["id"]
    assert not CalibrationSample.objects.filter(active=True).exists()
    assert undo_effects(effects=effects, actor=reviewer) == []


def test_undoing_an_earlier_decision_leaves_the_later_one(an_answer, teach, reviewer):
    answer = an_answer()
    first = teach(answer, after="uncertain")
    teach(answer, after="accept")

    undo_effects(effects=first, actor=reviewer)

    assert in_force() == [("", "accept")]


def test_undoing_the_later_decision_brings_the_earlier_one_back(
    an_answer, teach, reviewer
):
    answer = an_answer()
    teach(answer, after="uncertain")
    second = teach(answer, after="accept")
    assert in_force() == [("", "accept")]

    undo_effects(effects=second, actor=reviewer)

    assert in_force() == [("", "uncertain")]
    assert JudgedAnswer.objects.get().human_verdict == "uncertain"


def test_a_retired_example_is_shown_to_nobody_and_still_labels_scores(
    an_answer, teach, reviewer
):
    teach(an_answer())
    example = LabelledExample.objects.get()

    retire_example(example=example, actor=reviewer)

    assert in_force() == []
    assert CalibrationSample.objects.filter(active=True).count() == 2
    restore_example(example=example, actor=reviewer)
    assert in_force() == [("", "accept")]


def test_an_example_is_retired_once(an_answer, teach, reviewer):
    teach(an_answer())
    example = LabelledExample.objects.get()
    retire_example(example=example, actor=reviewer)

    with pytest.raises(ExampleChangedError):
        retire_example(example=example, actor=reviewer)


def test_undoing_the_decision_of_a_retired_example_ends_it(an_answer, teach, reviewer):
    effects = teach(an_answer())
    example = LabelledExample.objects.get()
    retire_example(example=example, actor=reviewer)

    undo_effects(effects=effects, actor=reviewer)

    with pytest.raises(ExampleChangedError):
        restore_example(example=example, actor=reviewer)


def test_hostile_text_is_stored_bounded_and_visible(an_answer, teach):
    answer = an_answer(task="x\u202e" * 4000, answer="y\u2028" * 9000)

    teach(answer, reason="because " * 200)

    example = LabelledExample.objects.get()
    assert "\u202e" not in example.task_excerpt
    assert len(example.task_excerpt) <= 300
    assert len(example.answer_excerpt) <= 500
    assert len(example.reason) <= 500
