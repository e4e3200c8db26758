"""Exact places of the names found: one pass over each text that holds some."""

import re
from collections.abc import Iterable, Mapping

from verifyhub.engine.grounding.ask import Found
from verifyhub.engine.ledger.sources import Source
from verifyhub.engine.reports import Evidence
from verifyhub.engine.text.tokens import CHUNK, NAME

# So few names of one text are looked up one by one; more in one pass over it.
_ONE_BY_ONE = 4


def locate(
    found: Iterable[Found], sources: tuple[Source, ...]
) -> dict[Found, Evidence]:
    """Return the first exact place of each find in the text that holds it."""
    by_source: dict[int, set[Found]] = {}
    for item in found:
        by_source.setdefault(item.hit.source, set()).add(item)
    places: dict[Found, Evidence] = {}
    for position, items in by_source.items():
        source = sources[position]
        starts = _starts(source.text, {item.hit.chunk for item in items})
        for item in items:
            start = starts.get(item.hit.chunk)
            if start is None:
                continue
            first = start + _inside(item.hit.chunk, item.needle)
            places[item] = Evidence(
                tool_call=source.tool_call,
                field=source.field,
                span=(first, first + len(item.needle)),
            )
    return places


def _starts(text: str, wanted: set[str]) -> Mapping[str, int]:
    """Find the first place of each chunk: whole chunks first, then inside one.

    A chunk that came of an escape (`\\nfoo`) is not whole in the text.
    """
    starts: dict[str, int] = {}
    if len(wanted) > _ONE_BY_ONE:
        for match in CHUNK.finditer(text):
            chunk = match.group()
            if chunk in wanted and chunk not in starts:
                starts[chunk] = match.start()
    for chunk in wanted.difference(starts):
        start = _whole(text, chunk)
        if start >= 0:
            starts[chunk] = start
    return starts


_MOST_TRIES = 64
# What may not follow a whole chunk; a backslash may begin a quoted line end.
_INNER = re.compile(r"[\w.@~+$%/-]")


def _whole(text: str, chunk: str) -> int:
    start = first = text.find(chunk)
    for _ in range(_MOST_TRIES):
        if start < 0:
            return first
        end = start + len(chunk)
        if _starts_whole(text, start) and not _INNER.match(text[end : end + 1]):
            return start
        start = text.find(chunk, start + 1)
    for match in CHUNK.finditer(text):
        if match.group() == chunk:
            return match.start()
    return first


def _starts_whole(text: str, start: int) -> bool:
    """Whether a chunk begins here: after another character, or a quoted `\\n`."""
    before = text[max(0, start - 2) : start]
    return not CHUNK.match(before[-1:]) or before in {"\\n", "\\r", "\\t"}


def _inside(chunk: str, needle: str) -> int:
    """Find the needle in its chunk as a whole name where it stands as one."""
    for match in NAME.finditer(chunk):
        if match.group() == needle:
            return match.start()
    return max(0, chunk.rfind(needle))
