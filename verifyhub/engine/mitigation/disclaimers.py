"""What a reader is told beside an answer that could not be confirmed."""

from collections import Counter
from collections.abc import Sequence

from verifyhub.engine.claim_results import ClaimResult

DEFAULT = "en"
DISCLAIMERS = {
    "en": "This answer was checked automatically and could not be confirmed in full."
    " Treat it as uncertain, and check what matters before you rely on it.",
    "ru": "Этот ответ проверен автоматически и подтверждён не полностью. Считайте его"
    " неточным и проверьте важное, прежде чем на него опираться.",
    "fr": "Cette réponse a été vérifiée automatiquement et n’a pas pu être confirmée"
    " en entier. Considérez-la comme incertaine et vérifiez l’essentiel avant de vous"
    " y fier.",
    "de": "Diese Antwort wurde automatisch geprüft und ließ sich nicht ganz"
    " bestätigen. Betrachten Sie sie als unsicher und prüfen Sie das Wichtige, bevor"
    " Sie sich darauf verlassen.",
    "es": "Esta respuesta se comprobó automáticamente y no pudo confirmarse por"
    " completo. Considérela incierta y compruebe lo importante antes de confiar en"
    " ella.",
}


def language_of(claims: Sequence[ClaimResult]) -> str:
    """Return the language of most claims that there is a disclaimer in, else English.

    Of two as frequent, the first in the answer counts.
    """
    languages = Counter(one.language for one in claims)
    known = [(count, name) for name, count in languages.items() if name in DISCLAIMERS]
    return max(known, key=lambda one: one[0])[1] if known else DEFAULT
