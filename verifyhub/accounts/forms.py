"""Forms about API keys and about a person's own account."""

from datetime import datetime, timedelta

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import KeyMode, Role, Scope, Theme, User
from verifyhub.accounts.viewer import zone_names

LIFETIMES = [
    ("90", _("90 days")),
    ("30", _("30 days")),
    ("365", _("1 year")),
    ("", _("no end, until revoked")),
]


OVERLAPS = [
    ("24", _("1 day")),
    ("1", _("1 hour")),
    ("168", _("7 days")),
    ("0", _("not at all: it has leaked")),
]


class RotateForm(forms.Form):
    """The lifetimes of a key's old and new secrets on rotation."""

    overlap = forms.ChoiceField(
        label=_("The old secret is valid for"), choices=OVERLAPS
    )
    days = forms.ChoiceField(
        label=_("The new secret is valid for"), choices=LIFETIMES, required=False
    )

    def expires_at(self, now: datetime) -> datetime | None:
        """Return when the new secret expires; None for never."""
        return end_of(self.cleaned_data["days"], now)

    def overlap_time(self) -> timedelta:
        """Return how long both secrets are valid."""
        return timedelta(hours=int(self.cleaned_data["overlap"]))


def end_of(days: str, now: datetime) -> datetime | None:
    """Return the end of a chosen lifetime; None for no end."""
    return now + timedelta(days=int(days)) if days else None


class KeyForm(forms.Form):
    """A new key: its name, scopes and lifetime."""

    name = forms.CharField(
        max_length=100,
        error_messages={"required": _("Name: what the key is for.")},
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        error_messages={"required": _("Scopes: choose at least one.")},
    )
    days = forms.ChoiceField(choices=LIFETIMES, required=False)

    def expires_at(self, now: datetime | None = None) -> datetime | None:
        """Return when the key expires; None for never."""
        return end_of(self.cleaned_data["days"], now or timezone.now())


class SettingsForm(forms.Form):
    """A person's settings of the pages."""

    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("Alerts and weekly reports for you are sent to this address."),
    )
    password = forms.CharField(
        label=_("Your password"),
        required=False,
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("Required only to change the e-mail address."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("Browser default")), *settings.LANGUAGES],
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        choices=lambda: [
            ("", _("Browser default")),
            *((name, name.replace("_", " ")) for name in zone_names()),
        ],
        help_text=_("Pages show times in this zone. The API always uses UTC."),
    )
    theme = forms.ChoiceField(
        label=_("Colours"),
        required=False,
        choices=[("", _("System default")), *Theme.choices],
    )
    key_mode = forms.ChoiceField(
        label=_("Keyboard keys"),
        choices=KeyMode.choices,
        help_text=_(
            "In review, A agrees and N opens the next answer. Choose Alt, "
            "or no keys, if you use speech input or press letters by "
            "accident."
        ),
    )
    moves_on = forms.BooleanField(
        label=_("Open the next answer after a decision"), required=False
    )


class InviteForm(forms.Form):
    """An invitation: role, lifetime and the address that it is mailed to."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=_("The link expires after"),
        coerce=int,
        choices=[(7, _("7 days")), (1, _("1 day")), (30, _("30 days"))],
    )


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class ProjectForm(forms.Form):
    """A project's name."""

    name = forms.CharField(label=_("Name"), max_length=200)


class HandOverForm(forms.Form):
    """The new admin, and the role that the former one keeps."""

    LEAVES = ""

    receiver = forms.ModelChoiceField(
        label=_("New admin"), queryset=User.objects.none()
    )
    keeps = forms.ChoiceField(
        label=_("Your role afterwards"),
        required=False,
        choices=[
            (LEAVES, _("You leave the project")),
            *((value, word) for value, word in Role.choices if value != Role.ADMIN),
        ],
    )

    def __init__(self, *args: object, others: QuerySet[User], **kwargs: object) -> None:
        """Bind the members who may become admin."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["receiver"].queryset = others  # type: ignore[attr-defined]

    def role(self) -> Role | None:
        """Return the role that the former admin keeps; None to leave."""
        role = self.cleaned_data["keeps"]
        return Role(role) if role else None


class SignUpForm(UserCreationForm):  # type: ignore[type-arg]
    """The account of an invited person."""

    class Meta:
        model = User
        fields = ("username", "email")
        labels = {"username": _("User name"), "email": _("E-mail address")}


class CodeForm(forms.Form):
    """A code of an authenticator app, or a backup code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=60,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none"}
        ),
    )


class PasswordForm(forms.Form):
    """The password again, before a security setting of the account changes."""

    password = forms.CharField(
        label=_("Your password"),
        max_length=1000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class FactorRuleForm(forms.Form):
    """The lowest role that requires a second factor."""

    role = forms.ChoiceField(
        label=_("Roles that need a second factor"),
        required=False,
        choices=[
            ("", _("no role")),
            (Role.VIEWER, _("every role")),
            (Role.REVIEWER, _("reviewers, leads and admins")),
            (Role.LEAD, _("leads and admins")),
            (Role.ADMIN, _("admins")),
        ],
    )


class AddressForm(forms.Form):
    """The e-mail address for password resets."""

    email = forms.EmailField(
        label=_("E-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
