"""What an admin may send about API keys."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone

from verifyhub.accounts.models import Scope

LIFETIMES = [
    ("90", "90 days"),
    ("30", "30 days"),
    ("365", "1 year"),
    ("", "no end, until revoked"),
]


class KeyForm(forms.Form):
    """A new key: what it is for, what it may do, how long it works."""

    name = forms.CharField(
        max_length=100,
        error_messages={"required": "Name: say what the key is for."},
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        error_messages={"required": "Scopes: choose at least one."},
    )
    days = forms.ChoiceField(choices=LIFETIMES, required=False)

    def expires_at(self, now: datetime | None = None) -> datetime | None:
        """When the key stops working; None for never."""
        days = self.cleaned_data["days"]
        return (now or timezone.now()) + timedelta(days=int(days)) if days else None
