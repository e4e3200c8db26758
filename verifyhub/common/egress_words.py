"""Errors of outgoing requests, in the reader's language."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from verifyhub.common.private_hosts import shown
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import target_of

EGRESS_WORDS: Final = {
    "address_not_http": _("the address is not an http or https URL"),
    "address_not_https": _("the address is not https"),
    "address_not_public": _(
        "the address is not public, and the operator does not allow this host and port"
    ),
    "address_with_user": _("the address contains a user name"),
    "address_without_port": _("the address has no port"),
    "connection_broke": _("the connection was interrupted"),
    "host_not_plain": _("the host is not a valid name or address"),
    "host_unknown": _("the host name cannot be resolved"),
    "no_connection": _("no connection to the host"),
    "no_handshake": _("no handshake in time"),
    "no_http": _("the server closed the connection or did not reply in HTTP"),
    "no_reply": _("no complete reply arrived in time"),
    "no_trusted_tls": _("no trusted TLS connection"),
    "port_of_other_protocol": _("the port uses another protocol"),
    "reply_compressed": _("the reply is compressed"),
    "reply_too_large": _("the reply exceeds the size limit"),
    "request_not_http": _("the request cannot be sent as HTTP"),
    "request_not_taken": _("the request was not taken"),
}


# What the operator can allow for one host and port.
ALLOWABLE: Final = {"address_not_https", "address_not_public", "port_of_other_protocol"}


def how_to_allow(url: str, *, purpose: str, setting: str) -> str:
    """Return how the operator can allow an address; empty if nobody can.

    Args:
        url: The address as entered.
        purpose: The argument of `verifyhub allow`.
        setting: The environment variable with the same effect.
    """
    try:
        target = target_of(url)
    except EgressError:
        return ""
    return _(
        "The operator of this server can allow it with “verifyhub allow"
        " %(purpose)s %(place)s”, which takes effect at once, or with"
        " %(setting)s=%(place)s and a restart."
    ) % {
        "purpose": purpose,
        "place": shown((target.host, target.port)),
        "setting": setting,
    }


def egress_words(code: str) -> str:
    """Return the text for the code of an `EgressError`; other texts as they are."""
    return str(EGRESS_WORDS.get(code, code))
