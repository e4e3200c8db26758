"""Save rules and plans with their recipients."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import models

from verifyhub.accounts.models import Membership
from verifyhub.audit.services import record_event
from verifyhub.reports.models import AlertRule, ReportPlan

Row = TypeVar("Row", AlertRule, ReportPlan)


def save_settings(
    row: Row,
    recipients: Iterable[Membership],
    *,
    actor: models.Model | None,
    action: str,
) -> None:
    """Save a new or changed row and its recipients, and audit it.

    Members of other projects are left out.
    """
    stored = type(row).objects.select_for_update().filter(pk=row.pk).first()
    before = described(stored) if stored else {}
    row.save()
    row.recipients.set(
        member for member in recipients if member.project_id == row.project_id
    )
    record_event(action, row, actor, before=before, after=described(row))


def described(row: AlertRule | ReportPlan) -> dict[str, Any]:
    """Return the settings of a row and its recipients' names, for the audit log."""
    members = row.recipients.select_related("user")
    return {
        **{name: getattr(row, name) for name in row.SETTINGS},
        "recipients": sorted(member.user.get_username() for member in members),
    }
