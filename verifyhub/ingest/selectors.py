"""Reads of what arrived."""

from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.contract import field_names, sorted_keys
from verifyhub.common.moments import timestamp_text
from verifyhub.engine import types
from verifyhub.engine.types import Agent, CallStatus
from verifyhub.ingest.models import Interaction, ToolCall, contract_columns

AGENTS_SHOWN = 200
# From name to name along the index: `DISTINCT` would read every answer of the project.
AGENTS = """
WITH RECURSIVE named(agent) AS (
    SELECT min(agent_name) FROM ingest_interaction
    WHERE project_id = %(project)s AND agent_name <> ''
    UNION ALL
    SELECT (
        SELECT min(agent_name) FROM ingest_interaction
        WHERE project_id = %(project)s AND agent_name <> '' AND agent_name > named.agent
    ) FROM named WHERE named.agent IS NOT NULL
)
SELECT agent FROM named WHERE agent IS NOT NULL LIMIT %(limit)s
"""


def interactions(project: Project) -> QuerySet[Interaction]:
    """All interactions of a project with their sessions, newest first."""
    return (
        Interaction.objects.filter(project=project)
        .select_related("session")
        .order_by("-created_at", "-id")
    )


def find_interaction(project: Project, reference: str) -> Interaction | None:
    """The interaction a client means by its own id or by ours; its own goes first."""
    rows = interactions(project)
    found = rows.filter(client_id=reference).first()
    if found is None and (uuid := _uuid(reference)):
        found = rows.filter(id=uuid).first()
    return found


def agent_names(project_id: UUID) -> list[str]:
    """Names of the agents that have answered, for the filter, at most 200."""
    with connection.cursor() as cursor:
        cursor.execute(AGENTS, {"project": project_id, "limit": AGENTS_SHOWN})
        return [row[0] for row in cursor.fetchall()]


def to_engine(interaction: Interaction) -> types.Interaction:
    """Turn a row and its tool calls back into the value that was parsed."""
    fields = sorted_keys(interaction.other_fields or {})
    required = field_names(types.Interaction)
    for name, is_nullable in contract_columns().items():
        value = sorted_keys(getattr(interaction, name))
        fields[name] = value if is_nullable or required[name] else value or None
    return types.Interaction(
        id=interaction.client_id,
        session=interaction.session.key if interaction.session else None,
        agent=Agent(
            name=interaction.agent_name,
            tier=interaction.agent_tier,
            role=interaction.agent_role,
        ),
        tool_calls=tuple(
            _to_engine_call(call)
            for call in sorted(interaction.tool_calls.all(), key=lambda one: one.index)
        ),
        usage=_usage(interaction),
        **fields,
    )


def _usage(interaction: Interaction) -> types.RunUsage | None:
    counted = (
        interaction.run_input_tokens,
        interaction.run_output_tokens,
        interaction.run_cost_microdollars,
    )
    if counted == (None, None, None):
        return None
    return types.RunUsage(
        input_tokens=counted[0], output_tokens=counted[1], cost_microdollars=counted[2]
    )


def _to_engine_call(call: ToolCall) -> types.ToolCall:
    return types.ToolCall(
        index=call.index,
        id=call.call_id or None,
        tool=call.tool,
        # jsonb does not keep the order of keys; sorted is how they were parsed.
        input=sorted_keys(call.input),
        output=call.output,
        status=CallStatus(call.status),
        started_at=timestamp_text(call.started_at) if call.started_at else None,
        duration_ms=call.duration_ms,
    )


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
