"""The time window of answers that learning uses."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.learning.models import JudgedAnswer

# Older answers say little about current agents.
WINDOW_DAYS = 90


def recent_answers(project: Project, *, now: datetime) -> QuerySet[JudgedAnswer]:
    """Return the judged answers of a project of the last days."""
    since = now - timedelta(days=WINDOW_DAYS)
    return JudgedAnswer.objects.filter(project=project, answered_at__gte=since)
