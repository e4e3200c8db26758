"""The keys page: made with a secret shown once, revoked after a question."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import ApiKeyFactory
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.services import secret_digest
from verifyhub.audit.models import AuditEvent

PAGE = "/p/acme/keys/"


@pytest.fixture
def client_of_admin(browse, admin):
    return browse(admin)


def make(client, **changes):
    values = {"name": "CI", "scopes": ["ingest"], "days": "90"} | changes
    return client.post(PAGE, values)


def revoke_url(key):
    return f"{PAGE}{key.id}/revoke/"


def test_new_key_is_shown_once(client_of_admin):
    response = make(client_of_admin)

    secret = response.context["secret"]
    assert secret in response.content.decode()
    assert secret not in client_of_admin.get(PAGE).content.decode()
    assert ApiKey.objects.get().secret_sha256 == secret_digest(secret)


def test_page_with_a_secret_is_never_cached(client_of_admin):
    response = make(client_of_admin)

    assert "no-store" in response.headers["Cache-Control"]


def test_key_expires_when_asked(client_of_admin):
    make(client_of_admin, days="30")

    left = ApiKey.objects.get().expires_at - timezone.now()
    assert timedelta(days=29) < left <= timedelta(days=30)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("name", "", b"Name:"), ("scopes", [], b"Scopes:"), ("days", "7", b"")],
)
def test_bad_input_names_the_field_and_makes_nothing(
    client_of_admin, field, value, said
):
    response = make(client_of_admin, **{field: value})

    assert response.status_code == 422
    assert said in response.content
    assert not ApiKey.objects.exists()


def test_revoking_asks_first(client_of_admin, api_key):
    response = client_of_admin.get(revoke_url(api_key))

    api_key.refresh_from_db()
    assert b"cannot be undone" in response.content
    assert api_key.revoked_at is None


def test_revoked_key_is_refused_at_once(client_of_admin, api_key):
    client_of_admin.post(revoke_url(api_key))

    api_key.refresh_from_db()
    assert not api_key.is_usable(timezone.now())
    assert AuditEvent.objects.filter(action="accounts.api_key_revoked").exists()


def test_revoking_twice_says_so(client_of_admin, api_key):
    client_of_admin.post(revoke_url(api_key))

    response = client_of_admin.post(revoke_url(api_key), follow=True)

    assert b"was already revoked" in response.content


def test_key_of_another_project_is_not_found(client_of_admin):
    foreign = ApiKeyFactory()

    response = client_of_admin.post(revoke_url(foreign))

    foreign.refresh_from_db()
    assert response.status_code == 404
    assert foreign.revoked_at is None


def test_leads_may_not_see_keys(browse, lead):
    assert browse(lead).get(PAGE).status_code == 403


def test_eight_failed_sign_ins_lock_the_door(reviewer):
    client = Client()
    answers = [
        client.post(
            "/accounts/login/", {"username": reviewer.username, "password": "wrong"}
        )
        for _ in range(8)
    ]

    assert answers[0].status_code == 200
    assert b"Too many failed sign-ins" in answers[-1].content
