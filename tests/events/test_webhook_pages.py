"""Admins see who is told what happens, what became of it, and send it again."""

import html
import re

import pytest
from django.urls import reverse
from standardwebhooks import Webhook

from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import deliver_due


@pytest.fixture
def url(project):
    return reverse("events:webhook-list", args=[project.slug])


@pytest.fixture
def at(project):
    """Where an act on a webhook is: `at("test", endpoint)`."""

    def address(name, endpoint):
        return reverse(f"events:{name}", args=[project.slug, endpoint.id])

    return address


def test_without_one_the_page_teaches_to_verify(browse, admin, url):
    page = browse(admin).get(url).content.decode()

    assert "from standardwebhooks import Webhook" in page


def test_one_is_added_and_its_secret_shown_once(browse, admin, url, at, receiver, tell):
    person = browse(admin)
    values = {"name": "ci", "url": receiver.url, "form": "webhook"}
    shown = person.post(f"{url}add/", values).content.decode()
    secret = re.search(r"whsec_[A-Za-z0-9+/=]+", shown)[0]
    tell(n=1)
    deliver_due()

    (got,) = receiver.got
    Webhook(secret).verify(got.body, got.headers)
    again = person.get(at("webhook", WebhookEndpoint.objects.get())).content.decode()
    assert "whsec_" not in again
    assert (
        "no-store" in person.post(f"{url}add/", values | {"name": "b"})["Cache-Control"]
    )


def test_what_cannot_be_is_said_beside_its_field(browse, admin, url):
    values = {"name": "ci", "url": "https://10.0.0.1/", "form": "webhook"}

    reply = browse(admin).post(f"{url}add/", values)

    assert reply.status_code == 422
    assert "Requests to this address are not allowed" in reply.content.decode()


def test_a_strangers_reply_is_text(browse, admin, at, webhook, receiver, tell):
    endpoint, _ = webhook(name="<b>ci</b>")
    receiver.answers((500, {}, b"<script>alert(1)</script>"))
    tell()
    deliver_due()

    page = browse(admin).get(at("webhook", endpoint)).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "<b>ci</b>" not in page
    assert "HTTP 500" in page


def test_the_log_is_filtered_by_state(browse, admin, at, webhook, tell, receiver):
    endpoint, _ = webhook()
    tell()
    deliver_due()
    person = browse(admin)

    assert (
        "verification.failed"
        in person.get(at("webhook", endpoint), {"state": "finished"}).content.decode()
    )
    assert (
        "Nothing matches"
        in person.get(at("webhook", endpoint), {"state": "failed"}).content.decode()
    )


def test_buttons_test_pause_resume_replay_rotate_and_delete(
    browse, admin, at, webhook, tell, receiver, project, settle
):
    endpoint, old = webhook()
    person = browse(admin)
    person.post(at("webhook-test", endpoint))
    settle()
    deliver_due()
    assert len(receiver.got) == 1

    person.post(at("webhook-pause", endpoint))
    tell()
    deliver_due()
    assert len(receiver.got) == 1
    person.post(at("webhook-resume", endpoint))
    deliver_due()
    assert len(receiver.got) == 2

    row = WebhookDelivery.objects.order_by("position").last()
    replay = reverse("events:delivery-replay", args=[project.slug, endpoint.id, row.id])
    person.post(replay)
    WebhookDelivery.objects.filter(position=0).update(state="failed")
    person.post(at("webhook-replay", endpoint))
    deliver_due()
    assert len(receiver.got) == 4

    shown = person.post(at("webhook-rotate", endpoint), {"overlap_hours": "24"})
    secret = re.search(r"whsec_[A-Za-z0-9+/=]+", shown.content.decode())[0]
    assert secret != old

    person.post(at("webhook-delete", endpoint))
    assert not WebhookEndpoint.objects.exists()


def test_one_is_changed_and_keeps_its_headers(browse, admin, at, webhook, receiver):
    endpoint, _ = webhook(form="otlp-logs", headers={"X-Key": "k"})
    values = {"name": "collector", "url": receiver.url, "form": "webhook"}
    browse(admin).post(at("webhook-change", endpoint), values)

    endpoint.refresh_from_db()
    assert (endpoint.name, endpoint.form) == ("collector", "otlp-logs")
    assert endpoint.sealed_headers

    moved = values | {"url": receiver.url + "/elsewhere"}
    browse(admin).post(at("webhook-change", endpoint), moved)
    endpoint.refresh_from_db()
    assert endpoint.sealed_headers == ""


def test_a_switched_off_one_is_said_on_the_list(browse, admin, url, webhook, project):
    endpoint, _ = webhook()
    endpoint.state, endpoint.state_reason = "disabled", "It took nothing for 5 days."
    endpoint.save()

    assert "It took nothing for 5 days." in browse(admin).get(url).content.decode()


def test_why_it_is_switched_off_is_said_in_the_readers_language(
    browse, admin, url, webhook
):
    endpoint, _ = webhook()
    endpoint.state, endpoint.state_reason = "disabled", "receiver_failing"
    endpoint.state_params = {"n": 5, "error": "no_connection"}
    endpoint.save()
    client = browse(admin)

    page = client.get(url, headers={"accept-language": "fr"}).content.decode()
    assert "pas de connexion à l'hôte" in html.unescape(page)
    page = client.get(url).content.decode()
    assert (
        "No delivery succeeded for 5 days; last error: no connection to the host."
        in page
    )


@pytest.mark.parametrize("who", ["lead", "outsider"])
def test_others_may_not(browse, request, url, who):
    reply = browse(request.getfixturevalue(who)).get(url)

    assert reply.status_code == (404 if who == "outsider" else 403)
