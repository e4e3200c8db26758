"""Authentication of API requests by keys."""

import binascii
from base64 import b64decode
from datetime import timedelta
from typing import cast

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from verifyhub.accounts.known_keys import known_keys
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.services import KEY_PREFIX, secret_digest

# The resolution of `last_used_at`, which saves a write for most requests.
LAST_USED_RESOLUTION = timedelta(minutes=1)


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer vh_…`; the key becomes `request.auth`.

    Keys are looked up by their SHA-256, so that neither the database nor timing reveals
    a secret; a revoked key is refused from the next request on.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiKey] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"bearer":
            return None
        return self.by_secret(parts[1].decode("latin-1") if len(parts) == 2 else "")

    def by_secret(self, secret: str) -> tuple[AnonymousUser, ApiKey]:
        """Return an anonymous user and the API key with this secret.

        Raises:
            AuthenticationFailed: If there is no such key, or it is revoked or expired.
        """
        if not secret.startswith(KEY_PREFIX):
            raise AuthenticationFailed("The Authorization header contains no API key.")
        digest, now = secret_digest(secret), timezone.now()
        key = known_keys.find(digest)
        is_former = key is not None and key.secret_sha256 != digest
        works = ApiKey.former_works if is_former else ApiKey.is_usable
        if key is None or not works(key, now):
            raise AuthenticationFailed("This API key is unknown, revoked or expired.")
        field = "former_used_at" if is_former else "last_used_at"
        noted = getattr(key, field)
        if noted is None or now - noted > LAST_USED_RESOLUTION:
            known_keys.note_use(digest, field, now)
        return AnonymousUser(), key

    def authenticate_header(self, _request: Request) -> str:
        return 'Bearer realm="VerifyHub"'


class BasicKeyAuthentication(ApiKeyAuthentication):
    """`Authorization: Basic`, with an API key as the password, for tools that send it.

    The user name is ignored: other products expect a public key there.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiKey] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"basic":
            return None
        try:
            pair = b64decode(parts[1] if len(parts) == 2 else b"", validate=True)
        except binascii.Error:
            pair = b""
        _, _, secret = pair.decode("latin-1").partition(":")
        return self.by_secret(secret)

    def authenticate_header(self, _request: Request) -> str:
        return 'Basic realm="VerifyHub"'


def key_of(request: Request) -> ApiKey:
    """Return the key of an authorised request."""
    return cast(ApiKey, request.auth)
