"""Reason codes: the defaults, and changes by leads."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.models import ReasonCode

# Codes and labels; unchanged labels are shown in the reader's language.
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
    """Return the codes of a new project, unsaved."""
    return [
        ReasonCode(project_id=project_id, code=code, label=label, position=position)
        for position, (code, label) in enumerate(DEFAULTS)
    ]


def reasons_in_use(project_id: UUID) -> list[tuple[str, str]]:
    """Return the codes and labels for reviewers, in the lead's order."""
    return reason_choices_and_labels(project_id)[0]


_CODES = PreparedQuery(
    lambda project: ReasonCode.objects.filter(project=project).order_by(
        "position", "id"
    )
)


def reason_choices_and_labels(
    project_id: UUID,
) -> tuple[list[tuple[str, str]], Mapping[str, str]]:
    """Return the results of `reasons_in_use` and `reason_labels`, in one query."""
    named = [(row, gettext(row.label)) for row in _CODES(project=project_id)]
    choices = [(row.code, label) for row, label in named if row.retired_at is None]
    return choices, {row.code: label for row, label in named}


def reason_labels(project_id: UUID) -> Mapping[str, str]:
    """Return the labels of all codes, including retired ones for old decisions."""
    return reason_choices_and_labels(project_id)[1]


MAX_CODES = 40


class ReasonCodeError(Exception):
    """The label is invalid; the message says why."""


def create_default_reasons(project: Project) -> None:
    """Create the default codes of a new project."""
    ReasonCode.objects.bulk_create(default_rows(project.id), ignore_conflicts=True)


@transaction.atomic
def add_reason(*, project: Project, label: str, actor: User) -> ReasonCode:
    """Add a reason at the end of the list.

    Raises:
        ReasonCodeError: If the label is empty, too long or in use, or the list full.
    """
    rows = _locked(project)
    label = _checked(label, rows)
    if sum(row.retired_at is None for row in rows) >= MAX_CODES:
        raise ReasonCodeError(
            gettext("at most %(n)s reasons; retire one first") % {"n": MAX_CODES}
        )
    last = ReasonCode.objects.filter(project=project).aggregate(n=Max("position"))["n"]
    row = ReasonCode.objects.create(
        project=project,
        code=_code(label, {row.code for row in rows}),
        label=label,
        position=(last or 0) + 1,
    )
    _record(row, actor, "review.reason_added", {}, {"label": label})
    return row


@transaction.atomic
def rename_reason(*, reason: ReasonCode, label: str, actor: User) -> ReasonCode:
    """Change a reason's label; its code, and so old decisions, do not change.

    Raises:
        ReasonCodeError: If the label is empty, too long or in use.
    """
    others = [row for row in _locked(reason.project) if row.pk != reason.pk]
    before, reason.label = reason.label, _checked(label, others)
    reason.save(update_fields=["label"])
    if before != reason.label:
        changed = {"label": before}, {"label": reason.label}
        _record(reason, actor, "review.reason_renamed", *changed)
    return reason


@transaction.atomic
def retire_reason(*, reason: ReasonCode, actor: User) -> None:
    """Retire a reason; decisions with it keep it."""
    _locked(reason.project)
    reason.retired_at = timezone.now()
    reason.save(update_fields=["retired_at"])
    _record(reason, actor, "review.reason_retired", {}, {"label": reason.label})


@transaction.atomic
def restore_reason(*, reason: ReasonCode, actor: User) -> None:
    """Offer a retired reason again."""
    _locked(reason.project)
    reason.retired_at = None
    reason.save(update_fields=["retired_at"])
    _record(reason, actor, "review.reason_restored", {}, {"label": reason.label})


@transaction.atomic
def move_reason(*, reason: ReasonCode, by: int, actor: User) -> None:
    """Move a reason up (-1) or down (1) among those in use."""
    rows = [row for row in _locked(reason.project) if row.retired_at is None]
    codes = [row.code for row in rows]
    if reason.code not in codes:
        return
    at = codes.index(reason.code)
    to = min(max(at + by, 0), len(rows) - 1)
    rows.insert(to, rows.pop(at))
    for position, row in enumerate(rows):
        row.position = position
    ReasonCode.objects.bulk_update(rows, ["position"])
    _record(reason, actor, "review.reason_moved", {"place": at}, {"place": to})


def _locked(project: Project) -> list[ReasonCode]:
    """Return the project's reasons in order, locked."""
    Project.objects.select_for_update(of=("self",), no_key=True).get(pk=project.pk)
    rows = ReasonCode.objects.filter(project=project).order_by("position", "id")
    return list(rows)


def _checked(label: str, others: list[ReasonCode]) -> str:
    label = " ".join(label.split())
    if not label or len(label) > ReasonCode.MAX_LABEL:
        raise ReasonCodeError(
            gettext("1 to %(n)s characters") % {"n": ReasonCode.MAX_LABEL}
        )
    if label.casefold() in {row.label.casefold() for row in others}:
        raise ReasonCodeError(gettext("there is already a reason with these words"))
    return label


def _code(label: str, taken: set[str]) -> str:
    """Return a code from a label's first words, numbered if it is in use."""
    stem = slugify(label).replace("-", "_")[:30] or "reason"
    code, number = stem, 2
    while code in taken:
        code, number = f"{stem}_{number}", number + 1
    return code


def _record(
    row: ReasonCode,
    actor: User,
    action: str,
    before: Mapping[str, object],
    after: Mapping[str, object],
) -> None:
    record_event(action, row, actor, before=before, after={"code": row.code, **after})
