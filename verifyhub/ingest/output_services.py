"""Writes: move large tool outputs to the object store and back, and delete unused ones.

A call's row and its object are changed under a lock of the digest, so that moving an
output and deleting an unused object exclude each other.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.object_store import ObjectStore, object_store
from verifyhub.ingest.models import ToolCall
from verifyhub.ingest.output_store import (
    FOLDER,
    KEPT_CHARACTERS,
    LEAST_CHARACTERS,
    digest_of,
    key_of_output,
    put_output,
    read_output,
)

# Outputs stay in the database for so long, so that the answer is verified before.
REST = timedelta(minutes=10)
# Outputs moved by one call of the task.
BATCH = 100
# The first number of the advisory lock; the second is derived from the digest.
LOCK = 0x6F757470


def move_outputs(*, most: int = BATCH, rest: timedelta = REST) -> int:
    """Move large outputs of calls into the object store, each in its own transaction.

    Args:
        most: Maximum number of outputs.
        rest: Younger outputs stay, since they may still be verified.

    Returns:
        How many were moved; 0 without a store, or if the setting disables it.

    Raises:
        ObjectStoreError: If the store fails; outputs moved before stay there.
    """
    store, least = object_store(), settings.STORE_OUTPUT_CHARACTERS
    if store is None or not least:
        return 0
    large = ToolCall.objects.filter(
        output_sha256=None,
        # The condition of the partial index.
        output_length__gte=LEAST_CHARACTERS,
        interaction__created_at__lt=timezone.now() - rest,
    ).filter(output_length__gte=max(least, LEAST_CHARACTERS))
    rows = large.order_by("interaction", "index").values_list("pk", flat=True)
    keys: list[tuple[UUID, int]] = list(rows[:most])
    return sum(_move(store, key) for key in keys)


@transaction.atomic
def _move(store: ObjectStore, key: tuple[UUID, int]) -> bool:
    call = _locked(ToolCall.objects.filter(pk=key, output_sha256=None))
    if call is None:
        return False
    text = call.output
    _hold(digest_of(text))
    # Written even if it exists: the old object may be about to be deleted.
    digest = put_output(store, call.project_id, text)
    ToolCall.objects.filter(pk=key).update(
        output_sha256=digest,
        output_text=text[:KEPT_CHARACTERS],
        output_packed=None,
        output_length=len(text),
    )
    return True


def bring_back(*, most: int = BATCH) -> int:
    """Move outputs from the store back to the database, one by one.

    Returns:
        How many were brought back.

    Raises:
        ObjectStoreError: If the store fails, or an object was changed; outputs brought
            back before stay in the database.
    """
    stored = ToolCall.objects.exclude(output_sha256=None)
    rows = stored.order_by("interaction", "index").values_list("pk", flat=True)
    keys: list[tuple[UUID, int]] = list(rows[:most])
    return sum(map(_bring_back, keys))


@transaction.atomic
def _bring_back(key: tuple[UUID, int]) -> bool:
    call = _locked(ToolCall.objects.filter(pk=key).exclude(output_sha256=None))
    if call is None or call.output_sha256 is None:
        return False
    digest = call.output_sha256
    call.output = read_output(call.project_id, digest)
    call.save(
        update_fields=[
            *("output_text", "output_packed", "output_length", "output_sha256")
        ]
    )
    collect_on_commit(call.project_id, [digest])
    return True


def collect_on_commit(project: UUID, digests: Iterable[str]) -> None:
    """Delete objects on commit, once nothing refers to them."""
    for digest in sorted(set(digests)):
        enqueue_on_commit(
            "ingest.collect_output", project_id=str(project), digest=digest
        )


@transaction.atomic
def collect_output(*, project: UUID, digest: str) -> bool:
    """Delete an object that no call refers to; return whether one was deleted."""
    store = object_store()
    if store is None:
        return False
    _hold(digest)
    if ToolCall.objects.filter(project=project, output_sha256=digest).exists():
        return False
    store.delete([key_of_output(project, digest)])
    return True


def collect_all() -> int:
    """Delete all objects in the store that no call refers to.

    It finds those of lost messages. Other objects of the bucket are not touched.

    Returns:
        How many were deleted.
    """
    store = object_store()
    if store is None:
        return 0
    deleted, page = 0, list[tuple[UUID, str]]()
    for key in store.keys(FOLDER):
        parts = key.partition(FOLDER)[2].split("/")
        try:
            page.append((UUID(parts[0]), parts[2]))
        except (ValueError, IndexError):
            continue
        if len(page) >= BATCH:
            deleted += _collect(page)
            page = []
    return deleted + _collect(page)


def _collect(page: Sequence[tuple[UUID, str]]) -> int:
    digests = [digest for _, digest in page]
    rows = ToolCall.objects.filter(output_sha256__in=digests)
    named = set(rows.values_list("project_id", "output_sha256"))
    return sum(
        collect_output(project=project, digest=digest)
        for project, digest in page
        if (project, digest) not in named
    )


def _locked(rows: QuerySet[ToolCall]) -> ToolCall | None:
    return rows.select_for_update(skip_locked=True).first()


def _hold(digest: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, digest])
