"""Failed sign-ins: strangers lock no owner out, and get no further by many names."""

import pytest
from django.test import Client

from tests.factories import UserFactory
from verifyhub.common.client_address import client_address, networks

PASSWORD = "a long password"

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    user = UserFactory(username="ada")
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(client, password, name="ada", address="192.0.2.1"):
    values = {"username": name, "password": password}
    return client.post("/accounts/login/", values, REMOTE_ADDR=address).status_code


def fail(times, name="ada", address="192.0.2.1"):
    return [sign_in(Client(), "wrong", name, address) for _ in range(times)]


@pytest.fixture
def desk(owner):
    """The owner's browser, in which they have signed in before."""
    browser = Client()
    assert sign_in(browser, PASSWORD) == 302
    browser.cookies.pop("sessionid")
    return browser


def test_strangers_at_the_owners_own_address_do_not_lock_them_out(desk):
    assert fail(9)[-1] == 429

    assert sign_in(desk, PASSWORD) == 302
    assert sign_in(Client(), PASSWORD) == 429


def test_strangers_elsewhere_do_not_lock_out_a_new_browser(owner):
    fail(9, address="198.51.100.7")

    assert sign_in(Client(), PASSWORD) == 302


def test_a_known_browser_has_eight_tries_itself(desk):
    assert [sign_in(desk, "wrong") for _ in range(8)][-1] == 429


def test_one_address_cannot_try_many_names(settings, desk):
    settings.SIGN_IN_FAILURES_OF_ADDRESS = 10
    for number in range(10):
        fail(1, name=f"person-{number}")

    assert sign_in(Client(), PASSWORD) == 429
    assert sign_in(Client(), PASSWORD, address="198.51.100.7") == 302
    assert sign_in(desk, PASSWORD) == 302


def test_one_name_cannot_be_tried_from_many_addresses(settings, desk):
    settings.SIGN_IN_FAILURES_OF_NAME = 10
    for number in range(10):
        fail(1, address=f"198.51.100.{number}")

    assert sign_in(Client(), PASSWORD, address="203.0.113.1") == 429
    assert sign_in(desk, PASSWORD, address="203.0.113.1") == 302


def test_a_cookie_of_another_name_or_a_forged_one_helps_nobody(settings, desk):
    other = Client()
    other.cookies["device"] = desk.cookies["device"].value[:-1] + "x"
    UserFactory(username="bob")
    fail(9)
    fail(9, name="bob")

    assert sign_in(other, PASSWORD) == 429
    assert sign_in(desk, PASSWORD, name="bob") == 429


def test_behind_a_trusted_proxy_clients_are_told_apart(settings, owner):
    settings.TRUSTED_PROXIES = networks(["127.0.0.1"])

    def behind(address, password):
        return Client().post(
            "/accounts/login/",
            {"username": "ada", "password": password},
            REMOTE_ADDR="127.0.0.1",
            headers={"x-forwarded-for": address},
        )

    for _ in range(9):
        # What a client says of itself stands before what the proxy adds.
        last = behind("203.0.113.9, 198.51.100.7", "wrong")

    assert last.status_code == 429
    assert behind("203.0.113.9", PASSWORD).status_code == 302


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("10.0.0.2", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.2", "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.2", "203.0.113.9, 10.0.0.3", "203.0.113.9"),
        ("10.0.0.2", "203.0.113.9:4711", "203.0.113.9"),
        ("10.0.0.2", "[2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.2", "unknown", "10.0.0.2"),
        ("10.0.0.2", "203.0.113.9, <script>", "10.0.0.2"),
        ("", "203.0.113.9", ""),
    ],
)
def test_the_nearest_address_that_is_no_trusted_proxy_counts(peer, forwarded, found):
    assert client_address(peer, forwarded, networks(["10.0.0.0/8", "::1"])) == found


def test_where_every_peer_is_trusted_only_the_nearest_proxys_word_counts():
    said = "1.1.1.1, 203.0.113.9"

    assert client_address("192.0.2.1", said, networks(["*"])) == "203.0.113.9"


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "", "\u202e"])
def test_odd_names_are_refused_like_any_other(name):
    assert sign_in(Client(), "wrong", name) in {200, 400}


def test_metrics_take_a_client_behind_a_local_proxy_for_no_local_one(settings):
    settings.METRICS_TOKEN = ""

    near = Client().get("/metrics", REMOTE_ADDR="127.0.0.1")
    far = Client().get(
        "/metrics",
        REMOTE_ADDR="127.0.0.1",
        headers={"x-forwarded-for": "203.0.113.9"},
    )

    assert near.status_code == 200
    assert far.status_code in {401, 403, 404}
