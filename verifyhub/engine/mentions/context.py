"""Whether the sentence around a name says that the name need not exist.

A name that is proposed, supposed or said to be absent is no invention when the trace
does not hold it. Cues are looked for in the clause before the name, in five languages.
"""

import re
from bisect import bisect_left, bisect_right

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


# Where the wordings above may begin. Found once in an answer: the full expressions are
# tried only on a clause that holds one, else ten thousand names in a row would have
# the same words read again for each.
_HEADS = re.compile(
    r"(?i)\b(?=(?:I|we|you)\b|I['’]|we['’]|(?:want me|shall|should|let|going|plan"
    r"|propos|suggest|recommend|consider|could|next step|option|might|would"
    r"|such as|for example|e\.g\.|for instance|imagin|suppos|hypothetical|something"
    r"|say,|named like|placeholder|if you had|there|no|couldn't|can't|cannot|didn't"
    r"|did not|unable|doesn't|does not|don't|do not|without"
    r"|буд|создам|добавлю|предлагаю|можно|стоит|следует|нужно|планирую|например"
    r"|допустим|предположим|скажем|вроде|нет|не"
    r"|je|nous|on|vous|il|par|tel|aucun"
    r"|ich|wir|man|sie|du|vorschlag|zum|z\.|angenommen|etwa|kein|es"
    r"|voy|vamos|se|puede|propongo|habría|por|como|ningun))"
)


class Context:
    """An answer's clauses and cues, found in one pass, asked at any place of it."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._breaks = [mark.end() for mark in _BREAK.finditer(answer)]
        self._heads = [mark.start() for mark in _HEADS.finditer(answer)]

    def exemption(self, start: int, end: int) -> str | None:
        """Return why an absent name at this place would be no invention, if so."""
        answer = self._answer
        first = max(0, start - _REACH)
        line = answer.rfind("\n", first, start) + 1 or first
        if answer[line:start].lstrip().startswith(">"):
            return QUOTED
        clause = max(first, self._clause_start(start))
        spoken = self._has_head(clause, start)
        before = answer[clause:start] if spoken else ""
        after = answer[end : end + _AFTER]
        if _NEGATED_AFTER.search(after) or (spoken and _NEGATED_BEFORE.search(before)):
            return "negated"
        if spoken and _HYPOTHETICAL.search(before):
            return "hypothetical"
        if spoken and _PROPOSED.search(before):
            return "proposed"
        return None

    def _clause_start(self, start: int) -> int:
        position = bisect_right(self._breaks, start)
        return self._breaks[position - 1] if position else 0

    def _has_head(self, first: int, last: int) -> bool:
        position = bisect_left(self._heads, first)
        return position < len(self._heads) and self._heads[position] < last
