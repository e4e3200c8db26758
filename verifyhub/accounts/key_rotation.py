"""Rotation of a key's secret; the former secret stays valid for a time.

The key stays the same row, which its answers, memory and judgements refer to.
"""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from verifyhub.accounts.models import ApiKey, User
from verifyhub.accounts.services import KEY_PREFIX, VISIBLE_CHARACTERS, secret_digest
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if


class KeyNotRotatableError(Exception):
    """The key is revoked or expired, or was just rotated."""


@transaction.atomic
def rotate_api_key(
    *,
    key: ApiKey,
    actor: User | None,
    now: datetime,
    overlap: timedelta,
    expires_at: datetime | None,
) -> tuple[ApiKey, str]:
    """Rotate a key's secret and return both; the secret is never shown again.

    Args:
        key: A valid key.
        actor: Who requested it; None for the system.
        now: The time (aware).
        overlap: How long the former secret stays valid, but not beyond its own expiry.
            The one before it ends at once.
        expires_at: When the new secret expires (aware); None for never.

    Raises:
        KeyNotRotatableError: If the key is no longer valid, or was changed since it
            was read.
    """
    if not key.is_usable(now):
        raise KeyNotRotatableError(str(key))
    secret = KEY_PREFIX + secrets.token_urlsafe(32)
    former = {"prefix": key.prefix, "expires_at": _text(key.expires_at)}
    until = min(filter(None, (now + overlap, key.expires_at)))
    changed = update_if(
        key,
        expected={"secret_sha256": key.secret_sha256, "revoked_at": None},
        secret_sha256=secret_digest(secret),
        prefix=secret[:VISIBLE_CHARACTERS],
        expires_at=expires_at,
        rotated_at=now,
        former_sha256=key.secret_sha256,
        former_prefix=key.prefix,
        former_until=until,
        former_used_at=None,
    )
    if not changed:
        raise KeyNotRotatableError(str(key))
    record_event(
        "accounts.api_key_rotated",
        key,
        actor,
        before=former,
        after={
            "prefix": key.prefix,
            "expires_at": _text(expires_at),
            "former_until": until.isoformat(),
        },
    )
    return key, secret


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
