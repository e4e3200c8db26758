"""Words by which a sentence of any language says that something went well, or did not.

They are asked where nothing else is known of a sentence: what it speaks of is then
looked for in the run.
"""

import re

from verifyhub.engine.completion.languages.english_results import HARM
from verifyhub.engine.text.tokens import word_set

# What may say so, in a part of a sentence.
WELL = re.compile(
    r"\b(?:cleanly|clean(?! (?:up|any|all|the|old|existing)\b)|green|pass(?:es|ed|ing)?"
    r"|success\w*|succeed(?:s|ed)?|valid|fine|ok(?:ay)?|good|done|works?|worked|healthy"
    r"|complete[sd]?|finishe[sd]|quiet|happy|silent|through|compil(?:es|ed)|builds?"
    r"|built|ran|loads|loaded|starts|started|imports|restored|applied|migrated|verified"
    r"|validated|checked|confirmed|deployed|identical|up|live|stable"
    r"|(?:no|zero|0|without(?: an?)?)(?: \w+){0,2}? (?!change|diff)"
    + HARM
    + r"|(?:finds?|found|reports?|reported) nothing|nothing to \w+"
    # German
    r"|fehlerfrei|ohne|keine?n?|nichts|grün|sauber|erfolgreich|durch\w*|bestanden|läuft"
    r"|lief|laufen|liefen|geht|gebaut|übersetzt|kompiliert|geprüft"
    # French
    r"|aucune?|sans|rien|réussi\w*|verte?s?|passe(?:nt)?|propres?|compile|fonctionne"
    r"|vérifiée?s?|tourne"
    # Spanish
    r"|ningún|ninguna|no encuentra|sin|nada|correctamente|pasan?|limpio|verdes?"
    r"|funciona|compila|verificad[oa]s?"
    # Russian
    r"|без|нет|чист\w*|успешно|проход\w*|прош[её]?л\w*|зел[её]н\w*|собира\w+|работа\w+"
    r"|проверен\w*)\b|не находит|[✅✓✔☑]"
)
_NO_ILL = re.compile(
    r"\b(?:no|0|zero|without(?: any| an?)?|nothing|keine?n?|ohne|aucune?|sans|ningún"
    r"|ninguna|sin|без|нет) (?:\w+ ){0,2}?\w*(?:err|fail|fehler|warn|problem|issue"
    r"|échec|fallo|ошиб|mismatch)\w*"
)
_ILL = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure|ures)?|errors?|broken?|breaks|crash\w*|died|dies|stopp?ed"
    r"|stops|unable|couldn|could|cannot|can|not|never|timed|blocked|missing|aborted"
    r"|rejected|skipped|pending|todo|remain(?:s|ing)?|still|yet|if|unless|until|when"
    r"|should|would|will|must|may|might|need(?:s|ed)?|please|first|before|earlier"
    r"|previously|initially|originally|attempt|only|except|but|however|because|why|how"
    r"|fehlgeschlagen|fehler(?!frei)\w*|scheiter\w*|schlug|schlägt|nicht|noch|zuerst|vorher|wenn"
    r"|falls|bevor|muss|soll\w*|würde|kann|nur|aber"
    r"|échou\w*|échec\w*|erreurs?|pas|jamais|avant|si|doit|faut|peut|mais"
    r"|falla\w*|falló|errores|nunca|antes|cuando|debe\w*|puede|pero|solo"
    r"|не|упал\w*|падал\w*|ошибк\w*|сначала|раньше|если|нужно|надо|можно|но)\b|n['’]t\b"
    r"|[❌✗✘⚠]|\?"
)
_NOT_BAD = re.compile(r"не находит|не выяв\w+|не обнаруж\w+")


# "Fantomas reports nothing", "detekt: no issues": who found nothing, by its name.
_FINDER = re.compile(
    r"[^\w\ue000]*(?P<name>[a-z][\w:+-]{3,30}?)(?:\*\*|`)?"
    r"(?:: | (?:is|reports?|reported|finds?|found|has|had|shows?|sees|gives|raises"
    r"|raised|hat|meldet|findet|zeigt|ne|no encuentra|no informa|не находит|замечани\w+"
    r"|ничего|accepts?)\b)"
)
_FOUND_NONE = re.compile(
    r"\b(?:(?:no|0|zero) (?:\w+ )?(?!change|diff)"
    + HARM
    + r"|nothing|nichts|keine? \w+|aucune? \w+|rien|no encuentra|nada|clean|quiet"
    r"|sauber|propre|limpio)\b|не находит|замечаний (?:не|нет)|нет замечаний"
)
# Words for any of them.
_ANY_FINDER = word_set(
    """
    this that there everything nothing they these those both each none which what result
    results output code tests test suite lint linter linting types typing typecheck
    typescript compiler compile build builds format formatter formatting check checks
    checker console log logs status pipeline syntax style diff review search scan audit
    coverage security command script working branch tree repo repository git still
    analyse analyser analyzer analysis static vérification линтер тесты сборка проверка
    """
)


def finder_named(text: str) -> str:
    """Return the name of what a sentence says found nothing; empty if it says not.

    Args:
        text: The sentence in lower case, code masked.
    """
    match = _FINDER.match(text)
    if match is None or match["name"] in _ANY_FINDER or not _FOUND_NONE.search(text):
        return ""
    return match["name"] if says_well(text) else ""


def says_well(text: str) -> bool:
    """Return whether a sentence says that something went well, and nothing else."""
    if WELL.search(text) is None:
        return False
    return not says_ill(text)


def says_ill(text: str) -> bool:
    """Return whether a sentence says that something went wrong, or is still to do."""
    plain = _NOT_BAD.sub("", _NO_ILL.sub("", text))
    return _ILL.search(plain) is not None
