"""Forms of the queue: filters, views, people, settings."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.common.forms import FilterForm
from verifyhub.engine.types import MentionKind
from verifyhub.review.models import AssignmentRule, QueueSettings
from verifyhub.review.queue.columns import CHOICES, COLUMNS
from verifyhub.review.queue.order import SORTS
from verifyhub.review.queue.reason_words import KIND_NAMES
from verifyhub.verification.models import Verdict

Choices = list[tuple[str, str | Promise]]

ANY: Choices = [("", _("Any"))]
VERDICTS: Choices = [
    (Verdict.REJECT, _("Reject")),
    (Verdict.UNCERTAIN, _("Uncertain")),
    (Verdict.ACCEPT, _("Accept")),
]
FLAGGED: Choices = [
    ("claim", _("Claim of work")),
    ("value", _("Value")),
    *((kind.value, _(kind.value.replace("_", " "))) for kind in MentionKind),
]
RISKS: Choices = [
    ("high", _("High, 70 % and more")),
    ("medium", _("Medium")),
    ("low", _("Low, under 40 %")),
]
AGES: Choices = [
    ("-1", _("Last hour")),
    ("-24", _("Last 24 hours")),
    ("-168", _("Last 7 days")),
    ("+24", _("Older than a day")),
    ("+168", _("Older than a week")),
    ("+720", _("Older than 30 days")),
]
SORT_CHOICES: Choices = [
    (f"{sign}{name}", name) for name in SORTS for sign in ("", "-")
]
SKIP_HOURS = {"1": _("an hour"), "24": _("a day"), "168": _("a week")}


class QueueFilterForm(FilterForm):
    """Filters of the queue."""

    text = forms.CharField(required=False, max_length=200)
    reason = forms.ChoiceField(
        label=_("Reason"), required=False, choices=[*ANY, *KIND_NAMES.items()]
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[*ANY, *FLAGGED])
    risk = forms.ChoiceField(label=_("Risk"), required=False, choices=[*ANY, *RISKS])
    verdict = forms.ChoiceField(required=False, choices=[*ANY, *VERDICTS])
    agent = forms.CharField(required=False, max_length=200)
    assignee = forms.CharField(label=_("Assignee"), required=False, max_length=150)
    age = forms.ChoiceField(label=_("Age"), required=False, choices=[*ANY, *AGES])
    due = forms.ChoiceField(
        label=_("Due"),
        required=False,
        choices=[*ANY, ("overdue", _("Overdue"))],
    )
    state = forms.ChoiceField(
        required=False, choices=[("", _("Open")), ("resolved", _("Decided"))]
    )
    # One of `order.SORTS`; a minus reverses the order; empty means `priority`.
    sort = forms.ChoiceField(required=False, choices=[("", ""), *SORT_CHOICES])


class ViewForm(forms.Form):
    """A name for the current filters."""

    name = forms.CharField(max_length=60)
    shared = forms.BooleanField(required=False)
    default = forms.BooleanField(required=False)


class ColumnsForm(forms.Form):
    """The columns that a person wants to see; none for the defaults."""

    columns = forms.MultipleChoiceField(
        required=False, choices=[(name, COLUMNS[name].word) for name in CHOICES]
    )


class QueueSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """Settings of the queue; the view passes the values to the service."""

    class Meta:
        model = QueueSettings
        fields = (
            "doubling_hours",
            "lease_minutes",
            "due_high_hours",
            "due_medium_hours",
            "due_low_hours",
            "rotation",
            "open_limit",
        )
        labels = {
            "doubling_hours": _("Hours until urgency doubles"),
            "lease_minutes": _("Minutes before an inactive claim is released"),
            "due_high_hours": _("High risk: due after (hours)"),
            "due_medium_hours": _("Medium risk: due after (hours)"),
            "due_low_hours": _("Low risk: due after (hours)"),
            "rotation": _("Assign items automatically to reviewers on duty"),
            "open_limit": _("Maximum open items per reviewer"),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limits = {"lease_minutes": 240, "open_limit": 500}
        for name, field in self.fields.items():
            if isinstance(field, forms.IntegerField):
                field.min_value = 1
                field.max_value = limits.get(name, 8760)
                field.validators += [
                    MinValueValidator(1),
                    MaxValueValidator(field.max_value),
                ]
                field.widget.attrs |= {"min": 1, "max": field.max_value}
            field.required = name in {"doubling_hours", "lease_minutes", "open_limit"}


class DutyForm(forms.Form):
    """Whether a reviewer takes part in the rotation."""

    person = forms.CharField(max_length=150)
    on_duty = forms.BooleanField(required=False)
    weight = forms.IntegerField(min_value=1, max_value=10)


class AssignmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """The assignee of items of an agent or with a reason."""

    person = forms.CharField(max_length=150)
    reason_kind = forms.ChoiceField(required=False, choices=[*ANY, *KIND_NAMES.items()])

    class Meta:
        model = AssignmentRule
        fields = ("agent_name", "reason_kind")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("agent_name") and not cleaned.get("reason_kind"):
            raise forms.ValidationError(_("Give an agent, a reason, or both."))
        return cleaned
