"""What filters the list of runs."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.review.answer_list.figure_forms import (
    ANY,
)
from verifyhub.verification.models import Verdict


class RunFilterForm(forms.Form):
    """Filters of the list of sessions."""

    text = forms.CharField(required=False, max_length=200)
    verdict = forms.ChoiceField(required=False, choices=ANY + Verdict.choices)
    flags = forms.ChoiceField(required=False, choices=[*ANY, ("open", _("Some open"))])
