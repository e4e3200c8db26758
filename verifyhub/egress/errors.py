"""Errors of outgoing requests."""

from typing import Final

MESSAGES: Final = {
    "address_not_http": "the address is not an http or https URL",
    "address_not_https": "the address is not https",
    "address_not_public": (
        "the address is not public, and the operator does not allow this host and port"
    ),
    "address_with_user": "the address contains a user name",
    "address_without_port": "the address has no port",
    "connection_broke": "the connection was interrupted",
    "host_not_plain": "the host is not a valid name or address",
    "host_unknown": "the host name cannot be resolved",
    "no_connection": "no connection to the host",
    "no_handshake": "no handshake in time",
    "no_http": "the server closed the connection or did not reply in HTTP",
    "no_reply": "no complete reply arrived in time",
    "no_trusted_tls": "no trusted TLS connection",
    "port_of_other_protocol": "the port uses another protocol",
    "reply_compressed": "the reply is compressed",
    "reply_too_large": "the reply exceeds the size limit",
    "request_not_http": "the request cannot be sent as HTTP",
    "request_not_taken": "the request was not taken",
}


class EgressError(Exception):
    """A request was not sent, or its reply was not read completely.

    Attributes:
        reason: A stable word: `blocked` (the policy forbids the address),
            `unreachable` (the name does not resolve, or the connection fails),
            `deadline`, `too_large`, or `malformed` (not HTTP, or a compressed body).
        code: The exact cause, one of `MESSAGES`; for any other cause the name of the
            exception.
        was_sent: False if it is certain that no part of the request was sent.
    """

    def __init__(self, reason: str, code: str, *, was_sent: bool = True) -> None:
        super().__init__(MESSAGES.get(code, code))
        self.reason, self.code, self.was_sent = reason, code, was_sent
