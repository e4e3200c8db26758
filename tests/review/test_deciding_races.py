"""Deciding, undoing and acts on many race each other: one wins, nothing is doubled."""

import time
from collections.abc import Callable
from threading import Event, Thread

import pytest
from django.db import connection, transaction

from tests.conftest import member
from tests.factories import MembershipFactory, ProjectFactory, VerificationFactory
from tests.review.conftest import send
from tests.review.test_decide import flip, override
from tests.review.test_two_reviewers import fresh, race
from verifyhub.accounts.models import Role
from verifyhub.review.decide import (
    advance_act,
    confirm_verdict,
    undo_act,
    undo_override,
)
from verifyhub.review.decide.bulk import open_bulk, undo_bulk
from verifyhub.review.decide.preview import preview_decision
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import (
    HeldByOtherError,
    ItemChangedError,
    OverrideUndoneError,
)
from verifyhub.review.models import Act, Override, ReviewItem
from verifyhub.review.queue.leases import Holder, lease_item

pytestmark = pytest.mark.django_db(transaction=True)
AGREE = Decision(agree=True)


@pytest.fixture
def items():
    project = ProjectFactory(slug="acme")
    member(project, Role.REVIEWER)
    for session in range(4):
        send(project, session=f"s-{session}")
    return list(ReviewItem.objects.order_by("created_at"))


@pytest.fixture
def person(items):
    return items[0].project.memberships.get().user


def bulk(items, person):
    return open_bulk(
        project=items[0].project,
        decision=AGREE,
        items=[(item.id, item.version) for item in items],
        chosen_by={},
        reviewer=person,
    )


def test_undo_and_a_new_decision_exclude_each_other(items, person):
    made = flip(items[0], person)

    errors = race(
        lambda: undo_override(
            override=Override.objects.get(pk=made.pk), actor=person, version=1
        ),
        lambda: override(fresh(items[0]), person, version=1),
    )

    assert set(errors) == {None, ItemChangedError}


def test_an_act_on_many_and_a_single_decision_decide_each_answer_once(items, person):
    act = bulk(items, person)

    race(
        lambda: advance_act(act_id=act.id, seconds=60),
        lambda: confirm_verdict(item=fresh(items[3]), reviewer=person, version=0),
    )

    assert Override.objects.filter(target="agreement").count() == 4
    assert {item.version for item in ReviewItem.objects.all()} == {1}


def test_two_workers_share_an_act(items, person):
    act = bulk(items, person)

    errors = race(
        lambda: advance_act(act_id=act.id, seconds=60),
        lambda: advance_act(act_id=act.id, seconds=60),
    )

    assert set(errors) == {None}
    assert Override.objects.filter(act=act).count() == 4
    assert Act.objects.get(pk=act.pk).state == "done"


def test_an_act_is_undone_while_it_runs(items, person):
    act = bulk(items, person)

    race(
        lambda: advance_act(act_id=act.id, seconds=60),
        lambda: undo_bulk(act=Act.objects.get(pk=act.pk), actor=person),
    )
    advance_act(act_id=act.id, seconds=60)

    assert Act.objects.get(pk=act.pk).state == "undone"
    assert not Override.objects.filter(undone_at=None).exists()
    assert set(ReviewItem.objects.values_list("state", flat=True)) == {"open"}


def test_one_of_two_undos_of_an_act_wins(items, person):
    confirm_verdict(item=items[0], reviewer=person, version=0)
    act = Act.objects.get()

    def undo():
        undo_act(act=act, item=fresh(items[0]), actor=person, version=1)

    errors = race(undo, undo)

    assert errors.count(None) == 1
    assert set(errors) <= {None, ItemChangedError, OverrideUndoneError}


def test_previews_beside_decisions_change_nothing(items, person):
    errors = race(
        lambda: preview_decision(items[0], AGREE, person),
        lambda: confirm_verdict(item=fresh(items[0]), reviewer=person, version=0),
    )

    assert set(errors) <= {None, ItemChangedError}
    assert Override.objects.count() == 1


def while_waited_for(item: ReviewItem, change: Callable[[ReviewItem], None]) -> Thread:
    """Hold the item until somebody waits for it; change it then, and let it go."""
    is_held = Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                held = ReviewItem.objects.select_for_update().get(pk=item.pk)
                is_held.set()
                with connection.cursor() as cursor:
                    for _ in range(500):
                        cursor.execute(
                            "SELECT count(*) FROM pg_locks WHERE NOT granted"
                        )
                        if cursor.fetchone():
                            break
                        time.sleep(0.01)
                change(held)
        finally:
            connection.close()

    thread = Thread(target=hold)
    thread.start()
    assert is_held.wait(10)
    return thread


def test_who_took_an_item_meanwhile_is_named(items, person):
    other = MembershipFactory(project=items[0].project, user__username="zuzanna").user

    def take(item: ReviewItem) -> None:
        lease_item(item=item, holder=Holder(user=other))

    thread = while_waited_for(items[0], take)
    with pytest.raises(HeldByOtherError) as caught:
        lease_item(item=items[0], holder=Holder(user=person))

    thread.join()
    assert caught.value.name == "zuzanna"


def test_an_item_that_got_another_run_meanwhile_has_changed(items, person):
    run = VerificationFactory(interaction=items[0].interaction, number=2)

    def verify_again(item: ReviewItem) -> None:
        item.verification, item.version = run, item.version + 1
        item.save()

    thread = while_waited_for(items[0], verify_again)
    with pytest.raises(ItemChangedError):
        confirm_verdict(item=items[0], reviewer=person, version=0)

    thread.join()
