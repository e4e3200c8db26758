"""The row is the queue: who may take it, who gets it back, who is woken."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from tests.factories import ProjectFactory
from tests.ingest.runs import an_interaction
from verifyhub.common import row_queue
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.memory.models import MemoryEntry
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.services import (
    VERIFICATIONS,
    open_verification,
    run,
    run_verification,
)

State = Verification.State
LONG_AGO = timedelta(minutes=5)


@pytest.fixture
def rung(monkeypatch) -> list[str]:
    """The ids that the reconciler woke workers for, in order."""
    ids: list[str] = []

    def send(_name: str, kwargs: dict[str, str], **_: object) -> None:
        # A wake-up for new answers names none.
        if "verification_id" in kwargs:
            ids.append(kwargs["verification_id"])

    monkeypatch.setattr("verifyhub.common.jobs.current_app.send_task", send)
    return ids


def opened(project, **fields) -> Verification:
    row, _ = record_interaction(
        project=project, api_key=None, interaction=an_interaction(**fields)
    )
    return row.verifications.get()


def lapse(verification: Verification) -> None:
    Verification.objects.filter(pk=verification.pk).update(
        lease_until=timezone.now() - LONG_AGO
    )


def age(verification: Verification) -> None:
    Verification.objects.filter(pk=verification.pk).update(
        created_at=timezone.now() - LONG_AGO
    )


def at_once(count: int, act) -> list:
    """Run `act` in as many threads as given, started together."""
    barrier = threading.Barrier(count)

    def started(_: int):
        barrier.wait()
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(started, range(count)))


def test_a_claim_counts_the_attempt_and_draws_a_token(project):
    verification = opened(project)

    first = VERIFICATIONS.claim(verification.id)
    assert VERIFICATIONS.claim(verification.id) is None

    verification.refresh_from_db()
    assert (first.token, first.attempts) == (1, 1)
    assert (verification.state, verification.token) == (State.RUNNING, 1)
    assert verification.lease_until > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_at_once_one_gets_the_row():
    verification = opened(ProjectFactory())

    claims = at_once(8, lambda: VERIFICATIONS.claim(verification.id))

    assert sum(claim is not None for claim in claims) == 1


@pytest.mark.django_db(transaction=True)
def test_a_message_delivered_many_times_has_one_effect():
    verification = opened(ProjectFactory(), session="s")

    wrote = at_once(6, lambda: run_verification(verification_id=verification.id))

    verification.refresh_from_db()
    assert sorted(wrote) == [False] * 5 + [True]
    assert verification.attempts == 1
    assert MentionVerdict.objects.count() == verification.mention_count
    keys = list(MemoryEntry.objects.values_list("key", flat=True))
    assert len(keys) == len(set(keys)) > 0


def test_a_renewed_lease_lasts_longer(project):
    held = VERIFICATIONS.claim(opened(project).id)
    lapse(Verification.objects.get())

    assert VERIFICATIONS.renew(held)

    assert Verification.objects.get().lease_until > timezone.now()


def test_the_row_of_a_dead_worker_is_put_back_and_rung(
    project, rung, django_capture_on_commit_callbacks
):
    verification = opened(project)
    VERIFICATIONS.claim(verification.id)
    lapse(verification)

    with django_capture_on_commit_callbacks(execute=True):
        count = VERIFICATIONS.reconcile()

    verification.refresh_from_db()
    assert (count, rung) == (1, [str(verification.id)])
    assert (verification.state, verification.lease_until) == (State.PENDING, None)
    assert run_verification(verification_id=verification.id)


def test_a_run_that_kills_its_worker_stops_after_six_attempts(project):
    verification, other = opened(project, id="poison"), opened(project, id="other")

    for _ in range(8):
        VERIFICATIONS.claim(verification.id)
        lapse(verification)
        VERIFICATIONS.reconcile()

    verification.refresh_from_db()
    assert (verification.state, verification.attempts) == (State.FAILED, 6)
    assert verification.error == row_queue.LOST_WORKER
    assert verification.finished_at is not None
    assert run_verification(verification_id=other.id)


def test_rows_of_a_worker_that_died_are_taken_one_by_one(project):
    rows = [opened(project, id=f"run-{number}") for number in range(4)]
    held = VERIFICATIONS.claim_due(limit=3)
    for row in rows:
        lapse(row)
    VERIFICATIONS.reconcile()

    taken = [VERIFICATIONS.claim_due(limit=3) for _ in range(4)]

    assert len(held) == 3
    assert [len(leases) for leases in taken] == [1, 1, 1, 1]
    assert [leases[0].attempts for leases in taken] == [2, 2, 2, 1]


@pytest.mark.parametrize(
    ("error", "state"),
    [(OperationalError, State.PENDING), (ValueError, State.FAILED)],
)
def test_an_attempt_that_the_database_ended_says_nothing_of_the_row(
    project, monkeypatch, error, state
):
    verification = opened(project)
    Verification.objects.update(attempts=row_queue.MAX_ATTEMPTS - 1)

    def refused(*_: object) -> None:
        raise error

    monkeypatch.setattr(run, "load_runs", refused)

    assert not run_verification(verification_id=verification.id)
    verification.refresh_from_db()
    assert verification.state == state


def test_a_living_workers_row_is_left_alone(project):
    verification = opened(project)
    VERIFICATIONS.claim(verification.id)

    assert VERIFICATIONS.reconcile() == 0

    verification.refresh_from_db()
    assert verification.state == State.RUNNING


def test_a_lost_wake_up_is_sent_again(
    project, rung, django_capture_on_commit_callbacks
):
    forgotten, fresh = opened(project, id="a"), opened(project, id="b")
    age(forgotten)

    with django_capture_on_commit_callbacks(execute=True):
        VERIFICATIONS.reconcile()
        VERIFICATIONS.reconcile()

    assert rung == [str(forgotten.id)]
    assert str(fresh.id) not in rung
    assert run_verification(verification_id=forgotten.id)


def test_a_row_that_waits_after_a_failure_is_not_rung_early(project):
    verification = opened(project)
    age(verification)
    held = VERIFICATIONS.claim(verification.id)
    VERIFICATIONS.release(held, "it failed")

    assert VERIFICATIONS.reconcile() == 0


def test_reconciling_takes_a_bounded_batch(project, monkeypatch):
    monkeypatch.setattr(row_queue, "BATCH", 2)
    for number in range(5):
        age(opened(project, id=str(number)))

    assert [VERIFICATIONS.reconcile() for _ in range(4)] == [2, 2, 1, 0]


@pytest.mark.django_db(transaction=True)
def test_reconcilers_at_once_ring_each_row_once(rung):
    project = ProjectFactory()
    expected = []
    for number in range(6):
        verification = opened(project, id=str(number))
        age(verification)
        expected.append(str(verification.id))
    rung.clear()

    at_once(3, VERIFICATIONS.reconcile)

    assert sorted(rung) == sorted(expected)


def test_a_wake_up_for_an_unknown_row_does_nothing(project):
    foreign = Interaction.objects.create(
        project=project, content_sha256="0" * 64, task="t", answer="a"
    )
    verification = open_verification(interaction=foreign)
    verification.delete()

    assert not run_verification(verification_id=foreign.id)


def test_a_finished_row_needs_a_report(project):
    opened(project)

    with pytest.raises(IntegrityError), transaction.atomic():
        Verification.objects.update(state=State.FINISHED)
