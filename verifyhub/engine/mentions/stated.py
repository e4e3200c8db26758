"""Statements of fact beside an example: "for example, `a.py` contains the bug"."""

import re

# "`a.py`, `b.py` and `c.py`": what stands between the names of one list.
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
# German puts the verb before the name.
_INVERTED = re.compile(
    r"(?i)\b(?:beispiel|beispielsweise|bspw\.?|z\. ?b\.) (?:enthält|implementiert"
    r"|definiert|ruft|exportiert|importiert|verwendet|nutzt|liegt|steht|behandelt)\b"
)
_NUMBERED = re.compile(r"(?::|#L)\d+(?:[-:,]L?\d+)*$")
# Cues that pick one of what is there; all others suppose what need not be.
_SUPPOSED = re.compile(
    r"(?i)\b(?:if|when|would|could|might|may|imagin\w*|suppos\w*|assum\w*|pretend|say"
    r"|let['’]s|hypothetical\w*|placeholder|something|named|like|as if"
    r"|если|бы|пусть|допустим|предположим|представ\w*|скажем|вообраз\w*|гипотет\w*"
    r"|si|s['’]il|suppos\w*|imagin\w*|disons|mettons|admettons|prenons|quelque"
    r"|hypothétique\w*|wenn|würde|könnte|angenommen|nehmen|stell\w*|gäbe|gegeben"
    r"|etwas|hypothetisch\w*|supong\w*|supón|digamos|algo|hipotétic\w*|pongamos)\b"
)


def is_stated(before: str, name: str, after: str) -> bool:
    """Return whether an example is told as a fact: a verb of what is, or a line number.

    Args:
        before: The clause up to the name.
        name: The name as it stands there.
        after: What follows it.
    """
    if _SUPPOSED.search(before):
        return False
    return bool(
        _NUMBERED.search(name)
        or _ASSERTED_AFTER.search(after)
        or _ASSERTED_BEFORE.search(before)
        or _INVERTED.search(before)
    )
