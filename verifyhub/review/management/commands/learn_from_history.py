"""Learn from answers and decisions that are older than learning."""

from typing import Any

from django.core.management.base import BaseCommand

from verifyhub.review.decide import learn_from_old_decisions, record_old_answers


class Command(BaseCommand):
    """Learn from earlier decisions; may be interrupted and repeated."""

    help = "Create labelled examples and calibration samples from earlier decisions."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Work in batches, and print the progress."""
        answers = decisions = 0
        after = None
        while piece := record_old_answers(after=after):
            after = piece[-1]
            answers += len(piece)
        while count := learn_from_old_decisions():
            decisions += count
        self.stdout.write(f"{answers} answers recorded, {decisions} decisions learned.")
