"""Reads of interactions and their tool calls."""

from collections.abc import Collection
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.http import uuid_in
from verifyhub.common.prepared import PreparedQuery, prepared_cursor
from verifyhub.engine import types
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.output_store import KEPT_ANSWER_CHARACTERS

AGENTS_SHOWN = 200
# Skips from name to name along the index; `DISTINCT` would read every answer.
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

# The interaction of a `parent`: by the client's id, or else by UUID, each by an index.
PARENT_ID = """coalesce(
    (SELECT named.id FROM ingest_interaction AS named
     WHERE named.project_id = {row}.project_id AND named.client_id = {row}.parent),
    (SELECT named.id FROM ingest_interaction AS named
     WHERE named.project_id = {row}.project_id AND named.id = CASE
         WHEN {row}.parent ~ '^[0-9a-f]{{8}}-([0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}$'
         THEN {row}.parent::uuid END)
)"""
ANCESTORS = """
WITH RECURSIVE line AS (
    SELECT own.id AS answer, own.id, 0 AS step
    FROM ingest_interaction AS own WHERE own.id = ANY(%(answers)s)
    UNION ALL
    SELECT line.answer, upper.id, line.step + 1
    FROM line JOIN ingest_interaction AS lower ON lower.id = line.id
    CROSS JOIN LATERAL (SELECT @parent AS id) AS upper
    WHERE lower.parent <> '' AND upper.id IS NOT NULL AND line.step < %(steps)s
)
SELECT answer, id FROM line WHERE step > 0 ORDER BY answer, step
""".replace("@parent", PARENT_ID.format(row="lower"))


class OutputsRemovedError(Exception):
    """The run cannot be verified again because its tools' outputs were removed."""


def characters_searched(project_id: UUID) -> int | None:
    """Return how many characters of an answer a search reads; None for all.

    Answers in the object store are searched by what their rows keep.
    """
    if not settings.STORE.url:
        return None
    stored = Interaction.objects.exclude(answer_sha256=None)
    in_store = stored.filter(project=project_id).exists()
    return KEPT_ANSWER_CHARACTERS if in_store else None


def interactions(project: Project) -> QuerySet[Interaction]:
    """Return all interactions of a project with their sessions, newest first."""
    return (
        Interaction.objects.filter(project=project)
        .select_related("session")
        .order_by("-created_at", "-id")
    )


def find_interaction(project: Project, reference: str) -> Interaction | None:
    """Return the interaction with a client id or, if there is none, with this UUID."""
    rows = interactions(project)
    interaction = rows.filter(client_id=reference).first()
    if interaction is None and (uuid := uuid_in(reference)):
        interaction = rows.filter(id=uuid).first()
    return interaction


def is_known(project: Project, reference: str) -> bool:
    """Whether a project has an interaction with this client id or UUID."""
    ids = models.Q(client_id=reference)
    uuid = uuid_in(reference)
    if uuid and str(uuid) == reference:
        ids |= models.Q(id=uuid)
    return Interaction.objects.filter(ids, project=project).exists()


def ancestors(
    answers: Collection[Interaction], *, steps: int
) -> dict[UUID, list[UUID]]:
    """Return the ids of the ancestors of interactions, in one query.

    Args:
        answers: Stored rows.
        steps: The maximum number of ancestors of each.

    Returns:
        The ancestors by the answer's id, nearest first; each once if parents form a
        cycle.
    """
    chains: dict[UUID, list[UUID]] = {answer.id: [] for answer in answers}
    # Answers without a parent need no query.
    following = [answer.id for answer in answers if answer.parent]
    if not following:
        return chains
    with prepared_cursor() as cursor:
        cursor.execute(ANCESTORS, {"answers": following, "steps": steps})
        for answer, ancestor in cursor.fetchall():
            if ancestor != answer and ancestor not in chains[answer]:
                chains[answer].append(ancestor)
    return chains


_CALLS = PreparedQuery(
    lambda answers: ToolCall.objects.filter(interaction__any_of=answers).order_by(
        "interaction", "index"
    )
)


def load_calls(answers: Collection[Interaction]) -> None:
    """Load the tool calls of answers in one query."""
    for answer in answers:
        answer.calls = []
    by_id = {answer.id: answer for answer in answers}
    for call in _CALLS(answers=list(by_id)):
        by_id[call.interaction_id].calls.append(call)


def agent_names(project_id: UUID) -> list[str]:
    """Return the names of agents for the filter, at most 200."""
    with prepared_cursor() as cursor:
        cursor.execute(AGENTS, {"project": project_id, "limit": AGENTS_SHOWN})
        return [row[0] for row in cursor.fetchall()]


def has_answers(project_id: UUID) -> bool:
    """Whether anything has ever arrived in a project."""
    return Interaction.objects.filter(project_id=project_id).exists()


def to_engine(interaction: Interaction) -> types.Interaction:
    """Convert a row and its tool calls to the engine's value.

    Raises:
        OutputsRemovedError: If its tool outputs were removed.
    """
    require_outputs(interaction)
    return interaction.in_engine


def require_outputs(interaction: Interaction) -> None:
    """Raise if a run's tool outputs were removed.

    Raises:
        OutputsRemovedError: If they were removed.
    """
    if interaction.outputs_removed_at is not None:
        raise OutputsRemovedError(interaction.outputs_removed_at.isoformat())
