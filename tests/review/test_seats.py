"""Several may have an item at one time where several judge it; else nobody shares."""

from datetime import timedelta
from threading import Thread

import pytest
from django.db import connections
from django.utils import timezone

from tests.factories import MembershipFactory, ProjectFactory, ReviewItemFactory
from tests.review.conftest import send
from tests.review.test_several_reviewers import ask, fresh, judge, other
from verifyhub.review.errors import HeldByOtherError
from verifyhub.review.models import ReviewItem, Seat
from verifyhub.review.queue import Holder, lease_item, lease_next, release_item
from verifyhub.review.queue.leases import leave_item, renew_lease


@pytest.fixture
def people(project):
    return [
        MembershipFactory(project=project, user__username=name).user
        for name in ("ana", "ben", "cy")
    ]


def take(project, person):
    return lease_next(project_id=project.id, holder=Holder(user=person))


def test_as_many_take_an_item_as_judge_it_and_no_more(item, people, project):
    ask(project, 2)

    taken = [take(project, person) for person in people]

    assert [lease and lease.item_id for lease in taken] == [item.pk, item.pk, None]


def test_by_default_an_item_is_one_persons(item, people, project):
    assert take(project, people[0]).item_id == item.pk
    assert take(project, people[1]) is None
    assert not Seat.objects.exists()


def test_asking_twice_gives_the_same_seat(item, people, project):
    ask(project, 3)

    first, second = take(project, people[0]), take(project, people[0])

    assert (first.item_id, first.token) == (second.item_id, second.token)
    assert Seat.objects.count() == 1


def test_a_place_is_free_again_when_its_seat_ends(item, people, project):
    ask(project, 2)
    for person in people[:2]:
        take(project, person)
    Seat.objects.update(until=timezone.now() - timedelta(seconds=1))
    ReviewItem.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    assert take(project, people[2]).item_id == item.pk


def test_nobody_takes_the_place_of_one_who_sits_while_another_has_judged(
    item, people, project
):
    ask(project, 2)
    take(project, people[0])
    take(project, people[1])
    judge(item, people[1])

    assert take(project, people[2]) is None
    with pytest.raises(HeldByOtherError, match="ana"):
        lease_item(item=fresh(item), holder=Holder(user=people[2]))
    assert judge(item, people[0]).settled


def test_a_seat_is_renewed_left_and_given_back(item, people, project):
    ask(project, 2)
    lease = take(project, people[0])

    assert renew_lease(item=item, token=lease.token).token == lease.token
    leave_item(item=item, token=lease.token)
    assert Seat.objects.get().until < timezone.now() + timedelta(minutes=1)
    assert release_item(item=item, holder=Holder(user=people[0]))
    assert not Seat.objects.exists()


def test_everybody_gets_up_once_the_item_is_settled(item, people, project):
    ask(project, 2)
    for person in people[:2]:
        take(project, person)
    for person in people[:2]:
        judge(item, person)

    assert not Seat.objects.exists()
    assert fresh(item).lease_token is None


def test_ones_own_seat_shows_as_a_lease_and_anothers_does_not(
    item, people, project, browse
):
    ask(project, 3)
    take(project, people[0])
    bar = f"/p/acme/review/items/{item.pk}/bar/"

    own, another = (
        browse(who).get(bar, headers={"HX-Request": "true"}).content.decode()
        for who in people[:2]
    )

    token = str(Seat.objects.get().token)
    assert token in own
    assert token not in another
    assert "ana has" not in another


@pytest.mark.django_db(transaction=True)
def test_three_at_once_share_two_places():
    project = ProjectFactory(slug="acme")
    people = [MembershipFactory(project=project).user for _ in range(6)]
    ask(project, 2)
    item = ReviewItemFactory(project=project, rank=9.0)
    taken = []

    def work(person):
        try:
            if lease := take(project, person):
                taken.append((lease.item_id, person.pk))
        finally:
            connections.close_all()

    threads = [Thread(target=work, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    # Who comes while another is being seated finds the row locked and may get nothing.
    assert 1 <= len(taken) <= 2
    assert {item_id for item_id, _person in taken} == {item.pk}
    for person in people:
        lease = take(project, person)
        if lease and (lease.item_id, person.pk) not in taken:
            taken.append((lease.item_id, person.pk))
    assert len({person for _item, person in taken}) == 2


def test_what_several_judge_is_settled_from_their_seats(project, people):
    ask(project, 3)
    item = ReviewItem.objects.get(interaction=send(project))
    for person in people:
        assert take(project, person).item_id == item.pk

    judge(item, people[0], other(item))
    judge(item, people[1])
    judge(item, people[2], other(item))

    assert fresh(item).human_verdict == other(item).verdict
