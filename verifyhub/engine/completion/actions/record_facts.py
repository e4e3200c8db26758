"""Whether a clause that no call supports states a fact about a record.

"It was booked on May 4", said of a reservation that was looked up, claims nothing.
"""

import re
from collections.abc import Sequence

from verifyhub.engine.calls.deed_words import (
    NOUNS,
    SWITCHES,
    RecordDeed,
    deed_set,
    stem,
    stems,
    things_of,
    words_of,
)
from verifyhub.engine.calls.look_ups import LookUp
from verifyhub.engine.completion.actions.claims import ClaimedClause
from verifyhub.engine.completion.actions.clause_words import UNSPECIFIC
from verifyhub.engine.completion.actions.clauses import (
    TRANSITION,
    ActionClause,
    Certainty,
    only_names,
)
from verifyhub.engine.ledger.ledger import Ledger

# What has its record from the day it was made on.
_MADE = deed_set("book create pay issue record")
# No state tells of a verb that is not known.
_UNKNOWN = deed_set("other")
# Verbs so short or so common that a word of a record says nothing of the deed.
_SET = stem("set")
_PAY = stem("pay")
_HAVE = "have"
_PAYS = deed_set("pay")
# Characters of one text in which the verb of another's deed is looked for.
_TEXT_LIMIT = 200_000
_SAY_LITTLE = stems(
    "do make set put add send process complete email mail text message contact phone"
)


