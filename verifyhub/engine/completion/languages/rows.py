"""Build a language from rows of wordings.

Who speaks (or the passive) with the participles by kind, the result wordings, and the
words that make a sentence a plan, a wish, a condition, a question or somebody else's.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from verifyhub.engine.completion.languages.model import ClaimKind, ClaimWord, Language

Rows: TypeAlias = Sequence[tuple[ClaimKind, str]]

# What may stand between a subject and its result: a bounded part of one sentence.
GAP = r"[^.;!?|\n]{0,60}?"


_IN_FILES = frozenset(
    {ClaimKind.CREATE, ClaimKind.EDIT, ClaimKind.DELETE, ClaimKind.FIX}
)
# "The tests pass not all": how far behind a result its denial may stand.
_TAIL = 8


def build_language(
    code: str,
    *,
    exempt: str,
    blocked: str,
    work: Rows,
    results: Rows,
    denied: str,
    others: str,
    letters: str = "",
) -> Language:
    """Return a language; a wording's group `past` marks what is over and done.

    `denied` finds the negation of a result ("die Tests sind nicht grün"), but not the
    one that is good news ("der Linter findet keine Fehler"). `others` finds that a file
    was changed by another hand, at another time, or is by the program ("corrigé dans la
    version 2.0", "créé au démarrage"). `letters` is a character class without which no
    sentence is in this language.
    """
    script = re.compile(letters)
    left_out = re.compile(exempt)
    taken_back = re.compile(blocked)
    denial = re.compile(denied)
    elsewhere = re.compile(others)
    works = [(kind, re.compile(text)) for kind, text in work]
    ends = [(kind, re.compile(text)) for kind, text in results]

    def find(text: str) -> Iterator[ClaimWord]:
        if not script.search(text) or left_out.search(text):
            return
        not_here = bool(elsewhere.search(text))
        for kind, pattern in works:
            match = pattern.search(text)
            if not match or (not_here and kind in _IN_FILES):
                continue
            if not taken_back.search(text[: match.end()]):
                yield ClaimWord(kind, match.start(), match.end())
        for kind, pattern in ends:
            match = pattern.search(text)
            if not match or denial.search(text[match.start() : match.end() + _TAIL]):
                continue
            if not taken_back.search(text[: match.start()]):
                current = not match.groupdict().get("past")
                yield ClaimWord(
                    kind, match.start(), match.end(), current=current, result=True
                )

    return Language(code, find)
