"""Split an answer into the regions of Markdown that matter: prose, code, links.

One pass in linear time, without nesting.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from verifyhub.engine.types import Span


class RegionKind(StrEnum):
    """The kind of place of a text in an answer."""

    PROSE = "prose"
    CODE = "code"
    FENCE = "fence"
    LINK_TEXT = "link_text"
    LINK_TARGET = "link_target"


class Region(NamedTuple):
    """A part of the answer; `language` is the info string of a fence."""

    kind: RegionKind
    span: Span
    language: str = ""


_FENCE = re.compile(r"^[ \t>*-]{0,12}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30})", re.MULTILINE)
_TICKS = re.compile(r"`++")
# A link text may contain one pair of brackets (`[app/[slug]/page.tsx](…)`), a target
# one pair of parentheses; a target in angle brackets may contain blanks.
_LINK = re.compile(
    r"\[((?:[^\[\]\n]|\[[^\[\]\n]{0,80}\]){1,300}+)\]"
    r"\((?:<([^<>\n]{1,1000})>|((?:[^()<>\s]|\([^()<>\s]{0,80}\)){1,1000}+))"
    r"(?: \"[^\"\n]{0,200}\")?\)"
)
_HTML_CODE = re.compile(r"<(code|tt|samp)>([^<\n]{1,400})</(?:code|tt|samp)>")


def regions(answer: str) -> Iterator[Region]:
    """Return the regions of an answer in order; they cover all but the markup."""
    last = 0
    for start, inner, inner_end, end, language in _fences(answer):
        yield from _outside_fences(answer, last, start)
        yield Region(kind=RegionKind.FENCE, span=(inner, inner_end), language=language)
        last = end
    yield from _outside_fences(answer, last, len(answer))


def fences(answer: str) -> Iterator[Span]:
    """Yield the content of each code fence, in order."""
    return ((inner, end) for _, inner, end, _, _ in _fences(answer))


def _fences(answer: str) -> Iterator[tuple[int, int, int, int, str]]:
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(answer):
        if opened is None:
            opened = mark
            continue
        same = mark.group(1)[0] == opened.group(1)[0]
        if same and len(mark.group(1)) >= len(opened.group(1)) and not mark.group(2):
            yield (
                opened.start(),
                opened.end(),
                mark.start(),
                mark.end(),
                (opened.group(2).lower()),
            )
            opened = None
    if opened is not None:
        yield (
            opened.start(),
            opened.end(),
            len(answer),
            len(answer),
            (opened.group(2).lower()),
        )


def _outside_fences(answer: str, start: int, end: int) -> Iterator[Region]:
    last = start
    for first, inner, inner_end, after in _code_spans(answer, start, end):
        yield from _links(answer, last, first)
        yield Region(kind=RegionKind.CODE, span=(inner, inner_end))
        last = after
    yield from _links(answer, last, end)


def _code_spans(
    answer: str, start: int, end: int
) -> Iterator[tuple[int, int, int, int]]:
    """Pair backtick runs of the same length; a span ends at a blank line at latest."""
    runs = [match.span() for match in _TICKS.finditer(answer, start, end)]
    following: dict[int, int] = {}
    partner: list[int | None] = [None] * len(runs)
    for position in reversed(range(len(runs))):
        length = runs[position][1] - runs[position][0]
        partner[position] = following.get(length)
        following[length] = position
    position = 0
    while position < len(runs):
        other = partner[position]
        opened = runs[position]
        if (
            other is None
            or "\n\n" in answer[opened[1] : min(runs[other][0], opened[1] + 2000)]
        ):
            position += 1
            continue
        closed = runs[other]
        yield opened[0], opened[1], closed[0], closed[1]
        position = other + 1


def _links(answer: str, start: int, end: int) -> Iterator[Region]:
    last = start
    linked = answer.find("](", start, end) >= 0
    for match in _LINK.finditer(answer, start, end) if linked else ():
        yield from _html_code(answer, last, match.start())
        yield Region(kind=RegionKind.LINK_TEXT, span=match.span(1))
        target = match.span(2) if match.group(2) else match.span(3)
        yield Region(kind=RegionKind.LINK_TARGET, span=target)
        last = match.end()
    yield from _html_code(answer, last, end)


def _html_code(answer: str, start: int, end: int) -> Iterator[Region]:
    last = start
    marked = answer.find("</", start, end) >= 0
    for match in _HTML_CODE.finditer(answer, start, end) if marked else ():
        yield Region(kind=RegionKind.PROSE, span=(last, match.start()))
        yield Region(kind=RegionKind.CODE, span=match.span(2))
        last = match.end()
    if last < end:
        yield Region(kind=RegionKind.PROSE, span=(last, end))
