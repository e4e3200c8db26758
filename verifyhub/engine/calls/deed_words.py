"""Words for actions on records, in sentences and in names of tools.

They are compared by meaning: `cancel_order`, "has been called off" and "the
cancellation is complete" are one action. Words are compared by their stem and never by
a part, so that `Skill` does not contain `kill`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from verifyhub.engine.text.tokens import word_set


class RecordDeed(StrEnum):
    """An action on a record, such as an order, a booking, an account or a message."""

    CANCEL = "cancel"
    REFUND = "refund"
    BOOK = "book"
    CHANGE = "change"
    ADD = "add"
    REMOVE = "remove"
    CREATE = "create"
    DELETE = "delete"
    PAY = "pay"
    ISSUE = "issue"
    SEND = "send"
    TRANSFER = "transfer"
    ESCALATE = "escalate"
    APPROVE = "approve"
    REJECT = "reject"
    RETURN = "return"
    EXCHANGE = "exchange"
    ENABLE = "enable"
    DISABLE = "disable"
    ASSIGN = "assign"
    CLOSE = "close"
    RECORD = "record"
    WAIVE = "waive"
    SELL = "sell"
    LOOK_UP = "look_up"
    OTHER = "other"
    ANY = "any"


_D = RecordDeed


def deed_set(names: str) -> frozenset[RecordDeed]:
    """Read a list of actions separated by blanks."""
    return frozenset(map(RecordDeed, names.split()))


# Verbs for switching something on and off.
SWITCHES = deed_set("enable disable")
OFF = frozenset({RecordDeed.DISABLE})

# Verbs in their base form. A verb in two lines has both meanings. An unknown verb is an
# action of its own (`other`), which only the same word in a call's name confirms.
_VERBS: Mapping[RecordDeed, str] = {
    _D.CANCEL: """cancel void terminate revoke annul rescind withdraw unsubscribe
        abort discontinue scrap unenroll""",
    _D.REFUND: "refund reimburse credit repay",
    _D.BOOK: """book reserve schedule order purchase buy rent hire register enroll
        enrol subscribe secure arrange rebook checkout reissue reorder prebook
        preorder procure join ticket enlist waitlist lease hold""",
    _D.CHANGE: """change update modify edit amend alter adjust upgrade downgrade
        switch move reschedule extend correct rename replace revise set configure
        reset shift postpone convert rebook patch upsert put swap renew reassign
        relabel prolong redirect link unlink override merge split lower raise increase
        decrease reduce boost cut relocate migrate defer skip refresh sync customize
        customise
        personalize reroute divert transition scale mark flag tag label mute
        reprioritize promote advance rotate consolidate combine recategorize restrict
        limit cap fix sort dim brighten preheat port personalise realign tweak
        normalize expedite prioritize prioritise bump pin unpin""",
    _D.ADD: """add put attach append include insert refuel refill top link connect
        associate place upload import pair apply enter stock""",
    _D.REMOVE: """remove detach drop clear unset strip disconnect unlink exclude
        unassign withdraw""",
    _D.CREATE: """create open file register log request raise generate add insert new
        submit draft schedule lodge provision establish compose produce prepare launch
        initiate build report make write define setup queue duplicate clone copy
        print""",
    _D.DELETE: """delete erase remove purge destroy drop wipe trash discard archive
        clear""",
    _D.PAY: """pay charge bill debit deduct invoice collect remit settle disburse
        donate tip deposit prepay contribute""",
    _D.ISSUE: """issue reissue grant award give compensate credit dispense prescribe
        redeem""",
    _D.SEND: """send email mail text message notify forward share post alert inform
        publish reply sms announce tweet respond ping remind invite dispatch broadcast
        circulate advise contact resend release cc comment warn tell relay""",
    _D.TRANSFER: """transfer move route hand handoff handover forward wire redirect
        remit reroute divert port refer""",
    _D.ESCALATE: "escalate flag",
    _D.APPROVE: "approve authorize authorise accept confirm sign endorse ratify",
    _D.REJECT: "reject decline deny refuse dismiss",
    _D.RETURN: "return",
    _D.EXCHANGE: "exchange swap trade replace reissue",
    _D.ENABLE: """enable activate unlock resume reactivate restore reinstate unblock
        unfreeze lift toggle restart reset start play turn arm run launch
        trigger unsuspend release reboot open deploy unpause unmute unhold switch
        enroll enrol subscribe install onboard whitelist""",
    _D.DISABLE: """disable deactivate suspend lock pause freeze block toggle stop
        close turn disarm shut logout signout mute silence snooze halt quarantine hold
        deprovision switch ban blacklist unsubscribe unenroll uninstall offboard""",
    _D.ASSIGN: "assign reassign delegate allocate appoint designate dispatch route",
    _D.CLOSE: "close resolve complete finish archive conclude finalize mark",
    _D.RECORD: "record log note document save store mark register capture rate enter",
    _D.WAIVE: "waive forgive erase clear reverse exempt",
    _D.SELL: "sell liquidate",
}
# Verbs without a meaning of their own, which depends on their object.
_LIGHT_VERBS = """
    make process complete finalize finalise finish place submit perform execute
    handle apply implement carry initiate arrange request file issue send post
    create confirm do add put new start open set take get log run give enter record
    register mark
