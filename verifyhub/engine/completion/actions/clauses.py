"""Read the clauses of a sentence: who did what to what, and whether it is done.

An offer, a plan, a rule, a question, an admission and a fact of a record ("it was
booked on May 4") are no claim of work.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from verifyhub.engine.calls.deed_words import (
    IRREGULAR,
    LIGHT_VERBS,
    NOUNS,
    THINGS,
    VERBS,
    RecordDeed,
    stem,
)
from verifyhub.engine.completion.actions.clause_words import (
    ABLE,
    ACTIVE,
    BARE,
    BOUNDARY,
    CONFIRMABLE,
    DONE_WITH,
    EARLIER,
    GENERAL,
    HEADING,
    NO_REPORT,
    NOT,
    OPEN,
    OTHERS,
    PASSIVE,
    PERFECT,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    STATE,
    STATES,
    SUCCESS,
    TIME,
    WORD,
)
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.types import Span


class Certainty(IntEnum):
    """How surely a clause speaks of the agent's own work.

    `state` ("your table is booked") and `told` ("it was booked") may be a fact of a
    record that the agent looked up; `done` ("I have booked", "has been booked") is not.
    """

    STATE = 0
    TOLD = 1
    DONE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionClause:
    """One deed that a sentence claims.

    `deeds` are what its verb may mean, `object` the words it is done to, `verb` the
    verb's stem and `span` its place in the sentence, `piece` the clause's. `yours`: it
    is done to what the reader has; `own`: the agent says "I" or "we".
    """

    deeds: frozenset[RecordDeed]
    verb: str
    object: str
    span: Span
    piece: Span
    certainty: Certainty
    nouns: frozenset[str]
    things: frozenset[int]
    yours: bool
    own: bool


_LONGEST = 1_200
# Every clause has a verb of the past, or is one of the few without.
_SCREEN = Screen(
    (
        re.compile("ed|" + "|".join(IRREGULAR)),
        re.compile("able|managed"),
        SUCCESS,
        DONE_WITH,
    )
)


def action_clauses(text: str) -> tuple[ActionClause, ...]:
    """Return the deeds that a sentence claims.

    Args:
        text: The sentence in lower case, code and quoted speech masked.
    """
    text = text[:_LONGEST].replace("*", " ").replace("_", " ")
    if not _SCREEN.passes(text) or QUESTION.search(text) or NO_REPORT.match(text):
        return ()
    return tuple(_clauses(text))


def _clauses(text: str) -> Iterator[ActionClause]:
    begun: ActionClause | None = None
    lead = ""
    for start, end in _pieces(text):
        piece = text[start:end]
        found = _clause(piece, start, lead, begun)
        if found:
            begun = replace(found, piece=(start, end))
            yield begun
        lead = "" if found else f"{lead} {piece}"


def _pieces(text: str) -> Iterator[Span]:
    start = 0
    for match in BOUNDARY.finditer(text):
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _clause(
    piece: str, start: int, lead: str, begun: ActionClause | None
) -> ActionClause | None:
    """Read one clause; `lead` is a clause before it that claimed nothing."""
    for pattern, certainty in (
        (ACTIVE, Certainty.DONE),
        (ABLE, Certainty.DONE),
        (PERFECT, Certainty.DONE),
        (PASSIVE, Certainty.TOLD),
        (STATE, Certainty.STATE),
    ):
        match = pattern.search(piece)
        if match:
            found = _by_verb(piece, start, match, pattern, certainty, lead)
            if found:
                return found
    return (
        _success(piece, start)
        or _bare(piece, start, lead, begun)
        or _heading(piece, start, lead, begun)
    )


def _by_verb(
    piece: str,
    start: int,
    match: re.Match[str],
    pattern: re.Pattern[str],
    certainty: Certainty,
    lead: str,
) -> ActionClause | None:
    groups = match.groupdict()
    word = groups["verb"] or groups.get("bare") or ""
    before, after = piece[: match.start()], piece[match.end() :]
    if NOT.search(piece[: match.end()]) or OPEN.search(before):
        return None
    if pattern is not ABLE and not _is_past(word):
        return None
    if OTHERS.match(after) or RELATIVE.search(before):
        return None
    passive = pattern in (PERFECT, PASSIVE, STATE)
    what = _subject(before, lead) if passive else _head(after)
    verb = stem(word)
    if passive:
        if not what.strip() and start == 0:
            return None
        if _is_fact(match.group(), verb, after, certainty):
            return None
    if "successfully" in match.group() and certainty is Certainty.TOLD:
        certainty = Certainty.DONE
    span = (start + match.start(), start + match.end())
    return _made(verb, what, span, certainty, own=not passive)


_AS = re.compile(r"\s*as\b")
_TO_OR_AS = re.compile(r"\s*(?:to|as)\b")
_BY_OR_AS = re.compile(r"\s*(?:by|as)\b")


def _is_fact(words: str, verb: str, after: str, certainty: Certainty) -> bool:
    """Whether a passive tells how a record stands, and not what the agent did."""
    if EARLIER.search(words) or _AS.match(after):
        return True
    if certainty is Certainty.TOLD:
        return bool(TIME.search(after)) and "successfully" not in words
    if certainty is Certainty.STATE:
        return verb not in STATES or bool(_TO_OR_AS.match(after))
    return False


def _success(piece: str, start: int) -> ActionClause | None:
    match = SUCCESS.search(piece) or DONE_WITH.match(piece)
    if not match or NOT.search(piece) or OPEN.search(piece):
        return None
    what = piece[: match.start()] or piece[match.end() :]
    nouns = {stem(word) for word in WORD.findall(what)}
    if not nouns & NOUNS.keys():
        return None
    return _made("do", what, (start, start + match.end()), Certainty.STATE)


# What follows a report; a label or a field of a record has another word there:
# "Created at", "Booked flights:".
_OBJECT = re.compile(
    r"\s*(?:(?:the|an?|your|both|all|to|from|it|this|that|these|those|one|two|three"
    r"|order|reservation|booking)\b|[\d#$€£\ue000])"
)


def _bare(
    piece: str, start: int, lead: str, begun: ActionClause | None
) -> ActionClause | None:
    """Read a clause without a subject: "Cancelled order 12", "… and then cancelled"."""
    match = BARE.match(piece)
    if not match or not _is_past(match["verb"]) or NOT.search(piece):
        return None
    after = piece[match.end() :]
    if begun is None and ((lead and not _label(lead)) or not _OBJECT.match(after)):
        return None
    what = _head(after)
    if not WORD.search(what) and begun is not None:
        what = begun.object
    certainty = begun.certainty if begun else Certainty.DONE
    span = (start + match.start(), start + match.end())
    return _made(stem(match["verb"]), what, span, certainty)


def _label(lead: str) -> bool:
    return len(lead.split()) <= 5


def _heading(
    piece: str, start: int, lead: str, begun: ActionClause | None
) -> ActionClause | None:
    if (not begun and lead and not _label(lead)) or NOT.search(piece):
        return None
    match = HEADING.match(piece)
    if not match or not _is_past(match["verb"]) or OPEN.search(piece):
        return None
    verb = stem(match["verb"])
    nouns = {stem(word) for word in WORD.findall(match["noun"])}
    if verb not in STATES:
        return None
    if not (begun or nouns & (NOUNS.keys() | THINGS.keys())):
        return None
    after = piece[match.end() :]
    if TIME.search(after) or _BY_OR_AS.match(after):
        return None
    span = (start + match.start(), start + match.end())
    certainty = begun.certainty if begun else Certainty.TOLD
    return _made(verb, match["noun"], span, certainty)


# "…, 2024, in economy class has been booked": the subject began before the comma.
_GOES_ON = re.compile(r"^\W*(?:in|on|at|for|to|from|with|of|by|under|\d)\b")


def _subject(before: str, lead: str) -> str:
    if lead and (_GOES_ON.match(before) or not WORD.search(before)):
        return f"{lead} {before}"
    return before


def _head(after: str) -> str:
    """Return the words a verb is done to, up to where, for whom and how."""
    end = PREPOSITION.search(after)
    return after[: end.start()] if end else after


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in IRREGULAR


def _made(
    verb: str, what: str, span: Span, certainty: Certainty, *, own: bool = False
) -> ActionClause | None:
    head = [stem(word) for word in WORD.findall(_head(what))]
    words = [stem(word) for word in WORD.findall(what)]
    nouns = frozenset(words)
    deeds = _deeds(verb, head or words, money=bool(_AMOUNT.search(what)))
    if not deeds:
        return None
    return ActionClause(
        deeds=deeds,
        verb=verb,
        object=what,
        span=span,
        piece=span,
        certainty=certainty,
        nouns=nouns,
        yours=words[:1] in (["your"], ["you"]),
        own=own,
        things=frozenset(THINGS[one] for one in head if one in THINGS),
    )


_CONFIRM = stem("confirm")
_SEND = stem("send")
_AMOUNT = re.compile(r"[$€£₽]\s?\d|\d\s?(?:dollars|euros?|bucks|usd|eur)\b")
_FOLLOWING = stem("following")


def _deeds(
    verb: str, words: Sequence[str], *, money: bool = False
) -> frozenset[RecordDeed]:
    """Return what a verb with these words says was done; empty where it says nothing.

    The last noun of a deed is the head: an "order cancellation" cancels.
    """
    if verb == _CONFIRM:
        if CONFIRMABLE.isdisjoint(words):
            return frozenset()
        return frozenset({RecordDeed.BOOK, RecordDeed.APPROVE})
    own = VERBS.get(verb, frozenset())
    if verb == _SEND and money:
        return own | {RecordDeed.PAY, RecordDeed.TRANSFER}
    if verb not in LIGHT_VERBS:
        return own
    if _FOLLOWING in words:
        return frozenset({RecordDeed.ANY})
    before_of = words[: words.index("of")] if "of" in words else words
    for some in (before_of, words):
        named = [NOUNS[one] for one in some if one in NOUNS]
        if named:
            return named[-1]
    if own:
        return own
    general = not GENERAL.isdisjoint(words)
    return frozenset({RecordDeed.ANY}) if general else frozenset()
