"""Judge claims by local signs, without a judge.

Only precise signs settle a claim: the same words, or the same words but for one number,
date, name or denial. Words that the best evidence lacks are reported, no more.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.claim_results import Claim, FactStatus, SentenceKind
from verifyhub.engine.claims.differs import (
    DATE,
    MIN_DENIED,
    NAME,
    NEGATION,
    NUMBER,
    SingleDifference,
    single_difference,
    stands_in,
)
from verifyhub.engine.claims.kinds import kind_of
from verifyhub.engine.claims.numbers import differing
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.claims.reading_passages import (
    EvidenceSentence,
    PassageReading,
    Readings,
)
from verifyhub.engine.claims.support import best_sentence, best_support, share_of
from verifyhub.engine.claims.words import language_of
from verifyhub.engine.passages import PassageSearch
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span

# Of one answer, and the passages that are looked for of each claim.
MAX_SEARCHED, CANDIDATES = 40, 3
MAX_LISTED_WORDS = 8
VERBATIM, SOURCES_PART = "verbatim", "sources_part"
HEDGED, REPORTED, PARTIAL = "hedged", "reported", "partial"
DIFFERS = {
    NUMBER: "number_differs",
    DATE: "date_differs",
    NAME: "name_differs",
    NEGATION: "negation_differs",
}
LOCAL_REASONS = frozenset({VERBATIM, SOURCES_PART, *DIFFERS.values()})
NUANCES = frozenset({HEDGED, REPORTED, PARTIAL})
# Below this share of the claim's words the evidence supports only a part of it.
_PARTIAL_BELOW = 0.6
# Below this share a passage is about something else: of sentences that people called
# supported one in twenty has less, of others every second one.
_UNRELATED_BELOW = 0.2
# Somebody else's word, a condition, or a word taken back.
_TAKEN_BACK = re.compile(
    r"(?<!\w)(?:according to|claim(?:s|ed|ing)?|alleg\w{1,8}|said|says|reported(?:ly)?"
    r"|rumou?r\w{0,4}|believ\w{1,4}|false\w{0,3}|wrong\w{0,2}|untrue|myth|hoax|fake"
    r"|debunked|incorrect\w{0,2}|if|unless|except|until|formerly|no longer"
    r"|по словам|утвержда\w{1,6}|якобы|сообща\w{1,6}|если|ложь|ложно\w{0,3}|миф"
    r"|слух\w{0,3}|неверно|опроверг\w{1,6}|selon|prétend\w{0,5}|affirm\w{1,6}|si|faux|fausse|mythe"
    r"|rumeur\w{0,2}|démenti\w{0,2}|laut|angeblich|behaupt\w{1,5}|wenn|falls|falsch\w{0,2}"
    r"|mythos|gerücht\w{0,2}|widerlegt|según|supuest\w{1,6}|afirm\w{1,6}|falso|falsa|mito"
    r"|rumor\w{0,3}|desmentid\w{1,3})(?!\w)",
    re.IGNORECASE,
)
_SHORT_WORDS = 10
# Least words of meaning of a claim that its very words can settle.
MIN_MATTER = 3
_PRONOUNS = word_set(
    """
    it he she they this that these those its his her their one
    он она оно они это этот эта эти его ее их
    il elle ils elles ce cela ceci ça cette ces son sa ses leur leurs
    er sie es dies dieser diese dieses das sein seine ihr ihre
    él ella ellos ellas esto eso este esta estos estas su sus
    """
)


@dataclass(frozen=True)
class Local:
    """The result of local signs for one claim.

    Attributes:
        status: VERIFIED, CONTRADICTED and AMBIGUOUS by precise signs only.
        reason: `verbatim`, `number_differs`, …; empty where nothing is settled.
        support: See `support`.
        deciding: The passage and the place in its text that settled it.
        against: Places that speak against the claim, without `deciding`.
        signals: What differs from the best evidence, in words.
    """

    claim: ParsedText
    passages: Sequence[PassageReading]
    status: FactStatus = FactStatus.UNKNOWN
    reason: str = ""
    support: float | None = None
    deciding: tuple[int, Span] | None = None
    against: tuple[tuple[int, Span], ...] = ()
    signals: tuple[Mapping[str, Any], ...] = ()

    @property
    def contradicts(self) -> bool:
        """Whether a passage makes the same statement with one difference."""
        return self.status in (FactStatus.CONTRADICTED, FactStatus.AMBIGUOUS)

    def best_in(self, place: int) -> Span:
        """Return the sentence of a passage that fits the claim best."""
        for at, span in (*([self.deciding] if self.deciding else []), *self.against):
            if at == place:
                return span
        return best_sentence(self.claim, self.passages[place])[1]

    def lacks(self, task: str) -> bool:
        """Return whether no passage has a number, a name or any words of the claim.

        A name of the task may stand for a pronoun of the evidence, and evidence in
        another language has other words.

        Args:
            task: What the user asked.
        """
        evidence_quantities = [
            quantity for passage in self.passages for quantity in passage.quantities
        ]
        if differing(self.claim.quantities, evidence_quantities):
            return True
        language = self.claim.language
        texts = [passage.passage.text for passage in self.passages]
        if any(language_of(text, language) != language for text in texts):
            return False
        everything = frozenset().union(*(passage.stems for passage in self.passages))
        unrelated = share_of(self.claim, everything) < _UNRELATED_BELOW
        if unrelated and len(self.claim.content) >= MIN_MATTER:
            return True
        known = everything.union(
            ParsedText(task, language).stems,
            *(
                ParsedText(passage.passage.title, language).stems
                for passage in self.passages
            ),
        )
        return any(name.stem not in known for name in self.claim.names)

    def nuance(self, place: int, span: Span) -> str:
        """Return what limits the evidence at a place; empty if nothing does."""
        passage = self.passages[place]
        text = passage.passage.text[span[0] : span[1]]
        if kind_of(text, self.claim.language) is SentenceKind.UNCERTAIN:
            return HEDGED
        if _TAKEN_BACK.search(text) and not _TAKEN_BACK.search(self.claim.text):
            return REPORTED
        stems = ParsedText(text, self.claim.language).stems
        return PARTIAL if share_of(self.claim, stems) < _PARTIAL_BELOW else ""


def look(claim: ParsedText, passages: Sequence[PassageReading]) -> Local:
    """Search for precise signs, and for differences from the best evidence."""
    best = best_support(claim, passages)
    if best is None:
        return Local(claim, passages)
    supporting, against = (
        _compared(claim, passages) if stands_alone(claim) else ([], [])
    )
    if len(claim.content) < MIN_MATTER:
        supporting = []
    status, reason, deciding, others = _settled(supporting, against)
    differences = [difference.as_dict() for _, _, difference in against]
    return Local(
        claim,
        passages,
        status=status,
        reason=reason,
        support=best.score,
        deciding=deciding,
        against=tuple(others),
        signals=tuple(
            differences or _lacking(claim, passages[best.passage], best.span)
        ),
    )


def contradicted_facts(claims: Iterable[Claim], search: PassageSearch) -> list[Claim]:
    """Return the claims that a passage found for them speaks against by these signs."""
    facts = [claim for claim in claims if claim.kind is SentenceKind.FACTUAL]
    facts = facts[:MAX_SEARCHED]
    candidates = search.search([fact.text for fact in facts], limit=CANDIDATES)
    readings = Readings()
    return [
        fact
        for fact, hits in zip(facts, candidates, strict=True)
        if look(
            ParsedText(fact.text, fact.language),
            [readings.of(hit.passage, fact.language) for hit in hits],
        ).contradicts
    ]


def stands_alone(claim: ParsedText) -> bool:
    """Whether the same words elsewhere mean the same: no `it` that may be another."""
    first = claim.words[0].key if claim.words else ""
    return first not in _PRONOUNS and len(claim.content) >= MIN_DENIED


def takes_back(text: str) -> bool:
    """Whether a text reports others' words, states a condition, or takes words back."""
    return _TAKEN_BACK.search(text) is not None


