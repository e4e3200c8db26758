"""The weekly report: due once, made of its own seven days, fit to be forwarded."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tests.factories import MembershipFactory, MentionVerdictFactory, ProjectFactory
from tests.threads import at_once
from verifyhub.accounts.models import Role
from verifyhub.audit.models import AuditEvent
from verifyhub.events.selectors import newest_events
from verifyhub.reports.models import Letter, ReportPlan, WeeklyReport
from verifyhub.reports.selectors.lists import plan_of
from verifyhub.reports.services.mail import send_letter
from verifyhub.reports.services.weekly import (
    make_due_reports,
    make_report,
    next_at,
    save_plan,
)
from verifyhub.verification.models import Verification

pytestmark = pytest.mark.django_db

# A Monday.
MONDAY = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)


@pytest.fixture
def plan(project):
    def made(*, to=(), since=MONDAY - timedelta(days=30), **values):
        row = plan_of(project)
        known = {"enabled": True, "weekday": 0, "hour": 7, "time_zone": "UTC"}
        for name, value in {**known, **values}.items():
            setattr(row, name, value)
        save_plan(plan=row, recipients=to, actor=None)
        ReportPlan.objects.filter(pk=row.pk).update(created_at=since)
        return row

    return made


def test_it_counts_its_own_seven_days_beside_the_seven_before(project, answers):
    answers(at=datetime(2026, 11, 9, 0, 0, tzinfo=UTC), reject=3, accept=1)
    answers(at=datetime(2026, 11, 15, 23, 59, tzinfo=UTC), uncertain=1)
    answers(at=datetime(2026, 11, 8, 23, 59, tzinfo=UTC), accept=2)
    answers(at=datetime(2026, 11, 16, 0, 0, tzinfo=UTC), accept=9)
    MentionVerdictFactory(
        verification=Verification.objects.filter(verdict="reject").first(),
        invented=True,
        text="ghost.py",
    )

    made = make_report(project=project, now=MONDAY)

    figures = made.figures
    assert figures["days"] == {
        "first": "2026-11-09",
        "last": "2026-11-15",
        "zone": "UTC",
    }
    assert figures["checked"] == {"now": 5, "before": 2}
    flagged = figures["flagged"]
    assert (flagged["now"]["count"], flagged["now"]["total"]) == (4, 5)
    assert (flagged["before"]["count"], flagged["before"]["total"]) == (0, 2)
    assert flagged["change"] == "unknown"
    assert figures["agents"][0]["name"] == "coder"
    assert [row["text"] for row in figures["names"]] == ["ghost.py"]


def test_a_change_is_called_one_only_beyond_chance(project, answers):
    answers(at=MONDAY - timedelta(days=3), reject=30, accept=10)
    answers(at=MONDAY - timedelta(days=10), reject=5, accept=35)

    flagged = make_report(project=project, now=MONDAY).figures["flagged"]

    assert flagged["change"] == "more"
    assert flagged["difference"] == pytest.approx(0.625)
    assert 0 < flagged["difference_low"] < 0.625 < flagged["difference_high"]


def test_it_is_made_once_when_its_hour_has_come(project, plan, settle):
    plan()

    assert make_due_reports(now=MONDAY.replace(hour=6, minute=59)) == 0
    assert make_due_reports(now=MONDAY.replace(hour=7)) == 1
    assert make_due_reports(now=MONDAY.replace(hour=8)) == 0
    assert make_due_reports(now=MONDAY + timedelta(days=7)) == 1

    assert WeeklyReport.objects.count() == 2
    settle()
    assert [one.type for one in newest_events(project)] == ["report.ready"] * 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_it_once(settings):
    settings.EMAIL_HOST = "mail.example.org"
    member = MembershipFactory(user__email="lead@example.org")
    save_plan(plan=ReportPlan(project=member.project), recipients=(member,), actor=None)
    ReportPlan.objects.update(created_at=MONDAY - timedelta(days=30))

    made = at_once(*[lambda: make_due_reports(now=MONDAY)] * 3)

    assert (sum(made), Letter.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("now", "due"),
    [
        # Clocks go back, and forward, within the next seven days.
        ("2026-10-19T07:30:00+02:00", "2026-10-26T07:00:00+01:00"),
        ("2026-10-19T06:30:00+02:00", "2026-10-19T07:00:00+02:00"),
        ("2026-03-23T06:30:00+01:00", "2026-03-23T07:00:00+01:00"),
        ("2026-03-23T07:30:00+01:00", "2026-03-30T07:00:00+02:00"),
    ],
)
def test_the_next_one_is_always_ahead_and_never_left_out(plan, now, due):
    made = plan(time_zone="Europe/Berlin")

    told = next_at(made, datetime.fromisoformat(now).astimezone(UTC))

    assert told == datetime.fromisoformat(due)


def test_the_week_before_has_its_own_change_of_clocks(project, plan, answers):
    zone = ZoneInfo("Europe/Berlin")
    plan(time_zone="Europe/Berlin")
    # The first half hour of Monday the 19th; clocks went back on Sunday the 25th.
    answers(at=datetime(2026, 10, 19, 0, 30, tzinfo=zone), reject=1)

    made = make_report(project=project, now=datetime(2026, 11, 2, 12, tzinfo=UTC))

    assert made.figures["days"]["first"] == "2026-10-26"
    assert made.figures["checked"] == {"now": 0, "before": 1}


def test_what_is_changed_of_a_plan_is_in_the_audit_log(plan, lead, project):
    member = MembershipFactory(project=project, user__username="reader")
    plan(hour=7)
    plan(hour=8, to=(member,))

    event = AuditEvent.objects.filter(action="reports.plan_saved").latest("created_at")
    assert (event.before["hour"], event.after["hour"]) == (7, 8)
    assert (event.before["recipients"], event.after["recipients"]) == ([], ["reader"])


def test_one_that_is_off_or_new_or_long_past_is_not_made(plan):
    plan(enabled=False)
    assert make_due_reports(now=MONDAY) == 0
    plan(since=MONDAY)
    assert make_due_reports(now=MONDAY) == 0
    plan(weekday=3)
    assert make_due_reports(now=MONDAY) == 0


def test_its_hour_is_that_of_the_wall_also_after_summer_time_ends(plan):
    made = plan(time_zone="Europe/Berlin", weekday=6, hour=7)
    before = datetime(2026, 10, 20, tzinfo=UTC)

    due = next_at(made, before)

    assert due == datetime(2026, 10, 25, 7, tzinfo=ZoneInfo("Europe/Berlin"))
    assert due.astimezone(UTC).hour == 6


def test_a_week_with_a_change_of_clocks_has_seven_days(project, plan):
    plan(time_zone="Europe/Berlin")

    made = make_report(project=project, now=datetime(2026, 10, 26, 12, tzinfo=UTC))

    assert made.figures["days"]["first"] == "2026-10-19"
    assert made.until - made.since == timedelta(days=7, hours=1)


def test_making_it_again_gives_the_same_and_what_came_later_changes_nothing(
    project, answers
):
    answers(at=MONDAY - timedelta(days=2), reject=1)
    first = make_report(project=project, now=MONDAY)
    answers(at=MONDAY - timedelta(days=2), reject=1)

    again = make_report(project=project, now=MONDAY)

    assert again.id == first.id
    assert again.figures["checked"]["now"] == 1


def test_the_letter_is_the_report_and_goes_to_those_who_asked_for_it(
    mail_server, project, plan, answers, settings
):
    member = MembershipFactory(
        project=project, role=Role.LEAD, user__email="lead@example.org"
    )
    plan(to=(member,))
    answers(at=MONDAY - timedelta(days=2), agent="<b>bot</b>", reject=4)
    make_due_reports(now=MONDAY)
    make_due_reports(now=MONDAY + timedelta(minutes=5))

    send_letter(letter_id=Letter.objects.get().id)

    (sent,) = mail_server.letters
    html = sent.get_body(("html",)).get_content()
    assert "2026-11-15" in sent["Subject"]
    assert "<b>bot</b>" not in html
    assert "&lt;b&gt;bot&lt;/b&gt;" in html
    assert "<script" not in html
    plain = sent.get_body(("plain",)).get_content()
    assert "4/4" in plain
    assert "<b>bot</b>: 100 % (4/4" in plain
    for part in (plain, html):
        assert f"{settings.ROOT_URL}/p/{project.slug}/reports/" in part
        assert f"{settings.ROOT_URL}/accounts/profile/" in part


def test_the_pages_of_a_project_show_and_forward_it(browse, lead, project, answers):
    answers(at=timezone.now() - timedelta(days=2), agent="<i>x</i>", reject=2)
    page = browse(lead)

    made = page.post("/p/acme/reports/make/", follow=True)
    report = WeeklyReport.objects.get()
    download = page.get(f"/p/acme/reports/{report.id}/?download")
    listed = page.get("/p/acme/reports/").content.decode()

    assert made.status_code == 200
    assert "&lt;i&gt;x&lt;/i&gt;" in made.content.decode()
    assert download["Content-Disposition"].startswith("attachment")
    body = download.content.decode()
    assert 'src="' not in body
    assert "<link" not in body
    assert f"/p/acme/reports/{report.id}/" in listed


def test_people_without_the_right_change_nothing(browse, viewer, outsider, project):
    other = ProjectFactory()
    report = make_report(project=other, now=MONDAY)

    assert browse(viewer).post("/p/acme/reports/plan/", {}).status_code == 403
    assert browse(viewer).get("/p/acme/alerts/").status_code == 403
    assert browse(viewer).get("/p/acme/reports/").status_code == 200
    assert browse(viewer).get(f"/p/acme/reports/{report.id}/").status_code == 404
    assert browse(outsider).get("/p/acme/reports/").status_code == 404
