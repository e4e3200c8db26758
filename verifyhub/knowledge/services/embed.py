"""Embed a project's passages in the background, a slice at a time.

Every batch renews the claim and checks its token: of two workers only the one with the
newest claim writes. Passages that a killed worker did not write are embedded by the
next one.
"""

import time
from collections.abc import Sequence
from uuid import UUID

from django.db import connection, transaction
from django.db.models.functions import Now

from verifyhub.common.leases import try_lease
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease
from verifyhub.engine.ports import ModelError
from verifyhub.engine.retrieval.run_search import text_to_embed
from verifyhub.knowledge.models import Document, EmbeddingSpace, Passage
from verifyhub.knowledge.selectors import as_vector, missing_passages, unembedded
from verifyhub.knowledge.services.spaces import QUEUE, embedder_of, wanted_space

logger = get_logger(__name__)

BATCH = 16
# After so long other work of the worker has its turn.
SLICE_SECONDS = 5.0
# The lease of the embedding worker.
LEASE = "knowledge.embed"
STORE = """
INSERT INTO knowledge_passagevector
    (project_id, passage_id, space_id, session_id, dimension, embedding)
SELECT p.project_id, p.id, %(space)s, p.session_id, %(dimension)s, x.embedding::halfvec
FROM unnest(%(ids)s::bigint[], %(vectors)s::text[]) AS x(id, embedding)
JOIN knowledge_passage p ON p.id = x.id AND p.project_id = %(project)s
FOR KEY SHARE OF p
ON CONFLICT (passage_id, space_id) DO NOTHING
"""


def embed_space(*, space_id: UUID) -> int:
    """Embed missing passages of a space for one time slice.

    Only one worker embeds at a time, so that others are free for verdicts.

    Returns:
        How many passages were embedded.
    """
    with try_lease(LEASE) as is_alone:
        lease = QUEUE.claim(space_id) if is_alone else None
        if lease is None:
            return 0
        rows = EmbeddingSpace.objects.select_related("project", "endpoint")
        space = rows.get(pk=space_id)
        try:
            with QUEUE.renewing(lease):
                return _embed(lease, space)
        except ModelError as error:
            QUEUE.release(lease, str(error), wait_seconds=error.retry_after_seconds)
            # The model may have been changed.
            wanted_space(space.project)
            logger.warning(
                "knowledge.not_embedded", id=str(space_id), reason=error.reason
            )
        except Exception as error:
            QUEUE.release(lease, type(error).__name__)
            raise
    return 0


def _embed(lease: RowLease, space: EmbeddingSpace) -> int:
    embedder = embedder_of(space)
    ends = time.monotonic() + SLICE_SECONDS
    count = 0
    while time.monotonic() < ends:
        passages = list(missing_passages(space, after=space.walked_to)[:BATCH])
        if not passages:
            if _finish(lease, space):
                return count
            # Passages may have been committed after others with higher ids: once more.
            space.walked_to = 0
            continue
        vectors = embedder.embed(
            [text_to_embed(row.title, row.text) for row in passages]
        )
        if not _store(lease, space, passages, vectors):
            return count
        count += len(passages)
    _hand_on(lease)
    return count


@transaction.atomic
def _store(
    lease: RowLease,
    space: EmbeddingSpace,
    passages: Sequence[Passage],
    vectors: Sequence[Sequence[float]],
) -> bool:
    """Write a batch; False, without writing, if the claim was lost."""
    if not QUEUE.renew(lease):
        logger.warning("knowledge.claim_lost", id=str(space.pk))
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            STORE,
            {
                "space": space.pk,
                "project": space.project_id,
                "dimension": space.dimension,
                "ids": [row.pk for row in passages],
                "vectors": [as_vector(vector) for vector in vectors],
            },
        )
    space.walked_to = passages[-1].pk
    # Earlier failures no longer count.
    EmbeddingSpace.objects.filter(pk=space.pk).update(
        walked_to=space.walked_to, attempts=1, error=""
    )
    # Mark documents whose passages are all in the space.
    waiting = Document.objects.filter(
        project=space.project_id,
        pk__in=[row.document_id for row in passages if row.document_id],
        state=Document.State.WAITING,
    )
    waiting.filter(~unembedded(space)).update(state=Document.State.READY)
    return True


@transaction.atomic
def _finish(lease: RowLease, space: EmbeddingSpace) -> bool:
    """End the work if nothing is missing; searches then use a wanted space.

    Writers of passages mark the space afterwards (`mark_due`); the row is locked from
    the first statement on, so that no passage is missed.
    """
    if not QUEUE.renew(lease):
        return True
    if missing_passages(space).exists():
        return False
    row = EmbeddingSpace.objects.get(pk=space.pk)
    if row.is_wanted and not row.serves:
        others = EmbeddingSpace.objects.filter(project=space.project_id, serves=True)
        others.update(serves=False)
        row.serves = True
        logger.info("knowledge.space_serves", id=str(space.pk), model=space.model)
    row.state, row.lease_until = EmbeddingSpace.State.FINISHED, None
    row.error, row.walked_to, row.attempts = "", 0, 0
    row.finished_at = Now()
    row.save()
    if row.is_wanted:
        waiting = Document.objects.filter(
            project=space.project_id, state=Document.State.WAITING
        )
        waiting.update(state=Document.State.READY)
    return True


@transaction.atomic
def _hand_on(lease: RowLease) -> None:
    """Put back the rest of the work for the next free worker."""
    put_back = EmbeddingSpace.objects.filter(
        pk=lease.row_id, token=lease.token, state=EmbeddingSpace.State.RUNNING
    ).update(
        state=EmbeddingSpace.State.PENDING, attempts=0, lease_until=None, rung_at=Now()
    )
    if put_back:
        QUEUE.ring(lease.row_id)
