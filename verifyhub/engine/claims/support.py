"""Estimate by words alone how well passages support a text: for ranking only.

What counts is the share of the text's words of meaning that the best passage has, and
how many of its words follow each other there. Each thing that is not there takes away:
a number or a name, because a text may have every other word of its source and be
wrong by that one; a denial on one side only; and a word in the first person, because
sources do not speak of the agent. The weights are round numbers chosen for these
reasons. Halved or doubled, none of them moves the AUROC on any set by more than 0.01
(docs/benchmarks.md).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.claims.numbers import differing
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.claims.reading_passages import PassageReading
from verifyhub.engine.claims.words import ClaimToken
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span

ORDER = 0.15
NAME_MISSING = 0.3
NUMBER_MISSING = 0.3
OWN_VOICE = 0.2
DENIAL_DIFFERS = 0.1
# Each word without evidence is one more that may be wrong, however long the text is.
WORD_MISSING = 0.01
# Where support is even, and how steep it is there: it becomes a number in 0..1 without
# making any two texts equal.
EVEN, STEEPNESS = 0.65, 8.0

_FIRST_PERSON = word_set(
    """
    i me my mine myself we us our ours i'm i've i'd i'll we've we're
    я меня мне мой моя мое мои мы нас нам наш наша наше наши
    je moi mon ma mes j nous notre nos
    ich mir mich mein meine meinen meiner wir uns unser unsere
    yo mi mis nosotros nuestro nuestra
    """
)


@dataclass(frozen=True, slots=True)
class TextSupport:
    """The support of a claim, 0..1, and the passage that supports it best.

    `passage` is the position among those given; `span` is a sentence in its text.
    """

    score: float
    passage: int
    span: Span


def best_support(
    claim: ParsedText, passages: Sequence[PassageReading]
) -> TextSupport | None:
    """Return how well passages fit a claim; None where they hold no sentence."""
    shares = [
        (share_of(claim, passage.stems), -place)
        for place, passage in enumerate(passages)
        if passage.sentences
    ]
    if not shares:
        return None
    place = -max(shares)[1]
    return TextSupport(
        score=squashed(raw_support(claim, passages)),
        passage=place,
        span=best_sentence(claim, passages[place])[1],
    )


def raw_support(
    claim: ParsedText, passages: Sequence[PassageReading], *, together: bool = False
) -> float:
    """Return the sum of the signs, about 0..1 and in bad cases below.

    Args:
        claim: A claim, or a whole answer.
        passages: What was found for it.
        together: Whether words may be gathered from all passages, as those of a whole
            answer are; else the best one has to hold them.
    """
    everything = frozenset().union(*(passage.stems for passage in passages))
    pairs = frozenset().union(*(passage.pairs for passage in passages))
    groups = [everything] if together else [passage.stems for passage in passages]
    share = max((share_of(claim, stems) for stems in groups), default=0.0)
    claim_pairs = claim.pairs
    order = (
        sum(pair in pairs for pair in claim_pairs) / len(claim_pairs)
        if claim_pairs
        else share
    )
    numbers = [quantity for passage in passages for quantity in passage.quantities]
    score = (1 - ORDER) * share + ORDER * order
    score -= NAME_MISSING * (1 - _share(claim.names, everything))
    if claim.quantities:
        missing = len(differing(claim.quantities, numbers))
        score -= NUMBER_MISSING * missing / len(claim.quantities)
    score -= OWN_VOICE * any(word.key in _FIRST_PERSON for word in claim.words)
    score -= DENIAL_DIFFERS * _denial_differs(claim, passages)
    return score - WORD_MISSING * len(claim.content) * (1 - share)


def answer_support(
    answer: ParsedText,
    parts: Sequence[tuple[ParsedText, Sequence[PassageReading]]],
    passages: Sequence[PassageReading],
) -> float | None:
    """Return how well passages fit an answer: as a whole, and sentence by sentence.

    The mean of two: all passages together for the whole answer, and the weakest of its
    sentences, by which an answer is wrong.

    Args:
        parts: Its sentences, each with what was found for it.
        passages: Everything that was found for any of them.
    """
    if not passages or not parts:
        return None
    together = raw_support(answer, passages, together=True)
    weakest = min(raw_support(part, near) for part, near in parts)
    return squashed((together + weakest) / 2)


def squashed(score: float) -> float:
    """Return a sum of signs as a number in 0..1, in the same order."""
    return 1 / (1 + math.exp(-STEEPNESS * (score - EVEN)))


def best_sentence(claim: ParsedText, passage: PassageReading) -> tuple[float, Span]:
    """Return how much of a claim the best sentence of a passage has, and its place."""
    whole_span = (0, len(passage.passage.text))
    scored = [
        (
            share_of(claim, sentence.reading.stems),
            _share(claim.words, sentence.reading.stems),
            -number,
            sentence.span,
        )
        for number, sentence in enumerate(passage.sentences)
    ]
    if not scored:
        return 0.0, whole_span
    best = max(scored)
    return best[0], best[3]


def passage_order(claim: str, texts: Sequence[str]) -> list[int]:
    """Return the positions of texts, the one that has most of a claim's words first."""
    parsed = ParsedText(claim)
    shares = [share_of(parsed, ParsedText(text).stems) for text in texts]
    return sorted(range(len(texts)), key=lambda place: (-shares[place], place))


def share_of(claim: ParsedText, stems: frozenset[str]) -> float:
    """Return the share of a claim's content words whose stems are among some stems."""
    return _share(claim.content or claim.words, stems)


def _share(words: Sequence[ClaimToken], stems: frozenset[str]) -> float:
    """Return the share of words among some stems; 1 where there are no words."""
    return sum(word.stem in stems for word in words) / len(words) if words else 1.0


def _denial_differs(claim: ParsedText, passages: Sequence[PassageReading]) -> bool:
    """Whether a claim denies and no sentence that fits it best does, or the reverse."""
    scored = [
        (share_of(claim, sentence.reading.stems), bool(sentence.reading.negations))
        for passage in passages
        for sentence in passage.sentences
    ]
    best = max((share for share, _ in scored), default=0.0)
    denials = {denies for share, denies in scored if share == best}
    return bool(denials) and bool(claim.negations) not in denials
