"""Count confirmed answers and names, by agent, model and tool."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Func, Q, QuerySet, Sum, TextField

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import prepared_cursor
from verifyhub.common.shares import Share
from verifyhub.engine.decisions.prior import Prior
from verifyhub.engine.reports import Verdict
from verifyhub.learning.models import JudgedAnswer
from verifyhub.learning.selectors.windows import WINDOW_DAYS, recent_answers

MAX_ROWS = 20
# The newest answers of a track record: of one agent, for its next verdict, and of all,
# for the page.
OF_AGENT = 500
OF_ALL = 50_000
# A person's verdict if there is one, or else the verification's.
ACCEPTED = Q(human_verdict=Verdict.ACCEPT) | Q(human_verdict="", verdict=Verdict.ACCEPT)
AGENTS = """
SELECT asked.agent, count(*),
    count(*) FILTER (WHERE coalesce(nullif(human_verdict, ''), verdict) = 'accept')
FROM unnest(%(agents)s::varchar[]) AS asked (agent) CROSS JOIN LATERAL (
    SELECT human_verdict, verdict FROM learning_judgedanswer
    WHERE project_id = %(project)s AND agent = asked.agent AND answered_at >= %(since)s
    ORDER BY answered_at DESC LIMIT %(most)s
) AS newest
GROUP BY asked.agent
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorRow:
    """One agent, model or tool.

    Attributes:
        name: Its name in runs.
        answers: Share of answers accepted by a person, or by verification without one.
        names: Share of counting names with evidence, as corrected by people.
        looked_at: Number of answers that a person decided.
    """

    name: str
    answers: Share
    names: Share
    looked_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Priors:
    """Track records of a project's agents, models and tools, most used first."""

    agents: list[PriorRow]
    models: list[PriorRow]
    tools: list[PriorRow]


def priors(project: Project, *, now: datetime) -> Priors:
    """Return the track records over 90 days, of at most 50,000 answers."""
    newest = recent_answers(project, now=now).order_by("-answered_at")
    rows = JudgedAnswer.objects.filter(pk__in=newest.values("pk")[:OF_ALL])
    return Priors(
        agents=_table(rows.exclude(agent=""), F("agent")),
        models=_table(rows.exclude(model=""), F("model")),
        tools=_table(
            rows, Func(F("tools"), function="unnest", output_field=TextField())
        ),
    )


def agent_priors(
    project: Project, *, agents: Collection[str], now: datetime
) -> dict[str, Prior]:
    """Return the track records of agents' newest 500 answers, as a prior.

    One query. Agents without a name or answers are left out.
    """
    names = sorted(filter(None, agents))
    if not names:
        return {}
    since = now - timedelta(days=WINDOW_DAYS)
    with prepared_cursor() as cursor:
        cursor.execute(
            AGENTS,
            {"project": project.id, "agents": names, "since": since, "most": OF_AGENT},
        )
        counted = cursor.fetchall()
    records = {}
    for name, total, stood in counted:
        low, high = Share(count=stood, total=total).interval or (0.0, 1.0)
        records[name] = Prior(answers=total, stood=stood, low=low, high=high)
    return records


def _table(rows: QuerySet[JudgedAnswer], by: F | Func) -> list[PriorRow]:
    counted = (
        rows.annotate(name=by)
        .values("name")
        .annotate(
            total=Count("pk"),
            stood=Count("pk", filter=ACCEPTED),
            looked=Count("pk", filter=~Q(human_verdict="")),
            all_names=Sum("counted"),
            wrong_names=Sum(F("unverified") + F("moved")),
        )
        .order_by("-total", "name")[:MAX_ROWS]
    )
    return [_row(row) for row in counted]


def _row(row: Mapping[str, Any]) -> PriorRow:
    names = row["all_names"]
    # A person may have judged a name that does not count, so limit the share.
    right = min(names, max(0, names - row["wrong_names"]))
    return PriorRow(
        name=row["name"],
        answers=Share(count=row["stood"], total=row["total"]),
        names=Share(count=right, total=names),
        looked_at=row["looked"],
    )
