"""Rank the items that are older than the queue's order."""

from typing import Any

from django.core.management.base import BaseCommand

from verifyhub.review.queue import place_old_items


class Command(BaseCommand):
    """Rank old items; may be interrupted and repeated."""

    help = "Set the reasons, reach and rank of older items in the review queue."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Work in batches, and print how many items were ranked."""
        count, after = 0, None
        while placed := place_old_items(after=after):
            after = placed[-1]
            count += len(placed)
        self.stdout.write(f"{count} items updated.")
