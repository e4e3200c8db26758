"""`verifyhub user`, `project`, `key` and `manage` on the database of a home."""

import os
import shlex
import subprocess
import sys

import pytest
from django.test import Client

from tests.architecture.tree import CHECKOUT
from tests.cli.in_process import verifyhub
from tests.factories import MembershipFactory, UserFactory
from verifyhub.accounts.models import (
    ApiKey,
    Authenticator,
    Membership,
    Project,
    Role,
    User,
)
from verifyhub.accounts.second_factor import begin, is_on
from verifyhub.accounts.services import secret_digest

pytestmark = pytest.mark.django_db
# What a home keeps; the database is the test's own, which is connected already.
SECRET = {"VERIFYHUB_SECRET_KEY": "x" * 50}


def run(*words):
    return verifyhub(*words, settings=SECRET)


def said(*words):
    result = run(*words)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_a_team_is_set_up_from_the_command_line(project):
    said("project", "add", "Night shift")
    link = said("user", "add", "ada", "--project", "night-shift", "--role", "admin")
    said("project", "rename", "night-shift", "Nights")

    ada = Membership.objects.get(project__slug="night-shift")
    assert (ada.user.username, ada.role) == ("ada", Role.ADMIN)
    path = link.split()[-1].removeprefix("http://127.0.0.1:8000")
    assert b"Choose a password" in Client().get(path, follow=True).content
    assert "ada   active  -             night-shift (admin)" in said("user", "list")
    assert "Nights" in said("project", "list")


def test_an_invitation_is_printed_and_opens(project):
    link = said("project", "invite", "acme", "--role", "lead").split()[-1]

    path = link.removeprefix("http://127.0.0.1:8000")
    assert b"Join Acme" in Client().get(path, follow=True).content
    assert "invited until" in said("project", "people", "acme")


def test_roles_are_given_and_taken_and_projects_handed_over(project, admin):
    UserFactory(username="bob")

    said("project", "role", "acme", "bob", "reviewer")
    said("project", "hand-over", "acme", "admin", "bob", "--keeps", "viewer")
    said("project", "remove", "acme", "admin")

    assert Membership.objects.get().user.username == "bob"
    assert Membership.objects.get().role == Role.ADMIN


def test_a_key_is_made_listed_and_revoked(project):
    secret = said("key", "add", "acme", "nightly", "--scopes", "ingest").strip()
    key = ApiKey.objects.get(secret_sha256=secret_digest(secret))

    assert key.scopes == ["ingest"]
    assert str(key.id) in said("key", "list", "acme")
    said("key", "revoke", "acme", str(key.id))
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_a_person_is_disabled_and_enabled(project):
    ada = MembershipFactory(project=project, user__username="ada").user

    said("user", "disable", "ada")
    assert not User.objects.get(pk=ada.pk).is_active
    said("user", "enable", "ada")
    assert User.objects.get(pk=ada.pk).is_active


def test_a_lost_second_factor_is_reset(project):
    ada = MembershipFactory(project=project, user__username="ada").user
    begin(ada)
    Authenticator.objects.update(confirmed=True)

    said("user", "reset-factor", "ada")

    assert not is_on(ada)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("user reset-factor admin", "has no second factor"),
        ("user disable admin", "the only admin of acme"),
        ("project role acme admin viewer", "the only admin of acme"),
        ("project remove acme admin", "the only admin of acme"),
        ("project role acme nobody viewer", "Account nobody does not exist"),
        ("project role acme admin king", "viewer, reviewer, lead, admin"),
        ("project invite nowhere", "Projects: acme"),
        ("project add Acme", "project acme already exists"),
        ("user add admin", "account admin already exists"),
        ("user add ada --email nonsense", "valid email"),
        ("key add acme x --scopes all", "Unknown scope: all"),
        ("key revoke acme 1", "no key 1"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(admin, words, reason):
    result = run(*shlex.split(words))

    assert result.returncode == 1
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert (Project.objects.count(), User.objects.count()) == (1, 1)


def command(*words, home, **settings):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("VERIFYHUB_", "DJANGO_", "DATABASE_", "BROKER_"))
    }
    return subprocess.run(
        [sys.executable, *words],
        env={**kept, "VERIFYHUB_HOME": str(home), **settings},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_django_finds_the_settings_of_the_home_by_itself(tmp_path):
    run_folder = tmp_path / "run"
    run_folder.mkdir()
    (run_folder / "environment.sh").write_text(
        "export VERIFYHUB_SECRET_KEY=kept\n"
        "export DATABASE_URL=postgresql://127.0.0.1:1/none\n"
        "export VERIFYHUB_ROOT_URL=https://hub.example.org\n",
        encoding="utf-8",
    )
    words = ("manage.py", "shell", "-v0", "-c")
    show = "from django.conf import settings; print(settings.ROOT_URL)"

    assert command(*words, show, home=tmp_path).stdout == "https://hub.example.org\n"
    away = command("-m", "verifyhub.cli.main", "user", "list", home=tmp_path)
    assert away.returncode == 1
    assert "Check that VerifyHub is running." in away.stderr


def test_a_home_that_never_ran_says_what_to_do(tmp_path):
    words = ("-m", "verifyhub.cli.main", "project", "list")

    for asked in (("manage.py", "check"), words):
        result = command(*asked, home=tmp_path)

        assert result.returncode == 1
        assert "VERIFYHUB_HOME" in result.stderr
        assert "Traceback" not in result.stderr
