"""Calls that a clause may report in other words than the tool's own.

No list of words is whole. What nobody did has no call that was given what the clause
says: its day, its flight, its name. Where a call was, and its deed is not known to be
another, the clause is left open.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import (
    DOES,
    MAY_DO,
    RecordDeed,
    deed_set,
    stem,
    stems,
)
from verifyhub.engine.calls.record_calls import RecordCall, leaves
from verifyhub.engine.completion.actions.claims import ClaimedClause
from verifyhub.engine.completion.actions.clause_words import UNSPECIFIC, WORD
from verifyhub.engine.completion.actions.clauses import ActionClause
from verifyhub.engine.completion.actions.objects import amounts_in
from verifyhub.engine.completion.actions.results import is_among
from verifyhub.engine.text.tokens import plain
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.reading import values_in
from verifyhub.engine.values.value import Value, text_form

_D = RecordDeed
# Changes that are no other change: what was extended was not upgraded.
_KINDS_OF_CHANGE = (
    stems("upgrade downgrade"), stems("extend renew prolong"), stems("rename relabel"),
    stems("reschedule postpone shift"), stems("raise increase lower reduce decrease"),
)  # fmt: skip
_TELLING_CHANGE = frozenset[str]().union(*_KINDS_OF_CHANGE)
# Only money that moved is identified by its amount.
_MONEY = deed_set("pay refund issue waive")
_UNKNOWN = deed_set("other any")
_OTHER = deed_set("other")
# Deeds that undo: no call of another deed is one of them.
UNDOING = deed_set("cancel delete reject disable close")
_CHANGE = deed_set("change")
_MAKING = deed_set("create book")
_ADDING = deed_set("add create issue send")
# Deeds on what is there already: what a call makes, it neither moves nor ends.
_OF_WHAT_IS = UNDOING | _CHANGE
_MOVING = _KINDS_OF_CHANGE[2] | _KINDS_OF_CHANGE[3]
# What identifies a record by number and by word; of a call, the same.
TELLING = frozenset(
    {
        ValueKind.DATE, ValueKind.TIME, ValueKind.IDENTIFIER, ValueKind.MONEY,
        ValueKind.PERCENT, ValueKind.DURATION, ValueKind.EMAIL, ValueKind.PHONE,
    }
)  # fmt: skip
_TELLING_WHERE = TELLING | {ValueKind.ADDRESS}
_MOST_TEXT = 4_000
_BEGINNING = 6
_ID = re.compile(r"\S*\d\S*")


def call_in_other_words(
    claimed: ClaimedClause,
    ids: Sequence[str],
    calls: Sequence[RecordCall],
    claimed_calls: Collection[int],
) -> RecordCall | None:
    """Return the last call that may be what a clause tells.

    Args:
        claimed: The clause that no call bears out by its words.
        ids: The ids of its object; the call must have each.
        calls: Those that may be about its object.
        claimed_calls: The calls that other sentences tell of. Of those, a shared word
            is not enough: only a value that no other call had before counts.
    """
    for call in reversed(calls):
        if call.failed or not call.has_ids(ids):
            continue
        if ids and _is_made_by(call, ids, claimed):
            return call
        if claimed.clause.deeds and claimed.clause.deeds <= _MONEY:
            continue
        if not _may_be(call, claimed.clause) and not _has_address(call, claimed):
            continue
        if claimed.clause.head == "it" and not ids:
            return call  # What "it" is, another sentence tells.
        free = call.index not in claimed_calls
        if _may_be_called_anything(call, claimed, ids, free=free):
            return call
        if _was_given(call, claimed, ids, () if free else claimed.ledger.calls):
            return call
        if _states_input(call, claimed) or (free and _is_near(call, claimed, ids)):
            return call
    return None


def _is_near(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a call of which no other sentence tells speaks of a clause's object."""
    foreign = claimed.clause.foreign and _alone_has_value(call, claimed)
    return foreign or _shares_word(call, claimed, ids)


