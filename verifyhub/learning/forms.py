"""HTML input of the learning pages."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import FilterForm
from verifyhub.engine.calibration.conformal import DEFAULT_AT_MOST, MAX_AT_MOST
from verifyhub.engine.thresholds import Thresholds
from verifyhub.learning.models import MAX_CHECK_NAME, HoldOut, LabelledExample

MAX_SEARCH = 200
MAX_VALUE = 20
DEFAULTS = {cutoff.name: cutoff.default for cutoff in fields(Thresholds)}


class ExampleFilterForm(FilterForm):
    """Filters of examples; invalid values do not filter."""

    search = forms.CharField(required=False, max_length=MAX_SEARCH, label=_("Search"))
    target = forms.ChoiceField(
        required=False,
        label=_("About"),
        choices=[("", _("Any")), *LabelledExample.Target.choices],
    )
    state = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[("", _("Any state")), *LabelledExample.State.choices],
    )


class HoldOutForm(forms.Form):
    """The share of new sessions that an experiment holds out."""

    share = forms.IntegerField(
        min_value=0, max_value=HoldOut.MAX_SHARE, label=_("Percent of new sessions")
    )


class AdviceForm(forms.Form):
    """The advice to apply, as shown on the page."""

    name = forms.CharField(max_length=60)
    value = forms.CharField(max_length=20)


class OutlookForm(forms.Form):
    """A threshold and the value to try, as `value` or by the threshold's own name.

    An empty value means the default, as in the settings.
    """

    name = forms.CharField(max_length=60)

    def tried(self) -> dict[str, Any]:
        """Return the value as an engine value, by name; empty if there is none."""
        if not self.is_valid():
            return {}
        name = self.cleaned_data["name"]
        value = str(self.data.get("value", self.data.get(name, "")))[:MAX_VALUE].strip()
        return {name: _typed(value) if value else DEFAULTS.get(name)}


def _typed(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class FitForm(forms.Form):
    """The check to fit, or whose fit to revert."""

    check = forms.CharField(max_length=MAX_CHECK_NAME)


class BlockingForm(forms.Form):
    """The check whose score blocks answers, and the share of correct answers it may
    block."""

    percent = forms.FloatField(
        min_value=0.1,
        max_value=100 * MAX_AT_MOST,
        initial=100 * DEFAULT_AT_MOST,
        label=_("Correct answers it may block, percent"),
    )

    def __init__(self, data: Any = None, *, checks: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        self.fields["check"] = forms.ChoiceField(label=_("Score"), choices=checks)
        self.order_fields(["check", "percent"])
        self.fields["percent"].widget.attrs["step"] = "any"
