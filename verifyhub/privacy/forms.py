"""The form of secrets and personal data."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.masking import (
    MAX_PATTERNS,
    PERSONAL,
    MaskingSettings,
    MaskPattern,
    OwnPattern,
    PatternError,
)
from verifyhub.accounts.models import Project, Role, SecretsKept
from verifyhub.common.contract import FormatError, reader_of

PERSONAL_WORDS = {
    "email": _("E-mail addresses"),
    "phone": _("Phone numbers"),
    "card": _("Card numbers"),
    "iban": _("Account numbers (IBAN)"),
}


class MaskingForm(forms.Form):
    """A project's masking settings."""

    secrets = forms.ChoiceField(
        choices=SecretsKept.choices,
        label=_("Runs are stored"),
        help_text=_(
            "Cloud keys, tokens, private keys, passwords in addresses and variables,"
            " and Authorization headers count as secrets."
        ),
    )
    personal = forms.MultipleChoiceField(
        choices=[(name, PERSONAL_WORDS[name]) for name in PERSONAL],
        required=False,
        label=_("Personal data masked like secrets"),
        widget=forms.CheckboxSelectMultiple,
    )
    patterns = forms.CharField(
        required=False,
        max_length=MAX_PATTERNS * 200,
        label=_("Custom patterns"),
        help_text=_(
            "One per line: a name, a colon and the pattern, as in “staff: EMP-####”. "
            "# is a digit, ? a letter or digit, * up to 64 letters, digits and _ . -"
        ),
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )
    shown_to = forms.ChoiceField(
        choices=[(Role.LEAD, Role.LEAD.label), (Role.ADMIN, Role.ADMIN.label)],
        label=_("Lowest role that may view encrypted values"),
        help_text=_("Every access is recorded."),
    )
    sends_unmasked = forms.BooleanField(
        required=False,
        label=_("Send texts to models, webhooks and exports as they are stored"),
        help_text=_("Otherwise secrets in them are masked before they are sent."),
    )

    @classmethod
    def of(cls, project: Project) -> "MaskingForm":
        """Return the form with the current settings."""
        settings = MaskingSettings.of(project)
        lines = [f"{pattern.name}: {pattern.pattern}" for pattern in settings.patterns]
        return cls(
            initial={
                "secrets": settings.secrets,
                "personal": list(settings.personal),
                "patterns": "\n".join(lines),
                "shown_to": settings.shown_to,
                "sends_unmasked": settings.sends_unmasked,
            }
        )

    def clean_patterns(self) -> tuple[MaskPattern, ...]:
        """Read the patterns, one per line; an error names the line."""
        lines = str(self.cleaned_data["patterns"]).splitlines()
        patterns = [_pattern(line) for line in lines if line.strip()]
        if len(patterns) > MAX_PATTERNS:
            raise forms.ValidationError(
                _("At most %(n)s patterns.") % {"n": MAX_PATTERNS}
            )
        return tuple(patterns)

    def values(self) -> MaskingSettings:
        """Return the settings of the valid form."""
        data: dict[str, Any] = self.cleaned_data
        return MaskingSettings(
            secrets=SecretsKept(data["secrets"]),
            personal=tuple(data["personal"]),
            patterns=data["patterns"],
            shown_to=data["shown_to"],
            sends_unmasked=data["sends_unmasked"],
        )


def _pattern(line: str) -> MaskPattern:
    name, _colon, pattern = (part.strip() for part in line.partition(":"))
    try:
        OwnPattern(name, pattern)
        return reader_of(MaskPattern).read({"name": name, "pattern": pattern})
    except (PatternError, FormatError) as error:
        raise forms.ValidationError(
            _(
                "“%(line)s” cannot be used: enter a name of lower-case letters, "
                "digits and -, a colon, and a pattern of 3 to 100 characters, three "
                "of them besides * and ?, with at most one * and not at the beginning."
            )
            % {"line": line[:60]}
        ) from error
