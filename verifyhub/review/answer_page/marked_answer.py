"""An answer with every mention and every claim of work marked in place.

Each element of text has `data-start` and `data-end`: its half-open range, in code
points, in the answer as sent. So a selection on the page leads back to the source. Text
without them (labels for screen readers, signs) is our own.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from verifyhub.common.markdown import Piece, Tag, Text, pieces_of
from verifyhub.common.untrusted import (
    INVISIBLE,
    TextSegment,
    sanitised,
    split_at_spans,
    visible,
)
from verifyhub.engine.reports import CompletionClaim
from verifyhub.engine.types import Span
from verifyhub.review.answer_page.marks import CompletionMark, Marked, Stated

Cover = tuple[int, Span]


@dataclass(frozen=True, slots=True)
class _MarkedStretch:
    """A text with the same marks throughout."""

    text: Text
    # The marked name, the shortest of several; then all names and claims.
    name: Cover | None
    names: frozenset[Cover]
    claims: tuple[int, ...]


def marked_answer(
    answer: str,
    names: Sequence[Marked],
    claims: Sequence[CompletionClaim],
    *,
    chosen: str = "",
    raw: bool = False,
    changed: Sequence[tuple[Span, str]] = (),
    page: str = "",
    facts: Sequence[Stated] = (),
) -> SafeString:
    """Render an answer with its marks; each leads to its evidence.

    Of overlapping names the shortest is marked, since longer ones extend beyond it and
    can be selected there; one that does not is added after it as a sign. Claims are a
    layer below the names.

    Args:
        answer: The answer, hostile.
        names: Its mentions, and those that people added.
        claims: Its claims of work done.
        chosen: The selection: `mention=3`, `claim=0` or `added=0`.
        raw: Show the characters as sent instead of rendered Markdown.
        changed: Disjoint ascending ranges that get their own class.
        page: Path of the answer's page, if the marks are on another.
        facts: Its claims of fact: a layer like the claims of work.
    """
    spans: list[Span] = [span for name in names for span in name.spans]
    pieces: list[Piece] = [Text(answer, 0, len(answer))]
    if not raw:
        pieces = pieces_of(answer, spans)
    if changed:
        pieces = list(_with_changes(pieces, changed))
    stated = [*(CompletionMark(at, claim) for at, claim in enumerate(claims)), *facts]
    layers = _Layers(answer, names, stated)
    atoms = [atom for piece in pieces for atom in layers.atoms(piece)]
    writer = _Writer(names, stated, chosen, "&raw" if raw else "", page)
    return sanitised("".join(writer.write(atoms)))


class _Layers:
    """Finds the names and claims around a position of the answer."""

    def __init__(
        self, answer: str, names: Sequence[Marked], claims: Sequence[Stated]
    ) -> None:
        self._names: list[Cover] = [
            (place, (start, end))
            for place, name in enumerate(names)
            for start, end in name.spans
        ]
        spans = [span for _index, span in self._names]
        spans += [claim.span for claim in claims]
        self._segments = split_at_spans(answer, spans)
        self._starts = [segment.start for segment in self._segments]

    def atoms(self, piece: Piece) -> Iterator[_MarkedStretch | Tag]:
        """Split a text where a mark begins or ends; a tag stays as it is."""
        if isinstance(piece, Tag):
            yield piece
            return
        text = piece
        at = max(0, bisect_right(self._starts, text.start) - 1)
        if not text.is_verbatim:
            yield self._atom(text, self._segments[at] if self._segments else None)
            return
        while at < len(self._segments) and self._segments[at].start < text.end:
            segment = self._segments[at]
            start, end = max(segment.start, text.start), min(segment.end, text.end)
            part = text.text[start - text.start : end - text.start]
            yield self._atom(Text(part, start, end, text.css), segment)
            at += 1

    def _atom(self, text: Text, segment: TextSegment | None) -> _MarkedStretch:
        covers = segment.covers if segment and text.end > text.start else ()
        count = len(self._names)
        names = [self._names[cover] for cover in covers if cover < count]
        return _MarkedStretch(
            text,
            min(names, key=_length) if names else None,
            frozenset(names),
            tuple(cover - count for cover in covers if cover >= count),
        )


def _length(cover: Cover) -> tuple[int, Cover]:
    return cover[1][1] - cover[1][0], cover


class _Writer:
    """Renders parts as HTML; the parts of a mark are in one element."""

    def __init__(
        self,
        names: Sequence[Marked],
        claims: Sequence[Stated],
        chosen: str,
        view: str,
        page: str,
    ) -> None:
        self._names = names
        self._claims = claims
        self._chosen = chosen
        self._view = view
        self._page = page
        self._begun: set[Cover] = set()
        self._name: Cover | None = None
        self._open_claims: tuple[int, ...] = ()

    def write(self, atoms: Sequence[_MarkedStretch | Tag]) -> Iterator[str]:
        texts = [atom for atom in atoms if isinstance(atom, _MarkedStretch)]
        last_of_claim = {index: atom for atom in texts for index in atom.claims}
        hidden = _hidden(texts, self._names)
        last_of_hidden = {
            cover: atom for atom in texts for cover in atom.names & hidden
        }
        ends: dict[int, list[SafeString]] = {}
        for cover, atom in last_of_hidden.items():
            ends.setdefault(id(atom), []).append(self._sign(cover))
        for index, atom in last_of_claim.items():
            ends.setdefault(id(atom), []).append(self._flag(index))
        for part in atoms:
            if isinstance(part, Tag):
                yield from self._close()
                yield part.html
                continue
            yield from self._move_to(part)
            yield _run(part.text)
            if id(part) in ends:
                yield from self._close()
                yield from ends[id(part)]
        yield from self._close()
        yield from self._unseen(hidden - last_of_hidden.keys(), set(last_of_claim))

    def _move_to(self, atom: _MarkedStretch) -> Iterator[str]:
        if atom.claims != self._open_claims:
            yield from self._close()
            for index in atom.claims:
                yield format_html('<span class="{}">', self._claims[index].css)
            self._open_claims = atom.claims
        if atom.name != self._name:
            yield from self._close_name()
            if atom.name is not None:
                yield self._open_name(atom.name)
            self._name = atom.name

    def _open_name(self, cover: Cover) -> SafeString:
        name = self._names[cover[0]]
        starts = "" if cover in self._begun else " mark--starts"
        self._begun.add(cover)
        return format_html("<a{}><mark>", self._leads(name.query, name.css + starts))

    def _close_name(self) -> Iterator[str]:
        if self._name is not None:
            word = self._names[self._name[0]].word
            yield format_html('</mark><span class="sr"> ({})</span></a>', word)
        self._name = None

    def _close(self) -> Iterator[str]:
        yield from self._close_name()
        yield from ["</span>"] * len(self._open_claims)
        self._open_claims = ()

    def _sign(self, cover: Cover) -> SafeString:
        """Render the sign of a name that is completely covered by shorter ones."""
        name = self._names[cover[0]]
        self._begun.add(cover)
        css = f"{name.css} mark--also mark--starts"
        return format_html(
            '<a{}><mark>+</mark><span class="sr"> {} ({})</span></a>',
            self._leads(name.query, css),
            visible(name.text[:200]),
            name.word,
        )

    def _flag(self, index: int) -> SafeString:
        claim = self._claims[index]
        sign = '<a{}><span class="sr">{}: {}</span></a>'
        flag = '<a{}><span class="sr">{}: </span>{}</a>'
        return format_html(
            sign if claim.is_quiet else flag,
            self._leads(claim.query, claim.flag_css),
            claim.label,
            claim.word,
        )

    def _unseen(self, names: set[Cover], claims: set[int]) -> Iterator[str]:
        """Yield signs for marks in parts that the formatting does not show."""
        signs = [self._sign(cover) for cover in sorted(names)]
        signs += [self._flag(at) for at in range(len(self._claims)) if at not in claims]
        if signs:
            yield format_html('<p class="small soft">{} ', _("In the markup itself:"))
            yield from signs
            yield "</p>"

    def _leads(self, query: str, css: str) -> SafeString:
        current = SafeString(' aria-current="true"' if query == self._chosen else "")
        link = f"{self._page}?{query}{self._view}"
        swaps = SafeString("") if self._page else format_html(' hx-get="{}"', link)
        return format_html(
            ' class="{}" href="{}#evidence"{} data-mark="{}"{}',
            css,
            link,
            swaps,
            query,
            current,
        )


def _with_changes(
    pieces: Sequence[Piece], changed: Sequence[tuple[Span, str]]
) -> Iterator[Piece]:
    """Split texts where a change begins or ends, and give changed parts a class."""
    ends = [span[1] for span, _css in changed]
    for piece in pieces:
        if isinstance(piece, Tag) or not piece.is_verbatim:
            yield piece
            continue
        at = piece.start
        for (start, end), css in changed[bisect_right(ends, at) :]:
            if start >= piece.end:
                break
            if start > at:
                yield _cut(piece, at, start, piece.css)
            stop = min(end, piece.end)
            yield _cut(piece, max(at, start), stop, f"{piece.css} {css}".strip())
            at = stop
        if at < piece.end:
            yield _cut(piece, at, piece.end, piece.css)


def _cut(text: Text, start: int, end: int, css: str) -> Text:
    part = text.text[start - text.start : end - text.start]
    return Text(part, start, end, css)


def _hidden(texts: Sequence[_MarkedStretch], names: Sequence[Marked]) -> set[Cover]:
    shown = {atom.name for atom in texts}
    return {
        (place, (start, end))
        for place, name in enumerate(names)
        for start, end in name.spans
        if start < end and (place, (start, end)) not in shown
    }


def _run(text: Text) -> SafeString:
    """Render one text; invisible characters become elements of their own."""
    if not text.is_verbatim or not INVISIBLE.search(text.text):
        return _leaf(text, text.text, text.start, text.end)
    parts, at = [], 0
    for match in INVISIBLE.finditer(text.text):
        parts += [(at, match.start()), match.span()]
        at = match.end()
    parts.append((at, len(text.text)))
    return mark_safe(  # noqa: S308 - leaves are escaped
        "".join(
            _leaf(text, text.text[a:b], text.start + a, text.start + b)
            for a, b in parts
            if a < b
        )
    )


def _leaf(text: Text, shown: str, start: int, end: int) -> SafeString:
    css = SafeString(f' class="{text.css}"' if text.css else "")
    return format_html(
        '<span{} data-start="{}" data-end="{}">{}</span>',
        css,
        start,
        end,
        visible(shown),
    )
