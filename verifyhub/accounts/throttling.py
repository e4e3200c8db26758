"""Refuses requests beyond the rate limit of their key or project."""

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.rate_limits import limiter
from verifyhub.common.api import REPLY_HEADERS, ApiProblem

if TYPE_CHECKING:
    # At run time the import would read the settings, which name this module.
    from rest_framework.views import APIView

# Registered by draft-ietf-httpapi-ratelimit-headers.
QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded"


class KeyRate(BaseThrottle):
    """Counts all requests of an API key."""

    def allow_request(self, request: Request, _view: "APIView") -> bool:
        """Return whether the request is within the limits of key and project.

        Raises:
            ApiProblem: 429, with the time until it may be repeated.
        """
        if not isinstance(request.auth, ApiKey):
            return True
        spent = limiter.spend(key_of(request))
        request.META[REPLY_HEADERS] = spent.headers()
        if spent.is_allowed:
            return True
        over = spent.exhausted
        raise ApiProblem(
            429,
            "The API key or its project exceeded its rate limit.",
            headers={"Retry-After": str(max((b.next_in for b in over), default=1))},
            kind=QUOTA_EXCEEDED,
            members={"violated-policies": [bucket.name for bucket in over]},
        )
