"""Figures about people's decisions, and where the checks were wrong."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.metrics.selectors.counting.reading import read
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviews:
    """How far people got with the queue, and how often they disagreed.

    Attributes:
        open: Items still waiting for a person.
        overridden: Decided items in which the person's verdict is not the
            machine's, of all decided items.
        found_wrong: Decided items that a person rejected: answers known to be wrong.
    """

    open: int
    overridden: Share
    found_wrong: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarmRow:
    """Names flagged for one reason in decided answers, and how many were right."""

    reason: str
    cleared: Share


def reviews(project: Project, window: Window) -> Reviews:
    """Count open and decided items of answers received in the window."""
    counts = read(project, window).total.sum("items")
    return Reviews(
        open=counts["open"],
        overridden=Share(count=counts["overridden"], total=counts["decided"]),
        found_wrong=Share(count=counts["wrong"], total=counts["decided"]),
    )


def false_alarms(project: Project, window: Window) -> list[FalseAlarmRow]:
    """Return, by reason, the share of flagged names that a person declared right.

    Only names in decided answers count: an unread answer says nothing about the check.
    """
    rows = [
        FalseAlarmRow(
            reason=reason,
            cleared=Share(count=counts["cleared"], total=counts["flagged"]),
        )
        for (check, reason), counts in read(project, window)
        .total.by("checks", 0, 1)
        .items()
        if check == "names" and counts["flagged"]
    ]
    return sorted(rows, key=lambda row: (-row.cleared.total, row.reason))
