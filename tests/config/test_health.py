import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from verifyhub.config import alarms, health


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture(autouse=True)
def _ask_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health._Write, "_asked_at", float("-inf"))


@contextmanager
def read_only() -> Iterator[None]:
    """Let the database take no write, as a standby does."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL transaction_read_only = on")
        yield
        transaction.set_rollback(True)


def test_healthz_needs_no_database(client):
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.django_db
def test_readyz_names_each_check(client):
    response = client.get("/readyz")

    assert response.status_code == 200
    assert set(response.json()["checks"]) == {
        "database",
        "migrations",
        "queue",
        "broker",
        "disk",
    }


@pytest.mark.django_db
def test_readyz_is_degraded_without_broker(client, settings):
    settings.CELERY_BROKER_URL = "redis://:hidden@127.0.0.1:1/0"

    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json()["status"] == "degraded"
    assert "hidden" not in response.content.decode()


@pytest.mark.django_db
def test_readyz_is_unavailable_until_migrations_are_applied(client, monkeypatch):
    monkeypatch.setattr(health._Migrations, "applied", False)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'review'")

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["migrations"] == {"status": "pending"}


@pytest.mark.django_db
def test_readyz_is_unavailable_where_nothing_can_be_written_and_says_why(client):
    with read_only():
        response = client.get("/readyz")

    assert response.status_code == 503
    database = response.json()["checks"]["database"]
    assert database == {"status": "unavailable", "cause": "read_only"}


def test_what_cannot_be_stored_is_refused_with_the_cause(api):
    body = {"task": "Which?", "answer": "`a.py`.", "tool_calls": []}

    with read_only():
        response = api.post("/api/v1/interactions/", body, "application/json")

    assert response.status_code == 503
    assert "read-only. Nothing was stored." in response.json()["detail"]
    assert response["Retry-After"]


def test_a_page_that_cannot_be_saved_says_why(client, viewer):
    client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")

    with read_only():
        response = client.post(reverse("accounts:logout"))

    assert response.status_code == 503
    assert "read-only" in response.content.decode()


def test_admins_see_what_is_wrong_with_the_server(browse, admin, lead, settings):
    page = "/p/acme/answers/"
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    alarms.look()
    to_admin, to_lead = (
        browse(one).get(page).content.decode() for one in (admin, lead)
    )
    settings.CELERY_BROKER_URL = os.environ["BROKER_URL"]
    alarms.look()
    later = browse(admin).get(page).content.decode()

    assert "The broker does not respond" in to_admin
    assert "The broker does not respond" not in to_lead + later


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_never_cached_and_never_written_to(client, path):
    assert client.post(path).status_code == 405
    assert "no-store" in client.get("/healthz")["Cache-Control"]
