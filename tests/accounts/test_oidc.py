"""Sign-in at a real provider of OpenID Connect, over HTTP, from click to role."""

import re
import warnings
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import requests
from django.test import Client

from tests.factories import MembershipFactory, UserFactory
from verifyhub.accounts.invitations import invite
from verifyhub.accounts.models import (
    Authenticator,
    Membership,
    OidcIdentity,
    Role,
    User,
)
from verifyhub.accounts.oidc import connect
from verifyhub.accounts.second_factor import begin
from verifyhub.common.env import SettingError
from verifyhub.config.oidc import OidcSettings, RoleGrant, from_environment

pytestmark = pytest.mark.django_db

GRANTS = (
    RoleGrant("hub-admins", "acme", "admin"),
    RoleGrant("everyone", "acme", "viewer"),
)
ADA = {"preferred_username": "ada", "email": "ada@example.org"}


@pytest.fixture(scope="module")
def provider():
    # A web framework, which each process that tests would load. Authlib warns of itself
    # whatever is asked for.
    with warnings.catch_warnings(record=True):
        from oidc_provider_mock import run_server_in_thread

    with run_server_in_thread(require_nonce=True) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(autouse=True)
def signed_up_there(settings, provider):
    settings.OIDC = OidcSettings(
        issuer=provider,
        client_id="hub",
        client_secret="a secret",
        name="Example ID",
        roles_claim="groups",
        grants=GRANTS,
    )


def known(provider, subject, **claims):
    """Tell the provider what it says of somebody."""
    requests.put(f"{provider}/users/{subject}", json=claims, timeout=10)


def at_provider(client, subject, begin="/accounts/oidc/"):
    """Go to the provider and agree there; return the path that it leads back to."""
    there = client.get(begin)
    assert there.status_code == 302, there.content.decode()
    back = requests.post(
        there.url, data={"sub": subject}, allow_redirects=False, timeout=10
    )
    parts = urlsplit(back.headers["location"])
    assert parts.path == "/accounts/oidc/callback/"
    return f"{parts.path}?{parts.query}"


def signed_in(subject, client=None):
    client = client or Client()
    return client, client.get(at_provider(client, subject))


def role_of(name):
    held = Membership.objects.filter(user__username=name, project__slug="acme").first()
    return held and held.role


def test_who_has_a_role_there_gets_an_account_and_the_highest_one(provider, project):
    known(provider, "s-1", **ADA, groups=["everyone", "hub-admins", "others"])

    client, reply = signed_in("s-1")

    assert reply.url == "/"
    assert client.get("/p/acme/people/").status_code == 200
    ada = User.objects.get(username="ada")
    assert (role_of("ada"), ada.email) == (Role.ADMIN, "ada@example.org")
    assert not ada.has_usable_password()
    assert ada.identity.subject == "s-1"


def test_roles_follow_the_claims_at_each_sign_in(provider, project, admin):
    for groups, role in (
        (["everyone"], Role.VIEWER),
        (["hub-admins"], Role.ADMIN),
        ([], None),
    ):
        known(provider, "s-2", preferred_username="bob", groups=groups)
        signed_in("s-2")

        assert role_of("bob") == role


def test_the_last_admin_of_a_project_stays_one(provider, project):
    known(provider, "s-3", preferred_username="eve", groups=["hub-admins"])
    signed_in("s-3")
    known(provider, "s-3", preferred_username="eve", groups=[])

    signed_in("s-3")

    assert role_of("eve") == Role.ADMIN


def test_a_name_there_opens_no_account_here(provider, project, admin):
    known(provider, "s-4", preferred_username="Admin", groups=["everyone"])

    client, reply = signed_in("s-4")

    assert reply.status_code == 403
    assert b"verifyhub user connect" in reply.content
    assert client.get("/accounts/profile/").status_code == 302
    assert not OidcIdentity.objects.exists()


def test_an_account_that_was_connected_is_opened(provider, reviewer):
    known(provider, "s-5", preferred_username="whoever", groups=["everyone"])
    connect(user=reviewer, subject="s-5", actor=None)

    client, _ = signed_in("s-5")

    assert client.get("/accounts/profile/").context["user"] == reviewer


def test_strangers_are_let_in_by_an_invitation_alone(provider, project, admin):
    known(provider, "s-6", preferred_username="grace", groups=[])
    _, link = invite(project=project, role=Role.LEAD, actor=admin)
    client = Client()

    _, refused = signed_in("s-6")
    client.get(urlsplit(link).path)
    back = at_provider(client, "s-6", "/accounts/oidc/?next=/accounts/join/")
    reply = client.get(back)
    client.post(reply.url)

    assert refused.status_code == 403
    assert reply.url == "/accounts/join/"
    assert role_of("grace") == Role.LEAD


