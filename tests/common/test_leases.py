"""Work of which one process does it at a time."""

import threading

import pytest
from django.db import connection

from verifyhub.common.leases import try_lease
from verifyhub.common.models import Lease

pytestmark = pytest.mark.django_db


def test_one_holds_it_and_another_one_does_not():
    with try_lease("work") as first, try_lease("work") as second:
        assert (first, second) == (True, False)


def test_leases_of_other_names_are_free():
    with try_lease("work") as first, try_lease("other work") as second:
        assert (first, second) == (True, True)


def test_it_is_free_again_at_the_end_even_of_a_failure():
    with pytest.raises(ZeroDivisionError), try_lease("work"):
        1 / 0  # noqa: B018

    with try_lease("work") as again:
        assert again


def test_who_died_with_it_keeps_it_until_it_ends():
    with try_lease("work"):
        Lease.objects.update(until="2020-01-01T00:00Z")

        with try_lease("work") as next_one:
            assert next_one


def test_who_lost_it_does_not_end_the_lease_of_the_next():
    with try_lease("work"):
        Lease.objects.update(until="2020-01-01T00:00Z")
        taken = try_lease("work")
        taken.__enter__()

    with try_lease("work") as third:
        assert not third
    taken.__exit__(None, None, None)


@pytest.mark.django_db(transaction=True)
def test_of_many_threads_one_gets_it():
    got, start = [], threading.Barrier(8)

    def ask():
        start.wait()
        with try_lease("work") as is_held:
            got.append(is_held)
            # Until all have asked.
            start.wait()
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert sorted(got) == [False] * 7 + [True]
