"""Create the weekly report when it is due, once, and send it."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import models, transaction

from verifyhub.accounts.models import Membership, Project
from verifyhub.common.logs import get_logger
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.reports.letters import report_letter
from verifyhub.reports.models import ReportPlan, WeeklyReport
from verifyhub.reports.selectors.week import WEEK, week_figures
from verifyhub.reports.services.mail import post
from verifyhub.reports.services.saving import save_settings

logger = get_logger(__name__)

# A report that was due during a downtime is created up to so much later.
LATE = timedelta(days=3)


@transaction.atomic
def save_plan(
    *, plan: ReportPlan, recipients: Iterable[Membership], actor: models.Model | None
) -> ReportPlan:
    """Save a new or changed plan, and the recipients of a project's report."""
    save_settings(plan, recipients, actor=actor, action="reports.plan_saved")
    return plan


def next_at(plan: ReportPlan, now: datetime) -> datetime:
    """Return when the next report is made."""
    # Added to local time, so that the hour does not change with daylight saving time.
    return _latest_due(plan, now) + WEEK


def make_due_reports(*, now: datetime) -> int:
    """Create the due reports; return their number.

    Each in its own transaction; repeated and concurrent calls create each once.
    """
    count = 0
    for plan in ReportPlan.objects.filter(enabled=True).select_related("project"):
        due = _latest_due(plan, now)
        if now - due > LATE or plan.created_at > due:
            continue
        try:
            count += _make_once(plan, due)
        except Exception as error:  # noqa: BLE001 - the next project is not to blame
            logger.error(
                "reports.not_made",
                project=str(plan.project_id),
                error=type(error).__name__,
            )
    return count


@transaction.atomic
def make_report(*, project: Project, now: datetime) -> WeeklyReport:
    """Create the report of the last seven full days, or return the existing one.

    Args:
        project: The tenant.
        now: The days end with the last midnight before it, in the plan's time zone.
    """
    plan = ReportPlan.objects.filter(project=project).first()
    return _make(project, plan or ReportPlan(project=project), now)


@transaction.atomic
def _make_once(plan: ReportPlan, due: datetime) -> bool:
    rows = ReportPlan.objects.select_for_update(of=("self",)).select_related("project")
    # Read after locking: another worker may have created the report meanwhile.
    locked = rows.filter(pk=plan.pk, enabled=True).first()
    if locked is None or (locked.made_for is not None and locked.made_for >= due):
        return False
    report = _make(locked.project, locked, due)
    ReportPlan.objects.filter(pk=plan.pk).update(made_for=due)
    for member in locked.recipients.select_related("user", "project"):
        letter = report_letter(report, member)
        post(project=locked.project, to=member.user, letter=letter)
    return True


def _make(project: Project, plan: ReportPlan, now: datetime) -> WeeklyReport:
    zone = ZoneInfo(plan.time_zone)
    until = _midnight(now, zone)
    since = _midnight(until - WEEK + timedelta(hours=12), zone)
    before = _midnight(since - WEEK + timedelta(hours=12), zone)
    figures = week_figures(project, before=before, since=since, until=until, now=now)
    days = {
        "first": since.astimezone(zone).date().isoformat(),
        "last": (until.astimezone(zone).date() - timedelta(days=1)).isoformat(),
        "zone": plan.time_zone,
    }
    report, is_new = WeeklyReport.objects.get_or_create(
        project=project,
        until=until,
        defaults={"since": since, "figures": {"days": days, **figures}},
    )
    if is_new:
        publish(
            project=project,
            type=EventType.REPORT_READY,
            data={"report": {"id": str(report.id), **days}},
            subject={"report": str(report.id)},
        )
    return report


def _latest_due(plan: ReportPlan, now: datetime) -> datetime:
    """Return the last due time of a report up to `now`."""
    zone = ZoneInfo(plan.time_zone)
    local = now.astimezone(zone)
    day = local.date() - timedelta(days=(local.weekday() - plan.weekday) % 7)
    due = datetime(day.year, day.month, day.day, plan.hour, tzinfo=zone)
    return due if due <= now else due - WEEK


def _midnight(moment: datetime, zone: ZoneInfo) -> datetime:
    day = moment.astimezone(zone).date()
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)
