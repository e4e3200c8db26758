import io

import pytest
from django.core.management import CommandError, call_command

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, User
from verifyhub.accounts.services import revoke_api_key, secret_digest

KEY = "vh_" + "k" * 40

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _named(settings):
    settings.INIT_PROJECT = "Night shift"
    settings.INIT_USER = "ada"
    settings.INIT_PASSWORD = "a long password"
    settings.INIT_API_KEY = KEY


def bootstrap() -> str:
    output = io.StringIO()
    call_command("bootstrap", stdout=output)
    return output.getvalue()


def test_it_makes_project_administrator_and_key():
    bootstrap()

    membership = Membership.objects.get(user__username="ada")
    assert membership.role == Role.ADMIN
    assert membership.project.slug == "night-shift"
    key = ApiKey.objects.get(secret_sha256=secret_digest(KEY))
    assert key.project == membership.project


def test_a_second_run_changes_nothing():
    bootstrap()

    assert bootstrap() == ""
    assert (Project.objects.count(), User.objects.count()) == (1, 1)
    assert ApiKey.objects.count() == 1


def test_a_password_that_was_changed_since_stays():
    bootstrap()
    ada = User.objects.get(username="ada")
    ada.set_password("her own choice")
    ada.save()

    assert "changed their password" in bootstrap()

    ada.refresh_from_db()
    assert ada.check_password("her own choice")


def test_a_role_that_was_lowered_since_stays():
    bootstrap()
    Membership.objects.update(role=Role.VIEWER)

    bootstrap()

    assert Membership.objects.get().role == Role.VIEWER


def test_a_revoked_key_stays_revoked():
    bootstrap()
    revoke_api_key(key=ApiKey.objects.get(), actor=None)

    assert "revoked" in bootstrap()
    assert ApiKey.objects.get().revoked_at is not None


@pytest.mark.parametrize("weak", ["vh_short", "x" * 40])
def test_a_weak_key_is_refused_and_nothing_is_made(settings, weak):
    settings.INIT_API_KEY = weak

    with pytest.raises(CommandError, match="VERIFYHUB_INIT_API_KEY"):
        bootstrap()

    assert not Project.objects.exists()


def test_without_a_password_no_user_is_made(settings):
    settings.INIT_PASSWORD = ""

    assert "VERIFYHUB_INIT_PASSWORD" in bootstrap()
    assert not User.objects.exists()