"""
# Nouns of actions.
_NOUNS: Mapping[RecordDeed, str] = {
    _D.CANCEL: "cancellation cancelation termination withdrawal",
    _D.REFUND: "refund reimbursement credit",
    _D.BOOK: """viewing tour session consultation stay enrolment booking reservation
        appointment purchase order subscription rental enrollment registration visit
        ticket checkout rebooking trade signup""",
    _D.CHANGE: """change update modification upgrade downgrade amendment adjustment
        rescheduling extension correction switch renewal reset""",
    _D.PAY: """payment overpayment prepayment charge fee deduction transaction donation
        deposit""",
    _D.ISSUE: "certificate voucher compensation coupon credit",
    _D.SEND: """email mail message notification sms text invitation invite
        announcement reply tweet""",
    _D.TRANSFER: "transfer",
    _D.ESCALATE: "escalation",
    _D.APPROVE: "approval authorization",
    _D.RETURN: "return",
    _D.EXCHANGE: "exchange replacement",
    _D.ENABLE: "activation reactivation",
    _D.DISABLE: "deactivation suspension freeze",
    _D.DELETE: "deletion removal",
    _D.CREATE: """creation invoice case dispute complaint lead refill claim application
        request ticket""",
    _D.ADD: "note comment",
    _D.ASSIGN: "assignment assignee",
    _D.SELL: "sale trade",
    _D.WAIVE: "waiver",
}
# Verbs with a particle: "switched on", "called off", "set up".
_PHRASES: Mapping[str, str] = {
    "switch on": "enable", "switch off": "disable", "turn on": "enable",
    "turn off": "disable", "turn up": "change", "turn down": "change reject",
    "set up": "create add book change enable", "set out": "other",
    "sign up": "book create add", "sign off": "approve close", "sign out": "disable",
    "log out": "disable",
    "log in": "enable",
    "call off": "cancel", "take off": "remove", "take out": "remove create",
    "put in": "create add send", "put through": "create pay transfer book",
    "put on": "add change enable", "draw up": "create", "top up": "add pay",
    "opt out": "cancel disable change remove", "opt in": "enable change book",
    "send out": "send", "send over": "send", "pay off": "pay", "pay out": "pay refund",
    "shut down": "disable", "shut off": "disable", "cut off": "disable",
    "lock down": "disable", "hand over": "transfer escalate", "hand off": "transfer",
    "pass on": "send transfer escalate", "pass along": "send transfer escalate",
    "write off": "waive change", "move up": "change",
    "move out": "close cancel change", "move in": "create enable change",
    "move back": "change",
    "give back": "refund return", "pay back": "refund pay", "roll back": "change",
    "check in": "book change create", "check out": "book change close",
    "fill out": "create change", "open up": "create enable", "bring forward": "change",
    "push back": "change", "put back": "change add", "reach out": "send",
    "follow up": "send create", "knock off": "change waive refund", "line up": "book",
    "jot down": "record add create", "write down": "record add create",
    "block off": "create book add", "block out": "create book add",
    "set aside": "book", "cross off": "close remove change", "tick off": "close",
    "wrap up": "close", "free up": "remove delete disable",

    "sort out": "any", "clear out": "delete remove", "close out": "close disable",
}  # fmt: skip
# Words of other languages in names of tools, recognised by their beginnings.
_FOREIGN: Mapping[RecordDeed, str] = {
    _D.CANCEL: """stornier storno kündig kuendig absag annul annull résili resili
        cancelar anular otmen отмен аннулир""",
    _D.REFUND: """erstatt rückerstatt rueckerstatt gutschr rembours reembols devolv
        vozvrat возвра возмест""",
    _D.BOOK: """buchen buche reservier bestell vereinbar réserv reserver reservar
        commande comprar agendar programar planifi inscri anmeld zakaz bron заброн брон
        заказ запис куп""",
    _D.CHANGE: """änder aender aktualisier anpass verschieb verläng verlaeng umbuch
        modif chang cambi actualiz reprogram déplac deplac prolong ampli izmen obnov
        измен обнов перен продл wechsel""",
    _D.ADD: "hinzufüg hinzufueg ajout añad anad agreg dobav добав",
    _D.REMOVE: "entfern retir quitar ubrat убра",
    _D.CREATE: """erstell anleg eröffn eroeffn beantrag créer creer crear abrir ouvrir
        demand solicit enregistr registrar sozdat созда запрос""",
    _D.DELETE: "lösch loesch supprim elimin borr udal удал",
    _D.PAY: "bezahl zahlen abbuch payer pagar cobrar oplat оплат спис",
    _D.SEND: """sende schick versend benachrichtig envoy enviar notifi aviser avisar
        informer informar otprav отправ уведом сообщ""",
    _D.TRANSFER: """überweis ueberweis weiterleit transfér transfer virement perevod
        перев""",
    _D.ESCALATE: "eskalier escalad escalar эскал",
    _D.APPROVE: "genehmig approuv aprob odobr одобр",
    _D.ENABLE: """aktivier freischalt entsperr activer activar débloqu debloqu
        desbloque актив разблок""",
    _D.DISABLE: """deaktivier sperr pausier désactiv desactiv bloqu suspend заблок
        приостан отключ""",
    _D.ISSUE: "ausstell émett emett emitir accord выда начисл",
    _D.ASSIGN: "zuweis assign asign назнач",
    _D.EXCHANGE: "umtausch échang echang intercambi обмен",
}
# Words of tools that only look; if one comes first, it decides.
_LOOKS = """
    get list search read find view fetch show lookup query describe count calculate
    compute estimate quote track preview check validate is has can think browse
    retrieve load select compare recommend suggest see ask verify inspect analyze
    summarize explain
