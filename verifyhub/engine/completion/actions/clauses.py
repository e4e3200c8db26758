"""Read the clauses of a sentence: who did what to what, and whether it is done.

An offer, a plan, a rule, a question, an admission and a fact of a record ("it was
booked on May 4") are no claim of work.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

from verifyhub.engine.calls.deed_words import (
    IRREGULAR,
    LIGHT_VERBS,
    NOUNS,
    PHRASES,
    SWITCHES,
    THINGS,
    VERBS,
    RecordDeed,
    deed_set,
    stem,
    stems,
    things_of,
    verb_deeds,
)
from verifyhub.engine.completion.actions.clause_words import (
    ABLE,
    ACTIVE,
    BARE,
    BEGUN,
    BOUNDARY,
    BY_MESSAGE,
    CAUSED,
    CONFIRMABLE,
    DONE_WITH,
    EARLIER,
    GENERAL,
    HAD_DONE,
    HEADING,
    LATE_PARTICLE,
    LOOKED_UP,
    MARKED_AS,
    MONTH,
    MONTH_OR_DAY,
    NO_DEEDS,
    NO_REPORT,
    NONE,
    NOT,
    OPEN,
    OTHERS,
    PARTICLE,
    PASSIVE,
    PERFECT,
    PREPOSITION,
    QUESTION,
    RELATIVE,
    RULE,
    SAID,
    STANDING,
    STANDS,
    STATE,
    STATES,
    SUCCESS,
    TIME,
    TOLD,
    UNSPECIFIC,
    WORD,
)
from verifyhub.engine.text.screen import Screen, Screens
from verifyhub.engine.types import Span


class Certainty(IntEnum):
    """How certainly a clause speaks of the agent's own work.

    `state` ("your table is booked") and `reported` ("it was booked") may be a fact of a
    record that the agent looked up; `done` ("I have booked", "has been booked") is not.
    """

    STATE = 0
    REPORTED = 1
    DONE = 2


# The verb of a clause that says how a thing stands now, and not what was done.
TRANSITION = "transition"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionClause:
    """One deed that a sentence claims.

    `deeds` are what its verb may mean, `object` the words it is done to, `verb` the
    verb's stem and `span` its place in the sentence, `piece` the clause's. `things` are
    the known things among its nouns, `names` its nouns that are neither a thing, a deed
    nor general. `yours`: it is done to what the reader has; `own`: the agent says "I"
    or "we"; `foreign`: it is no English, and `nouns` are its long words as they stand;
    `by_other`: somebody who is named did it; `if_tried`: it tells how a thing stands,
    and claims a deed only where a call of the run tried it; `present`: a proposal tells
    it in the same words.
    """

    deeds: frozenset[RecordDeed]
    verb: str
    object: str
    span: Span
    piece: Span
    certainty: Certainty
    nouns: frozenset[str]
    things: frozenset[int]
    names: frozenset[str]
    head: str
    yours: bool
    own: bool
    foreign: bool = False
    by_other: bool = False
    if_tried: bool = False
    present: bool = False


class _Piece(NamedTuple):
    """A part of a sentence in which one clause may stand.

    `start` is its place; `lead` are the parts before it that claimed nothing,
    `previous` is the clause before those; `marked`: a mark says that it is done.
    """

    text: str
    start: int
    lead: str
    previous: ActionClause | None
    marked: bool

    def span(self, match: re.Match[str]) -> Span:
        """Return the place of a match in the sentence."""
        return (self.start + match.start(), self.start + match.end())


_LONGEST = 1_200
# Every clause has a verb of the past, or is one of the few without.
_SCREEN = Screen(
    (
        re.compile("ed|" + "|".join(IRREGULAR)),
        re.compile("able|managed|liberty"),
        SUCCESS,
        STANDS,
        DONE_WITH,
    )
)


def action_clauses(
    text: str, *, marked: bool = False, item: bool = False
) -> tuple[ActionClause, ...]:
    """Return the deeds that a sentence claims.

    Args:
        text: The sentence in lower case, code and quoted speech masked.
        marked: Whether a check mark or the head of its list says that it is done.
        item: Whether it stands in a list.
    """
    text = text[:_LONGEST].replace("*", " ").replace("_", " ")
    text = text.replace("e-mail", " email")
    if (asked := ASKED_AFTER.search(text)) and not _WHEREFORE.match(text):
        text = text[: asked.start()]
    if not _SCREEN.passes(text) or QUESTION.search(text) or NO_REPORT.match(text):
        return ()
    clauses = tuple(_clauses(text, marked=marked or item))
    if marked:
        return tuple(replace(clause, certainty=Certainty.DONE) for clause in clauses)
    return clauses


# "Your visit is cancelled, would you like another one?": the first half reports.
ASKED_AFTER = re.compile(
    r"[,;—–] (?:and |so )?(?:would|do|does|did|is|are|can|could|may|shall|should|will"
    r"|what|how|which|when|where|who|anything|any)\b[^,;.?]{1,120}\?\W{0,9}$"
)
_WHEREFORE = re.compile(
    r"\W*(?:if|since|as|because|when|once|after|before|whether|while|would|do|does|did"
    r"|is|are|has|have|can|could|may|shall|should|will|what|how|which|where|who|to)\b"
)


def _clauses(text: str, *, marked: bool) -> Iterator[ActionClause]:
    previous: ActionClause | None = None
    lead = ""
    for start, end in _pieces(text):
        piece = _Piece(text[start:end], start, lead, previous, marked)
        clause = _clause(
            piece, aside=text.count("(", 0, start) > text.count(")", 0, start)
        )
        if (previous or lead) and _DATED.match(piece.text):
            clause = None  # "Deleted the snapshot (created November 2)"
        if clause:
            previous = replace(clause, piece=(start, end))
            yield previous
        lead = "" if clause else f"{lead}\n{piece.text}"


def _pieces(text: str) -> Iterator[Span]:
    start = 0
    for match in BOUNDARY.finditer(text):
        if match.group() == "and" and _is_noun(text[start : match.start()]):
            continue  # "The chair and the desk have been returned" is one clause.
        if text[start : match.start()].strip():
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _is_noun(piece: str) -> bool:
    """Whether a piece names things and says nothing of them.

    Deeds are named one by one: "the upgrade and cancellation have been completed".
    """
    words = WORD.findall(piece)
    return bool(_DETERMINER.match(piece)) and not (
        _is_past(words[-1]) or stem(words[-1]) in NOUNS or not only_names(piece)
    )


def only_names(words: str) -> bool:
    """Whether words have neither a finite verb nor a person who could act."""
    return not _VERB_OR_PERSON.search(words)


_DETERMINER = re.compile(r"\W*(?:your|the|both|this|these|those|an?)\s+[a-z]")
_VERB_OR_PERSON = re.compile(
    r"\b(?:i|we|you|he|she|they|it|is|are|was|were|be|been|has|have|had|do|does|did"
    r"|will|would|can|could|should|may|might|must|if|when|once|after|because|not|no)\b"
    r"|['’](?:s|re|ve|ll|d|t)\b"
)


_PASSIVE = {
    PERFECT: Certainty.DONE,
    PASSIVE: Certainty.REPORTED,
    BEGUN: Certainty.REPORTED,
    STATE: Certainty.STATE,
}
_WITH_VERB = {
    ACTIVE: Certainty.DONE,
    ABLE: Certainty.DONE,
    CAUSED: Certainty.DONE,
    **_PASSIVE,
}


def _clause(piece: _Piece, *, aside: bool) -> ActionClause | None:
    """Read the deed of a piece.

    Args:
        piece: The piece.
        aside: Whether it stands in brackets, where a participle alone describes.
    """
    if _SAYS_NOTHING.match(piece.text):
        return None
    found = LOOKED_UP.search(piece.text) if _LOOKS.passes(piece.text) else None
    if found and not _is_denied(piece.text, found):
        return _look_up(piece, found)
    for place in _HAS_VERB.passed(piece.text):
        match = _of_past(_VERB_PATTERNS[place], piece.text)
        clause = _by_verb(piece, match) if match else None
        if clause:
            return clause
    if aside:
        return None
    return (
        _had_done(piece)
        or _success(piece)
        or _state(piece)
        or _bare(piece)
        or _heading(piece)
        or _now_so(piece)
    )


# What pieces of sentences are asked about, in one look at each.
_OF_PIECES = Screens()
_VERB_PATTERNS = tuple(_WITH_VERB)
_HAS_VERB = Screen(_VERB_PATTERNS, _OF_PIECES)
_LOOKS = Screen((LOOKED_UP,), _OF_PIECES)
_HAS_HAD = Screen((HAD_DONE,), _OF_PIECES)
_SUCCEEDS = Screen((SUCCESS, DONE_WITH), _OF_PIECES)
_STATES = Screen((STANDS,), _OF_PIECES)
_HEADS = Screen((HEADING,), _OF_PIECES)

# That something was done, and not what; and how long a rule is in force.
_SAYS_NOTHING = re.compile(
    r"\W*(?:you['’]re )?all (?:set|done|sorted)\W*$"
    r"|\W*(?:i|we) (?:also |still )?(?:did|do)(?:n['’]t| not)\b"
    r"|\W*(?:i|we)(?:['’]ve| have)?\s+(?:taken|made|done|sent)\s+no\b"
    r"|\W*my (?:\w+ )?(?:attempts?|requests?|messages?|calls?)\b.* (?:was|were)"
    r" (?:refused|rejected|denied|declined|blocked)\b"
    r"|\W*(?:got it|understood|sold out|given (?:that|this|the|your))\b"
    r"|\W*(?:it|they)\s?(?:is|are|['’]s|['’]re)"
    r" (?:on hold|off|active|locked|suspended|paused|frozen)\W*$"
)


def _look_up(piece: _Piece, match: re.Match[str]) -> ActionClause | None:
    """Read that somebody was found, or proved who they are."""
    told = BY_MESSAGE.match(piece.text, match.end())
    return _made(
        "find",
        match["object"] or match["subject"],
        piece.span(match),
        Certainty.DONE,
        own=not match["subject"],
        phrase=_REACHES if told else _LOOKS_UP,
    )


_LOOKS_UP = deed_set("look_up")


def _of_past(pattern: re.Pattern[str], piece: str) -> re.Match[str] | None:
    """Return the first match with a verb of the past, else the first.

    The 's of "Marco's account is locked" is no verb.
    """
    first = None
    for match in pattern.finditer(piece):
        if match["verb"] and _is_past(match["verb"]):
            return match
        first = first or match
    return first


def _by_verb(piece: _Piece, match: re.Match[str]) -> ActionClause | None:
    text, span, pattern = piece.text, piece.span(match), match.re
    certainty = _certainty(match)
    groups = match.groupdict()
    word = groups["verb"] or groups.get("bare") or groups.get("done")
    word = word or groups.get("made") or ""
    before, after = text[: match.start()], text[match.end() :]
    if pattern not in _BARE_VERB and not _is_past(word):
        return None
    passive = pattern in _PASSIVE
    if _is_denied(text, match) or _is_of_others(piece, match, passive=passive):
        return None
    noun_phrase = _subject(before, piece.lead) if passive else _head(after)
    verb = stem(word)
    now = bool(_NOW.search(match.group()) or _NOW.match(after))
    if passive:
        if not noun_phrase.strip() and piece.start == 0:
            return None
        if verb in _PLANNED and _TO_SEND.match(after):
            return _message(noun_phrase, span)
        if _is_fact(match.group(), verb, noun_phrase, after, certainty, now=now):
            is_state = certainty is Certainty.STATE and not now
            return _if_tried(verb, noun_phrase, after, span) if is_state else None
    elif pattern is ACTIVE and _tells(verb, match.string, after):
        return None
    is_sure = certainty is Certainty.DONE or "successfully" in match.group()
    phrase = (
        _passive_phrase(verb, noun_phrase, after)
        if passive
        else _phrase(text[match.start() :])
    )
    if passive and phrase:
        object_ = _only_things(noun_phrase) if phrase == _ASKS else noun_phrase
        return _made(verb, object_, span, certainty, phrase=phrase)
    particle = None if passive else PARTICLE.match(after)
    if particle and (verb, particle[1]) in PHRASES:
        noun_phrase = (
            _head(after[particle.end() :]) or noun_phrase
        )  # "Turned on roaming for you."
    return _made(
        verb,
        _only_things(noun_phrase) if phrase else noun_phrase,
        span,
        _how_sure(verb, match.group(), noun_phrase, after, certainty, now)
        if passive
        else certainty,
        own=not passive,
        phrase=phrase or _with_particle(verb, after),
        unknown=bool(groups["verb"])
        and (is_sure or now or (passive and _is_of_reader(noun_phrase, after))),
    )


def _certainty(match: re.Match[str]) -> Certainty:
    """Return how certain a verb's form is; what is done already may be a fact."""
    certainty = _WITH_VERB[match.re]
    if match.re in _PASSIVE and _ALREADY.search(match.group()):
        return min(certainty, Certainty.REPORTED)
    return certainty


