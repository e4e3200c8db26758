import os
import threading
import time

import pytest
from celery import Celery
from django.db import transaction
from redis import Redis

from verifyhub.common import jobs, wake_ups
from verifyhub.common.wake_ups import WakeUps, wake_on_commit


@pytest.fixture
def rung(monkeypatch):
    """When each wake-up went out."""
    times: list[float] = []
    monkeypatch.setattr(
        wake_ups.doorbell, "ring", lambda *_, **__: times.append(time.monotonic())
    )
    return times


def in_time(times: list[float], count: int) -> bool:
    """Whether so many wake-ups go out before patience ends."""
    until = time.monotonic() + 5
    while len(times) < count and time.monotonic() < until:
        time.sleep(0.01)
    return len(times) >= count


def test_the_first_wake_up_goes_out_at_once(rung):
    WakeUps("a.b").ring()

    assert len(rung) == 1


def test_those_of_a_moment_become_one(rung, monkeypatch):
    monkeypatch.setattr(wake_ups, "MOMENT_SECONDS", 0.3)
    bell = WakeUps("a.b")

    for _ in range(50):
        bell.ring()

    assert in_time(rung, 2)
    assert len(rung) < 25


def test_whatever_rings_is_followed_by_a_wake_up(rung):
    bell = WakeUps("a.b")
    ends: list[float] = []

    def ring() -> None:
        for _ in range(100):
            ends.append(time.monotonic())
            bell.ring()
            time.sleep(0.001)

    threads = [threading.Thread(target=ring) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    until = time.monotonic() + 5
    while rung[-1] < max(ends) and time.monotonic() < until:
        time.sleep(0.01)
    assert rung[-1] >= max(ends)
    assert len(rung) < 400


def test_work_for_many_wakes_as_many(rung):
    WakeUps("a.b").ring(4)

    assert len(rung) == 4


@pytest.mark.django_db
def test_what_is_rolled_back_wakes_nobody(rung, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        try:
            with transaction.atomic():
                wake_on_commit("tests.rolled_back")
                raise ValueError
        except ValueError:
            wake_on_commit("tests.committed")

    assert len(rung) == 1


def test_those_that_nobody_takes_do_not_pile_up(monkeypatch):
    url = f"{os.environ['BROKER_URL'].rpartition('/')[0]}/14"
    app = Celery("wake-ups", broker=url, set_as_current=False)
    app.conf.task_default_queue = "piled"
    monkeypatch.setattr(jobs, "current_app", app)
    monkeypatch.setattr(wake_ups, "MOMENT_SECONDS", 0)
    monkeypatch.setattr(wake_ups, "MOST_WAITING", 3)
    bell = WakeUps("a.b")
    with Redis.from_url(url) as broker:
        broker.flushdb()

        for _ in range(10):
            bell.ring()

        assert broker.llen("piled") == 3
        broker.lpop("piled")
        bell.ring()
        assert broker.llen("piled") == 3
