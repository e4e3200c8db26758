"""An answer as text, with every mention and every claim of work marked in place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from verifyhub.common.untrusted import Segment, split_at_spans, visible
from verifyhub.review.policy import is_counted
from verifyhub.verification.models import MentionStatus, MentionVerdict

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Name:
    """A mention as the page shows it: the report's, and what a person said of it."""

    index: int
    data: Mapping[str, Any]
    row: MentionVerdict | None

    @property
    def status(self) -> str:
        """The status that stands: the person's where there is one."""
        return self.row.effective_status if self.row else str(self.data["status"])

    @property
    def is_flipped(self) -> bool:
        """Whether a person said otherwise than the machine."""
        return bool(self.row and self.row.human_status)

    @property
    def tone(self) -> str:
        """`verified`, `unverified`, or `exempt` where an absence does not count."""
        if self.status == MentionStatus.VERIFIED:
            return "verified"
        return "unverified" if self.is_flipped or is_counted(self.data) else "exempt"

    @property
    def word(self) -> str:
        """The status in a word, for badges and screen readers."""
        word = {"exempt": "not counted"}.get(self.tone, self.tone)
        return f"{word}, by a person" if self.is_flipped else word

    @property
    def flipped_to(self) -> str:
        """The status a reviewer would change it to."""
        verified = self.status == MentionStatus.VERIFIED
        return MentionStatus.UNVERIFIED if verified else MentionStatus.VERIFIED


@dataclass(frozen=True, slots=True)
class _Mark:
    """One span: of a mention, or of a claim."""

    span: Span
    name: Name | None = None
    claim: int = -1


def names_of(
    report: Mapping[str, Any], rows: Mapping[int, MentionVerdict]
) -> list[Name]:
    """Put the report's mentions and the rows that people change side by side."""
    return [
        Name(index, data, rows.get(index))
        for index, data in enumerate(report["mentions"])
    ]


def marked_answer(
    answer: str,
    names: Sequence[Name],
    claims: Sequence[Mapping[str, Any]],
    chosen: str,
) -> SafeString:
    """Render an answer with its marks; each leads to its evidence.

    Where names overlap the shortest is the one marked, since the longer ones reach
    beyond it and can be chosen there. Claims are a layer below the names.

    Args:
        answer: The whole answer, hostile.
        names: Its mentions.
        claims: Its claims of work done.
        chosen: `mention=3` or `claim=0`: whose evidence is shown.
    """
    marks = list(_marks(names, claims))
    segments = split_at_spans(answer, [mark.span for mark in marks])
    pieces = [
        (_piece(segment, [marks[cover] for cover in segment.covers], claims, chosen),)
        for segment in segments
    ]
    return format_html_join("", "{}", pieces)


def _marks(
    names: Sequence[Name], claims: Sequence[Mapping[str, Any]]
) -> Iterator[_Mark]:
    for name in names:
        for start, end in name.data["spans"]:
            yield _Mark((start, end), name=name)
    for index, claim in enumerate(claims):
        yield _Mark((claim["span"][0], claim["span"][1]), claim=index)


def _piece(
    segment: Segment,
    around: list[_Mark],
    claims: Sequence[Mapping[str, Any]],
    chosen: str,
) -> SafeString:
    html = visible(segment.text)
    names = [(mark.span, mark.name) for mark in around if mark.name]
    if names:
        span, name = min(names, key=lambda found: found[0][1] - found[0][0])
        html = _name_link(name, segment.start == span[0], html, chosen)
    for mark in around:
        if mark.claim >= 0:
            html = _claim_part(mark, segment, html, claims[mark.claim], chosen)
    return html


def _name_link(name: Name, starts: bool, html: SafeString, chosen: str) -> SafeString:
    query = f"mention={name.index}"
    return format_html(
        '<a class="mark mark--{}{}" href="?{}#evidence" hx-get="?{}" data-mark="{}"{}>'
        '<mark>{}</mark><span class="sr"> ({})</span></a>',
        name.tone,
        " mark--starts" if starts else "",
        query,
        query,
        query,
        _current(query == chosen),
        html,
        name.word,
    )


def _claim_part(
    mark: _Mark,
    segment: Segment,
    html: SafeString,
    claim: Mapping[str, Any],
    chosen: str,
) -> SafeString:
    part = format_html('<span class="claim claim--{}">{}</span>', claim["status"], html)
    if segment.end != mark.span[1]:
        return part
    query = f"claim={mark.claim}"
    return format_html(
        '{}<a class="claim-flag claim--{}" href="?{}#evidence" hx-get="?{}"'
        ' data-mark="{}"{}><span class="sr">claim: </span>{}</a>',
        part,
        claim["status"],
        query,
        query,
        query,
        _current(query == chosen),
        claim["status"],
    )


def _current(chosen: bool) -> SafeString:
    return SafeString(' aria-current="true"' if chosen else "")
