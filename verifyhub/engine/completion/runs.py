"""Settle claims about tests, linters, builds and other commands.

The last run decides. A run before the last edit does not show how things are now.
"""

import re
from collections.abc import Collection

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.outcomes.trouble import (
    broke_off,
    is_silent,
    speaks_of_trouble,
)
from verifyhub.engine.calls.programs import RunKind, tools_of
from verifyhub.engine.calls.shell import SimpleCommand, split_command
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.later_edits import later_edit
from verifyhub.engine.completion.pipelines import settle_pipeline
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
    worst,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import RunResult
from verifyhub.engine.reports import Grade

_REPORT_PASSED = re.compile(
    r"\b(?:all|\d+)(?: \w+){0,3} (?:tests? )?pass(?:ed|es|ing)?\b"
    r"|\btests? pass(?:ed)?\b"
    r"|\b0 fail|\bpass(?:ed|es|ing)?\b|\bsucceeded\b|✅",
    re.IGNORECASE,
)
_REPORT_FAILED = re.compile(
    r"\b[1-9]\d* (?:tests? )?fail|\btests? (?:still )?fail(?:s|ed)?\b"
    r"|\bfailing tests?\b"
    r"|\bdid not pass\b|❌",
    re.IGNORECASE,
)
_REPORT_WORDS = {
    RunKind.TESTS: re.compile(r"\btests?\b", re.IGNORECASE),
    RunKind.LINT: re.compile(r"\blint", re.IGNORECASE),
    RunKind.BUILD: re.compile(r"\bbuild|\bcompil", re.IGNORECASE),
    RunKind.TYPECHECK: re.compile(r"\btype[- ]?check|\btsc\b|\bmypy\b", re.IGNORECASE),
    RunKind.FORMAT: re.compile(r"\bformat|\bfmt\b", re.IGNORECASE),
}
# A tool that a claim names must be the tool that ran.
_NAMED_TOOLS = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(
        re.escape(name)
        for kind in RunKind
        for name in tools_of(kind)
        if name != "pre-commit"
    )
    + r"|storybook|selenium|puppeteer)(?!\w)"
)


def settle_kind(claim: WorkClaim, kind: RunKind, ledger: Ledger) -> Ruling:
    """Settle a claim that runs of `kind` passed."""
    elsewhere = settle_pipeline(claim, ledger)
    if elsewhere is not None:
        return elsewhere
    runs = [run for run in ledger.results if run.outcome.kind is kind]
    manners = [shown for manner, shown in _MANNERS if manner.search(claim.words)]
    runs = [run for run in runs if _in_manner(manners, ledger, run)]
    others = {name for one in RunKind if one is not kind for name in tools_of(one)}
    tools = [one for one in _NAMED_TOOLS.findall(claim.words) if one not in others]
    if tools and runs:
        runs = [run for run in runs if _names_tool(ledger, run, tools)]
    if not runs:
        return _reported(claim, kind, ledger)
    return _settle_runs(claim, runs, ledger)


def _in_manner(manners: list[re.Pattern[str]], ledger: Ledger, run: RunResult) -> bool:
    given = ledger.calls[run.command_call].call.input
    return all(shown.search(str(given)) for shown in manners)


def _names_tool(ledger: Ledger, run: RunResult, tools: list[str]) -> bool:
    call = ledger.calls[run.command_call].call
    haystack = f"{run.outcome.tool} {call.input} {call.output[:4000]}".lower()
    return any(tool in haystack for tool in tools)


def _settle_runs(claim: WorkClaim, runs: list[RunResult], ledger: Ledger) -> Ruling:
    visible = [run for run in runs if run.outcome.result is not Result.UNSEEN]
    if visible and not claim.went_well:
        return supported(visible[-1].call)
    if not visible or runs[-1].outcome.result is Result.UNSEEN:
        return unattempted(runs[-1].call)
    index, outcome = visible[-1].call, visible[-1].outcome
    if outcome.result is Result.UNCLEAR:
        return unchecked(index)
    if outcome.result is not Result.PASSED:
        return contradicted(index)
    if _wrong_count(claim, visible):
        return contradicted(index)
    stale = later_edit(visible[-1], ledger) if claim.current else None
    return unattempted(stale, index) if stale is not None else supported(index)


def _wrong_count(claim: WorkClaim, runs: list[RunResult]) -> bool:
    """Return whether the claim counts tests and no run printed that number."""
    if runs[-1].outcome.kind is not RunKind.TESTS:
        return False
    claimed = _claimed_counts(claim)
    counts = [run.outcome.counts for run in runs if run.outcome.counts is not None]
    last = runs[-1].outcome.counts
    if not claimed or last is None or last.listed or not _whole(last.numbers()):
        return False
    printed = frozenset().union(*(count.numbers() for count in counts))
    return not any(number in printed for number in claimed)


def _whole(numbers: frozenset[int]) -> bool:
    return any(number > 0 for number in numbers)


_COUNTED = re.compile(
    r"(?<![\w.#/-])(\d{1,7})(?:/\d{1,7})?(?: \w+){0,2}?"
    r" (?:tests?|pass\w*|specs?|examples|pruebas|тест\w*|bestanden)"
    r"|\b(?:pass\w*|проход\w+|tests?|pruebas?)\W{1,4}(\d{1,7})\b"
    r"|\b(?:tests?|suite)[^.;\d]{0,40}(?:passent|durch|pasan|pass)[^.;\d]{0,6}\((\d+)"
)


def _claimed_counts(claim: WorkClaim) -> list[int]:
    text = claim.words
    return [
        int(number) for match in _COUNTED.findall(text) for number in match if number
    ]


