"""A lead blocks answers under a threshold that promises few false blocks."""

import pytest
from django.utils import timezone

from tests.factories import ProjectFactory
from tests.learning.decided import boastful, decided
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.calibration.conformal import TooFewRightError
from verifyhub.learning.models import BlockingRule, CalibrationSample
from verifyhub.learning.selectors import blocking, conformal_in_force
from verifyhub.learning.services import (
    CheckNotPerAnswerError,
    NoRuleError,
    switch_blocking_off,
    switch_blocking_on,
)

pytestmark = pytest.mark.django_db

# Right answers score 0.21 to 0.60, wrong ones 0.01 to 0.40.
APART = [(0.2 + n / 100, True) for n in range(1, 41)] + [
    (n / 100, False) for n in range(1, 41)
]


@pytest.fixture
def switched_on(project, reviewer):
    def act(**fields):
        return switch_blocking_on(
            **{
                "project": project,
                "check": "verdict",
                "actor": reviewer,
                "now": timezone.now(),
                **fields,
            }
        )

    return act


def test_a_threshold_states_its_promise_and_what_it_would_have_caught(
    project, switched_on
):
    decided(project, APART)

    switched_on()

    rule = conformal_in_force(project)
    # floor((40 + 1) x 0.05) = 2: the second lowest right answer sets it.
    assert (rule.score, rule.rank, rule.n) == (pytest.approx(0.22), 2, 40)
    assert rule.threshold.promise == "at most 5 % false blocks, n = 40"
    assert (rule.caught, rule.wrong) == (21, 40)
    assert rule.threshold.blocks(0.21)
    assert not rule.threshold.blocks(0.22)


def test_too_few_right_answers_promise_nothing(project, switched_on):
    decided(project, APART[22:])

    with pytest.raises(TooFewRightError, match="18 correct answers are too few"):
        switched_on()

    assert conformal_in_force(project) is None
    assert blocking(project, {}, now=timezone.now()).too_few.needed == 19


def test_a_new_threshold_ends_the_one_before_and_both_are_on_record(
    project, reviewer, switched_on
):
    decided(project, APART)
    switched_on()
    switched_on(at_most=0.1)

    switch_blocking_off(project=project, actor=reviewer)

    assert conformal_in_force(project) is None
    assert BlockingRule.objects.exclude(ended_at=None).count() == 2
    with pytest.raises(NoRuleError):
        switch_blocking_off(project=project, actor=reviewer)
    said = AuditEvent.objects.filter(action__startswith="learning.blocking")
    assert [(one.before["rule"], one.after["rule"]) for one in said.order_by("id")] == [
        ("none", "conformal 1"),
        ("conformal 1", "conformal 2"),
        ("conformal 2", "none"),
    ]


def test_scores_of_parts_of_an_answer_block_nothing(project, switched_on):
    decided(project, APART, check="mention")

    for check in ("mention", "claim", "claims"):
        with pytest.raises(CheckNotPerAnswerError):
            switched_on(check=check)


def test_decisions_that_were_taken_back_are_counted(project, switched_on):
    samples = decided(project, APART)
    switched_on()
    CalibrationSample.objects.filter(pk__in=[one.pk for one in samples[:3]]).update(
        active=False
    )

    assert blocking(project, {}, now=timezone.now()).taken_back == 3


def test_a_threshold_stands_in_its_project_alone(project, switched_on):
    decided(project, APART)
    switched_on()

    assert conformal_in_force(ProjectFactory()) is None


def test_it_is_offered_before_it_is_switched_on(project):
    decided(project, boastful(200))

    found = blocking(project, {}, now=timezone.now())

    assert found.rule is None
    assert found.offered.at_most == 0.05


def test_what_is_in_force_is_one_query(project, switched_on, django_assert_num_queries):
    decided(project, APART)
    switched_on()

    with django_assert_num_queries(1):
        conformal_in_force(project).threshold.blocks(0.5)
