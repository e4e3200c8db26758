"""HTML input of the memory browser and of the project's settings."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.fault_words import row_words
from verifyhub.common.forms import FilterForm
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.errors import ToolRulesError
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import ContextDelivery
from verifyhub.memory.pages.threshold_words import GROUPS, ThresholdGroup

MAX_FILTER_LENGTH = 200
MAX_TASK_LENGTH = 20_000
DEFAULT_BUDGET = 1000
MAX_BUDGET = 32_000
MAX_RULES_TEXT = 50_000


class MemoryFilterForm(FilterForm):
    """Filters of memory; invalid values do not filter."""

    search = forms.CharField(required=False, max_length=MAX_FILTER_LENGTH)
    state = forms.CharField(required=False)
    session = forms.CharField(required=False, max_length=MAX_FILTER_LENGTH)

    def __init__(self, *args: Any, states: Iterable[tuple[str, Any]], **kwargs: Any):
        super().__init__(*args, **kwargs)
        choices = [("", _("Any state")), *states]
        self.fields["state"] = forms.ChoiceField(required=False, choices=choices)


class NextPromptForm(forms.Form):
    """The session and task to compile a context for."""

    session = forms.CharField(
        required=False,
        max_length=MAX_FILTER_LENGTH,
        label=_("Session"),
        widget=forms.TextInput(attrs={"list": "session-keys"}),
        help_text=_("As the agent names it; empty for a new session."),
    )
    task = forms.CharField(
        required=False,
        max_length=MAX_TASK_LENGTH,
        label=_("Task"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "What the agent is about to do. Entries that relate to it come first."
        ),
    )
    budget = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_BUDGET,
        initial=DEFAULT_BUDGET,
        label=_("Budget"),
        help_text=_("Maximum tokens of the text, at about 4 characters each."),
    )
    format = forms.ChoiceField(
        required=False,
        label=_("Delivered as"),
        choices=ContextDelivery.Format.choices,
    )


class SuggestionForm(forms.Form):
    """The name agents should use instead."""

    suggestion = forms.CharField(required=False)


class WordingForm(forms.Form):
    """The name as shared with agents."""

    text = forms.CharField(required=False)


class RetireForm(forms.Form):
    """The reason for retiring a constraint."""

    reason = forms.CharField(required=False, max_length=300)


class ThresholdsForm(forms.Form):
    """A project's thresholds; a field left empty returns to its default.

    The engine validates the values (`update_thresholds`).
    """

    def __init__(self, *args: Any, values: dict[str, float | int | str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        defaults: dict[str, Any] = {
            cutoff.name: cutoff.default for cutoff in fields(Thresholds)
        }
        for group in GROUPS:
            for name, words in group.thresholds.items():
                default = defaults[name]
                shown = {
                    "required": False,
                    "label": str(words.label),
                    "help_text": words.with_default(default),
                    "initial": values.get(name, default),
                }
                self.fields[name] = (
                    forms.ChoiceField(choices=CHOICES[name], **shown)
                    if name in CHOICES
                    else _number(isinstance(default, float), **shown)
                )

    def groups(self) -> list[tuple[ThresholdGroup, list[forms.BoundField]]]:
        """Return the fields by group, for the template."""
        return [(group, [self[name] for name in group.thresholds]) for group in GROUPS]

    def values(self) -> dict[str, float | int | str]:
        """Return the values of the form."""
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if value not in (None, "")
        }


class ToolRulesForm(forms.Form):
    """A project's rules about its tools, a line each."""

    rules = forms.CharField(
        required=False,
        max_length=MAX_RULES_TEXT,
        label=_("Tools and what they do"),
        help_text=(
            format_lazy(
                "{} {}",
                _(
                    "One rule per line: the tool, a space and its kind. A name may "
                    "end with a star after a separator: mcp__files__* read. Kinds:"
                ),
                f"{', '.join(ToolKind)}.",
            )
        ),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def show(self, error: ToolRulesError) -> None:
        """Add errors to the field, by row."""
        for row, fault in error.errors.items():
            self.add_error("rules", row_words(row, fault))


ASKING = (
    ("always", _("always")),
    ("when_in_doubt", _("when the tool calls leave doubt")),
    ("never", _("never")),
)
GRADES = (
    ("A", _("A: VerifyHub read the file itself")),
    ("B", _("B: a trace that a tool gateway signed")),
    ("C", _("C: what a tool returned, as the agent reports it")),
)

LEAVING = (
    ("time", _("the hours above")),
    ("lead", _("a lead who confirms it")),
)


SENDING_BACK = (
    (
        "source",
        _("what the sources list: several names, contradictions, a missed goal"),
    ),
    ("untrue", _("what is untrue: also work that was never attempted")),
    ("wrong", _("what is wrong: also any unsupported name and any failed check")),
    ("doubtful", _("what is in doubt: also what stayed open and the agent can settle")),
)

CHOICES = {
    "sends_back": SENDING_BACK,
    "minimum_grade": GRADES,
    "ask_models": ASKING,
    "leaving_shadow": LEAVING,
}


def _number(is_share: bool, **shown: Any) -> forms.Field:
    kind = forms.FloatField if is_share else forms.IntegerField
    limits = {"min": 0, "max": 1, "step": "0.01"} if is_share else {"min": 0}
    return kind(widget=forms.NumberInput(attrs=limits), **shown)
