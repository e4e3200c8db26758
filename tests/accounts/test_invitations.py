"""Invitations: a link that one person uses once, before it ends."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from verifyhub.accounts.invitations import invite
from verifyhub.accounts.models import Invitation, Membership, Role, User
from verifyhub.audit.models import AuditEvent

PAGE = "/p/acme/people/"
ACCOUNT = {
    "username": "grace",
    "email": "grace@example.org",
    "password1": "a long password",
    "password2": "a long password",
}


@pytest.fixture
def link(project, admin):
    """The path of an invitation as lead."""
    _, link = invite(project=project, role=Role.LEAD, actor=admin)
    return link.removeprefix("http://127.0.0.1:8000")


def test_the_link_is_shown_once_and_kept_as_a_hash(browse, admin):
    client = browse(admin)

    reply = client.post(PAGE, {"role": "reviewer", "days": "7"})

    token = reply.context["link"].rstrip("/").rpartition("/")[2]
    assert reply.status_code == 201
    assert token in reply.content.decode()
    assert "no-store" in reply.headers["Cache-Control"]
    assert token not in client.get(PAGE).content.decode()
    assert token not in str(Invitation.objects.values().get())


def test_somebody_without_an_account_makes_one_and_joins(link):
    visitor = Client()
    opened = visitor.get(link, follow=True)
    assert b"Join Acme" in opened.content
    # As the sign-in page and the settings call them.
    assert b">User name</label>" in opened.content
    assert b">E-mail address</label>" in opened.content

    reply = visitor.post("/accounts/join/", ACCOUNT, follow=True)

    grace = User.objects.get(username="grace")
    assert grace.memberships.get().role == Role.LEAD
    assert b"Welcome to Acme." in reply.content
    assert reply.request["PATH_INFO"] == "/p/acme/review/"


def test_somebody_with_an_account_joins_with_it(link, browse, outsider):
    visitor = browse(outsider)
    visitor.get(link)

    visitor.post("/accounts/join/")

    assert outsider.memberships.get(project__slug="acme").role == Role.LEAD


def test_signing_in_leads_back_to_the_invitation(link, outsider):
    outsider.set_password("a long password")
    outsider.save()
    visitor = Client()
    visitor.get(link)

    reply = visitor.post(
        "/accounts/login/?next=/accounts/join/",
        {"username": "outsider", "password": "a long password"},
        follow=True,
    )

    assert b"Join as" in reply.content


def test_it_works_once(link):
    first, second = Client(), Client()
    first.get(link)
    second.get(link)
    first.post("/accounts/join/", ACCOUNT)

    reply = second.post("/accounts/join/", {**ACCOUNT, "username": "eve"})

    assert reply.status_code == 410
    assert not User.objects.filter(username="eve").exists()
    assert Client().get(link).status_code == 410


def test_it_ends_with_its_time(link):
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert Client().get(link).status_code == 410


def test_it_ends_when_it_is_withdrawn(link, browse, admin):
    visitor, row = Client(), Invitation.objects.get()
    visitor.get(link)

    browse(admin).post(f"{PAGE}invitations/{row.id}/withdraw/")

    assert visitor.post("/accounts/join/", ACCOUNT).status_code == 410
    assert not User.objects.filter(username="grace").exists()


def test_only_an_admin_of_the_project_withdraws(link, browse, lead, outsider):
    row = Invitation.objects.get()

    for person, status in ((lead, 403), (outsider, 404)):
        reply = browse(person).post(f"{PAGE}invitations/{row.id}/withdraw/")
        assert reply.status_code == status


def test_a_link_changes_no_role(link, browse, viewer):
    client = browse(viewer)
    client.get(link)

    reply = client.post("/accounts/join/", follow=True)

    assert b"You are already a member of this project." in reply.content
    assert Membership.objects.get(user=viewer).role == Role.VIEWER
    assert Invitation.objects.get().accepted_at is None


def test_joining_is_in_the_record(link):
    visitor = Client()
    visitor.get(link)
    visitor.post("/accounts/join/", ACCOUNT)

    acts = AuditEvent.objects.order_by("id").values_list("action", "actor_name")
    assert list(acts) == [
        ("accounts.person_invited", "admin"),
        ("accounts.user_created", "grace"),
        ("accounts.invitation_accepted", "grace"),
        ("accounts.role_set", "grace"),
    ]


def test_the_log_of_requests_holds_no_token(link, caplog):
    with caplog.at_level("INFO"):
        Client().get(link)

    assert "/accounts/join/…" in caplog.text
    assert link not in caplog.text


def test_a_letter_with_the_link_goes_out(browse, admin, mail_server):
    values = {"role": "viewer", "days": "7", "email": "grace@example.org"}

    reply = browse(admin).post(PAGE, values)

    (letter,) = mail_server.letters
    assert letter["To"] == "grace@example.org"
    assert reply.context["link"] in letter.get_content()
    assert b"An e-mail with it was sent" in reply.content


def test_a_letter_that_is_refused_leaves_the_link(browse, admin, mail_server):
    mail_server.refuses = True
    values = {"role": "viewer", "days": "7", "email": "grace@example.org"}

    reply = browse(admin).post(PAGE, values)

    assert b"The e-mail could not be sent." in reply.content
    assert reply.context["link"]
