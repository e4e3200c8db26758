"""Embedding spaces: the chosen one, the one that searches use, and old ones."""

import hashlib
from typing import Any

from django.db import connection, transaction

from verifyhub.accounts.models import Project
from verifyhub.common.row_queue import RowQueue
from verifyhub.engine.local_models.embedder import default_embedder
from verifyhub.engine.passages import Embedder
from verifyhub.engine.ports import ModelError
from verifyhub.inference.models import EmbeddingChoice
from verifyhub.inference.selectors import embedding_choice
from verifyhub.inference.services import MeteredEmbedder
from verifyhub.knowledge.models import (
    MAX_DIMENSION,
    EmbeddingSpace,
    Passage,
    vector_index,
)

# An endpoint may be unreachable for hours: waits increase, and attempts count since the
# last success.
QUEUE = RowQueue(
    "knowledge_embeddingspace",
    task="knowledge.embed",
    argument="space_id",
    max_attempts=40,
    backoff_seconds=(2, 10, 30, 120, 600),
)
# Rows deleted by one statement.
SWEPT = 5000
SWEEP = """
DELETE FROM knowledge_passagevector
WHERE id IN (
    SELECT id FROM knowledge_passagevector WHERE space_id = %(space)s LIMIT %(limit)s
)
"""


def wanted_space(project: Project) -> EmbeddingSpace | None:
    """Return the space for a project's passages, creating it if necessary.

    An existing space is used for searches until the new one is complete.

    Returns:
        The space; None without any model.
    """
    model = _model_of(project)
    if model is None or not 0 < model["dimension"] <= MAX_DIMENSION:
        return None
    space = EmbeddingSpace.objects.filter(
        project=project, fingerprint=model["fingerprint"], is_wanted=True
    ).first()
    return space or _open(project, model)


def embed_with_new_model(project: Project) -> None:
    """Open the space of a project's new model, if it has passages."""
    if Passage.objects.filter(project=project).exists():
        wanted_space(project)


def _model_of(project: Project) -> dict[str, Any] | None:
    """Return the model for a project's passages, as fields of a space."""
    chosen = embedding_choice(project)
    if chosen is not None:
        return {
            "fingerprint": chosen.fingerprint,
            "model": chosen.model,
            "dimension": chosen.dimension,
            "is_local": False,
            "endpoint": chosen.endpoint,
            "input_microdollars": chosen.input_microdollars,
            "deadline_seconds": chosen.deadline_seconds,
        }
    local = default_embedder()
    if local is None:
        return None
    return {
        "fingerprint": _local_fingerprint(local),
        "model": local.name,
        "dimension": local.dimension,
        "is_local": True,
        "endpoint": None,
        "input_microdollars": None,
        "deadline_seconds": EmbeddingSpace.DEADLINE_SECONDS,
    }


def _local_fingerprint(local: Embedder) -> str:
    identity = f"local\0{local.name}\0{local.dimension}"
    return hashlib.sha256(identity.encode()).hexdigest()


@transaction.atomic
def _open(project: Project, model: dict[str, Any]) -> EmbeddingSpace:
    """Select another space as wanted; a former one is continued."""
    project.lock()
    spaces = EmbeddingSpace.objects.filter(project=project)
    spaces.exclude(fingerprint=model["fingerprint"]).update(is_wanted=False)
    space, _ = EmbeddingSpace.objects.update_or_create(
        project=project,
        fingerprint=model["fingerprint"],
        defaults={**model, "is_wanted": True, "walked_to": 0},
    )
    if not spaces.filter(serves=True).exists():
        spaces.filter(pk=space.pk).update(serves=True)
        space.serves = True
    ensure_index(space.dimension)
    mark_due(project)
    return space


def ensure_index(dimension: int) -> None:
    """Create the index of a dimension, before its first vectors are written."""
    index = vector_index(dimension)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [index.name])
        if cursor.fetchone()[0] is not None:
            return
    # An index cannot be created with pending constraint checks.
    connection.check_constraints()
    with connection.cursor() as cursor:
        cursor.execute("SELECT knowledge_index_vectors(%s)", [dimension])


@transaction.atomic
def mark_due(project: Project) -> None:
    """Mark a project's space as due, after passages were written.

    The row is locked even if it is due: a worker that is about to end waits, and then
    sees the passages.
    """
    spaces = EmbeddingSpace.objects.filter(project=project, is_wanted=True)
    for space in spaces.select_for_update():
        if space.state not in EmbeddingSpace.OPEN:
            spaces.filter(pk=space.pk).update(
                state=EmbeddingSpace.State.PENDING,
                attempts=0,
                next_at=None,
                rung_at=None,
                error="",
            )
        QUEUE.ring(space.id)


def embedder_of(space: EmbeddingSpace) -> Embedder:
    """Return the embedder of a space.

    Raises:
        ModelError: `not_configured` if it was deleted, or its address has another
            model: vectors of different models are never compared.
    """
    if space.is_local:
        local = default_embedder()
        if local is None or _local_fingerprint(local) != space.fingerprint:
            raise ModelError("not_configured", "the local model is not installed")
        return local
    if space.endpoint is None:
        raise ModelError("not_configured", "the endpoint of this model is deleted")
    model = EmbeddingChoice(
        endpoint=space.endpoint,
        model=space.model,
        dimension=space.dimension,
        input_microdollars=space.input_microdollars,
        deadline_seconds=space.deadline_seconds,
    )
    if model.fingerprint != space.fingerprint:
        raise ModelError("not_configured", "the endpoint was changed since")
    return MeteredEmbedder(project=space.project, model=model)


def reconcile() -> int:
    """Put back work of dead workers, wake workers, and delete a batch of old vectors.

    Returns:
        How many wake-ups it sent.
    """
    sweep_spaces()
    return QUEUE.reconcile()


def sweep_spaces() -> int:
    """Delete a batch of unused vectors.

    Returns:
        How many were deleted.
    """
    unused = EmbeddingSpace.objects.filter(is_wanted=False, serves=False)
    space = unused.order_by("created_at").first()
    if space is None:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(SWEEP, {"space": space.pk, "limit": SWEPT})
        deleted = int(cursor.rowcount)
    if not deleted:
        unused.filter(pk=space.pk).delete()
    return deleted
