"""What the pages of alerts and reports show when there is something to show."""

from typing import Any

from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.reports.models import AlertRule
from verifyhub.reports.services.alerts import evaluate_rules, save_rule
from verifyhub.reports.services.weekly import make_report


def furnish_reports(project: Project) -> dict[str, Any]:
    """Leave an alert that stands, one rule with a hostile name, and a report."""
    rule = save_rule(
        rule=AlertRule(
            project=project,
            name="<script>alert(1)</script>",
            measure="backlog_size",
            threshold=0,
        ),
        recipients=list(project.memberships.all()),
        actor=None,
    )
    evaluate_rules(now=timezone.now())
    report = make_report(project=project, now=timezone.now())
    return {"rule_id": rule.id, "report_id": report.id}
