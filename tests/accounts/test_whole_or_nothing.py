"""What an act of accounts changes is written with its record, or not at all."""

import pytest
from django.db import DatabaseError
from django_otp.plugins.otp_static.models import StaticToken

from tests.factories import MembershipFactory, UserFactory
from verifyhub.accounts import second_factor, services
from verifyhub.accounts.invitations import InvitationClosedError, sign_up
from verifyhub.accounts.models import Authenticator, Role, User
from verifyhub.accounts.passwords import make_password_link
from verifyhub.audit.models import AuditEvent


@pytest.fixture
def full_disk():
    def fail(*_given, **_named):
        raise DatabaseError("no space left on device")

    return fail


def with_factor(user):
    authenticator = Authenticator.objects.create(user=user, name="app", confirmed=True)
    second_factor._new_codes(user)
    return authenticator


def test_a_strictness_without_its_record_is_not_in_force(
    project, lead, monkeypatch, full_disk
):
    before = project.strictness
    monkeypatch.setattr(services, "record_event", full_disk)

    with pytest.raises(DatabaseError):
        services.change_project(
            project=project,
            values={"strictness": "strict"},
            actor=lead,
            action="accounts.presets_set",
        )

    project.refresh_from_db()
    assert project.strictness == before != "strict"


def test_a_link_that_ended_meanwhile_leaves_no_account(db):
    with pytest.raises(InvitationClosedError):
        sign_up(token="gone", user=User(username="late"))

    assert not User.objects.filter(username="late").exists()
    assert not AuditEvent.objects.filter(action="accounts.user_created").exists()


def test_backup_codes_that_were_not_made_are_not_recorded(
    reviewer, monkeypatch, full_disk
):
    with_factor(reviewer)
    before = set(StaticToken.objects.values_list("token", flat=True))
    monkeypatch.setattr(second_factor, "_new_codes", full_disk)

    with pytest.raises(DatabaseError):
        second_factor.renew_codes(reviewer)

    assert before == set(StaticToken.objects.values_list("token", flat=True)) != set()
    assert not AuditEvent.objects.filter(action="accounts.backup_codes_made").exists()


@pytest.mark.parametrize("is_older", [True, False])
def test_the_record_tells_a_reset_by_an_admin_from_ones_own(project, is_older):
    first, second = UserFactory(), UserFactory()
    admin, member = (first, second) if is_older else (second, first)
    MembershipFactory(project=project, user=admin, role=Role.ADMIN)
    for user in (admin, member):
        with_factor(user)

    second_factor.turn_off(user=member, actor=admin, project=project)
    second_factor.turn_off(user=admin, actor=admin)

    events = AuditEvent.objects.filter(action__startswith="accounts.second_factor_")
    assert [event.action for event in events.order_by("id")] == [
        "accounts.second_factor_reset",
        "accounts.second_factor_off",
    ]


def test_a_password_link_is_on_record_in_the_project_of_who_asked(project, admin):
    user = UserFactory()
    MembershipFactory(project=project, user=user, role=Role.REVIEWER)

    make_password_link(user=user, actor=admin, project=project)
    make_password_link(user=user, actor=None)

    made = AuditEvent.objects.filter(action="accounts.password_link_made")
    assert {event.project_id for event in made} == {project.id, None}
