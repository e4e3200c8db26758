"""Writes: move large outputs and answers to the object store and back, and clean it.

A row and its object are changed under a lock of the digest, so that moving an
output and deleting an unused object exclude each other.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone

from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.common.object_store import ObjectStore, object_store
from verifyhub.ingest.models import ANSWER_BYTES, Interaction, ToolCall
from verifyhub.ingest.output_store import (
    ANSWERS,
    KEPT_ANSWER_CHARACTERS,
    KEPT_CHARACTERS,
    LEAST_BYTES,
    LEAST_CHARACTERS,
    OUTPUTS,
    digest_of,
    key_of_text,
    put_text,
)

Row = TypeVar("Row", bound=Model)
# Texts stay in the database for so long, so that the answer is verified before.
REST = timedelta(minutes=10)
# Outputs, and answers, moved by one call of the task.
BATCH = 100
# The first number of the advisory lock; the second is derived from the digest.
LOCK = 0x6F757470
# The tasks that delete unused objects, by folder.
COLLECT = {OUTPUTS: "ingest.collect_output", ANSWERS: "ingest.collect_answer"}


def move_outputs(*, most: int = BATCH, rest: timedelta = REST) -> int:
    """Move large outputs and answers to the object store, each in its own transaction.

    Args:
        most: Maximum number of outputs, and of answers.
        rest: Younger ones stay, since they may still be verified.

    Returns:
        How many were moved; 0 without a store, or if the settings disable it.

    Raises:
        ObjectStoreError: If the store fails; texts moved before stay there.
    """
    store = object_store()
    if store is None:
        return 0
    before = timezone.now() - rest
    calls = list(_large_outputs(before)[:most])
    moved = sum(_move(store, key) for key in calls)
    answers = list(_large_answers(before)[:most])
    return moved + sum(_move_answer(store, key) for key in answers)


def _large_outputs(before: datetime) -> QuerySet[ToolCall, tuple[UUID, int]]:
    least = settings.STORE_OUTPUT_CHARACTERS
    if not least:
        return ToolCall.objects.none().values_list("pk", flat=True)
    large = ToolCall.objects.filter(
        output_sha256=None,
        # The condition of the partial index.
        output_length__gte=LEAST_CHARACTERS,
        interaction__created_at__lt=before,
    ).filter(output_length__gte=max(least, LEAST_CHARACTERS))
    return large.order_by("interaction", "index").values_list("pk", flat=True)


def _large_answers(before: datetime) -> QuerySet[Interaction, UUID]:
    least = settings.STORE_ANSWER_BYTES
    if not least:
        return Interaction.objects.none().values_list("pk", flat=True)
    large = Interaction.objects.filter(
        # The condition of the partial index.
        GreaterThanOrEqual(ANSWER_BYTES, LEAST_BYTES),
        GreaterThanOrEqual(ANSWER_BYTES, max(least, LEAST_BYTES)),
        answer_sha256=None,
        created_at__lt=before,
    )
    return large.order_by("id").values_list("pk", flat=True)


@transaction.atomic
def _move(store: ObjectStore, key: tuple[UUID, int]) -> bool:
    call = _locked(ToolCall.objects.filter(pk=key, output_sha256=None))
    if call is None:
        return False
    text = call.output
    _hold(digest_of(text))
    # Written even if it exists: the old object may be about to be deleted.
    digest = put_text(store, OUTPUTS, call.project_id, text)
    ToolCall.objects.filter(pk=key).update(
        output_sha256=digest,
        output_text=text[:KEPT_CHARACTERS],
        output_packed=None,
        output_length=len(text),
    )
    return True


@transaction.atomic
def _move_answer(store: ObjectStore, key: UUID) -> bool:
    row = _locked(Interaction.objects.filter(pk=key, answer_sha256=None))
    if row is None:
        return False
    text = row.answer
    _hold(digest_of(text))
    # Written even if it exists, as above.
    digest = put_text(store, ANSWERS, row.project_id, text)
    Interaction.objects.filter(pk=key).update(
        answer_sha256=digest, answer_text=text[:KEPT_ANSWER_CHARACTERS]
    )
    return True


def bring_back(*, most: int = BATCH) -> int:
    """Move outputs and answers from the store back to the database, one by one.

    Args:
        most: Maximum number of outputs, and of answers.

    Returns:
        How many were brought back.

    Raises:
        ObjectStoreError: If the store fails, or an object was changed; texts brought
            back before stay in the database.
    """
    calls = ToolCall.objects.exclude(output_sha256=None)
    rows = calls.order_by("interaction", "index").values_list("pk", flat=True)
    keys: list[tuple[UUID, int]] = list(rows[:most])
    brought = sum(map(_bring_back, keys))
    runs = Interaction.objects.exclude(answer_sha256=None).order_by("id")
    answers = list(runs.values_list("pk", flat=True)[:most])
    return brought + sum(map(_bring_answer_back, answers))


@transaction.atomic
def _bring_back(key: tuple[UUID, int]) -> bool:
    call = _locked(ToolCall.objects.filter(pk=key).exclude(output_sha256=None))
    if call is None or call.output_sha256 is None:
        return False
    digest = call.output_sha256
    call.output = call.output  # Read from the store, set in the row.
    call.save(
        update_fields=[
            *("output_text", "output_packed", "output_length", "output_sha256")
        ]
    )
    collect_on_commit(OUTPUTS, call.project_id, [digest])
    return True


@transaction.atomic
def _bring_answer_back(key: UUID) -> bool:
    row = _locked(Interaction.objects.filter(pk=key).exclude(answer_sha256=None))
    if row is None or row.answer_sha256 is None:
        return False
    digest = row.answer_sha256
    row.answer = row.answer  # As above.
    row.save(update_fields=["answer_text", "answer_sha256"])
    collect_on_commit(ANSWERS, row.project_id, [digest])
    return True


def collect_on_commit(folder: str, project: UUID, digests: Iterable[str]) -> None:
    """Delete objects on commit, once nothing refers to them."""
    for digest in sorted(set(digests)):
        enqueue_on_commit(COLLECT[folder], project_id=str(project), digest=digest)


@transaction.atomic
def collect_output(*, project: UUID, digest: str, folder: str = OUTPUTS) -> bool:
    """Delete an object that no row refers to; return whether one was deleted."""
    store = object_store()
    if store is None:
        return False
    _hold(digest)
    if (project, digest) in _named(folder, [(project, digest)]):
        return False
    store.delete([key_of_text(folder, project, digest)])
    return True


def collect_all() -> int:
    """Delete all objects in the store that no row refers to.

    It finds those of lost messages. Other objects of the bucket are not touched.

    Returns:
        How many were deleted.
    """
    store = object_store()
    if store is None:
        return 0
    return sum(_collect_folder(store, folder) for folder in COLLECT)


def _collect_folder(store: ObjectStore, folder: str) -> int:
    deleted, page = 0, list[tuple[UUID, str]]()
    for key in store.keys(folder):
        parts = key.partition(folder)[2].split("/")
        try:
            page.append((UUID(parts[0]), parts[2]))
        except (ValueError, IndexError):
            continue
        if len(page) >= BATCH:
            deleted += _collect(folder, page)
            page = []
    return deleted + _collect(folder, page)


def _collect(folder: str, page: Sequence[tuple[UUID, str]]) -> int:
    named = _named(folder, page)
    return sum(
        collect_output(project=project, digest=digest, folder=folder)
        for project, digest in page
        if (project, digest) not in named
    )


def _named(
    folder: str, page: Sequence[tuple[UUID, str]]
) -> set[tuple[UUID, str | None]]:
    """Return the objects of a page that rows refer to, and perhaps others."""
    projects, digests = {key for key, _ in page}, {digest for _, digest in page}
    if folder == ANSWERS:
        runs = Interaction.objects.filter(
            project__in=projects, answer_sha256__in=digests
        )
        return set(runs.values_list("project_id", "answer_sha256"))
    calls = ToolCall.objects.filter(output_sha256__in=digests)
    return set(calls.values_list("project_id", "output_sha256"))


def _locked(rows: QuerySet[Row]) -> Row | None:
    # Whoever refers to a run need not wait for the store.
    return rows.select_for_update(skip_locked=True, no_key=True).first()


def _hold(digest: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, digest])
