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
from verifyhub.engine.completion.actions.foreign_verbs import (
    FRENCH,
    GERMAN,
    RUSSIAN,
    SPANISH,
    OpenVerbs,
)
from verifyhub.engine.completion.languages.model import alternation
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.screen import Screen

_D = RecordDeed
_ANY = frozenset({_D.ANY})
# What may stand between who did it and the verb: a German verb ends its clause, a
# Romance one follows, if it is not the second of two.
_ANY_WORDS = r"(?:[^.;!?\n]|\.(?=\d)|(?<=\d)\.){0,120}?"
_FEW_WORDS = (
    rf"(?:{_ANY_WORDS}\s(?:et|y|e|puis|luego)(?=\s))??"
    r"(?:\s+(?!(?:el|l[ae]s?|los|una?|une|[ts]us?|mi|votre|vos)\s)[^\W\d_]{1,15}){0,3}?"
    r"\s+"
)


@dataclass(frozen=True)
class _Language:
    """A language.

    `does` is who did it or the passive, `says` a letter or word of the language,
    `light` are the verbs that leave it to their object what was done, `denies` the
    words of denial before a verb, `dated` what makes a clause with it a record's fact.
    `adjacent`: the verb stands beside who did it. `open` reads verbs that no row has.
    In the rows `_` stands for a blank.
    """

    says: re.Pattern[str]
    does: str
    verbs: Mapping[RecordDeed, str]
    light: str
    denies: re.Pattern[str]
    blocks: re.Pattern[str]
    open: OpenVerbs
    adjacent: bool = False
    dated: re.Pattern[str] = re.compile(r"(?!)")

    @cached_property
    def deeds(self) -> Mapping[str, frozenset[RecordDeed]]:
        """The deeds of each verb, any deed for the light ones."""
        rows = self.verbs.items()
        deeds: dict[str, frozenset[RecordDeed]] = {}
        for deed, row in rows:
            for word in row.split():
                word = word.replace("_", " ")
                deeds[word] = deeds.get(word, frozenset()) | {deed}
        return deeds | dict.fromkeys(self.light.split(), _ANY)

    @cached_property
    def sentences(self) -> re.Pattern[str]:
        """Clauses that say what was done."""
        between = _FEW_WORDS if self.adjacent else _ANY_WORDS
        lead = f"{self.does}{between}" if self.does else ""
        return re.compile(
            rf"{lead}(?<!\w)(?P<verb>{alternation(self.deeds)})"
            r"(?!ь|\s(?:bonne )?(?:note|nota|connaissance|en compte|en cuenta)\b)"
        )

    @cached_property
    def listed(self) -> re.Pattern[str]:
        """The same in a list of what was done: "Karte 8124 gesperrt"."""
        noun = "".join(rf"(?<!\b{word} )" for word in ("el", "un", "tu", "su"))
        verb = rf"(?<!\w){noun}(?P<verb>{alternation(self.deeds)})"
        return re.compile(
            rf"{verb}[a-zéа-я]{{0,3}}(?=\W*$|\W{{0,3}}:|\s(?:{_TAILS})\s)"
        )


# For when, for whom and at which place follow a report without a verb.
_TAILS = "para|pour|für|auf|на|для|hasta|jusqu|bis|до"


