"""Withdraw what was learned from answers sent with a revoked key."""

from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import ApiKey
from verifyhub.audit.services import record_event
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, KeyForgetting, MemoryEntry, Sighting
from verifyhub.memory.services.settle_constraints import (
    locked_constraints,
    settle_constraints,
)
from verifyhub.memory.services.settle_names import corrected_names, settle_names
from verifyhub.memory.services.words import hold_words

# Constraints settled in one transaction. The first batch is part of the revocation
# itself; a task settles the others.
BATCH = 200
BATCHES = 20


@transaction.atomic
def forget_key(key: ApiKey) -> KeyForgetting:
    """Start to withdraw a revoked key's influence; the first batch runs at once.

    Its sightings stop counting and names that only its answers showed in evidence
    count as not found. Must run inside the transaction that revokes the key.
    """
    forgetting = KeyForgetting.objects.create(project_id=key.project_id, api_key=key)
    _advance(forgetting)
    if forgetting.finished_at is None:
        enqueue_on_commit("memory.forget_keys")
    return forgetting


def forget_keys() -> int:
    """Continue with every revoked key whose influence is not withdrawn yet.

    Two workers take different keys. Batches beyond the limit are left to the next call.

    Returns:
        How many batches were settled.
    """
    done = 0
    while done < BATCHES and _forget_one_batch():
        done += 1
    return done


@transaction.atomic
def _forget_one_batch() -> bool:
    forgetting = (
        KeyForgetting.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(finished_at__isnull=True)
        .select_related("api_key", "project")
        .order_by("id")
        .first()
    )
    if forgetting is None:
        return False
    _advance(forgetting)
    return True


def _advance(forgetting: KeyForgetting) -> None:
    """Settle the next constraints that the key stated, and store the position."""
    rows = list(_touched(forgetting)[:BATCH])
    names = {(kind, key) for _, kind, key in rows}
    hold_words(forgetting.project_id, change=True)
    # Corrections that nothing contradicts any more are shared, which changes the names
    # that are one with theirs as well.
    corrected = corrected_names(forgetting.project_id, names)
    names |= corrected
    locked_constraints(project_id=forgetting.project_id, names=names)
    forgetting.sighting_count += Sighting.objects.filter(
        constraint__in=[key for key, _, _ in rows],
        api_key=forgetting.api_key,
        counts=True,
    ).update(counts=False)
    settle_names(project=forgetting.project, names=corrected, actor=None)
    settle_constraints(project=forgetting.project, names=names, actor=None)
    forgetting.constraint_count += len(rows)
    if rows:
        forgetting.last_constraint = rows[-1][0]
    if len(rows) < BATCH:
        forgetting.finished_at = timezone.now()
        record_event(
            "memory.key_forgotten",
            forgetting.api_key,
            None,
            after={
                "constraints": forgetting.constraint_count,
                "sightings": forgetting.sighting_count,
            },
        )
    forgetting.save()


def _touched(forgetting: KeyForgetting) -> QuerySet[Constraint, tuple[UUID, str, str]]:
    key = forgetting.api_key
    rows = Sighting.objects.filter(constraint=OuterRef("pk"), api_key=key)
    sent = Interaction.objects.filter(
        id=OuterRef("interaction_id"), project_id=forgetting.project_id, api_key=key
    )
    shown = MemoryEntry.objects.filter(
        Exists(sent),
        project_id=forgetting.project_id,
        mention_kind=OuterRef("mention_kind"),
        mention_key=OuterRef("mention_key"),
        kind=MemoryEntry.Kind.FINDING,
    )
    return (
        Constraint.objects.filter(
            Exists(rows) | Exists(shown),
            project_id=forgetting.project_id,
            id__gt=forgetting.last_constraint or UUID(int=0),
        )
        .order_by("id")
        .values_list("id", "mention_kind", "mention_key")
    )
