"""An answer to its claims: sentences of fact, with their places (requirement D1, E2).

Rules find the sentences and set opinions, guesses, inferences, plans and questions
apart. A model, where there is one, splits the sentences of fact further; it can add
no claim that the text does not make.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from typing import NamedTuple

from verifyhub.engine.claim_results import Claim, SentenceKind
from verifyhub.engine.claims.atomic import atomic_claims
from verifyhub.engine.claims.kinds import heading_kind, is_lead_in, kind_of
from verifyhub.engine.claims.words import is_content, language_of, words
from verifyhub.engine.mentions.markdown import fences
from verifyhub.engine.ports import Model, ModelUsage
from verifyhub.engine.text.sentences import sentence_spans
from verifyhub.engine.types import Span


# The parts of an answer in which sentences stand: paragraphs, items, rows, quotations.
#
# Code is shown, not said: fences, indented code and HTML comments are left out, and a
# block ends where one begins. One pass over the lines.
class BlockKind(StrEnum):
    """The kind of a block of prose."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    OPEN_TASK = "open_task"
    ROW = "row"
    QUOTE = "quote"


class Block(NamedTuple):
    """A block, where its words stand, and the heading above it in small letters."""

    kind: BlockKind
    span: Span
    heading: str = ""


_LINE = re.compile(r"[^\n]*+\n?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(.*)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:={2,}|-{2,})[ \t]*$")
_RULE = re.compile(r"[ \t]{0,3}(?:[-*_][ \t]*){3,}$")
_ITEM = re.compile(r"[ \t]{0,16}(?:[-*+•–]|\d{1,3}[.)])[ \t]+(\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_ROW_RULE = re.compile(r"[ \t|:+-]{3,}$")
_INDENTED = re.compile(r"(?: {4}|\t)")


def blocks(answer: str) -> Iterator[Block]:
    """Yield the blocks of an answer in order; none holds a part of a code fence."""
    heading = ""
    last = 0
    for start, end in chain(_fences(answer), [(len(answer), len(answer))]):
        reader = _LineReader(answer, heading)
        yield from reader.read(last, start)
        heading, last = reader.heading, max(last, end)


def _fences(answer: str) -> Iterator[Span]:
    """Yield whole lines of each code fence, its marks among them."""
    for inner, inner_end in fences(answer):
        start = answer.rfind("\n", 0, inner) + 1
        end = answer.find("\n", inner_end)
        yield start, len(answer) if end < 0 else end


class _LineReader:
    """Reads the lines of one stretch without fences."""

    def __init__(self, answer: str, heading: str) -> None:
        self.answer, self.heading = answer, heading
        self.kind: BlockKind | None = None
        self.start = self.end = self.lines = 0
        self.in_list = self.in_comment = False
        self.row: Span | None = None

    def read(self, start: int, end: int) -> Iterator[Block]:
        for match in _LINE.finditer(self.answer, start, end):
            if match.start() < match.end():
                yield from self._line(match.group().rstrip("\r\n"), match.start())
        yield from self._close()

    def _line(self, line: str, at: int) -> Iterator[Block]:
        if self.in_comment or line.lstrip().startswith("<!--"):
            yield from self._close()
            self.in_comment = "-->" not in line
            return
        if not line.strip():
            yield from self._close()
            return
        alone = self.kind is BlockKind.PARAGRAPH and self.lines == 1
        if alone and _UNDERLINE.match(line):
            self.heading = self.answer[self.start : self.end].strip("*_ \t").casefold()
            self.kind = None
            return
        if heading := _HEADING.match(line):
            yield from self._close()
            self.heading, self.in_list = heading[1].strip("#*_ \t").casefold(), False
            return
        if _RULE.match(line):
            yield from self._close()
            return
        yield from self._prose(line, at)

    def _prose(self, line: str, at: int) -> Iterator[Block]:
        self.in_list = self.in_list and bool(_ITEM.match(line) or line[0] in " \t")
        if line.lstrip().startswith("|"):
            yield from self._table(line, at)
        elif quote := _QUOTE.match(line):
            if self.kind is not BlockKind.QUOTE:
                yield from self._close()
                self._open(BlockKind.QUOTE, at + quote.end())
            self._extend(at + len(line))
        elif item := _ITEM.match(line):
            yield from self._close()
            unticked = (item[1] or "").startswith("[ ]")
            self._open(
                BlockKind.OPEN_TASK if unticked else BlockKind.ITEM, at + item.end()
            )
            self.in_list = True
            self._extend(at + len(line))
        elif self.kind is None and not self.in_list and _INDENTED.match(line):
            return
        else:
            if self.kind in (None, BlockKind.ROW):
                yield from self._close()
                self._open(BlockKind.PARAGRAPH, at)
            self._extend(at + len(line))

    def _table(self, line: str, at: int) -> Iterator[Block]:
        if _ROW_RULE.match(line):
            # What stands above the rule names the columns and states nothing.
            self.kind = None if self.kind is BlockKind.ROW else self.kind
            yield from self._close()
            return
        yield from self._close()
        inner = line.rstrip().rstrip("|")
        self._open(BlockKind.ROW, at + line.index("|") + 1)
        self._extend(max(self.start, at + len(inner)))

    def _open(self, kind: BlockKind, start: int) -> None:
        self.kind, self.start, self.end, self.lines = kind, start, start, 0

    def _extend(self, end: int) -> None:
        self.end, self.lines = end, self.lines + 1

    def _close(self) -> Iterator[Block]:
        if self.kind is not None and self.end > self.start:
            yield Block(self.kind, (self.start, self.end), self.heading)
        self.kind = None


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
    sentences = (claim_at(answer, place, language) for place in sentence_places(answer))
    claims = list(islice(filter(None, sentences), MAX_CLAIMS + 1))
    extraction = Extraction(
        claims=tuple(claims[:MAX_CLAIMS]), cut=len(claims) > MAX_CLAIMS
    )
    return extraction if model is None else split_claims(extraction, model=model)


def split_claims(
    extraction: Extraction, *, model: Model, whole: Collection[Span] = ()
) -> Extraction:
    """Have a model split sentences of fact into atomic claims.

    Args:
        model: The model that splits sentences; see `extract_claims`.
        whole: Places of sentences that stay as they are: the part of one that
            something speaks against must not be left out.
    """
    to_split = [claim for claim in extraction if claim.span not in whole]
    split = atomic_claims(to_split, model=model)
    by_span: dict[Span, list[Claim]] = {}
    for claim in (
        *split.claims,
        *(claim for claim in extraction if claim.span in whole),
    ):
        by_span.setdefault(claim.span, []).append(claim)
    places = dict.fromkeys(claim.span for claim in extraction)
    return replace(
        extraction,
        claims=tuple(claim for span in places for claim in by_span.get(span, ())),
        reason=split.reason,
        usages=split.usages,
    )


class SentencePlace(NamedTuple):
    """The position of a sentence in an answer, and the block that it belongs to."""

    span: Span
    block: Block


def sentence_places(answer: str) -> Iterator[SentencePlace]:
    """Yield the sentences of an answer in order; no code, no headings."""
    for block in blocks(answer):
        spans = [block.span] if block.kind is BlockKind.ROW else None
        for span in spans or sentence_spans(answer, *block.span):
            yield SentencePlace(_trimmed(answer, span), block)


def claim_at(answer: str, place: SentencePlace, language: str) -> Claim | None:
    """Return a sentence's claim; None for greetings, lead-ins and lists.

    Args:
        answer: Holds the sentence.
        place: Where it stands.
        language: Of the answer; a sentence may be in another one.
    """
    raw = answer[place.span[0] : place.span[1]]
    tokens = words(_CODE.sub(" ", raw))
    language = language_of(raw, language)
    text = plain(raw)
    # Beside names in code, greetings and leads it has to say something.
    says = any(is_content(word, language) for word in tokens)
    if len(tokens) < 2 or not says or is_lead_in(text, language):
        return None
    kind = kind_of(text, language)
    if kind is SentenceKind.FACTUAL:
        kind = (
            SentenceKind.PLAN
            if place.block.kind is BlockKind.OPEN_TASK
            else heading_kind(place.block.heading)
        )
    return Claim(text=text, span=place.span, kind=kind, language=language)


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
    return _BLANKS.sub(" ", _MARKS.sub(lambda mark: mark[1] or "", without)).strip()