def test_disabled_accounts_stay_out(provider, project):
    user = UserFactory(is_active=False)
    known(provider, "s-7", groups=["everyone"])
    connect(user=user, subject="s-7", actor=None)

    client, reply = signed_in("s-7")

    assert reply.status_code == 403
    assert client.get("/accounts/profile/").status_code == 302


def test_an_answer_counts_once_and_only_in_the_browser_that_asked(provider, project):
    known(provider, "s-8", preferred_username="kim", groups=["everyone"])
    client = Client()
    back = at_provider(client, "s-8")

    assert Client().get(back).status_code == 502
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 502


def test_another_issuer_is_not_believed(provider, settings, project):
    known(provider, "s-9", preferred_username="mallory", groups=["hub-admins"])
    client = Client()
    back = at_provider(client, "s-9")
    settings.OIDC = OidcSettings(
        issuer=provider + "/", client_id="hub", client_secret="a secret"
    )

    assert client.get(back).status_code == 502
    assert not User.objects.filter(username="mallory").exists()


def test_what_follows_a_sign_in_is_never_another_site(provider, project):
    known(provider, "s-10", preferred_username="lea", groups=["everyone"])
    client = Client()

    back = at_provider(client, "s-10", "/accounts/oidc/?next=https://evil.example/")

    assert client.get(back).url == "/"


def test_a_provider_that_is_away_is_told_of(settings):
    settings.OIDC = OidcSettings(issuer="http://127.0.0.1:1", client_id="hub")

    reply = Client().get("/accounts/oidc/")

    assert reply.status_code == 502
    assert b"The identity provider could not be reached" in reply.content


def test_the_sign_in_page_has_the_button_only_where_it_is_set_up(settings):
    assert b"Example ID" in Client().get("/accounts/login/").content
    settings.OIDC = OidcSettings()

    assert b"accounts/oidc" not in Client().get("/accounts/login/").content
    assert Client().get("/accounts/oidc/").status_code == 404


def test_roles_of_other_projects_stay(provider, project):
    known(provider, "s-11", preferred_username="noa", groups=["everyone"])
    signed_in("s-11")
    other = MembershipFactory(user=User.objects.get(username="noa"), role=Role.LEAD)

    signed_in("s-11")

    other.refresh_from_db()
    assert other.role == Role.LEAD


@pytest.fixture
def asked_reviewer(reviewer, project):
    """Somebody of whom the project asks a second factor, known there as s-12."""
    project.second_factor_from = "reviewer"
    project.save()
    connect(user=reviewer, subject="s-12", actor=None)
    return reviewer


def test_who_gave_a_second_factor_there_is_not_asked_for_one(provider, asked_reviewer):
    known(provider, "s-12", groups=["hub-admins"], amr=["pwd", "mfa"])
    in_use(asked_reviewer)

    client, reply = signed_in("s-12")

    assert reply.url == "/"
    assert client.get("/p/acme/review/").status_code == 200


def test_who_gave_a_password_alone_there_is_asked_for_a_code(provider, asked_reviewer):
    known(provider, "s-12", groups=["hub-admins"], amr=["pwd"])
    in_use(asked_reviewer)

    client, reply = signed_in("s-12")

    assert reply.url == "/accounts/login/code/"
    assert client.get("/accounts/profile/").status_code == 302


def test_without_one_there_or_here_a_role_that_needs_it_sets_it_up(
    provider, asked_reviewer
):
    known(provider, "s-12", groups=["hub-admins"])

    client, _ = signed_in("s-12")

    assert client.get("/p/acme/review/").url == "/accounts/profile/second-factor/"


def test_an_operator_may_say_that_the_provider_asks_everybody(
    provider, asked_reviewer, settings
):
    settings.OIDC = replace(settings.OIDC, asks_second_factor=True)
    known(provider, "s-12", groups=["hub-admins"])

    client, _ = signed_in("s-12")

    assert client.get("/p/acme/review/").status_code == 200


def in_use(user):
    begin(user)
    Authenticator.objects.update(confirmed=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLIENT_ID", ""),
        ("SCOPES", "profile"),
        ("ROLES", "group"),
        ("ROLES", "group=main:king"),
        ("ROLES", "group=admin"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_at_the_start(
    monkeypatch, name, value
):
    monkeypatch.setenv("VERIFYHUB_OIDC_ISSUER", "https://id.example.org")
    monkeypatch.setenv("VERIFYHUB_OIDC_CLIENT_ID", "hub")
    monkeypatch.setenv(f"VERIFYHUB_OIDC_{name}", value)

    with pytest.raises(SettingError, match=re.escape("VERIFYHUB_OIDC_")):
        from_environment()
