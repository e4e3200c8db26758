"""A receiver that hangs, or takes its time, delays nobody else."""

import json
import threading
import time
from contextlib import contextmanager

import pytest
from django.db import connection

from tests.events.receiver import a_receiver
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import WebhookValues, add_webhook, deliver, publish
from verifyhub.events.services.deliver import REQUESTS_TO_SLOW, deliver_due

pytestmark = pytest.mark.django_db(transaction=True)
SLOW_MS = deliver.QUICK_MS + 1


@pytest.fixture
def hanging(settings):
    with a_receiver() as made:
        made.may_answer.clear()
        yield made


@pytest.fixture
def healthy(settings, hanging):
    with a_receiver() as made:
        settings.WEBHOOK_ALLOW_PRIVATE = frozenset({made.pair, hanging.pair})
        yield made


@pytest.fixture
def add(project):
    """Add a receiver whose last request took so long; None before its first."""

    def added(receiver, name, last_ms):
        values = WebhookValues(name=name, url=receiver.url)
        row, _ = add_webhook(project=project, values=values, actor=None)
        WebhookEndpoint.objects.filter(pk=row.pk).update(last_duration_ms=last_ms)
        return row

    return added


@pytest.fixture
def tell(project):
    def told(n):
        publish(
            project=project,
            type=EventType.VERIFICATION_FAILED,
            data={"n": n},
            subject={},
        )

    return told


@contextmanager
def a_sender(*hanging):
    """Let a worker send while the body runs; who hangs answers at the end."""

    def work():
        deliver_due()
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        for receiver in hanging:
            receiver.may_answer.set()
        thread.join()


def wait_until(holds):
    end = time.monotonic() + 12
    while not holds():
        assert time.monotonic() < end, "It never came to pass."
        time.sleep(0.02)


def numbers(receiver):
    return {json.loads(one.body)["data"]["n"] for one in receiver.got}


@pytest.mark.parametrize("last_ms", [None, 5, SLOW_MS])
def test_what_happens_while_one_hangs_reaches_the_others(
    add, tell, hanging, healthy, last_ms
):
    add(hanging, "hangs", last_ms)
    add(healthy, "healthy", None)
    tell(1)

    with a_sender(hanging):
        wait_until(lambda: hanging.got and healthy.got)
        tell(2)
        wait_until(lambda: numbers(healthy) == {1, 2})


def test_slow_ones_share_half_of_the_requests(add, tell, hanging, healthy):
    for number in range(5):
        add(hanging, f"slow {number}", SLOW_MS)
    add(healthy, "healthy", 5)
    for number in range(4):
        tell(number)

    with a_sender(hanging):
        wait_until(lambda: len(hanging.got) == REQUESTS_TO_SLOW)
        tell(4)
        wait_until(lambda: numbers(healthy) == {0, 1, 2, 3, 4})
        assert len(hanging.got) == REQUESTS_TO_SLOW


def test_claims_are_prolonged_though_others_are_served(
    add, tell, hanging, healthy, monkeypatch
):
    monkeypatch.setattr(deliver, "LOOK_SECONDS", 0.05)
    slow = add(hanging, "hangs", None)
    add(healthy, "healthy", 5)
    tell(0)

    def lease():
        rows = WebhookDelivery.objects.filter(endpoint=slow, state="running")
        return rows.values_list("lease_until", flat=True).first()

    with a_sender(hanging):
        wait_until(lease)
        first = lease()
        tell(1)
        wait_until(lambda: len(healthy.got) == 2 and lease() > first)


def test_slow_ones_are_not_asked_when_a_call_is_about_to_end(
    add, tell, hanging, healthy, monkeypatch
):
    monkeypatch.setattr(deliver, "SLOW_SECONDS", 0.0)
    add(hanging, "slow", SLOW_MS)
    add(healthy, "quick", 5)
    tell(1)

    goes_on = deliver_due()

    assert (goes_on, len(hanging.got), numbers(healthy)) == (True, 0, {1})


def test_who_takes_something_is_known_as_quick(add, tell, healthy):
    row = add(healthy, "new", None)
    tell(1)

    deliver_due()

    row.refresh_from_db()
    assert row.last_duration_ms is not None
