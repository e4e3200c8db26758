"""The filter form of sessions."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import FilterForm
from verifyhub.review.answer_list.figure_forms import ANY
from verifyhub.verification.models import Verdict

KNOWS = (
    ("", _("Any")),
    ("correction", _("Corrections")),
    ("blocker", _("Blockers")),
    ("gap", _("Open gaps")),
    ("finding", _("Findings")),
    ("nothing", _("Nothing yet")),
)


class SessionFilterForm(FilterForm):
    """Filters of the list of sessions; invalid values do not filter."""

    text = forms.CharField(
        required=False,
        max_length=200,
        label=_("Session"),
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": _("Part of its name")}
        ),
    )
    agent = forms.CharField(required=False, max_length=200, label=_("Agent"))
    knows = forms.ChoiceField(required=False, choices=KNOWS, label=_("Memory contains"))
    since = forms.DateField(
        required=False,
        label=_("Active from"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    until = forms.DateField(
        required=False,
        label=_("Active until"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )


class RunFilterForm(FilterForm):
    """Filters of the list of sessions."""

    text = forms.CharField(required=False, max_length=200)
    verdict = forms.ChoiceField(required=False, choices=ANY + Verdict.choices)
    flags = forms.ChoiceField(required=False, choices=[*ANY, ("open", _("Some open"))])
