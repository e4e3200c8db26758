"""Settings of sign-in by OpenID Connect."""

from dataclasses import dataclass, field

from verifyhub.common import env

ROLES = ("viewer", "reviewer", "lead", "admin")
NAME = "Single sign-on"
SCOPES = "openid profile email"
USERNAME_CLAIM = "preferred_username"


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """The project and role granted by one value of the roles claim."""

    value: str
    slug: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcSettings:
    """A provider and the meaning of its claims; disabled without an issuer.

    Attributes:
        issuer: The provider's issuer URL, below which its discovery document is.
        client_id: This server's client id at the provider.
        client_secret: Its client secret.
        name: The label of the button on the sign-in page.
        scopes: Requested scopes, separated by spaces.
        username_claim: The claim with the name of a new account.
        roles_claim: The claim with a list of values, such as groups; dots lead into
            objects. Empty: claims grant no roles.
        grants: The roles that its values grant.
        asks_second_factor: Whether the provider always requires a second factor.
            Otherwise only sign-ins with `mfa` in the claim `amr` count as such.
    """

    issuer: str = ""
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    name: str = NAME
    scopes: str = SCOPES
    username_claim: str = USERNAME_CLAIM
    roles_claim: str = ""
    grants: tuple[RoleGrant, ...] = ()
    asks_second_factor: bool = False


def from_environment() -> OidcSettings:
    """Read `VERIFYHUB_OIDC_*`.

    Raises:
        env.SettingError: If they are invalid together.
    """
    issuer = env.text("VERIFYHUB_OIDC_ISSUER", "")
    client_id = env.text("VERIFYHUB_OIDC_CLIENT_ID", "")
    if issuer and not client_id:
        raise env.SettingError("VERIFYHUB_OIDC_ISSUER needs VERIFYHUB_OIDC_CLIENT_ID")
    scopes = env.text("VERIFYHUB_OIDC_SCOPES", SCOPES)
    if "openid" not in scopes.split():
        raise env.SettingError("VERIFYHUB_OIDC_SCOPES must name openid")
    return OidcSettings(
        issuer=issuer,
        client_id=client_id,
        client_secret=env.text("VERIFYHUB_OIDC_CLIENT_SECRET", ""),
        name=env.text("VERIFYHUB_OIDC_NAME", NAME),
        scopes=scopes,
        username_claim=env.text("VERIFYHUB_OIDC_USERNAME_CLAIM", USERNAME_CLAIM),
        roles_claim=env.text("VERIFYHUB_OIDC_ROLES_CLAIM", ""),
        grants=tuple(_grant(pair) for pair in env.pairs("VERIFYHUB_OIDC_ROLES")),
        asks_second_factor=env.flag("VERIFYHUB_OIDC_ASKS_SECOND_FACTOR", False),
    )


def _grant(text: str) -> RoleGrant:
    value, _, place = text.rpartition("=")
    slug, mark, role = place.partition(":")
    if not mark or role not in ROLES or not slug:
        raise env.SettingError(
            f"VERIFYHUB_OIDC_ROLES: {text!r} is not of the form value=project:role;"
            f" roles are {', '.join(ROLES)}"
        )
    return RoleGrant(value.strip(), slug.strip(), role.strip())
