"""A broker that is away costs a sender nothing but the wake-up."""

import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from verifyhub.config import celery_settings


def test_a_sender_does_not_wait_for_a_broker_that_is_away(monkeypatch):
    waits = []
    monkeypatch.setattr("kombu.utils.functional.sleep", waits.append)
    app = Celery(broker="redis://127.0.0.1:2/0", set_as_current=False)
    app.conf.broker_transport_options = celery_settings.broker_transport_options

    with pytest.raises(OperationalError):
        app.send_task("verification.verify", retry=False)

    assert waits == []
