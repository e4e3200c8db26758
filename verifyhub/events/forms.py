"""HTML input of the page of events."""

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import FilterForm
from verifyhub.events.catalogue import EventType


class EventFilterForm(FilterForm):
    """Filters of events."""

    type = forms.ChoiceField(
        required=False,
        label=_("Event"),
        choices=[("", _("Any event")), *EventType.choices],
    )

    def types(self) -> list[str]:
        """Return the chosen type, or none."""
        return list(self.sent_values().values())
