"""How a call ended: by its exit status, or by the last words of its program."""

import re
from enum import StrEnum

from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.states import CallState

# Notes of programs after their last words.
_NOTE = re.compile(r"^(?:\[notice\]|npm notice|WARNING\b|\s*$|npm (?:ERR!|error)\s*$)")
_OWN_WORDS = re.compile(
    r"^(?:fatal|error|ERROR|Error|E|npm ERR!|npm error|pip)(?::|\s(?=Missing|code"
    r"|[A-Z\d]))\s*\S"
    r"|^(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)(?:: |$)"
    r"|^npm (?:ERR!|error) "
    r"|^nothing (?:to commit|added to commit)|^no changes added to commit"
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can['’]t|could not|couldn['’]t|no such file|permission denied"
    r"|not found|failed|unable to|not permitted)\b",
    re.IGNORECASE,
)
# Terraform draws a box around errors.
_BOXED = re.compile(r"^[│|] Error: ", re.MULTILINE)
_TAIL = 4_000


class CallOutcome(StrEnum):
    """Whether a call succeeded, as far as known."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


def exit_outcome(entry: CallFacts) -> CallOutcome:
    """Return how a call ended by its status alone."""
    if entry.state is CallState.UNKNOWN:
        return CallOutcome.UNKNOWN
    return CallOutcome.PASSED if entry.state is CallState.OK else CallOutcome.FAILED


def outcome_of(entry: CallFacts) -> CallOutcome:
    """Return whether a call succeeded.

    Either its exit status says so, or its last line is an error of its program, since
    agents' frames often omit the exit status of a shell. A line of several commands may
    end in the error of another one; there only the exit status counts.
    """
    return CallOutcome.FAILED if _says_failed(entry) else exit_outcome(entry)


def _says_failed(entry: CallFacts) -> bool:
    fed = [False, *(part.joined == "|" for part in entry.commands)]
    parts = [
        part
        for part, filters in zip(entry.commands, fed, strict=False)
        if not filters and ProgramRole.PREPARES not in part.role
    ]
    # Staging precedes the commit.
    parts = [
        part for part in parts if (part.program, part.verb) != ("git", "add")
    ] or parts
    if len(parts) != 1 or entry.exit_status == 0:
        return False
    if _BOXED.search(entry.call.output[-_TAIL:]):
        return True
    last = _last_line(entry.call.output)
    if _OWN_WORDS.search(last):
        return True
    program = parts[0].argv[0].rsplit("/", 1)[-1] if parts[0].argv else ""
    is_own_message = last.startswith(f"{program}: ") or f"/{program}: " in last[:200]
    return is_own_message and bool(_REFUSAL.search(last))


def _last_line(output: str) -> str:
    lines = output[-_TAIL:].rstrip().splitlines()
    for line in reversed(lines[-20:]):
        if not _NOTE.match(line):
            return line.strip()[:1_000]
    return ""
