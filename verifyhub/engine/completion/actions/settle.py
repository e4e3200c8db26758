"""Settle claims of what was done to records by the calls that could do it.

The deed of a claim is compared with the deeds of calls, its object with what the
calls were given. The right deed on another object is none.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from verifyhub.engine.calls.deed_words import (
    DOES,
    LIGHT_VERBS,
    MAY_DO,
    NOUNS,
    THINGS,
    VERBS,
    RecordDeed,
    deed_set,
    stem,
    stems,
    things_of,
    words_of,
)
from verifyhub.engine.calls.look_ups import lists_in, records_in
from verifyhub.engine.calls.record_calls import (
    RecordCall,
    is_argument,
    leaves,
    numbers_in,
)
from verifyhub.engine.completion.actions.claims import (
    ActionClaim,
    ClaimedClause,
    names_in,
)
from verifyhub.engine.completion.actions.clause_words import (
    IDENTITY,
    PREPOSITION,
    UNSPECIFIC,
    WORD,
)
from verifyhub.engine.completion.actions.clauses import (
    ASKED_AFTER,
    TRANSITION,
    ActionClause,
    Certainty,
)
from verifyhub.engine.completion.actions.objects import amounts_in
from verifyhub.engine.completion.actions.other_words import (
    UNDOING,
    call_in_other_words,
    call_that_led_to,
    call_with_its_sum,
    call_with_its_values,
    is_no_such_change,
    is_other_change,
    shares_value,
)
from verifyhub.engine.completion.actions.record_facts import is_record_fact
from verifyhub.engine.completion.actions.results import (
    is_among,
    shows_deed,
    tells_other_sum,
)
from verifyhub.engine.completion.details import compare_addresses
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
    worst,
    worst_of,
)
from verifyhub.engine.ledger.ledger import SEPARATORS, Ledger
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.text.tokens import plain, word_set
from verifyhub.engine.types import Span

_D = RecordDeed
_MONEY = deed_set("pay refund")
# What such a deed makes has its id only in what the call returned.
_MAKES = deed_set("book create issue")
_AMOUNT_FIELDS = re.compile(r"(?:\w*amount|total|sum|price|value|credit)(?:usd|eur)?")


def settle_action(
    claim: ActionClaim, ledger: Ledger, claimed_calls: Collection[int] | None = None
) -> Ruling | None:
    """Return what the calls say of a claim; None where it states a record's fact.

    Args:
        claim: A sentence.
        ledger: The run.
        claimed_calls: The calls that other sentences tell of. Where they are known, a
            deed that no call did by its name is looked for in other words.
    """
    parts = [
        (clause, ruling)
        for clause in claim.clauses
        if (
            ruling := _settle_clause(
                ClaimedClause(claim, clause, ledger), claimed_calls
            )
        )
    ]
    known = [
        (clause, ruling)
        for at, (clause, ruling) in enumerate(parts)
        if not (at and _follows(clause, ruling, *parts[at - 1]))
    ]
    if not known:
        return None
    worst_ruling = worst_of(
        [(claim.text[slice(*clause.piece)], ruling) for clause, ruling in known]
    )
    same = {worst_ruling.status}
    same |= _ACCUSING if same <= _ACCUSING else frozenset()
    deciding = [clause.piece for clause, ruling in known if ruling.status in same]
    if len(deciding) < len(known) or _begin(deciding[0], claim):
        place = (_begin(deciding[0], claim), deciding[-1][1])
        return replace(worst_ruling, place=place)
    last = deciding[-1][1]
    end = _CONTRAST.search(claim.words, last) or ASKED_AFTER.search(claim.words, last)
    return replace(worst_ruling, place=(0, end.start())) if end else worst_ruling


# What stands behind it was not done, or cannot be.
_CONTRAST = re.compile(r"[,;—–]\s*(?:but|although|though|however)\b")
_ACCUSING = frozenset({ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED})


def _begin(piece: Span, claim: ActionClaim) -> int:
    """Return where a clause begins: a label before the first one belongs to it."""
    is_first = piece == claim.clauses[0].piece
    return 0 if is_first and not _PART.search(claim.words[: piece[0]]) else piece[0]


# What stands before it is said for itself.
_PART = re.compile(r"[,;.!]|\b(?:and|but|so)\b")


def _is_tried(matching: Sequence[RecordCall], possible: Sequence[RecordCall]) -> bool:
    """Whether what may be a record's fact is what calls of the run did, or failed at.

    Where some worked, a record may tell what they did of it: only the sure ones count.
    """
    return bool(matching) or bool(possible and all(call.failed for call in possible))


def _of_none(claimed: ClaimedClause) -> Ruling | None:
    """Rule on how a thing stands that no call brought about: it may be a fact."""
    slips = _done_to_unseen(claimed)
    is_new = bool(slips) or _is_unmentioned(claimed)
    return unattempted(*slips) if is_new else None


def _done_to_unseen(claimed: ClaimedClause) -> list[int]:
    """Return the calls that did what a clause claims to what nothing shows."""
    return [
        call.index
        for call in claimed.ledger.record_calls
        if not call.failed
        and _does(call, claimed.clause, DOES)
        and _is_on_unseen(call, claimed)
    ]


def _is_unmentioned(claimed: ClaimedClause) -> bool:
    """Whether nothing that the agent read speaks of what the clause describes.

    Of an alert that no record shows, "the alert is set" can be no record's fact.
    """
    clause, ledger = claimed.clause, claimed.ledger
    if clause.deeds & _RULED or not (clause.things or clause.names):
        return False
    words = claimed.claim.words
    before = words[: clause.piece[0]]
    of_any = not (before.strip() or _DIGIT.search(words)) and _OF_ANY.match(words)
    if of_any or _WHILE.search(before):
        return False
    if not ledger.look_ups:
        return False
    return clause.names.isdisjoint(ledger.look_up_words) and clause.things.isdisjoint(
        things_of(ledger.look_up_words)
    )


# "A market order is filled at the price of the moment": a rule, as is what holds only
# under a condition.
_OF_ANY = re.compile(
    r"\W*(?:(?:an?|any|each|every|all|most|some|only)\b|[a-z-]+s (?:is|are)\b)"
)
_WHILE = re.compile(
    r"\b(?:while|when(?:ever)?|as (?:long|soon) as|once|until|unless|if|before|after"
    r"|provided(?: that)?)\W*(?:the\b|your\b)?\W*\Z"
)
# Verbs that occur in rules at least as often as in reports: "a fee is charged".
_RULED = deed_set("pay refund issue return waive")


def _ids_of(claimed: ClaimedClause) -> tuple[str, ...]:
    """Return the ids of a clause, those before it unless it names a row itself."""
    claim, clause, ledger = claimed.claim, claimed.clause, claimed.ledger
    before = [place for place, id_ in claim.ids if id_ in claimed.ids]
    if not before or max(before) >= claimed.begin:
        return claimed.ids
    are_made = clause.things and all(_is_made(id_, ledger) for id_ in claimed.ids)
    clause_text = claim.text[slice(*clause.piece)]
    names_own = ledger.kin_rows.names(clause_text, claimed.ids)
    return () if are_made or names_own else claimed.ids


def _is_made(id_: str, ledger: Ledger) -> bool:
    """Whether an id is only what a call returned: of its result, and of no object."""
    calls = ledger.record_calls
    return any(id_ in call.returned_ids for call in calls) and not any(
        id_ in call.given_ids for call in calls
    )


def _follows(
    clause: ActionClause, ruling: Ruling, before: ActionClause, before_ruling: Ruling
) -> bool:
    """Whether a clause without a call only says what the one before it led to.

    "I changed the day, so the next payment is now due on the 15th."
    """
    open_ = ruling.status is ClaimStatus.UNATTEMPTED
    return (
        (open_ or clause.head == "it")
        and before_ruling.status is ClaimStatus.SUPPORTED
        and before.certainty is Certainty.DONE
        and clause.verb == TRANSITION
    )


def _settle_clause(
    claimed: ClaimedClause, claimed_calls: Collection[int] | None
) -> Ruling | None:
    claimed = replace(claimed, clause=_with_object_names(claimed))
    clause, ledger = claimed.clause, claimed.ledger
    matching, possible = _candidates(claimed)
    possible = _unless_told(possible, claimed, claimed_calls)
    if _D.LOOK_UP in clause.deeds:
        return _looked_up(claimed)
    if clause.if_tried and not _is_tried(matching, possible):
        return _of_none(claimed)
    ids = tuple(
        id_
        for id_ in _ids_of(claimed)
        if not _is_place(id_, claimed)
        and not _is_former(id_, claimed, matching)
        and not _is_account(id_, claimed, (*matching, *possible))
    )
    if teller := _call_with_status(claimed, ids):
        return supported(teller.index)
    if ids:
        ruling = _by_ids(ids, claimed, matching, possible)
    else:
        matching = _nearest(matching, claimed)
        ruling = _last(matching) or _by_other(possible, clause) or unattempted()
    if not matching and _is_older_fact(ruling, claimed, ids):
        return None
    if ruling.status is ClaimStatus.SUPPORTED and (
        _lacks_part(claimed) or (not ids and _falls_short(claimed, matching))
    ):
        return unattempted(*ruling.evidence)
    if ruling.status is ClaimStatus.SUPPORTED and (not ids or _adds(claimed)):
        ruling = _unless_unlike(ruling, claimed, claimed_calls)
    if ruling.status is not ClaimStatus.UNATTEMPTED:
        ruling = _with_amount(ruling, claimed, matching)
        if RecordDeed.SEND in clause.deeds:
            sent = [call.index for call in matching]
            return compare_addresses(claimed.claim.text, ruling, sent, ledger)
        return ruling
    return _by_what_calls_say(claimed, ids, claimed_calls) or _of_no_call(
        ruling, claimed, ids, tried=bool(matching or possible)
    )


_CONFIRMS = stems("confirm verify authenticate validate")


def _looked_up(claimed: ClaimedClause) -> Ruling | None:
    """Rule on who was found by the calls that show their ids, or show somebody."""
    calls = claimed.ledger.calls
    is_person = not IDENTITY.isdisjoint(claimed.clause.nouns)
    # Who was not found is not found by what shows an order.
    asking = [
        entry
        for entry in calls
        if is_person and not _PERSONS.isdisjoint(words_of(entry.call.tool))
    ]
    unshown = {SEPARATORS.sub("", id_) for id_ in claimed.ids}
    showing: list[int] = []
    for index, (text, keys) in claimed.ledger.shown.items():
        shown = {id_ for id_ in unshown if id_ in text}
        unshown -= shown
        if shown or not (is_person and _PERSONS.isdisjoint(keys)):
            showing.append(index)
    by_id = any(
        str(value).upper() in claimed.ids and not _PERSONS.isdisjoint(words_of(key))
        for index in showing
        for key, value in calls[index].call.input.items()
    )
    if asking and not by_id and not any(entry.succeeded for entry in asking):
        return contradicted(*(entry.index for entry in reversed(asking)))
    return supported(showing[-1]) if showing and not unshown else unattempted()


# Words of calls that show somebody, in their names and fields.
_PERSONS = word_set(
    """
    user customer client patient member guest account accounts profile identity person
    holder email phone passenger employee contact patron owner tenant subscriber
    authenticate login
    """
)


def _unless_unlike(
    ruling: Ruling, claimed: ClaimedClause, claimed_calls: Collection[int] | None
) -> Ruling:
    """Leave open what a call did of which no word is the clause's.

    Where another sentence tells of that call, it is no other deed.
    """
    clause, ledger = claimed.clause, claimed.ledger
    if clause.deeds & _MONEY:
        return ruling
    calls = [call for call in ledger.record_calls if call.index in ruling.evidence]
    like = [call for call in calls if _is_like(call, claimed)]
    strange = bool(like) and all(_is_on_stranger(call, claimed) for call in like)
    if like and not strange:
        return ruling
    if claimed_calls is None or set(ruling.evidence).isdisjoint(claimed_calls):
        if strange and claimed_calls is not None:
            return ruling
        is_open = claimed_calls is None or not clause.foreign
        return unchecked(*ruling.evidence) if is_open else ruling
    return unattempted(*ruling.evidence)


def _is_on_stranger(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a deed is for a name that neither a call nor the user's request has."""
    names = {
        stem(name.lower())
        for name in _FOR_WHAT.findall(claimed.claim.text, *claimed.clause.piece)
    }
    known = call.stems | call.shown | UNSPECIFIC | claimed.ledger.asked
    return bool(names) and names.isdisjoint(known)


