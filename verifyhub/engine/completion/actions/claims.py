"""Find the sentences of an answer that say that something was done to a record."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.deed_words import RecordDeed, deed_set, stem, stems
from verifyhub.engine.calls.record_calls import leaves, works_on_files
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.actions.clause_words import (
    DONE_LIST,
    IDENTITY,
    MARKED,
    UNSPECIFIC,
    WORD,
)
from verifyhub.engine.completion.actions.clauses import (
    ActionClause,
    Certainty,
    action_clauses,
    only_names,
    other_actor,
)
from verifyhub.engine.completion.actions.foreign import foreign_clauses
from verifyhub.engine.completion.actions.objects import amounts_in, ids_in
from verifyhub.engine.completion.segments import (
    CODE_MARK,
    SPEECH_MARK,
    Sentence,
    lowered,
)
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionClaim:
    """One sentence that claims deeds on records.

    `ids` are the ids it names with their place in it; those of the list that it
    introduces stand at its end.
    """

    text: str
    span: Span
    clauses: tuple[ActionClause, ...]
    ids: tuple[tuple[int, str], ...]
    amounts: frozenset[float]
    words: str


@dataclass(frozen=True)
class ClaimedClause:
    """One clause of a claim, with what the sentence says around it, and its run."""

    claim: ActionClaim
    clause: ActionClause
    ledger: Ledger

    @cached_property
    def end(self) -> int:
        """Where the next clause begins, in characters of the sentence."""
        after = self.clause.span[0]
        later = (item.piece[0] for item in self.claim.clauses if item.span[0] > after)
        return min(later, default=len(self.claim.words))

    @property
    def object_text(self) -> str:
        """The words of the clause's object, as they are written."""
        last = self.clause.span[1]
        if self.clause.own:
            return self.claim.text[last : last + len(self.clause.object)]
        return self.claim.text[self.begin : last]

    @cached_property
    def rest(self) -> str:
        """The words up to the next clause: with what, for what, to whom."""
        return self.claim.words[self.clause.span[1] : self.end]

    @cached_property
    def rest_names(self) -> frozenset[str]:
        """The stems in those words that may name something."""
        return names_in(self.rest)

    @cached_property
    def begin(self) -> int:
        """Where the clause begins, with the label before it: "Breakfast: added"."""
        first = min(item.piece[0] for item in self.claim.clauses)
        begin = self.clause.piece[0]
        return 0 if begin == first and only_names(self.claim.words[:begin]) else begin

    @property
    def words(self) -> str:
        """The clause and those words."""
        return self.claim.words[self.begin : self.end]

    @property
    def text(self) -> str:
        """The clause and those words, as they are written."""
        return self.claim.text[self.begin : self.end]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the clause's object: its own, else all before it.

        A clause reaches up to where the next one begins.
        """
        claim, clause = self.claim, self.clause
        at = [other.span for other in claim.clauses].index(clause.span)
        begin = claim.clauses[at - 1].piece[1] if at else 0
        end = len(claim.text) + 1
        if at + 1 < len(claim.clauses):
            end = claim.clauses[at + 1].piece[0]
        piece_end = clause.piece[1]
        has_id = any(begin <= place < piece_end for place, _ in claim.ids)
        aside = _ASIDE.search(claim.text, piece_end, end) if has_id else None
        end = aside.start() if aside else end
        other = _OTHER_CLAUSE.search(claim.words, piece_end, max(end, piece_end))
        end = other.start() if other else end
        own_ids = tuple(id_ for place, id_ in claim.ids if begin <= place < end)
        return own_ids or tuple(id_ for place, id_ in claim.ids if place < end)


def names_in(text: str) -> frozenset[str]:
    """Return the stems of words that may name something."""
    words = map(stem, WORD.findall(text.replace("-", "")))
    return frozenset(word for word in words if word[2:]) - UNSPECIFIC


# Behind it stands more of what was named, and no further object.
_ASIDE = re.compile(r"[—–;]")
# With these words another clause begins, which claims nothing.
_OTHER_CLAUSE = re.compile(
    r"\s(?:and|but|so)\s(?:you|i|we|it|they|there"
    r"|(?:your|the|an?|any|all) (?:[^\s,;]{1,20} ){1,5}?"
    r"(?:is|are|will|would|can|should|may|must))\b"
)
# Deeds that are not done to files as well.
_ON_RECORDS = deed_set("cancel refund book pay transfer escalate")
# Characters of one input in which ids are looked for.
_ID_TEXT = 2_000


def serves(ledger: Ledger) -> bool:
    """Whether a run has to do with records and not with files."""
    of_others = {ToolKind.AGENT, ToolKind.NOTE}
    own = any(entry.kind not in of_others for entry in ledger.calls)
    return own and not works_on_files(ledger.calls)


def action_claims(
    sentences: Sequence[Sentence], ledger: Ledger
) -> Iterator[ActionClaim]:
    """Yield the claims of deeds on records.

    Where the calls are none that have to do with records, only deeds that no file
    knows are claimed, and only those that are clearly stated as the agent's own.
    """
    on_records = serves(ledger)
    all_read = on_records or not ledger.calls
    relevant = [
        sentence for sentence in sentences if all_read or _has_cue(sentence.text)
    ]
    if not relevant:
        return
    values = (value for entry in ledger.calls for _, value in leaves(entry.call.input))
    known = frozenset[str]().union(*map(_ids, values))
    for claim in find_actions(relevant, known):
        if (
            _NOTHING.match(claim.words)
            or _NO_DEED.search(claim.words)
            or _HEADING.fullmatch(claim.words)
        ):
            continue
        clauses = [ClaimedClause(claim, clause, ledger) for clause in claim.clauses]
        if (
            on_records
            or all(map(_surely_done, clauses))
            or (not ledger.calls and any(map(_has_it, clauses)))
        ):
            yield claim


# "No spare car: all days are used up" says why nothing was done.
_NOTHING = re.compile(r"\W*no (?:[\w-]{1,30} ){0,3}[\w-]{1,30}\s?[:—–]")
# "Updated balances:" stands above a list of them.
_HEADING = re.compile(
    r"\W*(?:your )?(?:updated|revised|corrected|changed|adjusted|amended|confirmed) "
    r"(?:[\w'’-]{1,30} ){0,3}[\w'’-]{1,30}\W*:\W*"
)
# Nothing was changed; or a rule: "the letter is sent only to the address on file".
_NO_DEED = re.compile(
    r"\bno (?:further |other )?changes? (?:was|were|is|are) (?:made|needed|required)\b"
    r"|\A[^\w\ue000]*no [\w '’-]{2,50}? (?:is |are )?(?:required|needed|necessary)\b"
    r"|\b(?:est|sont) [\w'’]{2,30} (?:seulement|uniquement)\b"
    r"|\b(?:wird|werden) (?:nur|ausschließlich)\b"
    r"|\b(?:is|are) (?:only [\w'’]{2,30}ed|[\w'’]{2,30}ed only)\b"
)
# Without one of these no sentence claims a deed that no file knows.
_CUE = re.compile(
    r"cancel|refund|book|reserv|schedul|order|purchas|bought|buy|rent|hire|register"
    r"|enroll?|subscri|secur|arrang|checkout|paid|pay|charg|bill|debit|deduct|invoic"
    r"|collect|remit|transfer|rout|hand|forward|wire|redirect|escalat|reimburs|credit"
    r"|void|terminat|revok|annul|rescind|withdr|abort|discontinu|appointment|ticket"
    r"|visit|fee|transaction|storniert|gekündigt|abgesagt|annull|erstattet|gebucht"
    r"|bestellt|gekauft|vereinbart|bezahlt|abgebucht|belastet|berechnet|weitergeleitet"
    r"|überwiesen|verbunden|eskaliert|gutgeschrieben|résili|rembours|crédit|réserv"
    r"|command|achet|planifi|programm|débit|factur|prélev|transf|transmis|escalad"
    r"|anulad|reembols|abonad|comprad|agend|cobrad|cargad"
)
_SCREEN = Screen((_CUE,))
_CYRILLIC = re.compile(r"[А-Яа-яё]")


def _has_cue(text: str) -> bool:
    if _SCREEN.passes(text.lower()):
        return True
    return not text.isascii() and _CYRILLIC.search(text) is not None


def _ids(value: str) -> frozenset[str]:
    return frozenset(value[:_ID_TEXT].upper().replace("#", " ").split())


# Verbs that nobody uses of code, and nouns that make the others as sure: a handler is
# registered, imports are ordered and a job is scheduled in code as well.
_SURE_VERBS = stems(
    "cancel refund reimburse book reserve purchase buy pay charge escalate terminate"
)
_SURE_WITH_MONEY = stems("transfer send request wire remit deposit")
_MONEY_SAID = re.compile(r"[$€£₽]\s?\d")
_ORDER, _REPLACEMENT = stem("order"), stem("replacement")
_SURE_NOUNS = stems(
    "refund payment booking reservation appointment cancellation meeting visit flight"
)


def _surely_done(claimed: ClaimedClause) -> bool:
    clause = claimed.clause
    has_money = _MONEY_SAID.search(clause.object)
    has_object = clause.own or clause.yours or claimed.ids or has_money
    in_code = CODE_MARK in claimed.claim.words
    if clause.certainty is not Certainty.DONE or not has_object or in_code:
        return False
    if clause.verb in _SURE_WITH_MONEY and has_money:
        return True
    replaces = clause.verb == _ORDER and _REPLACEMENT in clause.nouns
    is_on_record = (
        replaces
        or clause.verb in _SURE_VERBS
        or not _SURE_NOUNS.isdisjoint(clause.nouns)
    )
    foreign = not clause.object and clause.yours
    return (is_on_record or foreign) and not _ON_RECORDS.isdisjoint(clause.deeds)


# What somebody has only because it was made for them.
_MADE_FOR = stems(
    """
    booking reservation appointment ride cab taxi table trip flight visit viewing
    payment refund rental subscription
    """
)
_SCHEDULE = stem("schedule")
_FOR_YOU = re.compile(r"\s*for you\b")


def _has_it(claimed: ClaimedClause) -> bool:
    """Whether a clause of a run without calls says that the reader now has a thing.

    "Your ride is confirmed": nothing that was looked up can have shown it.
    """
    clause, words = claimed.clause, claimed.claim.words
    finds = RecordDeed.LOOK_UP in clause.deeds and clause.nouns & IDENTITY
    if finds or _ONLY_BY_CALL.search(words):
        return CODE_MARK not in words
    is_for_user = clause.yours or bool(_FOR_YOU.match(claimed.rest))
    titled = clause.own and clause.verb == _SCHEDULE and SPEECH_MARK in clause.object
    made_for_user = titled or (is_for_user and not _MADE_FOR.isdisjoint(clause.nouns))
    fresh = not _EARLIER.search(words) and CODE_MARK not in words
    return made_for_user and fresh and not _ON_RECORDS.isdisjoint(clause.deeds)


# "I've put you on the waiting list": who only talks does none of these.
_ONLY_BY_CALL = re.compile(
    r"\b(?:started|begun) playing\b|\b(?:put|added) you (?:on|to) (?:the|a) wait"
)
_EARLIER = re.compile(r"\b(?:already|previously|earlier|still|as you (?:said|told))\b")


def find_actions(
    sentences: Sequence[Sentence], known: Collection[str]
) -> Iterator[ActionClaim]:
    """Yield every sentence that claims deeds on records, in order.

    Args:
        sentences: The sentences of an answer.
        known: The ids that calls of the run were given, in upper case.
    """
    for number, sentence in enumerate(sentences):
        clauses = _read(sentence)
        if any(clause.present for clause in clauses) and _proposes(sentences):
            clauses = tuple(clause for clause in clauses if not clause.present)
        if not clauses:
            continue
        text = sentence.text
        upper = text.upper()
        ids = [(max(0, upper.find(id_)), id_) for id_ in ids_in(text, known)]
        ids = _without_aliases(text, ids, known)
        if text.rstrip("* ").endswith(":"):
            ids += _listed(sentences[number + 1 :], known, len(text))
        yield ActionClaim(
            text=text,
            span=sentence.span,
            clauses=clauses,
            ids=tuple(ids),
            amounts=amounts_in(text),
            words=lowered(sentence.prose),
        )


def _proposes(sentences: Sequence[Sentence]) -> bool:
    """Whether an answer asks for leave, so that what it tells is still to be done."""
    return any(_ASKS_LEAVE.search(sentence.text) for sentence in sentences)


_ASKS_LEAVE = re.compile(
    r"\b(?:shall|should|may) (?:i|we)\b|\bproceed\b|\bgo ahead\b|\bplease confirm\b"
    r"|\b(?:is|are|does|do) (?:that|this|these) (?:ok|okay|alright|fine|correct|work)\b"
    r"|\bdo you (?:want|agree)\b",
    re.IGNORECASE,
)


def _read(sentence: Sentence) -> tuple[ActionClause, ...]:
    words = lowered(sentence.prose)
    marked = bool(MARKED.search(words))
    if not marked and sentence.item:
        marked = bool(DONE_LIST.search(sentence.intro or sentence.heading))
    alone = sentence.item or _SHORT_REPORT.fullmatch(words) is not None
    clauses = (
        action_clauses(words, marked=marked, item=sentence.item)
        or tuple(foreign_clauses(words))
        or (tuple(foreign_clauses(words, listed=True)) if marked or alone else ())
    )
    other = None if clauses else other_actor(sentence.prose)
    return clauses if other is None else (other,)


# "Reserva cancelada.": a report without a verb has few words.
_SHORT_REPORT = re.compile(r"\W*[^\W\d_]+(?: [\w#:-]+){1,6}[.!]\W*")


def _without_aliases(
    text: str, ids: list[tuple[int, str]], known: Collection[str]
) -> list[tuple[int, str]]:
    """Leave out what stands in brackets behind an id that calls were given."""
    aliases = set()
    for place, id_ in ids:
        for at, other in ids:
            between = text[at + len(other) : place] if at < place else ""
            if _IN_BRACKET.fullmatch(between):
                aliases.add(id_ if other in known else other if id_ in known else "")
    return [pair for pair in ids if pair[1] not in aliases]


# What stands between an id and another of it in brackets: "TK-2 (seat H12)" has both.
_IN_BRACKET = re.compile(r"[ *]{0,4}\((?:[a-z]{2,12} )?")


# Items of a list that are looked at.
_MOST_ITEMS = 30


def _listed(
    after: Sequence[Sentence], known: Collection[str], place: int
) -> Iterator[tuple[int, str]]:
    """Yield the id that each item of a list begins with, as far as calls know it."""
    for sentence in after[:_MOST_ITEMS]:
        if not sentence.item:
            return
        if _read(sentence):
            continue
        ids = ids_in(sentence.text[:80], known)
        if ids and ids[0] in known:
            yield place, ids[0]
