"""A person's own settings: language, zone, colours, keys, password."""

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client
from django.utils import timezone

from tests.markup import markup
from verifyhub.audit.models import AuditEvent

PAGE = "/accounts/profile/"


@pytest.fixture
def client_of_reviewer(browse, reviewer):
    return browse(reviewer)


def test_strangers_are_asked_to_sign_in():
    response = Client().get(PAGE)

    assert response.headers["Location"].startswith("/accounts/login/")


def test_settings_are_kept_and_recorded(client_of_reviewer, reviewer):
    values = {
        "language": "fr",
        "time_zone": "Asia/Tokyo",
        "theme": "dark",
        "key_mode": "alt",
    }
    response = client_of_reviewer.post(PAGE, values)

    reviewer.refresh_from_db()
    assert response.status_code == 302
    assert (reviewer.language, reviewer.time_zone) == ("fr", "Asia/Tokyo")
    assert (reviewer.theme, reviewer.key_mode) == ("dark", "alt")
    event = AuditEvent.objects.get(action="accounts.settings_saved")
    others = {"email": "", "moves_on": False, "queue_columns": []}
    assert event.after == {**values, **others}


def test_saving_the_same_records_nothing(client_of_reviewer):
    client_of_reviewer.post(PAGE, {"key_mode": "letters", "moves_on": "on"})

    assert not AuditEvent.objects.filter(action="accounts.settings_saved").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("language", "tlh"),
        ("time_zone", "../../etc/passwd"),
        ("theme", "neon"),
        ("key_mode", "F13"),
    ],
)
def test_unknown_values_are_refused(client_of_reviewer, reviewer, field, value):
    before = getattr(reviewer, field)

    response = client_of_reviewer.post(PAGE, {"key_mode": "letters", field: value})

    reviewer.refresh_from_db()
    assert response.status_code == 422
    assert getattr(reviewer, field) == before


@pytest.mark.parametrize(
    ("password", "status", "address"),
    [
        ("", 422, "ada@old.example"),
        ("wrong", 422, "ada@old.example"),
        ("right horse 7", 302, "ada@new.example"),
    ],
)
def test_another_address_needs_the_password(
    browse, reviewer, password, status, address
):
    reviewer.email = "ada@old.example"
    reviewer.set_password("right horse 7")
    reviewer.save()
    values = {"key_mode": "letters", "email": "ada@new.example", "password": password}

    response = browse(reviewer).post(PAGE, values)

    reviewer.refresh_from_db()
    assert (response.status_code, reviewer.email) == (status, address)


def test_a_persons_language_outranks_the_browsers(client_of_reviewer, reviewer):
    reviewer.language = "fr"
    reviewer.save()

    page = client_of_reviewer.get(PAGE, headers={"accept-language": "ru"})

    assert '<html lang="fr" dir="ltr"' in markup(page)


def test_the_browsers_language_holds_where_none_is_chosen(client_of_reviewer):
    page = client_of_reviewer.get(PAGE, headers={"accept-language": "ru,en;q=0.5"})

    assert '<html lang="ru" dir="ltr"' in markup(page)


def test_the_sign_in_page_changes_its_language_without_a_script(db):
    client = Client()
    client.post("/accounts/language/", {"language": "ru", "next": "/accounts/login/"})

    page = client.get("/accounts/login/")

    assert '<html lang="ru"' in page.content.decode()


def test_the_api_speaks_english_to_everybody(api):
    refused = api.post(
        "/api/v1/interactions/",
        b"{",
        content_type="application/json",
        headers={"accept-language": "ru"},
    )

    assert refused.headers["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("chosen", "cookie", "zone"),
    [
        ("Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"),
        ("", "Europe/Paris", "Europe/Paris"),
        ("", "Mars/Olympus", "UTC"),
        ("", "../../etc/passwd", "UTC"),
        ("", "", "UTC"),
    ],
)
def test_times_are_in_the_persons_zone_else_the_browsers(
    client_of_reviewer, reviewer, chosen, cookie, zone
):
    reviewer.time_zone = chosen
    reviewer.save()
    client_of_reviewer.cookies["tz"] = cookie

    page = client_of_reviewer.get(PAGE)

    assert page.context["TIME_ZONE"] == zone
    assert timezone.get_current_timezone_name() == "UTC"


def test_the_theme_and_the_keys_stand_in_the_page(client_of_reviewer, reviewer):
    reviewer.theme, reviewer.key_mode = "dark", "off"
    reviewer.save()

    page = client_of_reviewer.get(PAGE).content.decode()

    assert 'data-theme="dark"' in page
    assert 'data-keys="off"' in page


def test_a_password_is_changed_and_this_session_stays(client_of_reviewer, reviewer):
    reviewer.set_password("the former password")
    reviewer.save()
    client = Client()
    client.force_login(reviewer, "django.contrib.auth.backends.ModelBackend")

    client.post(
        f"{PAGE}password/",
        {
            "old_password": "the former password",
            "new_password1": "quite another one 7",
            "new_password2": "quite another one 7",
        },
    )

    reviewer.refresh_from_db()
    assert check_password("quite another one 7", reviewer.password)
    assert client.get(PAGE).status_code == 200
    event = AuditEvent.objects.get(action="accounts.password_changed")
    assert (event.before, event.after) == ({}, {})


def test_a_wrong_former_password_changes_nothing(client_of_reviewer, reviewer):
    before = reviewer.password
    response = client_of_reviewer.post(
        f"{PAGE}password/",
        {
            "old_password": "a guess",
            "new_password1": "quite another one 7",
            "new_password2": "quite another one 7",
        },
    )

    reviewer.refresh_from_db()
    assert response.status_code == 422
    assert reviewer.password == before