_FOR_WHAT = re.compile(r"(?<=\bfor )[A-Z][a-z]{3,20}\b")


def _adds(claimed: ClaimedClause) -> bool:
    """Whether something is added to what is named: the id says not what."""
    return claimed.clause.deeds & _ADDED == _ADDED and bool(claimed.clause.object)


_ADDED = deed_set("add")


def _is_like(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call has a word, thing or value of a clause, if that has any."""
    clause = claimed.clause
    words = (
        clause.nouns if clause.foreign else names_in(f"{clause.object} {claimed.rest}")
    )
    words -= {clause.verb}
    own = call.stems | call.shown | call.verbs
    own |= _stems_beside_ids(call, claimed.ledger)
    if not words or not words.isdisjoint(own) or "all" in call.words:
        return True
    if clause.verb in call.verbs - LIGHT_VERBS - _CHANGES_ANYHOW:
        return True
    if _is_called(call, clause) or _ends_so(call, clause):
        return True
    if claimed.ledger.kin_rows.is_near(claimed.text, call.folded_given):
        return True
    if not (clause.things | things_of(words)).isdisjoint(call.things):
        return True
    if not clause.foreign:
        return False
    return not _beginnings(words).isdisjoint(_beginnings(own)) or shares_value(
        call, claimed
    )


def _unless_told(
    possible: list[RecordCall],
    claimed: ClaimedClause,
    claimed_calls: Collection[int] | None,
) -> list[RecordCall]:
    """Leave out what other sentences tell of, where it is not like the clause.

    Where all others failed, what worked is left out however like it is.
    """
    if claimed_calls is None:
        return possible
    untold = [call for call in possible if call.index not in claimed_calls]
    if untold and all(call.failed for call in untold):
        return untold
    if claimed.clause.deeds & _MONEY:
        return possible
    return [call for call in possible if call in untold or _is_like(call, claimed)]


def _is_older_fact(ruling: Ruling, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether "it was booked in May" is said of what a call failed to change."""
    return (
        ruling.status is ClaimStatus.CONTRADICTED
        and claimed.clause.certainty is Certainty.REPORTED
        and not claimed.clause.if_tried
        and is_record_fact(claimed, ids)
    )


def _by_what_calls_say(
    claimed: ClaimedClause, ids: Sequence[str], claimed_calls: Collection[int] | None
) -> Ruling | None:
    """Rule by calls that report the deed in their result, or did it in other words."""
    clause, ledger = claimed.clause, claimed.ledger
    calls = [
        call
        for call in ledger.record_calls
        if not (_is_elsewhere_done(call, claimed) or tells_other_sum(call, claimed))
    ]
    reported = [
        call
        for call in calls
        if shows_deed(call, claimed, ids) or _reports(call, claimed, ids)
    ]
    if reported:
        ruling = supported(reported[-1].index)
        said = ids or _reports(reported[-1], claimed, ids)
        return ruling if said else _unless_unlike(ruling, claimed, claimed_calls)
    swap = _swap(clause, ledger)
    if swap:
        return unchecked(*swap)
    told = [call for call in calls if _is_so_now(call, claimed, ids)]
    if told and not clause.by_other:
        return unchecked(told[-1].index)
    if claimed_calls is not None and clause.verb == TRANSITION:
        cause = call_that_led_to(claimed, ids, calls)
        if cause is not None:
            return unchecked(cause.index)
    if claimed_calls is not None:
        candidates = [
            call
            for call in calls
            # What the agent did in other words is not what another did.
            if not (
                clause.by_other
                or _is_of_other(call, claimed)
                or _is_other_request(call, claimed)
            )
        ]
        other = call_in_other_words(claimed, ids, candidates, claimed_calls)
        other = other or call_with_its_values(claimed, ids, candidates)
        other = other or call_with_its_sum(claimed, ids, candidates)
        if other is not None:
            return unchecked(other.index)
    return None


def _is_so_now(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a call's status is a clause's verb, whatever the call is named."""
    clause = claimed.clause
    states = call.outcome - _CHANGES_ANYHOW - LIGHT_VERBS
    done = clause.verb in states or (
        clause.foreign
        and any(
            clause.deeds & UNDOING & VERBS.get(state, frozenset()) for state in states
        )
    )
    return done and not call.failed and call.has_ids(ids)


def _swap(clause: ActionClause, ledger: Ledger) -> tuple[int, ...]:
    """Return the last calls that added and took away, of a swap."""
    if clause.verb not in _SWAPS:
        return ()
    done = [call for call in ledger.record_calls if not call.failed]
    away = [call.index for call in done if call.deeds & _TAKING_AWAY]
    added = [call.index for call in done if call.deeds & _MADE_ANEW]
    return (added[-1], away[-1]) if away and added else ()


_SWAPS = stems("swap switch replace exchange trade substitute change")
_TAKING_AWAY = deed_set("remove delete cancel return")


def _of_no_call(
    ruling: Ruling, claimed: ClaimedClause, ids: Sequence[str], *, tried: bool
) -> Ruling | None:
    clause, ledger = claimed.clause, claimed.ledger
    record = clause.by_other or not tried
    record = record or not clause.deeds.isdisjoint(_MAKES_OR_PAYS)
    if record and (_is_why(claimed) or is_record_fact(claimed, ids)):
        return None
    if clause.verb in _CONFIRMS and _is_confirmed(claimed, ids):
        return None
    if clause.object.strip() in _STATE_LABELS and any(
        not call.failed for call in ledger.record_calls
    ):
        return unchecked()  # "Status: requested", of what another line tells.
    if (seen := _told_otherwise(claimed)) is not None:
        return unchecked(seen)
    return unchecked() if _opaque(ledger) else ruling


_LOOKED = stems("read review examine inspect scan fetch retrieve access view")


def _told_otherwise(claimed: ClaimedClause) -> int | None:
    """Return the call that a clause may tell of which names no deed of its own.

    It tells of a look, of a check that a call is named by, or of "both steps".
    """
    clause, ledger = claimed.clause, claimed.ledger
    for entry in reversed(ledger.calls) if clause.head in _CHECKS else ():
        named = set(map(stem, words_of(entry.call.tool)))
        about = clause.nouns - UNSPECIFIC - {clause.head}
        if entry.succeeded and clause.head in named and about and about <= named:
            return entry.index
    if clause.head in _STEPS and not (clause.own or claimed.ids):
        done = [call.index for call in ledger.record_calls if not call.failed]
        return done[-1] if done else None
    looked = clause.verb in _LOOKED | _CALCULATED or _is_look(clause, ledger)
    opened = clause.verb == _OPEN and _KNOWN_ONE.match(clause.object)
    if clause.own and (looked or opened) and ledger.look_ups:
        return ledger.look_ups[-1].index
    return None


_CHECKS = stems("check search review lookup verification comparison scan screening")
_STEPS = stems("step action task change request operation")


def _is_look(clause: ActionClause, ledger: Ledger) -> bool:
    """Whether a clause of another language tells of what a look-up is named by.

    "Lancé una comparación", by `compare_products`; "abrí su ficha" is a look as well.
    """
    if not clause.foreign or clause.deeds.isdisjoint(_STARTS):
        return False
    if clause.verb in _OPENED and not _PAGES.isdisjoint(clause.nouns):
        return True
    named = {word for one in ledger.look_ups for word in words_of(one.call.call.tool)}
    told = _beginnings(word for word in clause.nouns if len(word) > _SHORTEST_LOOK)
    return not told.isdisjoint(_beginnings(named))


_STARTS = deed_set("create book enable other")
_OPENED = frozenset({"abiert", "ouvert", "geöffnet"})
_PAGES = word_set("ficha página perfil detalle detalles fiche page profil seite akte")
_SHORTEST_LOOK = 6
# "I opened your profile": to read it, unlike an account that is opened.
_OPEN = stem("open")
_KNOWN_ONE = re.compile(
    r"(?!.*\b(?:dispute|case|ticket|claim|request|complaint|account)s?\b)"
    r"\W*(?:the|your|his|her|their|this|that|both|all)\b"
)
# What an agent does to figures without a call as well.
_CALCULATED = stems("convert calculate compute")
_STATE_LABELS = frozenset({"status", "state", "stage"})
_PAYMENT = stem("payment")


def _is_confirmed(claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a look-up shows that a bill is paid of which a payment is confirmed."""
    return claimed.clause.head == _PAYMENT and any(
        _D.PAY in look_up.states_of(ids) for look_up in claimed.ledger.look_ups
    )


def _is_why(claimed: ClaimedClause) -> bool:
    """Whether a clause says why a call failed: "your card was declined"."""
    return claimed.clause.deeds == {_D.REJECT} and any(
        call.failed and claimed.clause.verb in call.shown
        for call in claimed.ledger.record_calls
    )


def _reports(
    record_call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]
) -> bool:
    """Whether a call's own short report says what a clause says: "Added 2 GB to L2".

    It has the verb, every id, an amount where one is stated, and a noun or a number.
    """
    text = record_call.call.call.output
    if record_call.failed or len(text) > _SHORT_REPORT:
        return False
    if claimed.clause.verb not in record_call.reported:
        return _tells_of(record_call, claimed)
    if not record_call.has_ids(ids):
        return False
    if amounts := claimed.claim.amounts:
        return any(is_among(known, amounts) for known in record_call.amounts)
    if len(record_call.reported) <= _FEW_WORDS and not claimed.clause.names:
        return True  # "Booking is done."
    nouns = claimed.clause.nouns - UNSPECIFIC - _COMMON - {claimed.clause.verb}
    known = record_call.reported | record_call.words_stems
    # `auth_code_sent_to`: "the authorization code was sent".
    short = tuple(word for word in known if len(word) >= _SHORT_FORM)
    return not nouns.isdisjoint(known) or any(word.startswith(short) for word in nouns)


_FEW_WORDS = 3
_SHORT_FORM = 4


def _tells_of(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call returned whom a clause names, in a field of the clause's verb.

    "Escalated to L2, assigned to S. Moreau": `{"assignee": "S. Moreau"}`.
    """
    names = claimed.rest_names & call.reported
    has_verb = len(claimed.clause.verb) >= _LONG_VERB and any(
        word.startswith(claimed.clause.verb) for word in call.reported
    )
    return has_verb and bool(names)


_LONG_VERB = 5
_SHORT_REPORT = 300


def _with_object_names(claimed: ClaimedClause) -> ActionClause:
    """Return a clause with the names that distinguish its object from others.

    An id says it all. Where the object is "it", the place it was put in tells it, and
    a name stands also behind it: "upgraded the outbound leg to business class".
    """
    clause = claimed.clause
    if _D.PAY in clause.deeds:
        clause = replace(clause, things=clause.things - _PAID)
    if clause.deeds <= _PASSED_ON and clause.things <= _MATTERS:
        # Whatever was passed on is the matter that is spoken of.
        clause = replace(clause, things=frozenset())
    by_id = bool(claimed.ids) and RecordDeed.ADD not in clause.deeds
    if by_id or (RecordDeed.SEND in clause.deeds and _EMAIL.search(claimed.claim.text)):
        return replace(clause, names=frozenset())
    if _D.ADD in clause.deeds and _EMAIL.search(clause.object):
        return replace(clause, names=frozenset(), things=frozenset())
    unsaid = not clause.things | clause.names and not _DIGIT.search(clause.object)
    if unsaid and clause.deeds & _OF_ANYTHING:
        if _D.CHANGE in clause.deeds and _GOAL_SAID.match(claimed.rest):
            return clause  # What something was changed to is not what was changed.
        return replace(clause, things=_aim(claimed.rest))
    behind_object = claimed.rest.removeprefix(clause.object)
    if _D.ADD in clause.deeds and _INTO.search(f" {behind_object}"):
        return clause  # What something was added to is not what was added.
    is_new = _ONE_MORE.match(clause.object) and clause.deeds <= _MADE_ANEW
    if clause.names and not clause.things and not is_new:
        return replace(clause, names=clause.names | claimed.rest_names)
    return clause


def _candidates(claimed: ClaimedClause) -> tuple[list[RecordCall], list[RecordCall]]:
    """Return the calls that do what a clause claims, and those that may have."""
    clause, calls = claimed.clause, claimed.ledger.record_calls
    matching = [
        call
        for call in calls
        if _does(call, clause, DOES) or _has_outcome(call, claimed)
    ]
    matching_ids = set(map(id, matching))
    possible = [
        call
        for call in calls
        if id(call) not in matching_ids
        and _does(call, clause, MAY_DO)
        and _near(call, claimed)
    ]
    matching, possible = _of_same_row(matching, possible, claimed)
    is_sent = clause.deeds == {_D.SEND}
    same_verb = [call for call in matching if _same_verb(call, clause)]
    unnamed = [
        call
        for call in matching
        if _names_nothing(call, clause) and (not is_sent or _sends(call))
    ]
    matching = _of_object(matching, claimed)
    if not matching and not clause.things:
        possible += same_verb
    if not matching and unnamed and _is_asked(claimed):
        possible += unnamed
    matching = [call for call in matching if not _is_of_other(call, claimed)]
    matching = [call for call in matching if _fits(call, claimed)]
    possible = [
        call
        for call in possible
        if _fits(call, claimed)
        and _moves(call, claimed)
        and not _is_of_other(call, claimed)
    ]
    return (
        _of_named_row(_of_own_verb(matching, clause), claimed),
        _of_named_row(possible, claimed),
    )


def _has_outcome(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call's status is a clause's verb, and it has a value of the clause."""
    verbs = call.outcome - _CHANGES_ANYHOW
    return claimed.clause.verb in verbs and shares_value(call, claimed)


def _of_own_verb(calls: list[RecordCall], clause: ActionClause) -> list[RecordCall]:
    """Leave out what other tools did where the tool of the very verb failed.

    A place on a waiting list is none of the bookings that were refused. What another
    tool did counts where it speaks of the object.
    """
    named = [call for call in calls if clause.verb in call.verbs - LIGHT_VERBS]
    if not named or not all(call.failed for call in named):
        return calls
    return [
        call
        for call in calls
        if call in named
        or clause.things & call.things
        or clause.names & (call.stems | call.shown)
    ]


def _of_named_row(calls: list[RecordCall], claimed: ClaimedClause) -> list[RecordCall]:
    """Prefer the calls that were given the row of a list which a clause names."""
    if not calls[1:]:
        return calls
    near = claimed.ledger.kin_rows.is_near
    return [call for call in calls if near(claimed.text, call.folded_given)] or calls


def _of_same_row(
    matching: list[RecordCall], possible: list[RecordCall], claimed: ClaimedClause
) -> tuple[list[RecordCall], list[RecordCall]]:
    """Leave out the calls that were given another row of a list than the one named.

    Where the tool that has the verb was given another, no tool of a wider deed did it.
    """
    verb = claimed.clause.verb
    states = [call for call in claimed.ledger.record_calls if verb in call.outcome]
    elsewhere = [
        call
        for call in (*matching, *possible, *states)
        if _is_elsewhere_done(call, claimed)
    ]
    if not elsewhere:
        return matching, possible
    has_verb = any(verb in call.verbs | call.outcome for call in elsewhere)
    done_elsewhere = {call.index for call in elsewhere}

    def remaining(calls: list[RecordCall]) -> list[RecordCall]:
        kept = [call for call in calls if call.index not in done_elsewhere]
        return [call for call in kept if not has_verb or verb in call.verbs]

    return remaining(matching), remaining(possible)


def _is_elsewhere_done(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given another row, or a thing of another number."""
    return (
        _is_on_unseen(call, claimed)
        or _is_on_unasked(call, claimed)
        or _is_of_row(call, claimed)
        or _has_other_number(call, claimed)
        or _has_other_address(call, claimed)
        or _has_stray_name(call, claimed)
        or _has_other_title(call, claimed)
    )


def _has_stray_name(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given a name from nowhere, and not the one that was asked for.

    The user asked for the room Orchid, and the call booked the room Orion.
    """
    ledger = claimed.ledger
    strays = ledger.stray_names.get(call.index, frozenset())
    answered = claimed.claim.text
    if all(value.casefold() in answered.casefold() for value in strays):
        return False
    asked = " ".join(ledger.asked_lines)
    nearby = call.stems | call.shown | _stems_beside_ids(call, ledger)
    return any(
        name in answered and stem(name) not in nearby | UNSPECIFIC
        for name in _NAMED.findall(asked)
    )


def _has_other_title(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call made what has another title than the one a clause quotes."""
    titles = [value for field, value in call.given if _TITLES & {*words_of(field)[-1:]}]
    match = _QUOTED.search(claimed.object_text) if titles else None
    if not match or call.deeds.isdisjoint(_NEW):
        return False
    quoted = names_in(match[1].lower())
    known = call.stems | call.shown
    return 2 * len(quoted & known) < len(quoted)


_TITLES = frozenset({"title", "name", "subject", "summary"})
_QUOTED = re.compile(r"[“\"]([^”\"]{4,80})[”\"]")
_NAMED = re.compile(r"(?<![.!?\n] )(?<!^)\b[A-Z][a-z]{3,20}\b")


def _is_on_unseen(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given an id that nothing shows, nor the claim names."""
    unseen = claimed.ledger.unseen_ids.get(call.index, frozenset())
    told = claimed.claim.text.upper(), *(id_ for _, id_ in claimed.claim.ids)
    return bool(unseen) and not any(id_ in text for text in told for id_ in unseen)


def _is_on_unasked(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given a name for the user's, and the claim has none of it."""
    words = claimed.ledger.unasked_names.get(call.index)
    ids = claimed.ids
    if not words or (ids and call.has_ids(ids)):
        return False
    return not any(word in claimed.claim.text.casefold() for word in words)


def _has_other_address(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given one e-mail address, and another call the one named."""
    addresses = set(_ADDRESSES.findall(claimed.words.casefold()))
    if not addresses:
        return False
    given_addresses = {value for value in call.folded_given if "@" in value}
    return (
        bool(given_addresses)
        and given_addresses.isdisjoint(addresses)
        and any(
            not addresses.isdisjoint(other.folded_given)
            for other in claimed.ledger.record_calls
            if other is not call
        )
    )


def _has_other_number(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a field has another number than the clause: `block: 6`, of block 4."""
    stated_numbers: dict[str, set[str]] = {}
    for match in _NUMBERED.finditer(f"{claimed.clause.object} {claimed.words}"):
        stated_numbers.setdefault(stem(match[1]), set()).add(match[2])
    if not stated_numbers:
        return False
    for field, value in call.given:
        key = [word for word in words_of(field) if word not in _OF_NUMBER]
        numbers = stated_numbers.get(stem(key[-1]), set()) if key else set()
        if numbers and _NUMBER_ALONE.fullmatch(value):
            return value not in numbers
    return False


_ADDRESSES = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_OF_NUMBER = frozenset({"id", "number", "no", "code"})
_NUMBERED = re.compile(r"\b([a-z]{3,20}) #?(\d{1,6})\b(?![.,:/%-]\d)")
_NUMBER_ALONE = re.compile(r"\d{1,6}")


def _is_of_row(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given another row of a list than the one a clause names."""
    rows, given = claimed.ledger.kin_rows, call.folded_given
    output = call.folded_shown
    return rows.is_of_other(claimed.text, given, output) or rows.is_of_other_named(
        claimed.object_text, given, output
    )


def _moves(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call of another deed may have moved the one sum of the claim."""
    if tells_other_sum(call, claimed):
        return False
    if not claimed.clause.deeds & _MONEY or len(claimed.claim.amounts) != 1:
        return True
    sums = _sums_given(call)
    if sums:
        return any(is_among(known, claimed.claim.amounts) for known in sums)
    if _is_of_other_record(call, claimed) or not _is_known_sum(claimed):
        return False
    texts = [entry.call.output for entry in claimed.ledger.calls]
    return not any(_is_of_others(text, call, claimed.claim.amounts) for text in texts)


def _is_known_sum(claimed: ClaimedClause) -> bool:
    """Whether a sum, or the two whose sum or difference it is, stands in the run."""
    (amount,) = claimed.claim.amounts
    ledger = claimed.ledger
    if not any(look.speaks_of_money for look in ledger.look_ups):
        return True
    numbers = {n for look in ledger.look_ups for n in look.amounts}
    numbers |= {n for call in ledger.record_calls for n in call.amounts}
    numbers |= {
        n
        for source in ledger.sources
        if not source.field.startswith(("input", "output"))
        for n in numbers_in(source.text[:_SAID_LIMIT])
    }
    if is_among(amount, numbers) or amount * 100 in numbers:
        return True
    known = numbers if len(numbers) <= _MOST_SUMS else set()
    return any(
        round(abs(amount - n), 2) in known or round(amount + n, 2) in known
        for n in known
    )


_MOST_SUMS = 400
_SAID_LIMIT = 20_000


def _is_of_other_record(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether the sum of a claim is that of another record which one tool showed."""
    (amount,) = claimed.claim.amounts
    if not call.amounts or any(is_among(known, {amount}) for known in call.amounts):
        return False
    given_ids = [id_ for id_ in call.given_ids if any(map(str.isdigit, id_))]
    own: set[str] = set()
    others: set[str] = set()
    for look in claimed.ledger.look_ups:
        is_own = any(id_ in look.upper for id_ in given_ids)
        if is_own or amount in look.amounts:
            (own if is_own else others).add(look.call.call.tool)
        if is_own and amount in look.amounts:
            return False
    return not own.isdisjoint(others)


_PRICE = re.compile(r"(?:unit|item|list)?_?(?:price|cost|amount)", re.IGNORECASE)


def _is_of_others(text: str, call: RecordCall, amounts: frozenset[float]) -> bool:
    """Whether a sum is the price of an item that a call was not given, but others.

    An exchange of one item of an order refunds no other.
    """
    priced = [
        (price, any(str(id_).upper() in call.given_ids for id_ in row.values()))
        for rows in lists_in(records_in(text))
        for row in rows
        for field, price in row.items()
        if _PRICE.fullmatch(str(field)) and isinstance(price, int | float)
    ]
    hits = [given for price, given in priced if is_among(float(price), amounts)]
    return bool(hits) and not any(hits) and any(given for _, given in priced)


def _sums_given(record_call: RecordCall) -> list[float]:
    return [
        float(value)
        for field, value in leaves(record_call.call.call.input)
        if _AMOUNT_FIELDS.fullmatch("".join(words_of(field))) and _is_number(value)
    ]


def _names_nothing(call: RecordCall, clause: ActionClause) -> bool:
    """Whether the name of a call does not say what it acts on.

    One that replaces has moved nothing, whatever its object is called.
    """
    anyhow = clause.verb in call.verbs or not call.verbs.isdisjoint(_CHANGES_ANYHOW)
    change = _D.CHANGE in clause.deeds
    return not things_of(call.words_stems) and (anyhow or not change)


def _is_asked(claimed: ClaimedClause) -> bool:
    """Whether the user named what a clause is done to.

    The answer to "remove the seat" says that it was, whatever the tool is called.
    """
    nouns = frozenset(noun for noun in claimed.clause.nouns - UNSPECIFIC if noun[1:])
    return bool(nouns) and nouns <= claimed.ledger.asked


def _is_of_other(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given the id of another record than the one that is named.

    Records that one tool showed are distinguished by their names.
    """
    given_ids = frozenset(id_ for id_ in call.given_ids if any(map(str.isdigit, id_)))
    # What the call is named after is no other's: `reschedule_installation`.
    names = (claimed.clause.names & names_in(claimed.clause.object)) - (
        call.words_stems | call.verbs
    )
    if not names or not given_ids or not names.isdisjoint(call.given_stems):
        return False
    is_other = False
    for look in claimed.ledger.look_ups:
        record_ids, kin_ids = look.beside(names)
        if not record_ids:
            continue
        if not record_ids.isdisjoint(given_ids):
            return False
        is_other = is_other or not kin_ids.isdisjoint(given_ids)
    return is_other or _is_in_other_record(claimed, given_ids)


def _is_in_other_record(claimed: ClaimedClause, given_ids: Collection[str]) -> bool:
    """Whether one tool showed a call's record, and what a clause names in another.

    A lamp that stands only in order 1 is none that order 2 was refunded for.
    """
    own: set[str] = set()
    others: set[str] = set()
    for look in claimed.ledger.look_ups:
        asked_ids = {str(x).strip("#").upper() for x in look.call.call.input.values()}
        has_name = claimed.clause.head in look.state_words
        if not asked_ids.isdisjoint(given_ids):
            if has_name:
                return False
            own.add(look.call.call.tool)
        elif has_name:
            others.add(look.call.call.tool)
    return not own.isdisjoint(others)


_ONLY_VERBS = VERBS.keys() - NOUNS.keys()
_SET_GOING = stems("send trigger initiate start issue push queue run perform")
_SET_UP = deed_set("book create")
_IN_PLACE = frozenset({"in place", "active", "underway", "under way"})
# Verbs of a change that do not say which one it is.
_CHANGES_ANYHOW = stems(
    "change update modify edit adjust amend alter set apply configure now"
)
_MAKES_OR_PAYS = deed_set("book pay")
_MADE_ANEW = _MAKES | {RecordDeed.ADD}
_MADE = deed_set("create add")
# What is made is not what it is made for: "ordered a cable for the room".
_ONE_MORE = re.compile(r"\W*(?:an?|another|two|three)\s")


_NEEDS_SIGHT = frozenset({"for", "on"})
_PLACE = re.compile(r"\b(under|in|into|within|for|on)\s+(?:[a-z]+\s+){0,2}\W{0,4}$")


def _is_place(id_: str, claimed: ClaimedClause) -> bool:
    """Whether an id names where something new was put, which a call may know otherwise.

    "Created two tasks under OPS-7": the tool was given the number of OPS-7.
    """
    if not claimed.clause.deeds <= _MADE:
        return False
    places = [place for place, other_id in claimed.claim.ids if other_id == id_]
    is_shown = any(id_ in entry.call.output.upper() for entry in claimed.ledger.calls)
    return any(
        match[1] not in _NEEDS_SIGHT or is_shown
        for at in places
        if (match := _PLACE.search(claimed.claim.words[max(0, at - 40) : at]))
    )


def _is_former(id_: str, claimed: ClaimedClause, calls: Sequence[RecordCall]) -> bool:
    """Whether an id is what something was changed from, and no call had to be given."""
    clause, end = claimed.clause, claimed.clause.span[1]
    if _D.CHANGE not in clause.deeds or any(id_ in call.given_ids for call in calls):
        return False
    return any(
        place >= end and _FROM.search(claimed.claim.words[end:place])
        for place, other_id in claimed.claim.ids
        if other_id == id_
    )


def _is_account(id_: str, claimed: ClaimedClause, calls: Sequence[RecordCall]) -> bool:
    """Whether an id is what money went to, and stands in a call's result.

    Who cancels an order gives its id, and not that of the card it was paid with.
    """
    end = claimed.clause.span[1]
    return (
        not claimed.clause.deeds.isdisjoint(_MONEY)
        and any(not call.failed and id_ in call.returned_ids for call in calls)
        and any(
            place >= end and _TO_ACCOUNT.search(claimed.claim.words[end:place])
            for place, other_id in claimed.claim.ids
            if other_id == id_
        )
    )


_TO_ACCOUNT = re.compile(
    r"\b(?:to|from|onto|into|with|using|via)\s(?:the|your|an?)\s[^.;]{0,60}$"
)


def _call_with_status(claimed: ClaimedClause, ids: Sequence[str]) -> RecordCall | None:
    """Return the last call that returned the status which a clause tells.

    "The order status has been updated to 'cancelled'", of what `cancel_order` returned.
    """
    clause, claim = claimed.clause, claimed.claim
    if clause.head != _STATUS or _D.CHANGE not in clause.deeds:
        return None
    match = _STATUS_SAID.match(claim.text, clause.span[1])
    status = frozenset(map(stem, words_of(match[1]))) if match else frozenset()
    calls = claimed.ledger.record_calls if status else ()
    done = [call for call in calls if not call.failed and call.has_ids(ids)]
    last = done[-1] if done else None
    if last is None or _is_elsewhere_done(last, claimed):
        return None
    return last if status <= last.outcome else None


_STATUS = stem("status")
_STATUS_SAID = re.compile(r"\s*(?:to|as)\s[\W_]{0,4}([\w -]{3,40})", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|instead of)\s(?:(?!\b(?:to|into)\b)[^.;])*$")


def _does(
    call: RecordCall,
    clause: ActionClause,
    table: dict[RecordDeed, frozenset[RecordDeed]],
) -> bool:
    if RecordDeed.ANY in clause.deeds:
        return True
    if clause.foreign and _has_beginning(clause.verb, call.words):
        return True
    if _is_named_so(call, clause):
        return True
    if clause.verb in _SET_GOING and clause.head in call.verbs & _ONLY_VERBS:
        return True  # A wipe was sent, a restart was triggered.
    makes = call.deeds & _MADE_ANEW and clause.deeds & _MADE_ANEW
    if makes and table is DOES and clause.head and _is_called(call, clause):
        return True  # `request_redelivery` arranges a redelivery, as it creates one.
    # A status that names the very deed shows what a call of a near one did: "ordered".
    if clause.verb in call.outcome and any(
        not call.deeds.isdisjoint(MAY_DO[deed]) for deed in clause.deeds
    ):
        return True
    if _D.CHANGE in clause.deeds and clause.verb not in _CHANGES_ANYHOW:
        # A verb that says which change it is, is not done by any other change.
        if table is not DOES:
            return False
        other_deeds = clause.deeds - {_D.CHANGE}
        return not call.deeds.isdisjoint(clause.deeds) or any(
            not call.deeds.isdisjoint(DOES[deed]) for deed in other_deeds
        )
    if RecordDeed.ANY in call.deeds or RecordDeed.OTHER in call.deeds | clause.deeds:
        return table is MAY_DO and _named_in(call, clause)
    return not is_no_such_change(call, clause) and any(
        not call.deeds.isdisjoint(table[deed]) for deed in clause.deeds
    )


def _is_called(call: RecordCall, clause: ActionClause) -> bool:
    """Whether a call's name has what a clause is about, written together or apart."""
    if clause.head in call.words_stems:
        return True
    parts = tuple(noun for noun in clause.nouns if noun[2:])
    return clause.head in parts and any(
        clause.head in word and word.startswith(parts) and word.endswith(parts)
        for word in call.words_stems
    )


def _is_named_so(call: RecordCall, clause: ActionClause) -> bool:
    """Whether a clause says the very words of a call's name.

    `place_hold`: "I placed a hold"; `freeze_line`: "your freeze is in place".
    """
    if call.deeds & _UNDOES and clause.deeds.isdisjoint(_UNDOES):
        return False  # `cancel_order` orders nothing.
    if clause.head in call.own_verbs and clause.deeds & _SET_UP:
        return True  # "Your freeze is scheduled."
    if clause.verb in _IN_PLACE:
        return clause.head in call.own_verbs
    if clause.verb not in call.verbs:
        return False
    last = list(map(stem, call.words[-1:]))
    return clause.verb not in LIGHT_VERBS or last == [clause.head]


_UNDOES = deed_set("cancel delete reject")


def _has_beginning(verb: str, words: Sequence[str]) -> bool:
    """Whether a tool is named by a verb's own beginning: `solicitar`, "solicitado"."""
    begin = plain(verb)[:_ALIKE]
    return len(begin) == _ALIKE and any(plain(x).startswith(begin) for x in words)


_ALIKE = 5
_AIM = re.compile(r"\s*(?:\w+\s+)?(?:to|on|in|into|onto|from)\s+([^.,;:!?()–—]{1,60})")


def _aim(rest: str) -> frozenset[int]:
    """Return the thing that something was done to or put in: "replied to the email"."""
    match = _AIM.match(rest)
    if not match:
        return frozenset()
    head = PREPOSITION.split(match[1], 1)[0]
    last = list(map(stem, WORD.findall(head)[-1:]))
    return frozenset() if last == [_ADDRESS] else things_of(last)


_ADDRESS = stem("address")
# Deeds in which another amount of the call is a contradiction.
_AMOUNT_DEEDS = deed_set("issue refund pay")
_SAID_AMOUNT = re.compile(
    r"\W*(?:(?:an?|the|your)\s+)?(?:[$€£₽]\s?\d|\d[\d.,]{0,12}\s?(?:€|£|₽|eur|usd))"
)


def _fits(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call moved the sum, or changed to what a clause says."""
    clause, amounts = claimed.clause, claimed.claim.amounts
    if _is_other_request(call, claimed):
        return False
    if not clause.deeds.isdisjoint(_TO_SOMEBODY) and not _is_to(call, claimed):
        return False
    is_sum = clause.deeds.isdisjoint(_AMOUNT_DEEDS)
    if is_sum and len(amounts) == 1 and _SAID_AMOUNT.match(clause.object):
        known = call.amounts
        return not known or any(is_among(amount, amounts) for amount in known)
    if _D.CHANGE not in clause.deeds:
        return True
    if not _reaches(call, claimed.rest):
        return False
    if clause.verb in _CHANGES_ANYHOW | call.verbs:
        return True
    if is_other_change(call, clause):
        return False
    goal = claimed.rest.removeprefix(clause.object.rstrip())
    match = _GOAL_SAID.match(_NAMED_FIRST.sub("", goal))
    names = names_in(match[1]) if match else frozenset()
    return (
        not names
        or not names.isdisjoint(call.stems | call.shown)
        or not names.isdisjoint(_stems_beside_ids(call, claimed.ledger))
    )


def _is_other_request(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call says too little of whom a clause asked, and for what."""
    if claimed.clause.verb != _ASK or not call.deeds.isdisjoint(_REACHES):
        return False
    names = claimed.rest_names
    said = names & (call.stems | call.shown)
    return not said or 2 * len(said) < len(names)


_ASK = stem("ask")
_REACHES = deed_set("send escalate transfer assign")
_TO_SOMEBODY = deed_set("send pay transfer")
_SOMEBODY = re.compile(r"\b(?:to|notified|texted|paid|told)\s+([A-Z][a-z]{2,20})\b")
_RECEIVERS = frozenset({"receiver", "recipient", "payee", "beneficiary"})


def _is_to(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call's receiver, where it names one, is the one a clause names."""
    match = _SOMEBODY.search(claimed.claim.text[claimed.clause.span[0] :])
    receivers = [
        value.lower()
        for field, value in call.given
        if _RECEIVERS.intersection(words_of(field)) and value.replace(" ", "").isalpha()
    ]
    return not match or not receivers or any(match[1].lower() in x for x in receivers)


def _reaches(call: RecordCall, rest: str) -> bool:
    """Whether a sum that something was changed to is one that a call knows."""
    match = _GOAL_SUM.match(rest)
    goal = amounts_in(match[1]) if match else frozenset()
    if match and not goal and (rate := _RATE.match(match[1])):
        goal = frozenset({float(rate[1])})
    return not goal or any(is_among(known, goal) for known in call.amounts)


_RATE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,4})?)\s?%")
_GOAL_SUM = re.compile(r"[^.;:!?()]{0,80}?\bto\s+([$€£₽]?\s?\d[^;:!?()]{0,30})")


# What is named before what it was changed to: an id, or whose it is.
_NAMED_FIRST = re.compile(r"^\s*(?:\S*\d\S*|\w+[’']s\s+\w+)(?=\s)")
_GOAL_SAID = re.compile(
    r"\s*(?:(?:you|it|them|up|down|over|back|out|on)\s+)?(?:to|into|onto|as)\s+"
    r"([^.,;:!?()]{1,60})"
)


_DIGIT = re.compile(r"\d")
_INTO = re.compile(r"\s(?:to|into|onto|on)\s")
_PASSED_ON = deed_set("escalate transfer")
_PAID = things_of(stems("bill fee payment"))
_MATTERS = things_of(stems("case ticket issue"))
_EMAIL = re.compile(r"\w@\w")


def _named_in(call: RecordCall, clause: ActionClause) -> bool:
    """Whether a call's name has what a clause is about."""
    return bool(
        (clause.nouns - UNSPECIFIC) & call.verbs
        or clause.things & things_of(call.verbs)
    )


def _same_verb(call: RecordCall, clause: ActionClause) -> bool:
    if clause.verb not in call.verbs:
        return False
    is_change = clause.deeds == {_D.CHANGE} and clause.verb not in _CHANGES_ANYHOW
    return (is_change and clause.yours) or clause.deeds.isdisjoint(_OF_ANYTHING)


# Deeds that are done to so many things that the verb says little.
_OF_ANYTHING = deed_set("create add change send book remove delete record")


def _of_object(calls: list[RecordCall], claimed: ClaimedClause) -> list[RecordCall]:
    """Leave out calls about other objects, and prefer those about the very same."""
    names = names_in(claimed.claim.words[claimed.clause.span[0] :])
    calls = [call for call in calls if _is_about(call, claimed)]
    preferred = [
        call
        for call in calls
        if claimed.clause.nouns & call.verbs - _COMMON
        or (call.acquires and claimed.clause.things & call.things)
        or (call.acquires and names & call.words_stems)
    ]
    return preferred or [call for call in calls if not call.acquires]


def _is_about(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call speaks of what a clause is done to.

    A thing that programs have a word for stands in the call's name or input; a name of
    another kind may also stand in what it returned, or in a record that was shown.
    """
    clause, ledger = claimed.clause, claimed.ledger
    has_verb = clause.verb in call.verbs - LIGHT_VERBS
    has_id = not call.given_ids.isdisjoint(claimed.ids)
    if clause.foreign and (has_verb or has_id or not clause.things):
        return not _is_elsewhere(call, claimed)
    if clause.deeds == {_D.OTHER} and clause.verb in call.words_stems:
        return True  # Who was seated has what `assign_seats` gives.
    if _ends_so(call, clause) or clause.head.startswith(tuple(call.own_verbs)):
        return True  # An invitation is what is made by `invite_member`.
    if clause.things:
        things = things_of(call.words_stems)
        same = clause.verb in call.verbs - LIGHT_VERBS
        if things and call.deeds & _NEW and not same:
            # It makes what its name says, whatever is written in it.
            return _makes(call, clause, things)
        if not things and clause.verb in call.verbs:
            things = things_of(call.shown)  # What it did says to what.
            if not clause.things.isdisjoint(things):
                return True
        return not clause.things.isdisjoint(call.things) or (
            not call.deeds & _NEW
            and not things
            and not clause.things.isdisjoint(things_of(_stems_beside_ids(call, ledger)))
        )
    if clause.names & call.stems or _is_called(call, clause) or "all" in call.words:
        return True  # `renew_all` is of whatever there is.
    if (
        not clause.names
        # A cab booking is one of the ride that was called.
        or not things_of([clause.head]).isdisjoint(call.things)
        or clause.names & call.shown
        or ledger.kin_rows.is_near(claimed.object_text, call.folded_given)
    ):
        return True
    # What is made is not what stands beside its owner's id; what is booked may be.
    making = _NEW - {RecordDeed.BOOK}
    nearby_stems = (
        frozenset()
        if (call.deeds | clause.deeds) & making
        else _stems_beside_ids(call, ledger)
    )
    return bool(clause.names & nearby_stems)


def _makes(call: RecordCall, clause: ActionClause, things: frozenset[int]) -> bool:
    """Whether what a call makes, by its name and fields, is a clause's object.

    One that is named in full is that of an input: `"extra": "CHILD_SEAT"`.
    """
    if clause.names and clause.names | {clause.head} <= call.given_stems:
        return True
    return not clause.things.isdisjoint(things | things_of(call.field_stems))


def _ends_so(call: RecordCall, clause: ActionClause) -> bool:
    """Whether `pass_stornieren` has the last part of a word: of "Kinderpass"."""
    parts = tuple(word for word in call.words if word[3:])
    return clause.foreign and any(noun.endswith(parts) for noun in clause.nouns)


def _is_elsewhere(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether what a clause names is known of a record, and not what a call is about.

    Where the record has a field "Steuerklasse", `bankverbindung_aendern` does nothing
    to it.
    """
    nouns = _beginnings(noun for noun in claimed.clause.nouns if noun[4:])
    if nouns & _beginnings((*call.stems, *call.words, *call.shown)):
        return False
    keys = (word for look in claimed.ledger.look_ups for word in look.keys)
    return bool(nouns & _beginnings(keys))


def _beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(plain(word)[:_BEGINNING] for word in words)


_BEGINNING = 6


_NEW = _MAKES | {RecordDeed.ADD, RecordDeed.RECORD}


def _stems_beside_ids(call: RecordCall, ledger: Ledger) -> frozenset[str]:
    """Return the stems that stand beside an id that a call was given."""
    ids = [id_ for id_ in call.given_ids if any(map(str.isdigit, id_))]
    ids += [
        value.upper()
        for field, value in call.given
        if words_of(field)[-1:] == ("id",) and " " not in value
    ]
    ids = ids[:_MOST_IDS]
    nearby_stems: set[str] = set()
    for look in ledger.look_ups if ids else ():
        nearby_stems |= look.words_beside(ids)
    return frozenset(nearby_stems)


_MOST_IDS = 12


def _nearest(calls: list[RecordCall], claimed: ClaimedClause) -> list[RecordCall]:
    """Prefer the calls that speak of what the claim does: "to business class"."""
    words = WORD.findall(f"{claimed.clause.object} {claimed.rest}")
    goal_stems = frozenset(map(stem, words)) - _COMMON
    shared_counts = [len(goal_stems & call.stems) for call in calls]
    most = max(shared_counts, default=0)
    return [
        call for call, count in zip(calls, shared_counts, strict=True) if count == most
    ]


def _falls_short(claimed: ClaimedClause, calls: Sequence[RecordCall]) -> bool:
    """Whether a claim is about several rows, and calls got fewer: "both books"."""
    inputs = [call.folded_given for call in calls if not call.failed]
    if _SECOND.match(claimed.clause.object):
        return len(inputs) < _SEVERAL_ARE["two"]
    match = _SEVERAL.match(claimed.clause.object)
    if match is None:
        return False
    return claimed.ledger.kin_rows.are_fewer(inputs, _SEVERAL_ARE[match[1]])


_SEVERAL = re.compile(
    r"\W*(?:all (?:of )?)?(?:your |the |these |those )?"
    r"(both|two|three|four|five)\b"
)
_SECOND = re.compile(r"\W*a second\b")
_SEVERAL_ARE = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}


# What a change or a booking is stated to include.
_WITH = re.compile(r"\b(?:with|includ(?:e|ing))\b(?P<what>[^.;:]{1,200})")


def _lacks_part(claimed: ClaimedClause) -> bool:
    """Whether it has a thing, or an e-mail address, of which no call speaks."""
    succeeded = [call for call in claimed.ledger.record_calls if not call.failed]
    addresses = _ADDRESSES.findall(claimed.clause.object)
    if addresses and _D.ADD in claimed.clause.deeds:
        given = frozenset[str]().union(*(call.folded_given for call in succeeded))
        shown = "\n".join(call.folded_shown for call in succeeded)
        if not any(x in given or x in shown for x in addresses):
            return True
    match = _WITH.search(claimed.rest)
    if not match or _WITHOUT.search(match["what"]):
        return False
    words = map(stem, WORD.findall(match["what"]))
    parts = [THINGS[word_stem] for word_stem in words if word_stem in _PARTS]
    return any(
        all(call.things.isdisjoint(part) for call in succeeded) for part in parts
    )


_WITHOUT = re.compile(r"\b(?:no|not|without|any)\b")
_PARTS = stems("bag baggage luggage seat insurance meal lounge")


_COMMON = stems(
    """
    your the and of for to a an has have been was were is are with from by on at
    in new id this that it you
    """
)


# What often moves money as well, and does not say so by its name.
_MOVES_MONEY = deed_set("cancel return exchange book")


def _near(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call of another deed may have done it after all."""
    clause = claimed.clause
    if clause.deeds & _MONEY:
        if _moves_nothing(call, claimed):
            return False
        if clause.things and clause.things.isdisjoint(call.things):
            return False
        return call.pays or not call.deeds.isdisjoint(_MOVES_MONEY)
    if clause.deeds <= _SHOWS and not call.shows(clause.deeds):
        return False
    is_reissue = clause.head == _ONE and not _ISSUES.isdisjoint(call.deeds)
    passes = is_reissue or RecordDeed.TRANSFER in call.deeds
    if clause.deeds == {RecordDeed.SEND} and not (passes or _sends(call)):
        return False
    if any(_names(call, id_, clause) for id_ in claimed.ids):
        return True
    if claimed.ids or not _is_about(call, claimed):
        return False
    # A call of another deed is near only where it speaks of the very object.
    if (
        not clause.things
        and clause.names
        and clause.head not in call.stems | call.shown
    ):
        return False
    if clause.things and clause.names and clause.names.isdisjoint(call.stems):
        return False
    return bool(
        clause.things
        or clause.names
        or RecordDeed.ANY in call.deeds | clause.deeds
        or is_reissue
        or clause.verb in _CHANGES_ANYHOW
        or not claimed.rest_names.isdisjoint(call.verbs | call.words_stems)
    )


def _moves_nothing(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call changes, by its name, only how somebody is reached.

    Its result may still list what was paid before: `update_order_address`.
    """
    things = things_of(call.words_stems)
    return (
        call.deeds == {_D.CHANGE}
        and bool(things)
        and things <= _HOW_REACHED
        and call.amounts.isdisjoint(claimed.claim.amounts)
    )


_HOW_REACHED = things_of(stems("address email password phone"))


def _sends(call: RecordCall) -> bool:
    """Whether a call speaks of a message."""
    return not _SENDING.isdisjoint(call.stems | call.shown)


# "A new one is being sent out", of what was issued again.
_ONE = stem("one")
_ISSUES = deed_set("issue exchange")
_SENDING = stems("notify notification send dispatch inform comment reply message")
# An update that does one of these says so in its input or in what it returns.
_SHOWS = deed_set("cancel delete return approve reject exchange book assign")


def _names(call: RecordCall, id_: str, clause: ActionClause) -> bool:
    if id_ in call.given_ids:
        return True
    makes = not _NEW.isdisjoint(call.deeds) or not _NEW.isdisjoint(clause.deeds)
    return makes and id_ in call.returned_ids


def _gave(call: RecordCall, id_: str, ledger: Ledger) -> bool:
    """Whether an id was first seen in what a call returned: of what it made."""
    return id_ in call.returned_ids and not any(
        id_ in entry.call.output.upper()
        for entry in ledger.calls
        if entry.index < call.index
    )


def _by_ids(
    ids: Sequence[str],
    claimed: ClaimedClause,
    matching: Sequence[RecordCall],
    possible: Sequence[RecordCall],
) -> Ruling:
    """Settle a claim that names its objects: each of them needs its call."""
    clause, ledger = claimed.clause, claimed.ledger
    parts: list[Ruling] = []
    for id_ in ids:
        named_calls = (
            [call for call in matching if _names(call, id_, clause)]
            or [call for call in matching if _gave(call, id_, ledger)]
            or [call for call in matching if _is_alias(id_, call, claimed)]
        )
        possible_named = [call for call in possible if _names(call, id_, clause)]
        nameless = [call for call in matching if _may_name(call, id_, clause)]
        parts.append(
            _last(named_calls)
            or _last(nameless)
            or _by_other(possible_named, clause)
            or unattempted(*(call.index for call in matching[-1:]))
        )
    statuses = {part.status for part in parts}
    if clause.foreign and {ClaimStatus.SUPPORTED, ClaimStatus.UNATTEMPTED} <= statuses:
        # Where a clause of another language begins is not known so well.
        return unchecked(*(index for part in parts for index in part.evidence))
    return worst(parts)


def _may_name(call: RecordCall, id_: str, clause: ActionClause) -> bool:
    """Whether a call names no record, so that it may be any.

    What it made has its id, which it returned.
    """
    if not call.nameless:
        return False
    if _MAKES.isdisjoint(call.deeds | clause.deeds):
        return True
    return id_ in call.returned_ids or not any(
        any(map(str.isdigit, other)) for other in call.returned_ids
    )


def _is_alias(id_: str, call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a record that was shown has an id beside the one a call was given.

    The plate of a parking session, the number of an invoice.
    """
    ledger = claimed.ledger
    shape = _shape(id_)
    if not _is_replaced(id_, claimed) and any(
        _shape(given_id) == shape for given_id in call.given_ids if given_id != id_
    ):
        return False  # It was given another of the same kind.
    given_ids = call.given_ids
    if any(map(str.isalpha, id_)):
        given_ids -= _owners(call)  # A number may be one of theirs.
    return any(look.has_both(id_, given_ids) for look in ledger.look_ups) or any(
        # What another call made has both: a gift and its receipt.
        id_ in other.returned_ids and not given_ids.isdisjoint(other.returned_ids)
        for other in ledger.record_calls
        if other.index < call.index and not other.failed
    )


def _is_replaced(id_: str, claimed: ClaimedClause) -> bool:
    """Whether an id is the former value of what it names: "the old number 12 is gone".

    A call that replaces it is given another of its kind.
    """
    places = [place for place, other_id in claimed.claim.ids if other_id == id_]
    words = claimed.claim.words
    return _D.CHANGE in claimed.clause.deeds and any(
        _OLD.search(words[max(0, place - 40) : place]) for place in places
    )


_OLD = re.compile(r"\b(?:old|previous|former|prior|existing|original)\b[^.;,]*$")


def _owners(call: RecordCall) -> frozenset[str]:
    """Return the ids of people whom a call acts on: `update_user_email(user_id)`.

    What it does to them it does to no order of theirs.
    """
    return frozenset(
        value.upper()
        for field, value in call.given
        if _PEOPLE.intersection(words_of(field)[:-1], call.words)
    )


_PEOPLE = word_set(
    """
    user customer client patient member guest employee tenant student passenger person
    profile contact lead
    """
)


def _shape(id_: str) -> str:
    """Return what ids of one kind have in common: letters, and how many digits."""
    return re.sub(r"\d", "9", id_)


def _by_other(calls: Sequence[RecordCall], clause: ActionClause) -> Ruling | None:
    """Rule by calls of another deed: money that one moved is seen in what it says."""
    if clause.deeds & _MONEY:
        paying = [call for call in calls if call.pays]
        return _last(paying) or _last(calls, certain=False)
    if calls and calls[-1].failed and clause.verb in calls[-1].verbs:
        # No call of another name before it did what it failed to do.
        succeeded = [call for call in calls if not call.failed]
        if not any(clause.verb in call.verbs for call in succeeded):
            return contradicted(calls[-1].index)
    return _last(calls, certain=False)


def _last(calls: Sequence[RecordCall], *, certain: bool = True) -> Ruling | None:
    """Rule by the last call; one that worked before with the same input stands."""
    if not calls:
        return None
    succeeded = [call for call in calls if not call.failed]
    if not succeeded:
        return contradicted(*(call.index for call in reversed(calls)))
    last = calls[-1]
    same_tool = last.call.call.tool == succeeded[-1].call.call.tool
    if last.failed and same_tool and not last.given_ids <= succeeded[-1].given_ids:
        return contradicted(last.index, succeeded[-1].index)
    return supported(succeeded[-1].index) if certain else unchecked(succeeded[-1].index)


def _with_amount(
    ruling: Ruling, claimed: ClaimedClause, matching: Sequence[RecordCall]
) -> Ruling:
    """Hold the amount that a claim states against the one its call was given."""
    is_sum = len(claimed.claim.amounts) == 1 and claimed.clause.deeds & _AMOUNT_DEEDS
    if ruling.status is not ClaimStatus.SUPPORTED or not is_sum:
        return ruling
    given = [
        (call.index, amount)
        for call in matching
        if call.index in ruling.evidence
        for amount in _sums_given(call)
    ]
    if len(given) != 1 or is_among(given[0][1], claimed.claim.amounts):
        return ruling
    return contradicted(given[0][0])


def _is_number(value: str) -> bool:
    return bool(re.fullmatch(r"\d{1,9}(?:\.\d{1,4})?", value))


def _opaque(ledger: Ledger) -> bool:
    """Whether a call ran of which nothing says what it does."""
    return any(
        entry.command is not None
        and not is_argument(entry)
        and any(part.may_change for part in entry.commands)
        for entry in ledger.calls
    )
