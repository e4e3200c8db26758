"""Forms of the comparison."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.metrics.selectors.compare import MAX_SIDES
from verifyhub.metrics.selectors.sides import DIMENSIONS
from verifyhub.metrics.windows import MAX_NAME


class SidesField(forms.Field):
    """Names of sides, each given once or more often under the same key."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        sides = list(dict.fromkeys(value or ()))
        if len(sides) > MAX_SIDES:
            raise forms.ValidationError(
                _("Choose at most %(n)s sides.") % {"n": MAX_SIDES}
            )
        if any("\0" in name or len(name) > MAX_NAME for name in sides):
            raise forms.ValidationError(_("This side does not exist."))
        return sides


class CompareForm(forms.Form):
    """The dimension and sides of a comparison; by default the two largest sides."""

    by = forms.ChoiceField(
        required=False, choices=[(name, name) for name in DIMENSIONS]
    )
    side = SidesField(required=False)

    @property
    def dimension(self) -> str:
        """The chosen dimension, or else agents."""
        return self.cleaned_data.get("by") or "agent"
