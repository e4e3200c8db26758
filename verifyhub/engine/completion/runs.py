"""Settle claims about tests, linters, builds and other commands.

The last run decides. A run before the last edit does not show how things are now.
"""

import re
from collections.abc import Callable, Collection, Iterable

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.outcomes.model import Counts, Result
from verifyhub.engine.calls.outcomes.trouble import (
    broke_off,
    is_silent,
    speaks_of_trouble,
)
from verifyhub.engine.calls.programs import ProgramRole, RunKind, is_program, tools_of
from verifyhub.engine.calls.shell import SimpleCommand, split_command
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import OWN, TEST_NAME, WorkClaim
from verifyhub.engine.completion.languages.english_reports import MEASURED
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
from verifyhub.engine.completion.run_topics import run_topic
from verifyhub.engine.completion.shared_words import is_unspoken_of
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.runs import RunResult
from verifyhub.engine.reports import ClaimStatus, Grade
from verifyhub.engine.text.tokens import word_set

_REPORT_PASSED = re.compile(
    r"\b(?:all|\d+)(?: \w+){0,3} (?:tests? )?pass(?:ed|es|ing)?\b"
    r"|\btests? pass(?:ed)?\b"
    r"|\b0 fail|\bpass(?:ed|es|ing)?\b|\bsucceeded\b|✅|\bclean\b"
    r"|\b(?:no|0|zero|without)(?: any)? (?:\w+ )?"
    r"(?:errors?|issues?|warnings?|problems?)",
    re.IGNORECASE,
)
_REPORT_FAILED = re.compile(
    r"\b[1-9]\d* (?:\w+ )?(?:fail|errors?\b|issues?\b|warnings?\b|problems?\b)"
    r"|\btests? (?:still )?fail(?:s|ed)?\b"
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
    if _BY_HAND.search(claim.words):
        return _tried_by_hand(ledger)
    kinds = {run.outcome.kind for run in ledger.results}
    if kinds and kind not in kinds and _ANY_CHECKS.fullmatch(claim.words):
        return worst(_settle_of_kind(claim, other, ledger) for other in sorted(kinds))
    return _settle_of_kind(claim, kind, ledger)


def _settle_of_kind(claim: WorkClaim, kind: RunKind, ledger: Ledger) -> Ruling:
    runs = [run for run in ledger.results if run.outcome.kind is kind]
    if not runs and kind is RunKind.BUILD and "compil" in claim.words:
        runs = _compiling(ledger)
    manners = [pattern for manner, pattern in _MANNERS if manner.search(claim.words)]
    runs = [
        run
        for run in runs
        if all(pattern.search(_command_of(run, ledger)) for pattern in manners)
    ]
    runs = _within_scope(claim, runs, ledger)
    versions = _VERSIONS.search(claim.words)
    if versions and not all(
        _shows_version(version, runs, ledger) for version in versions[0].split()
    ):
        return unattempted()
    other_tools = {
        name for other in RunKind if other is not kind for name in tools_of(other)
    }
    tools = [
        tool for tool in _NAMED_TOOLS.findall(claim.words) if tool not in other_tools
    ]
    if tools and runs:
        runs = [run for run in runs if _names_tool(ledger, run, tools)]
    if not runs:
        return _reported(claim, kind, ledger)
    packages = [code for code in claim.names.codes if _PACKAGE.fullmatch(code)]
    if packages and not any(entry.names(packages) for entry in ledger.calls):
        return unattempted()
    ruling = _settle_runs(claim, runs, ledger)
    tests = [code for code in claim.names.codes if TEST_NAME.fullmatch(code)]
    if tests and ruling.status is ClaimStatus.CONTRADICTED:
        # Another test failed, as far as the output says.
        names = [name.rpartition("/")[2].partition("::")[0] for name in tests]
        if not ledger.calls[ruling.evidence[0]].names(names):
            return unchecked(*ruling.evidence)
    return ruling


# "All checks pass": whatever was checked.
_ANY_CHECKS = re.compile(
    r"(?!.*\b(?:tests?|specs?|suites?)\b).*\bchecks?\b.*", re.DOTALL
)
# "Manual checks passed": of no runner of tests, but of a script on a command line.
_BY_HAND = re.compile(r"\b(?:manual|ad[- ]hoc) (?:\w+ )?(?:checks?|tests?|runs?)\b")


def _tried_by_hand(ledger: Ledger) -> Ruling:
    scripts = [command.call for command in ledger.commands if command.part.runs_inline]
    if not scripts:
        return unchecked()
    last = ledger.calls[scripts[-1]]
    return contradicted(last.index) if last.went_wrong else supported(last.index)


_PACKAGE = re.compile(r"@?[a-z][a-zA-Z0-9/-]{1,60}")


# Runners that build what they test.
_COMPILED = re.compile(
    r"\b(?:go|cargo|dotnet|swift|mix|zig|gradle|maven|sbt|nextest|exunit)\b"
)


def _compiling(ledger: Ledger) -> list[RunResult]:
    """Return the runs that compile on their way: type checks, tests that passed."""
    return [
        run
        for run in ledger.results
        if run.outcome.kind is RunKind.TYPECHECK
        or (
            run.outcome.kind is RunKind.TESTS
            and run.outcome.result is Result.PASSED
            and _COMPILED.search(run.outcome.tool)
        )
    ]


# "Under Python 3.10, 3.11 and 3.12": each must show in a call.
_VERSIONS = re.compile(r"\b\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)+,? and \d+(?:\.\d+)*\b")


def _shows_version(word: str, runs: Collection[RunResult], ledger: Ledger) -> bool:
    """Whether a run's command or output holds a version: `3.11`, or `py311`."""
    number = word.strip(",")
    spellings = (number, number.replace(".", ""))
    calls = (ledger.calls[run.command_call].call for run in runs)
    texts = (text for call in calls for text in (str(call.input), call.output))
    return not number[:1].isdigit() or any(
        spelling in text for text in texts for spelling in spellings
    )


# "The auth tests pass": which tests, where commands distinguish them.
_SCOPE = re.compile(r"([a-z][\w-]{2,30})[ -](?:tests?|specs?|suite)\b")
# "The worker package's tests", and the package that a command names.
_OF_PACKAGE = re.compile(
    r"\b([a-z][\w-]{2,30}) (?:package|crate|workspace|module)(?:['’]s)? (?:\w+ )?"
    r"(?:tests?|specs?|suite)\b"
)
_ANY_PACKAGE = word_set("this that each every main same python npm node new own")
_NARROWED = re.compile(
    r"(?:--filter|--package|--workspace|-p|-w)[ =]\S{1,80}"
    r"|\b(?:packages|apps|crates)/[\w-]+"
)
_NO_SCOPE = word_set(
    "the all any full whole entire complete existing new added updated related relevant"
    " affected targeted focused local other remaining same these those our your its"
    " unit test passing green failing flaky more both two three four five"
)
# "The full suite passes", and what distinguishes a run of a few tests from it.
_WHOLE_SUITE = re.compile(
    r"\b(?:full|whole|entire|complete)(?: [\w-]+){0,2} (?:suite|tests?|run)\b"
)
_OF_FEW = re.compile(
    r"\b(?:tests?|specs?)/[\w-]+|(?:test|spec)[\w-]*\.(?:py|[cm]?[jt]sx?|rb|php|exs|go|java|kt|cs)\b|::"
    r"| (?:-k|-t|-run|(?<!pnpm )(?<!turbo )(?<!run )--filter|--tests|--grep"
    r"|--testNamePattern|-Dtest)[ =]"
    r"|\b(?:python3?|node|ruby|php|tsx) (?!-)(?:\S*/)?(?!run|manage|all)\w[\w-]*"
    r"\.(?:py|[cm]?[jt]s|rb|php)\b"
    # What stands behind a runner of tests and names some of them.
    r"|\b(?:npm|pnpm|yarn|bun)(?: run)? test(?::[\w-]+)?(?: --)? (?!-|\d>)[\w./]"
    r"|\bgo test (?:-\S+ )*\./(?!\.\.\.)\w|\bcargo test (?!-|\d>)[\w:]"
    r"|\bmanage\.py test (?!-|\d>)\w"
    # The word behind some options is their value.
    r"|\bpytest (?:-[ocWnp] \S+(?: |$)|-\S+ )*+(?!-|\d>|tests?/?(?:\W|$)|\.)\w"
)
# A run of one file of other tests is none of these.
_ALL = re.compile(r"\b(?:all|every|full|whole|entire|including)\b")
_LEVELS = frozenset({"integration", "e2e", "end-to-end", "acceptance"})
_UNIT = re.compile(r"\bunit[ -]tests?\b")
_OTHER_LEVELS = re.compile(r"e2e|cypress|playwright|integration|end.to.end")


def _within_scope(
    claim: WorkClaim, runs: list[RunResult], ledger: Ledger
) -> list[RunResult]:
    """Return the runs of what a claim names of the tests, if commands name it."""
    if _WHOLE_SUITE.search(claim.words):
        runs = [run for run in runs if not _OF_FEW.search(_command_of(run, ledger))]
    package = _OF_PACKAGE.search(claim.words)
    if package and runs and package[1] not in _NO_SCOPE | _ANY_PACKAGE:
        narrowed = [_NARROWED.findall(_command_of(run, ledger)) for run in runs]
        if all(narrowed) and not any(package[1] in str(names) for names in narrowed):
            return []
    scopes = [word for word in _SCOPE.findall(claim.words) if word not in _NO_SCOPE]
    scopes += [code.lower() for code in claim.names.codes if "/" in code or "." in code]
    started = [(run, ledger.calls[run.command_call]) for run in runs]
    for word in scopes:
        matching = [run for run, entry in started if word in entry.given]
        if matching:
            return _of_count(claim, matching, ledger)
    if _LEVELS.intersection(scopes) and not _ALL.search(claim.words):
        started = [pair for pair in started if not _NARROW.search(pair[1].given)]
        runs = [run for run, _ in started]
    if _UNIT.search(claim.words):
        unit_runs = [
            run for run, entry in started if not _OTHER_LEVELS.search(entry.given)
        ]
        runs = unit_runs or runs
    return _of_count(claim, runs, ledger)


def _of_count(
    claim: WorkClaim, runs: list[RunResult], ledger: Ledger
) -> list[RunResult]:
    """Return the runs of the command that printed the number that a claim counts.

    "All 133 unit tests pass" is not of the twelve contract tests that ran later.
    """
    claimed = _claimed_counts(claim)
    counted = [
        run
        for run in runs
        if run.outcome.counts and run.outcome.counts.numbers().intersection(claimed)
    ]
    if not counted or _SUM_PASSED.search(claim.words):
        return runs
    last = _command_of(counted[-1], ledger)
    return [run for run in runs if _command_of(run, ledger) == last]


def _command_of(run: RunResult, ledger: Ledger) -> str:
    return str(ledger.calls[run.command_call].call.input)


def _names_tool(ledger: Ledger, run: RunResult, tools: list[str]) -> bool:
    call = ledger.calls[run.command_call].call
    haystack = f"{run.outcome.tool} {call.input} {call.output[:4000]}".lower()
    return any(tool in haystack for tool in tools)


def _settle_runs(claim: WorkClaim, runs: list[RunResult], ledger: Ledger) -> Ruling:
    runs = _of_its_time(claim, runs, ledger)
    if not runs:
        return unattempted()
    visible = [run for run in runs if run.outcome.result is not Result.UNSEEN]
    if visible and not claim.went_well:
        call = visible[-1].call
        return (contradicted if _wrong_count(claim, visible) else supported)(call)
    if not visible or runs[-1].outcome.result is Result.UNSEEN:
        return unattempted(runs[-1].call)
    index, outcome = visible[-1].call, visible[-1].outcome
    if outcome.result is Result.UNCLEAR:
        failed = _failed_before(visible, ledger)
        return contradicted(failed, index) if failed is not None else unchecked(index)
    if outcome.result is Result.FAILED and _passed_partly(claim, outcome.counts):
        return supported(index)
    if outcome.result is not Result.PASSED:
        earlier = _passed_alone(claim, visible, ledger)
        return contradicted(index) if earlier is None else unchecked(earlier, index)
    if _wrong_count(claim, visible):
        return contradicted(index)
    if _NO_WARNING.search(claim.words) and _WARNED.search(ledger.calls[index].tail):
        return contradicted(index)
    # What writes the layout itself has nothing to say of what is written later.
    needs_current = claim.current and not (
        outcome.kind is RunKind.FORMAT
        and any(
            command.rewrites
            for command in ledger.calls[visible[-1].command_call].commands
        )
    )
    if _fewer_times(claim, visible, ledger):
        return unattempted(index)
    stale = later_edit(visible[-1], ledger) if needs_current else None
    return unattempted(stale, index) if stale is not None else supported(index)


# "19 of them passed": no word of the others.
_PARTLY = re.compile(
    r"\b(\d{1,7}) of (?:the(?:m|se)|those|the \d{1,7})\b[^.;,]{0,30}? pass"
)


def _passed_partly(claim: WorkClaim, counts: Counts | None) -> bool:
    """Whether a claim is only of so many tests as passed in a run that failed."""
    partly = _PARTLY.search(claim.words)
    if partly is None or counts is None:
        return False
    passed = counts.passed
    if passed is None and counts.total is not None:
        passed = counts.total - (counts.failed or 0) - (counts.skipped or 0)
    return passed == int(partly[1])


# "Passed on the first attempt": what counts is the first run.
_AT_FIRST = re.compile(
    r"\b(?:pass\w*|green|clean|succe\w+|through|worked|built|compiled|failures?)\b"
    r"[^.;,]{0,40}?\b(?:(?:on|at|with) (?:the |its )?(?:very )?first (?:attempt|try|run"
    r"|go)|(?<!for )the first time|from the (?:very )?(?:start|beginning|outset))\b"
)
# "It was already clean before I started": a run before the first change.
_BEFORE_WORK = re.compile(
    r"\b(?:before (?:i|we) (?:started|began|changed|touched|edited|made)"
    r"|before (?:my|these|the|any) (?:changes?|edits?|work|fix)\W*$)"
)


_BRACKETS = re.compile(r"\([^()]{1,200}\)")


def _of_its_time(
    claim: WorkClaim, runs: list[RunResult], ledger: Ledger
) -> list[RunResult]:
    """Return the runs that a claim is about, by when it says that they were."""
    if _AT_FIRST.search(claim.words):
        seen = [run for run in runs if run.outcome.result is not Result.UNSEEN]
        failed_first = seen and seen[0].outcome.result is Result.FAILED
        return seen[:1] if failed_first else runs
    words = _BRACKETS.sub("", claim.words)
    if ledger.done_changes and _BEFORE_WORK.search(words):
        begin = ledger.done_changes[0].call
        return [run for run in runs if run.command_call < begin]
    return runs


def _failed_before(runs: list[RunResult], ledger: Ledger) -> int | None:
    """Return the failed run of which the last, unclear one only shows another part.

    Nothing was changed in between, and the commands begin alike.
    """
    if len(runs) < 2 or runs[-2].outcome.result is not Result.FAILED:
        return None
    failed, unclear = (ledger.calls[run.command_call] for run in runs[-2:])
    parts = [
        (part.program, part.verb)
        for entry in (failed, unclear)
        for part in entry.commands[:1]
    ]
    changed = any(
        failed.index < change.call <= unclear.index for change in ledger.changes
    )
    alike = len(parts) == 2 and parts[0] == parts[1]
    return failed.index if alike and not changed else None


# "I ran it three times": as often as that, unless one command repeats it.
_TIMES = re.compile(r"\b(twice|(?:two|three|four|five|ten|\d{1,3}) times)\b")
_HOW_OFTEN = {"twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_REPEATS = re.compile(
    r"\bfor\b|\bwhile\b|\bseq\b|repeat|count|--runs|-n\b|times|flake|stress|xargs"
)


def _fewer_times(claim: WorkClaim, runs: list[RunResult], ledger: Ledger) -> bool:
    """Whether a claim says how often something ran, and it ran less often."""
    times = _TIMES.search(claim.words)
    calls = [ledger.calls[run.command_call] for run in runs]
    if times is None or any(_REPEATS.search(entry.command or "") for entry in calls):
        return False
    often = times[1].split()[0]
    least = _HOW_OFTEN.get(often) or int(often)
    return len({entry.index for entry in calls}) < least


# "The new test passes": not the whole suite, which may fail elsewhere.
_NEW_TESTS = re.compile(
    r"\b(?:new|added|regression|own|these|targeted|focused|relevant|related|affected)"
    r"(?: \w+)? tests?\b|(?<!all )\btest (?:is |was |has been )?(?:now )?(?:added|pass)"
)


def _passed_alone(
    claim: WorkClaim, runs: list[RunResult], ledger: Ledger
) -> int | None:
    """Return a run of some tests alone that passed, where a claim is of some alone."""
    if not _NEW_TESTS.search(claim.words):
        return None
    for run in reversed(runs[:-1]):
        passed = run.outcome.result is Result.PASSED
        if passed and _NARROW.search(_command_of(run, ledger)):
            return run.call
    return None


_NARROW = re.compile(
    r"[\w-]+/[\w./-]*(?:test|spec)|(?:test|spec)[\w-]*\.\w|::| -(?:[kt]|run) "
)
_NO_WARNING = re.compile(r"\b(?:no|0|zero|without(?: any| an?)?)(?: \w+)? warnings?\b")
_WARNED = re.compile(
    r"^warning(?:\[|: )|\bwarning: |\b[1-9]\d* warnings?\b|: warning [A-Z]{1,4}\d",
    re.MULTILINE,
)


def _wrong_count(claim: WorkClaim, runs: list[RunResult]) -> bool:
    """Return whether the claim counts tests and no run printed that number."""
    if runs[-1].outcome.kind is not RunKind.TESTS:
        return False
    claimed = _claimed_counts(claim)
    counts = [run.outcome.counts for run in runs if run.outcome.counts is not None]
    last = runs[-1].outcome.counts
    if (
        not claimed
        or last is None
        or last.listed
        or max(last.numbers(), default=0) <= 0
    ):
        return False
    printed_numbers = frozenset().union(*(count.numbers() for count in counts))
    if summed := _SUM_PASSED.search(claim.words):
        terms = [int(term) for term in summed[1].split("+")]
        return not (sum(terms) in printed_numbers or printed_numbers.issuperset(terms))
    passed = last.passed if last.skipped else None
    words = claim.words.replace("*", "")
    if passed and (all_passed := _ALL_PASSED.search(words)):
        # "All 19 tests pass" of 17 that did and two that were skipped.
        return int(all_passed[1] or all_passed[2]) > passed
    return not any(number in printed_numbers for number in claimed)


_ALL_PASSED = re.compile(
    r"\ball (?:of the )?(\d{1,7}) (?:\w+ ){0,2}?(?:tests?|specs?)"
    r" (?:\w+ )?pass(?!.*skip)"
    r"|(?<![\d/])(\d{1,7})/\2 (?:\w+ ){0,2}?pass(?!.*skip)"
)
_COUNTED = re.compile(
    r"(?<![\w.#/-])(\d{1,7})(?:/\d{1,7})?"
    r"(?: (?!(?:suites?|files?|packages?|modules?|projects?)\b)\w+){0,2}?"
    r" (?:tests?|pass\w*|specs?|examples|pruebas|тест\w*|bestanden)"
    r"|\b(?:pass\w*|проход\w+|tests?|pruebas?)\W{1,4}(\d{1,7})\b"
    r"|\b(?:tests?|suite)[^.;\d]{0,40}(?:passent|durch|pasan|pass)[^.;\d]{0,6}\((\d+)"
)


# "12 + 47 passed": each of them, or what they come to.
_SUM_PASSED = re.compile(
    r"(?<![\w.])(\d{1,6}(?: ?\+ ?\d{1,6}){1,5}) (?:\w+ ){0,2}?pass"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


def _claimed_counts(claim: WorkClaim) -> list[int]:
    text = _THOUSANDS.sub("", claim.words.replace("*", ""))
    return [
        int(number) for match in _COUNTED.findall(text) for number in match if number
    ]


def _reported(claim: WorkClaim, kind: RunKind, ledger: Ledger) -> Ruling:
    """Follow another agent's report where nothing else speaks: grade D."""
    for report in reversed(ledger.reports):
        output = report.call.output
        if not _REPORT_WORDS[kind].search(output):
            continue
        parts = _REPORT_PART.split(output)
        about = "\n".join(part for part in parts if _REPORT_WORDS[kind].search(part))
        if _REPORT_FAILED.search(about):
            return contradicted(report.index, grade=Grade.D)
        if _REPORT_PASSED.search(about) or _REPORT_PASSED.search(output):
            return supported(report.index, grade=Grade.D)
    if OWN.search(claim.words):
        return unattempted()
    elsewhere = _passed_elsewhere(_REPORT_WORDS[kind], ledger)
    if elsewhere is not None:
        return unchecked(elsewhere)
    # The parts of a report that the trace left out may say it.
    names = [*claim.names.files, *claim.names.idents, *claim.introduced]
    cut = [
        entry.index
        for entry in ledger.cut_accounts
        if entry.is_report or any(name in entry.call.output for name in names)
    ]
    return unchecked(cut[-1]) if cut else unattempted()


def _passed_elsewhere(about: re.Pattern[str], ledger: Ledger) -> int | None:
    """Return the call in whose output an unknown program reports a pass.

    It may be the terminal of another agent, or a service that ran it.
    """
    for entry in reversed(ledger.calls):
        if entry.shows_stored or not _is_unknown(entry):
            continue
        lines = entry.tail.splitlines()
        if any(about.search(line) and _REPORT_PASSED.search(line) for line in lines):
            return entry.index
    return None


def _is_unknown(entry: Call) -> bool:
    """Whether a call ran a program of no known kind, or a tool of none."""
    if not entry.commands:
        return entry.kind is ToolKind.OTHER
    return any(
        command.role is ProgramRole.NONE and not (command.kinds or command.looks)
        for command in entry.commands
    )


# A sentence or a line of a report.
_REPORT_PART = re.compile(r"\n|[.;] ")


def settle_commands(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a claim that the commands it names were run, and ended well."""
    return worst(
        _by_echo(claim, code, ledger, _settle_command(claim, code, ledger))
        for code in claim.names.commands
    )


def _by_echo(claim: WorkClaim, code: str, ledger: Ledger, ruling: Ruling) -> Ruling:
    """Settle a command that npm or make printed as it ran: "> tsc --noEmit"."""
    if ruling.status is not ClaimStatus.UNATTEMPTED:
        return ruling
    kinds = {kind for command in split_command(code)[:1] for kind in command.kinds}
    line = re.compile(rf"^[>$+] {re.escape(code.strip())}\s*$", re.MULTILINE)
    for entry in reversed(ledger.calls):
        if code in entry.call.output and line.search(entry.call.output):
            runs = [
                run
                for run in ledger.results
                if run.call == entry.index and run.outcome.kind in kinds
            ]
            return _settle_runs(claim, runs, ledger) if runs else unchecked(entry.index)
    return ruling


def uses_program(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether this run used the programs of the commands that a claim names.

    Version control is used by every run, and shows nothing.
    """
    used = {
        command.part.program
        for command in ledger.commands
        if ProgramRole.VERSIONS not in command.part.role
    }
    commands = (split_command(code) for code in claim.names.commands)
    return all(parts and parts[0].program in used for parts in commands)


def _settle_command(claim: WorkClaim, code: str, ledger: Ledger) -> Ruling:
    claimed = split_command(code)
    if not claimed:
        return unchecked()
    if len(claimed) > 1 and all(command.joined == "&&" for command in claimed[:-1]):
        # A chain that ran as several calls went well if each of its commands did.
        calls_of_each = [
            _calls_of((command,), ledger, exactly=True) for command in claimed
        ]
        if all(calls_of_each) and not set.intersection(*map(set, calls_of_each)):
            return worst(
                _settle_parts(claim, (command,), ledger) for command in claimed
            )
    ruling = _settle_parts(claim, claimed, ledger)
    if ruling.status is ClaimStatus.UNATTEMPTED and not ruling.evidence:
        about = re.compile(re.escape(code))
        index = None if OWN.search(claim.words) else _passed_elsewhere(about, ledger)
        return ruling if index is None else unchecked(index)
    return ruling


def _settle_parts(
    claim: WorkClaim, claimed: tuple[SimpleCommand, ...], ledger: Ledger
) -> Ruling:
    calls = _calls_of(claimed, ledger, exactly=True)
    calls = calls or _calls_of(claimed, ledger, exactly=False)
    if not calls:
        return _similar(claim, claimed[0], ledger)
    index = calls[-1]
    kinds = claimed[0].kinds
    runs = _runs_of(calls, kinds, ledger)
    if runs:
        return _settle_runs(claim, runs, ledger)
    entry = ledger.calls[ledger.last_polls.get(index, index)]
    if entry.is_background:
        return unattempted(index)
    if not claim.went_well:
        return supported(index)
    answered = _by_status_code(claim, entry)
    return answered or _by_end(
        entry, lambda part: _is_any(claimed, part, exactly=False)
    )


def _runs_of(
    calls: Collection[int], kinds: Collection[RunKind], ledger: Ledger
) -> list[RunResult]:
    return [
        run
        for run in ledger.results
        if run.command_call in calls and run.outcome.kind in kinds
    ]


def _is_any(
    claimed: Iterable[SimpleCommand], ran: SimpleCommand, *, exactly: bool
) -> bool:
    return any(_is_command(expected, ran, exactly=exactly) for expected in claimed)


def _by_end(entry: Call, is_meant: Callable[[SimpleCommand], object]) -> Ruling:
    """Settle that a command went well whose output has no known format.

    Its exit status says so, if it is not that of another command behind it; else its
    silence, or what it says of trouble.
    """
    if entry.failed:
        return contradicted(entry.index)
    at = [position for position, part in enumerate(entry.commands) if is_meant(part)]
    last = at[-1] if at else 0
    hidden = any(part.joined in {"|", "||", ";"} for part in entry.commands[last:-1])
    if entry.passed and not hidden:
        return supported(entry.index)
    if is_silent(entry.printed):
        return supported(entry.index)
    if broke_off(entry.printed, RunKind.LINT) or broke_off(entry.printed, None):
        return contradicted(entry.index)
    if speaks_of_trouble(entry.printed) or hidden:
        return unchecked(entry.index)
    return supported(entry.index)


def _calls_of(
    claimed: tuple[SimpleCommand, ...], ledger: Ledger, *, exactly: bool
) -> list[int]:
    return [
        command.call
        for command in ledger.commands
        if _is_any(claimed, command.part, exactly=exactly)
    ]


def _is_command(claimed: SimpleCommand, ran: SimpleCommand, *, exactly: bool) -> bool:
    """Return whether every word of `claimed` stands in `ran`, in order.

    Exactly: and no other word does, but for settings and redirections.
    """
    if exactly:
        return _named(claimed.bare_words) == _named(ran.own_words)
    return _in_order(claimed.bare_words, ran)


def _named(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command with its program's name alone: `vendor/bin/phpunit`."""
    return (words[0].rsplit("/", 1)[-1], *words[1:]) if words else words


def _in_order(words_claimed: tuple[str, ...], ran: SimpleCommand) -> bool:
    words = iter(_named(ran.bare_words))
    return all(word in words for word in _named(words_claimed))


def _similar(claim: WorkClaim, claimed: SimpleCommand, ledger: Ledger) -> Ruling:
    """Look for the same program and verb with other arguments, or the same kind."""
    kinds = claimed.kinds
    head = tuple(word for word in claimed.bare_words if word[:1] != "-")[:2]
    near = {
        command.call for command in ledger.commands if _in_order(head, command.part)
    }
    # A task of the project ran it: `npm run check` prints the name of its tool.
    near |= {
        run.command_call
        for run in ledger.results
        if run.outcome.kind in kinds
        and run.outcome.tool == claimed.program
        and run.outcome.result is Result.PASSED
        and all(
            command.program != claimed.program
            for command in ledger.calls[run.command_call].commands
        )
    }
    near -= {call for call in near if _lacks(claimed, ledger.calls[call])}
    if _UNIT.search(claim.words):
        near -= {
            call for call in near if _OTHER_LEVELS.search(ledger.calls[call].given)
        }
    runs = _runs_of(near, kinds, ledger)
    if runs:
        return _settle_runs(claim, runs, ledger)
    return unchecked(max(near)) if near and not kinds else unattempted()


# Options without which a run is another one.
_TELLING = word_set(
    "-race --coverage --cov --all-features --workspace --release --e2e --cached"
)
_SAME_OPTION = {"--staged": "--cached"}


def _lacks(claimed: SimpleCommand, entry: Call) -> bool:
    """Whether a call ran without an option of a command that makes it another run."""
    given = (entry.command or "").split()
    arguments = [_SAME_OPTION.get(word, word) for word in given]
    words = [_SAME_OPTION.get(word, word) for word in claimed.words]
    return any(word in _TELLING and word not in arguments for word in words)


# Under what a run is stated to have been, and what a command or its output shows.
_MANNERS = (
    (re.compile(r"\brace (?:detector|condition)"), re.compile(r"-race\b|tsan|race")),
    (re.compile(r"\bvalgrind\b"), re.compile(r"valgrind")),
    (re.compile(r"\b(?:npm|yarn|pnpm|pip|bundle|cargo) audit\b"), re.compile("audit")),
    (
        re.compile(
            r"\b(?:address|memory|thread|leak|undefined\w*) ?sanitizer|\b[atmu]b?san\b"
        ),
        re.compile(r"sanit|[atmu]b?san\b", re.IGNORECASE),
    ),
)


_WORKFLOW = re.compile(r"\b(?:workflow|pipeline|ci)\b")


def settle_run(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle "I ran X" where X is no command line."""
    if claim.names.commands:
        return settle_commands(claim, ledger)
    measured = MEASURED.search(claim.words)
    if measured and not _RAN.search(claim.words):
        return _by_figures(measured.group(), ledger)
    if _WORKFLOW.search(claim.words):
        elsewhere = settle_pipeline(claim, ledger)
        if elsewhere is not None:
            return elsewhere
    topic = run_topic(claim.words)
    for code in claim.names.codes if topic is None else ():
        # A program that only this project knows is known by having been run.
        parts = split_command(code)
        if parts and " " in code.strip() and _calls_of(parts, ledger, exactly=False):
            return _settle_command(claim, code, ledger)
    if topic is None:
        return _by_last_answer(claim, ledger) or _by_tools(claim, ledger)
    return _by_topic(claim, topic, ledger)


_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def _by_figures(statement: str, ledger: Ledger) -> Ruling:
    """Settle what was measured: one of its figures stands in what a call shows."""
    figures = [figure for figure in _FIGURE.findall(statement) if len(figure) > 1]
    figures += [
        figure.replace(",", "") for figure in figures if _THOUSANDS.search(figure)
    ]
    for entry in reversed(ledger.calls):
        if any(_has_figure(figure, entry) for figure in figures):
            return unchecked(entry.index)
    return unattempted()


def _has_figure(figure: str, entry: Call) -> bool:
    """Whether a number stands in a call, with or without its unit: `212MB`."""
    pattern = re.compile(rf"(?<![\d.]){re.escape(figure)}(?!\d)")
    return any(figure in text and pattern.search(text) for text in entry.texts)


def _by_topic(claim: WorkClaim, topic: re.Pattern[str], ledger: Ledger) -> Ruling:
    """Settle a run of a known topic by the last call that runs such a thing."""
    calls = ledger.calls_running(topic)
    ran_script = _RAN.search(claim.words) and _SCRIPT.search(claim.words)
    if ran_script and not _SYNTAX.search(claim.words):
        calls = [index for index in calls if not _only_parses(ledger.calls[index])]
    share = _SHARE.search(claim.words)
    if share:
        showing = [entry.index for entry in ledger.calls if _shows(share[1], entry)]
        missing = contradicted(calls[-1]) if calls else unattempted()
        return supported(showing[-1]) if showing else missing
    if calls and claim.went_well and _IS_DOWN.search(ledger.calls[calls[-1]].printed):
        return contradicted(calls[-1])
    if calls:
        entry = ledger.calls[ledger.last_polls.get(calls[-1], calls[-1])]
        if not claim.went_well:
            return (contradicted if entry.failed else supported)(entry.index)
        answered = _by_status_code(claim, entry)
        return answered or _by_end(entry, lambda part: topic.search(part.text.lower()))
    reported = [
        report for report in ledger.reports if topic.search(report.call.output.lower())
    ]
    return supported(reported[-1].index, grade=Grade.D) if reported else unattempted()


_SCRIPT = re.compile(r"\bscripts?\b")
_SYNTAX = re.compile(r"\bsyntax|\bpars(?:e[sd]?|ing)\b")
_PARSES = re.compile(
    r"(?:node|deno) (?:--check|check)\b|(?:ba|z|da)?sh -n\b|php -l\b|ruby -c\b"
    r"|python3? -m (?:py_compile|compileall)\b"
)


def _only_parses(entry: Call) -> bool:
    """Whether a call only showed files, or had their syntax checked."""
    return all(part.looks or _PARSES.match(part.text) for part in entry.commands)


# "Coverage is 93 %": a number that a tool must have printed, rounded or not.
_SHARE = re.compile(r"\bcoverage\b[^;]{0,40}?\b(\d{1,3}(?:\.\d+)?) ?%")


def _shows(number: str, entry: Call) -> bool:
    """Whether a call printed a share, as it is or with more digits."""
    integer = int(float(number))
    spellings = (
        rf"{re.escape(number)}|{integer}\.\d{{1,4}}|{integer - 1}\.[5-9]\d{{0,3}}"
    )
    share = rf"(?<![\d.])(?:{spellings}) {{0,3}}[%|]"
    return re.search(share, entry.call.output) is not None


# What lists of containers say of one that does not run.
_IS_DOWN = re.compile(
    r"\bRestarting \(\d|\bExited \([1-9]|\(unhealthy\)"
    r"|\b(?:CrashLoop|ImagePull)BackOff\b"
)


# "I ran it several times without a failure": what ran last.
_RAN_AGAIN = re.compile(r"\b(?:re-?)?(?:ran|run) (?:it|them|this|that)\b")


def _by_last_answer(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Hold a status code against what the last request printed; None without both."""
    if not _CODE_CLAIMED.search(claim.words):
        return None
    requests = [
        command.call
        for command in ledger.commands
        if ProgramRole.FETCHES in command.part.role
    ]
    return _by_status_code(claim, ledger.calls[requests[-1]]) if requests else None


# "I regenerated the man pages", and no "All pure logic, fully tested".
_TOLD = re.compile(r"^\W*(?:also |then )?(?:ran|\w+ed)\b|" + OWN.pattern)


def _is_unmentioned(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether no word of a run stands in what a command was given or printed."""
    if not is_unspoken_of(claim, ledger):
        return False
    printing = {command.call for command in ledger.commands if not command.part.looks}
    words = _LONG_WORD.findall(claim.words)
    return not any(
        word[:6] in ledger.calls[call].tail.lower()
        for call in printing
        for word in words
    )


_LONG_WORD = re.compile(r"[a-z]{6,40}")


# What only handles files and versions runs nothing that a claim may speak of.
_HANDLES = (
    ProgramRole.DELETES
    | ProgramRole.MOVES
    | ProgramRole.COPIES
    | ProgramRole.LINKS
    | ProgramRole.TOUCHES
    | ProgramRole.PREPARES
    | ProgramRole.FILTERS
)
_STARTED = re.compile(r"\b(?:re)?(?:started|launched|generated|tried|opened)\b")
_READS_CODE = frozenset({RunKind.TYPECHECK, RunKind.LINT, RunKind.FORMAT})


def may_run(claim: WorkClaim, ledger: Ledger) -> bool:
    """Return whether a call may have run what a claim says: no look, and no git.

    Who only has code read has started nothing.
    """
    if ledger.results and not _STARTED.search(claim.words):
        return True
    return any(
        ledger.calls[deed.call].kind is ToolKind.OTHER
        if deed.command is None
        else not (
            deed.command.program == "git"
            or deed.command.role & _HANDLES
            or (
                _STARTED.search(claim.words)
                and deed.command.kinds
                and _READS_CODE.issuperset(deed.command.kinds)
            )
        )
        for deed in ledger.deeds
        if not deed.looks
    )


def _names_nothing_run(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether no call holds what a claim says was run, or the address it asked."""
    codes = claim.names.codes
    addresses = [code.partition("://")[2] for code in codes if "://" in code]
    objects_run = [code for code in codes if _OBJECT.fullmatch(code)]
    objects = objects_run if _RAN.search(claim.words) else []
    if _RAN_CODE.search(claim.words) or _RAN_FROM.search(claim.words):
        objects += codes
    groups = (names for names in (addresses, objects) if names)
    return any(
        not any(entry.names(names) for entry in ledger.calls) for names in groups
    )


_PROGRAM = re.compile(r"[a-z][\w-]{2,30}(?: [a-z][\w-]{1,20})?")
_CODE_FIRST = re.compile(r"\W*\ue000")


def _is_unknown_tool(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether a line gives the result of a tool that is in no call: "`kics`: clean"."""
    codes = claim.names.codes
    if not (claim.went_well and codes and _CODE_FIRST.match(claim.words)):
        return False
    tool = _PROGRAM.fullmatch(codes[0]) and codes[0].split()[0]
    return bool(tool) and not any(entry.names([tool or ""]) for entry in ledger.calls)


# Agents that were started in the background have not reported yet.
_OF_AGENTS = re.compile(r"\b(?:sub-?)?agents?\b|\bагент|\bagent(?:e|es|en)\b")


def _by_tools(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle a run of an unknown kind, by the programs that it names.

    "Profiled it with `perf`": where no call names `perf`, nobody ran it.
    """
    if not ledger.calls:
        return unattempted()
    by_way = _BY_TOOL.findall(claim.words)
    called = ledger.tool_names.intersection(claim.names.codes)
    if called and _RAN.search(claim.words):
        used = next(x for x in reversed(ledger.calls) if x.call.tool in called)
        return supported(used.index) if used.succeeded else unchecked()
    if _OF_AGENTS.search(claim.words) and ledger.agent_calls:
        return unchecked(ledger.agent_calls[-1].index)
    tools = [name for name in by_way if is_program(name)]
    tools += [code.lower() for code in claim.names.codes if is_program(code)]
    tools += _NAMED_TOOLS.findall(claim.words)
    label = _LABEL_TOOL.match(claim.words)
    tools += [label[1]] if label and is_program(label[1]) else []
    if tools and not any(entry.names(tools) for entry in ledger.calls):
        return unattempted()
    told = _TOLD.search(claim.words) or (
        _ANSWERED_WELL.search(claim.words) and not ledger.fetches
    )
    if told and not ledger.reports and not may_run(claim, ledger):
        return unattempted()
    if _names_nothing_run(claim, ledger) or _is_unknown_tool(claim, ledger):
        return unattempted()
    is_rerun = _RAN_AGAIN.search(claim.words)
    if not (claim.names.codes or is_rerun) and _is_unmentioned(claim, ledger):
        return unattempted()
    return unchecked()


# "I ran the same checks for `@acme/web`": a package or a folder, and no expression.
_OBJECT = re.compile(r"[@a-zA-Z][\w./@-]{1,80}")
# "Ran `VACUUM ANALYZE`": that itself.
_RAN_CODE = re.compile(r"\b(?:ran|executed) \W?\ue000")
# "I ran it from `~/work/site`": there.
_RAN_FROM = re.compile(
    r"\bran (?:it|this|them|the \w+) (?:from|in|inside|against|over|on) \W?\ue000"
)
_RAN = re.compile(r"\b(?:re-?)?(?:ran|run|executed)\b")
_LABEL_TOOL = re.compile(r"\W*([a-z][\w-]{1,30})\W{0,3}[:—–]\s")
_BY_TOOL = re.compile(
    r"\b(?:with|using|via|under|through) (?:the )?([a-z][\w-]{1,30})\b"
)


# "answers with 200", and what `curl -w "%{http_code}"` and clients print of it.
_CODE_CLAIMED = re.compile(
    r"\b(?:http|status|with|returns?|returned|answers?|answered|responds?|responded)\b"
    r"[^.;\d]{0,20}([1-5]\d\d)\b|→\W*([1-5]\d\d)\b"
)
_ANSWERED_WELL = re.compile(
    r"\b(?:starts|started|boots|booted|is up|comes up|came up)\b[^.;]{0,60}?"
    r" (?:returns?|returned|answers?|answered|responds?)(?: with)? 2\d\d\b"
)
_CODE_PRINTED = re.compile(
    r"(?:HTTP/[\d.]{1,3} |http[_ ]?(?:code|status)\W{1,3}|status(?:[_ ]code)?\W{1,3}|^)"
    r"([0-5]\d\d)\b",
    re.IGNORECASE | re.MULTILINE,
)


def _by_status_code(claim: WorkClaim, entry: Call) -> Ruling | None:
    """Hold the status that a claim says a server answered with against the one seen."""
    claimed = _CODE_CLAIMED.search(claim.words)
    codes = set(_CODE_PRINTED.findall(entry.tail)) if claimed else set()
    if claimed is None or not codes:
        return None
    code = claimed[1] or claimed[2]
    return supported(entry.index) if code in codes else contradicted(entry.index)
