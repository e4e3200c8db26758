"""Stored opinions of models."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from verifyhub.accounts.models import Project
from verifyhub.common.retention import Retention
from verifyhub.inference.models import ModelCall, Opinion

# Models may change behind the same name; a week limits the delay.
KEPT = timedelta(days=7)


def find(*, project: Project, key: str) -> Opinion | None:
    """Return the stored opinion with a key in this project, if it has not expired."""
    opinions = Opinion.objects.filter(project=project, key=key, expires_at__gt=Now())
    return opinions.first()


@transaction.atomic
def keep(*, call: ModelCall, key: str, value: str) -> None:
    """Store the opinion of a call, replacing the one with the same key."""
    Opinion.objects.update_or_create(
        project_id=call.project_id,
        key=key,
        defaults={
            "value": value,
            "prompt_version": call.prompt_version,
            "expires_at": Now() + KEPT,
        },
    )
    ModelCall.objects.filter(pk=call.pk).update(opinion_key=key)


@transaction.atomic
def forget(*, project: Project, verification_ids: Iterable[UUID]) -> int:
    """Delete every opinion that these verifications created or used.

    So an overruled opinion is not used again, for this answer or for another one with
    the same content.

    Returns:
        How many were deleted.
    """
    keys = (
        ModelCall.objects.filter(
            project=project, verification_id__in=list(verification_ids)
        )
        .exclude(opinion_key="")
        .values("opinion_key")
    )
    return Opinion.objects.filter(project=project, key__in=keys).delete()[0]


OPINION_RETENTION = Retention(
    name="opinions", old=lambda now: Opinion.objects.filter(expires_at__lte=now)
)
