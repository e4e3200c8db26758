"""Taking items: nobody gets what another has, and a lease ends by itself."""

from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection, connections
from django.utils import timezone

from bench.review_queue import ROWS
from tests.factories import MembershipFactory, ProjectFactory, ReviewItemFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.review.decide import confirm_verdict
from verifyhub.review.errors import HeldByOtherError
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import Holder, lease_item, lease_next, release_item
from verifyhub.review.queue.leases import leave_item, renew_lease

# From here on the planner itself prefers an index to reading everything.
MANY = 5000


def ranked(project, *ranks):
    return [ReviewItemFactory(project=project, rank=rank) for rank in ranks]


def take(project, user, **options):
    return lease_next(project_id=project.id, holder=Holder(user=user), **options)


def expire(item):
    past = timezone.now() - timedelta(seconds=1)
    ReviewItem.objects.filter(pk=item.pk).update(lease_until=past)


@pytest.fixture
def colleague(project):
    return MembershipFactory(project=project, user__username="colleague").user


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("reviewers", "items"), [(6, 30), pytest.param(20, 200, marks=pytest.mark.deep)]
)
def test_reviewers_at_once_never_get_the_same_item(reviewers, items):
    project = ProjectFactory()
    ranked(project, *range(items))
    people = [MembershipFactory(project=project).user for _ in range(reviewers)]
    taken, failures = [], []

    def review(user):
        last = None
        try:
            while lease := take(project, user, after=last):
                taken.append(lease.item_id)
                # Decided at once: a given back item would be handed out again.
                last = ReviewItem.objects.get(pk=lease.item_id)
                confirm_verdict(item=last, reviewer=user, version=0)
        except Exception as error:  # noqa: BLE001 - a thread's error must be seen
            failures.append(error)
        finally:
            connections.close_all()

    threads = [Thread(target=review, args=[user]) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert len(taken) == items
    assert len(set(taken)) == items


def test_next_takes_the_most_urgent_free_item(project, reviewer, colleague):
    _low, high, middle = ranked(project, 1, 3, 2)

    taken = [take(project, user).item_id for user in (reviewer, colleague)]

    assert taken == [high.id, middle.id]


def test_asking_again_gives_the_item_one_has(project, reviewer):
    ranked(project, 1, 2)

    first, second = take(project, reviewer), take(project, reviewer)

    assert first.item_id == second.item_id
    assert ReviewItem.objects.exclude(lease_token=None).count() == 1


def test_going_on_gives_back_and_goes_round_at_the_end(project, reviewer):
    low, high = ranked(project, 1, 2)

    second = take(project, reviewer, after=high)
    third = take(project, reviewer, after=low)

    assert (second.item_id, third.item_id) == (low.id, high.id)
    low.refresh_from_db()
    assert low.lease_token is None


def test_an_expired_lease_frees_the_item(project, reviewer, colleague):
    (item,) = ranked(project, 1)
    take(project, reviewer)
    assert take(project, colleague) is None

    expire(item)

    assert take(project, colleague).item_id == item.id


def test_a_heartbeat_holds_the_item_and_fails_once_another_has_it(
    project, reviewer, colleague
):
    (item,) = ranked(project, 1)
    lease = take(project, reviewer)
    expire(item)
    assert renew_lease(item=item, token=lease.token).until > timezone.now()

    expire(item)
    take(project, colleague)

    assert renew_lease(item=item, token=lease.token) is None


def test_leaving_the_page_lets_the_lease_end_soon(project, reviewer):
    (item,) = ranked(project, 1)
    lease = take(project, reviewer)

    leave_item(item=item, token=lease.token)

    item.refresh_from_db()
    assert item.lease_until < timezone.now() + timedelta(minutes=1)


def test_giving_back_is_for_whoever_has_it(project, reviewer, colleague):
    (item,) = ranked(project, 1)
    take(project, reviewer)

    assert not release_item(item=item, holder=Holder(user=colleague))
    assert release_item(item=item, holder=Holder(user=reviewer))


def test_deciding_what_another_has_says_who(project, reviewer, colleague, item):
    lease_item(item=item, holder=Holder(user=reviewer))

    with pytest.raises(HeldByOtherError) as refused:
        confirm_verdict(item=item, reviewer=colleague, version=0)

    assert refused.value.name == "reviewer"
    item.refresh_from_db()
    assert item.state == "open"


def test_a_decision_under_an_expired_lease_counts_if_nobody_took_it(item, reviewer):
    lease_item(item=item, holder=Holder(user=reviewer))
    expire(item)

    confirm_verdict(item=item, reviewer=reviewer, version=0)

    item.refresh_from_db()
    assert item.state == "confirmed"
    assert item.lease_token is None
    assert item.taken_at is not None


def test_who_decides_without_a_lease_has_no_beginning(item, reviewer, colleague):
    lease_item(item=item, holder=Holder(user=colleague))
    expire(item)

    confirm_verdict(item=item, reviewer=reviewer, version=0)

    item.refresh_from_db()
    assert item.taken_at is None


def test_taking_over_is_possible_and_audited(item, reviewer, lead):
    lease_item(item=item, holder=Holder(user=reviewer))

    lease_item(item=item, holder=Holder(user=lead), take_over=True)

    event = AuditEvent.objects.get(action="review.lease_taken_over")
    assert event.before == {"holder": "reviewer"}


def test_a_foreign_item_is_never_handed_out(project, reviewer):
    ReviewItemFactory(rank=9)

    assert take(project, reviewer) is None


def test_next_reads_one_index(project, reviewer):
    statements = []

    def note(execute, sql, params, many, context):
        statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.cursor() as cursor:
        values = {"project": project.id, "user": reviewer.pk}
        cursor.execute(ROWS, values | {"first": 1, "last": MANY})
        cursor.execute("ANALYZE review_reviewitem")
        with connection.execute_wrapper(note):
            take(project, reviewer)
        sql, params = next(one for one in reversed(statements) if "picked" in one[0])
        cursor.execute(f"EXPLAIN {sql}", params)
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert "using review_item_rank" in plan, plan
    assert "Sort" not in plan
    assert "Seq Scan on review_reviewitem" not in plan
