"""Figures about the three levels of checks, by the names of their source.

Source:
    KB Labs, ADR-0002 "Specialist Output Verification System", "Metrics Structure".
"""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.engine.levels.categories import Category
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import Tally
from verifyhub.metrics.selectors.answers import MAX_AGENTS
from verifyhub.metrics.windows import Window

LEVELS = {"1": STRUCTURE, "2": SCHEMA, "3": FILESYSTEM}


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelCounts:
    """One level: answers in which it passed, failed, was inconclusive or was skipped.

    `average_ms` is over answers in which it ran; None if it never did.
    """

    number: str
    passed: int = 0
    failed: int = 0
    inconclusive: int = 0
    skipped: int = 0
    average_ms: float | None = None

    @property
    def name(self) -> str:
        """The name of the check in reports."""
        return LEVELS[self.number]

    @property
    def total(self) -> int:
        """Answers in which the level was settled: passed or failed."""
        return self.passed + self.failed

    @property
    def passes(self) -> Share:
        return Share(count=self.passed, total=self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialistCounts:
    """One agent's answers whose levels were settled."""

    passed: int
    failed: int

    @property
    def total(self) -> int:
        return self.passed + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFigures:
    """Counts of levels that passed and failed.

    Attributes:
        total: Answers with a level that passed or failed, without an inconclusive one.
        passed: Those of them without a failed level.
        inconclusive: Answers with an inconclusive level and no failed one, not in
            `total`.
        by_level: Counts by the level's number.
        by_specialist: Counts by agent, those with most failures first.
    """

    total: int
    passed: int
    inconclusive: int
    by_level: dict[str, LevelCounts]
    by_specialist: dict[str, SpecialistCounts]
    errors: dict[str, int]

    @property
    def passes(self) -> Share:
        return Share(count=self.passed, total=self.total)


def levels(project: Project, window: Window) -> LevelFigures:
    """Count each level's outcomes over the newest verdicts of a window."""
    tally = read(project, window).total
    settled = tally.sum("specialists")
    specialists = [
        (name, SpecialistCounts(passed=counts["passed"], failed=counts["failed"]))
        for (name,), counts in tally.rows("specialists")
        if counts["passed"] or counts["failed"]
    ]
    specialists.sort(key=lambda row: (-row[1].failed, -row[1].passed, row[0]))
    errors = {name: counts["errors"] for (name,), counts in tally.rows("errors")}
    return LevelFigures(
        total=settled["passed"] + settled["failed"],
        passed=settled["passed"],
        inconclusive=settled["open"],
        by_level={
            number: _level(number, name, tally) for number, name in LEVELS.items()
        },
        # Only the listed names are limited.
        by_specialist=dict(specialists[:MAX_AGENTS]),
        errors={str(category): errors.get(category, 0) for category in Category},
    )


def _level(number: str, name: str, tally: Tally) -> LevelCounts:
    by_outcome = {
        outcome: counts
        for (check, outcome), counts in tally.rows("outcomes")
        if check == name
    }
    timed = sum(counts["timed"] for counts in by_outcome.values())
    spent = sum(counts["microseconds"] for counts in by_outcome.values())
    return LevelCounts(
        number=number,
        **{
            outcome: by_outcome[outcome]["answers"]
            for outcome in ("passed", "failed", "inconclusive", "skipped")
            if outcome in by_outcome
        },
        average_ms=spent / timed / 1000 if timed else None,
    )
