"""A second factor: set up, asked for at sign-ins, lost, reset, asked of roles."""

import re
from base64 import b32decode
from html import unescape

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import MembershipFactory, UserFactory
from verifyhub.accounts.models import Role
from verifyhub.accounts.second_factor import turn_off
from verifyhub.audit.models import AuditEvent

PASSWORD = "a long password"
PAGE = "/accounts/profile/second-factor/"
SIGN_IN = "/accounts/login/"

pytestmark = pytest.mark.django_db


class Clock:
    """The time of server and phone, which goes on only where a test says so."""

    def __init__(self, traveller):
        self.traveller = traveller

    def passes(self, seconds):
        self.traveller.shift(seconds)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield Clock(traveller)


@pytest.fixture(autouse=True)
def quick_hashes(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada(project):
    user = UserFactory(username="ada")
    user.set_password(PASSWORD)
    user.save()
    MembershipFactory(project=project, user=user, role=Role.REVIEWER)
    return user


class App:
    """An authenticator that somebody typed the secret of the page into."""

    def __init__(self, page):
        found = re.search(r'<code class="break">([A-Z2-7 ]+)</code>', page)
        self.secret = b32decode(found[1].replace(" ", ""))

    def code(self):
        generator = TOTP(self.secret)
        generator.time = timezone.now().timestamp()
        return f"{generator.token():06}"


def password_given(name="ada", password=PASSWORD, client=None):
    client = client or Client()
    values = {"username": name, "password": password}
    return client, client.post(SIGN_IN, values)


def codes_of(page):
    block = re.search(r'<pre class="code"[^>]*>(.*?)</pre>', page, re.DOTALL)
    return unescape(block[1]).split()


def set_up(client, clock, password=PASSWORD):
    """Set a second factor up as a person would; return the app and backup codes."""
    client.post(PAGE)
    app = App(client.get(PAGE).content.decode())
    values = {"code": app.code(), "password": password}
    page = client.post(f"{PAGE}confirm/", values)
    assert page.status_code == 200, page.content.decode()
    # The next code of the app is another one.
    clock.passes(30)
    return app, codes_of(page.content.decode())


@pytest.fixture
def phone(ada, clock):
    """Ada's app and backup codes; she is signed in nowhere."""
    client, _ = password_given()
    return set_up(client, clock)


def is_signed_in(client):
    return client.get("/accounts/profile/").status_code == 200


def give_code(client, code):
    return client.post(f"{SIGN_IN}code/", {"code": code}).status_code


def test_who_set_it_up_is_asked_for_a_code_after_the_password(phone):
    app, _ = phone

    client, reply = password_given()

    assert reply.url == f"{SIGN_IN}code/"
    assert not is_signed_in(client)
    assert give_code(client, app.code()) == 302
    assert is_signed_in(client)


def test_who_has_none_signs_in_by_the_password_alone(ada):
    client, _ = password_given()

    assert is_signed_in(client)


def test_sign_in_leads_to_where_somebody_wanted_to_go(phone):
    client = Client()
    values = {"username": "ada", "password": PASSWORD, "next": "/p/acme/people/"}
    client.post(SIGN_IN, values)

    reply = client.post(f"{SIGN_IN}code/", {"code": phone[0].code()})

    assert reply.url == "/p/acme/people/"


def test_a_code_works_once(phone):
    app, _ = phone
    code = app.code()
    give_code(password_given()[0], code)

    client, _ = password_given()

    assert give_code(client, code) == 422
    assert not is_signed_in(client)


def test_a_backup_code_works_once_however_it_is_typed(phone):
    _, codes = phone
    assert len(set(codes)) == 10
    first, second = password_given()[0], password_given()[0]

    assert give_code(first, codes[3].upper().replace("-", " ")) == 302
    assert give_code(second, codes[3]) == 422
    event = AuditEvent.objects.get(action="accounts.backup_code_used")
    assert event.after == {"left": 9}


def test_after_a_wrong_code_the_right_one_has_to_wait(phone, clock):
    app, _ = phone
    client, _ = password_given()
    for _ in range(4):
        give_code(client, "000000")
        clock.passes(30)
    give_code(client, "000000")

    assert give_code(client, app.code()) == 422
    clock.passes(60)
    assert give_code(client, app.code()) == 302


def test_without_a_password_the_page_for_codes_leads_to_the_sign_in(phone):
    client = Client()

    assert client.get(f"{SIGN_IN}code/").url == SIGN_IN
    assert client.post(f"{SIGN_IN}code/", {"code": phone[0].code()}).url == SIGN_IN
    assert not is_signed_in(client)


def test_a_password_waits_ten_minutes_for_its_code(phone, clock):
    client, _ = password_given()

    clock.passes(601)

    assert give_code(client, phone[0].code()) == 302
    assert not is_signed_in(client)


def test_a_password_that_was_changed_meanwhile_is_asked_for_anew(phone, ada):
    client, _ = password_given()
    ada.set_password("another long one")
    ada.save()

    give_code(client, phone[0].code())

    assert not is_signed_in(client)


def test_a_wrong_code_or_password_turns_nothing_on(ada):
    client, _ = password_given()
    client.post(PAGE)
    app = App(client.get(PAGE).content.decode())

    wrong = {"code": app.code(), "password": "a guess"}
    assert client.post(f"{PAGE}confirm/", wrong).status_code == 422
    wrong = {"code": "000000", "password": PASSWORD}
    assert client.post(f"{PAGE}confirm/", wrong).status_code == 422

    assert is_signed_in(password_given()[0])


def test_the_secret_is_shown_until_it_is_confirmed_and_never_again(ada, clock):
    client, _ = password_given()
    client.post(PAGE)
    assert b"<svg" in client.get(PAGE).content

    set_up(client, clock)

    page = client.get(PAGE).content
    assert b"<svg" not in page.partition(b"<main")[2]
    assert b'<code class="break">' not in page


def test_the_database_holds_neither_the_secret_nor_a_code(phone):
    app, codes = phone

    assert app.secret.hex() not in TOTPDevice.objects.get().key
    stored = set(StaticToken.objects.values_list("token", flat=True))
    assert len(stored) == 10
    assert not stored & {code.replace("-", "") for code in codes}


def test_a_new_secret_key_keeps_second_factors(phone, settings, clock, capsys):
    app, _ = phone
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key of this server"
    assert give_code(password_given()[0], app.code()) == 302

    call_command("reseal_keys")
    settings.SECRET_KEY_FALLBACKS = []
    clock.passes(30)

    assert "the second factors of 1 people" in capsys.readouterr().out
    assert give_code(password_given()[0], app.code()) == 302


def test_new_backup_codes_end_the_former_ones(phone):
    app, old = phone
    client, _ = password_given()
    give_code(client, app.code())

    page = client.post(f"{PAGE}codes/", {"password": PASSWORD}).content.decode()

    assert give_code(password_given()[0], old[0]) == 422
    assert len(codes_of(page)) == 10
    assert client.post(f"{PAGE}codes/", {"password": "a guess"}).status_code == 422


def test_it_is_turned_off_with_the_password_alone(phone):
    app, _ = phone
    client, _ = password_given()
    give_code(client, app.code())

    assert client.post(f"{PAGE}off/", {"password": "a guess"}).status_code == 422
    assert password_given()[1].url == f"{SIGN_IN}code/"
    client.post(f"{PAGE}off/", {"password": PASSWORD})

    assert is_signed_in(password_given()[0])
    assert AuditEvent.objects.filter(action="accounts.second_factor_off").exists()


def test_guessing_the_password_behind_a_session_locks_as_at_the_sign_in(phone):
    client, _ = password_given()
    give_code(client, phone[0].code())

    tries = [client.post(f"{PAGE}off/", {"password": "x"}) for _ in range(9)]

    assert tries[-1].status_code == 429


def test_an_admin_resets_it_and_the_record_says_so(phone, browse, admin, ada):
    client = browse(admin)
    address = f"/p/acme/people/{ada.pk}/second-factor/"
    assert address in client.get("/p/acme/people/").content.decode()

    client.post(address)

    assert is_signed_in(password_given()[0])
    event = AuditEvent.objects.get(action="accounts.second_factor_reset")
    assert event.after == {"user": "ada"}
    assert event.actor == admin


def test_an_admin_of_one_project_resets_nobody_who_is_in_another(
    phone, browse, admin, ada
):
    MembershipFactory(user=ada, project__slug="elsewhere")

    reply = browse(admin).post(f"/p/acme/people/{ada.pk}/second-factor/")

    assert reply.status_code == 403
    assert password_given()[1].url == f"{SIGN_IN}code/"


@pytest.fixture
def asks_reviewers(browse, admin, project):
    browse(admin).post("/p/acme/people/second-factor/", {"role": "reviewer"})
    project.refresh_from_db()
    assert project.second_factor_from == "reviewer"


def test_a_role_that_needs_one_is_led_to_set_it_up(ada, asks_reviewers, clock):
    client, _ = password_given()

    assert client.get("/p/acme/review/").url == PAGE
    assert b"requires it for your role" in client.get(PAGE).content
    set_up(client, clock)

    assert client.get("/p/acme/review/").status_code == 200


def test_a_lower_role_is_not_asked(asks_reviewers, browse, viewer):
    assert browse(viewer).get("/p/acme/review/").status_code == 200


def test_a_session_from_before_is_asked_for_a_code(ada, clock, asks_reviewers):
    old, _ = password_given()
    app, _ = set_up(password_given()[0], clock)

    assert old.get("/p/acme/review/").url == f"{SIGN_IN}code/"
    reply = old.post(f"{SIGN_IN}code/", {"code": app.code()})

    assert reply.url == "/p/acme/review/"
    assert old.get("/p/acme/review/").status_code == 200


def test_after_a_reset_sessions_need_a_new_one(ada, clock, asks_reviewers):
    client, _ = password_given()
    set_up(client, clock)

    turn_off(user=ada, actor=None)

    assert client.get("/p/acme/review/").url == PAGE


def test_keys_of_a_project_that_asks_people_work_on(asks_reviewers, api):
    assert api.get("/api/v1/interactions/").status_code == 200


def test_the_rule_is_the_admins(browse, ada, project):
    browse(ada).post("/p/acme/people/second-factor/", {"role": ""})

    assert not AuditEvent.objects.filter(
        action="accounts.second_factor_rule_set"
    ).exists()
