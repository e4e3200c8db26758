"""HTML input of the pages of webhooks."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.forms import FilterForm, SettingForm
from verifyhub.events.catalogue import EventType
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.services import WebhookValues

MAX_HEADER_LINES = 20_000
CHOSEN = [one for one in EventType.choices if one[0] != EventType.WEBHOOK_TEST]


class WebhookForm(SettingForm):
    """A receiver of events."""

    name = forms.CharField(
        max_length=WebhookEndpoint.MAX_NAME,
        label=_("Name"),
        help_text=_("Its name here, such as “deployment gate”."),
    )
    form = forms.ChoiceField(
        choices=WebhookEndpoint.Form.choices,
        label=pgettext_lazy("webhook", "What is sent"),
        help_text=_(
            "Signed webhooks are for your own programs; OpenTelemetry is for"
            " tools that already have the traces, and shows the verdict"
            " beside the judged span."
        ),
    )
    url = forms.CharField(
        max_length=WebhookEndpoint.MAX_URL,
        label=_("Address"),
        help_text=_(
            "https; of a collector with its path, such as /v1/logs or /v1/traces."
            " Private addresses work only where the operator allows that host and port."
        ),
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    types = forms.MultipleChoiceField(
        required=False,
        choices=CHOSEN,
        label=_("Only these events"),
        help_text=_("None chosen: every type that it can receive."),
        widget=forms.CheckboxSelectMultiple,
    )
    headers = forms.CharField(
        required=False,
        max_length=MAX_HEADER_LINES,
        label=_("Headers for a collector"),
        help_text=_(
            "One a line, such as Authorization: Bearer …; stored encrypted and never"
            " shown again. Empty keeps what is stored."
        ),
        widget=forms.Textarea(
            attrs={"rows": 2, "autocomplete": "off", "spellcheck": "false"}
        ),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        endpoint: WebhookEndpoint | None = None,
    ) -> None:
        """Bind a receiver; the format of an existing one cannot be changed."""
        shown = ("name", "form", "url", "types")
        initial = {name: getattr(endpoint, name) for name in shown if endpoint}
        super().__init__(data, initial=initial)
        if endpoint:
            self.fields["form"].disabled = True

    def clean_headers(self) -> dict[str, str] | None:
        """Parse one header a line; None without any."""
        lines = [line.strip() for line in self.cleaned_data["headers"].splitlines()]
        pairs = [line.partition(":") for line in lines if line]
        if any(not mark for _, mark, _ in pairs):
            raise forms.ValidationError(_("Each line is a name, a colon and a value."))
        return {name.strip(): value.strip() for name, _, value in pairs} or None

    def values(self) -> WebhookValues:
        """Return the values of the form."""
        data = self.cleaned_data
        return WebhookValues(**{**data, "types": tuple(data["types"])})


class RotationForm(forms.Form):
    """How long the previous secret also signs."""

    overlap_hours = forms.TypedChoiceField(
        coerce=int,
        initial=24,
        label=_("The previous secret also signs for"),
        choices=[
            (24, _("a day")),
            (168, _("a week")),
            (1, _("an hour")),
            (0, _("no longer")),
        ],
    )


class DeliveryFilterForm(FilterForm):
    """Filters of deliveries."""

    state = forms.ChoiceField(
        required=False,
        label=_("State"),
        choices=[("", _("Any state")), *WebhookDelivery.State.choices],
    )
