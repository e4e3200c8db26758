"""A key gets a new secret while its programs still use the old one."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory
from verifyhub.accounts.key_rotation import KeyNotRotatableError, rotate_api_key
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.services import revoke_api_key
from verifyhub.audit.models import AuditEvent

LIST = "/api/v1/interactions/"
KEYS = "/p/acme/keys/"
DAY = timedelta(days=1)


@pytest.fixture
def rotate(api_key, admin):
    def made(key=api_key, *, overlap=DAY, expires_at=None) -> str:
        _, secret = rotate_api_key(
            key=key,
            actor=admin,
            now=timezone.now(),
            overlap=overlap,
            expires_at=expires_at,
        )
        return secret

    return made


def status(secret: str) -> int:
    client = Client(headers={"authorization": f"Bearer {secret}"})
    return client.get(LIST).status_code


def end_overlap() -> None:
    ApiKey.objects.update(former_until=timezone.now() - timedelta(seconds=1))


def test_both_secrets_work_until_the_overlap_ends(api_key, rotate):
    secret = rotate()

    assert (status(secret), status(API_SECRET)) == (200, 200)

    end_overlap()
    assert (status(secret), status(API_SECRET)) == (200, 401)


def test_without_overlap_the_old_secret_is_refused_at_once(api_key, rotate):
    secret = rotate(overlap=timedelta(0))

    assert (status(secret), status(API_SECRET)) == (200, 401)


def test_the_key_stays_the_same_with_its_scopes(api_key, rotate):
    scopes, row = api_key.scopes, api_key.pk

    rotate()

    api_key.refresh_from_db()
    assert (api_key.pk, api_key.scopes, ApiKey.objects.count()) == (row, scopes, 1)


def test_the_old_secret_never_works_longer_than_it_would_have(api_key, rotate):
    api_key.expires_at = timezone.now() + timedelta(hours=1)
    api_key.save()

    rotate(overlap=7 * DAY)

    api_key.refresh_from_db()
    assert api_key.former_until < timezone.now() + timedelta(hours=1)
    assert api_key.expires_at is None


def test_a_second_rotation_ends_the_secret_before(api_key, rotate):
    second = rotate()
    third = rotate()

    assert [status(one) for one in (API_SECRET, second, third)] == [401, 200, 200]


def test_revoking_ends_both_secrets(api_key, rotate, admin):
    secret = rotate()

    revoke_api_key(key=api_key, actor=admin)

    assert (status(secret), status(API_SECRET)) == (401, 401)


def test_the_use_of_each_secret_is_told_apart(api_key, rotate):
    rotate()
    api_key.refresh_from_db()
    assert (api_key.last_used_at, api_key.former_used_at) == (None, None)

    status(API_SECRET)

    api_key.refresh_from_db()
    assert api_key.last_used_at is None
    assert api_key.former_used_at is not None


def test_rotating_is_audited_without_a_secret(api_key, rotate, admin):
    secret = rotate()

    event = AuditEvent.objects.get(action="accounts.api_key_rotated")
    assert (event.object_id, event.actor) == (str(api_key.id), admin)
    assert secret not in f"{event.before} {event.after}"


@pytest.mark.parametrize("state", ["revoked_at", "expires_at"])
def test_a_key_that_works_no_longer_is_not_rotated(api_key, rotate, state):
    setattr(api_key, state, timezone.now())
    api_key.save()

    with pytest.raises(KeyNotRotatableError):
        rotate()


def test_of_two_rotations_at_once_one_wins(api_key, rotate):
    seen = ApiKey.objects.get(pk=api_key.pk)
    rotate()

    with pytest.raises(KeyNotRotatableError):
        rotate(seen)


def test_the_page_shows_the_new_secret_once(browse, admin, api_key):
    client = browse(admin)
    address = f"{KEYS}{api_key.id}/rotate/"
    assert b"vh_test_" in client.get(address).content

    reply = client.post(address, {"overlap": "24", "days": "365"})

    secret = reply.context["secret"]
    assert (reply.status_code, status(secret)) == (201, 200)
    assert "no-store" in reply.headers["Cache-Control"]
    page = client.get(KEYS).content.decode()
    assert secret not in page
    assert "works until" in page


def test_the_page_never_offers_no_end_first(browse, admin, api_key):
    client = browse(admin)

    form = client.get(f"{KEYS}{api_key.id}/rotate/").context["form"]

    assert form["days"].value() == "90"
    assert form.fields["days"].choices[-1][0] == ""


def test_a_choice_that_is_not_offered_rotates_nothing(browse, admin, api_key):
    reply = browse(admin).post(f"{KEYS}{api_key.id}/rotate/", {"overlap": "9999"})

    assert reply.status_code == 422
    assert status(API_SECRET) == 200


def test_keys_of_other_projects_are_not_there(browse, admin):
    foreign = ApiKeyFactory()

    reply = browse(admin).post(f"{KEYS}{foreign.id}/rotate/", {"overlap": "24"})

    assert reply.status_code == 404


def test_a_key_that_ends_soon_is_told_of(browse, admin, api_key):
    client = browse(admin)
    assert b"stops working on" not in client.get(KEYS).content

    ApiKey.objects.update(expires_at=timezone.now() + timedelta(days=10))

    assert b"stops working on" in client.get(KEYS).content
    assert b"Expires soon" in client.get(KEYS).content


def test_a_key_that_is_rotated_on_a_stale_page_says_so(browse, admin, api_key):
    client = browse(admin)
    revoke_api_key(key=api_key, actor=admin)

    reply = client.post(
        f"{KEYS}{api_key.id}/rotate/", {"overlap": "24", "days": "90"}, follow=True
    )

    assert b"no longer works" in reply.content
