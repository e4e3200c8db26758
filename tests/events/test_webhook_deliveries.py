"""What happens is sent on, signed, and sent again until it is received."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from tests.client.secrets import planted
from verifyhub.events.adapters import ReceiverReply
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import Event, WebhookDelivery
from verifyhub.events.services import (
    WEBHOOK_RETENTION,
    delete_webhook,
    deliver_due,
    pause_webhook,
    reconcile_deliveries,
    replay_dead,
    replay_delivery,
    resume_webhook,
    rotate_secret,
    send_test,
    spread_events,
)
from verifyhub.events.services.deliver import (
    DELIVERIES,
    MAX_ATTEMPTS,
    SCHEDULE,
    wait_before,
)
from verifyhub.events.services.outcomes import DELETED, prepared, write_down

State = WebhookDelivery.State


def only():
    return WebhookDelivery.objects.get()


def numbers(receiver):
    """What was received; several are on their way at a time, so in any order."""
    return sorted(json.loads(one.body)["data"]["n"] for one in receiver.got)


def make_due(endpoint):
    """Let the waits pass, the delivery's and its receiver's."""
    WebhookDelivery.objects.update(next_at=None)
    type(endpoint).objects.update(quiet_until=None)


def test_a_receiver_can_verify_what_it_gets(webhook, receiver, tell):
    _, secret = webhook()
    event = tell(subject={"name": "run-1"}, error="x" * 10)

    deliver_due()

    (got,) = receiver.got
    body = Webhook(secret).verify(got.body, got.headers)
    assert body["type"] == "verification.failed"
    assert body["timestamp"] == event.created_at.isoformat()
    assert body["data"]["error"] == "x" * 10
    assert body["data"]["subject"] == {"name": "run-1"}
    assert body["data"]["cursor"] == str(event.position)
    assert got.headers["webhook-id"] == str(event.id)
    assert only().state == State.FINISHED


def test_secrets_are_masked_unless_a_lead_sends_them(webhook, receiver, tell, project):
    text, secret = planted()["github"]
    webhook()
    tell(error=text)
    deliver_due()
    project.sends_unmasked = True
    project.save()
    tell(error=text)
    deliver_due()

    masked, whole = (one.body.decode() for one in receiver.got)
    assert secret not in masked
    assert "github-token:" in masked
    assert secret in whole


def test_a_changed_body_is_not_believed(webhook, receiver, tell):
    _, secret = webhook()
    tell(verdict="reject")
    deliver_due()

    (got,) = receiver.got
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(got.body.replace(b"reject", b"accept"), got.headers)


def test_a_huge_event_stays_below_the_limit(webhook, receiver, tell):
    webhook()
    tell(gaps=["ж" * 3000] * 400)
    deliver_due()

    (got,) = receiver.got
    assert len(got.body) < 20_000
    assert json.loads(got.body)["data"]["is_cut"] is True


def test_only_the_types_that_were_asked_for_are_sent(webhook, receiver, tell):
    webhook(types=("verification.completed",))
    tell(n=1)
    tell(EventType.VERIFICATION_COMPLETED, n=2)
    deliver_due()

    assert [json.loads(one.body)["data"]["n"] for one in receiver.got] == [2]


def test_what_happened_before_it_was_added_is_not_sent(webhook, receiver, tell):
    tell(n=1)
    webhook()
    tell(n=2)
    deliver_due()

    assert [json.loads(one.body)["data"]["n"] for one in receiver.got] == [2]


def test_each_receiver_gets_each_event_once(webhook, receiver, tell):
    webhook()
    webhook(name="other")
    for number in range(3):
        tell(n=number)
    for _ in range(3):
        spread_events()
        deliver_due()

    ids = [one.headers["webhook-id"] for one in receiver.got]
    assert len(ids) == 6
    assert len(set(ids)) == 3


def test_a_failure_is_tried_again_under_the_same_id(webhook, receiver, tell):
    endpoint, secret = webhook()
    tell()
    receiver.answers((500, {}, b"<b>later</b>"), 200)
    deliver_due()
    failed = only()
    make_due(endpoint)
    deliver_due()

    first, second = receiver.got
    assert failed.state == State.PENDING
    assert failed.next_at > timezone.now()
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    Webhook(secret).verify(second.body, second.headers)
    assert only().state == State.FINISHED
    log = list(only().log.all())
    assert [one.status for one in log] == [500, 200]
    assert log[0].excerpt == "<b>later</b>"
    endpoint.refresh_from_db()
    assert (endpoint.failures, endpoint.failing_since) == (0, None)


@pytest.mark.parametrize("status", [301, 400, 404, 429, 503])
def test_anything_but_success_is_a_failure(webhook, receiver, tell, status):
    webhook()
    tell()
    receiver.answers((status, {"Location": receiver.url}, b""))
    deliver_due()

    assert len(receiver.got) == 1
    assert only().state == State.PENDING
    assert only().last_status == status


def test_it_waits_at_least_as_long_as_it_is_asked_to(webhook, receiver, tell):
    webhook()
    tell()
    receiver.answers((429, {"Retry-After": "7200"}, b""))
    deliver_due()

    assert only().next_at > timezone.now() + timedelta(seconds=7000)


def test_waits_grow_and_no_two_are_in_step():
    waits = {wait_before(3, None) for _ in range(20)}

    assert len(waits) > 1
    assert all(SCHEDULE[2] * 0.8 <= one <= SCHEDULE[2] * 1.2 for one in waits)
    assert wait_before(1, 60.0) == 60.0


def test_after_the_last_attempt_it_is_a_dead_letter(webhook, receiver, tell):
    endpoint, _ = webhook()
    tell()
    receiver.answers(500)
    for _ in range(MAX_ATTEMPTS + 2):
        deliver_due()
        make_due(endpoint)

    assert only().state == State.FAILED
    assert len(receiver.got) == MAX_ATTEMPTS


def test_dead_letters_are_sent_again_when_somebody_says_so(
    webhook, receiver, tell, admin
):
    endpoint, _ = webhook()
    event = tell()
    WebhookDelivery.objects.create(
        project=endpoint.project,
        endpoint=endpoint,
        event_id=event.id,
        event_type=event.type,
        position=event.position,
        state=State.FAILED,
        attempts=MAX_ATTEMPTS,
    )

    assert replay_dead(endpoint=endpoint, actor=admin) == 1
    deliver_due()

    assert only().state == State.FINISHED
    assert only().replays == 1
    (got,) = receiver.got
    assert got.headers["webhook-id"] == str(event.id)


def test_one_that_was_delivered_may_be_sent_again(webhook, receiver, tell, admin):
    webhook()
    tell()
    deliver_due()

    assert replay_delivery(delivery=only(), actor=admin)
    assert not replay_delivery(delivery=only(), actor=admin)
    deliver_due()

    assert len({one.headers["webhook-id"] for one in receiver.got}) == 1
    assert len(receiver.got) == 2


def test_gone_switches_it_off_and_is_told(webhook, receiver, tell):
    endpoint, _ = webhook()
    tell(n=1)
    receiver.answers(410)
    deliver_due()
    tell(n=2)
    deliver_due()

    endpoint.refresh_from_db()
    assert endpoint.state == "disabled"
    assert endpoint.reason_words == "The receiver responded that it is gone."
    assert len(receiver.got) == 1
    assert Event.objects.filter(type="webhook.disabled").count() == 1


def test_days_of_failure_switch_it_off_and_nothing_is_lost(webhook, receiver, tell):
    endpoint, _ = webhook()
    endpoint.failing_since = timezone.now() - timedelta(days=6)
    endpoint.save()
    for number in range(2):
        tell(n=number)
    receiver.answers(500)
    deliver_due()
    endpoint.refresh_from_db()
    assert endpoint.state == "disabled"
    assert set(WebhookDelivery.objects.values_list("state", flat=True)) == {State.HELD}
    tell(n=2)

    receiver.answers(200)
    resume_webhook(endpoint=endpoint, actor=None)
    deliver_due()

    told = {json.loads(one.body)["data"].get("n") for one in receiver.got[-4:]}
    assert {0, 1, 2} <= told


def test_what_happens_while_it_is_paused_is_sent_afterwards(webhook, receiver, tell):
    endpoint, _ = webhook()
    tell(n=1)
    spread_events()
    pause_webhook(endpoint=endpoint, actor=None)
    tell(n=2)
    deliver_due()
    assert receiver.got == []

    resume_webhook(endpoint=endpoint, actor=None)
    deliver_due()

    assert numbers(receiver) == [1, 2]


def test_a_receiver_that_keeps_failing_rests(webhook, receiver, tell):
    endpoint, _ = webhook()
    receiver.answers(500)
    for number in range(8):
        tell(n=number)
    deliver_due()

    endpoint.refresh_from_db()
    assert endpoint.quiet_until > timezone.now()
    # The first four went out together; what failed them keeps the others back.
    assert len(receiver.got) < 8


def test_while_two_secrets_are_valid_both_sign(webhook, receiver, tell):
    endpoint, old = webhook()
    new = rotate_secret(
        endpoint=endpoint, overlap_hours=24, now=timezone.now(), actor=None
    )
    tell()
    deliver_due()

    (got,) = receiver.got
    assert len(got.headers["webhook-signature"].split()) == 2
    Webhook(old).verify(got.body, got.headers)
    Webhook(new).verify(got.body, got.headers)


def test_a_former_secret_ends(webhook, receiver, tell):
    endpoint, old = webhook()
    before = timezone.now() - timedelta(hours=2)
    rotate_secret(endpoint=endpoint, overlap_hours=1, now=before, actor=None)
    tell()
    deliver_due()

    (got,) = receiver.got
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(got.body, got.headers)


def test_a_test_goes_to_one_receiver_alone(webhook, receiver, admin, settle):
    endpoint, secret = webhook(types=("verification.completed",))
    webhook(name="other")
    send_test(endpoint=endpoint, actor=admin)
    settle()
    deliver_due()

    (got,) = receiver.got
    assert Webhook(secret).verify(got.body, got.headers)["type"] == "webhook.test"


def test_no_address_inside_is_called_without_the_operators_word(
    webhook, receiver, tell, settings
):
    webhook()
    tell()
    settings.WEBHOOK_ALLOW_PRIVATE = frozenset()
    deliver_due()

    assert receiver.got == []
    assert "not public" in only().log.get().error_words


def test_a_worker_that_died_in_the_middle_costs_an_attempt_and_nothing_else(
    webhook, receiver, tell
):
    webhook()
    tell()
    spread_events()
    past = timezone.now() - timedelta(seconds=60)
    WebhookDelivery.objects.update(
        state=State.RUNNING, attempts=1, token=7, lease_until=past
    )

    reconcile_deliveries()
    deliver_due()

    assert only().state == State.FINISHED
    assert len(receiver.got) == 1


def test_a_long_backlog_waits_at_its_cursor(webhook, tell, receiver, monkeypatch):
    endpoint, _ = webhook()
    monkeypatch.setattr(type(endpoint), "MAX_WAITING", 2)
    for number in range(5):
        tell(n=number)
    spread_events()
    assert WebhookDelivery.objects.count() == 2

    deliver_due()

    assert numbers(receiver) == [0, 1, 2, 3, 4]


def test_the_log_goes_with_its_age(webhook, receiver, tell, settings):
    settings.EVENT_DAYS = 3
    webhook()
    tell()
    deliver_due()

    assert WEBHOOK_RETENTION.apply(now=timezone.now() + timedelta(days=2)) == 0
    assert WEBHOOK_RETENTION.apply(now=timezone.now() + timedelta(days=4)) == 1


def test_an_event_that_cannot_be_told_stops_no_other(webhook, receiver, tell):
    webhook(form="otlp-logs")
    webhook(name="other")
    # Without the data that an evaluation is made of.
    tell(EventType.VERIFICATION_COMPLETED, n=1)
    deliver_due()

    assert numbers(receiver) == [1]
    states = WebhookDelivery.objects.values_list("state", "endpoint__form")
    assert set(states) == {(State.FINISHED, "webhook"), (State.PENDING, "otlp-logs")}


def test_a_receiver_may_be_deleted_while_it_is_called(webhook, receiver, tell):
    endpoint, _ = webhook()
    tell()
    spread_events()
    claim = DELIVERIES.claim(only().id)
    delete_webhook(endpoint=endpoint, actor=None)

    assert prepared(claim.row_id) == DELETED
    assert (
        write_down(DELIVERIES, claim, ReceiverReply(status=200), wait_seconds=1) is None
    )
