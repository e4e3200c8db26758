"""Encryption of the connection to the mail server."""

from enum import StrEnum


class EmailSecurity(StrEnum):
    """Values of `VERIFYHUB_EMAIL_SECURITY`."""

    STARTTLS = "starttls"
    TLS = "tls"
    # Only on the same machine or a private network.
    NONE = "none"
