"""Metrics of decisions, and of wrong checks."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """The progress of review, and how often people disagreed with verification.

    Attributes:
        open: Open items.
        overridden: Decided items in which the person's verdict differs, of all decided
            items.
        found_wrong: Decided items that a person rejected.
    """

    open: int
    overridden: Share
    found_wrong: Share


def reviews(project: Project, window: Window) -> Reviews:
    """Count open and decided items of answers received in the window."""
    counts = read(project, window).total.sum("items")
    return Reviews(
        open=counts["open"],
        overridden=Share(count=counts["overridden"], total=counts["decided"]),
        found_wrong=Share(count=counts["wrong"], total=counts["decided"]),
    )
