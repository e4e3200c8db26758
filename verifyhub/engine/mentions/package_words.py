"""What the words around a name say it is: a package, before it or behind it."""

import re

from verifyhub.engine.mentions.context import list_end, list_start
from verifyhub.engine.types import Span

_REACH = 160
_PACKAGE = (
    r"(?:(?:npm|pip|python|node|go|rust|third-party|external|\w+-level) )?"
    r"(?:packages?|librar(?:y|ies)|dependenc(?:y|ies)|crates?|gems?"
    r"|пакет\w{0,2}|библиотек\w{0,2}|зависимост\w{1,3}|paquets?|dépendances?"
    r"|bibliothèques?|pakete?s?|bibliothek(?:en)?|abhängigkeit(?:en)?|paquetes?"
    r"|dependencias?|bibliotecas?|librerías?)"
)
_AFTER = re.compile(
    rf"(?i)^`?(?:[\s-]+|\s+(?:is|are|это|—|est|sont|ist|sind|es|son)\s+"
    rf"(?:(?:an?|the|une?|les?|des|eine?|die|una?|las?|los|\w{{2,12}}) ){{0,2}})"
    rf"{_PACKAGE}"
    r"(?![\w/-]|\.\w)"
)
_MODULE = re.compile(
    r"(?i)^`?[\s-]+(?:(?:npm|python|node|go) )?(?:modules?|modul\w?|модул\w{1,2})\b"
)
_BROUGHT = re.compile(
    r"(?i)\b(?:(?:pip |npm |yarn |uv )?(?:re)?install(?:s|ed|ing)?|imports?|importing"
    r"|установ\w{1,5}|импортир\w{1,6}|installe[rz]?s?|importe[rz]?|installier\w{1,3}"
    r"|importier\w{1,3}|instala\w{0,3}|instale|importa\w{0,2})"
    r"(?: the| le| la| das| die| el)?\s+[*\"`]*$"
)
# One of these stands in whatever the expression above finds.
_STEMS = ("instal", "import", "установ", "импортир")
# One of these stands in every answer in which a package is said to be one.
PACKAGE_STEMS = (
    *_STEMS, "packag", "librar", "librer", "dependenc", "crate", "gem", "modul",
    "пакет", "библиотек", "зависимост", "модул", "paquet", "dépendance", "biblioth",
    "paket", "abhängigkeit", "bibliotec",
)  # fmt: skip
# What is taken out of a package, or is no package by the word that follows.
_PART = re.compile(
    r"(?i)^`?\s+(?:from|из|depuis|de|du|aus|von|desde|command|script|function|class"
    r"|helper|hook|component|type|constant|variable|method|symbol|file|script)\b"
)
_LOWER = re.compile(r"[a-z][a-z0-9]*+(?:[-_.][a-z0-9]++)*+$")


def package_by_words(answer: str, span: Span) -> str | None:
    """Return "package" where the sentence says that a name in backticks is one.

    Args:
        answer: The whole answer.
        span: Where the name stands, without its backticks.
    """
    start, end = span
    name = answer[start:end]
    after = answer[end : end + _REACH]
    last = after[list_end(after) :]
    if _AFTER.match(last):
        return "package"
    if not _LOWER.match(name) or _PART.match(last):
        return None
    if _MODULE.match(last):
        return "package"
    first = list_start(answer, start, max(0, start - _REACH))
    before = answer[max(0, first - 40) : first]
    if not any(stem in before.lower() for stem in _STEMS):
        return None
    return "package" if _BROUGHT.search(before) else None
