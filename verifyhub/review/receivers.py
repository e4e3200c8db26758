"""A finished verification may need a person."""

from typing import Any
from uuid import UUID

from django.db.models.signals import post_save
from django.dispatch import receiver

from verifyhub.accounts.models import Project, User
from verifyhub.learning.signals import decisions_withheld
from verifyhub.review import selectors
from verifyhub.review.decide.reason_codes import create_default_reasons
from verifyhub.review.gold.visibility import withheld_answers
from verifyhub.review.queue import items
from verifyhub.verification.models import Verification
from verifyhub.verification.signals import (
    people_quoted,
    verification_amended,
    verification_completed,
)


@receiver(verification_completed, dispatch_uid="review.open_item")
def open_item(*, verification: Verification, **_newer: Any) -> None:
    items.open_item(verification=verification)


@receiver(verification_amended, dispatch_uid="review.refresh_item")
def refresh_item(*, verification: Verification, **_newer: Any) -> None:
    items.refresh_item(verification=verification)


@receiver(people_quoted, dispatch_uid="review.quote_people")
def quote_people(*, verification: Verification, **_newer: Any) -> dict[str, Any]:
    return selectors.quoted(verification)


@receiver(decisions_withheld, dispatch_uid="review.withhold_decisions")
def withhold_decisions(
    *, project_id: UUID, user: User | None, **_newer: Any
) -> set[UUID]:
    return withheld_answers(project_id, user)


@receiver(post_save, sender=Project, dispatch_uid="review.create_reasons")
def create_reasons(
    *, instance: Project, created: bool, raw: bool = False, **_newer: Any
) -> None:
    if created and not raw:
        create_default_reasons(project=instance)