_ONLY = re.compile(r"\bonly\b")
# What is told behind it is why something could not be done.
_REGRETS = re.compile(
    r"\b(?:unfortunately|sadly|regrettably|cannot|could not|unable"
    r"|not (?:possible|able))\b"
    r"|\b(?:can|could|won)['’]?n?['’]t\b"
)


def _is_of_others(piece: _Piece, match: re.Match[str], *, passive: bool) -> bool:
    """Whether others did what a verb says, or others tell it."""
    before, after = piece.text[: match.start()], piece.text[match.end() :]
    if passive and (_COUNTED.match(after) or _ONLY.search(match.group())):
        return True
    if passive and _REGRETS.search(f"{piece.lead} {before}"):
        return True
    if OTHERS.match(after) or RELATIVE.search(before):
        return True
    return passive and bool(TOLD.search(f"{piece.lead} {before}"))


_BARE_VERB = frozenset({ABLE, CAUSED})
# Who finds that it was done before tells a fact.
_ALREADY = re.compile(r"\balready\b")


def _had_done(piece: _Piece) -> ActionClause | None:
    """Read what the agent let others do: "I had the desk flagged"."""
    match = HAD_DONE.search(piece.text) if _HAS_HAD.passes(piece.text) else None
    if match is None or _is_denied(piece.text, match):
        return None
    return _made(
        stem(match["verb"]),
        match["object"],
        piece.span(match),
        Certainty.DONE,
        own=True,
        phrase=_with_particle(stem(match["verb"]), piece.text[match.end() :]),
        unknown=True,
    )


