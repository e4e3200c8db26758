"""HTML input of shared preferences and corrections."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.reports import Status
from verifyhub.engine.text.quoting import MAX_QUOTED_LENGTH
from verifyhub.engine.types import MentionKind
from verifyhub.memory.services.shared import MAX_PREFERENCE_LENGTH, MAX_REASON_LENGTH

# Labels for people; the value is the engine's.
KINDS = (
    (MentionKind.PACKAGE.value, _("Package")),
    *(
        (kind.value, _(kind.value.replace("_", " ")))
        for kind in MentionKind
        if kind is not MentionKind.PACKAGE
    ),
)
STATUS_CHOICES = (
    (str(Status.UNVERIFIED), _("It is invented")),
    (str(Status.VERIFIED), _("It is correct")),
)


class SharedForm(forms.Form):
    """The fields that all shared entries have."""

    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        label=_("Why"),
        help_text=_("For reviewers; not shared with agents."),
    )
    expires_at = forms.DateTimeField(
        required=False,
        label=_("Shared until"),
        help_text=_("UTC; empty: until it is retracted."),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
    )

    def __init__(self, data: Any = None) -> None:
        # Two forms stand on one page.
        super().__init__(data, label_suffix="", auto_id=f"id_{type(self).__name__}_%s")


class PreferenceForm(SharedForm):
    """A preference: how a project's people want work done."""

    text = forms.CharField(
        max_length=MAX_PREFERENCE_LENGTH,
        label=_("Preference"),
        help_text=_(
            "One line, worded as an instruction to agents: “Write British English.”"
        ),
    )
    field_order = ("text", "reason", "expires_at")


class CorrectionForm(SharedForm):
    """A correction of a name for every session."""

    name = forms.CharField(max_length=MAX_QUOTED_LENGTH, label=_("Name"))
    kind = forms.ChoiceField(label=_("Kind of name"), choices=KINDS)
    status = forms.ChoiceField(label=_("Status of the name"), choices=STATUS_CHOICES)
    suggestion = forms.CharField(
        required=False,
        max_length=MAX_QUOTED_LENGTH,
        label=_("Use instead"),
        help_text=_("The correct name for an invented one, where it is known."),
    )
    field_order = ("name", "kind", "status", "suggestion", "reason", "expires_at")
