"""A project's own thresholds and its rules about tools."""

from collections.abc import Mapping
from dataclasses import fields

from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.accounts.services import set_thresholds, set_tool_rules
from verifyhub.engine.calls.tool_rules import read_tool_rules
from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.thresholds import Thresholds


class ThresholdValuesError(ValueError):
    """Some thresholds cannot be used; `errors` says why, by name."""

    def __init__(self, errors: dict[str, ThresholdError]) -> None:
        super().__init__(", ".join(errors))
        self.errors = errors


@transaction.atomic
def update_thresholds(
    *, project: Project, values: Mapping[str, float | int | str], actor: User
) -> Project:
    """Replace a project's thresholds; those left out or equal return to the default.

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
    return set_thresholds(project=project, thresholds=changed, actor=actor)


def update_tool_rules(
    *, project: Project, rules: list[dict[str, str]], actor: User
) -> Project:
    """Replace a project's rules about its tools; the next verification uses them.

    Raises:
        ToolRulesError: If a row is unusable; nothing is changed then.
    """
    read_tool_rules(rules)
    return set_tool_rules(project=project, rules=rules, actor=actor)
