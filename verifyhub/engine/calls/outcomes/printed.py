"""Find results in a tool's output, whatever the name of the tool."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from verifyhub.engine.calls.outcomes.model import Counts, ReadOutcome, Result
from verifyhub.engine.calls.outcomes.rules import (
    ANY_RULE,
    HINTS,
    LINE_LIMIT,
    RULES,
    Rule,
)
from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.calls.tasks import task_kinds
from verifyhub.engine.text.tokens import word_set

_COLOUR = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
# Prefixes of sibling processes, log collectors and runners of many projects before a
# tool's line: `packages/ui test: `, `@acme/ui:test: `.
_PREFIX = re.compile(
    r"[\s│|>]*(?:\[[\w:.-]{1,40}\] (?!ERROR task failed)"
    r"|[\w@./-]{1,60}[ :](?=[\w:-]{0,20}(?:test|lint|check|build|types|format|fmt))"
    r"[\w:-]{1,30}: {1,9})?"
)
_NUMBER_WORD = re.compile(
    r"(\d{1,9})%? (?:(?:tests?|specs?|scenarios?|checks?|cases|examples)"
    r" (?=pass|fail|run|completed|skip|succe))?([a-z]{2,12})"
)
_WORD_NUMBER = re.compile(r"([A-Za-z]{2,12})(?: run)?[:=]? {0,9}(\d{1,9})\b")

_PASSED_WORDS = word_set("passed pass passing passes ok succeeded success successes")
_FAILED_WORDS = word_set("failed fail failing failure failures error errors xpassed")
_SKIPPED_WORDS = word_set(
    "skipped skip skips pending ignored todo deselected disabled xfailed"
)
_TOTAL_WORDS = word_set(
    "tests test total examples example runs run ran executed completed of"
)


def printed_outcomes(output: str) -> tuple[ReadOutcome, ...]:
    """Return one outcome for each kind of run in `output`, in order of kind.

    A failure outweighs any number of passes, since an output is the record of one call.
    """
    outcomes: dict[RunKind, list[ReadOutcome]] = {}
    for outcome in _lines(output):
        outcomes.setdefault(outcome.kind, []).append(outcome)
    return tuple(_merge(outcomes[kind]) for kind in RunKind if kind in outcomes)


def _lines(output: str) -> Iterator[ReadOutcome]:
    start = 0
    for line in output.splitlines(keepends=True):
        end = start + len(line)
        if _may_tell(line[:LINE_LIMIT].lower()):
            yield from _read(line[:LINE_LIMIT], start, start + len(line.rstrip()))
        start = end


def _may_tell(line: str) -> bool:
    # A generator would cost more than the comparisons themselves.
    for hint in HINTS:  # noqa: SIM110
        if hint in line:
            return True
    return False


def _read(line: str, start: int, end: int) -> Iterator[ReadOutcome]:
    plain = _COLOUR.sub("", line).rstrip()
    for text in dict.fromkeys((plain.lstrip(), _PREFIX.sub("", plain, count=1))):
        if not ANY_RULE.match(text):
            continue
        for rule in RULES:
            match = rule.pattern.match(text)
            outcomes = match and tuple(_outcomes(rule, match, text, start, end))
            if outcomes:
                yield from outcomes
                return


def _outcomes(
    rule: Rule, match: re.Match[str], text: str, start: int, end: int
) -> Iterator[ReadOutcome]:
    if rule.kind is None:
        for kind in task_kinds(match["task"]):
            yield ReadOutcome(
                kind=kind, result=Result.FAILED, tool=rule.tool, span=(start, end)
            )
        return
    counts = None
    if rule.result is None:
        # Go prints a line for one test.
        counts = _SINGLE.get(text[:8]) or _counts(text)
    result = rule.result or _by_counts(counts)
    yield ReadOutcome(
        kind=rule.kind, result=result, tool=rule.tool, counts=counts, span=(start, end)
    )


_SINGLE = {
    "--- PASS": Counts(passed=1, listed=True),
    "--- FAIL": Counts(failed=1, listed=True),
    "--- SKIP": Counts(skipped=1, listed=True),
}


def _counts(text: str) -> Counts:
    """Read numbers with their words, in either order."""
    lowered = text.lower()
    pairs = [(word, int(number)) for number, word in _NUMBER_WORD.findall(lowered)]
    if not pairs or re.search(r"[a-z][:=] {0,9}\d|out of \d", lowered):
        pairs += [(word, int(number)) for word, number in _WORD_NUMBER.findall(lowered)]
    percent = "% tests passed" in lowered
    return Counts(
        passed=None if percent else _total_of(pairs, _PASSED_WORDS),
        failed=_total_of(pairs, _FAILED_WORDS),
        skipped=_total_of(pairs, _SKIPPED_WORDS),
        total=_total_of(pairs, _TOTAL_WORDS, largest=True),
    )


def _total_of(
    pairs: Iterable[tuple[str, int]], words: frozenset[str], *, largest: bool = False
) -> int | None:
    numbers = [number for word, number in pairs if word in words]
    if not numbers:
        return None
    return max(numbers) if largest else sum(numbers)


def _by_counts(counts: Counts | None) -> Result:
    if counts is None:
        return Result.UNCLEAR
    if counts.failed:
        return Result.FAILED
    passed = counts.passed
    if passed is None and counts.total is not None:
        passed = counts.total - (counts.skipped or 0)
    # "0 failures, 0 errors" alone is the end of a successful run.
    only_failures = counts.failed == 0 and passed is None and counts.skipped is None
    if passed or only_failures:
        return Result.PASSED
    return Result.ALL_SKIPPED if counts.skipped else Result.NONE_RUN


def _merge(outcomes: list[ReadOutcome]) -> ReadOutcome:
    """Merge one kind: a failure first, then tests that ran, then those that did not.

    Without a failure, a bare "PASS" beside counted skips means that all tests were
    skipped, as printed by go.
    """
    failed = [item for item in outcomes if item.result is Result.FAILED]
    counted = _sum(outcomes)
    deciding = failed[-1] if failed else _settle(outcomes, counted)
    return replace(deciding, counts=counted)


def _settle(outcomes: list[ReadOutcome], counted: Counts | None) -> ReadOutcome:
    if counted and counted.skipped and not _ran(counted):
        skipped = [item for item in outcomes if item.counts and item.counts.skipped]
        return replace(skipped[-1], result=Result.ALL_SKIPPED)
    passed = [item for item in outcomes if item.result is Result.PASSED]
    return passed[-1] if passed else outcomes[-1]


def _ran(counts: Counts) -> bool:
    skipped = counts.skipped or 0
    return bool(counts.passed or (counts.total and counts.total > skipped))


def _sum(outcomes: list[ReadOutcome]) -> Counts | None:
    """Add up counts over lines, since lines of one tool are about different tests.

    Totals of one run are printed once per package or file; a tool that prints parts on
    separate lines (mocha, bun, node) has each part once.
    """
    all_counts = [item.counts for item in outcomes if item.counts is not None]
    # A summary line counts the lines above it.
    totals = [counts for counts in all_counts if not counts.listed]
    all_counts = totals or all_counts
    if not all_counts:
        return None

    sums: dict[str, int] = {}
    for counts in all_counts:
        for name in ("passed", "failed", "skipped", "total"):
            if (number := getattr(counts, name)) is not None:
                sums[name] = sums.get(name, 0) + number
    return Counts(
        **sums,
        listed=all(counts.listed for counts in all_counts),
        parts=frozenset().union(*(counts.numbers() for counts in all_counts)),
    )
