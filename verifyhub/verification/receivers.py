"""What this package does when something arrives."""

from typing import Any

from django.dispatch import receiver

from verifyhub.ingest.models import Interaction
from verifyhub.ingest.signals import interaction_recorded
from verifyhub.verification import services


@receiver(interaction_recorded, dispatch_uid="verification.open")
def open_verification(*, interaction: Interaction, **_: Any) -> None:
    services.open_verification(interaction=interaction)
