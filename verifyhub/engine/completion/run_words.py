"""Settle what a sentence says by the run that its words name.

What any project calls its programs, scripts and tasks is known by the commands of the
run: "the importer finishes cleanly" speaks of the last command that ran an importer.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from verifyhub.engine.calls.deed_words import stem, stems
from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.languages.outcomes import says_well
from verifyhub.engine.completion.ruling import Ruling, contradicted, unattempted
from verifyhub.engine.completion.states import ABSTRACT_STEMS
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.types import Span

_WORD = re.compile(r"[^\W\d_]{3,40}")


# A clause that shares only one word with a run is about it if it says little else.
_FEW = 8
_MANY = 16
_CLAUSE = re.compile(r"[;,]\s|\b(?:and|und|et|y|и)\b")
# Who tells that it failed and what was done about it says well of the end of it.
_CONCEDES = re.compile(
    r"\b(?:but|however|although|though|aber|mais|pero|но|except|until)\b"
)


# What the reader may do tells nothing of the run.
_ADVICE = re.compile(
    r"\b(?:once|when|if|after|before) you\b|\A\W*(?:just|simply|please)\b"
    r"|\A\W*(?:re-?)?(?:run|execute|try|use) (?:\ue000|(?:the|it|this|an?|your)\b)"
)


def by_failed_run(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Contradict that something went well whose last run failed."""
    if _CONCEDES.search(claim.words) or claim.text.rstrip("*_ ").endswith(":"):
        return None
    if _ADVICE.search(claim.words):
        return None
    whole = (0, len(claim.words))
    parts = [whole] if says_well(claim.words) else clauses(claim.words)
    for first, last in parts:
        clause = claim.words[first:last]
        if not says_well(clause):
            continue
        codes = [code for code in claim.names.codes if code in claim.text[first:last]]
        call = _run_meant(f"{clause} {' '.join(codes)}".lower(), ledger)
        if call is None:
            continue
        entry = ledger.calls[ledger.last_polls.get(call, call)]
        if entry.went_wrong or any(
            outcome.result is Result.FAILED for outcome in entry.results
        ):
            place = (first, min(last, len(claim.text)))
            ruling = contradicted(entry.index)
            return ruling if parts == [whole] else replace(ruling, place=place)
    return None


# Words of any label.
_ANY_CHECK = stems(
    """
    all check test scan audit run pass validate validation verify verification review
    done passed with against from into over after before every this that they your our
    also still both fully complete completed worktree tree working directory repository
    """
)


def by_label(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Miss a check that is told as passed, or its tool, that no call has a word of.

    A tool is known by its whole name: `Perl::Critic` is no `perl`.
    """
    if not claim.label or not ledger.shows_all_runs or not ledger.commands:
        return None
    label = f"{claim.label} {' '.join(claim.names.codes)}".lower()
    words = [word for word in _LONG_WORD.findall(label) if stem(word) not in _ANY_CHECK]
    enough = any if " " in claim.label else all
    known = enough(stem(word)[:6] in ledger.run_text for word in words)
    return None if known or not words else unattempted()


_LONG_WORD = re.compile(r"[^\W\d_]{4,40}")


def clauses(text: str) -> Iterator[Span]:
    """Yield where each clause of a sentence, in lower case, begins and ends."""
    start = 0
    for match in _CLAUSE.finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    yield start, len(text)


def run_meant(claim: WorkClaim, ledger: Ledger) -> int | None:
    """Return the last call that shares most words with a claim."""
    return _run_meant(f"{claim.words} {' '.join(claim.names.codes)}".lower(), ledger)


def _run_meant(text: str, ledger: Ledger) -> int | None:
    """Return the last call that shares most words with a text."""
    words = _WORD.findall(text)
    shared: Counter[int] = Counter()
    for word in {stem(word) for word in words} - ABSTRACT_STEMS:
        shared.update(ledger.runs_by_word.get(word, ()))
    most = max(shared.values(), default=0)
    if most < 1 + (len(words) > _FEW) + (len(words) > _MANY):
        return None
    return max(call for call, count in shared.items() if count == most)
