"""Learn from answers and decisions that are older than learning."""

from typing import Any

from django.core.management.base import BaseCommand

from verifyhub.review.decide import learn_from_old_decisions, record_old_answers


class Command(BaseCommand):
    """Take up what was decided before; may be broken off and begun again."""

    help = "Create labelled examples and calibration samples from earlier decisions."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Work in pieces, and say how much was done."""
        answers = decisions = 0
        after = None
        while piece := record_old_answers(after=after):
            after = piece[-1]
            answers += len(piece)
        while count := learn_from_old_decisions():
            decisions += count
        self.stdout.write(f"{answers} answers recorded, {decisions} decisions learned.")
