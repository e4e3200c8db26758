"""Whether the sentence around a name says that the name need not exist.

A name that is proposed, supposed or said to be absent is no invention when the trace
does not hold it. Cues are looked for in the clause before the name, in five languages.
"""

import re

# In a block quote: exempt only where the quoted text is the user's own.
QUOTED = "quoted"

_REACH = 160
_AFTER = 60
_BREAK = re.compile(r"[.!?…](?=\s)|\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s|;|:\s")

_CREATES = (
    r"(?:add|creat|introduc|writ|extract|renam|implement|defin|generat|build|mak|put|mov"
    r"|split|spli|introduce|replac|us|call|nam|have|set up|provid)\w{0,6}"
)
_PROPOSED = re.compile(
    r"(?i)\b(?:I(?:'|’)?(?:ll| will| would| could| can)|we(?:'|’)?(?:ll| will| would"
    r"| could| can| should| might)"
    r"|you (?:can|could|should|may|might|would|will|need to)"
    r"|want me to|shall I|should I|let me|let's|let’s|going to|plan to|planning to"
    r"|propos\w{0,4}|suggest\w{0,4}|recommend\w{0,4}|consider|could|next step|option)\b"
    r"[^\n]{0,80}?\b" + _CREATES + r"\b"
    r"|\b(?:could|should|might|would) (?:be |then )?(?:" + _CREATES + r")\b"
    r"|\b(?:буду|будем|создам|добавлю|предлагаю|можно|стоит|следует|нужно|планирую)\b"
    r"|\b(?:je vais|nous allons|on pourrait|vous pouvez|je propose|il faudrait)\b"
    r"|\b(?:ich werde|wir werden|man könnte|sie können|du kannst"
    r"|ich schlage|vorschlag)\b"
    r"|\b(?:voy a|vamos a|se podría|puedes|puede|propongo|habría que)\b"
)
_HYPOTHETICAL = re.compile(
    r"(?i)\b(?:such as|for example|e\.g\.|for instance|imagine|suppose"
    r"|hypothetical\w{0,3}"
    r"|something like|say,|named like|placeholder|would look like|if you had)(?=\W|$)"
    r"|\b(?:например|допустим|предположим|скажем|вроде)\b"
    r"|\b(?:par exemple|supposons|imaginons|tel que|telle que|tels que)\b"
    r"|\b(?:zum beispiel|z\.\s?b\.|angenommen|etwa wie)(?=\W|$)"
    r"|\b(?:por ejemplo|supongamos|imagina|como por)\b"
)
_NEGATED_BEFORE = re.compile(
    r"(?i)(?:\bthere (?:is|are|was|were) no"
    r"|\bno (?:such )?(?:file|class|function|package"
    r"|module|method|directory|folder|command)?(?: named| called)?"
    r"|\b(?:couldn't|could not|can't|cannot|didn't|did not|unable to) (?:find|locate)"
    r"(?: any| a| the)?|\b(?:doesn't|does not|don't|do not) (?:have|contain|include)"
    r"(?: any| a| an| the)?|\bwithout(?: any| a)?"
    r"|\bнет|\bне (?:нашёл|нашел|нашла|найден\w?|существует)"
    r"|\bil n'y a pas de|\bil n’y a pas de|\baucune?|\bje n'ai pas trouvé"
    r"|\bkeine?n?r?|\bes gibt keine?n?|\bno hay|\bno (?:encontré|existe)|\bninguna?)"
    r"\s+(?:file |class |function |package |module |method )?[`*\"'(\[]*$"
)
_NEGATED_AFTER = re.compile(
    r"(?i)^[`*\"')\]]*(?:\s+(?:file|class|function|package|module|method|folder))?"
    r"\s+(?:does not exist|doesn't exist|doesn’t exist|do not exist|is missing"
    r"|was not found"
    r"|not found|isn't there|is not (?:there|present|available)|is absent|never existed"
    r"|не существует|не найден\w?|отсутствует|n'existe pas|n’existe pas|existiert nicht"
    r"|fehlt|no existe|no se encuentra)"
)


_ADVISED = re.compile(
    r"(?i)(?:^|[\s(*_-])(?:run|use|try|execute|type|via|with|using|running|invoke|call|do"
    r"|command|запустите|выполните|используйте|lancez|exécutez|utilisez|führe|starte"
    r"|ejecuta|usa|utiliza)(?:\s+(?:the|this|it|again|then|команду|la commande"
    r"|den befehl|el comando|command))*[\s:*_(]*`*$"
)


def is_advised(answer: str, start: int) -> bool:
    """Whether a command at this place is something to run, not something that ran."""
    return bool(_ADVISED.search(answer[max(0, start - 40) : start]))


def exemption(answer: str, start: int, end: int) -> str | None:
    """Return why an absent name at this place would be no invention, if so."""
    before = answer[max(0, start - _REACH) : start]
    line = before[before.rfind("\n") + 1 :]
    if line.lstrip().startswith(">"):
        return QUOTED
    clause = _last_clause(before)
    after = answer[end : end + _AFTER]
    if _NEGATED_BEFORE.search(clause) or _NEGATED_AFTER.search(after):
        return "negated"
    if _HYPOTHETICAL.search(clause):
        return "hypothetical"
    if _PROPOSED.search(clause):
        return "proposed"
    return None


def _last_clause(before: str) -> str:
    last = 0
    for mark in _BREAK.finditer(before):
        last = mark.end()
    return before[last:]
