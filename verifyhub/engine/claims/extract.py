"""An answer to its claims: sentences of fact, with their places (requirement D1, E2).

Rules find the sentences and set opinions, guesses, inferences, plans and questions
apart. A model, where there is one, splits the sentences of fact further; it can add
no claim that the text does not make.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from verifyhub.engine.claim_results import Claim, SentenceKind
from verifyhub.engine.claims.atomic import atomic_claims
from verifyhub.engine.claims.blocks import Block, BlockKind, blocks
from verifyhub.engine.claims.kinds import heading_kind, is_lead_in, kind_of
from verifyhub.engine.claims.words import ClaimToken, is_content, language_of, words
from verifyhub.engine.ports import Model, ModelUsage
from verifyhub.engine.text.sentences import sentence_spans
from verifyhub.engine.types import Span

# Claims of one answer; what comes after the five hundredth is data.
MAX_CLAIMS = 500

_CODE = re.compile(r"`[^`\n]{1,300}`")
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}\)")
# What Markdown escapes is a sign like any other: `id\\_test.go`.
_MARKS = re.compile(
    r"\\([*_`~\[\]()#+.!|<>{}-])|\*{1,3}|~~|`|(?<![\w\\])_{1,3}|_{1,3}(?!\w)"
    r"|</?[a-zA-Z]{1,10}>"
)
_NOTE = re.compile(r"\[\^?\d{1,3}\]")
_QUOTED_LINE = re.compile(r"\n[ \t]{0,3}>[> \t]{0,8}")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The claims of an answer, in the order of their places.

    Attributes:
        claims: Of every kind; only factual ones are checked.
        reason: Why a model that was given did not split them: the reason of its
            `ModelError`, or `judge_misled`; empty if it did, or none was given.
        cut: Whether the answer makes more claims than are taken.
        usages: What the model took.
    """

    claims: tuple[Claim, ...]
    reason: str = ""
    cut: bool = False
    usages: tuple[ModelUsage, ...] = ()

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)


def extract_claims(answer: str, *, model: Model | None = None) -> Extraction:
    """Find the claims of an answer.

    Args:
        answer: Markdown or plain text; spans are in code points of it.
        model: Splits sentences of fact into atomic claims; where it fails, the
            sentences stand as they are and `reason` says why.
    """
    language = language_of(answer)
    claims: list[Claim] = []
    for claim in _claims(answer, language):
        claims.append(claim)
        if len(claims) > MAX_CLAIMS:
            break
    found = Extraction(claims=tuple(claims[:MAX_CLAIMS]), cut=len(claims) > MAX_CLAIMS)
    return found if model is None else split_claims(found, model=model)


def split_claims(
    found: Extraction, *, model: Model, whole: Collection[Span] = ()
) -> Extraction:
    """Have a model split sentences of fact into atomic claims.

    Args:
        found: The sentences.
        model: Who splits; see `extract_claims`.
        whole: Places of sentences that stay as they are: the part of one that
            something speaks against must not be left out.
    """
    shown = [claim for claim in found if claim.span not in whole]
    split = atomic_claims(shown, model=model)
    by_span: dict[Span, list[Claim]] = {}
    for one in (*split.claims, *(claim for claim in found if claim.span in whole)):
        by_span.setdefault(one.span, []).append(one)
    places = dict.fromkeys(claim.span for claim in found)
    return replace(
        found,
        claims=tuple(one for span in places for one in by_span.get(span, ())),
        reason=split.reason,
        usages=split.usages,
    )


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Where a sentence of an answer stands, and the block that it belongs to."""

    span: Span
    block: Block


def sentence_places(answer: str) -> Iterator[SentencePlace]:
    """Yield the sentences of an answer in order; no code, no headings."""
    for block in blocks(answer):
        spans = [block.span] if block.kind is BlockKind.ROW else None
        for span in spans or sentence_spans(answer, *block.span):
            yield SentencePlace(_trimmed(answer, span), block)


def _claims(answer: str, language: str) -> Iterator[Claim]:
    for place in sentence_places(answer):
        claim = claim_at(answer, place, language)
        if claim is not None:
            yield claim


def claim_at(answer: str, place: SentencePlace, language: str) -> Claim | None:
    """Return what a sentence claims; None where it only greets, leads in or lists.

    Args:
        answer: Holds the sentence.
        place: Where it stands.
        language: Of the answer; a sentence may be in another one.
    """
    raw = answer[place.span[0] : place.span[1]]
    tokens = words(_CODE.sub(" ", raw))
    language = language_of(raw, language)
    text = plain(raw)
    if not _states(tokens, text, language):
        return None
    kind = kind_of(text, language)
    if kind is SentenceKind.FACTUAL:
        kind = (
            SentenceKind.PLAN
            if place.block.kind is BlockKind.OPEN_TASK
            else heading_kind(place.block.heading)
        )
    return Claim(text=text, span=place.span, kind=kind, language=language)


def _states(tokens: Sequence[ClaimToken], text: str, language: str) -> bool:
    """Whether a sentence says anything beside names in code, greetings and leads."""
    if len(tokens) < 2 or is_lead_in(text, language):
        return False
    return any(is_content(word, language) for word in tokens)


def _trimmed(answer: str, span: Span) -> Span:
    """Leave blanks and marks of lists and tables at the ends outside."""
    start, end = span
    while start < end and (answer[start].isspace() or answer[start] in "|"):
        start += 1
    while end > start and (answer[end - 1].isspace() or answer[end - 1] in "|"):
        end -= 1
    return start, end


def plain(text: str) -> str:
    """Return the words of a piece of Markdown, on one line."""
    without = _LINK.sub(r"\1", _NOTE.sub("", _QUOTED_LINE.sub(" ", text)))
    return _BLANKS.sub(" ", _MARKS.sub(_unescaped, without)).strip()


def _unescaped(mark: re.Match[str]) -> str:
    return mark[1] or ""