def _passive_phrase(
    verb: str, noun_phrase: str, after: str
) -> frozenset[RecordDeed] | None:
    """Return the deeds of a passive that depend on what it is said of."""
    if verb == _ASK and _ASKED_FOR.match(after) and not _ASKED.search(noun_phrase):
        return _ASKS
    if verb == _SHIP and _NEW_ONE.match(noun_phrase):
        return _REACHES | _REPLACES
    if verb in _CALLS and _SOMEBODY.fullmatch(noun_phrase):
        return _REACHES
    if verb in _MOVED and _AMOUNT.match(noun_phrase):
        return _TAKES_SUM if _FROM.match(after) else _GIVES_SUM
    return None


def _message(noun_phrase: str, span: Span) -> ActionClause | None:
    """Read that a message is to go out: "a reminder is scheduled to go to you"."""
    if _MESSAGES.isdisjoint(map(stem, WORD.findall(noun_phrase))):
        return None
    return _made("send", noun_phrase, span, Certainty.REPORTED, phrase=_WILL_SEND)


def _is_of_reader(noun_phrase: str, after: str) -> bool:
    """Whether something is the reader's, goes to them, or has an id or a sum."""
    return bool(_OF_READER.search(noun_phrase) or _TO_READER.match(after))


_TO_READER = re.compile(r"[^.;:]{0,60}?\b(?:to|from|onto|off|on|for|of) (?:your|you)\b")
_NOW = re.compile(r"\s(?:now|being)\b")
_TO_SEND = re.compile(r"\s*to (?:go|be sent|be delivered|reach|arrive)\b")
_MESSAGES = stems("reminder email message text sms notification letter alert invite")
_FROM = re.compile(r"\s*from\b")
_WILL_SEND = deed_set("send create book add change")
_SHIP = stem("ship")
_NEW_ONE = re.compile(r"\W*an? (?:replacement|spare)\b")
_CALLS = stems("call phone telephone ring contact reach")
_SOMEBODY = re.compile(
    r"\W*(?:your|the) (?:\w+ )?(?:mother|father|mom|mum|dad|parents?|wife|husband"
    r"|partner|spouse|son|daughter|sister|brother|family|guardian|emergency contact"
    r"|doctor|dentist|hotel|restaurant|kitchen|clinic|pharmacy|driver|bank|carrier|courier"
    r"|airline|store|seller|landlord|supplier|provider|venue|technician|insurer|school)s?"
    r"\W*"
)
_REACHES = deed_set("send")
# "An extra $2 was taken from your card."
_MOVED = stems("take draw put apply place hold release")
_TAKES_SUM = deed_set("pay")
_GIVES_SUM = deed_set("pay refund issue add")


def _how_sure(
    verb: str,
    words: str,
    noun_phrase: str,
    after: str,
    certainty: Certainty,
    now: bool,
) -> Certainty:
    """Return how certain it is that a passive reports the agent's own work.

    What happens to a thing by itself is no deed: where the verb is not a known one, the
    thing must be the reader's, or have an id.
    """
    if not (
        now
        or verb in VERBS
        or verb.removeprefix("re-") in VERBS
        or _is_of_reader(noun_phrase, after)
    ):
        return Certainty.STATE
    if "successfully" in f"{words}{after[:14]}" and certainty is Certainty.REPORTED:
        return Certainty.DONE
    if now and not SWITCHES.isdisjoint(VERBS.get(verb, ())):
        return Certainty.DONE  # It was not so before: no field of a record tells that.
    return max(certainty, Certainty.REPORTED) if now else certainty


def _phrase(text: str) -> frozenset[RecordDeed] | None:
    """Return the deeds that a phrase claims: "let the team know"."""
    for pattern, deeds in SAID:
        if pattern.search(text):
            return deed_set(deeds)
    return None


def _only_things(noun_phrase: str) -> str:
    words = (word for word in WORD.findall(noun_phrase) if word != "care")
    return " ".join(word for word in words if stem(word) in THINGS)


def _with_particle(verb: str, after: str) -> frozenset[RecordDeed] | None:
    """Return what a verb and its particle say: "switched on", "called it off"."""
    if verb in _MARKS:
        match = MARKED_AS.match(after)
        deeds = VERBS.get(stem(match[1])) if match and _is_past(match[1]) else None
        if deeds:
            return deeds
    if verb == _PUT and _ON_LIST.match(after):
        return _LISTED
    if verb in _PUTS:
        match = _TO_STATE.match(after)
        deeds = VERBS.get(stem(match[1])) if match and _is_past(match[1]) else None
        if deeds:
            return deeds | VERBS[verb]  # "Moved to rejected".
    match = PARTICLE.match(after)
    if match and (verb, match[1]) in PHRASES:
        return PHRASES[verb, match[1]]
    late = LATE_PARTICLE.search(after)
    return PHRASES.get((verb, late[1])) if late else None


