"""A template tag for verdicts whose model calls wait for a cap."""

from typing import Any

from django import template
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.inference.selectors import budget_state

register = template.Library()

BUDGET = "budget"


@register.inclusion_tag("inference/_held_back.html")
def budget_notice(project: Project, report: VerificationReport) -> dict[str, Any]:
    """Return a notice that a verdict lacks a model's opinion because of a cap.

    Empty for other verdicts.
    """
    if not any(check.reason == BUDGET for check in report.checks):
        return {}
    return {"state": budget_state(project, timezone.now())}
