"""Devices of django-otp whose secrets are encrypted at rest.

django-otp compares codes, accepts each once, and throttles guesses: the wait doubles
after each wrong code. Secrets are sealed and hashed here, so that a copy of the
database is not enough to sign in.
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.conf import settings
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from verifyhub.common.sealing import UnsealError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

PURPOSE = b"second factor"


class Authenticator(TOTPDevice):  # type: ignore[misc]
    """A TOTP device whose secret is sealed for one person."""

    class Meta:
        proxy = True

    @property
    def bin_key(self) -> bytes:
        """The secret.

        Raises:
            UnsealError: If it was sealed under a key that this server does not have.
        """
        from cryptography.exceptions import InvalidTag

        for cipher in _ciphers():
            try:
                return cipher.decrypt(bytes.fromhex(self.key), _owner(self.user_id))
            except InvalidTag:
                continue
        raise UnsealError("it was sealed under another secret key")


class BackupCodes(StaticDevice):  # type: ignore[misc]
    """Backup codes, each for one sign-in; only hashes are stored."""

    class Meta:
        proxy = True

    def verify_token(self, token: str) -> bool:
        """Accept a code once, ignoring white space, hyphens and case."""
        return bool(super().verify_token(stored_form(token)))


def stored_form(code: str) -> str:
    """Return the stored form of a backup code: 96 bits of its SHA-256.

    A code has 120 random bits, so a slow hash is not needed.
    """
    bare = "".join(code.replace("-", " ").lower().split())
    digest = hashlib.sha256(bare.encode(errors="replace")).digest()
    return base64.urlsafe_b64encode(digest[:12]).decode()


def seal_secret(secret: bytes, *, user_id: int) -> str:
    """Encrypt a secret of at most 24 bytes for one person: 80 hexadecimal digits."""
    return next(_ciphers()).encrypt(secret, _owner(user_id)).hex()


def _ciphers() -> "Iterator[AESSIV]":
    """Return the ciphers of the current key and of former ones.

    The column is too short for `common.sealing`; AES-SIV adds 16 bytes.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        kdf = HKDF(algorithm=SHA256(), length=64, salt=None, info=PURPOSE)
        yield AESSIV(kdf.derive(key.encode()))


def _owner(user_id: int) -> list[bytes]:
    """Return the associated data that binds a sealed secret to its person."""
    return [str(user_id).encode()]