def _reported(claim: WorkClaim, kind: RunKind, ledger: Ledger) -> Ruling:
    """Follow another agent's report where nothing else speaks: grade D."""
    for report in reversed(ledger.reports):
        output = report.call.output
        if not _REPORT_WORDS[kind].search(output):
            continue
        if _REPORT_FAILED.search(output):
            return contradicted(report.index, grade=Grade.D)
        if _REPORT_PASSED.search(output):
            return supported(report.index, grade=Grade.D)
    return unattempted()


def settle_commands(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a claim that the commands it names were run, and ended well."""
    return worst(_settle_command(claim, code, ledger) for code in claim.names.commands)


def _settle_command(claim: WorkClaim, code: str, ledger: Ledger) -> Ruling:
    wanted = split_command(code)
    if not wanted:
        return unchecked()
    calls = _calls_of(wanted, ledger, exactly=True)
    calls = calls or _calls_of(wanted, ledger, exactly=False)
    if not calls:
        return _similar(claim, wanted[0], ledger)
    index = calls[-1]
    kinds = wanted[0].kinds
    runs = _runs_of(calls, kinds, ledger)
    if runs:
        return _settle_runs(claim, runs, ledger)
    entry = ledger.calls[ledger.last_polls.get(index, index)]
    if entry.is_background:
        return unattempted(index)
    if not claim.went_well:
        return supported(index)
    return _by_end(entry, wanted)


def _runs_of(
    calls: Collection[int], kinds: Collection[RunKind], ledger: Ledger
) -> list[RunResult]:
    return [
        run
        for run in ledger.results
        if run.command_call in calls and run.outcome.kind in kinds
    ]


def _by_end(entry: Call, wanted: tuple[SimpleCommand, ...]) -> Ruling:
    """Settle that a command went well whose output nobody knows how to read.

    Its exit status says so, if it is not that of another command behind it; else its
    silence, or what it says of trouble.
    """
    if entry.failed:
        return contradicted(entry.index)
    at = [
        position
        for position, part in enumerate(entry.commands)
        if any(_is_command(one, part, exactly=False) for one in wanted)
    ]
    last = at[-1] if at else 0
    hidden = any(part.joined in {"|", "||", ";"} for part in entry.commands[last:-1])
    if entry.passed and not hidden:
        return supported(entry.index)
    if is_silent(entry.printed):
        return supported(entry.index)
    if broke_off(entry.printed, RunKind.LINT):
        return contradicted(entry.index)
    if speaks_of_trouble(entry.printed) or hidden:
        return unchecked(entry.index)
    return supported(entry.index)


def _calls_of(
    wanted: tuple[SimpleCommand, ...], ledger: Ledger, *, exactly: bool
) -> list[int]:
    return [
        command.call
        for command in ledger.commands
        if any(_is_command(one, command.part, exactly=exactly) for one in wanted)
    ]


def _is_command(wanted: SimpleCommand, ran: SimpleCommand, *, exactly: bool) -> bool:
    """Return whether every word of `wanted` stands in `ran`, in order.

    Exactly: and no other word does, but for settings and redirections.
    """
    if exactly:
        return wanted.bare_words == ran.own_words
    return _in_order(wanted.bare_words, ran)


def _in_order(wanted: tuple[str, ...], ran: SimpleCommand) -> bool:
    words = iter(ran.bare_words)
    return all(word in words for word in wanted)


def _similar(claim: WorkClaim, wanted: SimpleCommand, ledger: Ledger) -> Ruling:
    """Look for the same program and verb with other arguments, or the same kind."""
    kinds = wanted.kinds
    head = tuple(word for word in wanted.bare_words if word[:1] != "-")[:2]
    near = {
        command.call for command in ledger.commands if _in_order(head, command.part)
    }
    runs = _runs_of(near, kinds, ledger)
    if runs:
        return _settle_runs(claim, runs, ledger)
    return unchecked(max(near)) if near and not kinds else unattempted()


# What a run was said to be under, and what a command or its output shows of it.
_MANNERS = (
    (re.compile(r"\brace (?:detector|condition)"), re.compile(r"-race\b|tsan|race")),
    (re.compile(r"\bvalgrind\b"), re.compile(r"valgrind")),
)
# A run of something that has no kind is known by the word that names it.
_RUN_NOUN = re.compile(
    r"\b(bench|profil|migrat|script|codegen|generat|server|simulat|fuzz"
    r"|coverage|smoke|audit|scan|quer|import|export|backfill|seed|demo|deploy|rollout"
    r"|spell|link|dry.run|notebook|nbconvert|health|docs|plan|rollback|backup|restore"
    r"|sanity|leak|license|accessib|simulator|emulator|playbook|container|pods?\b)"
)


def settle_run(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "I ran X" where X is no command line."""
    if claim.names.commands:
        return settle_commands(claim, ledger)
    noun = _RUN_NOUN.search(claim.words)
    for code in claim.names.codes if noun is None else ():
        # A program that only this project knows is known by having been run.
        parts = split_command(code)
        if parts and " " in code.strip() and _calls_of(parts, ledger, exactly=False):
            return _settle_command(claim, code, ledger)
    if noun is None:
        return unchecked() if ledger.calls else unattempted()
    for command in reversed(ledger.commands):
        if noun[1] in command.part.text.lower():
            index = command.call
            wrong = ledger.calls[index].failed
            return contradicted(index) if wrong else supported(index)
    reported = [one for one in ledger.reports if noun[1] in one.call.output.lower()]
    return supported(reported[-1].index, grade=Grade.D) if reported else unattempted()
