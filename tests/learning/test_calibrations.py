"""Calibrations are fitted, guarded, activated, returned from and recorded."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import ApiKeyFactory, ProjectFactory
from tests.learning.decided import boastful, capped, decided
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.calibration.fit import TooFewSamplesError
from verifyhub.learning.models import CalibrationModel, CalibrationSample
from verifyhub.learning.selectors import (
    board,
    calibrators_in_force,
    projects_to_fit,
)
from verifyhub.learning.services import (
    CalibrationMovedError,
    ProfileImpossibleError,
    activate_calibration,
    fit_calibration,
    fit_due,
    return_calibration,
)
from verifyhub.learning.steps import WITHHELD_ANSWERS
from verifyhub.learning.tasks import fit_calibrations, fit_project

pytestmark = pytest.mark.django_db


def test_a_fit_is_a_draft_with_held_out_figures_and_changes_nothing(project, fitted):
    decided(project, boastful(300))

    model = fitted()

    assert (model.state, model.version, model.n) == ("draft", "platt 1", 300)
    assert model.right + model.wrong == 300
    assert model.measured_before.n == model.measured_after.n == 100
    assert model.measured_after.brier < model.measured_before.brier
    assert model.measured_after.ece < model.measured_before.ece
    assert calibrators_in_force(project) == {}
    event = AuditEvent.objects.get(action="learning.calibration_fitted")
    assert event.after["version"] == "platt 1"


def test_too_few_decisions_are_not_fitted_to(project, fitted):
    decided(project, boastful(99))

    with pytest.raises(TooFewSamplesError):
        fitted()

    assert not CalibrationModel.objects.exists()


def test_a_fit_that_helps_nothing_is_kept_as_refused_with_its_figures(
    project, reviewer, fitted
):
    tenths = [
        (at / 10 + 0.05, hit < 2 * at + 1) for hit in range(20) for at in range(10)
    ]
    decided(project, tenths * 2)

    model = fitted()

    assert (model.state, model.refusal) == ("refused", "not_better")
    assert model.measured_after.brier >= model.measured_before.brier
    with pytest.raises(CalibrationMovedError):
        activate_calibration(model=model, actor=reviewer)


def test_scores_that_mislead_are_refused(project, reviewer, fitted):
    decided(project, [(1 - score, label) for score, label in boastful(300)])

    model = fitted()

    assert (model.state, model.refusal, model.after) == ("refused", "falls", None)
    with pytest.raises(CalibrationMovedError):
        activate_calibration(model=model, actor=reviewer)


def test_a_lead_activates_a_draft_and_returns_step_by_step(project, reviewer, fitted):
    decided(project, boastful(200))
    first = activate_calibration(model=fitted(), actor=reviewer)
    decided(project, boastful(100, seed=7))
    second = activate_calibration(model=fitted(), actor=reviewer)
    assert calibrators_in_force(project)["verdict"].version == "platt 2"

    then = return_calibration(project=project, check="verdict", actor=reviewer)

    assert then == first
    assert calibrators_in_force(project)["verdict"] == first.calibrator
    second.refresh_from_db()
    assert second.state == "retired"
    assert return_calibration(project=project, check="verdict", actor=reviewer) is None
    assert calibrators_in_force(project) == {}
    with pytest.raises(CalibrationMovedError):
        return_calibration(project=project, check="verdict", actor=reviewer)


def test_raw_scores_can_be_returned_to_at_once_and_every_step_is_on_record(
    project, reviewer, fitted
):
    decided(project, boastful(200))
    activate_calibration(model=fitted(), actor=reviewer)
    decided(project, boastful(100, seed=7))
    activate_calibration(model=fitted(), actor=reviewer)

    return_calibration(
        project=project, check="verdict", actor=reviewer, uncalibrated=True
    )

    assert calibrators_in_force(project) == {}
    steps = AuditEvent.objects.filter(
        action__in=["learning.calibration_activated", "learning.calibration_returned"]
    ).order_by("id")
    assert [
        (step.before["version"], step.after["version"], step.actor) for step in steps
    ] == [
        ("uncalibrated", "platt 1", reviewer),
        ("platt 1", "platt 2", reviewer),
        ("platt 2", "uncalibrated", reviewer),
    ]


def test_a_retired_version_may_be_activated_again(project, reviewer, fitted):
    decided(project, boastful(200))
    model = activate_calibration(model=fitted(), actor=reviewer)
    return_calibration(project=project, check="verdict", actor=reviewer)

    activate_calibration(model=model, actor=reviewer)

    assert calibrators_in_force(project)["verdict"] == model.calibrator
    with pytest.raises(CalibrationMovedError):
        activate_calibration(model=model, actor=reviewer)


def test_the_database_allows_one_in_force(project, reviewer, fitted):
    decided(project, boastful(200))
    activate_calibration(model=fitted(), actor=reviewer)
    other = fitted()

    with pytest.raises(IntegrityError), transaction.atomic():
        CalibrationModel.objects.filter(pk=other.pk).update(state="active")


def test_a_calibration_that_makes_a_profile_impossible_is_refused(
    project, reviewer, fitted
):
    decided(project, capped(400, 0.6), check="semantic_entropy")
    model = fitted("semantic_entropy")
    assert model.state == "draft"

    with pytest.raises(ProfileImpossibleError) as refused:
        activate_calibration(model=model, actor=reviewer)

    highest = model.calibrator.highest
    assert highest < 0.7
    # Low stands on this layer alone; high and critical on its mean with others.
    assert refused.value.reaches["low"].mean == highest
    assert refused.value.reaches["critical"].mean == pytest.approx((highest + 4) / 5)
    assert "below the floor 0.7" in str(refused.value)
    assert calibrators_in_force(project) == {}


def test_a_profile_of_the_projects_own_leaves_room(project, reviewer, fitted):
    project.risk_profiles = {
        level: {"floor": 0.3} for level in ("low", "medium", "high", "critical")
    }
    project.save()
    decided(project, capped(400, 0.6), check="semantic_entropy")

    activate_calibration(model=fitted("semantic_entropy"), actor=reviewer)

    assert set(calibrators_in_force(project)) == {"semantic_entropy"}


def test_layers_that_are_switched_off_lend_no_room(project, reviewer, fitted):
    project.risk_profiles = {
        "low": {"floor": 0.3},
        "medium": {"floor": 0.3},
        "high": {"floor": 0.7},
        "critical": {"floor": 0.3},
    }
    project.save()
    decided(project, capped(400, 0.6), check="semantic_entropy")
    model = fitted("semantic_entropy")
    project.layers_off = ["fact_decomposition", "multi_source", "self_consistency"]
    project.save()

    with pytest.raises(ProfileImpossibleError) as refused:
        activate_calibration(model=model, actor=reviewer)

    assert set(refused.value.reaches) == {"high"}


def test_a_decision_that_is_taken_back_counts_at_no_later_fit(
    project, reviewer, fitted
):
    samples = decided(project, boastful(300))
    activate_calibration(model=fitted(), actor=reviewer)
    CalibrationSample.objects.filter(pk__in=[one.pk for one in samples[:30]]).update(
        active=False
    )

    (row,) = board(project, now=timezone.now())
    again = fitted()

    assert (row.taken_back, row.counted.n) == (30, 270)
    assert again.n == 270


def test_old_decisions_do_not_count(project, fitted):
    samples = decided(project, boastful(150))
    CalibrationSample.objects.filter(pk__in=[one.pk for one in samples[:60]]).update(
        at=timezone.now() - timedelta(days=91)
    )

    with pytest.raises(TooFewSamplesError):
        fitted()


def test_withheld_decisions_do_not_count(project, fitted, add_step):
    samples = decided(project, boastful(150))
    hidden = {one.example.interaction_id for one in samples[:60]}

    add_step(WITHHELD_ANSWERS, lambda _project_id, _user: hidden)

    with pytest.raises(TooFewSamplesError):
        fitted()


def test_decisions_of_another_project_do_not_count(project, fitted):
    decided(ProjectFactory(), boastful(300))

    with pytest.raises(TooFewSamplesError):
        fitted()

    assert calibrators_in_force(project) == {}


def test_at_night_drafts_are_made_and_none_comes_into_force(project):
    decided(project, boastful(200))
    decided(project, boastful(50), check="grounding")

    assert projects_to_fit(now=timezone.now()) == [project.id]
    fit_project(project_id=str(project.id))

    (model,) = CalibrationModel.objects.all()
    assert (model.check_name, model.state, model.fitted_by) == ("verdict", "draft", "")
    assert calibrators_in_force(project) == {}


def test_at_night_each_project_with_decisions_is_rung_for(
    project, monkeypatch, django_capture_on_commit_callbacks
):
    decided(project, boastful(100))
    decided(ProjectFactory(), boastful(99))
    rung = []
    monkeypatch.setattr(
        "verifyhub.common.jobs.doorbell.ring", lambda *call: rung.append(call)
    )

    with django_capture_on_commit_callbacks(execute=True):
        fit_calibrations()

    assert rung == [("learning.fit_project", {"project_id": str(project.id)})]


def test_the_clock_fits_anew_only_when_a_tenth_more_was_decided(project):
    now = timezone.now()
    decided(project, boastful(200))
    assert len(fit_due(project=project, now=now)) == 1
    decided(project, boastful(19, seed=3))
    assert fit_due(project=project, now=now) == []

    decided(project, boastful(1, seed=4))

    (again,) = fit_due(project=project, now=now)
    assert again.n == 220
    assert CalibrationModel.objects.get(number=1).state == "retired"


def test_the_clock_fits_anew_when_something_was_taken_back(project):
    samples = decided(project, boastful(200))
    fit_due(project=project, now=timezone.now())
    CalibrationSample.objects.filter(pk=samples[5].pk).update(active=False)

    (again,) = fit_due(project=project, now=timezone.now())

    assert again.n == 199


def test_a_key_acts_under_its_own_name(project):
    decided(project, boastful(200))
    key = ApiKeyFactory(project=project, name="pipeline")

    model = fit_calibration(
        project=project, check="verdict", actor=key, now=timezone.now()
    )
    activate_calibration(model=model, actor=key)

    model.refresh_from_db()
    assert model.fitted_by == model.activated_by == str(key)


def test_what_is_in_force_is_one_query(
    project, reviewer, fitted, django_assert_num_queries
):
    for check in ("verdict", "grounding", "cross_tier"):
        decided(project, boastful(200), check=check)
        activate_calibration(model=fitted(check), actor=reviewer)

    with django_assert_num_queries(1):
        assert len(calibrators_in_force(project)) == 3
