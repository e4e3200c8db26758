import threading

import pytest

from verifyhub.common.jobs import Doorbell


@pytest.fixture
def broker(monkeypatch):
    """What stands in for the broker's client; set `fail` to take the broker away."""

    class Broker:
        fail = False
        tries = 0

        def send(self, *_: object, **__: object) -> None:
            self.tries += 1
            if self.fail:
                raise ConnectionError

    standing_in = Broker()
    monkeypatch.setattr("verifyhub.common.jobs.current_app.send_task", standing_in.send)
    return standing_in


def test_each_ring_reaches_the_broker(broker):
    doorbell = Doorbell()

    assert [doorbell.ring("a.b", {}), doorbell.ring("a.b", {})] == [True, True]
    assert broker.tries == 2


def test_after_a_failure_nobody_tries_for_a_while(broker):
    doorbell = Doorbell()
    broker.fail = True

    assert [doorbell.ring("a.b", {}) for _ in range(5)] == [False] * 5
    assert broker.tries == 1


def test_after_the_silence_it_rings_again(broker):
    doorbell = Doorbell()
    broker.fail = True
    doorbell.ring("a.b", {})
    broker.fail = False

    doorbell.silent_until = 0.0

    assert doorbell.ring("a.b", {})


def test_a_broker_that_hangs_holds_up_one_thread_only(monkeypatch):
    doorbell = Doorbell()
    doorbell.PATIENCE_SECONDS = 0.01
    hanging, over = threading.Event(), threading.Event()

    def hang(*_: object, **__: object) -> None:
        hanging.set()
        over.wait()

    monkeypatch.setattr("verifyhub.common.jobs.current_app.send_task", hang)
    first = threading.Thread(target=doorbell.ring, args=("a.b", {}))
    first.start()
    hanging.wait()

    rang = doorbell.ring("a.b", {})

    over.set()
    first.join()
    assert not rang
