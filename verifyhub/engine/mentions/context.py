"""Whether the sentence around a name says that the name need not exist.

A name that is proposed, supposed or said to be absent is no invention when the trace
does not hold it. Cues are looked for in the clause before the name, in five languages.
"""

import re
from bisect import bisect_left, bisect_right

from verifyhub.engine.mentions.cues import (
    ADDED_TO,
    EXAMPLES,
    HYPOTHETICAL,
    IN_VAIN,
    LOOKED,
    MADE_AFTER,
    NEGATED_AFTER,
    NEGATED_BEFORE,
    OPENED,
    ORDERED,
    PLURAL,
    PROPOSED,
    REPORTED,
    TRANSFERRED,
    WITHIN,
    heads,
)
from verifyhub.engine.mentions.enumerated import ends_list, list_end, list_start
from verifyhub.engine.mentions.stated import is_stated

# In a block quote: exempt only where the quoted text is the user's own.
QUOTED = "quoted"

_REACH = 160
_AFTER = 60
# A list of names, told apart name by name, may be longer.
_LIST_REACH = 600
# The end of a clause; a point within `e.g.`, `z. B.` or `p. ex.` ends none. The first
# character stands alone, so that the engine skips to the next that may begin one.
_BREAK = re.compile(
    r"[.!?…;:\n](?:(?<=[.!?…])(?=\s)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bz\.)(?<!\bz\. B\.)"
    r"(?<!\bz\.B\.)(?<!\bp\.)(?<!\bp\. ex\.)(?<!\bp\. ej\.)(?<!\bvs\.)"
    r"|(?<=\n)\s*\n|(?<=\n)\s*(?:[-*+]|\d+[.)])\s|(?<=;)|(?<=:)\s)"
)

_ADVISED = re.compile(
    r"(?i)(?:^|[\s(*_-])(?:run|use|try|execute|type|via|with|using|running|invoke|call|do"
    r"|запустите|выполните|используйте|lancez|exécutez|utilisez|führe|starte"
    r"|ejecuta|usa|utiliza)(?:\s+(?:the|this|it|again|then|команду|la commande"
    r"|den befehl|el comando|command))*[\s:*_(]*`*$"
)
# "I tested it with …": that ran, or is said to have run.
_RAN = re.compile(
    r"(?i)\b(?:ran|run by|executed|tested|verified|validated|checked|built|confirmed"
    r"|used|called|invoked|pass(?:ed|es)|succeeded|reproduced|measured|formatted|linted"
    r"|(?:запусти|выполни|провери|собра|прогна|использова)\w*л\w?"
    r"|lancé|exécuté|vérifié|testé|utilisé|ausgeführt|getestet|geprüft|verwendet"
    r"|ejecut[éó]|ejecutado|probado|probé|verificado|verifiqué|usado|usé)\b"
)


def is_advised(answer: str, start: int) -> bool:
    """Whether a command at this place is something to run, not something that ran."""
    start = list_start(answer, start, max(0, start - _LIST_REACH))
    before = answer[max(0, start - _REACH) : start]
    if not _ADVISED.search(before[-40:]):
        return False
    breaks = [mark.end() for mark in _BREAK.finditer(before)]
    return not _RAN.search(before, breaks[-1] if breaks else 0)


class Context:
    """An answer's clauses and cues, found in one pass, asked at any place of it."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._breaks = [mark.end() for mark in _BREAK.finditer(answer)]
        self._heads = heads(answer)

    def exemption(self, start: int, end: int) -> str | None:
        """Return why an absent name at this place would be no invention, if so."""
        answer = self._answer
        first = max(0, start - _REACH)
        line = answer.rfind("\n", first, start) + 1 or first
        if answer[line:start].lstrip().startswith(">"):
            return QUOTED
        clause = max(first, self._clause_start(start))
        has_head = self._has_head(clause, start)
        before = answer[clause:start]
        after = answer[end : end + _AFTER]
        if _is_negated(before, after, has_head=has_head) or self._is_list_negated(
            start, end, clause
        ):
            return "negated"
        if has_head and HYPOTHETICAL.search(before) and not REPORTED.search(before):
            stated = is_stated(before, answer[start:end], answer[end : end + _REACH])
            return None if stated else "hypothetical"
        if EXAMPLES.search(answer[line:clause]):
            return "hypothetical"
        proposed = ORDERED.match(before) or (has_head and _is_proposed(before, after))
        return "proposed" if proposed and _is_made(before) else None

    def _is_list_negated(self, start: int, end: int, clause: int) -> bool:
        """Whether a list is denied: "no `a.py`, `b.py`", "`a.py`, `b.py` are not"."""
        answer = self._answer
        after = answer[end : end + _REACH]
        last = list_end(after)
        if last and _is_plural_denial(answer[clause:start], after[last:]):
            return True
        first = list_start(answer, start, clause)
        if first == start or not ends_list(after):
            return False
        has_head = self._has_head(clause, first)
        return has_head and bool(NEGATED_BEFORE.search(answer[clause:first]))

    def _clause_start(self, start: int) -> int:
        position = bisect_right(self._breaks, start)
        return self._breaks[position - 1] if position else 0

    def _has_head(self, first: int, last: int) -> bool:
        position = bisect_left(self._heads, first)
        return position < len(self._heads) and self._heads[position] < last


def _is_negated(before: str, after: str, *, has_head: bool) -> bool:
    if NEGATED_AFTER.search(after) and not WITHIN.search(before):
        return True
    if IN_VAIN.search(after) and LOOKED.search(before):
        return True
    return has_head and bool(NEGATED_BEFORE.search(before))


def _is_plural_denial(before: str, after: str) -> bool:
    denied = PLURAL.match(after) and NEGATED_AFTER.search(after[:_AFTER])
    return bool(denied) and not WITHIN.search(before)


def _is_made(before: str) -> bool:
    """Return whether a name is what is made, not the place where something is made."""
    if ADDED_TO.search(before):
        return False
    return not WITHIN.search(before) or bool(TRANSFERRED.search(before))


def _is_proposed(before: str, after: str) -> bool:
    if PROPOSED.search(before):
        return True
    return bool(OPENED.search(before) and MADE_AFTER.search(after))
