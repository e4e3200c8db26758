"""A project's thresholds and rules about tools."""

from collections.abc import Mapping
from dataclasses import fields

from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.accounts.services import set_thresholds, set_tool_rules
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services.changes import name_of, thresholds_of
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import settle_names
from verifyhub.memory.services.shared import settle_preference
from verifyhub.memory.services.words import NOT_RETRACTED, hold_words

# Corrections settled at once when the number of voices changes; older ones are settled
# with the next decision on their name.
MOST_SETTLED = 500


class ThresholdValuesError(ValueError):
    """Some thresholds are invalid; `errors` says why, by name."""

    def __init__(self, errors: dict[str, ThresholdError]) -> None:
        super().__init__(", ".join(errors))
        self.errors = errors


@transaction.atomic
def update_thresholds(
    *, project: Project, values: Mapping[str, float | int | str], actor: User
) -> Project:
    """Replace a project's thresholds; omitted ones return to the default.

    Verdicts given before keep their reports; the next verification uses the new ones.

    Raises:
        ThresholdValuesError: If a name is unknown or a value unusable; nothing is
            changed then.
    """
    errors = {}
    for name, value in values.items():
        try:
            Thresholds.with_overrides({name: value})
        except ThresholdError as error:
            errors[name] = error
    if errors:
        raise ThresholdValuesError(errors)
    defaults = {cutoff.name: cutoff.default for cutoff in fields(Thresholds)}
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    before = thresholds_of(project).confirming_people
    project = set_thresholds(project=project, thresholds=changed, actor=actor)
    if thresholds_of(project).confirming_people != before:
        _settle_again(project, actor)
    return project


def _settle_again(project: Project, actor: User) -> None:
    """Apply the new number of voices to corrections, the newest first."""
    hold_words(project.id, change=True)
    rows = (
        MemoryEntry.objects.filter(project=project, state__in=NOT_RETRACTED)
        .exclude(voices=None)
        .exclude(voices=[])
        .order_by("-created_at", "-id")
    )
    corrections = rows.filter(kind=MemoryEntry.Kind.CORRECTION).exclude(mention_key="")
    names = {name_of(row) for row in corrections[:MOST_SETTLED]}
    settled = settle_names(project=project, names=names, actor=actor)
    settle_constraints(project=project, names=settled.names, actor=actor)
    for row in rows.filter(kind=MemoryEntry.Kind.PREFERENCE)[:MOST_SETTLED]:
        settle_preference(row, actor)


def update_tool_rules(
    *, project: Project, rules: list[dict[str, str]], actor: User
) -> Project:
    """Replace a project's rules about its tools; the next verification uses them.

    Raises:
        ToolRulesError: If a row is unusable; nothing is changed then.
    """
    read_tool_rules(rules)
    return set_tool_rules(project=project, rules=rules, actor=actor)
