"""The whole road: people decide, a calibration is fitted, a lead activates it."""

import pytest
from django.urls import reverse

from tests.engine.layers.doubles import RISK, always
from tests.factories import ReviewItemFactory, VerificationFactory
from tests.learning.conftest import a_report
from tests.learning.decided import boastful, decided
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import LayerInput, LayerTools
from verifyhub.engine.layers.run import run_layers
from verifyhub.engine.risk.profiles import read_profiles
from verifyhub.learning.models import CalibrationModel, CalibrationSample
from verifyhub.learning.selectors import calibrators_in_force
from verifyhub.review.decide import override_verdict, undo_override

pytestmark = pytest.mark.django_db

SUBJECT = LayerInput(text="It has four legs.", context="It has four legs.")
# Floors that leave room for what people's decisions say of this layer.
FLOORS = {level: {"floor": 0.5} for level in ("low", "medium", "high", "critical")}


def decide(project, reviewer, score: float, right: bool):
    """Have a person settle an answer to which the layer gave a score."""
    run = VerificationFactory(
        interaction__project=project,
        verdict="uncertain",
        report=a_report(
            verdict="uncertain",
            checks=[{"name": "nli", "outcome": "failed", "score": score}],
            mentions=[],
        ).as_dict(),
    )
    return override_verdict(
        item=ReviewItemFactory(verification=run),
        verdict="accept" if right else "reject",
        reason="I looked it up.",
        reviewer=reviewer,
        version=0,
    )


def seen_by_the_layer(project):
    """What the layer finds of one text, under what is in force."""
    found = run_layers(
        SUBJECT,
        tools=LayerTools(verifier=always("ENTAILMENT", 0.9)),
        risk=RISK,
        profile=read_profiles(project.risk_profiles)[RiskLevel.CRITICAL],
        calibrators=calibrators_in_force(project),
        only=LayerName.NLI,
    )
    return found.layers[0]


def test_decisions_calibrate_a_layer_and_an_undo_is_told(
    project, reviewer, lead, browse
):
    project.risk_profiles = FLOORS
    project.save()
    said = boastful(120)
    decided(project, said[:100], check="nli")
    decisions = [decide(project, reviewer, *one) for one in said[100:]]
    raw = seen_by_the_layer(project)
    assert (raw.score, raw.calibrated, raw.calibration) == (0.9, None, "uncalibrated")
    desk, page = browse(lead), reverse("learning:calibration", args=[project.slug])

    fit = reverse("learning:calibration-fit", args=[project.slug])
    desk.post(fit, {"check": "nli"})
    model = CalibrationModel.objects.get(check_name="nli")
    assert (model.state, model.n) == ("draft", 120)
    assert seen_by_the_layer(project).calibrated is None
    desk.post(
        reverse("learning:calibration-activate", args=[project.slug, model.id]),
    )

    found = seen_by_the_layer(project)
    assert (found.score, found.calibration) == (0.9, "platt 1")
    assert found.calibrated == model.calibrator.apply(0.9)
    assert found.calibrated < 0.9

    undo_override(override=decisions[0], actor=reviewer, version=1)
    assert (
        CalibrationSample.objects.filter(active=True, check_name="nli").count() == 119
    )
    shown = desk.get(page).content.decode()
    assert "1 decision behind platt 1 has been undone" in shown
