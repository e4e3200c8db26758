"""Settle claims that files were read, commands looked at, or names searched for."""

import re
from collections.abc import Sequence

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.outcomes.trouble import is_silent
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.languages.english import LOOKED, SEARCHED
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
    worst,
)
from verifyhub.engine.completion.runs import settle_commands
from verifyhub.engine.ledger.ledger import Ledger

_LOOKED = re.compile(rf"\b(?:i|we)(?:['’]ve| have)?(?: \w+){{0,2}} (?:{LOOKED})\b")


def settle_look(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle "I reviewed `a.py`"; None where it names nothing, or is of no look."""
    if SEARCHED.search(claim.words):
        return _searched(claim, ledger)
    if not _LOOKED.search(claim.words):
        return None
    looks = [_looked_at(claim.names.bases, ledger)] if claim.names.files else []
    if claim.names.commands:
        looks.append(settle_commands(claim, ledger))
    return worst(looks) if looks else None


# "… and nothing is left", behind what was searched for.
_NONE_FOUND = re.compile(
    r"\b(?:nothing|none|no (?:other|more|further|remaining|longer)|zero|gone|scrubbed"
    r"|clean)\b"
)
_PART = re.compile(r"[^\W_]{3,60}")
_FOUND_NONE = re.compile(
    r"\s*(?:no (?:files?|matche?s?|results?|lines?)\b|found 0\b|0 (?:match|result))",
    re.IGNORECASE,
)


def _searched(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Settle "I searched for `name`", and that the last search found nothing."""
    words = [word for code in claim.names.codes for word in _PART.findall(code.lower())]
    searches = [
        entry
        for entry in ledger.calls
        if entry.kind is ToolKind.SEARCH
        or any(ProgramRole.SEARCHES in part.role for part in entry.commands)
    ]
    about = [entry for entry in searches if any(word in entry.given for word in words)]
    if not about:
        unread = ledger.reports or ledger.unread or ledger.leaves_out_reads
        given = any(word in entry.given for entry in ledger.calls for word in words)
        return unchecked() if unread or given or not words else unattempted()
    last = about[-1]
    changed = any(change.call > last.index for change in ledger.done_changes)
    found = finds_something(last) and not changed
    if found and _NONE_FOUND.search(claim.words):
        return contradicted(last.index)
    return supported(last.index)


def finds_something(search: Call) -> bool:
    """Return whether a search succeeded and printed more than that it found nothing."""
    printed = search.printed
    nothing = is_silent(printed) or _FOUND_NONE.match(printed)
    return not (nothing or search.failed)


def _looked_at(files: Sequence[str], ledger: Ledger) -> Ruling:
    """Settle that files were read: a call names each of them, or printed its name.

    Who only listed files has read none.
    """
    looking = [entry for entry in ledger.calls if not only_lists(entry)]
    naming = [
        [entry.index for entry in looking if entry.names([name])] for name in files
    ]
    if not all(naming):
        return unchecked() if ledger.reports or ledger.unread else unattempted()
    return supported(*dict.fromkeys(calls[-1] for calls in naming))


_LISTING = frozenset({"status", "ls-files", "ls-tree"})
_NAMES_ONLY = frozenset({"--stat", "--name-only", "--name-status"})


def only_lists(entry: Call) -> bool:
    """Whether a call shows names of files, and nothing of what is in them."""
    if not entry.commands:
        return entry.kind is ToolKind.LIST
    return all(
        ProgramRole.LISTS in part.role
        or (part.program == "git" and part.verb in _LISTING)
        or not _NAMES_ONLY.isdisjoint(part.words)
        for part in entry.commands
    )
