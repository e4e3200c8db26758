"""Determine the results of a call: by its output, then its exit status, then silence.

The name of a tool decides no result (amd/gaia #3732 used it and accused honest runs);
of one without a command it tells what was run.
Only tools that show stored text are left out, since a README with "5 passed" ran
nothing.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from verifyhub.engine.calls.cuts import marks_of_cuts
from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.ends import CallOutcome, exit_outcome
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.outcomes.model import ReadOutcome, Result
from verifyhub.engine.calls.outcomes.printed import printed_outcomes
from verifyhub.engine.calls.outcomes.trouble import (
    broke_off,
    ended_late,
    is_cut,
    is_silent,
    speaks_of_success,
    speaks_of_trouble,
)
from verifyhub.engine.calls.programs import ProgramRole, RunKind
from verifyhub.engine.calls.shell import SimpleCommand, split_command
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind, shows_stored

# Commands that print stored text.
_STORED = frozenset(ToolKind) - {ToolKind.SHELL, ToolKind.OTHER, ToolKind.AGENT}
_LOG_PATH = re.compile(r"\.(?:log|out|output|txt)$|/tmp/|/tasks/", re.IGNORECASE)
# Roles of programs that print stored text.
_PRINTS_STORED = ProgramRole.LOOKS | ProgramRole.FILTERS | ProgramRole.VERSIONS
# `$ tsc --noEmit` (bun, yarn, mise), `> tsc --noEmit` (npm, pnpm).
_ECHO = re.compile(r"^(?:\[[\w:.-]{1,40}\] )?[$>] ([a-z][^\n]{2,200})$", re.MULTILINE)
_ECHO_LIMIT = 50
_TO_FILE = re.compile(r"(?<![0-9&])(?:1|&)?>{1,2}\s*(?!&)\S|&>")


def shows_stored_text(entry: CallFacts) -> bool:
    """Return whether a call shows stored text, instead of running something.

    A log is the record of a run and counts as one.
    """
    if entry.command:
        stored = "commit" not in entry.command and all(
            part.role & _PRINTS_STORED for part in entry.commands
        )
        # Of a command that the trace cuts, the rest may run anything.
        whole = stored and not any(marks_of_cuts(entry.command))
        return whole and not _LOG_PATH.search(entry.command)
    if any(_LOG_PATH.search(path) for path in entry.paths):
        return False
    if entry.kind is not ToolKind.OTHER:
        return entry.kind in _STORED
    return shows_stored(entry.call.tool)


def call_outcomes(entry: CallFacts) -> tuple[ReadOutcome, ...]:
    """Return the result of every kind of run in a call; empty if there is none."""
    if shows_stored_text(entry) or entry.state is CallState.REFUSED:
        return ()
    outcomes = _printed(entry)
    parts = entry.commands
    last_calls = {kind: at for at, part in enumerate(parts) for kind in part.kinds}
    settled = dict(outcomes)
    for kind, at in last_calls.items():
        if kind not in settled:
            result = _silent(entry, kind, at, outcomes)
            tool = parts[at].words[0]
            settled[kind] = ReadOutcome(kind=kind, result=result, tool=tool)
    for kind in _echoed(entry):
        # A script that prints its commands and continues: this one succeeded.
        if kind not in settled and exit_outcome(entry) is not CallOutcome.FAILED:
            result = _by_output(entry, kind, known=True)
            settled[kind] = ReadOutcome(kind=kind, result=result)
    for kind in _named(entry):
        if kind not in settled:
            failed = exit_outcome(entry) is CallOutcome.FAILED
            result = Result.FAILED if failed else _by_output(entry, kind, known=True)
            settled[kind] = ReadOutcome(kind=kind, result=result)
    return tuple(_by_exit(entry, item, last_calls) for item in settled.values())


def _named(entry: CallFacts) -> tuple[RunKind, ...]:
    """Return what a tool without a command runs by its name: `mcp__dart__run_tests`."""
    if entry.command or entry.kind not in {ToolKind.OTHER, ToolKind.SHELL}:
        return ()
    words = words_of(entry.call.tool)
    if len(words) > 1 and _RUNS.isdisjoint(words):
        return ()
    return tuple(kind for word, kind in _RUN_NOUNS.items() if word in words)


_RUNS = frozenset({"run", "execute", "start"})
_RUN_NOUNS = {
    "test": RunKind.TESTS,
    "tests": RunKind.TESTS,
    "lint": RunKind.LINT,
    "linter": RunKind.LINT,
    "build": RunKind.BUILD,
    "typecheck": RunKind.TYPECHECK,
}


def _echoed(entry: CallFacts) -> tuple[RunKind, ...]:
    """Return the kinds of commands that a task runner prints before it runs them."""
    echoes = islice(_ECHO.finditer(entry.printed), _ECHO_LIMIT)
    parts = (part for match in echoes for part in split_command(match[1]))
    return tuple(dict.fromkeys(kind for part in parts for kind in part.kinds))


def _printed(entry: CallFacts) -> dict[RunKind, ReadOutcome]:
    outcomes = printed_outcomes(entry.printed)
    tests_failed = any(
        outcome.kind is RunKind.TESTS and outcome.result is Result.FAILED
        for outcome in outcomes
    )
    if tests_failed and not _is_kind(entry, RunKind.BUILD):
        # Maven and Gradle report a failed build even if only tests failed.
        outcomes = tuple(
            outcome for outcome in outcomes if outcome.kind is not RunKind.BUILD
        )
    return {
        outcome.kind: _unless_unfinished(entry, outcome)
        for outcome in outcomes
        if outcome.tool not in _SPEAKS_ALIKE or _is_kind(entry, outcome.kind)
    }


# These use one wording for failures of all their verbs: `terraform apply` is no linter.
_SPEAKS_ALIKE = frozenset({"terraform"})


def _is_kind(entry: CallFacts, kind: RunKind) -> bool:
    parts = entry.commands
    return not parts or any(kind in part.kinds for part in parts)


def _unless_unfinished(entry: CallFacts, outcome: ReadOutcome) -> ReadOutcome:
    """Leave a pass open if the run was not finished: many tools print in parts."""
    broken = entry.is_background or ended_late(entry.call.output)
    if outcome.result is Result.PASSED and broken:
        return replace(outcome, result=Result.UNCLEAR)
    return outcome


def _by_exit(
    entry: CallFacts, outcome: ReadOutcome, ran: Collection[RunKind]
) -> ReadOutcome:
    """Let a non-zero exit status override a pass if nothing else ran in the call."""
    if (
        outcome.result is not Result.PASSED
        or exit_outcome(entry) is not CallOutcome.FAILED
    ):
        return outcome
    if set(ran) - {outcome.kind} or len(entry.commands) > 1:
        return outcome
    return ReadOutcome(kind=outcome.kind, result=Result.FAILED, tool=outcome.tool)


# Their build only succeeds if all its tasks did.
_ALL_OR_NOTHING = frozenset({"gradle", "maven"})


def _silent(
    entry: CallFacts, kind: RunKind, at: int, outcomes: Mapping[RunKind, ReadOutcome]
) -> Result:
    """Return the result of an output without a known wording, by the last command."""
    if entry.is_background:
        return Result.UNSEEN
    build = outcomes.get(RunKind.BUILD)
    if build and build.tool in _ALL_OR_NOTHING and build.result is Result.PASSED:
        return Result.PASSED
    parts = entry.commands
    part = parts[at]
    hidden = part.joined in {"|", "||", ";"} and at < len(parts) - 1
    redirected = bool(_TO_FILE.search(part.text.replace("2>&1", "")))
    if redirected and (hidden or part.joined == "&"):
        return Result.UNSEEN
    if kind is RunKind.FORMAT and _lists_unformatted(part, entry.printed):
        return Result.FAILED
    code = exit_outcome(entry)
    later_ran = any(
        item.result is not Result.FAILED or item.counts for item in outcomes.values()
    )
    if code is CallOutcome.FAILED and _is_behind_failure(parts[:at], outcomes):
        return Result.UNSEEN
    if code is CallOutcome.FAILED and not hidden:
        return Result.PASSED if part.joined == "&&" and later_ran else Result.FAILED
    if code is CallOutcome.FAILED:
        # The status is that of a later command, unless the output says the same.
        failed = _is_only_filtered(parts[at:]) and broke_off(entry.printed, None)
        return Result.FAILED if failed else Result.UNCLEAR
    kinds = {run_kind for item in parts for run_kind in item.kinds}
    result = _by_output(entry, kind, known=not hidden)
    mixed = result is Result.FAILED and len(kinds) > 1
    return Result.UNCLEAR if mixed else result


def _is_only_filtered(parts: Sequence[SimpleCommand]) -> bool:
    """Whether what follows a command only filters its output."""
    return all(part.joined == "|" for part in parts[:-1])


def _is_behind_failure(
    before: Sequence[SimpleCommand], outcomes: Mapping[RunKind, ReadOutcome]
) -> bool:
    """Whether `&&` kept a command from running, since one before it failed."""
    chained = list(takewhile(lambda part: part.joined == "&&", reversed(before)))
    return any(
        kind in outcomes and outcomes[kind].result is Result.FAILED
        for part in chained
        for kind in part.kinds
    )


_PATHS_ONLY = re.compile(
    r"(?:\A|\bOutput:\n|```\n)(?:[\w./\\-]{1,300}\.\w{1,6}[ \t]*(?:\n|\Z))+(?:```|\Z)"
)


def _lists_unformatted(part: SimpleCommand, output: str) -> bool:
    """Whether a formatter printed the files that are not in its style: `gofmt -l`."""
    lists = "-l" in part.words and "-w" not in part.words
    return lists and _PATHS_ONLY.search(output) is not None


def _by_output(entry: CallFacts, kind: RunKind, *, known: bool = False) -> Result:
    """Judge an output without a known wording, of a call not known to have failed.

    Silence is a pass, since many tools print nothing else. For tests it is none if
    their end is unknown (`pytest || true`), since they always print something. A test
    run with output but no result is none, unless the call succeeded; neither is any run
    with an unknown exit status, unless it reports success.

    Args:
        entry: The call.
        kind: The kind of run.
        known: Whether the call's exit status is that of this run.
    """
    text = entry.printed
    if not entry.is_recorded:
        return Result.UNCLEAR
    if known and entry.exit_status == 0:
        return Result.PASSED
    if is_silent(text):
        silence_passes = known or kind is not RunKind.TESTS
        return Result.PASSED if silence_passes else Result.UNCLEAR
    if is_cut(text):
        return Result.UNSEEN if ended_late(text) else Result.UNCLEAR
    if broke_off(text, kind) or broke_off(text, None):
        return Result.FAILED
    if speaks_of_trouble(text):
        return Result.UNCLEAR
    ended = known and exit_outcome(entry) is CallOutcome.PASSED
    says_success = kind is not RunKind.TESTS and (known or speaks_of_success(text))
    return Result.PASSED if ended or says_success else Result.UNCLEAR
