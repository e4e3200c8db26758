"""Words that a name is told by, and words that are none."""

import re

from verifyhub.engine.text.tokens import word_set

# Too common to be shown as a value, whatever field they stand in.
COMMON = word_set(
    """
    yes no none null true false ok na n a an the and or of to in on at for by is it be
    my me you your our us we not new all any only other item items user order name id
    type value data result results success message text error info details detail
    да нет и или не oui non et ou ja nein und oder sí si y o
    """
)
# What stands before a person's name and is no part of it.
TITLES = word_set(
    """
    mr mrs ms miss dr prof sir madam dear hello hi hey thanks thank hallo guten bonjour
    hola gracias merci danke monsieur madame herr frau señor señora passenger customer
    guest patient member user client agent account name names traveler traveller for
    and with from to by the a your our my this that is was здравствуйте уважаемый
    уважаемая господин госпожа спасибо
    """
)
# Capitals that everybody knows: units of time, money and places, parts of forms.
ABBREVIATIONS = word_set(
    """
    EST EDT PST PDT CST CDT MST MDT UTC GMT CET CEST BST IST JST AM PM USD EUR GBP
    CAD AUD JPY CHF INR RUB ID IDS DOB VIP FAQ SMS PIN CVV CVC OTP ETA ASAP FYI TBD
    NA OK USA US UK EU UAE URL PDF CSV QR GPS RSVP ATM IBAN BIC SSN ZIP PO APT AC TV
    DVD HD LED RGB USB PC CEO CFO HR IT AI FAX TEL MON TUE WED THU FRI SAT SUN JAN
    FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC YYYY MM DD NOT AND OR NO YES ALL TO
    IN FOR API SIM APN LTE MMS DATA WIFI
    """
)
# Words in capitals for weight, and heads of parts of an answer.
EMPHASIS = word_set(
    """
    please note important warning attention cannot never always total refund summary
    details option options update confirmed thank thanks hello urgent notice before
    after order orders items price status today tomorrow until free really first
    """
)
PAYMENT = re.compile(
    r"(?<!\w)(?:pay\s?pal|gift cards?|credit cards?|debit cards?|visa|master\s?card"
    r"|american express|amex|apple pay|google pay|klarna|venmo|bank transfers?"
    r"|store credit|vouchers?|certificates?|cash|prepaid cards?|wire transfers?"
    r"|money orders?|zelle|alipay|wechat pay)(?!\w)",
    re.IGNORECASE,
)


def _words(rows: str) -> dict[str, tuple[str, ...]]:
    """Read rows of words that mean one state; each stands for all the others."""
    table: dict[str, tuple[str, ...]] = {}
    for row in rows.strip().splitlines():
        words = tuple(row.split())
        for word in words:
            others = tuple(one for one in words if one != word)
            table[word] = table.get(word, ()) + others
    return table


# States of things, as records and people call them in five languages.
STATUS_WORDS = _words(
    """
    cancelled canceled отменён отменен отменено annulé annulée storniert cancelado
    pending ausstehend ожидает pendiente
    confirmed подтверждён подтверждено confirmé confirmée bestätigt confirmado
    delivered доставлен доставлено livré livrée geliefert zugestellt entregado
    shipped отправлен отправлено expédié expédiée versandt verschickt enviado enviada
    processed обработан traité traitée bearbeitet procesado procesada
    available доступен доступно disponible verfügbar
    active активен aktiv actif activo activa
    inactive неактивен inaktiv inactif inactivo
    suspended приостановлен suspendu gesperrt suspendido
    completed завершён завершен terminé terminée abgeschlossen completado completada
    paid оплачен оплачено payé payée bezahlt pagado pagada
    refunded возвращён возвращено remboursé remboursée erstattet reembolsado reembolsada
    delayed задержан retardé retardée verspätet retrasado
    open открыт ouvert offen abierto
    closed закрыт fermé geschlossen cerrado
    """
)

# What records hold as a word; what they hold as yes or no (`enabled`) is left out.
STATES = (
    "active|inactive|suspended|frozen|blocked|expired|pending|shipped|delivered|processed"
    "|processing|confirmed|cancelled|canceled|approved|declined|rejected|overdue|refunded"
    "|returned|scheduled|completed|delayed|departed|landed|in transit|on hold"
    "|backordered|terminated|archived|paid|unpaid|out for delivery|on time"
    "|resolved|submitted|received|under review|queued|assigned|waitlisted"
    "|in collections|past due|on backorder|ready for pickup|tentative|lapsed|released"
    "|ready for collection"
    "|awaiting (?:pickup|payment|approval|shipment|delivery|dispatch|review|collection"
    "|confirmation|parts|stock)"
)
# States that may be said for each other, one kind a row.
STATE_MEANINGS = """
overdue unpaid late due outstanding past delinquent
transit shipped delivery dispatched route sent courier
awaiting pending waiting new created open received submitted queued requested draft
awaiting placed ordered processing initiated registered reserved
pickup collection ready
review pending processing submitted received investigating registered
approved confirmed booked accepted scheduled
completed closed done finished resolved delivered settled paid
stock backorder backordered unavailable
inactive suspended disabled deactivated blocked frozen locked paused hold
active open enabled live running force valid
cancelled canceled void terminated withdrawn
rejected declined denied refused failed
"""
# A thing is said to be in a state; `has been cancelled` says what somebody did, and
# `has been shipped` what happened to a thing.
STATE_SAID = re.compile(
    r"(?<!\w)(?:stat(?:us|e)(?: of [^\n.:]{1,40}?)?(?: is|:)|(?:is|are)(?: (?:still|now"
    r"|currently|already|marked(?: as)?|listed as|in))?"
    r"|(?<=, )(?:now|currently|still))[ *_\"'“`]{1,4}"
    rf"({STATES})(?!\w)"
    r"|(?<!\w)ha(?:s|ve) (?:already )?been[ *_\"'“`]{1,4}"
    r"(shipped|delivered|on hold|in transit|delayed|departed|landed|backordered|expired"
    r"|out for delivery)(?!\w)",
    re.IGNORECASE,
)
# Beside an id and a dash, in brackets or behind a label: a state and nothing else.
STATE_ALONE = re.compile(
    rf"[-–—(:,][ ]?[*_\"'“`]{{0,3}}({STATES})[*_\"'”`]{{0,3}}(?=[ ]?(?:[):.,;*|]|$))",
    re.IGNORECASE | re.MULTILINE,
)
CONDITION = re.compile(
    r"(?<!\w)(?:if|once|when|until|unless|after|before|whether|not|cannot|only|any"
    r"|while|as long as|no)(?!\w)[^.\n]*$"
    # `Orders that are pending`, and no `I see that order 7 is pending`.
    r"|(?<!, )(?<!\w)(?:that|which)(?: (?:is|are|currently|still|now)){0,2}[ ]?$",
    re.IGNORECASE,
)
