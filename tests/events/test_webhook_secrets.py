"""Secrets of webhooks are sealed for their row, and anew when the key changes."""

import pytest
from django.utils import timezone

from verifyhub.common.sealing import UnsealError
from verifyhub.events.models import WebhookDelivery
from verifyhub.events.services import deliver_due, reseal_webhooks
from verifyhub.events.services.secrets import headers_of, signing_secrets

OTHER = "another-secret-key-" + "x" * 40


def test_after_a_change_of_the_key_they_are_sealed_anew(webhook, settings):
    endpoint, secret = webhook()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = OTHER

    assert reseal_webhooks() == (1, [])
    settings.SECRET_KEY_FALLBACKS = []
    endpoint.refresh_from_db()
    assert signing_secrets(endpoint, timezone.now()) == [secret]


def test_what_no_key_opens_is_named_and_nothing_is_sent(
    webhook, receiver, tell, settings
):
    webhook(form="webhook")
    settings.SECRET_KEY = OTHER
    tell()
    deliver_due()

    assert reseal_webhooks() == (0, ["acme/ci"])
    assert receiver.got == []
    assert "sealed under another" in WebhookDelivery.objects.get().error_words


def test_a_sealed_secret_opens_for_its_own_row_alone(webhook):
    one, _ = webhook(form="otlp-logs", headers={"X-Key": "k"})
    other, _ = webhook(name="other")
    other.sealed_headers = one.sealed_headers

    assert headers_of(one) == {"X-Key": "k"}
    with pytest.raises(UnsealError):
        headers_of(other)
