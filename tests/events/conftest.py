import pytest
from django.db import connection

from tests.events.receiver import a_receiver
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import WebhookValues, add_webhook, publish


@pytest.fixture
def settle():
    """Number the events of a test's own transaction, as its commit would."""
    return connection.check_constraints


@pytest.fixture
def receiver(settings):
    """A receiver on this machine, which the operator allows."""
    with a_receiver() as made:
        settings.WEBHOOK_ALLOW_PRIVATE = frozenset({made.pair})
        yield made


@pytest.fixture
def webhook(project, receiver):
    """Add a webhook: `webhook(types=(…,))` gives it and its secret."""

    def added(**values):
        chosen = {"name": "ci", "url": receiver.url, **values}
        return add_webhook(project=project, values=WebhookValues(**chosen), actor=None)

    return added


@pytest.fixture
def tell(project, settle):
    """Publish an event as a commit would: `tell(n=1)`."""

    def told(kind=EventType.VERIFICATION_FAILED, subject=None, **data):
        event = publish(project=project, type=kind, data=data, subject=subject or {})
        settle()
        event.refresh_from_db()
        return event

    return told
