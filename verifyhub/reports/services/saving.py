"""Save rules and plans with their recipients."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from django.db import models

from verifyhub.accounts.models import Membership
from verifyhub.audit.services import record_event
from verifyhub.reports.models import AlertRule, ReportPlan


def save_settings(
    row: AlertRule | ReportPlan,
    values: Any,
    recipients: Collection[Membership],
    *,
    actor: models.Model | None,
    action: str,
) -> None:
    """Save a dataclass of settings and the recipients, and audit it.

    Members of other projects are left out.
    """
    before = {} if row._state.adding else described(row, type(values))
    for field, value in asdict(values).items():
        setattr(row, field, value)
    row.save()
    row.recipients.set(
        member for member in recipients if member.project_id == row.project_id
    )
    record_event(action, row, actor, before=before, after=described(row, type(values)))


def described(row: AlertRule | ReportPlan, settings: type[Any]) -> dict[str, Any]:
    """Return the settings of a row and its recipients' names, for the audit log."""
    members = row.recipients.select_related("user")
    return {
        **{name: getattr(row, name) for name in settings.__dataclass_fields__},
        "recipients": sorted(member.user.get_username() for member in members),
    }