def is_record_fact(claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a record that was looked up, or the user, states what a clause states."""
    clause, ledger = claimed.clause, claimed.ledger
    if clause.by_other and _is_shown(clause.verb, ledger):
        return True
    told = None if ids else _told_or_unheard(claimed)
    if told is not None:
        return told
    look_ups = [
        look_up
        for look_up in ledger.look_ups
        if not ids or any(id_ in look_up.upper for id_ in ids)
    ]
    # That a record was made says nothing of what was added to it.
    done = clause.certainty is Certainty.DONE
    added = done and RecordDeed.ADD in clause.deeds
    if clause.certainty is not Certainty.DONE or clause.foreign:
        # No record that was looked up has what is new.
        begin, end = claimed.begin, clause.span[1]
        if _NEW.search(claimed.claim.words[begin:end]) and _is_state(claimed):
            return False
    if (
        not added
        and clause.verb != TRANSITION
        and any(
            (clause.deeds - _UNKNOWN) & look_up.states_of(ids)
            for look_up in look_ups
            if not done or _speaks_of(look_up, clause)
        )
    ):
        return not clause.own
    if clause.certainty is Certainty.DONE and not _stands(claimed):
        return False
    if clause.verb == _HAVE and not _NOW.search(claimed.words):
        # "You have an appointment at nine", where a calendar shows one.
        return any(clause.head in look_up.state_words for look_up in look_ups)
    if clause.certainty is Certainty.STATE and clause.verb == TRANSITION:
        nouns = clause.nouns - UNSPECIFIC
        return any(not nouns.isdisjoint(look_up.state_words) for look_up in look_ups)
    if not ids and _is_ordered(claimed):
        return False
    return any(_tells(look_up, clause) for look_up in look_ups) or _is_of_user(claimed)


_NOW = re.compile(r"\b(?:now|all set)\b")


def _told_or_unheard(claimed: ClaimedClause) -> bool | None:
    """Whether a clause is told word for word; None if that does not decide."""
    if _is_told(claimed):
        return True
    return False if _is_unheard(claimed) else None


def _is_told(claimed: ClaimedClause) -> bool:
    """Whether what the agent read says word for word what came of a thing."""
    clause = claimed.clause
    thing = clause.object.strip(" .,:;").upper()
    if clause.own or clause.yours or " " not in thing or len(clause.verb) < _SHORTEST:
        return False
    verb = clause.verb.upper()
    for look_up in claimed.ledger.look_ups:
        place = look_up.upper.find(thing)
        if place >= 0 and verb in look_up.upper[place : place + len(thing) + _BEHIND]:
            return True
    return False


# Characters behind a thing in which its verb stands.
_BEHIND = 40


def _is_ordered(claimed: ClaimedClause) -> bool:
    """Whether the user asked for what a clause says came about: "add an alarm".

    "The alarm was created" then tells of that one, and of none that was looked up.
    """
    clause = claimed.clause
    if clause.deeds.isdisjoint(_MADE_NEW) or clause.verb not in _MAKES_NEW:
        return False
    return any(
        stem(match[1]) == clause.head
        for line in claimed.ledger.asked_lines
        for match in _ORDERED.finditer(line)
    )


_MADE_NEW = deed_set("create add")
_MAKES_NEW = stems("create add set make")
_ORDERED = re.compile(
    r"\b(?:add|create|set up|make)\s+(?:me\s+)?(?:an?|another|one)(?: new)? "
    r"([a-z]{3,20})\b"
)


def _is_unheard(claimed: ClaimedClause) -> bool:
    """Whether neither a record nor the user speaks of what a clause is about.

    Where no output has a technician, a technician's visit can be no record's fact.
    """
    clause, ledger = claimed.clause, claimed.ledger
    if clause.foreign or clause.yours or not ledger.look_ups:
        return False
    if clause.head in UNSPECIFIC:
        return False
    adverb = clause.head.endswith("ly")
    if len(clause.head) < _SHORTEST or adverb or not only_names(clause.object):
        return False
    known = ledger.look_up_words | ledger.asked
    things = things_of([clause.head])
    return clause.head not in known and things.isdisjoint(things_of(known))


_SHORTEST = 4


def _is_state(claimed: ClaimedClause) -> bool:
    """Whether a clause says how a thing is: "your new card is ordered"."""
    return claimed.clause.certainty is Certainty.STATE or _stands(claimed)


_NEW = re.compile(
    r"\b(?:(?:your|the|a) new|(?:der|die|das|ihre?|ein) neuer?s?|(?:la|le|votre|une?)"
    r" nouve(?:au|l|lle)|(?:la|el|su|tu|una?) nuev[oa])\b"
)


def _speaks_of(look_up: LookUp, clause: ActionClause) -> bool:
    """Whether a record has a word of what a clause says was done.

    That a customer is active is no fact of a policy that has been reinstated.
    """
    nouns = frozenset(noun for noun in clause.nouns - UNSPECIFIC if noun[2:])
    known = look_up.state_words | look_up.records
    return (
        not nouns
        or not nouns.isdisjoint(known)
        or not clause.things.isdisjoint(things_of(known))
    )


def _stands(claimed: ClaimedClause) -> bool:
    """Whether a clause of another language says how a thing is: "está confirmada".

    Its participle alone may say that too: "Chambre réservée".
    """
    words = claimed.claim.words[slice(*claimed.clause.span)]
    return claimed.clause.foreign and bool(_IS_SO.match(words))


_IS_SO = re.compile(
    r"(?:ist|sind|est|sont|está|están)\b(?!.*\b(?:worden|été|sido)\b)|[a-zà-ÿ]+$"
)


def _is_shown(verb: str, ledger: Ledger) -> bool:
    """Whether anything that the agent read has a verb: what others did stands there."""
    texts = [entry.call.output for entry in ledger.calls]
    texts += [source.text for source in ledger.sources]
    return any(verb in map(stem, words_of(text[:_TEXT_LIMIT])) for text in texts)


def _tells(look_up: LookUp, clause: ActionClause) -> bool:
    verbs = {clause.verb, stem(clause.verb)}
    nouns = clause.nouns - UNSPECIFIC
    if _ONE.match(clause.object) and nouns.isdisjoint(look_up.state_words):
        return False  # "A credit was posted", where charges are.
    if clause.verb not in _SAY_LITTLE and not verbs.isdisjoint(look_up.state_words):
        return True
    if clause.verb == _PAY and look_up.has_price and clause.deeds <= _PAYS:
        return True  # "It was paid with a card."
    if clause.deeds & SWITCHES:
        return not look_up.flags(clause.deeds).isdisjoint(clause.nouns | {clause.verb})
    if clause.verb != _SET and (
        RecordDeed.ADD in clause.deeds or not clause.deeds & _MADE
    ):
        return False
    if _ONE.match(clause.object) and clause.things.isdisjoint(
        things_of(look_up.state_words | look_up.records)
    ):
        return False  # A reservation tells of no airport pickup.
    if (
        clause.foreign
        and not any(noun.startswith(_BOOKINGS) for noun in clause.nouns)
        and clause.things.isdisjoint(things_of(look_up.state_words))
    ):
        return False
    return not look_up.is_offer and any(
        noun in clause.nouns or clause.deeds & NOUNS.get(noun, frozenset())
        for noun in look_up.records
    )


# How a booking is called whatever it is of.
_BOOKINGS = ("reserv", "réserv", "buchung", "бронь", "брони", "запис")
_ONE = re.compile(r"\W*an?\s")
_WAS = r"\b(?:was|were|got|been|is|are)\s+(?:\w+\s+){0,2}?"


def _is_of_user(claimed: ClaimedClause) -> bool:
    """Whether the user wrote it: "I was charged twice"."""
    clause = claimed.clause
    verbs = claimed.claim.words[slice(*clause.span)].split()[-1:]
    if (
        clause.certainty is not Certainty.REPORTED
        or not verbs
        or not verbs[0].isalpha()
    ):
        return False
    pattern = re.compile(_WAS + verbs[0] + r"\b", re.IGNORECASE)
    return any(
        source.field == "task" and pattern.search(source.text[:20_000])
        for source in claimed.ledger.sources
    )
