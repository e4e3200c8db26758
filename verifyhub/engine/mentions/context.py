"""Decide by the sentence around a name whether the name has to exist.

A name that is proposed, supposed or said to be absent is no invention if the trace does
not contain it. Cues are searched in the clause before the name, in five languages.
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

# In a block quote: only exempt if the quoted text is the user's own.
QUOTED = "quoted"

_REACH = 160
_AFTER = 60
# A list of names, split into names, may be longer.
_LIST_REACH = 600
# The end of a clause; a period in `e.g.`, `z. B.` or `p. ex.` is none. The first
# character is fixed, so that the engine can skip to it.
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
# "I tested it with …": the command was run, or is stated to have been run.
_RAN = re.compile(
    r"(?i)\b(?:ran|run by|executed|tested|verified|validated|checked|built|confirmed"
    r"|used|called|invoked|pass(?:ed|es)|succeeded|reproduced|measured|formatted|linted"
    r"|(?:запусти|выполни|провери|собра|прогна|использова)\w*л\w?"
    r"|lancé|exécuté|vérifié|testé|utilisé|ausgeführt|getestet|geprüft|verwendet"
    r"|ejecut[éó]|ejecutado|probado|probé|verificado|verifiqué|usado|usé)\b"
)


def is_advised(answer: str, start: int) -> bool:
    """Whether a command at this place is recommended, instead of reported as run."""
    start = list_start(answer, start, max(0, start - _LIST_REACH))
    before = answer[max(0, start - _REACH) : start]
    if not _ADVISED.search(before[-40:]):
        return False
    breaks = [mark.end() for mark in _BREAK.finditer(before)]
    return not _RAN.search(before, breaks[-1] if breaks else 0)


class Context:
    """An answer's clauses and cues, found in one pass, for queries at any place."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._breaks = [mark.end() for mark in _BREAK.finditer(answer)]
        self._heads = heads(answer)

    def exemption(self, start: int, end: int) -> str | None:
        """Return why an absent name at this place is no invention; None if it is."""
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
    """Return whether a name is the thing that is created, not the place of it."""
    if ADDED_TO.search(before):
        return False
    return not WITHIN.search(before) or bool(TRANSFERRED.search(before))


def _is_proposed(before: str, after: str) -> bool:
    if PROPOSED.search(before):
        return True
    return bool(OPENED.search(before) and MADE_AFTER.search(after))


# "`a.py`, `b.py` and `c.py`": the text between the names of one list.
_LINK = r"(?:[,;]?\s*(?:and|or|nor|then|и|или|et|ou|und|oder|y|o)\s+|[,;]\s*)"
_SPAN = r"`[^`\n]{1,160}`"
_LIST = rf"(?:{_LINK}(?:the |an? )?{_SPAN}){{0,6}}"
_NOUN = r"(?:\s+(?:file|function|class|method|module|helper|package|script)s?)?"
_LINE = (
    r"(?:on |at |in )?lines? \d|(?:в |на )?строк\w{1,2} \d|(?:à la )?ligne \d"
    r"|(?:in )?zeile \d|(?:en la )?línea \d"
)
_VERB = (
    r"(?:already|still|also|now|currently|уже|déjà|bereits|schon|ya)\b"
    r"|(?:contain|implement|define|call|declare|export|import|handle|hold|return|raise"
    r"|throw|provide|load|read|write|store|check|validate|include|register|use|live"
    r"|exist|wrap|fail|break|do|sit|parse|depend|cause|show|lack|inherit|extend"
    r"|override)(?:es|s)?\b"
    r"|ha(?:s|ve|d)\b|(?:was|were)\b|does\b"
    r"|(?:is|are) (?:the|in|at|where|defined|used|called|located|declared|implemented"
    r"|responsible|broken|already|imported|registered|missing)\b"
    r"|(?:содерж|реализу|определя|вызыва|объявля|экспортир|импортир|обрабатыва|хран"
    r"|возвраща|использу|загружа|чита|пиш|провер|наход)(?:ит|ат|ет|ют|яет|ится|ятся)\b"
    r"|(?:contien|implément|défini|appell|déclar|export|import|gèr|retourn|renvoi"
    r"|utilis|charg|li|écri|vérifi)(?:t|nent|e|ent|ssent|vent)?\b"
    r"|(?:enthäl|implementier|definier|ruf|deklarier|exportier|importier|behandel"
    r"|verwende|nutz|lädt|lies|schreib|prüf|lieg|steh)(?:t|en|n|ten)?\b"
    r"|(?:contien|implement|defin|llam|declar|export|import|manej|devuelv|us|carg|le"
    r"|escrib|verific)(?:e|a|en|an)\b"
)
_ASSERTED_AFTER = re.compile(
    rf"(?i)^[`*\"')\]”»]*{_LIST}{_NOUN}(?:\s*[,(]\s*|\s+)(?:{_LINE}|{_VERB})"
)
_ASSERTED_BEFORE = re.compile(rf"(?i)`{_NOUN}\s+(?:{_LINE}|{_VERB})")
# In German, the verb precedes the name.
_INVERTED = re.compile(
    r"(?i)\b(?:beispiel|beispielsweise|bspw\.?|z\. ?b\.) (?:enthält|implementiert"
    r"|definiert|ruft|exportiert|importiert|verwendet|nutzt|liegt|steht|behandelt)\b"
)
_NUMBERED = re.compile(r"(?::|#L)\d+(?:[-:,]L?\d+)*$")
# Cues that select an existing thing; all others are suppositions.
_SUPPOSED = re.compile(
    r"(?i)\b(?:if|when|would|could|might|may|imagin\w*|suppos\w*|assum\w*|pretend|say"
    r"|let['’]s|hypothetical\w*|placeholder|something|named|like|as if"
    r"|если|бы|пусть|допустим|предположим|представ\w*|скажем|вообраз\w*|гипотет\w*"
    r"|si|s['’]il|suppos\w*|imagin\w*|disons|mettons|admettons|prenons|quelque"
    r"|hypothétique\w*|wenn|würde|könnte|angenommen|nehmen|stell\w*|gäbe|gegeben"
    r"|etwas|hypothetisch\w*|supong\w*|supón|digamos|algo|hipotétic\w*|pongamos)\b"
)


