"""The renderer of text from agents, tools and API clients.

Such text is hostile: it is escaped, invisible characters are made visible, and spans
are code points. No other module may mark agent text as safe.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import nh3
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from verifyhub.common.visible import INVISIBLE_CLASS

# Joiners inside emojis (below) stay.
INVISIBLE = re.compile(f"(?:\r(?!\n)|[{INVISIBLE_CLASS}])+")
# Otherwise each character of a long run would become an element.
NAMED_IN_A_RUN = 3
SHORT_NAMES = {
    "\u200b": "ZWSP",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
    "\xad": "SHY",
    "\x1b": "ESC",
    "\r": "CR",
    "\x00": "NUL",
}
# The elements of a rendered answer: text, and links to its own evidence.
ANSWER_TAGS = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "s",
        "span",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
ANSWER_ATTRIBUTES = frozenset({"class", "data-start", "data-end"})
LINK_ATTRIBUTES = frozenset({"href", "hx-get", "data-mark", "aria-current"})
OWN_LINK = re.compile(
    r"(/p/[-\w]+/answers/[-0-9a-f]{36}/)?\?(mention|claim|fact|value|added)=[0-9]{1,7}(&raw)?(#evidence)?"
)


def _only_own_links(tag: str, attribute: str, value: str) -> str | None:
    if attribute in {"href", "hx-get"} and not OWN_LINK.fullmatch(value):
        return None
    return value


_CLEANER = nh3.Cleaner(
    tags=set(ANSWER_TAGS),
    clean_content_tags=set(),
    attributes={
        "*": set(ANSWER_ATTRIBUTES),
        "a": set(LINK_ATTRIBUTES),
        "ol": {"start"},
        # Titles of invisible characters.
        "span": {"title"},
    },
    attribute_filter=_only_own_links,
    link_rel=None,
    strip_comments=True,
)


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A range of text that is covered by the same spans throughout.

    `covers` has the indexes of these spans in the given list.
    """

    start: int
    end: int
    text: str
    covers: tuple[int, ...]


def visible(text: object) -> SafeString:
    """Escape text and show its invisible characters as marks.

    Args:
        text: Any external value; converted to a string first.

    Returns:
        HTML without other markup than our own `<span class="ctl">`.
    """
    if isinstance(text, SafeString):
        # Remove the mark of safe text.
        text = "".join(text)
    return mark_safe(INVISIBLE.sub(_mark, escape(str(text))))  # noqa: S308


# A command's message in the markup of a task, which repeats the command's name.
WRAPPED = re.compile(r"<command-message>[^<]{0,300}</command-message>(?=\s*<command)")
TAG = re.compile(r"</?[A-Za-z][\w:-]{0,60}(?:\s[^<>]{0,300})?/?>")
HEADLINE_READ = 4000


def unmarked(text: str) -> str:
    """Return text without Markdown's marks of bold and code, for a line of a list."""
    return text.replace("**", "").replace("`", "")


def headline(text: str, length: int) -> str:
    """Return the beginning of a task as one line, without markup around its words.

    A task that consists of markup alone is unchanged.
    """
    start = text[:HEADLINE_READ]
    plain = " ".join(TAG.sub(" ", WRAPPED.sub("", start)).split())
    line = plain or " ".join(start.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def split_at_spans(text: str, spans: Sequence[tuple[int, int]]) -> list[TextSegment]:
    """Split text wherever a span begins or ends.

    Spans are half-open, in code points; they may overlap and nest. They are truncated
    at the end of the text, and empty ones are left out. The joined texts of the
    segments are the text.
    """
    clipped = [
        (max(0, min(start, len(text))), max(0, min(end, len(text))))
        for start, end in spans
    ]
    opening: dict[int, list[int]] = {}
    closing: dict[int, list[int]] = {}
    for position, (start, end) in enumerate(clipped):
        if start < end:
            opening.setdefault(start, []).append(position)
            closing.setdefault(end, []).append(position)
    cuts = sorted({0, len(text), *opening, *closing})
    inside: set[int] = set()
    segments = []
    for start, end in pairwise(cuts):
        inside.difference_update(closing.get(start, ()))
        inside.update(opening.get(start, ()))
        segments.append(TextSegment(start, end, text[start:end], tuple(sorted(inside))))
    return segments


def highlighted(
    text: str, spans: Sequence[tuple[int, int]], *, first_id: str = ""
) -> SafeString:
    """Render text with every given span in a `<mark>`.

    Args:
        text: Hostile text.
        spans: The marked ranges, half-open, in code points.
        first_id: An id for the first mark, as the target of links.
    """
    parts = []
    named = f' id="{escape(first_id)}"' if first_id else ""
    for segment in split_at_spans(text, spans):
        shown = conditional_escape(visible(segment.text))
        if segment.covers:
            parts.append(f"<mark{named}>{shown}</mark>")
            named = ""
        else:
            parts.append(shown)
    return mark_safe("".join(parts))  # noqa: S308


def excerpt(text: str, span: tuple[int, int], *, around: int) -> tuple[int, int]:
    """Select an excerpt of a long text around a span.

    Args:
        text: The whole text.
        span: The range that it must contain, in code points.
        around: Characters on either side, before looking for the end of a line.

    Returns:
        A half-open range in code points that contains the span, and begins and ends
        at line breaks if there are some within `around` more characters.
    """
    start, end = max(0, span[0] - around), min(len(text), span[1] + around)
    line_start = text.rfind("\n", max(0, start - around), start)
    line_end = text.find("\n", end, min(len(text), end + around))
    if start > 0 and line_start >= 0:
        start = line_start + 1
    elif start <= around:
        start = 0
    return start, line_end if line_end >= 0 else end


def _mark(run: re.Match[str]) -> str:
    characters = run.group()
    named = ", ".join(_name(character) for character in characters[:NAMED_IN_A_RUN])
    short = " ".join(
        SHORT_NAMES.get(character, f"U+{ord(character):04X}")
        for character in characters[:NAMED_IN_A_RUN]
    )
    if len(characters) > NAMED_IN_A_RUN:
        more = len(characters) - NAMED_IN_A_RUN
        named = gettext("%(named)s and %(n)s more") % {"named": named, "n": more}
        short = f"{short} +{more}"
    return f'<span class="ctl" title="{named}">{short}</span>'


def _name(character: str) -> str:
    name = unicodedata.name(character, "control character").lower()
    return f"{name} U+{ord(character):04X}"


def sanitised(html: str) -> SafeString:
    """Remove everything from rendered HTML that an answer may not contain.

    The renderer escapes every text itself. This is a second, independent check of its
    result, so that a mistake there cannot become a script.
    """
    return mark_safe(_CLEANER.clean(html))  # noqa: S308
