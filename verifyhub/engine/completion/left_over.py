"""Hold that all of something was changed against what a call shows to be left of it.

"All uses of `open_db` are replaced": a later search finds one, or the edit of one
failed and nobody tried it again.
"""

import re

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import CallChange
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.looks import finds_something
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.tokens import word_set

_ALL = re.compile(r"\b(?:all|every|each|both|no (?:other|more|remaining|further))\b")
# Of what all are claimed to be changed.
_OF_NAME = re.compile(
    r"\b(?:instances?|occurrences?|references?|mentions?|uses?|usages?|calls?|copies)"
    r" (?:of|to) (?:the )?[\"“`'*]{0,3}([\w./-]{3,60})",
    re.IGNORECASE,
)
_EVERYWHERE = re.compile(
    r"\b(?:no other|anywhere|everywhere|repo|repository|codebase|project|across)\b"
)
_WORD = re.compile(r"[a-z]{6,40}")
_COMMON = word_set(
    """
    these those their there fixed issue issues error errors changes changed updated
    files using which where every other
    """
)
# Words that a claim and a failed change must share, if the claim names nothing.
_SHARED_WORDS = 2


def left_over(claim: WorkClaim, ledger: Ledger) -> int | None:
    """Return the call that shows that not all of it was changed; None without one."""
    if not _ALL.search(claim.words):
        return None
    named = _OF_NAME.search(claim.text)
    name = named[1].rstrip(".") if named else None
    found = _still_found(claim, name, ledger) if name else None
    return _failed_alone(claim, name, ledger) if found is None else found


def _still_found(claim: WorkClaim, name: str, ledger: Ledger) -> int | None:
    """Return the last search for a name, where it still found one."""
    last_change = max((change.call for change in ledger.done_changes), default=-1)
    for entry in reversed(ledger.calls):
        if entry.index <= last_change:
            return None
        if _searches(entry) and name.lower() in entry.given:
            return entry.index if _is_found(claim, entry) else None
    return None


def _searches(entry: Call) -> bool:
    return entry.kind is ToolKind.SEARCH or any(
        ProgramRole.SEARCHES in part.role for part in entry.commands
    )


def _is_found(claim: WorkClaim, entry: Call) -> bool:
    if not finds_something(entry):
        return False
    bases = claim.names.bases
    return (
        not bases
        or _EVERYWHERE.search(claim.words) is not None
        or any(base in entry.call.output for base in bases)
    )


def _failed_alone(claim: WorkClaim, name: str | None, ledger: Ledger) -> int | None:
    """Return a failed edit of what a claim speaks of that nobody tried again."""
    for change in reversed(ledger.changes):
        if change.done or not change.replaced:
            continue
        if name is None and _is_followed(change, ledger):
            continue
        if _is_about(claim, name, change) and not _is_retried(change, ledger):
            return change.call
    return None


def _is_followed(failed: CallChange, ledger: Ledger) -> bool:
    """Whether a later change of the file was done, perhaps the same one."""
    return any(
        change.call > failed.call and change.touches(failed.paths)
        for change in ledger.done_changes
    )


def _is_about(claim: WorkClaim, name: str | None, change: CallChange) -> bool:
    old = "\n".join(replacement.old or "" for replacement in change.replaced)
    if name is not None:
        return name in old
    text = "\n".join((old, *change.texts)).lower()
    words = set(_WORD.findall(claim.words)) - _COMMON
    return sum(word[:8] in text for word in words) >= _SHARED_WORDS


def _is_retried(failed: CallChange, ledger: Ledger) -> bool:
    """Whether another change of that file may have done what a failed one should."""
    lines = [
        max(map(str.strip, (replacement.old or "").splitlines()), key=len, default="")
        for replacement in failed.replaced
    ]
    for change in ledger.done_changes:
        if not (change.touches(failed.paths) or not change.paths):
            continue
        if not change.replaced:
            return True  # It was written anew, or by a program.
        for replacement in change.replaced:
            old = replacement.old or ""
            if not old or replacement.everywhere or any(line in old for line in lines):
                return True
    return False
