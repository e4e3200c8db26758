"""HTML input of the page of events."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.events.catalogue import EventType


class EventFilterForm(forms.Form):
    """Filters of events; invalid values do not filter."""

    type = forms.ChoiceField(
        required=False,
        label=_("Event"),
        choices=[("", _("Any event")), *EventType.choices],
    )

    def types(self) -> list[str]:
        """Return the chosen type, or none."""
        chosen = self.cleaned_data.get("type") if self.is_valid() else ""
        return [chosen] if chosen else []
