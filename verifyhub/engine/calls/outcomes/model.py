"""Frozen values for the results of tests, linters and builds."""

from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.types import Span


class Result(StrEnum):
    """The result, as far as output and exit status say.

    `ALL_SKIPPED`: tests were found and none of them ran. `NONE_RUN`: there were none.
    `UNSEEN`: started, but neither output nor exit status was returned. `UNCLEAR`: there
    is output without a known wording, and the exit status is hidden.
    """

    PASSED = "passed"
    FAILED = "failed"
    ALL_SKIPPED = "all_skipped"
    NONE_RUN = "none_run"
    UNSEEN = "unseen"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Numbers that a tool printed; None if it printed none.

    `listed`: counted from one line per test, of which some may be missing. `parts` are
    the numbers of the packages or files that were added up.
    """

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None
    listed: bool = False
    parts: frozenset[int] = frozenset()

    def numbers(self) -> frozenset[int]:
        """Return every number that an answer may repeat."""
        known = {
            number
            for number in (self.passed, self.total, self.failed, self.skipped)
            if number is not None
        }
        if self.passed is not None:
            known.add(self.passed + (self.failed or 0) + (self.skipped or 0))
        if self.total is not None:
            known.add(self.total - (self.failed or 0) - (self.skipped or 0))
        return self.parts.union(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOutcome:
    """One result inside one output.

    `span` is the line with the result, in code points of the output, half-open; None if
    only the exit status or silence shows it. `tool` is the family with this wording
    ("pytest", "go test"), or "" if the wording is no tool's own.
    """

    kind: RunKind
    result: Result
    tool: str = ""
    counts: Counts | None = None
    span: Span | None = None
