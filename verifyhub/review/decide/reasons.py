"""Reason codes that a project begins with; its leads add, rename, order and retire."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from verifyhub.review.models import ReasonCode

# Code and label; labels that nobody has changed are shown in the reader's language.
DEFAULTS = (
    ("exists", _("It exists, I looked")),
    ("standard_library", _("Part of the standard library")),
    ("created_by_agent", _("The agent created it")),
    ("invented", _("Invented")),
    ("not_meant_here", _("Exists, but not what is meant here")),
    ("out_of_date", _("Out of date")),
    ("work_not_done", _("The claimed work was not done")),
    ("work_done", _("The claimed work was done")),
    ("wrong_conclusion", _("Right names, wrong conclusion")),
    ("incomplete", _("Leaves out a part of the task")),
)


def default_rows(project_id: UUID) -> list[ReasonCode]:
    """Return the codes a new project gets, unsaved."""
    return [
        ReasonCode(project_id=project_id, code=code, label=label, position=position)
        for position, (code, label) in enumerate(DEFAULTS)
    ]


def reasons_in_use(project_id: UUID) -> list[tuple[str, str]]:
    """Return what reviewers choose from, as codes and labels, in the lead's order."""
    rows = ReasonCode.objects.filter(project_id=project_id, retired_at=None)
    return [(row.code, gettext(row.label)) for row in rows.order_by("position", "id")]


def choices_and_labels(
    project_id: UUID,
) -> tuple[list[tuple[str, str]], Mapping[str, str]]:
    """Return what `reasons_in_use` and `labels` do, read at once."""
    rows = ReasonCode.objects.filter(project_id=project_id).order_by("position", "id")
    named = [(row, gettext(row.label)) for row in rows]
    choices = [(row.code, label) for row, label in named if row.retired_at is None]
    return choices, {row.code: label for row, label in named}


def labels(project_id: UUID) -> Mapping[str, str]:
    """Return the labels of all codes, retired ones too: old decisions show them."""
    rows = ReasonCode.objects.filter(project_id=project_id)
    return {row.code: gettext(row.label) for row in rows}
