"""Words of deeds on records: what a sentence says was done, and what a tool does.

A tool's name and a sentence meet here by meaning: `cancel_order`, "has been called off"
and "the cancellation is complete" are one deed. Words are compared by their stem and
never by a part of one, so that `Skill` holds no `kill`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache


class RecordDeed(StrEnum):
    """What is done to a record: an order, a booking, an account, a message."""

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
    ANY = "any"


_D = RecordDeed

# Verbs in their base form. What stands twice is read as either.
_VERBS: Mapping[RecordDeed, str] = {
    _D.CANCEL: "cancel void terminate revoke annul rescind withdraw unsubscribe abort",
    _D.REFUND: "refund reimburse credit repay",
    _D.BOOK: """book reserve schedule order purchase buy rent hire register enroll enrol
        subscribe secure arrange rebook checkout""",
    _D.CHANGE: """change update modify edit amend alter adjust upgrade downgrade switch
        move reschedule extend correct rename replace revise set configure reset shift
        postpone convert rebook patch upsert put swap renew reassign assign relabel
        prolong redirect link unlink override merge split""",
    _D.ADD: "add attach append include insert refuel refill top",
    _D.REMOVE: "remove detach drop clear unset strip",
    _D.CREATE: """create open file register log request raise generate add insert new
        submit draft schedule""",
    _D.DELETE: "delete erase remove purge destroy drop",
    _D.PAY: "pay charge bill debit deduct invoice collect remit",
    _D.ISSUE: "issue grant award give compensate credit",
    _D.SEND: """send email mail text message notify forward share post alert inform
        publish reply sms""",
    _D.TRANSFER: "transfer route handoff handover forward wire redirect remit",
    _D.ESCALATE: "escalate",
    _D.APPROVE: "approve authorize authorise accept confirm",
    _D.REJECT: "reject decline deny",
    _D.RETURN: "return",
    _D.EXCHANGE: "exchange swap trade replace",
    _D.ENABLE: """enable activate unlock resume reactivate restore reinstate unblock
        unfreeze lift toggle restart reset waive start play turn""",
    _D.DISABLE: """disable deactivate suspend lock pause freeze block toggle stop close
        turn""",
}
# Verbs that say only that something was done; their object says what.
_LIGHT_VERBS = """
    make process complete finalize finalise finish place submit perform execute handle
    apply implement carry initiate arrange request file issue send post create confirm
    settle do add put new start request