def _compared(
    claim: ParsedText, passages: Sequence[PassageReading]
) -> tuple[list[tuple[int, Span]], list[tuple[int, Span, SingleDifference]]]:
    """Return the places that say a claim, and those that speak against it."""
    supporting: list[tuple[int, Span]] = []
    against: list[tuple[int, Span, SingleDifference]] = []
    for place, passage in enumerate(passages):
        for number, sentence in enumerate(passage.sentences):
            if _confirms(claim, passage, number):
                supporting.append((place, sentence.span))
            elif difference := _denies(claim, sentence):
                against.append((place, sentence.span, difference))
    return supporting, against


def _settled(
    supporting: Sequence[tuple[int, Span]],
    against: Sequence[tuple[int, Span, SingleDifference]],
) -> tuple[FactStatus, str, tuple[int, Span] | None, list[tuple[int, Span]]]:
    places = [(place, span) for place, span, _ in against]
    if supporting and against:
        return FactStatus.AMBIGUOUS, SOURCES_PART, supporting[0], places
    if supporting:
        return FactStatus.VERIFIED, VERBATIM, supporting[0], []
    if against:
        reason = DIFFERS[against[0][2].kind]
        return FactStatus.CONTRADICTED, reason, places[0], places[1:]
    return FactStatus.UNKNOWN, "", None, []


