"""Secrets of webhooks, encrypted at rest."""

import json
from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from verifyhub.common.sealing import Seal, UnsealError
from verifyhub.events.models import WebhookEndpoint

_SECRETS = Seal(b"verifyhub.events.webhook-secret.1:")
_HEADERS = Seal(b"verifyhub.events.webhook-headers.1:")
SEALED = {
    "sealed_secret": _SECRETS,
    "sealed_old_secret": _SECRETS,
    "sealed_headers": _HEADERS,
}


def keep_secret(row: WebhookEndpoint, secret: str) -> None:
    """Seal a secret for its row, without saving."""
    row.sealed_secret = _SECRETS.seal(secret, row=row.id)


def keep_headers(row: WebhookEndpoint, headers: Mapping[str, str]) -> None:
    """Seal headers for their row, without saving."""
    text = json.dumps(dict(headers)) if headers else ""
    row.sealed_headers = _HEADERS.seal(text, row=row.id)


def signing_secrets(row: WebhookEndpoint, now: datetime) -> list[str]:
    """Return the secrets that sign at a time, the current one first.

    Raises:
        UnsealError: If one was sealed under a key that this server does not have.
    """
    sealed = [row.sealed_secret]
    if row.has_old_secret(now):
        sealed.append(row.sealed_old_secret)
    return [_SECRETS.unseal(secret, row=row.id) for secret in sealed if secret]


def headers_of(row: WebhookEndpoint) -> dict[str, str]:
    """Return the headers for the receiver.

    Raises:
        UnsealError: If they were sealed under a key that this server does not have.
    """
    text = _HEADERS.unseal(row.sealed_headers, row=row.id)
    return dict(json.loads(text)) if text else {}


@transaction.atomic
def reseal_webhooks() -> tuple[int, list[str]]:
    """Seal everything again under the current VERIFYHUB_SECRET_KEY.

    Returns:
        How many receivers were sealed, and those whose secrets cannot be opened, as
        `project/name`.
    """
    done, unreadable = 0, []
    rows = WebhookEndpoint.objects.select_related("project").order_by("id")
    for row in rows.select_for_update(of=("self",)):
        try:
            for field, seal in SEALED.items():
                setattr(row, field, seal.reseal(getattr(row, field), row=row.id))
        except UnsealError:
            unreadable.append(f"{row.project.slug}/{row.name}")
        else:
            row.save(update_fields=list(SEALED))
            done += 1
    return done, unreadable