# Who but the agent may act: a person by name, or one of the people behind a service.
_NAME = r"[A-Z][a-zß-ÿ’'-]{1,20}"
_ACTOR = re.compile(
    rf"^\W*(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? (?:{_NAME} ?){{1,2}}"
    rf"|(?!(?:The|Your|Our|This|That|These|Those|All|Both|Each|Every|No|Order|Ticket"
    rf"|User|Customer|Client|Guest)\b|\w+(?:ly|ed)\b){_NAME}(?: {_NAME}){{0,2}}"
    r"|(?:The|the|Your|your|Our|our) (?:[a-z-]+ ){0,2}?(?:team|manager|doctor|physician"
    r"|pharmacist|prescriber|supplier|supervisor|teacher|principal|mechanic|technician"
    r"|landlord|department|librarian|adviser|advisor|insurer|specialist|accountant))"
    r"(?: has| have)?(?: just| also| already| now)? (?P<verb>[a-z]{3,20})"
    r" (?=(?:your|the|it|this|that|both|all|our)\b)"
)


def other_actor(prose: str) -> ActionClause | None:
    """Return the deed that a third person did to the reader's things, by a sentence.

    Args:
        prose: The sentence as it is written, code and quoted speech masked.
    """
    match = _ACTOR.match(prose[:_LONGEST])
    if not match or not _is_past(match["verb"]) or QUESTION.search(prose):
        return None
    verb, after = stem(match["verb"]), prose[match.end() :].lower()
    actor = match.group().lower()
    if verb not in VERBS or verb in NO_DEEDS or verb in _TELLS:
        return None
    if TIME.search(after) or NOT.search(actor) or OPEN.search(actor):
        return None
    span = (match.start("verb"), match.end("verb"))
    clause = _made(verb, _head(after), span, Certainty.REPORTED)
    return clause and replace(clause, piece=(0, len(prose)), by_other=True)


def _is_denied(piece: str, match: re.Match[str]) -> bool:
    """Whether a clause says that something was not done, or is not sure."""
    return bool(
        NOT.search(piece[: match.end()])
        or OPEN.search(piece[: match.start()])
        or NONE.match(piece)
    )


def _if_tried(
    verb: str, noun_phrase: str, after: str, span: Span
) -> ActionClause | None:
    """Read how one thing stands, which may be a fact: "it is assigned to Bo"."""
    definite = _DEFINITE.search(noun_phrase) or _ONE.match(noun_phrase)
    if not definite or RULE.search(after) or _IN_CODE.match(after) or _AS.match(after):
        return None
    if _is_timetable(verb, noun_phrase):
        return None
    if verb in _PLANNED and _TO_OR_AS.match(after):
        return None  # "The service is scheduled to end on May 4."
    if verb in NO_DEEDS - LIGHT_VERBS or not (verb == _CONFIRM or verb_deeds(verb)):
        return None
    phrase = _CONFIRMS if verb == _CONFIRM else _with_particle(verb, after)
    clause = _made(verb, noun_phrase, span, Certainty.STATE, phrase=phrase)
    return clause and replace(clause, if_tried=True)


def _tells(verb: str, text: str, after: str) -> bool:
    """Whether a verb says that something was told, or found to be so."""
    found = verb in _FINDS and _THAT.match(after)
    return bool(found) or (verb in _TELLS and not _phrase(text))


# Who confirms that something is so has looked it up.
_FINDS = stems("confirm verify")
_THAT = re.compile(r"\s*that\b")
_IS_SO = re.compile(r"\W*(?:confirmed|verified) that\b")
_SCHEDULE = stem("schedule")
# What runs by a timetable.
_RUNS = re.compile(
    r"\b(?:flight|train|bus|ferry|tram|show|match|concert|broadcast)\s*$"
)
_CONFIRMS = deed_set("book approve")
_ONE = re.compile(r"\W*an?\s")
# "Listed as a guest" describes, "waived as a courtesy" gives a reason.
_AS = re.compile(
    r"\s*as\b(?!\s+(?:(?:an? |per |your )?(?:courtesy|request\w*|apology|goodwill"
    r"|gesture|compensation|precaution|safeguard|discuss\w*|plan\w*|agreed|instruct\w*|promised|well|part"
    r"|you|we|soon|of|follows|shown|per|resolved|completed|fixed|solved)|\S*\d))"
)
_PLANNED = stems("schedule book set register")
_MARKS = stems("mark flag set")
_PUT = stem("put")
_ON_LIST = re.compile(
    r"\s+(?:you |them |it )?on(?:to)? (?:the|our|your|a) (?:[a-z]+ )?(?:wait)?list\b"
)
_LISTED = deed_set("add book")
_PUTS = stems("move change set update switch")
_TO_STATE = re.compile(r"\s*(?:in)?to\s+([a-z]+)\W*$")
# Where in a program something happens: a description.
_IN_CODE = re.compile(
    r"\s*(?:in|by|from|with|at|via|through|inside|into|under|on|using)\s+(?:the\s+)?"
    r"(?:[`\ue000\ue001]|\S+\.[a-z]{1,4}\b|\w+\(\))"
)
_AS_ID = re.compile(r"\s*(?:as|under)\s(?:\w+\s){0,2}?#?\w*-?\w*\d{2}")
# "Your number is updated to 555-0188": what has a new value was given it.
_CHANGED_TO = stems("update change upgrade downgrade switch reschedule extend")
_TO_VALUE = re.compile(r"\s*to\s+(?:the\s+)?[+#$€£₽]?\d")
_GOAL = re.compile(r"\s*to\s+(?!be\b)")
_TO_OR_AS = re.compile(r"\s*(?:to|as)\b")
_TO = re.compile(r"\s*to\b")


def _is_fact(
    words: str,
    verb: str,
    noun_phrase: str,
    after: str,
    certainty: Certainty,
    *,
    now: bool,
) -> bool:
    """Whether a passive states a record's state, and not what the agent did."""
    if EARLIER.search(words) or _COUNTED.match(after):
        return True
    if _AS.match(after) and not now:
        return certainty is not Certainty.DONE or verb in _DESCRIBES
    if certainty is Certainty.REPORTED:
        return bool(TIME.search(after)) and "successfully" not in words
    if certainty is Certainty.STATE:
        if now:
            return bool(_TO_VERB.match(after))
        return _describes(verb, noun_phrase, after) or _is_timetable(verb, noun_phrase)
    return False


def _is_timetable(verb: str, noun_phrase: str) -> bool:
    """Whether a verb says when something runs: "the flight is scheduled for 9"."""
    return verb == _SCHEDULE and bool(_RUNS.search(noun_phrase))