def _confirms(claim: ParsedText, passage: PassageReading, number: int) -> bool:
    """Return whether a sentence says the claim word for word, and takes nothing back.

    The claim begins the sentence; what follows it there, and a short sentence behind
    it, neither denies nor reports nor guesses.
    """
    sentence = passage.sentences[number].reading
    place = stands_in(claim, sentence)
    if place is None or place[0] > 1:
        return False
    outer_words = [*sentence.words[: place[0]], *sentence.words[place[1] :]]
    if any(word in sentence.negations for word in outer_words):
        return False
    kind = kind_of(sentence.text, sentence.language)
    if kind is not SentenceKind.FACTUAL or sentence.text[:1] in "\"“«„'":
        return False
    rest = " ".join(word.text for word in outer_words)
    return not _TAKEN_BACK.search(rest) and not _withdrawn(passage, number + 1)


def _withdrawn(passage: PassageReading, number: int) -> bool:
    """Whether a short sentence takes back what stood before it: `This is false.`"""
    if number >= len(passage.sentences):
        return False
    reading = passage.sentences[number].reading
    short = len(reading.words) <= _SHORT_WORDS
    return short and bool(_TAKEN_BACK.search(reading.text) or reading.negations)


def _denies(claim: ParsedText, sentence: EvidenceSentence) -> SingleDifference | None:
    """Return the difference of a sentence that speaks against a claim."""
    difference = single_difference(claim, sentence.reading)
    text = sentence.reading.text
    if difference is None or takes_back(text):
        return None
    factual = kind_of(text, claim.language) is SentenceKind.FACTUAL
    return difference if factual else None


def _lacking(
    claim: ParsedText, passage: PassageReading, span: Span
) -> list[Mapping[str, Any]]:
    """Return which numbers, names and denials of a claim the best evidence lacks."""
    near = [
        sentence.reading
        for sentence in passage.sentences
        if span[0] <= sentence.span[0] and sentence.span[1] <= span[1]
    ]
    stems = passage.stems
    shown = ", ".join(
        quantity.text for reading in near for quantity in reading.quantities
    )
    missing = [
        SingleDifference(DATE if quantity.date else NUMBER, quantity.text, shown)
        for quantity in differing(claim.quantities, passage.quantities)
    ]
    missing += [
        SingleDifference(NAME, name.text, "")
        for name in claim.names
        if name.stem not in stems
    ]
    denies = [word.text for reading in near for word in reading.negations]
    if bool(denies) != bool(claim.negations):
        denied = " ".join(word.text for word in claim.negations)
        missing.append(SingleDifference(NEGATION, denied, " ".join(denies)))
    return [difference.as_dict() for difference in missing[:MAX_LISTED_WORDS]]
