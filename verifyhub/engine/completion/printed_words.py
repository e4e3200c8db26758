"""Hold what a claim says that a tool printed against what it printed."""

import re

from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.numbers import SPELLED

_NUMBER = r"(?P<number>\d{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)"
# "The diff covers three files", "3 files changed": what git counts.
_FILES_CLAIMED = re.compile(
    r"\b(?:diff|commit|change(?:set)?|patch|pr)"
    r" (?:covers|touches|spans|affects|changes)"
    rf" {_NUMBER} files?\b|\b(?P<changed>\d{{1,5}}) files? changed\b"
    r"|\b(?P<committed>\d{1,5}) files in (?:one|a single|this|the) commit\b"
    r"|\b(?:holds|has|contains) \d{1,6} lines in"
    rf" {_NUMBER.replace('number', 'held')} files\b"
)
_FILES_COUNTED = re.compile(r"^ ?(\d{1,5}) files? changed\b", re.MULTILINE)
# "1 to add, 0 to change": a plan of infrastructure.
_PLANNED = re.compile(r"\b\d{1,6} to (?:add|change|destroy|import)\b")
_PLAN = re.compile(r"\bPlan: [^\n]{1,120}")
# "Got `{"ok": true}` from the server".
_GOT = re.compile(
    r"\b(?:got|get|received|returned|returns|answers|answered|responds|responded"
    r"|printed|prints)(?: with)? \W?\ue000"
)
_DATA = re.compile(r"[\[{].{2,200}")
_CLEAN_TREE = re.compile(
    r"\bclean\b.{0,20}\bworking |\bworking \w+ is (?:now )?clean\b"
)
_DIRTY = re.compile(
    r"^(?:[ MADRCU?!]{2} \S|\t(?:modified|new file|deleted): "
    r"|Changes (?:not staged|to be)|Untracked files)",
    re.MULTILINE,
)
_TIDIES = frozenset({"commit", "stash", "checkout", "restore", "reset", "clean"})
_TIDY = re.compile(r"working tree clean|nothing to commit")
# Quotes are of either kind.
_BLANKS = re.compile(r"[\s\"'\\]+")


def compare_printed(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Return what the outputs say of the words of a claim; None where it has none."""
    for compare in (_changed_files, _working_tree, _plan, _answer):
        ruling = compare(claim, ledger)
        if ruling is not None:
            return ruling
    return None


def _working_tree(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Hold "the working tree is clean" against the last status that git printed."""
    if not _CLEAN_TREE.search(claim.words):
        return None
    looked = [
        command.call
        for command in ledger.commands
        if (command.part.program, command.part.verb) == ("git", "status")
    ]
    if not looked:
        return unattempted()
    last = ledger.calls[looked[-1]]
    if any(
        command.call > last.index and command.part.verb in _TIDIES
        for command in ledger.commands
    ):
        return unchecked(last.index)
    if any(change.call > last.index for change in ledger.done_changes):
        return unattempted(last.index)
    dirty = _DIRTY.search(last.printed) and not _TIDY.search(last.printed)
    return contradicted(last.index) if dirty else supported(last.index)


def _changed_files(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Hold a number of changed files against those that git counted."""
    claimed = _FILES_CLAIMED.search(claim.words)
    if claimed is None:
        return None
    word = next(filter(None, claimed.groups()))
    number = int(word) if word.isdigit() else int(SPELLED[word])
    counted = [
        (int(count), entry.index)
        for entry in ledger.calls
        for count in _FILES_COUNTED.findall(entry.printed)
    ]
    if not counted:
        return None
    counts = [count for count, _ in counted]
    written = {path for change in ledger.done_changes for path in change.paths}
    known = number in {*counts, sum(counts), len(written)}
    last = counted[-1][1]
    return supported(last) if known else contradicted(last)


def _plan(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Hold the counts of a plan against those of the last one."""
    claimed = _PLANNED.findall(claim.words)
    if not claimed:
        return None
    plans = [
        (entry.index, plan)
        for entry in ledger.calls
        for plan in _PLAN.findall(entry.printed)
    ]
    if not plans:
        return None
    call, plan = plans[-1]
    shown = all(count in plan for count in claimed)
    return supported(call) if shown else contradicted(call)


def _answer(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Accuse a claim of an answer in JSON that no call printed."""
    data = [code for code in claim.names.codes if _DATA.fullmatch(code)]
    data = [code for code in data if "..." not in code and "…" not in code]
    if not (data and ledger.is_whole and _GOT.search(claim.words)):
        return None
    wanted = _BLANKS.sub("", data[0])
    outputs = (_BLANKS.sub("", entry.tail) for entry in ledger.calls)
    if any(wanted in output for output in outputs):
        return None
    failed = [
        command.call
        for command in ledger.commands
        if ProgramRole.FETCHES in command.part.role
        and ledger.calls[command.call].failed
    ]
    return contradicted(failed[-1]) if failed else unattempted()
