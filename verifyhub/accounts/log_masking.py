"""A log processor that masks secrets in every event (ADR 0077)."""

import os
from collections.abc import MutableMapping
from functools import cache
from typing import Any

from verifyhub_client.masking import Masker


def mask_event(
    _logger: Any, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Mask the secrets in one event with its traceback: a structlog processor.

    The key of the masks is that of the process.
    """
    masked = _masker().document(dict(event))
    if masked.values:
        event.update(masked.document)
    return event


@cache
def _masker() -> Masker:
    return Masker(os.urandom(32))
