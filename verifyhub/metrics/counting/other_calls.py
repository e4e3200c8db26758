"""Model calls that belong to no stored answer.

Detections, rewrites and deliberations of other texts, probes and embeddings cost money
like the checks of an answer. They have no agent, so they are only counted for all
agents, at the time of the call.
"""

from django.db import connection

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.answers_sql import CALLS
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.windows import Window

# Expressions of this package; every value is a parameter.
_SQL = f"""
SELECT tier, purpose, {", ".join(CALLS.numbers.values())}
FROM (
    SELECT c.tier, c.purpose, c.outcome, c.charged_tokens, c.is_estimate,
        c.cost_microdollars AS cost, c.latency_ms,
        c.outcome NOT IN ('running', 'cached', 'budget') AS is_made
    FROM inference_modelcall AS c
    WHERE c.project_id = %(project)s
      AND (%(since)s::timestamptz IS NULL OR c.created_at >= %(since)s)
      AND (%(until)s::timestamptz IS NULL OR c.created_at < %(until)s)
      AND NOT EXISTS (
          SELECT FROM verification_verification AS run WHERE run.id = c.verification_id
      )
) AS call
GROUP BY tier, purpose
"""  # noqa: S608


def all_calls(project: Project, window: Window, answers: Tally) -> Tally:
    """Return the calls about answers and, for all agents, all other calls.

    Args:
        project: The tenant.
        window: The window of the calls.
        answers: The counts of the window's answers; not changed.
    """
    tally = Tally()
    tally.include(answers, CALLS.name)
    if window.is_of_some:
        return tally
    with connection.cursor() as cursor:
        cursor.execute(
            _SQL,
            {"project": project.pk, "since": window.since, "until": window.until},
        )
        for tier, purpose, *numbers in cursor.fetchall():
            tally.add(CALLS.name, (tier, purpose), map(int, numbers))
    return tally
