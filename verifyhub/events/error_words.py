"""Errors of deliveries and of disabled webhooks, in the reader's language.

Texts of receivers and libraries are stored and shown as they are.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from verifyhub.common.egress_words import EGRESS_WORDS

DELETED: Final = "receiver_deleted"
FORGOTTEN: Final = "event_forgotten"
UNSEALED: Final = "secret_unsealed"
ERRORS: Final = {
    **EGRESS_WORDS,
    DELETED: _("The receiver was deleted."),
    FORGOTTEN: _("The event is no longer stored."),
    UNSEALED: _("The secret was sealed under another VERIFYHUB_SECRET_KEY."),
}
GONE: Final = "receiver_gone"
FAILING: Final = "receiver_failing"
REASONS: Final = {
    GONE: _("The receiver responded that it is gone."),
    FAILING: _("No delivery succeeded for %(n)s days; last error: %(why)s."),
}


def error_words(error: str) -> str:
    """Return the error of an attempt or a delivery as text."""
    return str(ERRORS.get(error, error))


def reason_words(reason: str, params: Mapping[str, Any]) -> str:
    """Return why a webhook was disabled, as text.

    Args:
        reason: `WebhookEndpoint.state_reason`; in older rows an English sentence.
        params: `WebhookEndpoint.state_params`: `n` days and the last `error`.
    """
    if reason not in REASONS:
        return reason
    return str(REASONS[reason]) % {
        **params,
        "why": error_words(params.get("error", "")),
    }
