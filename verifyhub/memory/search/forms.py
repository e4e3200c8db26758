"""The search form of memory."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import FilterForm
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


class SearchForm(FilterForm):
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

    def search(self) -> SearchFilters:
        """Return the filters of the search."""
        return SearchFilters(**self.filters())

    def rare(self) -> list[forms.BoundField]:
        """Return the fields that are collapsed."""
        return [self[name] for name in self.RARE]

    def shows_rare(self) -> bool:
        """Whether one of them is set."""
        return any(name in self.sent_values() for name in self.RARE)
