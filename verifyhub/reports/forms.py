"""Forms of alerts and of the weekly report."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Membership, Project, Role
from verifyhub.accounts.permissions import can
from verifyhub.accounts.viewer import zone_names
from verifyhub.reports.measures import OF_AGENTS, SHARES, Measure
from verifyhub.reports.models import AlertRule, ReportPlan

MAX_THRESHOLD = 1e9


class MembersField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Members of the project, shown by their user names."""

    def label_from_instance(self, member: Membership) -> str:
        return member.user.get_username()


class RecipientsForm(forms.ModelForm):  # type: ignore[type-arg]
    """A row with members who get e-mails; a service saves it."""

    recipients = MembersField(
        queryset=Membership.objects.none(),
        required=False,
        label=_("E-mail to"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "People without an e-mail address in their settings receive no e-mail."
        ),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.instance.project = project
        roles = [role for role in Role if can(role, "metrics.view")]
        members = project.memberships.filter(role__in=roles, user__is_active=True)
        self.fields["recipients"].queryset = (  # type: ignore[attr-defined]
            members.select_related("user").order_by("user__username")
        )


class AlertRuleForm(RecipientsForm):
    """A rule about a metric."""

    class Meta:
        model = AlertRule
        fields = (
            "name",
            "measure",
            "threshold",
            "agent",
            "hours",
            "least",
            "recipients",
            "enabled",
        )
        labels = {"agent": _("Of one agent"), "enabled": _("On")}
        help_texts = {"agent": _("The agent's name; empty for all agents.")}

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

    def clean(self) -> dict[str, Any]:
        """Refuse impossible thresholds, and agents for measures without them."""
        values = super().clean() or {}
        measure, threshold = values.get("measure"), values.get("threshold")
        if measure in SHARES and threshold is not None and threshold >= 1:
            self.add_error("threshold", _("A share is never above 1."))
        if measure and values.get("agent") and measure not in OF_AGENTS:
            self.add_error("agent", _("This figure is of the whole project."))
        return values


class PlanForm(RecipientsForm):
    """The schedule and the recipients of the weekly report."""

    class Meta:
        model = ReportPlan
        fields = ("enabled", "weekday", "hour", "time_zone", "recipients")
        labels = {
            "enabled": _("Generate a report every week"),
            "weekday": _("Day of the week"),
        }

    hour = forms.IntegerField(label=_("Hour"), min_value=0, max_value=23)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(one, one.replace("_", " ")) for one in zone_names()],
    )
