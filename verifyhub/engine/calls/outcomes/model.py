"""The frozen values that say how a run of tests, a linter or a build ended."""

from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.types import Span


class Result(StrEnum):
    """How it ended, as far as output and exit status say.

    `ALL_SKIPPED`: tests were found and none of them ran. `NONE_RUN`: there were none.
    `UNSEEN`: started, but neither output nor exit status came back. `UNCLEAR`: there
    is output, it says nothing known, and the exit status is hidden.
    """

    PASSED = "passed"
    FAILED = "failed"
    ALL_SKIPPED = "all_skipped"
    NONE_RUN = "none_run"
    UNSEEN = "unseen"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Numbers a tool printed; None where it printed none.

    `listed`: counted from one line per test, of which some may be missing.
    """

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None
    listed: bool = False

    def numbers(self) -> frozenset[int]:
        """Return every number that an answer may rightly repeat."""
        known = {
            number
            for number in (self.passed, self.total, self.failed, self.skipped)
            if number is not None
        }
        if self.passed is not None:
            known.add(self.passed + (self.failed or 0) + (self.skipped or 0))
        if self.total is not None:
            known.add(self.total - (self.failed or 0) - (self.skipped or 0))
        return frozenset(known)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOutcome:
    """One result inside one output.

    `span` is the printed line that says it, in code points of the output, half-open;
    None where only the exit status or silence says it. `tool` names the family whose
    wording it is ("pytest", "go test"), or "" where the wording is no tool's own.
    """

    kind: RunKind
    result: Result
    tool: str = ""
    counts: Counts | None = None
    span: Span | None = None
