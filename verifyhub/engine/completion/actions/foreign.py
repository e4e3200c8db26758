"""Deeds on records in Russian, French, German and Spanish.

A language is a row: who or what is said to have done it, the beginnings of the
participles by deed, and the words that make a sentence a plan, a condition, a denial or
a record's fact.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verifyhub.engine.calls.deed_words import (
    RecordDeed,
    deed_set,
    foreign_deeds,
    inner_deeds,
    stem,
    things_of,
)
from verifyhub.engine.completion.actions.clauses import ActionClause, Certainty
from verifyhub.engine.completion.languages.model import alternation
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.screen import Screen

_D = RecordDeed
_ANY = frozenset({_D.ANY})


@dataclass(frozen=True)
class _Language:
    """A language.

    `does` is who did it or the passive, `says` a letter or word of the language,
    `light` are the verbs that leave it to their object what was done, `denies` the
    words of denial before a verb, `dated` what makes a clause with it a record's fact.
    """

    says: re.Pattern[str]
    does: str
    verbs: Mapping[RecordDeed, str]
    light: str
    denies: re.Pattern[str]
    blocks: re.Pattern[str]
    dated: re.Pattern[str] = re.compile(r"(?!)")

    @cached_property
    def deeds(self) -> Mapping[str, frozenset[RecordDeed]]:
        """The deeds of each verb, any deed for the light ones."""
        rows = self.verbs.items()
        deeds: dict[str, frozenset[RecordDeed]] = {}
        for deed, row in rows:
            for word in row.split():
                deeds[word] = deeds.get(word, frozenset()) | {deed}
        return deeds | dict.fromkeys(self.light.split(), _ANY)

    @cached_property
    def sentences(self) -> re.Pattern[str]:
        """Clauses that say what was done."""
        lead = rf"{self.does}(?:[^.;!?\n]|\.(?=\d)){{0,120}}?" if self.does else ""
        return re.compile(rf"{lead}(?<!\w)(?P<verb>{alternation(self.deeds)})")

    @cached_property
    def listed(self) -> re.Pattern[str]:
        """The same in a list of what was done: "Karte 8124 gesperrt"."""
        verb = rf"(?<!\w)(?P<verb>{alternation(self.deeds)})"
        return re.compile(
            rf"{verb}[a-zéа-я]{{0,3}}(?=\W*$|\W{{0,3}}:|\s(?:{_TAILS})\s)"
        )


# For when, for whom and at which place follow a report without a verb.
_TAILS = "para|pour|für|auf|на|для|hasta|jusqu|bis|до"


_GERMAN = _Language(
    says=re.compile(r"\b(?:ich|wir|wurden?|ist|sind|ihre?|ihnen|der|die|das)\b"),
    does=(r"\b(?:ich habe|habe ich|wir haben|haben wir|habe|wurden?|ist|sind)\b"),
    verbs={
        _D.CANCEL: "storniert gekündigt abgesagt annulliert widerrufen beendet",
        _D.REFUND: """erstattet zurückerstattet rückerstattet gutgeschrieben
            zurückgezahlt zurücküberwiesen zurückgebucht""",
        _D.BOOK: """gebucht reserviert bestellt gekauft vereinbart angemeldet
            eingetragen eingeplant terminiert vorgemerkt eingeschrieben gemietet
            angesetzt ausgemacht""",
        _D.CHANGE: """geändert aktualisiert umgebucht verschoben angepasst verlängert
            hochgestuft herabgestuft umgestellt verlegt korrigiert gewechselt erhöht
            gesenkt reduziert eingestellt umgeleitet erneuert zurückgesetzt vorgezogen
            umbenannt ersetzt umgemeldet aufgeteilt hinterlegt übernommen
            aufgestockt herabgesetzt heraufgesetzt getauscht vertauscht abgeändert""",
        _D.ADD: """hinzugefügt ergänzt zugebucht hochgeladen verknüpft angehängt
            beigefügt aufgeladen""",
        _D.PAY: "bezahlt abgebucht belastet berechnet",
        _D.ISSUE: "ausgestellt gewährt",
        _D.WAIVE: "erlassen",
        _D.SEND: """gesendet geschickt verschickt versandt zugesandt zugeschickt
            versendet benachrichtigt informiert mitgeteilt verständigt gemailt
            übermittelt beantwortet veröffentlicht gepostet eingeladen""",
        _D.TRANSFER: "weitergeleitet überwiesen verbunden",
        _D.ESCALATE: "eskaliert",
        _D.EXCHANGE: "umgetauscht ausgetauscht",
        _D.RETURN: "zurückgeschickt retourniert",
        _D.APPROVE: "genehmigt freigegeben",
        _D.REJECT: "abgelehnt",
        _D.ASSIGN: "zugewiesen beauftragt zugeteilt",
        _D.CLOSE: "geschlossen abgeschlossen gelöst",
        _D.ENABLE: """aktiviert freigeschaltet entsperrt eingeschaltet gestartet
            reaktiviert""",
        _D.DISABLE: """deaktiviert gesperrt pausiert ausgeschaltet abgeschaltet
            gestoppt eingefroren stillgelegt""",
        _D.CREATE: """angelegt eröffnet erstellt erfasst eingereicht hinterlegt
            eingerichtet generiert gemeldet aufgenommen aufgegeben beantragt
            angefordert reklamiert übernommen notiert vermerkt gespeichert registriert
            verbucht protokolliert gestellt""",
        _D.DELETE: "gelöscht entfernt gestrichen ausgetragen",
    },
    light="""durchgeführt vorgenommen veranlasst bearbeitet erledigt ausgeführt
        ausgelöst abgewickelt eingeleitet""",
    denies=re.compile(r"\b(?:nicht|nichts|nie|niemand\w*|kein\w*)\b"),
    blocks=re.compile(
        r"\?|\b(?:derzeit|aktuell|momentan|zurzeit|bisher|wenn|falls|sobald|ob|kann|können|könn\w+|wird|werden"
        r"|würde\w*|möcht\w+|soll\w*|müss\w+|muss|bitte|bereits|von ihnen"
        r"|vor|sie haben|haben sie)\b"
    ),
    dated=re.compile(r"\b(?:am|vom) \d"),
)
_FRENCH = _Language(
    says=re.compile(r"\b(?:j['’]ai|nous|votre|vos|été|est|sont|vous)\b"),
    does=(
        r"(?:\bj['’]ai|\bje (?:l|vous)['’ ]ai|\bnous (?:vous )?avons|\bété|\best"
        r"|\bsont)"
    ),
    verbs={
        _D.CANCEL: "annulé résilié",
        _D.REFUND: "remboursé crédité recrédité",
        _D.BOOK: """réservé commandé acheté planifié programmé pris inscrit fixé
            confirmé""",
        _D.CHANGE: """modifié changé mis mise reporté déplacé prolongé surclassé
            augmenté réduit baissé abaissé renouvelé réinitialisé redirigé corrigé
            rectifié avancé divisé réparti fractionné remplacé relevé ajusté décalé""",
        _D.ADD: "ajouté joint associé rechargé",
        _D.PAY: "débité facturé payé prélevé réglé",
        _D.ISSUE: "émis accordé",
        _D.SEND: """envoyé notifié informé prévenu averti avisé communiqué expédié
            adressé publié invité""",
        _D.TRANSFER: "transféré transmis viré",
        _D.ESCALATE: "escaladé",
        _D.EXCHANGE: "échangé",
        _D.RETURN: "retourné renvoyé",
        _D.APPROVE: "approuvé validé confirmé",
        _D.REJECT: "refusé rejeté",
        _D.ASSIGN: "attribué assigné affecté désigné",
        _D.CLOSE: "clôturé fermé résolu clos",
        _D.ENABLE: "activé débloqué réactivé allumé démarré lancé déverrouillé",
        _D.DISABLE: "désactivé suspendu bloqué éteint gelé verrouillé",
        _D.CREATE: """créé ouvert généré établi déposé enregistré soumis rédigé demandé
            signalé noté saisi consigné""",
        _D.WAIVE: "exonéré",
        _D.DELETE: "supprimé effacé retiré",
    },
    light="effectué traité réalisé procédé finalisé exécuté",
    denies=re.compile(r"\b(?:ne|pas|jamais|rien|aucune?)\b|\bn['’]"),
    blocks=re.compile(
        r"\?|\b(?:actuellement|si|quand|lorsque|peut|peuvent|pouvons|pouvez|pourr\w+|sera"
        r"|seront|voulez|souhaitez|veuillez|déjà|par (?:vous|le|la|l)"
        r"|avez)\b"
    ),
    dated=re.compile(r"\ble \d"),
)
_SPANISH = _Language(
    says=re.compile(
        r"\b(?:he|hemos|ha|han|su|sus|tu|tus|está|están|fue|fueron|queda)\b"
    ),
    does=(
        r"\b(?:he|hemos|ha sido|han sido|se (?:l[ae]s? |te )?han?|ha quedado|queda"
        r"|está|están|fue|fueron)\b"
    ),
    verbs={
        _D.CANCEL: "cancelad anulad",
        _D.REFUND: "reembolsad abonad reintegrad",
        _D.BOOK: """reservad comprad programad agendad inscrit matriculad confirmad
            contratad""",
        _D.CHANGE: """cambiad modificad actualizad reprogramad ampliad mejorad
            aumentad reducid renovad restablecid corregid pospuest adelantad movid
            trasladad redirigid prorrogad dividid fraccionad sustituid reemplazad
            ajustad rebajad subid bajad""",
        _D.ADD: "añadid agregad incluid adjuntad recargad",
        _D.PAY: "cobrad cargad pagad",
        _D.ISSUE: "emitid concedid",
        _D.SEND: "enviad notificad informad avisad comunicad publicad mandad",
        _D.TRANSFER: "transferid derivad",
        _D.ESCALATE: "escalad",
        _D.RETURN: "devuelt",
        _D.EXCHANGE: "intercambiad",
        _D.APPROVE: "aprobad autorizad confirmad",
        _D.REJECT: "rechazad",
        _D.ASSIGN: "asignad",
        _D.CLOSE: "cerrad resuelt",
        _D.ENABLE: "activad desbloquead reactivad encendid habilitad",
        _D.DISABLE: "desactivad suspendid bloquead apagad congelad pausad",
        _D.CREATE: """cread abiert solicitad generad presentad tramitad registrad
            pedid reclamad puesto puesta denunciad anotad guardad apuntad""",
        _D.WAIVE: "condonad eximid",
        _D.DELETE: "eliminad borrad quitad retirad",
    },
    light="realizad gestionad efectuad procesad hecho hecha completad",
    denies=re.compile(r"\b(?:no|nunca|tampoco|nada|ning[uú]n\w*)\b"),
    blocks=re.compile(
        r"\?|¿|\b(?:actualmente|si|cuando|puede\w*|podemos|podría\w*|será\w*|quiere|desea|ya"
        r"|por (?:usted|el|la)|usted ha)\b"
    ),
    dated=re.compile(r"\bel \d"),
)
_RUSSIAN = _Language(
    says=re.compile(r"[а-яё]"),
    does="",
    verbs={
        _D.CANCEL: "отменил отменен отменён аннулир расторг",
        _D.REFUND: "вернул возвращен возвращён возместил возмещен возмещён",
        _D.BOOK: """забронировал забронирован заказал купил куплен записал
            записан зарегистрир запланир назначил назначен""",
        _D.CHANGE: """изменил изменен изменён обновил обновлен обновлён перенес
            перенёс перенесен перенесён продлил продлен продлён перенаправ повысил
            повышен понизил понижен снизил сменил переключ исправ сбросил сброшен
            увелич уменьш перешёл переведён заменил заменен заменён разделил разделен
            разделён""",
        _D.ADD: """добавил добавлен прикрепил прикреплен прикреплён пополнил пополнен
            подключил подключен подключён""",
        _D.PAY: "списал списан оплатил оплачен",
        _D.ISSUE: "выдал выдан начислил начислен",
        _D.SEND: """отправил отправлен уведомил уведомлен уведомлён сообщил
            проинформир выслал выслан опубликова ответил""",
        _D.TRANSFER: "перевел перевёл переведен переведён передал передан",
        _D.ESCALATE: "эскалир",
        _D.EXCHANGE: "обменял обменен",
        _D.APPROVE: "одобрил одобрен подтвердил",
        _D.REJECT: "отклонил отклонен отклонён",
        _D.ASSIGN: "поручил поручен",
        _D.CLOSE: "закрыл закрыт завершил завершен завершён",
        _D.ENABLE: """активировал активирован разблокир включил включен включён
            запустил запущен""",
        _D.DISABLE: """отключил отключен отключён приостанов заблокир деактивир
            выключил выключен заморозил заморожен""",
        _D.CREATE: """создал создан завел завёл заведен подал подан сформир сгенерир
            составил составлен запросил запрошен внёс внес внесен внесён сохранил
            сохранен сохранён зафиксир""",
        _D.DELETE: "удалил удален удалён",
    },
    light="оформил оформлен выполнил выполнен произвел произведен обработал обработан",
    denies=re.compile(r"\b(?:не|нет|нельзя|ничего|ни)\b"),
    blocks=re.compile(
        r"\?|\b(?:сейчас|если|когда|могу|можем|можно|может|будет|будут|хотите|уже"
        r"|чтобы|нужно|после того|ранее|пожалуйста|обычно|должн\w+"
        r"|вы(?! (?:\w+ )?\w+(?:ны|ты)\b))\b"
        r"|\bбыл[аио]?\b[^.;]{1,80}\b(?:\d{1,2} (?:янв|фев|мар|апр|ма|июн|июл|авг"
        r"|сен|окт|ноя|дек)|\d{4})"
    ),
)


_LANGUAGES = (_RUSSIAN, _GERMAN, _FRENCH, _SPANISH)
_SCREEN = Screen(language.sentences for language in _LANGUAGES)
_SCREEN_ALONE = Screen(language.listed for language in _LANGUAGES)


def foreign_clauses(text: str, *, listed: bool = False) -> Iterator[ActionClause]:
    """Yield the deeds that a sentence claims in one of the four languages.

    Args:
        text: The sentence in lower case.
        listed: Whether it stands in a list of what was done.
    """
    for place in (_SCREEN_ALONE if listed else _SCREEN).passed(text):
        language = _LANGUAGES[place]
        if not listed and not language.says.search(text):
            continue
        if language.blocks.search(text):
            continue
        pattern = language.listed if listed else language.sentences
        matches = list(pattern.finditer(text))
        for match in matches:
            piece, start = _piece(text, match)
            if language.denies.search(text, start, match.end()):
                continue
            own = bool(_OWN.match(match.group()))
            if language.dated.search(piece) and not own:
                continue  # "Sie wurde am 4. Mai storniert" is a record's fact.
            words = [word for word in _LONG.findall(piece) if word not in match.group()]
            deeds = language.deeds[match["verb"]]
            noun_deeds = frozenset[RecordDeed]()
            if deeds == _ANY:
                noun_deeds = foreign_deeds(words) or inner_deeds(words)
            yield ActionClause(
                deeds=noun_deeds or deeds,
                verb=_KINDS.get(match["verb"], match["verb"]),
                object="",
                span=match.span(),
                piece=match.span(),
                certainty=Certainty.DONE,
                nouns=frozenset(words),
                things=frozenset() if deeds <= _BY_WAY else things_of(words),
                foreign=True,
                head="",
                names=frozenset(),
                yours=bool(_YOURS.search(text[: match.start()])),
                own=own,
            )
        if matches:
            return
    yield from _holding(text)


def _holding(text: str) -> Iterator[ActionClause]:
    """Yield that the reader has what somebody must have booked: "tenéis mesa"."""
    match = _HOLDS.search(text)
    if match is None or _UNSURE.search(text):
        return
    words = frozenset(_LONG.findall(match.group()))
    yield ActionClause(
        deeds=frozenset({_D.BOOK}),
        verb=match["verb"],
        object="",
        span=match.span(),
        piece=match.span(),
        certainty=Certainty.STATE,
        nouns=words,
        things=things_of(words),
        foreign=True,
        head="",
        names=frozenset(),
        yours=True,
        own=False,
    )


_HOLDS = re.compile(
    r"\b(?P<verb>tienes?|tenéis|tienen|vous avez|tu as|sie haben|ihr habt|du hast"
    r"|у вас)"
    r"\s(?:(?:ya|una?|une|einen?|ein|su|есть)\s)?(?:mesa|cita|reserva|habitación|plaza"
    r"|table|rendez-vous|réservation|chambre|tisch|termin|zimmer|столик|запись|бронь)\b"
)
_UNSURE = re.compile(
    r"[?¿]|\b(?:si|cuando|wenn|falls|ob|quand|lorsque|если|когда|no|pas|nicht|kein\w*"
    r"|нет|не)\b"
)


# Changes that are no other change, by the stem of their English word.
_KINDS = {
    word: stem(kind)
    for kind, row in {
        "extend": "verlängert prolongé prorrogad ampliad продлил продлен продлён",
        "upgrade": "hochgestuft surclassé mejorad",
        "downgrade": "herabgestuft",
        "reschedule": """verschoben verlegt vorgezogen reporté déplacé avancé
            reprogramad pospuest adelantad перенес перенёс перенесен перенесён""",
        "raise": "erhöht augmenté aumentad повысил повышен увелич",
        "lower": "gesenkt reduziert baissé abaissé réduit reducid снизил уменьш",
        "renew": "erneuert renouvelé renovad",
        "rename": "umbenannt",
    }.items()
    for word in row.split()
}
# A word that may name what something was done to.
_LONG = re.compile(r"[^\W\d_]{4,30}(?:-[^\W\d_]{3,30})?")
_ENDS = re.compile(r"[.;:!?\n](?=\s|$)|,(?!\d)|\s(?:und|et|y|и|sowie|ainsi que)\s")


def _piece(text: str, match: re.Match[str]) -> tuple[str, int]:
    """Return the part of a sentence that a verb stands in, and where it begins."""
    start = max(
        (ending.end() for ending in _ENDS.finditer(text, 0, match.start())), default=0
    )
    end = _ENDS.search(text, match.end())
    return text[start : end.start() if end else len(text)], start


# Where money went, and by what a message was sent, are no object.
_BY_WAY = deed_set("refund pay send any")
_YOURS = re.compile(r"\b(?:ihre?|votre|vos|su|sus|ваш\w*)\b")
_OWN = re.compile(r"(?:ich|habe ich|wir|haben wir|j['’]|je |nous|he\b|hemos)")