def is_stated(before: str, name: str, after: str) -> bool:
    """Return whether an example is stated as a fact: by a verb or a line number.

    Args:
        before: The clause before the name.
        name: The name as written there.
        after: The text after it.
    """
    if _SUPPOSED.search(before):
        return False
    return bool(
        _NUMBERED.search(name)
        or _ASSERTED_AFTER.search(after)
        or _ASSERTED_BEFORE.search(before)
        or _INVERTED.search(before)
    )


_LINKS = r"and|or|nor|then|и|или|ни|et|ou|ni|und|oder|noch|y|o|e|u"
# Read backwards from the name: a quoted name and the link to the next one.
_LINKED = re.compile(
    rf"(?i)(?:[,;/]\s*(?:(?:{_LINKS})\s+)?|\s(?:{_LINKS})\s+)(?:an? |the )?[`*\"]*$"
)
_OPEN = re.compile(r"[*\"]*`$")
_NEXT = re.compile(
    rf"(?i)^[`*\"]*(?:[,;/]\s*(?:(?:{_LINKS})\s+)?|\s(?:{_LINKS})\s+)(?:the )?"
    r"`[^`\n]{1,80}`"
)
_ENDS = re.compile(
    rf"(?i)^[`*\"')\]”»]*(?:\s*(?:[.,;:!?)]|$)|\s(?:{_LINKS})\s+`"
    r"|\s+(?:in|from|anywhere|here|at all|yet|exists?|either)\b)"
)
# Maximum names of one list that are read backwards.
_MOST = 12


def list_start(text: str, start: int, floor: int) -> int:
    """Return the position of the first name in the list around a place.

    Args:
        start: The position of a name, without its backticks.
        floor: The position at which the search stops.
    """
    for _ in range(_MOST):
        before = text[max(floor, start - 24) : start]
        link = _LINKED.search(before) if _OPEN.search(before) else None
        if link is None:
            return start
        end = start - len(before) + link.start()
        if text[end - 1 : end] != "`":
            return start
        opened = text.rfind("`", floor, end - 1)
        if opened < 0 or "\n" in text[opened:end]:
            return start
        start = opened + 1
    return start


def list_end(after: str) -> int:
    """Return the end of the last name of a list, in the text after one of its names."""
    end = 0
    while match := _NEXT.match(after[end:]):
        end += match.end()
    return end


def ends_list(after: str) -> bool:
    """Return whether the text after a name says nothing about it."""
    return bool(_ENDS.match(after))
