"""A forgotten password: a letter to the account's address, and the same page to all."""

import re

import pytest
from django.test import Client

from tests.factories import UserFactory
from verifyhub.accounts.tasks import send_password_letters
from verifyhub.audit.models import AuditEvent

PAGE = "/accounts/password/forgotten/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    user = UserFactory(username="ada", email="Ada@example.org")
    user.set_password("the old password")
    user.save()
    return user


def ask(address="ada@example.org"):
    send_password_letters(address=address, language="en")


def test_a_letter_goes_to_the_accounts_address_and_its_link_works(ada, mail_server):
    ask()

    (letter,) = mail_server.letters
    assert letter["To"] == "Ada@example.org"
    path = re.search(r"http://127.0.0.1:8000(\S+)", letter.get_content()).group(1)
    assert b"Choose a password" in Client().get(path, follow=True).content


def test_whoever_asks_again_at_once_gets_no_second_letter(ada, mail_server):
    ask()
    ask()

    assert len(mail_server.letters) == 1
    assert AuditEvent.objects.filter(action__contains="letter_sent").count() == 1


def test_accounts_without_a_password_or_switched_off_get_none(ada, mail_server):
    UserFactory(email="ada@example.org", password="!")
    ada.is_active = False
    ada.save()

    ask()

    assert mail_server.letters == []


@pytest.mark.parametrize("address", ["ada@example.org", "nobody@example.org"])
def test_the_page_says_the_same_of_known_and_unknown_addresses(
    ada, settings, address, django_capture_on_commit_callbacks
):
    settings.EMAIL_HOST = "mail.example.org"

    reply = Client().post(PAGE, {"email": address})

    assert reply.status_code == 200
    assert b"If an account has this address" in reply.content


def test_without_a_mail_server_it_says_whom_to_ask(settings):
    settings.EMAIL_HOST = ""

    assert b"verifyhub user link NAME" in Client().get(PAGE).content


def test_a_weak_password_is_refused_and_the_link_works_on(ada, mail_server):
    ask()
    text = mail_server.letters[0].get_content()
    path = re.search(r"http://127.0.0.1:8000(\S+)", text).group(1)
    visitor = Client()
    form = visitor.get(path, follow=True).redirect_chain[-1][0]

    reply = visitor.post(form, {"new_password1": "short", "new_password2": "short"})

    assert reply.status_code == 422
    assert b"too short" in reply.content
