"""A model judges claims of fact: what it denies, and what comes late."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.builders import an_interaction
from tests.engine.claims.test_model_judge import sound
from tests.model_server import (
    a_call,
    a_text,
    an_honest_submission,
    failing,
    send_json,
)
from tests.stored import configured_model, verify_stored
from verifyhub.memory.models import MemoryEntry
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import AwaitedOpinion, ClaimVerdict, Verification
from verifyhub.verification.services import ask_again

pytestmark = pytest.mark.django_db

MANUAL = {"title": "Manual", "text": "The bridge has 14 arches and a tower."}
FALSE = "The bridge has 12 arches and a tower."
TRUE = "The bridge has 14 arches and a tower."


def judging(handler, request):
    """Judge claims soundly, and answers as an honest verifier would."""
    if not request.get("tools"):
        send_json(handler, a_text(sound(request["messages"][-1]["content"])))
        return
    name = request["tools"][0]["function"]["name"]
    if name == "submit_verification":
        send_json(handler, a_call(an_honest_submission(request)))
    else:
        send_json(handler, a_text("I would rather not."))


def away_for_claims(handler, request):
    """Answer as a verifier, and not as a judge of claims."""
    if request.get("tools"):
        judging(handler, request)
    else:
        failing(503)(handler, request)


def verified(settings, project, answer, respond=judging):
    run = an_interaction(answer, sources=[MANUAL])
    with configured_model(settings, respond):
        return verify_stored(project, run)


def test_a_claim_that_a_judge_denies_sends_the_answer_back(settings, project):
    report = verified(settings, project, FALSE).report

    assert report["claims"][0]["status"] == "contradicted"
    assert report["claims"][0]["judged_by"] == "model"
    assert (report["verdict"], report["decision"]["action"]) == ("reject", "clarify")
    assert report["decision"]["reason"] == "fact_contradicted"
    assert json.dumps(FALSE) in report["decision"]["additional_context"]


def test_it_is_queued_and_told_to_the_next_agent(settings, project):
    verified(settings, project, FALSE)

    assert ReviewItem.objects.get().reason_kinds[0] == "fact_contradicted"
    assert MemoryEntry.objects.filter(kind="blocker", text=FALSE).exists()


def test_the_verdict_says_it_in_plain_words(settings, project):
    report = verified(settings, project, FALSE).report

    assert "1 claim of fact was compared with the evidence." in report["explanation"]
    assert "contradicts" in report["explanation"]


def test_the_cost_of_judging_is_part_of_the_verdicts(settings, project):
    report = verified(settings, project, TRUE).report

    assert report["cost"]["calls"] >= 2
    assert report["claims"][0]["status"] == "verified"


def test_a_judge_that_is_away_is_asked_again(settings, project):
    verification = verified(settings, project, TRUE, respond=away_for_claims)

    assert verification.verdict == "uncertain"
    assert AwaitedOpinion.objects.get().state == "pending"
    assert verification.report["decision"]["reason"] == "awaiting_verifier"


def test_a_late_judgement_amends_the_claims_in_place(settings, project):
    verification = verified(settings, project, FALSE, respond=away_for_claims)
    long_ago = timezone.now() - timedelta(hours=1)
    AwaitedOpinion.objects.update(next_at=long_ago)

    with configured_model(settings, judging):
        ask_again(verification_id=verification.id)

    verification.refresh_from_db()
    assert Verification.objects.count() == 1
    assert verification.verdict == "reject"
    assert ClaimVerdict.objects.get().status == "contradicted"
    assert AwaitedOpinion.objects.get().state == "finished"


def test_what_a_person_said_stays_with_the_claim(settings, project):
    verification = verified(settings, project, FALSE, respond=away_for_claims)
    ClaimVerdict.objects.update(human_status="right")
    AwaitedOpinion.objects.update(next_at=timezone.now() - timedelta(hours=1))

    with configured_model(settings, judging):
        ask_again(verification_id=verification.id)

    assert ClaimVerdict.objects.get().human_status == "right"


def test_a_project_that_asks_no_model_has_no_judge(settings, project):
    project.thresholds = {"ask_models": "never"}
    project.save()

    report = verified(settings, project, FALSE).report

    assert report["claims"][0]["judged_by"] == "local_signals"
    assert report["decision"]["reason"] == "check_failed"
