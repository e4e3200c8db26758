"""Change how many people judge an answer, and how."""

from typing import Any

from django.db import transaction

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.review.models import ReviewRules
from verifyhub.review.panel.rules import rules_of


@transaction.atomic
def set_review_rules(
    *, project: Project, values: dict[str, Any], actor: User
) -> ReviewRules:
    """Set a project's rules of reviewing.

    An answer that somebody has judged keeps the number of people it had then.

    Args:
        project: The tenant.
        values: Checked values by field of `ReviewRules`.
        actor: Who sets them.
    """
    rules = rules_of(project.pk)
    before = {name: getattr(rules, name) for name in values}
    for name, value in values.items():
        setattr(rules, name, value)
    rules.save()
    record_event(
        project_id=project.pk,
        actor=actor,
        action="review.rules_set",
        obj=project,
        before=before,
        after=dict(values),
    )
    return rules
