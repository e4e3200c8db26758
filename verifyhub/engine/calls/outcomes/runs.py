"""Settle what a whole call ran: printed result first, then exit status, then silence.

The name of the tool decides nothing (amd/gaia #3732 judged by it and accused honest
runs); only tools that show stored text are left out, because a README that says
"5 passed" ran nothing.
"""

import re
from dataclasses import replace

from verifyhub.engine.calls.call import LedgerCall
from verifyhub.engine.calls.outcomes.model import Exit, Outcome, Result, RunKind
from verifyhub.engine.calls.outcomes.printed import printed_outcomes
from verifyhub.engine.calls.outcomes.tasks import command_kinds
from verifyhub.engine.calls.outcomes.trouble import (
    broke_off,
    ended_late,
    is_cut,
    is_silent,
    speaks_of_trouble,
)
from verifyhub.engine.calls.shell import Part, split_command
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.envelope import opened
from verifyhub.engine.text.tokens import word_set

# What these print was there before.
_STORED = frozenset(ToolKind) - {ToolKind.SHELL, ToolKind.OTHER, ToolKind.AGENT}
# A tool of unknown purpose that calls itself a reader.
_READERS = word_set(
    """
    read view cat open grep glob search find list ls fetch webfetch websearch todo
    skill lsp editor edit write multiedit create
    """
)
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LOG_PATH = re.compile(r"\.(?:log|out|output|txt)$|/tmp/|/tasks/", re.IGNORECASE)
_SHOWING = word_set(
    "cat head tail grep rg egrep sed awk less more git gh find ls wc jq diff cd echo"
)
# `$ tsc --noEmit` (bun, yarn, mise), `> tsc --noEmit` (npm, pnpm).
_ECHO = re.compile(r"^(?:\[[\w:.-]{1,40}\] )?[$>] ([a-z][^\n]{2,200})$", re.MULTILINE)
_ECHO_LIMIT = 50
_TO_FILE = re.compile(r"(?<![0-9&])(?:1|&)?>{1,2}\s*(?!&)\S|&>")


def exit_of(entry: LedgerCall) -> Exit:
    """Return whether a call is known to have ended well or not."""
    if entry.state is CallState.UNKNOWN:
        return Exit.UNKNOWN
    return Exit.ZERO if entry.state is CallState.OK else Exit.NONZERO


def shows_stored_text(entry: LedgerCall) -> bool:
    """Return whether a call shows what is stored, not what ran.

    A log is the record of a run and counts as one.
    """
    if entry.command:
        programs = {part.words[0].rsplit("/", 1)[-1] for part in entry.parts}
        stored = programs <= _SHOWING and "commit" not in entry.command
        return stored and not _LOG_PATH.search(entry.command)
    if any(_LOG_PATH.search(path) for path in entry.paths):
        return False
    if entry.kind is not ToolKind.OTHER:
        return entry.kind in _STORED
    words = {word.lower() for word in _NAME_PARTS.findall(entry.call.tool)}
    return bool(words & _READERS)


def call_outcomes(entry: LedgerCall) -> tuple[Outcome, ...]:
    """Return how every kind of run in a call ended; empty if it ran nothing known."""
    if shows_stored_text(entry) or entry.state is CallState.REFUSED:
        return ()
    printed = _printed(entry)
    parts = entry.parts
    asked: dict[RunKind, int] = {}
    for position, part in enumerate(parts):
        for kind in command_kinds(part.words):
            asked[kind] = position
    settled = dict(printed)
    for kind, position in asked.items():
        if kind not in settled:
            settled[kind] = _silent(entry, kind, parts, position, printed)
    for kind in _echoed(entry):
        # A script that shows its commands and goes on: this one ended well.
        if kind not in settled and exit_of(entry) is not Exit.NONZERO:
            settled[kind] = Outcome(kind=kind, result=_by_output(entry, kind))
    return tuple(_by_exit(entry, item, asked) for item in settled.values())


def _echoed(entry: LedgerCall) -> tuple[RunKind, ...]:
    """Return the kinds of the commands that a task runner shows as it runs them."""
    kinds: dict[RunKind, None] = {}
    for count, match in enumerate(_ECHO.finditer(entry.call.output)):
        if count == _ECHO_LIMIT:
            break
        for part in split_command(match[1]):
            kinds.update(dict.fromkeys(command_kinds(part.words)))
    return tuple(kinds)


def _printed(entry: LedgerCall) -> dict[RunKind, Outcome]:
    found = printed_outcomes(opened(entry.call.output))
    return {outcome.kind: _seen_whole(entry, outcome) for outcome in found}


def _seen_whole(entry: LedgerCall, outcome: Outcome) -> Outcome:
    """Leave open what passed where more was to come: many tools print in parts."""
    broken = entry.is_background or ended_late(entry.call.output)
    if outcome.result is Result.PASSED and broken:
        return replace(outcome, result=Result.UNCLEAR)
    return outcome


def _by_exit(entry: LedgerCall, outcome: Outcome, asked: dict[RunKind, int]) -> Outcome:
    """Let a non-zero exit overrule a pass when nothing else ran in the call."""
    if outcome.result is not Result.PASSED or exit_of(entry) is not Exit.NONZERO:
        return outcome
    if set(asked) - {outcome.kind} or len(entry.parts) > 1:
        return outcome
    return Outcome(kind=outcome.kind, result=Result.FAILED, tool=outcome.tool)


def _silent(
    entry: LedgerCall,
    kind: RunKind,
    parts: tuple[Part, ...],
    position: int,
    printed: dict[RunKind, Outcome],
) -> Outcome:
    """Settle a run whose output has no known wording."""
    result = _silent_result(entry, kind, parts, position, printed)
    return Outcome(kind=kind, result=result, tool=parts[position].words[0])


def _silent_result(
    entry: LedgerCall,
    kind: RunKind,
    parts: tuple[Part, ...],
    position: int,
    printed: dict[RunKind, Outcome],
) -> Result:
    if entry.is_background:
        return Result.UNSEEN
    part = parts[position]
    hidden = part.joined in {"|", "||", ";"} and position < len(parts) - 1
    redirected = bool(_TO_FILE.search(part.text.replace("2>&1", "")))
    if redirected and hidden:
        return Result.UNSEEN
    code = exit_of(entry)
    later_ran = any(item.result is not Result.FAILED for item in printed.values())
    if code is Exit.NONZERO and not hidden:
        return Result.PASSED if part.joined == "&&" and later_ran else Result.FAILED
    if code is Exit.NONZERO:
        return Result.UNCLEAR
    asked = {one for item in parts for one in command_kinds(item.words)}
    result = _by_output(entry, kind, known=not hidden)
    mixed = result is Result.FAILED and len(asked) > 1
    return Result.UNCLEAR if mixed else result


def _by_output(entry: LedgerCall, kind: RunKind, *, known: bool = False) -> Result:
    """Judge output that has no known wording, of a call that is not known to fail.

    Silence is a pass: many tools say nothing else. A test run that speaks and says
    no result is none, unless the call ended well.

    Args:
        entry: The call.
        kind: What was run in it.
        known: Whether the call's exit status is that of this run.
    """
    text = opened(entry.call.output)
    if is_silent(text) or (known and entry.exit_status == 0):
        return Result.PASSED
    if is_cut(text):
        return Result.UNCLEAR
    if broke_off(text, kind):
        return Result.FAILED
    if speaks_of_trouble(text):
        return Result.UNCLEAR
    ended = known and exit_of(entry) is Exit.ZERO
    silent_kind = kind is not RunKind.TESTS
    return Result.PASSED if ended or silent_kind else Result.UNCLEAR
