"""OpenID Connect: the exchange with the provider, accounts and their roles.

Authlib implements the protocol: discovery, PKCE, state, nonce, and the signature,
issuer and audience of the identity token. This module interprets its claims.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from verifyhub.accounts.models import Membership, OidcIdentity, Project, Role, User
from verifyhub.accounts.people import remove_member
from verifyhub.accounts.services import LastAdminError, set_role
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

SECONDS = 10
DISCOVERY = "/.well-known/openid-configuration"
ORDER = [Role.VIEWER, Role.REVIEWER, Role.LEAD, Role.ADMIN]


class ProviderError(Exception):
    """The provider is unreachable, or its reply cannot be trusted."""


class SignInRefusedError(Exception):
    """The provider authenticated the person, but this server refuses them.

    Attributes:
        code: `disabled`, `name_taken`, `no_name` or `not_invited`.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def begin(request: HttpRequest) -> HttpResponse:
    """Redirect a browser to the provider.

    Raises:
        ProviderError: If its discovery document cannot be read.
    """
    address = settings.ROOT_URL + reverse("accounts:oidc-callback")
    try:
        answer: HttpResponse = _client().authorize_redirect(request, address)
    except _failures() as error:
        raise ProviderError(f"{type(error).__name__}: {error}") from error
    return answer


def claims_of(request: HttpRequest) -> Mapping[str, Any]:
    """Return the provider's claims about the person of a callback.

    Raises:
        ProviderError: If the callback belongs to no sign-in of this browser, the code
            is refused, or the identity token is invalid.
    """
    try:
        client = _client()
        token = client.authorize_access_token(
            request,
            claims_options={
                "iss": {"essential": True, "value": settings.OIDC.issuer},
                "sub": {"essential": True},
            },
        )
        claims: dict[str, Any] = dict(token.get("userinfo") or {})
        if not claims.get("sub"):
            raise ProviderError("no identity token")
        return {**_more_claims(client, token, claims), **claims}
    except _failures() as error:
        raise ProviderError(f"{type(error).__name__}: {error}") from error


@transaction.atomic
def sign_in(*, claims: Mapping[str, Any], is_invited: bool) -> User:
    """Return the account that the claims identify, with the roles they grant.

    Accounts are identified by issuer and subject only: a name or an address at the
    provider is no proof of identity. A new account is created for people with a role
    from the claims, or with an invitation.

    Args:
        claims: Verified claims, with `sub`.
        is_invited: Whether the browser has opened a valid invitation.

    Raises:
        SignInRefusedError: If they are refused; then nothing is changed.
    """
    issuer, subject = settings.OIDC.issuer, str(claims["sub"])[:255]
    rows = OidcIdentity.objects.filter(issuer=issuer, subject=subject)
    identity = rows.select_related("user").first()
    granted = roles_in(claims)
    if identity is None:
        if not granted and not is_invited:
            raise SignInRefusedError("not_invited")
        user = _new_user(claims)
        OidcIdentity.objects.create(user=user, issuer=issuer, subject=subject)
    else:
        user = identity.user
    if not user.is_active:
        raise SignInRefusedError("disabled")
    if settings.OIDC.roles_claim:
        _give(user, granted)
    return user


@transaction.atomic
def connect(*, user: User, subject: str, actor: User | None) -> None:
    """Connect an existing account to the provider.

    Args:
        user: The person.
        subject: The person's id at the provider: the claim `sub`.
        actor: Who connects it; None for the operator.
    """
    OidcIdentity.objects.update_or_create(
        user=user, defaults={"issuer": settings.OIDC.issuer, "subject": subject}
    )
    record_event(
        "accounts.oidc_connected",
        user,
        actor,
        after={"issuer": settings.OIDC.issuer, "subject": subject},
    )


def roles_in(claims: Mapping[str, Any]) -> dict[str, Role]:
    """Return the highest role that claims grant in each project, by its slug."""
    values = set(_values(claims, settings.OIDC.roles_claim))
    roles: dict[str, Role] = {}
    for grant in settings.OIDC.grants:
        role = Role(grant.role)
        current = roles.get(grant.slug)
        higher = current is None or ORDER.index(role) > ORDER.index(current)
        if grant.value in values and higher:
            roles[grant.slug] = role
    return roles


def _values(claims: Mapping[str, Any], path: str) -> Iterator[str]:
    """Return the texts at a path: a claim's name, or a dotted path into objects."""
    if not path:
        return
    value: Any = claims.get(path)
    if value is None:
        value = claims
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _give(user: User, granted: Mapping[str, Role]) -> None:
    """Set a person's roles in the projects of the grants to those of the claims."""
    slugs = {grant.slug for grant in settings.OIDC.grants}
    roles = dict(
        Membership.objects.filter(user=user).values_list("project__slug", "role")
    )
    for project in Project.objects.filter(slug__in=slugs).order_by("slug"):
        role = granted.get(project.slug)
        try:
            if role is not None and roles.get(project.slug) != role:
                set_role(project=project, user=user, role=role, actor=None)
            elif role is None and project.slug in roles:
                remove_member(project=project, user=user, actor=None)
        except LastAdminError:
            # A mistake at the provider must not leave a project without an admin.
            logger.warning("oidc.last_admin_kept", project=project.slug)


def _new_user(claims: Mapping[str, Any]) -> User:
    name = str(claims.get(settings.OIDC.username_claim) or claims.get("email") or "")
    is_known = claims.get("email_verified") is not False
    email = str(claims.get("email") or "") if is_known else ""
    user = User(username=User.normalize_username(name.strip()), email=email)
    user.set_unusable_password()
    try:
        user.clean_fields()
    except ValidationError as error:
        raise SignInRefusedError("no_name") from error
    if User.objects.filter(username__iexact=user.username).exists():
        raise SignInRefusedError("name_taken")
    user.save()
    record_event(
        "accounts.user_created",
        user,
        user,
        after={"username": user.username, "by": settings.OIDC.issuer},
    )
    return user


def _more_claims(
    client: Any, token: Mapping[str, Any], claims: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Request claims that the identity token does not have, such as groups."""
    names = [settings.OIDC.username_claim, settings.OIDC.roles_claim]
    missing = any(name and not list(_values(claims, name)) for name in names)
    if not missing or "userinfo_endpoint" not in client.load_server_metadata():
        return {}
    more = dict(client.userinfo(token=token))
    # Claims about another subject are ignored: OpenID Connect Core 1.0, 5.3.2.
    return more if more.get("sub") == claims["sub"] else {}


def _client() -> Any:
    chosen = settings.OIDC
    return _registered(
        chosen.issuer, chosen.client_id, chosen.client_secret, chosen.scopes
    )


@lru_cache(maxsize=4)
def _registered(issuer: str, client_id: str, client_secret: str, scopes: str) -> Any:
    """Authlib's client; it keeps the provider's discovery document and keys."""
    from authlib.integrations.django_client import OAuth

    return OAuth().register(
        "oidc",
        client_id=client_id,
        client_secret=client_secret or None,
        server_metadata_url=issuer.rstrip("/") + DISCOVERY,
        client_kwargs={
            "scope": scopes,
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
            **({} if client_secret else {"token_endpoint_auth_method": "none"}),
        },
    )


def _failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of Authlib for an unreachable provider or invalid reply."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError

    return (
        AuthlibBaseError,
        JoseError,
        # Includes exceptions of requests.
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RuntimeError,
    )
