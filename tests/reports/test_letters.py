"""Letters go to those whom a rule names, by a real mail server, until taken."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import MembershipFactory
from verifyhub.accounts.models import Role, User
from verifyhub.audit.models import AuditEvent
from verifyhub.reports.models import Alert, Letter
from verifyhub.reports.services.alerts import evaluate_rules
from verifyhub.reports.services.mail import (
    LETTER_RETENTION,
    reconcile_letters,
    send_letter,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(project):
    return MembershipFactory(
        project=project,
        role=Role.VIEWER,
        user__username="reader",
        user__email="reader@example.org",
        user__language="fr",
    )


def look() -> None:
    evaluate_rules(now=timezone.now())


@pytest.fixture
def alarm(rule, answers):
    """Raise an alert that a member hears of."""

    def raised(member):
        rule(to=(member,))
        answers(reject=4)
        look()

    return raised


def test_a_letter_tells_of_the_alert_in_the_readers_language(
    mail_server, rule, answers, reader
):
    rule(name="Too many", to=(reader,))
    answers(reject=4)
    look()
    letter = Letter.objects.get()

    assert send_letter(letter_id=letter.id)
    assert not send_letter(letter_id=letter.id)

    (sent,) = mail_server.letters
    assert sent["To"] == "reader@example.org"
    assert "Too many" in sent["Subject"]
    assert sent["Message-ID"].startswith(f"<{letter.id}@")
    plain, html = sent.get_body(("plain",)), sent.get_body(("html",))
    assert "n=4, 95 %: 51,0 % – 100,0 %" in plain.get_content()
    assert "/p/acme/metrics/" in plain.get_content()
    assert '<html lang="fr">' in html.get_content()


def test_an_end_is_told_as_well(mail_server, alarm, answers, reader):
    alarm(reader)
    answers(accept=10)
    look()

    assert Letter.objects.count() == 2


def test_a_server_that_does_not_take_it_is_tried_again(mail_server, alarm, reader):
    alarm(reader)
    letter = Letter.objects.get()
    mail_server.refuses = True

    assert not send_letter(letter_id=letter.id)
    letter.refresh_from_db()
    assert (letter.state, letter.attempts) == ("pending", 1)
    assert letter.next_at > timezone.now()

    mail_server.refuses = False
    Letter.objects.update(next_at=None, created_at=timezone.now() - timedelta(hours=1))
    assert reconcile_letters() == 1
    assert send_letter(letter_id=letter.id)
    assert len(mail_server.letters) == 1


def test_after_the_last_attempt_it_has_failed_and_says_why(mail_server, alarm, reader):
    alarm(reader)
    mail_server.refuses = True
    letter = Letter.objects.get()
    for _ in range(8):
        Letter.objects.update(next_at=None)
        assert not send_letter(letter_id=letter.id)

    letter.refresh_from_db()
    assert letter.state == "failed"
    assert "451" in letter.error


@pytest.mark.parametrize("email", ["", "gone@example.org"])
def test_who_has_no_address_or_has_left_gets_none(mail_server, alarm, reader, email):
    reader.user.email, reader.user.is_active = email, not email
    reader.user.save()
    alarm(reader)

    assert Alert.objects.count() == 1
    assert not Letter.objects.exists()


def test_without_a_mail_server_there_are_no_letters(settings, alarm, reader):
    settings.EMAIL_HOST = ""
    alarm(reader)

    assert Alert.objects.count() == 1
    assert not Letter.objects.exists()


def test_names_from_outside_are_neither_headers_nor_markup(
    mail_server, rule, answers, reader
):
    evil = "a\r\nBcc: all@example.org\r\n\r\n<img src=x onerror=alert(1)>"
    rule(name=evil[:90], agent=evil, to=(reader,))
    answers(agent=evil, reject=4)
    look()

    send_letter(letter_id=Letter.objects.get().id)

    (sent,) = mail_server.letters
    assert sent["Bcc"] is None
    html = sent.get_body(("html",)).get_content()
    assert "<img" not in html
    assert "&lt;img" in html


def test_a_member_of_another_project_gets_no_letter(mail_server, alarm):
    stranger = MembershipFactory(user__email="stranger@example.org")
    alarm(stranger)

    assert not Letter.objects.exists()


@pytest.mark.parametrize("change", ["left", "off", "no address"])
def test_who_left_while_a_letter_waited_gets_none(mail_server, alarm, reader, change):
    alarm(reader)
    reader.user.is_active = change != "off"
    reader.user.email = "" if change == "no address" else reader.user.email
    reader.user.save()
    if change == "left":
        reader.delete()

    assert not send_letter(letter_id=Letter.objects.get().id)

    assert mail_server.letters == []
    assert Letter.objects.get().state == "failed"


def test_an_address_that_cannot_be_written_is_noted_and_stops_no_worker(
    mail_server, alarm, reader
):
    alarm(reader)
    User.objects.filter(pk=reader.user_id).update(email="a@example.org\nBcc: b@c.org")

    assert not send_letter(letter_id=Letter.objects.get().id)

    assert Letter.objects.get().state == "pending"
    assert "ValueError" in Letter.objects.get().error
    assert mail_server.letters == []


@pytest.mark.parametrize(
    ("role", "path"), [(Role.LEAD, "alerts/"), (Role.VIEWER, "metrics/")]
)
def test_a_letter_leads_to_a_page_that_its_reader_may_read(
    browse, mail_server, alarm, project, settings, role, path
):
    member = MembershipFactory(
        project=project, role=role, user__email="reader@example.org"
    )
    alarm(member)
    send_letter(letter_id=Letter.objects.get().id)

    (sent,) = mail_server.letters
    address = f"{settings.ROOT_URL}/p/acme/{path}"
    for kind in ("plain", "html"):
        text = sent.get_body((kind,)).get_content()
        assert address in text
        assert f"{settings.ROOT_URL}/accounts/profile/" in text
    assert browse(member.user).get(f"/p/acme/{path}").status_code == 200


def test_a_lead_sees_by_a_test_whether_letters_arrive(
    browse, mail_server, lead, viewer
):
    page = browse(lead)
    without = page.post("/p/acme/alerts/test-letter/", follow=True).content.decode()
    User.objects.filter(pk=lead.pk).update(email="lead@example.org")
    page.post("/p/acme/alerts/test-letter/")
    letter = Letter.objects.get()
    waits = page.get("/p/acme/alerts/").content.decode()
    send_letter(letter_id=letter.id)

    (sent,) = mail_server.letters
    assert "No e-mail address" in without
    assert sent["To"] == "lead@example.org"
    assert "queued" in waits
    assert "queued" not in page.get("/p/acme/alerts/").content.decode()
    assert AuditEvent.objects.filter(action="reports.trial_letter_sent").count() == 1
    assert browse(viewer).post("/p/acme/alerts/test-letter/").status_code == 403


def test_old_letters_go(mail_server, alarm, reader):
    alarm(reader)
    send_letter(letter_id=Letter.objects.get().id)

    assert LETTER_RETENTION.apply(now=timezone.now() + timedelta(days=29)) == 0
    assert LETTER_RETENTION.apply(now=timezone.now() + timedelta(days=31)) == 1


def test_people_set_their_own_address_and_the_audit_log_does_not_hold_it(
    browse, viewer
):
    viewer.set_password("right horse 7")
    viewer.save()
    page = browse(viewer)
    values = {"key_mode": "letters", "password": "right horse 7"}

    refused = page.post("/accounts/profile/", {**values, "email": "nobody"})
    kept = page.post("/accounts/profile/", {**values, "email": "me@example.org"})

    assert (refused.status_code, kept.status_code) == (422, 302)
    viewer.refresh_from_db()
    assert viewer.email == "me@example.org"
    event = AuditEvent.objects.get(action="accounts.settings_saved")
    assert "example.org" not in str(event.after)
