import pytest
from django.db import connection
from django.test import Client

from verifyhub.config import health


@pytest.fixture
def client() -> Client:
    return Client()


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


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_never_cached_and_never_written_to(client, path):
    assert client.post(path).status_code == 405
    assert "no-store" in client.get("/healthz")["Cache-Control"]