def _describes(verb: str, noun_phrase: str, after: str) -> bool:
    """Whether "the … is …ed" says how things are, and not what came about."""
    if RULE.search(after) or _IN_CODE.match(after):
        return True
    nouns = {stem(word) for word in WORD.findall(noun_phrase)}
    known = NOUNS.keys() | (CONFIRMABLE if verb == _CONFIRM else frozenset())
    light = verb in LIGHT_VERBS and verb not in _RECORDS
    if light and known.isdisjoint(nouns):
        return True  # "The price is made here" tells of no deed.
    if not _DEFINITE.search(noun_phrase) and not _SPECIFIC.search(after):
        return True
    if verb in VERBS and _AS_ID.match(after):
        return False
    if noun_phrase.split() == ["you"] and verb in _PLANNED:
        return False
    if verb in _CHANGED_TO and _GOAL.match(after):
        return False
    return verb not in STATES or bool(_TO.match(after) or _AS.match(after))


_RECORDS = stems("record log register enter")
_BOOK = frozenset({RecordDeed.BOOK})
_ACCESS = deed_set("add enable approve issue")
_LISTS = frozenset({"listed", "available", "visible", "on", "part of", "with"})
# "Returned items are refunded" is a rule, "the items are refunded" is not.
_DEFINITE = re.compile(
    r"\b(?:the|your|his|her|their|this|that|these|those|it|both|all|everything|you|my|our"
    r"|we|i|\w*’s"
    r"|\w+'s)\b|\d|^\W*\w+\W*$"
)
_SPECIFIC = re.compile(
    rf"^\W*(?:for|on|at)\s+(?:\S*\d|{MONTH_OR_DAY}|tomorrow\b|next\b)"
)
_OF_READER = re.compile(r"\byour\b|\d{3}|\w@\w|^\W*it\b")
_ASK = stem("ask")
# Who is asked and does nothing by it: "you were asked for your name".
_ASKED = re.compile(r"\b(?:you|user|customer|client|caller|guest|member|i|we)s?\b")
_ASKED_FOR = re.compile(r"\s*(?:for|to)\b")
_ASKS = deed_set("send create assign book escalate")
_TELLS = stems("list note show display outline describe detail summarize highlight")
# What happened several times is what a record counts.
_COUNTED = re.compile(
    r"\s*(?:once|twice|(?:two|three|four|five|\d+|several|many) times)\b"
)
_DESCRIBES = stems("list describe classify regard know book mention show")
_TO_VERB = re.compile(r"\s*to (?:leave|depart|arrive|take|be|start|begin)\b")


def _state(piece: _Piece) -> ActionClause | None:
    """Read how a thing stands: "the old order is gone"."""
    match = STANDS.search(piece.text) if _STATES.passes(piece.text) else None
    if not match or NOT.search(piece.text[: match.start()]):
        return None
    noun_phrase = piece.text[: match.start()]
    is_dated = match["until"] or match["had"]
    if OPEN.search(noun_phrase if is_dated else piece.text):
        return None
    if not WORD.search(noun_phrase):
        noun_phrase = _subject(noun_phrase, piece.lead)  # "T-9 (seat 4) is in …"
    span = (piece.start, piece.start + match.end())
    if match["had"] or match["time"] or match["taken"]:
        return _has_now(match, noun_phrase, span)
    if match["opened"] or match["runs"]:
        verb, phrase = ("open", _OPENS) if match["opened"] else ("run", None)
        clause = _made(verb, noun_phrase, span, Certainty.STATE, phrase=phrase)
        return clause and replace(clause, if_tried=True)
    going = match["going"] or match["plays"]
    if not WORD.search(noun_phrase) and not (going and piece.start == 0):
        return None
    if going:
        noun_phrase = noun_phrase or piece.text[match.end() :]
        return _made(stem(going), noun_phrase, span, Certainty.REPORTED)
    if match["reads"] or match["moved"] or match["value"]:
        return _new_value(piece, match, noun_phrase)
    return _came_about(match, noun_phrase, span)


def _has_now(match: re.Match[str], noun_phrase: str, span: Span) -> ActionClause | None:
    """Read what the reader has by now, or no longer: "£28 went off your card"."""
    if match["had"]:
        object_ = f"your {match['had']}"
        return _made("have", object_, span, Certainty.STATE, phrase=_BOOK)
    if match["time"]:
        return _made(TRANSITION, "your time", span, Certainty.REPORTED, phrase=_CHANGES)
    return _made(_CHARGE, noun_phrase, span, Certainty.REPORTED)


def _came_about(
    match: re.Match[str], noun_phrase: str, span: Span
) -> ActionClause | None:
    if match["access"]:
        return _made(
            "grant", f"access {noun_phrase}", span, Certainty.REPORTED, phrase=_ACCESS
        )
    if match["went"]:
        return _made("send", noun_phrase, span, Certainty.REPORTED)
    if match["off"]:
        clause = _made(
            TRANSITION, noun_phrase, span, Certainty.STATE, phrase=_TAKEN_AWAY
        )
        return clause and replace(clause, if_tried=True)
    return _state_clause(match, noun_phrase, span)


def _new_value(
    piece: _Piece, match: re.Match[str], noun_phrase: str
) -> ActionClause | None:
    """Read what a thing has become: "now reads …", "drops from 9 to 5"."""
    told = match["value"] or _HAS_NEW.search(match.group())
    definite = told and _DEFINITE.search(noun_phrase)
    if not (definite or _OF_READER.search(noun_phrase)) or RULE.search(
        piece.text[match.end() :]
    ):
        return None
    last = {stem(word) for word in WORD.findall(_head(noun_phrase))[-1:]}
    if not last.isdisjoint(_FOLLOWS_FROM) or OPEN.search(piece.lead):
        return None
    span = (piece.start, piece.start + match.end())
    deeds = _RECEIVES if _GETS.search(match.group()) else _CHANGES
    clause = _made(TRANSITION, noun_phrase, span, Certainty.REPORTED, phrase=deeds)
    present = not (match["moved"] and _WENT.search(match.group()))
    return clause and replace(clause, present=present)


_CHANGES = deed_set("change")
_GETS = re.compile(r"\b(?:receives?|gets?)\b")
_RECEIVES = deed_set("change add book enable create send")
_HAS_NEW = re.compile(r"\bhas\b")
_OPENS = deed_set("create")
_TAKEN_AWAY = deed_set("remove delete change cancel disable")
_WENT = re.compile(r"\b(?:went|gone|rose|fell)\b")
# What becomes another when something else was changed.
_FOLLOWS_FROM = stems("total balance price cost sum amount bill page app site screen")


