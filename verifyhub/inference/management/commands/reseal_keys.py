"""Seal what is kept secret again, under the present VERIFYHUB_SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from verifyhub.events.services import reseal_webhooks
from verifyhub.inference.services import reseal_keys


class Command(BaseCommand):
    help = (
        "Seal the keys of model endpoints and the secrets of webhooks anew after"
        " VERIFYHUB_SECRET_KEY was changed; VERIFYHUB_OLD_SECRET_KEYS must hold the"
        " former one."
    )

    def handle(self, **_options: Any) -> None:
        """Seal every key again; name the endpoints whose key cannot be opened."""
        done, lost = reseal_keys()
        webhooks, lost_webhooks = reseal_webhooks()
        lost += lost_webhooks
        self.stdout.write(
            f"{done} keys and the secrets of {webhooks} webhooks are sealed under the"
            " present secret key."
        )
        if lost:
            names = ", ".join(lost)
            raise CommandError(f"No known secret opens the keys of: {names}")
