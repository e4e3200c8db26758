"""Any number of beats may run: one of them sends, another one takes its place."""

import os
from socket import gethostname

import pytest
from celery import Celery
from redis import Redis

from verifyhub import __version__
from verifyhub.config.beat import HeartbeatScheduler
from verifyhub.config.beat_lease import NAME, BeatLease, holder

# A database of the broker's that nothing else here uses.
URL = f"{os.environ['BROKER_URL'].rpartition('/')[0]}/13"


@pytest.fixture
def broker():
    with Redis.from_url(URL) as client:
        client.flushdb()
        yield client
        client.flushdb()


@pytest.fixture
def app(broker, tmp_path):
    made = Celery(set_as_current=False, broker=URL)
    made.conf.beat_heartbeat_file = str(tmp_path / "beat-alive")
    made.conf.task_default_queue = "woken"
    made.conf.beat_schedule = {"seal": {"task": "audit.seal", "schedule": 0.001}}
    return made


@pytest.fixture
def leases(app):
    made = [BeatLease(app), BeatLease(app)]
    yield made
    for one in made:
        one.release()


def test_one_of_two_holds_the_lease(leases):
    assert [one.is_held() for one in leases] == [True, False]


def test_the_lease_tells_whose_it_is(leases, app):
    before = holder(app)
    leases[0].is_held()

    assert before is None
    assert holder(app) == f"{gethostname()}, VerifyHub {__version__}"


def test_who_stops_lets_the_other_go_on(leases):
    first, second = leases
    first.is_held()

    first.release()

    assert (second.is_held(), first.is_held()) == (True, False)


def test_the_lease_ends_by_itself(leases, broker):
    leases[0].is_held()

    assert 0 < broker.pttl(NAME) <= 15_000


def test_who_lost_the_lease_leaves_it_to_the_other(leases, broker):
    first, second = leases
    first.is_held()
    # As after a pause that was longer than the lease.
    broker.delete(NAME)
    second.is_held()
    first._ask_at = 0

    assert [one.is_held() for one in leases] == [False, True]


def test_without_a_broker_nobody_holds_it():
    nowhere = Celery(set_as_current=False, broker="redis://127.0.0.1:9/0")

    assert not BeatLease(nowhere).is_held()


def test_only_one_of_two_beats_sends(app, broker):
    beats = [HeartbeatScheduler(app), HeartbeatScheduler(app)]

    sent = []
    for beat in beats:
        before = broker.llen("woken")
        for _ in range(20):
            beat.tick()
        sent.append(broker.llen("woken") - before)
    for beat in beats:
        beat.close()

    assert sent[0] > 0
    assert sent[1] == 0
