"""Check quality: false positives and negatives by check, reason and agent."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated

from verifyhub.accounts.models import Project
from verifyhub.common.contract import one_of
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import Key, RowCounts, Tally
from verifyhub.metrics.figures import Figure, share
from verifyhub.metrics.windows import Window

MAX_ROWS = 20
CHECKS = ("verdict", "names", "completion", "facts")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    """Results of one check that people reviewed."""

    check: Annotated[str, one_of(CHECKS)]
    """The whole verdict, names, claims of work done, or claims of fact."""
    reason: str
    """The reason of the result; empty for all reasons together. Of a verdict: why the
    answer was queued for review. An answer may have several reasons."""
    agent: str
    """The agent; empty for all agents together, and for an agent without a name."""
    overridden: Figure
    cleared: Figure
    overlooked: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """Outcomes of one check, over the newest verifications.

    `skipped` (the check did not run) and `inconclusive` (its model could not be called)
    are not part of the share that passed.
    """

    check: str
    passed: Figure
    failed: int
    inconclusive: int
    skipped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Override rates and false alarms by check, by reason and by agent."""

    by_check: list[CheckRow]
    by_reason: list[CheckRow]
    by_agent: list[CheckRow]
    outcomes: list[OutcomeCount]


def checks(project: Project, window: Window) -> Checks:
    """Count people's decisions on the results of checks."""
    once, parted = Tally(), Tally()
    for key, counts in read(project, window).total.rows("checks"):
        check, reason, _ = key
        # A verdict is counted once for each reason, and once without a reason.
        if check != "verdict" or not reason:
            once.add("checks", key, counts.numbers)
        if reason:
            parted.add("checks", key, counts.numbers)
    return Checks(
        by_check=[_row(key[0], "", "", row) for key, row in _most(once, 0)],
        by_reason=[_row(key[0], key[1], "", row) for key, row in _most(parted, 0, 1)],
        by_agent=[_row(key[0], "", key[1], row) for key, row in _most(once, 0, 2)],
        outcomes=check_outcomes(project, window),
    )


def check_outcomes(project: Project, window: Window) -> list[OutcomeCount]:
    """Count the outcomes of each check, by name."""
    by_check: dict[str, dict[str, int]] = defaultdict(dict)
    for (check, outcome), counts in read(project, window).total.rows("outcomes"):
        by_check[check][outcome] = counts["answers"]
    return [
        OutcomeCount(
            check=check,
            passed=share(
                "verified",
                ended.get("passed", 0),
                ended.get("passed", 0) + ended.get("failed", 0),
            ),
            failed=ended.get("failed", 0),
            inconclusive=ended.get("inconclusive", 0),
            skipped=ended.get("skipped", 0),
        )
        for check, ended in sorted(by_check.items())
    ]


def _most(tally: Tally, *places: int) -> list[tuple[Key, RowCounts]]:
    """Return the rows with the most decisions, in the order of the checks."""
    rows = sorted(
        tally.by("checks", *places).items(),
        key=lambda row: (-row[1]["decided"], row[0]),
    )[:MAX_ROWS]
    return sorted(rows, key=lambda row: CHECKS.index(row[0][0]))


def _row(check: str, reason: str, agent: str, counts: RowCounts) -> CheckRow:
    return CheckRow(
        check=check,
        reason=reason,
        agent=agent,
        overridden=share("overridden", counts["changed"], counts["decided"]),
        cleared=share("cleared", counts["cleared"], counts["flagged"]),
        overlooked=share("overlooked", counts["missed"], counts["passed"]),
    )
