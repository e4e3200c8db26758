"""Build a language from rows of wordings.

Who speaks (or the passive) with the participles by kind, the result wordings, and the
words that make a sentence a plan, a wish, a condition, a question or a quotation.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from verifyhub.engine.completion.languages.model import (
    FILE_KINDS,
    SCREENS,
    ClaimKind,
    ClaimWord,
    Language,
)
from verifyhub.engine.text.screen import Screen

Rows: TypeAlias = Sequence[tuple[ClaimKind, str]]

# What may stand between a subject and its result: a bounded part of one sentence.
GAP = r"[^.;!?|\n]{0,60}?"


# "The tests pass not all": how far behind a result its denial may stand.
_TAIL = 8


def build_language(
    *,
    exempt: str,
    blocked: str,
    work: Rows,
    results: Rows,
    denied: str,
    others: str,
    deeds: str,
    letters: str = "",
) -> Language:
    """Return a language; a wording's group `past` marks what is over and done.

    `denied` finds the negation of a result ("die Tests sind nicht grün"), but not the
    one that is good news ("der Linter findet keine Fehler"). `others` finds that a file
    was changed by another hand, at another time, or is by the program ("corrigé dans la
    version 2.0", "créé au démarrage"). `deeds` finds any other verb of the agent's
    own past. `letters` is a character class without which no
    sentence is in this language.
    """
    works = tuple((kind, re.compile(text)) for kind, text in work)
    ends = tuple((kind, re.compile(text)) for kind, text in results)
    verbs = re.compile(deeds)
    return _Rows(
        script=re.compile(letters),
        left_out=re.compile(exempt),
        taken_back=re.compile(blocked),
        denial=re.compile(denied),
        elsewhere=re.compile(others),
        deeds=verbs,
        works=works,
        ends=ends,
        screen=Screen((*(wording for _, wording in (*works, *ends)), verbs), SCREENS),
    ).find


_Wordings: TypeAlias = tuple[tuple[ClaimKind, re.Pattern[str]], ...]


@dataclass(frozen=True, kw_only=True)
class _Rows:
    script: re.Pattern[str]
    left_out: re.Pattern[str]
    taken_back: re.Pattern[str]
    denial: re.Pattern[str]
    elsewhere: re.Pattern[str]
    deeds: re.Pattern[str]
    works: _Wordings
    ends: _Wordings
    screen: Screen

    def find(self, text: str) -> Iterator[ClaimWord]:
        passed = tuple(self.screen.passed(text))
        if not passed or not self.script.search(text) or self.left_out.search(text):
            return
        has_word = False
        for place in passed:
            if place < len(self.works):
                word = self._worked(text, *self.works[place])
            elif place < len(self.works) + len(self.ends):
                word = self._ended(text, *self.ends[place - len(self.works)])
            else:
                word = None if has_word else self._other(text)
            if word is not None:
                has_word = True
                yield word

    def _worked(
        self, text: str, kind: ClaimKind, pattern: re.Pattern[str]
    ) -> ClaimWord | None:
        match = pattern.search(text)
        if not match or (kind in FILE_KINDS and self.elsewhere.search(text)):
            return None
        if self.taken_back.search(text[: match.end()]):
            return None
        return ClaimWord(kind, match.start(), match.end())

    def _other(self, text: str) -> ClaimWord | None:
        word = self._worked(text, ClaimKind.OTHER, self.deeds)
        return replace(word, known=False) if word else None

    def _ended(
        self, text: str, kind: ClaimKind, pattern: re.Pattern[str]
    ) -> ClaimWord | None:
        match = pattern.search(text)
        if not match or self.denial.search(text[match.start() : match.end() + _TAIL]):
            return None
        if self.taken_back.search(text[: match.start()]):
            return None
        current = not match.groupdict().get("past")
        return ClaimWord(kind, match.start(), match.end(), current=current, result=True)
