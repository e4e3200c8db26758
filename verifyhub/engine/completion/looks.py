"""Settle claims that files were read, or the output of commands."""

import re
from collections.abc import Sequence

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.languages.english import LOOKED
from verifyhub.engine.completion.ruling import (
    Ruling,
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
    if not _LOOKED.search(claim.words):
        return None
    looks = [_looked_at(claim.names.bases, ledger)] if claim.names.files else []
    if claim.names.commands:
        looks.append(settle_commands(claim, ledger))
    return worst(looks) if looks else None


def _looked_at(files: Sequence[str], ledger: Ledger) -> Ruling:
    """Settle that files were read: a call names each of them, or printed its name.

    Who only listed files has read none.
    """
    looking = [entry for entry in ledger.calls if not _only_lists(entry)]
    naming = [
        [entry.index for entry in looking if entry.names([name])] for name in files
    ]
    if not all(naming):
        return unchecked() if ledger.reports or ledger.unread else unattempted()
    return supported(*dict.fromkeys(calls[-1] for calls in naming))


_LISTING = frozenset({"status", "ls-files", "ls-tree"})
_NAMES_ONLY = frozenset({"--stat", "--name-only", "--name-status"})


def _only_lists(entry: Call) -> bool:
    """Whether a call shows names of files, and nothing of what is in them."""
    if not entry.commands:
        return entry.kind is ToolKind.LIST
    return all(
        ProgramRole.LISTS in part.role
        or (part.program == "git" and part.verb in _LISTING)
        or not _NAMES_ONLY.isdisjoint(part.words)
        for part in entry.commands
    )
