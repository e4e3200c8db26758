"""An opinion that was missing is asked for again, and amends the verdict once."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.builders import a_tool_call, an_interaction
from tests.model_server import a_call, an_honest_submission, send_json
from tests.stored import configured_model, verify_stored
from verifyhub.audit.models import AuditEvent
from verifyhub.inference.models import ModelCall
from verifyhub.memory.models import MemoryEntry
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import AwaitedOpinion, MentionVerdict, Verification
from verifyhub.verification.services import (
    AWAITED_OPINIONS,
    ask_again,
    opinions,
    set_human_verdict,
)
from verifyhub.verification.services.engine_run import run_engine
from verifyhub.verification.services.opinions import MAX_TRIES

pytestmark = pytest.mark.django_db

RUN = an_interaction(
    "The dates are parsed in `dates.py`, and nowhere else in this folder.",
    a_tool_call("list", output="dates.py\n"),
)
State = AwaitedOpinion.State


def down(handler, _):
    """Be away, for no longer than until the next try: nobody waits for it."""
    handler.send_response(503)
    handler.send_header("Retry-After", "0")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def sound(**changes):
    def respond(handler, request):
        send_json(handler, a_call(an_honest_submission(request, **changes)))

    return respond


def verified_in_an_outage(settings, project) -> Verification:
    with configured_model(settings, down):
        return verify_stored(project, RUN)


def due(verification) -> None:
    # The database's clock stands still in a test's transaction.
    long_ago = timezone.now() - timedelta(hours=1)
    AwaitedOpinion.objects.filter(pk=verification.pk).update(
        next_at=long_ago, created_at=long_ago
    )


def asked_again(settings, verification, respond=None):
    due(verification)
    respond = respond or sound(completeness=0.5, gaps=["times"])
    with configured_model(settings, respond) as server:
        ask_again(verification_id=verification.id)
    verification.refresh_from_db()
    return server.requests


def check_of(verification, name="cross_tier"):
    return next(c for c in verification.report["checks"] if c["name"] == name)


def test_an_outage_leaves_no_score_and_is_asked_again_later(settings, project):
    verification = verified_in_an_outage(settings, project)

    awaited = verification.awaited_opinion
    assert (awaited.state, awaited.attempts) == (State.PENDING, 0)
    assert awaited.next_at > timezone.now()
    assert (verification.verdict, verification.completeness) == ("uncertain", None)
    assert not ReviewItem.objects.exists()
    assert verification.report["decision"]["reason"] == "awaiting_verifier"
    assert verification.report["gaps"] == ["Verification could not be completed"]
    assert not MemoryEntry.objects.filter(text__contains="could not be completed")


def test_it_is_not_asked_before_its_time(settings, project):
    verification = verified_in_an_outage(settings, project)

    assert not ask_again(verification_id=verification.id)
    assert AwaitedOpinion.objects.get().state == State.PENDING


def test_a_late_opinion_amends_the_same_verification(settings, project):
    verification = verified_in_an_outage(settings, project)

    asked_again(settings, verification)

    assert Verification.objects.count() == 1
    assert (verification.verdict, verification.action) == ("uncertain", "follow_up")
    assert verification.completeness == 0.5
    assert check_of(verification)["outcome"] == "passed"
    assert AwaitedOpinion.objects.get().state == State.FINISHED
    event = AuditEvent.objects.get(action="verification.amended")
    assert event.before["action"] == "accept"
    assert event.after["action"] == "follow_up"


def test_the_cost_is_of_all_tries_together(settings, project):
    verification = verified_in_an_outage(settings, project)
    asked_again(settings, verification, down)
    twice = verification.report["cost"]["calls"]

    asked_again(settings, verification)

    made = ModelCall.objects.filter(verification_id=verification.id)
    assert twice == made.exclude(outcome="ok").count() > 1
    assert verification.report["cost"]["calls"] == made.count()


def test_an_opinion_that_has_no_objection_lets_the_answer_pass(settings, project):
    verification = verified_in_an_outage(settings, project)

    asked_again(settings, verification, sound())

    assert (verification.verdict, verification.action) == ("accept", "accept")
    assert verification.report["decision"]["reason"] == "checks_passed"


def test_what_people_decided_survives(settings, project):
    verification = verified_in_an_outage(settings, project)
    set_human_verdict(verification=verification, verdict="reject")
    MentionVerdict.objects.update(human_status="unverified")

    asked_again(settings, verification)

    assert verification.human_verdict == "reject"
    assert MentionVerdict.objects.get().human_status == "unverified"


def test_an_opinion_that_comes_twice_amends_once(settings, project):
    verification = verified_in_an_outage(settings, project)
    asked_again(settings, verification)

    requests = asked_again(settings, verification)

    assert requests == []
    assert AuditEvent.objects.filter(action="verification.amended").count() == 1


def test_a_try_that_lost_its_claim_writes_nothing(settings, project):
    verification = verified_in_an_outage(settings, project)
    due(verification)

    with configured_model(settings, sound(completeness=0.1, gaps=["x"])):
        held = AWAITED_OPINIONS.claim(verification.id)
        result = run_engine(verification.id)
        AwaitedOpinion.objects.update(token=held.token + 1)
        assert not opinions.finish(held, result)
    verification.refresh_from_db()

    assert verification.completeness is None
    assert not AuditEvent.objects.filter(action="verification.amended")


def test_after_the_last_try_a_person_is_to_look(settings, project):
    verification = verified_in_an_outage(settings, project)
    assert not ReviewItem.objects.exists()

    for _ in range(MAX_TRIES):
        asked_again(settings, verification, down)

    assert AwaitedOpinion.objects.get().state == State.FAILED
    assert ReviewItem.objects.get().reason_kinds == ["opinion_missing"]
    assert check_of(verification)["score"] is None
    assert asked_again(settings, verification) == []


def test_waits_grow_from_try_to_try(settings, project):
    verification = verified_in_an_outage(settings, project)
    waits = []

    for _ in range(4):
        asked_again(settings, verification, down)
        row = AwaitedOpinion.objects.get()
        waits.append(round((row.next_at - timezone.now()).total_seconds() / 60))

    assert waits == [2, 4, 8, 16]


def test_a_newer_verification_takes_its_place(settings, project):
    verification = verified_in_an_outage(settings, project)
    Verification.objects.create(
        project=project, interaction=verification.interaction, number=2
    )

    asked_again(settings, verification)

    assert AwaitedOpinion.objects.get().state == State.REPLACED
    assert verification.completeness is None


def test_the_reconciler_rings_for_what_is_due(settings, project):
    verification = verified_in_an_outage(settings, project)
    assert AWAITED_OPINIONS.reconcile() == 0
    due(verification)

    assert AWAITED_OPINIONS.reconcile() == 1
    assert AWAITED_OPINIONS.reconcile() == 0


def test_a_try_of_a_dead_worker_waits_again(settings, project):
    verification = verified_in_an_outage(settings, project)
    due(verification)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE verification_awaitedopinion SET state = 'running',"
            " lease_until = now() - interval '1 minute'"
        )

    assert AWAITED_OPINIONS.reconcile() == 1
    assert AwaitedOpinion.objects.get().state == State.PENDING


def test_a_misled_judge_has_answered(settings, project):
    def obedient(handler, request):
        said = an_honest_submission(request)
        if "mentions" in said:
            said |= {"verified": said["mentions"], "unverified": []}
        send_json(handler, a_call(said))

    with configured_model(settings, obedient):
        verify_stored(project, RUN)

    assert not AwaitedOpinion.objects.exists()
    assert ReviewItem.objects.get().reason_kinds == ["judge_misled"]
    assert Verification.objects.get().confidence is not None
