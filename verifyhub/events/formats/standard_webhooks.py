"""Standard Webhooks 1.0: the body, and a signature for every secret that is valid.

Source: https://github.com/standard-webhooks/standard-webhooks
"""

import json
import secrets
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime

from standardwebhooks import Webhook

from verifyhub import __version__
from verifyhub.events.bounds import bounded
from verifyhub.events.formats.message import Message, Outgoing

# The specification asks for less than 20 kB, envelope and all.
MAX_BODY = 19_000
SECRET_BYTES = 32
PREFIX = "whsec_"


def new_secret() -> str:
    """Return a secret as receivers configure it."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def as_webhook(
    message: Message, *, url: str, signing: Sequence[str], now: datetime
) -> Outgoing:
    """Return the request of one attempt.

    The body and `webhook-id` are those of every attempt; the timestamp is this one's,
    so that a receiver may refuse what was kept back and sent again.

    Args:
        message: The event.
        url: The receiver's.
        signing: Secrets, each of which signs.
        now: The moment of the attempt (UTC).
    """
    body = _body(message)
    signatures = [Webhook(secret).sign(message.id, now, body) for secret in signing]
    return Outgoing(
        url=url,
        body=body.encode(),
        headers={
            "Content-Type": "application/json",
            "User-Agent": f"VerifyHub/{__version__}",
            "webhook-id": message.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        },
    )


def _body(message: Message) -> str:
    envelope = {
        "id": message.id,
        "cursor": str(message.position),
        "project": message.project,
        "subject": dict(message.subject),
    }
    data = bounded({**message.data, **envelope}, most_bytes=MAX_BODY)
    return json.dumps(
        {
            "type": message.type,
            "timestamp": message.occurred_at.isoformat(),
            "data": data,
        },
        separators=(",", ":"),
    )
