"""HTML input of single entries."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services.edit_entry import (
    MAX_TEXT,
    SENTENCES,
    editable,
)

EDITABLE = ("text", "kind", "suggestion", "reason", "confidence", "expires_at")


class EntryForm(forms.Form):
    """A form with the editable fields of an entry."""

    text = forms.CharField(
        required=False,
        max_length=MAX_TEXT,
        label=_("Text"),
        widget=forms.TextInput,
    )
    kind = forms.ChoiceField(
        required=False,
        label=_("Kind"),
        choices=[(kind.value, kind.label) for kind in SENTENCES],
    )
    suggestion = forms.CharField(
        required=False,
        max_length=200,
        label=_("Use instead"),
        help_text=_("The correct name, where it is known."),
    )
    reason = forms.CharField(
        required=False,
        max_length=500,
        label=_("Why"),
        help_text=_("For reviewers; not shared with agents."),
    )
    confidence = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label=_("Confidence"),
        help_text=_("From 0 to 1; empty for not measured."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    expires_at = forms.DateTimeField(
        required=False,
        label=_("Shared until"),
        help_text=_("Empty: until the project's retention ends."),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
    )
    seen = forms.DateTimeField(
        widget=forms.HiddenInput, input_formats=["%Y-%m-%dT%H:%M:%S.%f%z"]
    )

    def __init__(self, data: Any = None, *, entry: MemoryEntry) -> None:
        self.entry = entry
        initial = {name: getattr(entry, name) for name in EDITABLE}
        initial["seen"] = entry.updated_at.strftime("%Y-%m-%dT%H:%M:%S.%f%z")
        super().__init__(data, initial=initial, label_suffix="")
        for name in {*self.fields} - editable(entry) - {"seen"}:
            del self.fields[name]

    @property
    def is_any(self) -> bool:
        """Whether any field may be edited."""
        return len(self.fields) > 1
