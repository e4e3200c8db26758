"""Encrypt all stored secrets again under the present VERIFYHUB_SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from verifyhub.common.sealing import RESEALS


class Command(BaseCommand):
    help = (
        "Re-encrypt the keys of model endpoints, webhook secrets, masked values and "
        "second factors after a change of VERIFYHUB_SECRET_KEY; "
        "VERIFYHUB_OLD_SECRET_KEYS must contain the previous key."
    )

    def handle(self, **_options: Any) -> None:
        """Seal all of it again; name what cannot be opened."""
        counts, unreadable = zip(*(step() for step in RESEALS), strict=True)
        keys, webhooks, values, factors = counts
        self.stdout.write(
            f"{keys} keys, the secrets of {webhooks} webhooks, the masked values of "
            f"{values} runs and the second factors of {factors} people are encrypted "
            "with the current secret key."
        )
        if names := ", ".join(name for group in unreadable for name in group):
            raise CommandError(f"No known secret key decrypts the values of: {names}")
