"""Deeds on records in Russian, French, German and Spanish.

A language is a row: who or what is said to have done it, the beginnings of the
participles by deed, and the words that make a sentence a plan, a condition, a denial or
a record's fact.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verifyhub.engine.calls.deed_words import RecordDeed
from verifyhub.engine.completion.actions.clauses import ActionClause, Certainty
from verifyhub.engine.text.screen import Screen

_D = RecordDeed


@dataclass(frozen=True, slots=True)
class _Language:
    """`does` is who did it or the passive, `says` a letter or word of the language."""

    says: re.Pattern[str]
    does: str
    verbs: Mapping[RecordDeed, str]
    blocks: re.Pattern[str]


_GERMAN = _Language(
    says=re.compile(r"\b(?:ich|wir|wurden?|ist|sind|ihre?|ihnen)\b"),
    does=r"\b(?:ich habe|habe ich|wir haben|haben wir|wurden?|ist|sind)\b",
    verbs={
        _D.CANCEL: "storniert gekündigt abgesagt annulliert",
        _D.REFUND: "erstattet zurückerstattet rückerstattet gutgeschrieben",
        _D.BOOK: "gebucht reserviert bestellt gekauft vereinbart",
        _D.CHANGE: "geändert aktualisiert umgebucht verschoben angepasst verlängert",
        _D.ADD: "hinzugefügt ergänzt",
        _D.PAY: "bezahlt abgebucht belastet berechnet",
        _D.ISSUE: "ausgestellt",
        _D.SEND: "gesendet geschickt verschickt versandt benachrichtigt",
        _D.TRANSFER: "weitergeleitet überwiesen verbunden",
        _D.ESCALATE: "eskaliert",
        _D.EXCHANGE: "umgetauscht ausgetauscht",
        _D.ENABLE: "aktiviert freigeschaltet entsperrt",
        _D.DISABLE: "deaktiviert gesperrt pausiert",
        _D.CREATE: "angelegt eröffnet",
        _D.DELETE: "gelöscht entfernt",
    },
    blocks=re.compile(
        r"\?|\b(?:nicht|kein\w*|wenn|falls|sobald|ob|kann|können|könn\w+|wird|werden"
        r"|würde\w*|möcht\w+|soll\w*|müss\w+|muss|bitte|bereits|am \d|vom \d|von ihnen"
        r"|vor|sie haben|haben sie)\b"
    ),
)
_FRENCH = _Language(
    says=re.compile(r"\b(?:j['’]ai|nous|votre|vos|été|est|sont|vous)\b"),
    does=(
        r"(?:\bj['’]ai|\bje (?:l|vous)['’ ]ai|\bnous (?:vous )?avons|\bété|\best"
        r"|\bsont)"
    ),
    verbs={
        _D.CANCEL: "annulé résilié",
        _D.REFUND: "remboursé crédité",
        _D.BOOK: "réservé commandé acheté planifié programmé",
        _D.CHANGE: "modifié changé mis mise reporté déplacé prolongé",
        _D.ADD: "ajouté",
        _D.PAY: "débité facturé payé prélevé",
        _D.ISSUE: "émis accordé",
        _D.SEND: "envoyé notifié informé",
        _D.TRANSFER: "transféré transmis",
        _D.ESCALATE: "escaladé",
        _D.EXCHANGE: "échangé",
        _D.RETURN: "retourné renvoyé",
        _D.APPROVE: "approuvé",
        _D.ENABLE: "activé débloqué réactivé",
        _D.DISABLE: "désactivé suspendu bloqué",
        _D.CREATE: "créé ouvert",
        _D.DELETE: "supprimé",
    },
    blocks=re.compile(
        r"\?|\b(?:ne|pas|si|quand|lorsque|peut|peuvent|pouvons|pouvez|pourr\w+|sera"
        r"|seront|voulez|souhaitez|veuillez|déjà|par (?:vous|le|la|l)"
        r"|le \d|avez)\b|\bn['’]"
    ),
)
_SPANISH = _Language(
    says=re.compile(r"\b(?:he|hemos|ha|han|su|sus|está|están|fue|fueron)\b"),
    does=r"\b(?:he|hemos|ha sido|han sido|se ha|se han|está|están|fue|fueron)\b",
    verbs={
        _D.CANCEL: "cancelad anulad",
        _D.REFUND: "reembolsad abonad",
        _D.BOOK: "reservad comprad programad agendad",
        _D.CHANGE: "cambiad modificad actualizad reprogramad ampliad",
        _D.ADD: "añadid agregad",
        _D.PAY: "cobrad cargad pagad",
        _D.ISSUE: "emitid",
        _D.SEND: "enviad notificad",
        _D.TRANSFER: "transferid",
        _D.ESCALATE: "escalad",
        _D.RETURN: "devuelt",
        _D.EXCHANGE: "intercambiad",
        _D.APPROVE: "aprobad",
        _D.ENABLE: "activad desbloquead reactivad",
        _D.DISABLE: "desactivad suspendid bloquead",
        _D.CREATE: "cread abiert",
        _D.DELETE: "eliminad borrad",
    },
    blocks=re.compile(
        r"\?|¿|\b(?:no|si|cuando|puede\w*|podemos|podría\w*|será\w*|quiere|desea|ya"
        r"|por (?:usted|el|la)|el \d|usted ha)\b"
    ),
)
_RUSSIAN = _Language(
    says=re.compile(r"[а-яё]"),
    does="",
    verbs={
        _D.CANCEL: "отменил отменен отменён аннулир",
        _D.REFUND: "вернул возвращен возвращён возместил возмещен возмещён",
        _D.BOOK: "забронировал забронирован заказал купил куплен оформил оформлен",
        _D.CHANGE: "изменил изменен изменён обновил обновлен обновлён перенес перенёс"
        " перенесен перенесён продлил продлен продлён",
        _D.ADD: "добавил добавлен",
        _D.PAY: "списал списан оплатил оплачен",
        _D.ISSUE: "выдал выдан начислил начислен",
        _D.SEND: "отправил отправлен",
        _D.TRANSFER: "перевел перевёл переведен переведён передал передан",
        _D.ESCALATE: "эскалир",
        _D.EXCHANGE: "обменял обменен",
        _D.APPROVE: "одобрил одобрен",
        _D.ENABLE: "активировал активирован разблокир включил включен включён",
        _D.DISABLE: "отключил отключен отключён приостанов заблокир деактивир",
        _D.CREATE: "создал создан",
        _D.DELETE: "удалил удален удалён",
    },
    blocks=re.compile(
        r"\?|\b(?:не|нет|если|когда|могу|можем|можно|может|будет|будут|хотите|уже"
        r"|чтобы|нужно|после того|вы|ранее|пожалуйста)\b"
    ),
)


def _compiled(one: _Language) -> tuple[_Language, re.Pattern[str], dict[str, _D]]:
    by_word = {word: deed for deed, row in one.verbs.items() for word in row.split()}
    verbs = "|".join(sorted(by_word, key=len, reverse=True))
    lead = rf"{one.does}[^.;!?\n]{{0,120}}?" if one.does else ""
    return one, re.compile(rf"{lead}(?<!\w)(?P<verb>{verbs})"), by_word


_LANGUAGES = tuple(map(_compiled, (_RUSSIAN, _GERMAN, _FRENCH, _SPANISH)))
_SCREEN = Screen(pattern for _, pattern, _ in _LANGUAGES)


def foreign_clauses(text: str) -> Iterator[ActionClause]:
    """Yield the deeds that a sentence claims in one of the four languages.

    Args:
        text: The sentence in lower case.
    """
    for place in _SCREEN.passed(text):
        language, pattern, by_word = _LANGUAGES[place]
        if not language.says.search(text) or language.blocks.search(text):
            continue
        found = list(pattern.finditer(text))
        for match in found:
            yield ActionClause(
                deeds=frozenset({by_word[match["verb"]]}),
                verb=match["verb"],
                object="",
                span=match.span(),
                piece=match.span(),
                certainty=Certainty.DONE,
                nouns=frozenset(),
                things=frozenset(),
                yours=bool(_YOURS.search(text[: match.start()])),
                own=bool(_OWN.match(match.group())),
            )
        if found:
            return


_YOURS = re.compile(r"\b(?:ihre?|votre|vos|su|sus|ваш\w*)\b")
_OWN = re.compile(r"(?:ich|habe ich|wir|haben wir|j['’]|je |nous|he\b|hemos)")