def _now_so(piece: _Piece) -> ActionClause | None:
    """Read a line of a list that tells a new value: "Table T-8: now 6 guests"."""
    match = _NOW_VALUE.match(piece.text)
    named = piece.lead.strip() and _label(piece.lead, listed=piece.marked)
    if not (match and named) or OPEN.search(piece.text) or NOT.search(piece.text):
        return None
    return _made(
        TRANSITION, piece.lead, piece.span(match), Certainty.REPORTED, phrase=_CHANGES
    )


_NOW_VALUE = re.compile(r"\W*now\s+(?:[a-z]+\s){0,2}\S*\d")


_PERSON = re.compile(r"\W*(?:you|he|she|they)\W*")


def _state_clause(
    match: re.Match[str], noun_phrase: str, span: Span
) -> ActionClause | None:
    deeds = STANDING[match["state"]] if match["state"] else "change"
    if match["turned"]:
        deeds = "change cancel disable enable close refund return"
    if match["put"] or match["where"] in _LISTS:
        deeds = "change add book create"
    if match["kept"]:
        deeds = "change add create book"
        if _PERSON.fullmatch(noun_phrase):
            noun_phrase = match["kept"].split(None, 1)[1]
    # No record that was looked up has what is new on file.
    new = match["kept"] and " new " in noun_phrase
    is_change = any(match[name] for name in _CHANGED) or new
    return _made(
        match["state"] or TRANSITION,
        noun_phrase,
        span,
        Certainty.REPORTED if is_change else Certainty.STATE,
        phrase=deed_set(deeds),
    )


_CHANGED = ("now", "also", "put", "until", "turned")


def _success(piece: _Piece) -> ActionClause | None:
    text = piece.text
    if not _SUCCEEDS.passes(text):
        return None
    match = SUCCESS.search(text) or DONE_WITH.match(text)
    if not match or NOT.search(text):
        return None
    goes = bool(_GOES.search(match.group()))
    if OPEN.search(text[: match.end()] if goes else text):
        return None
    noun_phrase = text[: match.start()] or text[match.end() :]
    nouns = {stem(word) for word in WORD.findall(noun_phrase)}
    is_sum = _AMOUNT_SAID.search(noun_phrase) and not OPEN.search(piece.lead)
    known = nouns & (NOUNS.keys() | THINGS.keys())
    if not known and not (goes and is_sum):
        return None
    span = (piece.start, piece.start + match.end())
    phrase = None if known else _MOVED_SUM
    clause = _made("do", noun_phrase, span, Certainty.STATE, phrase=phrase)
    if not goes:
        return clause
    return replace(clause, present=True) if clause and is_sum else None


_GOES = re.compile(r"\b(?:goes|going)\b")
_AMOUNT_SAID = re.compile(r"[$€£₽]\s?\d|\d\s?(?:€|£|₽|eur\b|usd\b|gbp\b)")


# What follows a report; a label or a field of a record has another word there:
# "Created at", "Booked flights:".
_OBJECT = re.compile(
    r"\s*(?:(?:the|an?|your|both|all|to|from|it|this|that|these|those|one|two|three"
    r"|order|reservation|booking)\b|[\d#$€£\ue000])"
)


# What follows a report that says less: "Moved the sync", "Posted in #it", "Replied to".
_SOME_OBJECT = re.compile(r"\s*(?!at\b|by\b|on\b|with\b|[:\d])[a-z#\ue000\ue001]")


def _bare(piece: _Piece) -> ActionClause | None:
    """Read a clause without a subject: "Cancelled order 12", "… and then cancelled"."""
    text, lead, previous = piece.text, piece.lead, piece.previous
    match = None if _is_order(piece) or _IS_SO.match(text) else BARE.match(text)
    statement = _CONTENT.split(text, 1)[0]
    if not match or not _is_past(match["verb"]) or NOT.search(statement):
        return None
    after = text[match.end() :]
    certainty = previous.certainty if previous else Certainty.DONE
    verb = stem(match["verb"])
    if previous is None:
        is_label = _label(lead, listed=piece.marked)
        said_alone = not after.strip(" .!*") or (
            piece.marked and _HOUR.fullmatch(after)
        )
        if said_alone and (is_label if lead else not piece.start):
            return _alone(piece, verb, match)
        if lead and not is_label:
            return None
        if not _OBJECT.match(after):
            planned = _is_planned(verb, after)
            if (
                not _SOME_OBJECT.match(after)
                or (TIME.search(after) and not planned)
                or OPEN.search(after)
            ):
                return None
            known = verb_deeds(verb) or verb in _BARE_VERBS or _phrase(text)
            if _FINITE.search(after) or not known:
                return None
            certainty = Certainty.DONE if piece.marked else Certainty.REPORTED
    noun_phrase = _head(after)
    if not WORD.search(noun_phrase):
        # What was booked may stand before its verb, as a label.
        noun_phrase = previous.object if previous is not None else lead
    phrase = _phrase(text)
    if phrase:
        noun_phrase = _only_things(noun_phrase)
    phrase = phrase or _with_particle(verb, after)
    return _made(verb, noun_phrase, piece.span(match), certainty, phrase=phrase)


def _is_order(piece: _Piece) -> bool:
    """Whether what is put, set or cut is asked of the reader."""
    first = piece.previous is None and not piece.marked
    return first and bool(_IMPERATIVE.match(piece.text))


def _names_no_thing(noun: str) -> bool:
    """Whether what stands before a participle is nothing that it is said of."""
    return bool(
        PREPOSITION.match(noun.strip())
        or _THEY.match(noun)
        or _FINITE.search(noun)
        or _BEFORE_NOUN.search(noun)  # "Attach the prepaid label."
    )


# Behind one of these a participle describes a noun.
_BEFORE_NOUN = re.compile(
    r"\b(?:the|an?|your|any|all|this|that|each|every|of|for|with)\s*$"
)
# Participles that may be nouns, and what they are set to.
_ALSO_NOUNS = stems("set cut split reset read")
_TO_SOMETHING = re.compile(r"\s*(?:to|for|at|as|on|by|up|off|in)\b")
_IMPERATIVE = re.compile(r"\W*(?:put|set|cut|let|shut|split|reset|hit|read)\b")
# "Returned items are refunded": the participle describes a subject.
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|can|does|do|get|gets)\b")


def _is_planned(verb: str, after: str) -> bool:
    """Whether something was booked for, or moved to, a day: no fact of that day."""
    match = _TO_DAY.match(after)
    if match is None:
        return False
    return verb in _PLANNED or RecordDeed.CHANGE in verb_deeds(verb)


_TO_DAY = re.compile(
    r"(?:(?!\b(?:on|at|in)\b)[^.;:]){0,80}\b(?:for|to) (?:the )?(?:\d|tomorrow\b"
    rf"|{MONTH_OR_DAY})"
)
_BARE_VERBS = stems("acknowledge rotate")


