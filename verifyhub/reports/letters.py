"""The text of each e-mail, in the language and time zone of its recipient."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Membership, Project, User
from verifyhub.accounts.permissions import can
from verifyhub.reports.measures import Measure, Measurement
from verifyhub.reports.models import Alert, WeeklyReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An e-mail without an address; the subject is one line."""

    subject: str
    text: str
    html: str = ""


def alert_letter(alert: Alert, measurement: Measurement, member: Membership) -> Written:
    """Return the e-mail about a raised or cleared alert."""
    with speaking_to(member.user):
        names = {"rule": alert.name, "project": member.project.name}
        if alert.cleared_at is None:
            subject = _("Alert: %(rule)s (%(project)s)") % names
        else:
            subject = _("Resolved: %(rule)s (%(project)s)") % names
        context = {
            "alert": alert,
            "measure": Measure(alert.measure),
            "seen": measurement,
            "project": member.project,
            "url": _address(_alerts_page(member), member),
        }
        return _rendered("alert", subject, context)


def report_letter(report: WeeklyReport, member: Membership) -> Written:
    """Return the e-mail with a weekly report as a page that can be forwarded."""
    with speaking_to(member.user):
        subject = _("%(project)s: the week to %(day)s") % {
            "project": member.project.name,
            "day": report.last_day.isoformat(),
        }
        context = {
            "report": report,
            "figures": report.figures,
            "project": member.project,
            "url": _address("reports:report", member, str(report.id)),
        }
        return _rendered("weekly", subject, context)


def trial_letter(member: Membership) -> Written:
    """Return a test e-mail."""
    with speaking_to(member.user):
        subject = _("Test: e-mails of %(project)s reach you") % {
            "project": member.project.name
        }
        context = {
            "project": member.project,
            "url": _address(_alerts_page(member), member),
        }
        return _rendered("trial", subject, context)


def _alerts_page(member: Membership) -> str:
    """Return the page for a member: that of alerts, or of metrics."""
    may_read = can(member.role, "alerts.manage")
    return "reports:alerts" if may_read else "metrics:dashboard"


def report_page(report: WeeklyReport, project: Project) -> str:
    """Return a report as a self-contained HTML page."""
    subject = _("%(project)s: the week to %(day)s") % {
        "project": project.name,
        "day": report.last_day.isoformat(),
    }
    path = reverse("reports:report", args=[project.slug, report.id])
    context = {
        "report": report,
        "figures": report.figures,
        "project": project,
        "url": settings.ROOT_URL + path,
        "subject": subject,
        "language": translation.get_language(),
    }
    return render_to_string("reports/mail/weekly.html", context)


@contextmanager
def speaking_to(user: User) -> Iterator[None]:
    """Use a person's language and time zone, or else the server's."""
    zone = ZoneInfo(user.time_zone or settings.TIME_ZONE)
    language = user.language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(zone):
        yield


def _rendered(name: str, subject: str, context: Mapping[str, Any]) -> Written:
    full = {
        **context,
        "subject": subject,
        "language": translation.get_language(),
        "own_page": settings.ROOT_URL + reverse("accounts:profile"),
    }
    return Written(
        subject=" ".join(subject.split()),
        text=render_to_string(f"reports/mail/{name}.txt", full),
        html=render_to_string(f"reports/mail/{name}.html", full),
    )


def _address(name: str, member: Membership, *arguments: str) -> str:
    return settings.ROOT_URL + reverse(name, args=[member.project.slug, *arguments])