"""

IRREGULAR = {
    "sent": "send", "paid": "pay", "bought": "buy", "made": "make", "given": "give",
    "gave": "give", "done": "do", "did": "do", "withdrew": "withdraw",
    "withdrawn": "withdraw", "taken": "take", "took": "take", "put": "put",
    "set": "set", "frozen": "freeze", "froze": "freeze", "unfrozen": "unfreeze",
    "begun": "begin", "began": "begin", "shut": "shut", "spent": "spend",
    "lent": "lend",
    "sold": "sell", "brought": "bring", "held": "hold", "written": "write",
    "wrote": "write", "found": "find", "told": "tell", "left": "leave", "ran": "run",
    "reset": "reset", "split": "split", "rebought": "buy", "got": "get", "cut": "cut",
    "drawn": "draw", "drew": "draw", "built": "build", "kept": "keep",
    "chose": "choose", "chosen": "choose", "let": "let", "went": "go", "gone": "go",
    "led": "lead",
    "resent": "resend", "overridden": "override", "overrode": "override",
    "forgiven": "forgive", "redone": "redo", "rewritten": "rewrite", "hid": "hide",
    "hidden": "hide", "lit": "light", "seen": "see", "saw": "see", "read": "read",
    "rebuilt": "rebuild", "prepaid": "prepay", "repaid": "repay", "laid": "lay",
    "caught": "catch", "met": "meet", "known": "know", "spoken": "speak",
    "spoke": "speak", "come": "come", "came": "come", "said": "say", "had": "have",
    "thought": "think", "felt": "feel", "understood": "understand", "lost": "lose",
}  # fmt: skip
_DOUBLE = re.compile(r"([b-df-hj-np-tv-z])\1$")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the common stem of the forms of an English verb or noun."""
    word = word.lower()
    if word in IRREGULAR:
        word = IRREGULAR[word]
    for ending, kept in (("ied", "y"), ("ies", "y"), ("ing", ""), ("ed", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            word = word[: -len(ending)] + kept
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    word = word.removesuffix("e") if len(word) > 3 else word
    return _DOUBLE.sub(r"\1", word)


def stems(words: str) -> frozenset[str]:
    """Return the stems of words that are separated by blanks."""
    return frozenset(map(stem, words.split()))


def _by_stem(table: Mapping[RecordDeed, str]) -> dict[str, frozenset[RecordDeed]]:
    by_stem: dict[str, set[RecordDeed]] = {}
    for deed, words in table.items():
        for word in words.split():
            by_stem.setdefault(stem(word), set()).add(deed)
    return {word: frozenset(deeds) for word, deeds in by_stem.items()}


VERBS = _by_stem(_VERBS)
NOUNS = _by_stem(_NOUNS)
# Verbs that describe the action of a tool, and the change of a record.
TOOL_VERBS = {**VERBS, stem("delay"): frozenset({_D.CHANGE})}
LIGHT_VERBS = stems(_LIGHT_VERBS)
LOOKS = stems(_LOOKS)

# Actions that a tool for another action may perform too: a refund is part of a
# cancellation, a bag is added by an update.
_ALSO: Mapping[RecordDeed, tuple[str, str]] = {
    _D.CANCEL: ("cancel", "delete change disable return remove refund close"),
    _D.REFUND: (
        "refund",
        "return cancel exchange change issue pay remove delete waive",
    ),
    _D.BOOK: ("book", "create add change pay exchange approve issue assign"),
    _D.CHANGE: (
        "change add remove exchange",
        "book create enable disable return assign",
    ),
    _D.ADD: ("add change create", "book issue enable exchange record"),
    _D.REMOVE: ("remove delete waive", "change cancel exchange disable return"),
    _D.CREATE: ("create add", "book escalate transfer issue record"),
    _D.DELETE: ("delete remove", "cancel change disable close"),
    _D.PAY: ("pay", "book change exchange cancel create add transfer enable sell"),
    _D.ISSUE: ("issue", "create refund send add change pay"),
    _D.SEND: ("send", "create transfer issue change add"),
    _D.TRANSFER: ("transfer", "escalate send pay change assign"),
    _D.ESCALATE: ("escalate transfer", "create send change assign"),
    _D.APPROVE: ("approve", "change book create enable pay"),
    _D.REJECT: ("reject", "change cancel"),
    _D.RETURN: ("return", "exchange refund change create"),
    _D.EXCHANGE: ("exchange", "change return create"),
    _D.ENABLE: ("enable", "change add issue book"),
    _D.DISABLE: ("disable", "change cancel remove"),
    _D.ASSIGN: ("assign", "change create escalate transfer add"),
    _D.CLOSE: ("close", "change disable delete"),
    _D.RECORD: ("record add create change", "send"),
    _D.WAIVE: ("waive", "refund change remove issue"),
    _D.SELL: ("sell", "exchange create"),
    _D.LOOK_UP: ("", ""),
    _D.OTHER: ("", ""),
}
DOES = {deed: deed_set(does) for deed, (does, _) in _ALSO.items()}
MAY_DO = {deed: deed_set(may) for deed, (_, may) in _ALSO.items()}

# Objects of actions, by meaning: the words of a line mean one thing, and a word in
# several lines any of them. A claim about an object of no call is not supported.
_THINGS = """
    bag baggage luggage suitcase
    seat
    insurance coverage
    email mail inbox confirmation receipt
    message sms text notification confirmation
    voucher certificate coupon compensation
    mile point
    lounge
    meal breakfast
    passenger traveler traveller
    address
    hotel room stay suite accommodation
    car vehicle rental
    ride cab taxi uber trip driver
    ticket seat admission
    ticket case issue incident
    table restaurant dinner lunch
    wifi
    calendar event meeting appointment session invitation invite schedule agenda
    reminder
    alarm
    password credential passcode pin
    roaming
    sim esim
    warranty
    gift
    loan
    claim
    prescription medication refill drug medicine
    note comment remark
    appointment visit consultation session checkup slot rdv
    song music playlist track
    movie film
    document contract photo picture attachment
    invoice bill
    team department
    phone number sms text
    light lamp bulb
    thermostat temperature heating heat ac
    data gb
    domain
    dispute chargeback
    fee charge penalty fine
    plan subscription membership tier package
    parcel package shipment delivery
    flight trip ticket itinerary
    course lesson
    leave vacation absence
    post tweet
    task todo item
    property apartment house listing home
    pickup collection
    label
    technician engineer
    money payment fund transfer amount
    card
    door gate garage
    blind shade curtain
    letter referral
    hold
"""


def _by_thing() -> dict[str, frozenset[int]]:
    by_stem: dict[str, set[int]] = {}
    for number, line in enumerate(_THINGS.strip().splitlines()):
        for word in line.split():
            by_stem.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in by_stem.items()}


THINGS: Mapping[str, frozenset[int]] = _by_thing()


def verb_deeds(verb: str) -> frozenset[RecordDeed]:
    """Return the possible actions of a verb's stem; repeating something is doing it."""
    deeds = VERBS.get(verb)
    if deeds is None and verb.startswith("re"):
        deeds = VERBS.get(verb[2:].removeprefix("-"))
    return deeds or frozenset()


_FOREIGN_LENGTH = 4
# The same objects in other languages, by the beginnings of words, each after the
# English word of its line.
_FOREIGN_THINGS = """
    bag gepäck gepaeck koffer bagage valise equipaje maleta багаж bagazh чемодан
    seat sitzpl siège siege asiento кресл
    insurance versicherung assurance seguro страхов strahov
    email courriel correo emails письм
    sms mensaje nachricht сообщени
    voucher gutschein cupón cupon промокод купон сертификат
    mile punkte meilen puntos баллы балл мили
    breakfast frühstück fruehstueck petit-déj déjeuner dejeuner desayuno завтрак zavtrak
    address adress dirección direccion адрес
    room zimmer chambre habitaci
    car mietwagen voiture coche автомобил машин
    ticket fahrkarte fahrschein billet entrada boleto билет bilet
    table tisch mesa столик stolik
    calendar kalender calendrier calendario календар
    reminder erinnerung rappel recordatorio напоминан napominan
    password passwort kennwort contraseña contrasena парол
    warranty garantie garantía garantia гаранти
    prescription rezept ordonnance receta рецепт
    note notiz kommentar commentaire comentario nota замет коммент
    appointment termin rendez cita приём прием
    contract vertrag contrat договор dogovor
    invoice rechnung abrechnung facture factura счет счёт накладн
    fee gebühr gebuehr frais mahngeb comisi комисси komissi штраф shtraf
    subscription abonnement tarif suscripci подписк podpisk тариф tarif
    parcel paket sendung lieferung colis livraison paquete envío envio
    parcel посылк posylk доставк dostavk
    flight flug vuelo рейс перелёт перелет
    course kurs cours curso курс
    leave urlaub congé vacaciones отпуск otpusk
    task aufgabe tâche tarea задач zadach
    card karte carte tarjeta карту карта карты карте
    technician techniker technicien técnico tecnico мастер техник
    claim schadenmeldung sinistre siniestro
    phone telefon téléphone teléfono телефон
    label etikett étiquette etiqueta этикет
    domain домен dominio domaine
    light licht lampe lumière luz свет ламп
    heating heizung chauffage calefacci отоплен
    blind rollladen rollo jalousie volet persiana жалюзи
"""


def _by_foreign_thing() -> tuple[tuple[str, frozenset[int]], ...]:
    rows = [line.split() for line in _FOREIGN_THINGS.strip().splitlines()]
    return tuple((begin, THINGS[stem(row[0])]) for row in rows for begin in row[1:])


_THING_BEGINNINGS = _by_foreign_thing()


@lru_cache(maxsize=4096)
def _things_named(word: str) -> frozenset[int]:
    if word in THINGS or len(word) < _FOREIGN_LENGTH or word in VERBS:
        return THINGS.get(word, frozenset())
    return frozenset[int]().union(
        *(things for begin, things in _THING_BEGINNINGS if word.startswith(begin))
    )


def things_of(stems: Iterable[str]) -> frozenset[int]:
    """Return the objects that some stems mean, in any of five languages."""
    return frozenset[int]().union(*map(_things_named, stems))


_WORD = re.compile(
    r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++(?![à-ÿа-яё])|[A-Za-z]*[À-ÿА-яЁё][A-Za-zÀ-ÿА-яЁё]*"
)


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of an identifier, in lower case and in order."""
    return _words(name) if len(name) <= _LONGEST_KEPT else _words.__wrapped__(name)


# Names of fields and tools are repeated often; longer texts are not names and not
# cached.
_LONGEST_KEPT = 40


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def deeds_of(words: Iterable[str]) -> frozenset[RecordDeed]:
    """Return the actions of a tool with these words in its name; empty for a look.

    A verb decides: `cancel_reservation` does not reserve. With a light verb the noun
    decides: `process_refund`. `other` if no word is known.
    """
    words = tuple(words)
    stems = [_of_sender(stem(word)) for word in words]
    if stems[1:] and stems[1] in _FIRST and _is_name(words[0]):
        words, stems = words[1:], stems[1:]  # No verb: `stripe_retrieve_invoice`.
    # A name may begin with its provider: `crm_get_schedule`.
    first = next((word_stem for word_stem in stems if word_stem in _FIRST), "")
    looks_first = first in LOOKS and not _acts_last(words)
    if not stems or looks_first or _is_look(stems):
        return frozenset()
    if stems[0] == _SEND and stems[2:] and stems[-1] in _SENT_FOR:
        return frozenset({RecordDeed.SEND})  # `send_payment_link` pays nothing.
    phrase = [
        PHRASES[pair] for pair in zip(stems, words[1:], strict=False) if pair in PHRASES
    ]
    if phrase:
        return phrase[0]
    verbs = [verb for verb in stems if verb in TOOL_VERBS]
    sure_verbs = _verbs_only(words, stems)
    plans = stems[2:] and stems[0] in _PLANS  # `schedule_meter_check`
    if not (sure_verbs or plans) and any(
        word_stem in LOOKS and not word.endswith("ing")
        for word_stem, word in zip(stems, words, strict=True)
    ):
        return frozenset()  # `orders.get`, but not `book_viewing`
    verbs = sure_verbs or verbs
    if not sure_verbs and (
        foreign := foreign_deeds(word for word in words if stem(word) not in _FIRST)
    ):
        return foreign  # The berth of `poste_changer` is no post.
    exact = [TOOL_VERBS[verb] for verb in verbs if verb not in LIGHT_VERBS]
    if exact:
        # In `ticket_transfer` either word may be the verb.
        trailing = exact[-1] if not sure_verbs else exact[-1] & _TRAILING
        return exact[0] | (trailing if exact[1:] else frozenset())
    deeds = frozenset[RecordDeed]().union(
        *(NOUNS.get(noun, frozenset()) for noun in stems),
        *(TOOL_VERBS[verb] for verb in verbs[:1]),
    )
    if any(word_stem in LIGHT_VERBS for word_stem in stems):
        return deeds or frozenset({RecordDeed.ANY})
    return _of_no_verb(words, stems)


def has_verb(words: Sequence[str]) -> bool:
    """Whether a name begins with a verb, or has a word that is nothing but one."""
    stems = list(map(stem, words))
    first = bool(stems) and stems[0] in VERBS
    return first or bool(_verbs_only(words, stems) or foreign_deeds(words))


def _of_no_verb(words: Sequence[str], stems: Sequence[str]) -> frozenset[RecordDeed]:
    if _ON_OFF.intersection(words):
        return SWITCHES
    looks = not LOOKS.isdisjoint(stems[1:]) or stems[-1] in _LOOKED_AT
    if looks or any(word.startswith(_FOREIGN_LOOKS) for word in words):
        return frozenset()
    return foreign_deeds(words) or frozenset({RecordDeed.OTHER})


def _acts_last(words: Sequence[str]) -> bool:
    """Whether a name is an action although it may be a look: `load_reroute`."""
    return words[-1] in _LAST and stem(words[0]) in _LOOKED_ON


def _verbs_only(words: Sequence[str], stems: Sequence[str]) -> list[str]:
    """Return the words of a name that are only verbs; the last one decides."""
    if stems[1:] and words[-1] in _LAST and words[0] not in _LAST:
        return list(stems[-1:])  # `stop_add` adds a stop.
    return [
        word_stem
        for word_stem in stems
        if word_stem in TOOL_VERBS and word_stem not in _NOUN_VERBS
    ]


def _of_sender(word: str) -> str:
    """Return the action of a sender: of a mailer, to mail."""
    verb = stem(word.removesuffix("er"))
    sends = word.endswith("er") and word not in VERBS
    return verb if sends and _D.SEND in VERBS.get(verb, ()) else word


# Words of other languages for tools that only look.
_FOREIGN_LOOKS = (
    "such", "simul", "seguim", "suivi", "verfolg", "schätz", "calcul", "abruf",
    "abfrag", "lesen", "anzeig", "auflist", "prüf", "pruef",
    "ermittl", "cherch", "rechercher", "consult", "obtenir", "lister", "afficher",
    "vérif", "verif", "recuper", "récup", "busc", "obten", "mostrar", "listar", "leer",
    "comprobar", "najti", "nayti", "naiti", "poisk", "poluchi", "prover", "spisok",
    "найти", "поиск", "получи", "провер", "список", "показа",
)  # fmt: skip


def _is_name(word: str) -> bool:
    """Whether a word has the stem of a verb but another spelling."""
    spelt = word in _SPELT or word.endswith(("ed", "ing", "s"))
    return stem(word) in VERBS and not spelt


_SPELT = word_set(" ".join(_VERBS.values()))
_FIRST = LOOKS | VERBS.keys() | LIGHT_VERBS | NOUNS.keys()
_ON_OFF = frozenset({"on", "off"})


def foreign_deeds(words: Iterable[str]) -> frozenset[RecordDeed]:
    """Return the actions of words in other languages, by their beginnings."""
    return frozenset(
        deed
        for word in words
        if len(word) >= _FOREIGN_LENGTH
        for begin, deed in _BEGINNINGS
        if word.startswith(begin)
    )


def inner_deeds(words: Iterable[str]) -> frozenset[RecordDeed]:
    """Return the actions at the end of German compounds: "Terminverschiebung"."""
    return foreign_deeds(
        word[at:]
        for word in words
        for at in range(_FIRST_PART, len(word) - _FOREIGN_LENGTH)
    )


_FIRST_PART = 3


_BEGINNINGS = tuple(
    (begin, deed) for deed, row in _FOREIGN.items() for begin in row.split()
)
PHRASES: Mapping[tuple[str, str], frozenset[RecordDeed]] = {
    (stem(name.split()[0]), name.split()[1]): deed_set(deeds)
    for name, deeds in _PHRASES.items()
}


_PLANS = stems("schedule book request")
_SEND = stem("send")
# Objects that are sent to ask a recipient for the action named before them.
_SENT_FOR = stems("request link reminder notice notification form instruction offer")
# The results of `order_history` and `payment_status`, whose first word is a noun.
_LOOKED_AT = stems(
    "history detail details status info information balance summary list record records"
    " schedule availability options profile usage overview"
)
_NOUN_VERBS = stems(
    """
    order book purchase charge transfer bill mail text message claim return tag
    exchange refund credit schedule report ticket booking reservation payment account
    note comment post file document email sms register record track invoice label reply
    tip deposit stock store notification request log reset rate cap fix play plan light
    contact list share grant award forward trade mark alert reminder checkout
    visit hire rent
    """
)


def _is_look(stems: Sequence[str]) -> bool:
    """Whether a name is that of its result: `order_history`, `claims_by_policy`."""
    if stems[1:] and stems[0] in NOUNS and stems[-1] in _TOLD_FIRST:
        return True
    if stems[-1] in _NEVER_DONE:
        return True
    if _RUN in stems and not _RUN_TO_KNOW.isdisjoint(stems):
        return True  # `run_line_diagnostic`
    if "by" in stems[1:] and all(
        word_stem not in VERBS or word_stem in _NOUN_VERBS for word_stem in stems
    ):
        return True
    return stems[-1] in _LOOKED_AT and stems[0] in _NOUN_VERBS and len(stems) > 1


# What is only ever found out: `port_eligibility`.
_NEVER_DONE = stems("eligibility")
_RUN = stem("run")
_RUN_TO_KNOW = stems(
    "diagnostic diagnosis check test report query search scan analysis audit forecast"
    " simulation calculation assessment"
)

# Tools that return the cost of an action in advance: `upgrade_quote`.
_TOLD_FIRST = stems("quote estimate preview lookup")
# Words of looks that may also be the object of an action.
_LOOKED_ON = stems("load list track view")
# Verbs that are no nouns: after another word of a name they are its verb.
_LAST = word_set(
    """
    add create remove delete enable disable submit join apply assign approve reject
    renew extend send make setup cancel activate deactivate unlock suspend resume modify
    edit reschedule enrol enroll insert append attach notify publish confirm authorize
    authorise redeem reissue reorder merge reroute redirect waive relocate postpone
    """
)
# A second verb that also counts: `update_order_cancel`, `orders.refund`.
_TRAILING = deed_set("cancel refund delete return exchange")
