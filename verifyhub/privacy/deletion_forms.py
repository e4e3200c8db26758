"""Forms of deletions, retention and legal holds."""

from typing import Any, cast

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.privacy.deletions import OLD
from verifyhub.privacy.models import Deletion, LegalHold, RetentionRule

MOST_DAYS = 36_500
ASKED = (
    Deletion.Kind.RUN,
    Deletion.Kind.SESSION,
    Deletion.Kind.AGENT,
    Deletion.Kind.PERSON,
)


class DeletionForm(forms.Form):
    """The target of a deletion."""

    kind = forms.ChoiceField(
        label=_("What"), choices=[(kind.value, kind.label) for kind in ASKED]
    )
    target = forms.CharField(
        label=_("Its id, its name, or how the person is named"),
        max_length=Deletion.MAX_TARGET,
        help_text=_(
            "Of a person: an e-mail address or a name as written in texts."
            " Every run that contains it is deleted."
        ),
    )


class HoldForm(forms.Form):
    """The target of a legal hold, and its reason."""

    kind = forms.ChoiceField(label=_("What"), choices=LegalHold.Kind.choices)
    target = forms.CharField(
        label=_("Its id or its name"),
        max_length=Deletion.MAX_TARGET,
        required=False,
        help_text=_("Leave it empty for the project."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LegalHold.MAX_REASON,
        help_text=_("For example the name of the case. The audit record keeps it."),
    )


def _days(label: Promise, help_text: Promise) -> forms.IntegerField:
    return forms.IntegerField(
        label=cast(Any, label),
        help_text=cast(Any, help_text),
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
    )


class RetentionForm(forms.Form):
    """A project's retention periods, in days."""

    run_days = _days(
        _("Days for runs with their verdicts"),
        _("Tool calls, decisions and what was learned only from them are deleted too."),
    )
    output_days = _days(
        _("Days for tool inputs and outputs"),
        _(
            "A mark replaces them. The answer and its verdict stay but cannot be "
            "verified again; encrypted values and the trace are deleted too."
        ),
    )
    trace_days = _days(
        _("Days for OpenTelemetry traces"), _("The runs created from them stay.")
    )
    memory_days = _days(
        _("Days for memory"),
        _("Findings, blockers and gaps, and names without a decision."),
    )
    event_days = _days(
        _("Days for events"), _("Deliveries to webhooks are deleted too.")
    )

    def days(self) -> dict[str, int | None]:
        """Return the days by field; None for no limit."""
        return {name: self.cleaned_data[name] for name in self.fields}


def retention_form(rule: RetentionRule | None) -> RetentionForm:
    """Return the form with the current settings."""
    return RetentionForm(initial={name: getattr(rule, name, None) for name in OLD})
