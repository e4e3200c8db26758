"""Encryption at rest of secrets that must be readable again.

Each row has its own encryption key, derived from VERIFYHUB_SECRET_KEY, the secret's
purpose and the row's id: a sealed secret that is copied to another row or purpose
cannot be opened there.
"""

import base64
from collections.abc import Callable
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from verifyhub.common.steps import Steps

# Seal a package's secrets again under the current key; return how many, and the names
# of those that no known key opens.
RESEALS: Steps[Callable[[], tuple[int, list[str]]]] = Steps()


class UnsealError(Exception):
    """A stored secret was encrypted under a key that this server does not have."""


class Seal:
    """Seals the secrets of one purpose."""

    def __init__(self, purpose: bytes) -> None:
        """Bind the purpose; a secret can be opened for its own purpose only."""
        self._purpose = purpose

    def seal(self, secret: str, *, row: UUID) -> str:
        """Encrypt a secret for one row; an empty one stays empty."""
        return self._fernet(row).encrypt(secret.encode()).decode() if secret else ""

    def unseal(self, sealed: str, *, row: UUID) -> str:
        """Return the secret.

        Raises:
            UnsealError: If neither VERIFYHUB_SECRET_KEY nor one of
                VERIFYHUB_OLD_SECRET_KEYS opens it for this row.
        """
        if not sealed:
            return ""
        try:
            return self._fernet(row).decrypt(sealed).decode()
        except InvalidToken as error:
            raise UnsealError("it was sealed under another secret key") from error

    def reseal(self, sealed: str, *, row: UUID) -> str:
        """Encrypt a secret again under the current VERIFYHUB_SECRET_KEY.

        Raises:
            UnsealError: If no known key opens it.
        """
        return self.seal(self.unseal(sealed, row=row), row=row)

    def _fernet(self, row: UUID) -> MultiFernet:
        secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return MultiFernet([self._derived(secret, row) for secret in secrets])

    def _derived(self, secret: str, row: UUID) -> Fernet:
        kdf = HKDF(
            algorithm=SHA256(), length=32, salt=None, info=self._purpose + row.bytes
        )
        return Fernet(base64.urlsafe_b64encode(kdf.derive(secret.encode())))
