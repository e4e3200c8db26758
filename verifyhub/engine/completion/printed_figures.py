"""Hold the figures of a sentence against those that programs printed.

A claim says "1,204 rows" or "0 warnings", and the last program that counted rows or
warnings printed another number. What an answer may have computed (a sum, a difference,
a rounded number) is left alone, and so is a number that stands anywhere in the run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.figures import Figure, read_figures
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.languages.model import (
    FILE_KINDS,
    RUN_KINDS,
    ClaimKind,
)
from verifyhub.engine.completion.ruling import Ruling, contradicted, unattempted
from verifyhub.engine.completion.run_words import run_meant
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.text.tokens import word_set

# Words beside a number that do not say what it counts.
_NO_THINGS = word_set(
    """
    the a an and or of in on at to for from with by as is are was were be been has have
    had now all both each every any no not only just about around roughly some new old
    it its this that these those than then so but per via into over under after before
    out up down least most more less same other total exactly
    """
)
_SHORTEST = 3
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]{4,40}")
_MOST_FIGURES = 12
# They stand everywhere; what is not there is denied in words.
_TRIVIAL = frozenset({"0", "1"})
# Numbers of fewer digits stand somewhere in most runs.
_TELLING = 2
# A share is computed from numbers that may be anywhere.
_SHARES = frozenset({"%", "x"})
# A rule, and how often it holds: a program prints no more of it.
_RULE = re.compile(
    r"\b(?:defaults?|requires?|limit(?:s|ed)?|supports?|allows?|up to|at (?:most|least)"
    r"|maximum|minimum|must|should|would|could|can|may|will|if|unless|expects?|needs?|recommend"
    r"|threshold|budget|cap|timeout|every|each|per)\b"
)
_MEASURED = re.compile(
    r"\b(?:i|we)(?:['’]ve| have)?(?: also| then)? (?:measured|timed|counted|trained"
    r"|benchmarked|profiled|clocked|recorded)\b"
)
# What no run should leave, as sentences deny it and programs count it.
_DENIED = re.compile(
    r"\b(?:no|zero|0|without(?: any| an?)?) (?:\w+ )?(?P<harm>errors?|warnings?"
    r"|failures?|notes?|problems|issues|violations?|mismatch(?:es)?|findings?|hints?|offen[cs]es?"
    r"|conflicts?|duplicates?|orphans?|vulnerabilit(?:y|ies)|discrepanc(?:y|ies)"
    r"|diffs?|differences?|complaints?|suggestions?)\b"
)
_OF_RUNS = frozenset({*RUN_KINDS, ClaimKind.RUN, ClaimKind.INSTALL})


def compare_figures(
    claim: WorkClaim, ruling: Ruling | None, ledger: Ledger
) -> Ruling | None:
    """Accuse a claim by a figure that the program it speaks of did not print.

    Args:
        claim: What is claimed.
        ruling: What the run says of it otherwise; None where it says nothing.
        ledger: What the tools show.
    """
    claimed = _figures_of(claim, ledger)
    says_any = claimed or _DENIED.search(claim.words)
    if not says_any or _RULE.search(claim.words) or not ledger.has_outputs:
        return None
    text = f"{claim.words} {' '.join(claim.names.codes)}".lower()
    # How much an edit adds is no program's to print.
    for figure in () if FILE_KINDS.issuperset(claim.kinds) else claimed:
        call = _refuting(figure, text, ledger)
        if call is not None:
            return contradicted(call)
    status = None if ruling is None else ruling.status
    if status is not ClaimStatus.SUPPORTED:
        call = _harm_left(claim, ledger)
        if call is not None:
            return contradicted(call)
    if status is ClaimStatus.UNCHECKED and _is_made_up(claim, claimed, ledger):
        return unattempted()
    calls = ruling.evidence if ruling and _OF_RUNS.issuperset(claim.kinds) else ()
    if any(_is_unprinted(figure, calls, ledger) for figure in claimed if calls):
        return contradicted(*calls)
    return None


def _figures_of(claim: WorkClaim, ledger: Ledger) -> list[Figure]:
    """Return the figures of a claim that a program may have printed."""
    if _DIGIT.search(claim.words) is None:
        return []
    figures = [
        figure
        for figure in islice(read_figures(claim.words), _MOST_FIGURES)
        if _things(figure) and figure.digits not in _TRIVIAL
    ]
    # Of "27 (18 + 9)" a program may have printed the whole or the parts.
    wholes = [figure for figure in figures if _is_sum(figure, figures)]
    if any(_stands_in_run(whole, ledger) for whole in wholes):
        return wholes
    return [figure for figure in figures if figure not in wholes]


def _is_sum(figure: Figure, figures: Sequence[Figure]) -> bool:
    """Whether a number is what the others of its sentence come to: "27 (18 + 9)"."""
    others = [other.numbers for other in figures if other is not figure]
    return (
        len(others) > 1
        and sum(max(numbers) for numbers in others if numbers) in figure.numbers
    )


def _things(figure: Figure) -> list[str]:
    return [
        word
        for word in figure.words
        if word not in _NO_THINGS and len(word) >= _SHORTEST
    ]


def _refuting(claimed: Figure, text: str, ledger: Ledger) -> int | None:
    """Return the last call that printed another number of what a claim counts.

    Args:
        claimed: The figure.
        text: The claim in lower case.
        ledger: What the tools show.
    """
    if _stands_in_run(claimed, ledger):
        return None
    printed = ledger.printed
    shared = Counter(
        place
        for thing in _things(claimed)
        for place in printed.beside(thing)
        if _same_unit(claimed, printed.figures[place].figure)
    )
    if not (claimed.unit or "." in claimed.digits):
        shared.update(printed.asked(_WORD.findall(text)))
    most = max(shared.values(), default=0)
    if not most:
        return None
    # What stands beside it may be another part of the same whole.
    if _comes_of(claimed, printed.near(shared)):
        return None
    last = max(place for place, count in shared.items() if count == most)
    return printed.figures[last].call


def _same_unit(claimed: Figure, printed: Figure) -> bool:
    units = {claimed.unit, printed.unit}
    return len(units) == 1 or ("" in units and "%" not in units)


def _comes_of(claimed: Figure, printed: Iterable[float]) -> bool:
    """Whether a number is one of those printed, rounded, their sum or difference."""
    terms = list(dict.fromkeys(printed))[-_MOST_TERMS:]
    pairs = list(combinations(terms, 2))
    results = [
        *terms,
        *(first + second for first, second in pairs),
        *(abs(first - second) for first, second in pairs),
        sum(terms),
    ]
    decimals = len(claimed.digits.rpartition(".")[2]) if "." in claimed.digits else 0
    rounding = 0.5 * 10**-decimals + 1e-9
    return any(
        abs(number - result) <= rounding
        for number in claimed.numbers
        for result in results
    )


_MOST_TERMS = 40


def _stands_in_run(claimed: Figure, ledger: Ledger) -> bool:
    return not ledger.numbers.isdisjoint(
        {claimed.digits, claimed.digits.replace(",", "")}
    )


def _harm_left(claim: WorkClaim, ledger: Ledger) -> int | None:
    """Return the last call that counts some of what a claim says is not there.

    It must be the run that the claim names, by its words or in code.
    """
    for denied in _DENIED.finditer(claim.words):
        root = stem(denied["harm"])
        counted = [
            ledger.printed.figures[place]
            for place in sorted(ledger.printed.beside(denied["harm"]))
        ]
        counted = [one for one in counted if root in map(stem, _beside(one.figure))]
        if not counted or max(counted[-1].figure.numbers, default=0) == 0:
            continue
        call = counted[-1].call
        codes = [code for code in claim.names.codes if len(code) > _SHORTEST]
        if call == run_meant(claim, ledger) or ledger.calls[call].names(codes):
            return call
    return None


def _beside(figure: Figure) -> tuple[str, ...]:
    """Return the words right beside a figure."""
    return figure.after or figure.before[:1]


def _is_made_up(claim: WorkClaim, claimed: Sequence[Figure], ledger: Ledger) -> bool:
    """Whether the agent says that it measured a number that stands nowhere."""
    if not ledger.shows_all_runs or not _MEASURED.search(claim.words):
        return False
    return any(
        len(figure.digits) >= _TELLING
        and figure.unit not in _SHARES
        and not _stands_in_run(figure, ledger)
        for figure in claimed
    )


def _is_unprinted(claimed: Figure, calls: Sequence[int], ledger: Ledger) -> bool:
    """Whether a number stands nowhere in a run, nor comes of what calls printed."""
    if len(claimed.digits) < _TELLING or claimed.unit in _SHARES:
        return False
    lines = sum(ledger.calls[call].printed.count("\n") for call in calls)
    if any(number <= lines for number in claimed.numbers):
        return False  # Whoever counts lines finds no number of them.
    if _stands_in_run(claimed, ledger):
        return False
    return not _comes_of(claimed, ledger.printed.numbers_of(calls))