def _may_have_done(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call whose name does not say what it does shows what a clause says.

    Its status has the verb, it has a value of the clause, or no object is said.
    """
    clause = claimed.clause
    unsaid = not (clause.things or clause.names or clause.foreign)
    return unsaid or clause.verb in call.outcome or shares_value(call, claimed)


def _may_be_called_anything(
    call: RecordCall, claimed: ClaimedClause, ids: Sequence[str], *, free: bool
) -> bool:
    """Whether a call is on what a clause names, or did it by a name that says little.

    Args:
        call: A call that has the ids.
        claimed: The clause.
        ids: The ids of its object.
        free: Whether no other sentence tells of the call.
    """
    if ids and _is_of_named(call, claimed, ids):
        return True
    if call.says_little and (ids or (free and _may_have_done(call, claimed))):
        return True
    untold = free and call.deeds <= _UNKNOWN
    return untold and _may_have_done_untold(call, claimed, ids)


def _may_have_done_untold(
    call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]
) -> bool:
    """Whether a call whose deed nothing tells may have done what a clause says.

    It may as well have looked: it was given the id, or first had the value.
    """
    if ids:
        return call.given_ids.issuperset(ids)
    clause = claimed.clause
    if clause.verb in call.outcome or _alone_has_value(call, claimed):
        return True
    return not (clause.things or clause.names or clause.foreign)


def _is_of_named(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a call acts on what a clause names, whatever its verb."""
    return claimed.clause.deeds == _OTHER and _has_all(call, claimed, ids)


def _has_address(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given an e-mail address that the sentence names."""
    text = claimed.claim.words
    return any("@" in value and value in text for value in call.folded_given)


def call_that_led_to(
    claimed: ClaimedClause, ids: Sequence[str], calls: Sequence[RecordCall]
) -> RecordCall | None:
    """Return the last call whose output has the value that something is said to have.

    A fee that is another now may follow from the plan that was changed.
    """
    forms = set(
        spellings(value for value in _told(claimed, ids) if value.kind in TELLING)
    )
    if not forms:
        return None
    for call in reversed(calls):
        output = call.call.call.output[:_MOST_TEXT]
        if not call.has_ids(ids):
            continue
        if not forms.isdisjoint(spellings(values_in(output))):
            return call
    return None


# Fields that hold such a value whatever it is of.
_PLAIN_FIELDS = stems(
    """
    id email mail phone number date time day name address amount total price sum value
    last4 card account customer user contact order status currency code start end
    """
)


def call_with_its_values(
    claimed: ClaimedClause, ids: Sequence[str], calls: Sequence[RecordCall]
) -> RecordCall | None:
    """Return the last call whose result has a value of a clause where it speaks of it.

    `"credit_used": 20` may be what "I applied your $20 credit" tells. A call on another
    id needs two such values, and the verb in its name.
    """
    told = [
        frozenset((*spellings([value]), text_form(value.text)))
        for value in _told(claimed, ids)
    ]
    words = {stem(word) for word in WORD.findall(claimed.text)}
    words -= UNSPECIFIC | _PLAIN_FIELDS
    for call in reversed(calls if told and words else ()):
        if call.failed:
            continue
        if claimed.clause.deeds <= _OF_WHAT_IS and call.deeds <= _MAKING:
            continue
        of_other = not call.has_ids(ids)
        if of_other and claimed.clause.verb not in map(stem, call.words):
            continue
        shown = {
            form
            for field in call.told
            if not words.isdisjoint(map(stem, field.words))
            for form in (*spellings(values_in(field.text)), text_form(field.text))
        }
        sums = [
            field.number
            for field in call.told
            if field.number and not words.isdisjoint(map(stem, field.words))
        ]
        found = sum(not forms.isdisjoint(shown) for forms in told)
        found += any(is_among(one, claimed.claim.amounts) for one in sums)
        if found >= (_VALUES_OF_OTHER if of_other else 1):
            return call
    return None


_VALUES_OF_OTHER = 2


def call_with_its_sum(
    claimed: ClaimedClause, ids: Sequence[str], calls: Sequence[RecordCall]
) -> RecordCall | None:
    """Return the last call that alone has the one sum a clause tells.

    "The extra $7.50 was added to your bill", where an order that was changed costs so.
    """
    clause, amounts = claimed.clause, amounts_in(claimed.text)
    if len(amounts) != 1 or clause.deeds & _MONEY or clause.things or clause.names:
        return None
    having = [
        call
        for call in claimed.ledger.record_calls
        if any(is_among(one, amounts) for one in call.amounts)
    ]
    shown = any(
        is_among(one, amounts)
        for look in claimed.ledger.look_ups
        for one in look.amounts
    )
    if shown or len(having) != 1 or having[0] not in calls or having[0].failed:
        return None
    return having[0] if having[0].has_ids(ids) else None


def _may_be(call: RecordCall, clause: ActionClause) -> bool:
    """Whether the deed of a call is not known to be another than a clause's."""
    if is_other_change(call, clause):
        return False
    named = clause.deeds == _OTHER and (clause.nouns - UNSPECIFIC) & call.words_stems
    if call.deeds == {_D.SEND} and _D.SEND not in clause.deeds and not named:
        return False  # What a message says is not what it does.
    if call.says_little:
        return True
    if clause.deeds & UNDOING:
        return not call.deeds.isdisjoint(clause.deeds)
    if call.deeds & _UNKNOWN or clause.deeds & _UNKNOWN:
        return True
    if clause.foreign and call.deeds.isdisjoint(UNDOING):
        # What a word of another language means is known roughly.
        return clause.deeds != _CHANGE or not call.deeds <= _MAKING
    return any(
        call.deeds & (DOES[deed] | MAY_DO[deed]) for deed in clause.deeds
    ) or any(clause.deeds & (DOES[deed] | MAY_DO[deed]) for deed in call.deeds)


def is_other_change(call: RecordCall, clause: ActionClause) -> bool:
    """Whether a call by its name makes another change than the one a clause tells."""
    return any(
        clause.verb in kind and not kind & call.verbs and call.verbs & _TELLING_CHANGE
        for kind in _KINDS_OF_CHANGE
    )


def is_no_such_change(call: RecordCall, clause: ActionClause) -> bool:
    """Whether a call's name states a change that is none of a clause's deeds.

    Nothing ends by an increase, and nothing is added by what moves or renames. Who
    moves to a smaller plan may call the bigger one cancelled.
    """
    if call.deeds != {_D.CHANGE} or not clause.deeds <= UNDOING | _ADDING:
        return False
    kinds = _MOVING if clause.deeds & _ADDING else _TELLING_CHANGE - _KINDS_OF_CHANGE[0]
    return bool(call.verbs & kinds) and clause.verb not in call.verbs


def _was_given(
    call: RecordCall,
    claimed: ClaimedClause,
    ids: Sequence[str],
    other_calls: Sequence[Call],
) -> bool:
    """Whether a call was given a value of a clause that does not name its object.

    Of `other_calls` none before it has shown that value or was given it.
    """
    values = _told(claimed, ids)
    if not values:
        return False
    given_text = "\n".join(value for _, value in call.given)[:_MOST_TEXT]
    known = set(spellings(values_in(given_text)))
    for other in other_calls:
        if other.index != call.index:
            text = "\n".join(value for _, value in leaves(other.call.input))
            text += "\n" + other.call.output[:_MOST_TEXT]
            known -= set(spellings(values_in(text[:_MOST_TEXT])))
    return any(not known.isdisjoint(spellings([value])) for value in values)


def _is_made_by(call: RecordCall, ids: Sequence[str], claimed: ClaimedClause) -> bool:
    """Whether ids are of what a call made: nothing before it shows one of them.

    What it made, it neither moved nor ended, nor added anything to it.
    """
    on_it = claimed.clause.deeds & (_OF_WHAT_IS | {_D.ADD})
    if on_it and call.deeds.isdisjoint(on_it):
        return False
    earlier = _shown_before(call, claimed)
    return all(id_ in call.returned_ids - call.given_ids for id_ in ids) and not any(
        id_ in earlier for id_ in ids
    )


def _shown_before(call: RecordCall, claimed: ClaimedClause) -> str:
    calls = claimed.ledger.calls[: call.index]
    return "\n".join(other.call.output[:_MOST_TEXT].upper() for other in calls)


def _alone_has_value(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call has a value of a clause that nothing before it showed."""
    told = [x for x in values_in(claimed.text[:_MOST_TEXT]) if x.kind in _TELLING_WHERE]
    known = _values_of(call)
    earlier = set(spellings(values_in(_shown_before(call, claimed)[: 4 * _MOST_TEXT])))
    return any(not (known - earlier).isdisjoint(spellings([value])) for value in told)


def shares_value(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a call was given, or returned, a value that a clause tells."""
    told = [x for x in values_in(claimed.text[:_MOST_TEXT]) if x.kind in _TELLING_WHERE]
    known = _values_of(call)
    return any(not known.isdisjoint(spellings([value])) for value in told)


def _values_of(call: RecordCall) -> set[tuple[object, ...]]:
    text = "\n".join(value for _, value in call.given)[:_MOST_TEXT]
    return set(spellings(values_in(f"{text}\n{call.call.call.output[:_MOST_TEXT]}")))


def _has_all(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a call was given, or returned, every value that a clause tells."""
    known = _values_of(call)
    told = [
        value
        for value in values_in(claimed.text[:_MOST_TEXT])
        if value.kind in _TELLING_WHERE and value.text.strip("#").upper() not in ids
    ]
    return all(not known.isdisjoint(spellings([value])) for value in told)


def _states_input(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a clause states word for word what a call was given, and nothing showed.

    A new address, a wish: what was entered stands in no record that was looked up.
    """
    text = claimed.text[:_MOST_TEXT].casefold()
    stated = [
        value.casefold()
        for _, value in call.given
        if (len(value) >= _LONG_INPUT and " " in value and value.casefold() in text)
        or (_NAME.fullmatch(value) and value in claimed.text)
    ]
    earlier = [
        other.output.casefold()
        for other in (entry.call for entry in claimed.ledger.calls[: call.index])
    ]
    return any(not any(value in shown for shown in earlier) for value in stated)


_LONG_INPUT = 6
_NAME = re.compile(r"[A-ZÀ-ÞА-ЯЁ][^\W\d_]{3,30}(?:-[^\W\d_]{2,30})?")


def _told(claimed: ClaimedClause, ids: Sequence[str]) -> list[Value]:
    """Return the values of a clause by which a call is known, its ids left out."""
    return [
        value
        for value in values_in(claimed.text[:_MOST_TEXT])
        if (value.kind in TELLING or _is_number(value))
        and value.text.strip("#").upper() not in ids
    ]


def _is_number(value: Value) -> bool:
    """Whether a number is so long that it stands for one thing: `NV 523`."""
    return value.kind is ValueKind.NUMBER and len(value.text) >= _LONG_NUMBER


_LONG_NUMBER = 3


def spellings(values: Iterable[Value]) -> Iterator[tuple[object, ...]]:
    """Yield how values may be spelt; of a day only month and day count."""
    for value in values:
        for form in value.forms:
            yield (form[0], *form[2:]) if form[0] == "d" else tuple(form)


def _shares_word(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a call speaks of what a clause is done to, by name or by id.

    A verb of another language that is not known may be any call, unless it tells a
    value that the call was not given.
    """
    clause = claimed.clause
    if ids and call.deeds & _UNKNOWN:
        return True
    if clause.things and clause.things.isdisjoint(call.things):
        return False
    if clause.foreign:
        if clause.deeds == _OTHER and not any(_told(claimed, ids)):
            return True
        beginnings = tuple(plain(word)[:_BEGINNING] for word in clause.nouns)
        return bool(beginnings) and any(
            plain(word).startswith(beginnings)
            for word in (*call.words, *call.given_stems)
        )
    words = {stem(word) for word in WORD.findall(_ID.sub("", clause.object))}
    words = (words | {clause.verb}) - UNSPECIFIC
    return not words.isdisjoint(call.words_stems | call.field_stems)