_GERMAN = _Language(
    says=re.compile(r"\b(?:ich|wir|wurden?|ist|sind|ihre?|ihnen|der|die|das)\b"),
    does=(r"\b(?:ich habe|habe ich|wir haben|haben wir|habe|wurden?|ist|sind)\b"),
    verbs={
        _D.CANCEL: """storniert gekündigt abgesagt annulliert widerrufen beendet
            abbestellt abgemeldet zurückgezogen rückgängig_gemacht aufgehoben gecancelt
            aufgelöst""",
        _D.REFUND: """erstattet zurückerstattet rückerstattet gutgeschrieben
            zurückgezahlt zurücküberwiesen zurückgebucht rückvergütet vergütet
            ausgezahlt rücküberwiesen""",
        _D.BOOK: """gebucht reserviert bestellt gekauft vereinbart angemeldet
            eingetragen eingeplant terminiert vorgemerkt eingeschrieben gemietet
            angesetzt ausgemacht zurückgelegt eingebucht nachbestellt festgelegt
            abgeschlossen eingeteilt platziert""",
        _D.CHANGE: """geändert aktualisiert umgebucht verschoben angepasst
            verlängert hochgestuft herabgestuft umgestellt verlegt korrigiert gewechselt
            erhöht gesenkt reduziert eingestellt umgeleitet erneuert zurückgesetzt
            vorgezogen umbenannt ersetzt umgemeldet aufgeteilt hinterlegt übernommen
            aufgestockt herabgesetzt heraufgesetzt getauscht vertauscht abgeändert
            abgesenkt angehoben verkürzt vorverlegt umgeschrieben umgewandelt umgelegt
            gelegt gesetzt berichtigt festgesetzt upgegradet überschrieben ausgeweitet
            zusammengelegt zusammengeführt umgelenkt verändert neu_vergeben""",
        _D.ADD: """hinzugefügt ergänzt zugebucht hochgeladen verknüpft angehängt
            beigefügt aufgeladen dazugebucht hinzugebucht dazugenommen eingefügt
            zugefügt angefügt hinzugenommen mitgebucht beigelegt zugeordnet eingelöst
            """,
        _D.PAY: """bezahlt abgebucht belastet berechnet eingezogen verrechnet
            abgezogen beglichen""",
        _D.ISSUE: """ausgestellt gewährt ausgegeben zugesprochen gutgeschrieben
            verliehen""",
        _D.WAIVE: "erlassen",
        _D.SEND: """gesendet geschickt verschickt versandt zugesandt zugeschickt
            versendet benachrichtigt informiert mitgeteilt verständigt gemailt
            übermittelt beantwortet veröffentlicht gepostet eingeladen kontaktiert
            angeschrieben abgeschickt abgesendet rausgeschickt""",
        _D.TRANSFER: """weitergeleitet überwiesen verbunden übergeben übertragen
            weitergegeben angewiesen umgeschrieben""",
        _D.ESCALATE: "eskaliert",
        _D.EXCHANGE: "umgetauscht ausgetauscht",
        _D.RETURN: "zurückgeschickt retourniert",
        _D.APPROVE: "genehmigt freigegeben",
        _D.REJECT: "abgelehnt zurückgewiesen",
        _D.ASSIGN: "zugewiesen beauftragt zugeteilt",
        _D.CLOSE: "geschlossen abgeschlossen gelöst erledigt",
        _D.ENABLE: """aktiviert freigeschaltet entsperrt eingeschaltet gestartet
            reaktiviert wiederhergestellt angeschaltet eingeschalten geöffnet aufgehoben
            zugelassen fortgesetzt wiederaufgenommen""",
        _D.DISABLE: """deaktiviert gesperrt pausiert ausgeschaltet abgeschaltet
            gestoppt eingefroren stillgelegt blockiert ausgesetzt unterbunden lahmgelegt
            abgemeldet""",
        _D.CREATE: """angelegt eröffnet erstellt erfasst eingereicht hinterlegt
            eingerichtet generiert gemeldet aufgenommen aufgegeben beantragt angefordert
            reklamiert übernommen notiert vermerkt gespeichert registriert verbucht
            protokolliert gestellt""",
        _D.DELETE: """gelöscht entfernt gestrichen ausgetragen herausgenommen
            rausgenommen""",
    },
    light="""durchgeführt vorgenommen veranlasst bearbeitet erledigt ausgeführt
        ausgelöst abgewickelt eingeleitet""",
    open=GERMAN,
    denies=re.compile(r"\b(?:nicht|nichts|nie|niemand\w*|kein\w*)\b"),
    blocks=re.compile(
        r"\b(?:derzeit|aktuell|momentan|zurzeit|bisher|wenn|falls|sobald|ob|kann|können|könn\w+|wird|werden"
        r"|würde\w*|möcht\w+|soll\w*|müss\w+|muss|bitte|von ihnen"
        r"|vor|sie haben|haben sie)\b"
    ),
    dated=re.compile(r"\b(?:am|vom) \d"),
)
_FRENCH = _Language(
    says=re.compile(r"\b(?:j['’]ai|nous|votre|vos|été|est|sont|vous)\b"),
    does=(
        r"(?:\bj['’]ai|\bje (?:l|vous)['’ ]ai|\bnous (?:vous )?avons|\bété|\best"
        r"|\bsont|\bvous êtes(?! pass))"
    ),
    verbs={
        _D.CANCEL: """annulé résilié mis_fin désinscri désabonné désactivé rétracté
            révoqué""",
        _D.REFUND: "remboursé crédité recrédité reversé versé restitué",
        _D.BOOK: """réservé commandé acheté planifié programmé pris inscrit fixé
            confirmé calé souscrit loué retenu préréservé""",
        _D.CHANGE: """modifié changé mis mise reporté déplacé prolongé surclassé
            augmenté réduit baissé abaissé renouvelé réinitialisé redirigé corrigé
            rectifié avancé divisé réparti fractionné remplacé relevé ajusté décalé
            basculé repoussé passé actualisé adapté transformé converti interverti
            étendu raccourci allongé déclassé révisé réorienté réacheminé fusionné
            regroupé échelonné porté fixé diminué ramené rallongé réattribué
            personnalisé configuré paramétré défini""",
        _D.ADD: """ajouté joint associé rechargé rattaché inclus intégré inséré lié
            relié adjoint apposé""",
        _D.PAY: """débité facturé payé prélevé réglé déduit encaissé décompté
            acquitté imputé retenu""",
        _D.ISSUE: "émis accordé octroyé délivré attribué offert consenti",
        _D.SEND: """envoyé notifié informé prévenu averti avisé communiqué expédié
            adressé publié invité contacté relancé répondu écrit remis diffusé partagé
            alerté renseigné posté""",
        _D.TRANSFER: """transféré transmis viré remonté cédé orienté redirigé
            acheminé confié relayé""",
        _D.ESCALATE: "escaladé",
        _D.EXCHANGE: "échangé",
        _D.RETURN: "retourné renvoyé",
        _D.APPROVE: "approuvé validé confirmé",
        _D.REJECT: "refusé rejeté décliné",
        _D.ASSIGN: "attribué assigné affecté désigné",
        _D.CLOSE: "clôturé fermé résolu clos",
        _D.ENABLE: """activé débloqué réactivé allumé démarré lancé déverrouillé
            rétabli restauré relancé dégelé autorisé remis_en_service repris branché""",
        _D.DISABLE: """désactivé suspendu bloqué éteint gelé verrouillé
            mis_en_attente mis_en_pause interrompu coupé stoppé arrêté désarmé
            mis_en_opposition fait_opposition""",
        _D.CREATE: """créé ouvert généré établi déposé enregistré soumis rédigé
            demandé signalé noté saisi consigné initié constitué engagé introduit monté
            inscrit rempli préparé édité produit imprimé annoté renseigné""",
        _D.WAIVE: "exonéré annulé offert levé dispensé remisé",
        _D.DELETE: "supprimé effacé retiré enlevé ôté détruit vidé détaché dissocié",
    },
    light="effectué traité réalisé procédé finalisé exécuté lancé initié engagé",
    open=FRENCH,
    adjacent=True,
    denies=re.compile(r"\b(?:ne|pas|jamais|rien|aucune?)\b|\bn['’]"),
    blocks=re.compile(
        r"\b(?:actuellement|si|quand|lorsque|peut|peuvent|pouvons|pouvez|pourr\w+|sera"
        r"|seront|voulez|souhaitez|veuillez|par (?:vous|le|la|l)"
        r"|avez(?! (?:[a-zé]+ )?été))\b"
    ),
    dated=re.compile(r"(?<!pour )\ble \d"),
)
_SPANISH = _Language(
    says=re.compile(
        r"\b(?:acabo|acabamos|he|hemos|ha|han|su|sus|tu|tus|está|están|fue|fueron|queda"
        r"|quedó|quedaron|el|los|del|al|una|unos|ya|también|además|para|por|con|hasta|según)\b"
    ),
    does=(
        r"\b(?:he|hemos|ha sido|han sido|se (?:l[ae]s? |te )?han?|ha quedado|queda"
        r"|quedó|quedaron|está|están|fue|fueron)\b"
    ),
    verbs={
        _D.CANCEL: "cancelad anulad dado_de_baja rescindid revocad desistid desapuntad",
        _D.REFUND: "reembolsad abonad reintegrad devuelt retornad ingresad",
        _D.BOOK: """reservad comprad dado_de_alta programad agendad inscrit
            matriculad confirmad contratad encargad apuntad alquilad fijad concertad
            apartad suscrit pedid apalabrad""",
        _D.CHANGE: """cambiad modificad actualizad reprogramad ampliad mejorad
            aumentad reducid renovad restablecid corregid pospuest adelantad movid
            trasladad redirigid prorrogad dividid fraccionad sustituid reemplazad
            ajustad rebajad subid bajad pasad desviad aplazad retrasad editad alterad
            convertid extendid prolongad disminuid rectificad configurad fusionad
            unificad combinad reorientad personalizad establecid reasignad reubicad
            intercambiad canjead renombrad invertid limitad""",
        _D.ADD: """dado_de_alta añadid agregad incluid adjuntad recargad sumad
            incorporad insertad vinculad asociad acoplad""",
        _D.PAY: """cobrad cargad pagad descontad deducid facturad debitad liquidad
            retenid adeudad""",
        _D.ISSUE: "emitid concedid otorgad expedid acreditad regalad bonificad",
        _D.SEND: """enviad notificad informad avisad comunicad publicad mandad
            remitid contactad invitad compartid respondid alertad trasladad reenviad""",
        _D.TRANSFER: """transferid derivad traspasad remitid pasad cedid reenviad
            trasladad transmitid""",
        _D.ESCALATE: "escalad",
        _D.RETURN: "devuelt",
        _D.EXCHANGE: "intercambiad",
        _D.APPROVE: "aprobad autorizad confirmad",
        _D.REJECT: "rechazad",
        _D.ASSIGN: "asignad",
        _D.CLOSE: "cerrad resuelt finalizad concluid zanjad archivad",
        _D.ENABLE: """activad desbloquead reactivad encendid habilitad restaurad
            reanudad reabiert levantad descongelad iniciad conectad dado_de_alta""",
        _D.DISABLE: """desactivad suspendid bloquead apagad congelad pausad
            deshabilitad inhabilitad interrumpid detenid desconectad dado_de_baja
            puesto_en_pausa""",
        _D.CREATE: """cread abiert solicitad generad presentad tramitad registrad
            pedid reclamad puesto puesta denunciad anotad guardad apuntad elaborad
            redactad iniciad interpuest preparad reportad notificad formulad cursad
            lanzad rellenad imprimid impres consignad escrit""",
        _D.WAIVE: "condonad eximid perdonad exonerad bonificad retirad",
        _D.DELETE: """eliminad borrad quitad retirad suprimid desvinculad sacad
            descartad""",
    },
    light="realizad gestionad efectuad procesad hecho hecha completad iniciad tramitad",
    open=SPANISH,
    adjacent=True,
    denies=re.compile(r"\b(?:no|nunca|tampoco|nada|ning[uú]n\w*)\b"),
    blocks=re.compile(
        r"\b(?:actualmente|si|cuando|puede\w*|podemos|podría\w*|será\w*|quiere|desea"
        r"|por usted|usted ha)\b"
    ),
    dated=re.compile(r"(?<!para )\bel \d"),
)
_RUSSIAN = _Language(
    says=re.compile(r"[а-яё]"),
    does="",
    verbs={
        _D.CANCEL: "отменил отменен отменён аннулир расторг отписал отписан",
        _D.REFUND: """вернул возвращен возвращён возместил возмещен возмещён
            компенсир зачислил зачислен""",
        _D.BOOK: """забронировал забронирован заказал купил куплен записал записан
            зарегистрир запланир назначил назначен приобрел приобрёл приобретен
            приобретён закрепил закреплен закреплён выкупил выкуплен арендовал арендован
            зарезервир""",
        _D.CHANGE: """изменил изменен изменён обновил обновлен обновлён перенес
            перенёс перенесен перенесён продлил продлен продлён перенаправ повысил
            повышен понизил понижен снизил сменил переключ исправ сбросил сброшен увелич
            уменьш перешёл переведён заменил заменен заменён разделил разделен разделён
            сдвинул сдвинут отложил отложен перевыпустил перевыпущен поменял сменен
            сменён скорректир расширил расширен сократил сокращен сокращён разбил разбит
            объединил объединен объединён ограничил ограничен снижен восстановил
            восстановлен настроил настроен переадресова перенесл переоформил
            переоформлен установил установлен внес_изменени внёс_изменени
            внесла_изменени внесены_изменени""",
        _D.ADD: """добавил добавлен прикрепил прикреплен прикреплён пополнил
            пополнен подключил подключен подключён привязал привязан приложил приложен
            начислил начислен вписал вписан""",
        _D.PAY: """списал списан оплатил оплачен удержал удержан снял_средств
            сняла_средств погасил погашен провёл_оплату""",
        _D.ISSUE: """выдал выдан начислил начислен предоставил предоставлен подарил
            выписал выписан""",
        _D.SEND: """отправил отправлен уведомил уведомлен уведомлён сообщил
            проинформир выслал выслан опубликова ответил написал написан пригласил
            приглашен приглашён оповестил оповещен оповещён переслал переслан связал
            направил направлен""",
        _D.TRANSFER: "перевел перевёл переведен переведён передал передан",
        _D.ESCALATE: "эскалир",
        _D.EXCHANGE: "обменял обменен",
        _D.APPROVE: "одобрил одобрен подтвердил",
        _D.REJECT: "отклонил отклонен отклонён",
        _D.ASSIGN: "поручил поручен назначил назначен прикрепил закрепил",
        _D.CLOSE: "закрыл закрыт завершил завершен завершён",
        _D.ENABLE: """активировал активирован разблокир включил включен включён
            запустил запущен возобновил возобновлен возобновлён открыл открыт разморозил
            разморожен восстановил восстановлен""",
        _D.DISABLE: """отключил отключен отключён приостанов заблокир деактивир
            выключил выключен заморозил заморожен остановил остановлен""",
        _D.CREATE: """создал создан завел завёл заведен подал подан сформир сгенерир
            составил составлен запросил запрошен внёс внес внесен внесён сохранил
            сохранен сохранён зафиксир зарегистрир оставил_заявк подготовил подготовлен
            открыл_обращени завела заполнил заполнен""",
        _D.DELETE: """удалил удален удалён убрал убран исключил исключен исключён
            стер стёр""",
    },
    light="оформил оформлен выполнил выполнен произвел произведен обработал обработан",
    open=RUSSIAN,
    denies=re.compile(r"\b(?:не|нет|нельзя|ничего|ни)\b"),
    blocks=re.compile(
        r"\b(?:сейчас|если|когда|могу|можем|можно|может|будет|будут|хотите"
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
    if _ASKS.search(text):
        return
    for place in (_SCREEN_ALONE if listed else _SCREEN).passed(text):
        language = _LANGUAGES[place]
        if not listed and not language.says.search(text):
            continue
        pattern = language.listed if listed else language.sentences
        clauses = [
            clause
            for match in pattern.finditer(text)
            if (clause := _clause(language, text, match))
        ]
        if clauses:
            yield from clauses
            return
    clauses = [] if listed else list(_of_open_verbs(text))
    yield from clauses or _holding(text)


def _clause(
    language: _Language, text: str, match: re.Match[str]
) -> ActionClause | None:
    """Make the clause of a listed verb; none where it denies, plans or tells a fact."""
    own = bool(_OWN.match(match.group()))
    stands = bool(_STANDS.match(match.group()))
    if stands and language.deeds[match["verb"]] == _PAYS:
        return None  # "Une nuit est facturée" is a rule.
    piece = _telling_piece(language, text, match, own=own or stands)
    if piece is None:
        return None
    deeds = language.deeds[match["verb"]]
    if deeds & _PASSES_ON:
        piece = _RECEIVER.sub(" ", piece)
    words = _object_words(piece, match["verb"])
    noun_deeds = frozenset[RecordDeed]()
    if deeds == _ANY:
        noun_deeds = foreign_deeds(words) or inner_deeds(words)
    return ActionClause(
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


def _telling_piece(
    language: _Language, text: str, match: re.Match[str], *, own: bool
) -> str | None:
    """Return the part of a sentence that a verb stands in, where it tells of a deed."""
    piece, start, end = _piece(text, match)
    if language.denies.search(text, start, match.end()):
        return None
    begin = max((x.end() for x in _STOPS.finditer(text, 0, match.start())), default=0)
    if language.blocks.search(text, begin, end):
        return None
    # "Sie wurde am 4. Mai storniert" is a record's fact.
    return None if not own and language.dated.search(piece) else piece


def _of_open_verbs(text: str) -> Iterator[ActionClause]:
    """Yield the deeds of verbs that no row has."""
    for language in _LANGUAGES:
        if not language.says.search(text):
            continue
        clauses = [
            clause
            for match, own in language.open.matches(text)
            if (clause := _open_clause(language, text, match, own=own))
        ]
        if clauses:
            yield from clauses
            return


def _open_clause(
    language: _Language, text: str, match: re.Match[str], *, own: bool
) -> ActionClause | None:
    piece = _telling_piece(language, text, match, own=own)
    if piece is None:
        return None
    words = _object_words(piece, match["verb"])
    verb = language.open.participle(match["verb"])
    if language.open.is_simple_past(match) and verb not in language.deeds:
        return None  # As "café" and "aquí" end, too.
    return ActionClause(
        deeds=language.deeds.get(verb, _OTHER),
        verb=_KINDS.get(verb, verb),
        object="",
        span=match.span(),
        piece=match.span(),
        certainty=Certainty.DONE,
        nouns=frozenset(words),
        things=things_of(words),
        foreign=True,
        head="",
        names=frozenset(),
        yours=bool(_YOURS.search(piece)),
        own=own,
    )


def _object_words(piece: str, verb: str) -> list[str]:
    """Return the words of a clause that may name something, its verb left out."""
    return [word for word in _LONG.findall(piece) if not word.startswith(verb)]


_STANDS = re.compile(r"(?:ist|sind|est|sont|están?|quedan?)\b")
_PAYS = deed_set("pay")
_PASSES_ON = deed_set("send transfer escalate")
# To whom something was passed on is not what was passed on.
_RECEIVER = re.compile(
    r"\b(?:an (?:de[nr]|die|das|unser\w*|einen?|ihren?)|à (?:la|l['’]|votre|notre)"
    r"|aux?|al|a (?:la|los|las|su|nuestr\w+))\s[^\W\d_]{2,30}"
)
_OTHER = frozenset({_D.OTHER})
_ASKS = re.compile(r"[?¿]")
_STOPS = re.compile(r"[.;:!?\n](?=\s|$)|\s[—–]\s")


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


def _piece(text: str, match: re.Match[str]) -> tuple[str, int, int]:
    """Return the part of a sentence that a verb stands in, and its place."""
    start = max(
        (ending.end() for ending in _ENDS.finditer(text, 0, match.start())), default=0
    )
    ending = _ENDS.search(text, match.end())
    end = ending.start() if ending else len(text)
    return text[start:end], start, end


# Where money went, and by what a message was sent, are no object.
_BY_WAY = deed_set("refund pay send any")
_YOURS = re.compile(r"\b(?:ihre?[nmrs]?|votre|vos|sus?|tus?|ваш\w*)\b")
_OWN = re.compile(r"(?:ich|habe ich|wir|haben wir|j['’]|je |nous|he\b|hemos)")
