"""Settle claims that something was fixed: an edit, and no later run that fails.

"Fixed the redirect" says more than that a file was changed. Where the last tests, type
check, linter or build since then failed, and what they print speaks of the same thing,
it is not fixed.
"""

import re

from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.programs import ProgramRole, RunKind
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.edits import settle_edit
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.completion.names import PROSE_PATH
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import RunResult
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.text.tokens import word_set

_TROUBLE = re.compile(
    r"fail|error|expected|assert|panic|not equal|mismatch|received|actual|×|✗|✕|●"
    r"|\bgot\b|\bwant\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]{5,40}")
# Words of any fix and of any failure.
_GENERIC = word_set(
    """
    fixed fixes error errors failed fails failing failure tests issue issues problem
    problems wrong resolved addressed repaired corrected broken instead where which
    there their these those after before still never always should would could called
    function method value values check checks return returns expected actual assert
    """
)
# Words that a claim and a failure must share, if they share no name.
_SHARED_WORDS = 2
_LETTERS = 6


# "I reproduced it with a failing test": that it failed must be seen.
SAW_FAIL = re.compile(
    r"\breproduced\b[^.;]{0,60}?\b(?:failing|red) (?:\w+ )?tests?\b"
    r"|\b(?:i|we) (?:watched|saw|confirmed) (?:that )?"
    r"(?:it|they|them|the (?:new )?tests?) fail(?:s|ed|ing)?\b"
)


def settle_failure(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle that a test was seen to fail: before it passed, or at all."""
    tests = [run for run in ledger.results if run.outcome.kind is RunKind.TESTS]
    failed = [run.call for run in tests if run.outcome.result is Result.FAILED]
    if failed:
        return supported(failed[0])
    is_known = ledger.shows_all_deeds and not ledger.reports
    return unattempted() if is_known else unchecked()


def settle_fix(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "fixed X": by the edit, and by what ran after it."""
    ruling = settle_edit(claim, ClaimKind.FIX, ledger)
    if ruling.status is not ClaimStatus.SUPPORTED or not ruling.evidence:
        return ruling
    runs = _failing_since(max(ruling.evidence), ledger)
    for kind, told in _OF_CHECKS:
        of_kind = [run.call for run in runs if run.outcome.kind is kind]
        if of_kind and told.search(claim.words):
            return contradicted(of_kind[-1], *ruling.evidence)
    for call in (*(run.call for run in runs), *failing(ledger)):
        if _speaks_of(claim, call, ledger):
            return contradicted(call, *ruling.evidence)
    return ruling


_RUNS_CODE = ProgramRole.INTERPRETS | ProgramRole.RUNS_TASKS


def failing(ledger: Ledger, *, checks: bool = False) -> list[int]:
    """Return the calls of programs that failed after the last change of code.

    What ran once more, and succeeded, is left out. `checks`: tests and other checks as
    well, which are told apart by their kinds.
    """
    changed = _last_change(ledger)
    last: dict[tuple[str, str], int] = {}
    for command in ledger.commands:
        part = command.part
        own = part.role is ProgramRole.NONE or part.role & _RUNS_CODE
        if command.call > changed and own and not (part.kinds or part.looks):
            last[part.program, part.verb or ""] = command.call
    calls = {index for index in last.values() if ledger.calls[index].failed}
    if checks:
        calls.update(run.call for run in _failing_since(changed, ledger))
    return sorted(calls)


def _last_change(ledger: Ledger) -> int:
    return max(
        (
            change.call
            for change in ledger.done_changes
            if not (change.paths and all(map(PROSE_PATH.search, change.paths)))
        ),
        default=-1,
    )


def _failing_since(call: int, ledger: Ledger) -> list[RunResult]:
    """Return the last run of each kind since a call, of those that failed."""
    last: dict[RunKind, RunResult] = {}
    for run in ledger.results:
        known = run.outcome.result in {Result.PASSED, Result.FAILED}
        if run.command_call > call and known:
            last[run.outcome.kind] = run
    return [run for run in last.values() if run.outcome.result is Result.FAILED]


# "Resolved all lint warnings": then none may be left.
_OF_CHECKS = tuple(
    (kind, re.compile(rf"\b(?:all|the|both|every|remaining)(?: \w+)? {topic}\b"))
    for kind, topic in (
        (RunKind.LINT, r"lint(?:er|ing)? (?:errors?|warnings?|issues?|findings?)"),
        (RunKind.TYPECHECK, r"type(?:script)?[ -](?:check )?errors?"),
        (RunKind.BUILD, r"(?:build|compil\w+) (?:errors?|failures?)"),
        (RunKind.TESTS, r"(?:failing tests?|test failures?)"),
    )
)
# Troubles that have one name, wherever they are told.
_TROUBLES = re.compile(
    r"\b(?:leak|deadlock|livelock|overflow|underflow|segfault|use-after-free|data race"
    r"|timeout|recursion)"
)
_TOKEN = re.compile(r"[^\W_]{2,40}")
# "NaN", "IPv6": a word that is spelled so stands for itself.
_SPELLED = re.compile(r"\b[A-Z][A-Za-z]{0,8}[A-Z][A-Za-z\d]{0,8}\b")


def _speaks_of(claim: WorkClaim, call: int, ledger: Ledger) -> bool:
    """Whether the lines of a failure name what a claim names, or share its words."""
    lines = ledger.calls[call].tail.splitlines()
    trouble = "\n".join(line for line in lines if _TROUBLE.search(line)).lower()
    names = [*claim.names.idents, *map(base_name, claim.names.files)]
    told = {word.lower() for word in _SPELLED.findall(claim.text)}
    if told.intersection(_TOKEN.findall(trouble)):
        return True
    if any(word in trouble for word in _TROUBLES.findall(claim.words)):
        return True
    if any(len(name) > 3 and name.lower() in trouble for name in names):
        return True
    words = {
        word[:_LETTERS] for word in _WORD.findall(claim.words) if word not in _GENERIC
    }
    return sum(word in trouble for word in words) >= _SHARED_WORDS
