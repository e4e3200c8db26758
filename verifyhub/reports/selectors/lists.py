"""Rules, alerts and reports of a project, newest first."""

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.reports.models import (
    Alert,
    AlertRule,
    Letter,
    ReportPlan,
    WeeklyReport,
)


def rules(project: Project) -> QuerySet[AlertRule]:
    """Return the rules by name."""
    rows = AlertRule.objects.filter(project=project)
    return rows.prefetch_related("recipients__user").order_by("name")


def current_alerts(project: Project) -> QuerySet[Alert]:
    """Return the alerts that have not ended, newest first."""
    return alerts(project).filter(cleared_at=None)


def alerts(project: Project) -> QuerySet[Alert]:
    """Return all alerts, newest first."""
    return Alert.objects.filter(project=project).order_by("-raised_at", "-id")


def letters(project: Project) -> QuerySet[Letter]:
    """Return the letters that are kept, without their texts, newest first."""
    rows = Letter.objects.filter(project=project).defer("text", "html")
    return rows.select_related("to").order_by("-created_at", "-id")


def reports(project: Project) -> QuerySet[WeeklyReport]:
    """Return the weekly reports, newest first."""
    return WeeklyReport.objects.filter(project=project).order_by("-until")


def plan_of(project: Project) -> ReportPlan:
    """Return the project's plan; an unsaved one if none is set."""
    row = ReportPlan.objects.filter(project=project).first()
    return row or ReportPlan(project=project)
