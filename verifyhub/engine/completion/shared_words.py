"""Settle work of no known kind by the words that it shares with what was done."""

import re

from verifyhub.engine.calls.call import Call, Deed
from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    unattempted,
    unchecked,
)
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.tokens import word_set

_WORD = re.compile(r"[^\W\d_]{4,40}")
# Words of a claim that say nothing of its work.
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

    So does a program or script of the project's own: its effects are unknown. Where
    the deed that shares most of its words went wrong each time, it was not done.
    """
    text = f"{claim.words} {' '.join(claim.names.codes)}".lower()
    words = {word[:6] for word in _WORD.findall(text) if word not in _COMMON}
    shared = {
        deed.call: count
        for deed in ledger.deeds
        if not (deed.looks or _is_run(deed, ledger))
        and (count := _shared(words, deed, ledger))
    }
    most = max(shared.values(), default=0)
    best = [call for call, count in shared.items() if count == most]
    if most >= _SURELY and all(ledger.calls[call].went_wrong for call in best):
        return contradicted(*reversed(best))
    if best:
        return unchecked(best[-1])
    own_calls = [
        deed.call for deed in ledger.deeds if deed.command and _is_own(deed.command)
    ]
    if own_calls and is_unspoken_of(claim, ledger):
        # What it printed may still speak of it.
        own_calls = [index for index in own_calls if _shows(words, ledger.calls[index])]
    return unchecked(own_calls[-1]) if own_calls else unattempted()


def _shows(words: set[str], entry: Call) -> bool:
    output = entry.tail.lower()
    return not output or any(word in output for word in words)


# Words that a deed and a claim must share to be the same work.
_SURELY = 2


_ENGLISH = re.compile(r"\b(?:the|i|we|of|and|to|from|has|have|its?)\b")
# Words of a claim that are enough to miss all of them.
_ENOUGH = 3


def _root(word: str) -> str:
    """Return what the forms of a word have in common: `wipe` of "wiped"."""
    root = stem(word)[:5]
    return root if len(root) > _SHORTEST else word[: _SHORTEST + 1]


# A root of so few letters stands in many words.
_SHORTEST = 3


def is_unspoken_of(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether what a claim speaks of stands in no call that does anything.

    Who tells of an edit in other words still names something of what it is about, but
    for a line that only introduces a list.
    """
    words = {_root(word) for word in _WORD.findall(claim.words) if word not in _COMMON}
    if not _ENGLISH.search(claim.words):
        return False  # Code is written in English: words of another tongue miss it.
    if len(words) < _ENOUGH or claim.text.rstrip("* ").endswith(":"):
        return False
    return not any(word in ledger.deed_inputs for word in words)


def _is_run(deed: Deed, ledger: Ledger) -> bool:
    """Whether a deed runs tests or the like, or is the tool that ran only those."""
    if deed.command is not None:
        return bool(deed.command.kinds)
    work = [
        command
        for command in ledger.calls[deed.call].commands
        if not (command.looks or ProgramRole.PREPARES in command.role)
    ]
    return bool(work) and all(command.kinds for command in work)


def _shared(words: set[str], deed: Deed, ledger: Ledger) -> int:
    if deed.command is not None:
        return sum(word in deed.text for word in words)
    deed_text, input_text = deed.text.lower(), ledger.calls[deed.call].given
    return sum(word in deed_text or word in input_text for word in words)


def _is_own(command: SimpleCommand) -> bool:
    """Whether a command runs a script or task of the project, or an unknown program."""
    if command.kinds or command.looks:
        return False
    if command.role & (ProgramRole.INTERPRETS | ProgramRole.RUNS_TASKS):
        return not command.runs_inline
    return command.role is ProgramRole.NONE and "/" in command.words[0]
