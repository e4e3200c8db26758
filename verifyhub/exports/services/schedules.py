"""Scheduled exports."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import ApiKey, User
from verifyhub.audit.services import record_event
from verifyhub.common.logs import get_logger
from verifyhub.exports.errors import ExportError
from verifyhub.exports.models import ExportJob, Schedule
from verifyhub.exports.services.jobs import open_export
from verifyhub.exports.wanted import ExportSelection
from verifyhub.exports.writing import FileFormat

logger = get_logger(__name__)

# Rows of the last minutes are left to the next run: a row has the time when its
# transaction began, which may end later.
SETTLED = timedelta(minutes=2)
AT_ONCE = 20
MOST_SCHEDULES = 50


@transaction.atomic
def save_schedule(
    *, schedule: Schedule, actor: User | ApiKey, now: datetime
) -> Schedule:
    """Add or change a schedule; its next run is computed from now.

    Args:
        schedule: The row with its new values, not saved.
        actor: Who adds or changes it.
        now: The time (aware).

    Raises:
        ExportError: If it is invalid.
    """
    checked = _wanted(schedule).checked()
    _check(schedule)
    schedule.datasets, schedule.filters = checked.datasets, dict(checked.filters)
    schedule.next_at = next_run(schedule, after=now)
    rows = Schedule.objects.select_related("destination")
    stored = rows.filter(pk=schedule.pk).first()
    if stored is None and isinstance(actor, User):
        schedule.created_by = actor
    schedule.save()
    record_event(
        "exports.schedule_saved",
        schedule,
        actor,
        before=_described(stored) if stored else {},
        after=_described(schedule),
    )
    return schedule


@transaction.atomic
def delete_schedule(*, schedule: Schedule, actor: User | ApiKey) -> None:
    """Delete a schedule; its exports stay."""
    record_event(
        "exports.schedule_deleted", schedule, actor, before=_described(schedule)
    )
    schedule.delete()


def next_run(schedule: Schedule, *, after: datetime) -> datetime:
    """Return the next time of a schedule, in UTC.

    An hour that daylight saving time skips is treated as if it existed; of a repeated
    hour the first one counts.
    """
    zone = ZoneInfo(schedule.time_zone)
    local = after.astimezone(zone)
    day = local.date()
    for ahead in range(15):
        date = day + timedelta(days=ahead)
        if schedule.every == Schedule.Every.WEEK and date.weekday() != schedule.weekday:
            continue
        moment = datetime(
            date.year, date.month, date.day, schedule.hour, tzinfo=zone
        ).astimezone(UTC)
        if moment > after:
            return moment
    raise AssertionError("every fortnight has each weekday twice")


def start_due(*, now: datetime) -> int:
    """Create the exports of schedules that are due.

    Each in its own transaction, with its row locked, so that of concurrent servers one
    starts it. One run catches up after a downtime.

    Returns:
        How many were started.
    """
    due = Schedule.objects.filter(is_on=True, next_at__lte=now).order_by("next_at")
    return sum(_start(schedule.pk, now) for schedule in due[:AT_ONCE])


@transaction.atomic
def _start(schedule_id: UUID, now: datetime) -> bool:
    rows = Schedule.objects.select_for_update(of=["self"], skip_locked=True)
    schedule = (
        rows.filter(pk=schedule_id, is_on=True, next_at__lte=now)
        .select_related("project", "destination")
        .first()
    )
    if schedule is None:
        return False
    try:
        run_now(schedule=schedule, now=now)
    except ExportError as error:
        logger.error("exports.schedule_failed", id=str(schedule.pk), error=str(error))
    schedule.next_at = next_run(schedule, after=now)
    schedule.save(update_fields=["next_at"])
    return True


def run_now(
    *, schedule: Schedule, now: datetime, actor: User | ApiKey | None = None
) -> ExportJob:
    """Create the next export of a schedule now.

    Raises:
        ExportError: If it is invalid, or too many are waiting.
    """
    job = open_export(
        project=schedule.project,
        wanted=_wanted(schedule),
        actor=None,
        destination=schedule.destination,
        schedule=schedule,
        until=now - SETTLED,
        since=schedule.exported_until if schedule.is_incremental else None,
    )
    if actor is not None:
        record_event(
            "exports.schedule_run", schedule, actor, after={"export": str(job.id)}
        )
    return job


def _wanted(schedule: Schedule) -> ExportSelection:
    return ExportSelection(
        datasets=schedule.datasets,
        written_as=FileFormat(schedule.written_as),
        filters=schedule.filters,
    )


def _check(schedule: Schedule) -> None:
    others = Schedule.objects.filter(project_id=schedule.project_id)
    others = others.exclude(pk=schedule.pk)
    if others.filter(name=schedule.name).exists():
        raise ExportError("name", _("Another schedule has this name."))
    if others.count() >= MOST_SCHEDULES:
        raise ExportError(
            "", _("A project has at most %(n)s schedules.") % {"n": MOST_SCHEDULES}
        )
    if schedule.time_zone not in available_timezones():
        raise ExportError("time_zone", _("This time zone does not exist."))
    destination = schedule.destination
    if destination and destination.project_id != schedule.project_id:
        raise ExportError("destination", _("It does not belong to this project."))
    _within("hour", schedule.hour, range(24))
    _within("weekday", schedule.weekday, range(7))
    if schedule.every not in Schedule.Every.values:
        raise ExportError(
            "every",
            _("It must be one of: %(values)s")
            % {"values": ", ".join(Schedule.Every.values)},
        )


def _within(name: str, value: int, allowed: Sequence[int]) -> None:
    if value not in allowed:
        raise ExportError(
            name,
            _("It must be %(least)s to %(most)s.")
            % {"least": allowed[0], "most": allowed[-1]},
        )


def _described(row: Schedule) -> dict[str, object]:
    return {
        "name": row.name,
        "datasets": list(row.datasets),
        "format": str(row.written_as),
        "filters": row.filters,
        "every": str(row.every),
        "hour": row.hour,
        "time_zone": row.time_zone,
        "is_incremental": row.is_incremental,
        "is_on": row.is_on,
        "destination": str(row.destination) if row.destination else None,
    }
