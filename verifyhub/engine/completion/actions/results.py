"""Deeds that a call's result shows beside the one that the call is named after.

A cancellation that refunds and writes to the customer returns `"refund": {"sum": 20}`
and `"confirmation": {"sent": true}`.
"""

from collections.abc import Sequence, Set

from verifyhub.engine.calls.deed_words import (
    NOUNS,
    VERBS,
    RecordDeed,
    deed_set,
    stem,
    things_of,
)
from verifyhub.engine.calls.record_calls import RecordCall, ToldField
from verifyhub.engine.completion.actions.claims import ClaimedClause
from verifyhub.engine.completion.actions.clause_words import UNSPECIFIC
from verifyhub.engine.completion.actions.objects import amounts_in
from verifyhub.engine.text.tokens import plain, word_set

_MONEY = deed_set("pay refund")
# Words that name a sum and not what it is of.
_SUM_WORDS = word_set("amount total value sum usd eur gbp net gross")


def shows_deed(call: RecordCall, claimed: ClaimedClause, ids: Sequence[str]) -> bool:
    """Whether a field of a call's result says what a clause says.

    Its path has the deed as a participle, or as a noun beside the sum that is claimed;
    what the clause is about stands in that path, beside it, or is not said.
    """
    if call.failed or not call.has_ids(ids):
        return False
    return any(
        _is_of_deed(field, claimed) and _is_about(field, claimed) for field in call.told
    )


def _is_of_deed(field: ToldField, claimed: ClaimedClause) -> bool:
    deeds, amounts = claimed.clause.deeds, claimed.claim.amounts
    sum_ = field.number if deeds & _MONEY else None
    if amounts and sum_ is not None and not is_among(sum_, amounts):
        return False
    if claimed.clause.foreign and _has_beginning(claimed.clause.verb, field.words):
        return True
    participles = (word for word in field.words if _is_participle(word))
    if any(deeds & VERBS.get(stem(word), frozenset()) for word in participles):
        return True
    return bool(amounts) and sum_ is not None and _names_sum(field, deeds)


def _has_beginning(verb: str, words: Sequence[str]) -> bool:
    """Whether a field is named by a verb: `smsEnvoye`, "envoyé"."""
    begin = plain(verb)[:_ALIKE]
    return len(begin) == _ALIKE and any(plain(word).startswith(begin) for word in words)


_ALIKE = 5


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in _SHORT_PARTICIPLES


_SHORT_PARTICIPLES = word_set("sent paid resent put written frozen withdrawn")


def _names_sum(field: ToldField, deeds: frozenset[RecordDeed]) -> bool:
    """Whether a path says of a number that it is the sum of some deeds."""
    words = [word for word in field.words if word not in _SUM_WORDS]
    last = stem(words[-1]) if words else ""
    return any(not deeds.isdisjoint(table.get(last, ())) for table in (VERBS, NOUNS))


def _is_about(field: ToldField, claimed: ClaimedClause) -> bool:
    clause = claimed.clause
    nouns = frozenset(
        noun
        for noun in clause.nouns - UNSPECIFIC - {clause.verb}
        if noun[2:] and clause.deeds.isdisjoint(NOUNS.get(noun, ()))
    )
    path = frozenset(map(stem, field.words))
    return (
        not nouns
        or not nouns.isdisjoint(field.beside | path)
        or not (clause.things or things_of(nouns)).isdisjoint(things_of(path))
    )


def tells_other_sum(call: RecordCall, claimed: ClaimedClause) -> bool:
    """Whether a result states the sum of a clause's deed, and not the claimed one.

    Several sums may be parts of what is claimed.
    """
    deeds = claimed.clause.deeds & _MONEY
    amounts = amounts_in(claimed.clause.object) or claimed.claim.amounts
    if not deeds or len(amounts) != 1 or call.failed:
        return False
    sums = [
        field.number for field in call.told if field.number and _names_sum(field, deeds)
    ]
    return bool(sums) and not any(is_among(one, amounts) for one in (*sums, sum(sums)))


def is_among(amount: float, amounts: Set[float]) -> bool:
    """Whether an amount is one of some, which a call may state in cents."""
    return amount in amounts or round(amount / 100, 2) in amounts
