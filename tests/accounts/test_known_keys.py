"""A key that was read once is asked about each time, and read again when it changed."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import ApiKeyFactory
from verifyhub.accounts import known_keys as module
from verifyhub.accounts.known_keys import KnownKeys
from verifyhub.accounts.models import ApiKey, Project
from verifyhub.accounts.services import revoke_api_key, secret_digest

LIST = "/api/v1/interactions/"
SECRET = "vh_known_0123456789abcdef0123456789abcdef"


@pytest.fixture
def key(project) -> ApiKey:
    return ApiKeyFactory(project=project, secret=SECRET)


@pytest.fixture
def client(key) -> Client:
    return Client(headers={"authorization": f"Bearer {SECRET}"})


def test_a_known_key_costs_one_look_at_its_version(key):
    known = KnownKeys()
    known.find(secret_digest(SECRET))

    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = known.find(secret_digest(SECRET))
        assert found is not None
        assert found.project.slug == "acme"

    [only] = asked.captured_queries
    assert "xmin" in only["sql"]


def test_noting_the_use_of_a_key_keeps_it_known(key):
    known, digest, now = KnownKeys(), secret_digest(SECRET), timezone.now()
    known.find(digest)

    known.note_use(digest, "last_used_at", now)

    key.refresh_from_db()
    with CaptureQueriesContext(connection) as asked:
        found = known.find(digest)
    assert found is not None
    assert found.last_used_at == key.last_used_at == now
    assert len(asked) == 1


def test_noting_the_use_of_a_key_hides_no_revocation(key, admin):
    known, digest = KnownKeys(), secret_digest(SECRET)
    known.find(digest)
    revoke_api_key(key=key, actor=admin)

    known.note_use(digest, "last_used_at", timezone.now())

    found = known.find(digest)
    assert found is not None
    assert found.revoked_at is not None


def test_a_revoked_key_is_refused_with_the_next_request(client, key, admin):
    assert client.get(LIST).status_code == 200

    revoke_api_key(key=key, actor=admin)

    assert client.get(LIST).status_code == 401


def test_a_scope_that_was_taken_away_is_gone_with_the_next_request(client, key):
    assert client.get(LIST).status_code == 200

    ApiKey.objects.filter(pk=key.pk).update(scopes=["ingest"])

    assert client.get(LIST).status_code == 403


def test_a_key_that_was_deleted_is_refused(client, key):
    assert client.get(LIST).status_code == 200

    key.delete()

    assert client.get(LIST).status_code == 401


def test_what_changed_about_the_project_is_read_again(key):
    known = KnownKeys()
    known.find(secret_digest(SECRET))

    Project.objects.filter(pk=key.project_id).update(name="Renamed")

    found = known.find(secret_digest(SECRET))
    assert found is not None
    assert found.project.name == "Renamed"


def test_a_former_secret_is_no_longer_known_after_the_next_rotation(key):
    known = KnownKeys()
    assert known.find(secret_digest(SECRET)) is not None

    ApiKey.objects.filter(pk=key.pk).update(secret_sha256="0" * 64)

    assert known.find(secret_digest(SECRET)) is None


def test_what_one_request_does_to_its_key_reaches_no_other(key):
    known = KnownKeys()
    first = known.find(secret_digest(SECRET))
    assert first is not None
    first.name, first.project.name = "changed", "changed"

    second = known.find(secret_digest(SECRET))

    assert second is not None
    assert (second.name, second.project.name) == ("tests", "Acme")


def test_no_more_keys_are_remembered_than_there_is_room_for(project, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    known = KnownKeys()
    for number in range(8):
        secret = f"vh_many_{number:040d}"
        ApiKeyFactory(project=project, secret=secret)
        known.find(secret_digest(secret))

    assert len(known._keys) <= 3


@pytest.mark.django_db(transaction=True)
def test_a_revocation_by_another_connection_is_seen(client, key):
    assert client.get(LIST).status_code == 200

    def revoke() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE accounts_apikey SET revoked_at = now() WHERE id = %s",
                    [key.pk],
                )
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        other.submit(revoke).result()

    assert client.get(LIST).status_code == 401
