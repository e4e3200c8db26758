"""Many answers verified again: all of them once, beside new work, whatever dies."""

import pytest
from django.db import connection

from tests.builders import a_tool_call, an_interaction
from verifyhub.audit.models import AuditEvent
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Batch, Verification
from verifyhub.verification.selectors import progress
from verifyhub.verification.services import (
    VERIFICATIONS,
    BatchError,
    advance_batch,
    advance_batches,
    batches,
    cancel_batch,
    open_batch,
    reverify,
    run_verification,
)

pytestmark = pytest.mark.django_db

LISTED = a_tool_call("list", output="a.py\n")


def arrived(project, count, start=0, *, verified=True):
    rows = [
        record_interaction(
            project=project,
            api_key=None,
            interaction=an_interaction("In `a.py`.", LISTED, id=f"run-{number}"),
        )[0]
        for number in range(start, start + count)
    ]
    if verified:
        work()
    return rows


def work(most=1000):
    """Do what is waiting, oldest first, as a worker would."""
    waiting = Verification.objects.filter(state=Verification.State.PENDING)
    for row in waiting.order_by("created_at")[:most]:
        run_verification(verification_id=row.id)


def a_batch(project, actor, **changes):
    values = {
        "project": project,
        "interactions": Interaction.objects.filter(project=project),
        "filters": {"verdict": "accept"},
        "strictness": None,
        "actor": actor,
    }
    return open_batch(**values | changes)


def pending():
    return Verification.objects.filter(state=Verification.State.PENDING).count()


def test_every_answer_gets_one_more_verification(project, lead):
    arrived(project, 3)
    batch = a_batch(project, lead, strictness="strict")

    advance_batches()
    work()
    advance_batches()

    batch.refresh_from_db()
    assert batch.state == Batch.State.FINISHED
    again = Verification.objects.filter(number=2)
    assert {row.strictness for row in again} == {"strict"}
    assert {row.report["strictness"] for row in again} == {"strict"}
    assert progress(batch).done == 3


def test_only_a_few_wait_at_a_time(project, lead, monkeypatch):
    monkeypatch.setattr(batches, "AT_A_TIME", 2)
    arrived(project, 5)
    a_batch(project, lead)

    advance_batches()
    advance_batches()

    assert pending() == 2


def test_a_batch_yields_to_new_work_but_goes_on(project, lead):
    arrived(project, 5)
    a_batch(project, lead)
    arrived(project, 1, start=9, verified=False)

    opened = advance_batches()

    assert opened == 1


def test_two_workers_at_once_open_each_answer_once(project, lead):
    arrived(project, 3)
    batch = a_batch(project, lead)

    advance_batch(batch_id=batch.id)
    advance_batch(batch_id=batch.id)

    assert Verification.objects.filter(number=2).count() == 3
    assert not Verification.objects.filter(number=3).exists()


def test_a_killed_worker_costs_nothing_but_time(project, lead):
    arrived(project, 2)
    batch = a_batch(project, lead)
    advance_batches()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE verification_verification SET state = 'running', token = 1,"
            " attempts = 1, lease_until = now() - interval '1 minute' WHERE number = 2"
        )

    VERIFICATIONS.reconcile()
    work()
    advance_batches()

    batch.refresh_from_db()
    assert (batch.state, progress(batch).done) == (Batch.State.FINISHED, 2)


def test_what_cannot_be_verified_is_counted_as_failed(project, lead):
    arrived(project, 2)
    batch = a_batch(project, lead)
    advance_batches()
    first = Verification.objects.filter(number=2).order_by("created_at").first()
    Verification.objects.filter(pk=first.pk).update(state=Verification.State.FAILED)
    work()
    advance_batches()

    far = progress(batch)
    assert (far.done, far.failed, far.ended) == (1, 1, 2)
    event = AuditEvent.objects.get(action="verification.batch_finished")
    assert event.after["failed"] == 1


def test_an_answer_that_waits_already_is_not_verified_twice(project, lead):
    (row,) = arrived(project, 1)
    asked = reverify(interaction=row, actor=lead)
    batch = a_batch(project, lead)

    advance_batches()

    assert batch.members.get().verification == asked


def test_cancelling_lets_no_more_in(project, lead, monkeypatch):
    monkeypatch.setattr(batches, "AT_A_TIME", 1)
    arrived(project, 3)
    batch = a_batch(project, lead)
    advance_batches()

    assert cancel_batch(batch=batch, actor=lead)
    work()

    assert advance_batches() == 0
    assert progress(batch).done == 1
    assert not cancel_batch(batch=batch, actor=lead)
    assert AuditEvent.objects.filter(action="verification.batch_cancelled").count() == 1


@pytest.mark.parametrize(
    ("limit", "words"), [(0, "More than 0"), (20_000, "is already running")]
)
def test_too_many_and_two_at_once_are_refused(project, lead, monkeypatch, limit, words):
    arrived(project, 1)
    a_batch(project, lead)
    monkeypatch.setattr(batches, "MAX_ANSWERS", limit)

    with pytest.raises(BatchError, match=words):
        a_batch(project, lead)


def test_answers_of_another_project_are_never_among_them(project, lead):
    with pytest.raises(BatchError, match="No answer"):
        a_batch(project, lead, interactions=Interaction.objects.all())
