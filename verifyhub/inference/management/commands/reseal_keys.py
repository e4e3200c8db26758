"""Seal what is kept secret again, under the present VERIFYHUB_SECRET_KEY."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from verifyhub.common.sealing import RESEALS


class Command(BaseCommand):
    help = (
        "Seal the keys of model endpoints, the secrets of webhooks and masked values"
        " anew after VERIFYHUB_SECRET_KEY was changed; VERIFYHUB_OLD_SECRET_KEYS must"
        " hold the former one."
    )

    def handle(self, **_options: Any) -> None:
        """Seal all of it again; name what cannot be opened."""
        (keys, webhooks, values), lost = zip(*(step() for step in RESEALS), strict=True)
        self.stdout.write(
            f"{keys} keys, the secrets of {webhooks} webhooks and the masked values of"
            f" {values} runs are sealed under the present secret key."
        )
        if names := ", ".join(name for some in lost for name in some):
            raise CommandError(f"No known secret opens what is sealed for: {names}")
