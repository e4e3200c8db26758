"""Metrics of attempts: first-pass rate, retries and failures (C6)."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.selectors.answers import ConfidenceBin, confidence_bins
from verifyhub.metrics.selectors.reviews import reviews
from verifyhub.metrics.windows import Window

MAX_PATTERNS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRow:
    """A warning's code, and the share of checked answers with it."""

    code: str
    answers: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Counts of attempts at tasks, and of reached goals.

    Attributes:
        first: Checked first attempts that were accepted, of all checked first ones.
        retries: Checked attempts that follow an earlier one at the same task.
        mean_retries: `retries` for each first attempt; None without any.
        goals: Goals judged as reached, of all decided ones.
        patterns: The most frequent failures.
        confidence: Checked answers by their confidence, in ten bins.
        without_confidence: Checked answers without a confidence.
        overrides: Decided verdicts that people changed, of all decided ones.
    """

    first: Share
    retries: int
    mean_retries: float | None
    goals: Share
    patterns: list[PatternRow]
    confidence: list[ConfidenceBin]
    without_confidence: int
    overrides: Share


def attempts(project: Project, window: Window) -> Attempts:
    """Count first attempts, retries and the most frequent failures."""
    tally = read(project, window).total
    counts = tally.sum("answers")
    first, retries = counts["first"], counts["retries"]
    reached, missed = counts["goals_reached"], counts["goals_missed"]
    bins, without = confidence_bins(project, window)
    patterns = [
        PatternRow(
            code=code, answers=Share(count=found["answers"], total=counts["checked"])
        )
        for (code,), found in tally.rows("warnings")
    ]
    patterns.sort(key=lambda row: (-row.answers.count, row.code))
    return Attempts(
        first=Share(count=counts["first_passed"], total=first),
        retries=retries,
        mean_retries=retries / first if first else None,
        goals=Share(count=reached, total=reached + missed),
        patterns=patterns[:MAX_PATTERNS],
        confidence=bins,
        without_confidence=without,
        overrides=reviews(project, window).overridden,
    )