_DATED = re.compile(
    rf"\W*[a-z]{{3,20}}ed\s+(?:\d{{4}}-\d\d|{MONTH}[a-z]*\.? \d"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\.? {MONTH})"
)
# After these comes a message or a reason: "left a note that it does not fit".
_CONTENT = re.compile(r"\b(?:that|saying|stating|because|since)\b")


def _alone(piece: _Piece, verb: str, match: re.Match[str]) -> ActionClause | None:
    """Read a report of one word: "Rescheduled!", or a cell: "Room upgrade | Done"."""
    span = piece.span(match)
    if not piece.lead:
        phrase = _SENT | {RecordDeed.SEND} if verb == _SEND else None
        known = verb not in NO_DEEDS or verb in _DONE_BY_ONE & VERBS.keys()
        return (
            _made(verb, "", span, Certainty.REPORTED, phrase=phrase) if known else None
        )
    certainty = Certainty.DONE if piece.marked else Certainty.REPORTED
    verb = "do" if verb == stem("completed") else verb
    return _made(verb, piece.lead, span, certainty)


def _label(lead: str, *, listed: bool = False) -> bool:
    """Whether words only name something; in a list, its day and more may follow."""
    return len(lead.split()) <= (14 if listed else 5) and not _FINITE.search(lead)


# When today something was done.
_HOUR = re.compile(r"\s*at \d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?)?\W*")


_ENDS = re.compile(r"[ .!*]*(?:(?:successfully|as requested|for you)[ .!*]*)?")


def _heading(piece: _Piece) -> ActionClause | None:
    text, _, lead, previous, marked = piece
    may_name = _HEADS.passes(text) and not NOT.search(text)
    is_named = bool(previous) or not lead or _label(lead, listed=marked)
    match = HEADING.match(text) if may_name and is_named else None
    if not match or not _is_past(match["verb"]) or OPEN.search(text):
        return None
    if _names_no_thing(match["noun"]) or _REFUSES.match(match.group()):
        return None
    if previous and _COUNT.fullmatch(match["noun"]):
        return None  # "(5 acknowledged)"
    verb = stem(match["verb"])
    nouns = {stem(word) for word in WORD.findall(match["noun"])}
    after = text[match.end() :]
    phrase = _with_particle(verb, after) or _phrase(match.group())
    told_more = verb in VERBS.keys() - NO_DEEDS and not _FINITE.search(after)
    ends = bool(_ENDS.fullmatch(after))
    has_id = bool(_HAS_ID.search(match["noun"])) and (ends or told_more)
    for_reader = told_more and bool(_FOR_READER.match(after))
    alone = verb in VERBS and ends and not lead
    if not (verb in STATES or phrase or marked or has_id or alone or for_reader):
        return None
    known = bool(nouns & (NOUNS.keys() | THINGS.keys()))
    if verb in _ALSO_NOUNS and not known and not _TO_SOMETHING.match(after):
        return None  # "Paint Set – $35"
    to_value = verb in _CHANGED_TO | _PUTS and bool(_TO_VALUE.match(after))
    if not (previous or marked or has_id or alone or known or to_value or for_reader):
        return None
    planned = marked and (verb in _PLANNED or _is_planned(verb, after))
    if TIME.search(after) and not planned:
        return None  # What was booked for a day is planned for it.
    if RULE.search(after):
        return None  # "Orders placed after 4 pm ship on Monday."
    if _tells_fact(lead, after):
        return None
    return _made(
        verb,
        match["noun"],
        piece.span(match),
        previous.certainty if previous else Certainty.REPORTED,
        phrase=phrase,
        unknown=has_id or marked,
    )


def _tells_fact(lead: str, after: str) -> bool:
    """Whether a heading's verb is of others, counted, or the reason of a failure."""
    described = OTHERS.match(after) or _AS.match(after) or _COUNTED.match(after)
    return bool(described or _REGRETS.search(lead))


_FOR_READER = re.compile(r"\s*(?:to|for|until|till)\s(?:you\b|\S*\d)")
_COUNT = re.compile(r"\s*\d+\s*")
# "… but the system refused."
_REFUSES = re.compile(
    r"\s*(?:the|our|your|its)\s(?:[a-z]+\s){0,2}?(?:system|bank|tool|carrier|airline|server"
    r"|service|api|card|provider|merchant|network|portal|database)\s+"
    r"(?:refused|declined|denied|rejected|blocked|failed|returned|timed)"
)
# What others did: "and they acknowledged it".
_THEY = re.compile(r"\s*(?:they|he|she|you|who|someone|somebody)\b")
_HAS_ID = re.compile(r"[a-z]*[-_#]?\d{3}")


# "…, 2024, in economy class has been booked": the subject began before the comma.
_GOES_ON = re.compile(r"^\W*(?:in|on|at|for|to|from|with|of|by|under|\d)\b")


def _subject(before: str, lead: str) -> str:
    if lead and (_GOES_ON.match(before) or not WORD.search(before)):
        # A clause of its own before it is no part of its subject.
        parts = lead.split("\n")
        own = [at for at, part in enumerate(parts) if _FINITE.search(part)]
        parts = parts[own[-1] + 1 if own else 0 :]
        begun = [at for at, part in enumerate(parts) if _BEGINS.match(part)]
        return " ".join((*parts[begun[-1] if begun else 0 :], before))
    return before


# With these words a subject begins.
_BEGINS = re.compile(r"\W*(?:your|the|this|that|these|those|one|two|both)\s")


def _head(after: str) -> str:
    """Return the words a verb is done to, up to where, for whom and how."""
    end = PREPOSITION.search(after)
    head = after[: end.start()] if end else after
    relative = _RELATIVE.search(head)
    return head[: relative.start()] if relative else head


# "The account you signed in with": what somebody did with it says not what it is.
_RELATIVE = re.compile(r"(?<=[a-z]) (?:you|we|i|they|he|she) [a-z]+(?:ed|t|n|de|ave)\b")


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word.removeprefix("re-") in IRREGULAR