"""
# Nouns of deeds.
_NOUNS: Mapping[RecordDeed, str] = {
    _D.CANCEL: "cancellation cancelation termination withdrawal",
    _D.REFUND: "refund reimbursement",
    _D.BOOK: """viewing tour session consultation stay enrolment booking reservation
        appointment purchase order subscription rental enrollment registration visit
        ticket checkout rebooking""",
    _D.CHANGE: """change update modification upgrade downgrade amendment adjustment
        rescheduling extension correction switch renewal""",
    _D.PAY: "payment charge fee deduction transaction invoice bill",
    _D.ISSUE: "certificate voucher compensation coupon",
    _D.SEND: "email mail message notification sms text",
    _D.TRANSFER: "transfer",
    _D.ESCALATE: "escalation",
    _D.APPROVE: "approval authorization",
    _D.RETURN: "return",
    _D.EXCHANGE: "exchange replacement",
    _D.ENABLE: "activation reactivation",
    _D.DISABLE: "deactivation suspension",
    _D.DELETE: "deletion removal",
    _D.CREATE: "creation case dispute complaint lead refill",
}
# Words of a tool that only looks; one that comes first decides.
_LOOKS = """
    get list search read find view fetch show lookup query describe count calculate
    compute estimate quote track preview check validate is has can think browse retrieve
    load select compare recommend suggest see select ask
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
    "reset": "reset", "split": "split", "rebought": "buy",
}  # fmt: skip
_DOUBLE = re.compile(r"([b-df-hj-np-tv-z])\1$")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return what the forms of an English verb or noun have in common."""
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
    """Return the stems of words that blanks part."""
    return frozenset(map(stem, words.split()))


def _by_stem(table: Mapping[RecordDeed, str]) -> dict[str, frozenset[RecordDeed]]:
    found: dict[str, set[RecordDeed]] = {}
    for deed, words in table.items():
        for word in words.split():
            found.setdefault(stem(word), set()).add(deed)
    return {word: frozenset(deeds) for word, deeds in found.items()}


VERBS = _by_stem(_VERBS)
NOUNS = _by_stem(_NOUNS)
LIGHT_VERBS = stems(_LIGHT_VERBS)
LOOKS = stems(_LOOKS)

# Deeds that a tool of one deed may bring about too, and what it does as well as any:
# paying back happens inside a cancellation, a bag is added by an update.
_ALSO: Mapping[RecordDeed, tuple[str, str]] = {
    _D.CANCEL: ("cancel", "delete change disable return remove refund"),
    _D.REFUND: ("refund", "return cancel exchange change issue pay remove delete"),
    _D.BOOK: ("book", "create add change pay exchange approve"),
    _D.CHANGE: ("change add remove exchange", "book create enable disable return"),
    _D.ADD: ("add change create", "book issue enable exchange"),
    _D.REMOVE: ("remove delete change", "cancel exchange disable return"),
    _D.CREATE: ("create add book", "send change escalate transfer issue"),
    _D.DELETE: ("delete remove", "cancel change disable"),
    _D.PAY: ("pay", "book change exchange cancel create add transfer enable"),
    _D.ISSUE: ("issue create", "refund send add change pay"),
    _D.SEND: ("send", "create transfer issue change"),
    _D.TRANSFER: ("transfer", "escalate send pay change"),
    _D.ESCALATE: ("escalate transfer", "create send change"),
    _D.APPROVE: ("approve", "change book create enable pay"),
    _D.REJECT: ("reject", "change cancel"),
    _D.RETURN: ("return", "exchange refund change create"),
    _D.EXCHANGE: ("exchange", "change return create"),
    _D.ENABLE: ("enable", "change disable add issue"),
    _D.DISABLE: ("disable", "change cancel enable remove"),
}
DOES = {deed: frozenset(map(_D, row[0].split())) for deed, row in _ALSO.items()}
MAY_DO = {deed: frozenset(map(_D, row[1].split())) for deed, row in _ALSO.items()}

# Things that deeds are done to, by meaning. A tool that names one of them does nothing
# to another one.
_THINGS = """
    bag baggage luggage suitcase
    seat
    insurance
    email mail
    message sms text notification
    voucher certificate coupon compensation
    mile point
    lounge
    meal breakfast
    passenger traveler traveller
    address
    hotel room
    car
    ride cab taxi uber
    ticket
    table restaurant
    wifi
    calendar event reminder
    alarm
    password
    roaming
    sim
    warranty
    gift
    loan
    claim
    prescription medication
    note comment
    meeting
    appointment
    visit
    song music
    movie film
    document contract
    invoice bill
    team department
    phone
    light lamp
    thermostat temperature
    data gb
    domain
    dispute
"""
THINGS: Mapping[str, int] = {
    stem(word): number
    for number, line in enumerate(_THINGS.strip().splitlines())
    for word in line.split()
}
_WORD = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++")


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name as programs spell it, in lower case and in order."""
    return tuple(word.lower() for word in _WORD.findall(name))


def deeds_of(words: Iterable[str]) -> frozenset[RecordDeed]:
    """Return what a tool with these words in its name does; empty if it only looks.

    A verb of its own decides: the reservation of `cancel_reservation` is not booked. A
    light verb leaves it to the noun: `process_refund`.
    """
    stems = [stem(word) for word in words]
    if not stems or stems[0] in LOOKS or _is_look(stems):
        return frozenset()
    exact = [VERBS[one] for one in stems if one in VERBS and one not in LIGHT_VERBS]
    if exact:
        return exact[0] | (frozenset() if len(exact) == 1 else exact[-1] & _TRAILING)
    if not any(one in LIGHT_VERBS for one in stems):
        return frozenset()
    found = frozenset[RecordDeed]().union(
        *(NOUNS.get(one, frozenset()) for one in stems),
        *(VERBS.get(one, frozenset()) for one in stems),
    )
    return found or frozenset({RecordDeed.ANY})


# What `order_history` and `payment_status` give, whose first word is a noun.
_LOOKED_AT = stems(
    "history detail details status info information balance summary list record records"
    " schedule availability options profile usage"
)
_NOUN_VERBS = stems(
    """
    order book purchase charge transfer bill mail text message hold claim return
    exchange refund credit schedule report ticket booking reservation payment account
    """
)


def _is_look(stems: Sequence[str]) -> bool:
    """Whether a name is that of what it shows: `order_history`."""
    return stems[-1] in _LOOKED_AT and stems[0] in _NOUN_VERBS and len(stems) > 1


# A second verb that counts beside the first: `update_order_cancel`, `orders.refund`.
_TRAILING = frozenset({_D.CANCEL, _D.REFUND, _D.DELETE, _D.RETURN, _D.EXCHANGE})
