"""What this package does when something arrives."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from verifyhub.inference.signals import caps_changed
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.signals import interactions_recorded, room_asked
from verifyhub.verification import services
from verifyhub.verification.models import Verification
from verifyhub.verification.signals import (
    verification_amended,
    verification_completed,
)


@receiver(interactions_recorded, dispatch_uid="verification.open")
def open_verifications(*, interactions: list[Interaction], **_: Any) -> None:
    services.open_verifications(interactions=interactions)


@receiver(room_asked, dispatch_uid="verification.backlog")
def check_room(*, project_id: UUID, count: int, **_: Any) -> None:
    services.check_room(project_id=project_id, count=count)


@receiver(verification_completed, dispatch_uid="verification.learn")
def learn_names(*, verification: Verification, **_: Any) -> None:
    services.ring_learning(verification=verification)


@receiver(verification_completed, dispatch_uid="verification.announce")
def announce_completed(*, verification: Verification, **_: Any) -> None:
    services.announce_completed(verification=verification)


@receiver(verification_amended, dispatch_uid="verification.announce_amended")
def announce_amended(*, verification: Verification, **_: Any) -> None:
    services.announce_amended(verification=verification)


@receiver(caps_changed, dispatch_uid="verification.wake_held_back")
def wake_held_back(*, project_id: UUID, **_: Any) -> None:
    services.wake_held_back(project_id=project_id)