def _made(
    verb: str,
    noun_phrase: str,
    span: Span,
    certainty: Certainty,
    *,
    own: bool = False,
    phrase: frozenset[RecordDeed] | None = None,
    unknown: bool = False,
) -> ActionClause | None:
    """Make a clause; `unknown`: a verb that is not listed is a deed of its own."""
    verb = stem(verb.removeprefix("re-")) if verb.startswith("re-") else verb
    head = [stem(word) for word in WORD.findall(_head(noun_phrase))]
    words = [stem(word) for word in WORD.findall(noun_phrase)]
    nouns = frozenset(words)
    deeds = phrase or _deeds(verb, head or words, noun_phrase)
    if verb == _OPEN and not _PAGES.isdisjoint(head[-1:]):
        return None  # Who opens a page looks at it.
    befalls = verb in NO_DEEDS and not (own and verb in _DONE_BY_ONE)
    if not deeds and unknown and not befalls and len(verb) > 2:
        deeds = _MOVED_SUM if _AMOUNT_SAID.search(noun_phrase) else _OTHER
    if not deeds:
        return None
    # The noun of the deed, and the one that says what an id is of, are no object.
    kinds = set(map(stem, _KIND_OF_ID.findall(_head(noun_phrase))))
    if verb in LIGHT_VERBS or verb == _CONFIRM:
        kinds.update(
            noun
            for noun in head
            if not deeds.isdisjoint(NOUNS.get(noun, frozenset()))
            and not (verb in _GIVES and noun in THINGS)
        )
    last = head[-1:]
    if last == [_ADDRESS] and head[-2:-1] == [_EMAIL]:
        last = [_EMAIL]
    object_ = [
        noun
        for noun in head
        if noun not in kinds and noun not in UNSPECIFIC and noun[2:]
    ]
    is_thing = object_[-1:] == last or _is_new(_head(noun_phrase), head)
    is_thing = is_thing and not THINGS.keys().isdisjoint(last)
    return ActionClause(
        deeds=deeds,
        verb=verb,
        object=noun_phrase,
        span=span,
        piece=span,
        certainty=certainty,
        nouns=nouns,
        yours=words[:1] in (["your"], ["you"]),
        own=own,
        things=things_of(last) if is_thing else frozenset(),
        names=frozenset(object_[:-1] if is_thing else object_),
        head=next(iter(object_[-1:] or last), ""),
    )


_OTHER = deed_set("other")
# A verb that is not known and done to a sum moves it.
_MOVED_SUM = deed_set("pay refund issue waive")


# "The task is done" says nothing of a task, "a follow-up task was created" does.
_NEW = re.compile(r"^\W*(?:an?|another|new|two|three|\d+)\s")


def _is_new(noun_phrase: str, head: Sequence[str]) -> bool:
    """Whether an object whose word says little is one that is new, or has a measure."""
    return len(head) > 1 and bool(_NEW.match(noun_phrase))


_ADDRESS, _EMAIL = stem("address"), stem("email")
# What happens to a thing by itself, and what "I" did to it.
_DONE_BY_ONE = stems("delay ship deliver drop label increase decrease")
_KIND_OF_ID = re.compile(
    r"([a-z]+)(?:\s+(?:id|number|no\.?|code))?\s*[:#(]*\s*(?=[a-z]{0,6}[-_]?\d{2})"
)
# What is added is a thing of its own, what is made may be the deed: a payment.
_GIVES = stems("add put send")
_MAKES_ANY = stems("create draft open raise file log submit")
_CONFIRM = stem("confirm")
_OPEN = stem("open")
_CHARGE = stem("charge")
_PAGES = stems("page homepage site website url link browser tab")
_SEND = stem("send")
_SET = stem("set")
_SETS_NEW = deed_set("create add")
_ORDER, _REPLACEMENT = stem("order"), stem("replacement")
_REPLACES = deed_set("exchange issue")
_GRANT, _ACCESS_NOUN = stem("grant"), stem("access")
_MONEY = stems("money fund cash")
_SENT = deed_set("refund pay issue transfer exchange")
_AMOUNT = re.compile(
    r"\W*(?:(?:the|a|an|your|about|all)\s)?(?:(?:extra|additional|further|remaining)\s)?"
    r"(?:[$€£₽]\s?\d|\d[\d.,]{0,12}\s?(?:€|£|₽"
    r"|(?:dollars|euros?|bucks|usd|eur|gbp)\b))"
)
_OF_DEED = stems("request order transaction application")
_FOLLOWING = re.compile(r"\bfollowing\b")


def _sent(
    deeds_of_verb: frozenset[RecordDeed], words: Sequence[str], *, money: bool
) -> frozenset[RecordDeed]:
    """Return what sending something does: a payment pays, a reminder is sent."""
    last = list(words[: words.index("of")] if "of" in words else words)
    asks = bool(last) and last[-1] in _OF_DEED
    if asks:
        last.pop()
    noun_deeds = NOUNS.get(last[-1], frozenset()) & _SENT if last else frozenset()
    if asks:
        return noun_deeds | deeds_of_verb  # A payment request is no payment yet.
    money = money or not _MONEY.isdisjoint(last)
    return (
        deeds_of_verb | {RecordDeed.PAY, RecordDeed.TRANSFER}
        if money
        else noun_deeds or deeds_of_verb
    )


def _deeds(verb: str, words: Sequence[str], noun_phrase: str) -> frozenset[RecordDeed]:
    """Return what a verb with these words says was done; empty where it says nothing.

    The last noun of a deed is the head: an "order cancellation" cancels.
    """
    if verb == _CONFIRM:
        return frozenset() if CONFIRMABLE.isdisjoint(words) else _CONFIRMS
    deeds_of_verb = verb_deeds(verb)
    if verb == _SET and _NEW.match(noun_phrase):
        deeds_of_verb |= _SETS_NEW  # "I've set a reminder" makes one.
    verb = verb.removeprefix("re-")
    if verb == _SEND:
        return _sent(deeds_of_verb, words, money=bool(_AMOUNT.match(noun_phrase)))
    if verb not in LIGHT_VERBS:
        if verb == _ORDER and _REPLACEMENT in words:
            return deeds_of_verb | _REPLACES
        return _ACCESS if verb == _GRANT and _ACCESS_NOUN in words else deeds_of_verb
    if _FOLLOWING.search(noun_phrase):
        return frozenset({RecordDeed.ANY})
    before_of = words[: words.index("of")] if "of" in words else words
    for candidates in (before_of, words):
        nouns = [noun for noun in candidates if noun in NOUNS]
        if nouns:
            # An exchange request asks for an exchange, and a submitted one may be it.
            of_other = nouns[1:] and nouns[-1] in _OF_DEED
            deeds = NOUNS[nouns[-2 if of_other else -1]]
            made = deeds_of_verb if verb in _MAKES_ANY else frozenset()
            return deeds | made
    if deeds_of_verb:
        return deeds_of_verb
    general = not GENERAL.isdisjoint(words)
    return frozenset({RecordDeed.ANY}) if general else frozenset()
