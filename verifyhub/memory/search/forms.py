"""The search form of memory."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.search.find import CONSTRAINT, MAX_TEXT, SearchFilters

KINDS = (
    ("", _("Any")),
    (CONSTRAINT, _("Constraints")),
    ("finding", _("Findings")),
    ("blocker", _("Blockers")),
    ("gap", _("Gaps")),
    ("correction", _("Corrections")),
    ("preference", _("Preferences")),
)
STATES = (
    ("", _("Any state")),
    *MemoryEntry.State.choices,
    *(
        choice
        for choice in Constraint.State.choices
        if choice[0] not in MemoryEntry.State.values
    ),
)
SCOPES = (("", _("Any reach")), *MemoryEntry.Scope.choices)
GRADES = (("", _("Any evidence")), ("A", "A"), ("B", "B"), ("C", "C"))
SOURCES = (("", _("Anyone")), *MemoryEntry.Source.choices)


class SearchForm(forms.Form):
    """The search of memory; invalid values do not filter."""

    text = forms.CharField(
        required=False,
        max_length=MAX_TEXT,
        label=_("Search"),
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": _('mind_auth, "a phrase", -not')}
        ),
    )
    kind = forms.ChoiceField(required=False, choices=KINDS, label=_("Kind"))
    state = forms.ChoiceField(required=False, choices=STATES, label=_("State"))
    session = forms.CharField(required=False, max_length=MAX_TEXT, label=_("Session"))
    agent = forms.CharField(required=False, max_length=MAX_TEXT, label=_("Agent"))
    scope = forms.ChoiceField(required=False, choices=SCOPES, label=_("Shared with"))
    grade = forms.ChoiceField(required=False, choices=GRADES, label=_("Evidence"))
    source = forms.ChoiceField(required=False, choices=SOURCES, label=_("Reported by"))
    since = forms.DateField(
        required=False,
        label=_("Learned from"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        required=False,
        label=_("Learned until"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    answer = forms.UUIDField(required=False, widget=forms.HiddenInput)

    # Rarely used filters: collapsed unless one is set.
    RARE = ("scope", "grade", "source", "since", "until")

    def sent_values(self) -> dict[str, Any]:
        """Return the valid values that were given, by field."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def filters(self) -> SearchFilters:
        """Return the filters; days are in UTC, the last one included."""
        values = self.sent_values()
        for name, days in (("since", 0), ("until", 1)):
            if day := values.get(name):
                midnight = datetime.combine(day, time(), tzinfo=UTC)
                values[name] = midnight + timedelta(days=days)
        return SearchFilters(**values)

    def rare(self) -> list[forms.BoundField]:
        """Return the fields that are collapsed."""
        return [self[name] for name in self.RARE]

    def shows_rare(self) -> bool:
        """Whether one of them is set."""
        return any(name in self.sent_values() for name in self.RARE)
