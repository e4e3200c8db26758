"""Settle work of no known kind by the words that it shares with what was done."""

import re

from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import Ruling, unattempted, unchecked
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.tokens import word_set

_WORD = re.compile(r"[^\W\d_]{4,40}")
# Words of a claim that tell nothing of its work.
_COMMON = word_set(
    """
    about after again also already another been before both changes code correctly
    current done each everything existing file files finally following from have into
    just more necessary needed newly only other over project properly relevant required
    same several some successfully such that their them then there these they this those
    through under using very well were when where which while will with without work
    your commit committed pushed
    """
)


def by_words(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Settle work of no known kind: a deed that shares a word with it leaves it open.

    So does a program or script of the project's own: nobody knows what it does.
    """
    words = {word[:6] for word in _WORD.findall(claim.words) if word not in _COMMON}
    for deed in reversed(ledger.deeds):
        if deed.looks or (deed.command is not None and deed.command.kinds):
            continue
        if deed.command is not None and _is_own(deed.command):
            return unchecked(deed.call)
        entry = ledger.calls[deed.call]
        told = deed.text if deed.command else f"{deed.text} {entry.call.input}".lower()
        if any(word in told for word in words):
            return unchecked(deed.call)
    return unattempted()


def _is_own(command: SimpleCommand) -> bool:
    """Whether a command runs a script or task of the project, or an unknown program."""
    if command.role & (ProgramRole.INTERPRETS | ProgramRole.RUNS_TASKS):
        return not command.runs_inline
    return command.role is ProgramRole.NONE and "/" in command.words[0]
