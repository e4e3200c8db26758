"""Forms of alerts and of the weekly report."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Membership, Project
from verifyhub.accounts.permissions import can
from verifyhub.accounts.viewer import zone_names
from verifyhub.reports.measures import OF_AGENTS, SHARES, Measure
from verifyhub.reports.models import AlertRule, ReportPlan
from verifyhub.reports.services.alerts import RuleValues

MAX_THRESHOLD = 1e9


class RecipientsForm(forms.Form):
    """A form with members who get e-mails."""

    recipients = forms.MultipleChoiceField(
        required=False,
        label=_("E-mail to"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "People without an e-mail address in their settings receive no e-mail."
        ),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._project = project
        rows = Membership.objects.filter(project=project).select_related("user")
        self.fields["recipients"].choices = [  # type: ignore[attr-defined]
            (str(member.pk), member.user.get_username())
            for member in rows.order_by("user__username")
            if can(member.role, "metrics.view") and member.user.is_active
        ]

    def members(self) -> list[Membership]:
        """Return the chosen members."""
        chosen = self.cleaned_data["recipients"]
        return list(Membership.objects.filter(project=self._project, pk__in=chosen))


class AlertRuleForm(RecipientsForm):
    """A rule about a metric."""

    RULE_FIELDS = tuple(RuleValues.__dataclass_fields__)

    name = forms.CharField(label=_("Name"), max_length=AlertRule.MAX_NAME)
    measure = forms.ChoiceField(label=_("Figure"), choices=Measure.choices)
    threshold = forms.FloatField(
        label=_("Alert above"),
        min_value=0,
        max_value=MAX_THRESHOLD,
        help_text=_(
            "A share from 0 to 1 where the figure is a share or a rise; else a number"
            " of answers, hours or minutes."
        ),
    )
    agent = forms.CharField(
        label=_("Of one agent"),
        required=False,
        max_length=200,
        help_text=_("The agent's name; empty for all agents."),
    )
    hours = forms.IntegerField(
        label=_("Time window, hours"),
        min_value=1,
        max_value=AlertRule.MAX_HOURS,
        initial=24,
    )
    least = forms.IntegerField(
        label=_("Minimum number of cases"),
        min_value=1,
        max_value=1_000_000,
        initial=20,
        help_text=_("With fewer cases no alert is raised."),
    )
    enabled = forms.BooleanField(label=_("On"), required=False, initial=True)

    field_order = (
        "name",
        "measure",
        "threshold",
        "agent",
        "hours",
        "least",
        "recipients",
        "enabled",
    )

    def clean(self) -> dict[str, Any]:
        """Refuse impossible thresholds, and agents for measures without them."""
        values = super().clean() or {}
        measure, threshold = values.get("measure"), values.get("threshold")
        if measure in SHARES and threshold is not None and threshold >= 1:
            self.add_error("threshold", _("A share is never above 1."))
        if measure and values.get("agent") and measure not in OF_AGENTS:
            self.add_error("agent", _("This figure is of the whole project."))
        return values

    def values(self) -> RuleValues:
        """Return the validated values."""
        return RuleValues(
            **{name: self.cleaned_data[name] for name in self.RULE_FIELDS}
        )


class PlanForm(RecipientsForm):
    """The schedule and the recipients of the weekly report."""

    enabled = forms.BooleanField(
        label=_("Generate a report every week"), required=False
    )
    weekday = forms.TypedChoiceField(
        label=_("Day of the week"), coerce=int, choices=ReportPlan.Weekday.choices
    )
    hour = forms.IntegerField(label=_("Hour"), min_value=0, max_value=23)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(one, one.replace("_", " ")) for one in zone_names()],
    )

    field_order = ("enabled", "weekday", "hour", "time_zone", "recipients")
