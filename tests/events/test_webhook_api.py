"""Programs manage their project's webhooks, and nobody else's."""

import pytest
from standardwebhooks import Webhook

from tests.factories import ApiKeyFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import deliver_due

URL = "/api/v1/webhooks/"


@pytest.fixture
def send(api):
    def sent(path="", body=None, method="post"):
        return getattr(api, method)(URL + path, body, content_type="application/json")

    return sent


@pytest.fixture
def added(send, receiver):
    """A webhook that was added by the API, as the reply has it."""
    return send(body={"name": "ci", "url": receiver.url}).json()


def test_it_is_added_with_a_secret_that_is_shown_once(api, added, receiver, tell):
    tell(n=1)
    deliver_due()

    (got,) = receiver.got
    Webhook(added["secret"]).verify(got.body, got.headers)
    shown = api.get(f"{URL}{added['id']}/").json()
    assert "secret" not in shown
    assert shown["last_success_at"]
    assert api.get(URL).json()["results"] == [shown]
    stored = WebhookEndpoint.objects.get()
    assert added["secret"] not in stored.sealed_secret
    assert added["secret"] not in str(list(AuditEvent.objects.values()))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "https://169.254.169.254/latest"}, "url"),
        ({"url": "https://127.0.0.1/x"}, "url"),
        ({"url": "http://example.com/hook"}, "url"),
        ({"url": "ftp://example.com/hook"}, "url"),
        ({"url": "https://user@example.com/"}, "url"),
        ({"url": "https://example.com:25/"}, "url"),
        ({"name": " "}, "name"),
        ({"types": ["verification.imagined"]}, "types[0]"),
        ({"headers": {"Authorization": "x"}}, "headers"),
        ({"form": "otlp-logs", "types": ["constraint.retired"]}, "types"),
        ({"form": "otlp-logs", "headers": {"Host": "x"}}, "headers"),
        ({"form": "otlp-logs", "headers": {"X-A": "a\nb"}}, "headers"),
    ],
)
def test_what_cannot_be_is_refused_by_field(send, project, change, field):
    body = {"name": "ci", "url": "https://example.com/hook", **change}

    reply = send(body=body)

    assert reply.status_code == 400
    assert field in reply.json()["errors"][0]["field"]
    assert not WebhookEndpoint.objects.exists()


def test_two_of_one_name_are_refused(send, added, receiver):
    assert send(body={"name": "ci", "url": receiver.url}).status_code == 400


def test_who_lost_the_reply_comes_to_another_secret(api, send, added, receiver, tell):
    again = send(body={"name": "ci", "url": receiver.url})
    (listed,) = api.get(URL).json()["results"]
    rotated = send(f"{listed['id']}/rotate-secret/", {"overlap_hours": 0}).json()
    tell(n=1)
    deliver_due()

    (got,) = receiver.got
    assert again.json()["errors"][0]["field"] == "name"
    Webhook(rotated["secret"]).verify(got.body, got.headers)


def test_it_is_changed_paused_and_resumed(send, added, receiver, tell):
    path = f"{added['id']}/"
    changed = send(path, {"name": "gate", "state": "paused"}, "patch").json()
    tell(n=1)
    deliver_due()

    assert (changed["name"], changed["state"]) == ("gate", "paused")
    assert receiver.got == []
    assert send(path, {"state": "active"}, "patch").json()["state"] == "active"
    deliver_due()
    assert len(receiver.got) == 1


def test_a_rotated_secret_is_shown_once_and_both_sign(send, added, receiver, tell):
    made = send(f"{added['id']}/rotate-secret/", {"overlap_hours": 2}).json()
    tell(n=1)
    deliver_due()

    (got,) = receiver.got
    for secret in (added["secret"], made["secret"]):
        Webhook(secret).verify(got.body, got.headers)
    assert made["old_secret_until"]


def test_the_log_shows_each_attempt_and_sends_again(api, send, added, receiver, tell):
    tell(n=1)
    receiver.answers((500, {}, b"no"), 200)
    deliver_due()
    WebhookDelivery.objects.update(state="failed")
    path = f"{added['id']}/deliveries/"
    (row,) = api.get(URL + path, {"state": "failed"}).json()["results"]
    detail = api.get(f"{URL}{path}{row['id']}/").json()

    assert detail["log"][0]["excerpt"] == "no"
    assert send(f"{path}{row['id']}/replay/").status_code == 202
    assert send(f"{path}{row['id']}/replay/").status_code == 409
    WebhookEndpoint.objects.update(quiet_until=None)
    deliver_due()
    assert (
        receiver.got[0].headers["webhook-id"] == receiver.got[1].headers["webhook-id"]
    )


def test_all_dead_letters_are_sent_again(send, added, receiver, tell):
    for number in range(3):
        tell(n=number)
    receiver.answers(500)
    deliver_due()
    WebhookDelivery.objects.update(state="failed")

    assert send(f"{added['id']}/replay/").json() == {"replayed": 3}
    assert send(f"{added['id']}/replay/").json() == {"replayed": 0}


def test_a_test_is_sent(send, added, receiver, settle):
    reply = send(f"{added['id']}/test/")
    settle()
    deliver_due()

    assert reply.status_code == 202
    assert reply.json()["type"] == EventType.WEBHOOK_TEST
    assert len(receiver.got) == 1


def test_it_is_deleted_with_its_log(send, added, tell):
    tell(n=1)
    deliver_due()

    assert send(f"{added['id']}/", method="delete").status_code == 204
    assert not WebhookDelivery.objects.exists()


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("", "get"),
        ("", "patch"),
        ("", "delete"),
        ("test/", "post"),
        ("replay/", "post"),
        ("rotate-secret/", "post"),
        ("deliveries/", "get"),
    ],
)
def test_another_projects_webhook_does_not_exist(client, added, path, method):
    other = "vh_tests_other_0123456789abcdef0123456789"
    ApiKeyFactory(secret=other)

    reply = getattr(client, method)(
        f"{URL}{added['id']}/{path}",
        {} if method != "get" else None,
        content_type="application/json",
        headers={"authorization": f"Bearer {other}"},
    )

    assert reply.status_code == 404


def test_a_key_without_the_scope_manages_nothing(api, api_key):
    api_key.scopes = ["ingest", "read"]
    api_key.save()

    assert api.get(URL).status_code == 403
