"""Exact places of the names found: one pass over each text that holds some."""

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


def _whole(text: str, chunk: str) -> int:
    start = first = text.find(chunk)
    for _ in range(_MOST_TRIES):
        if start < 0:
            return first
        before = text[start - 1 : start]
        after = text[start + len(chunk) : start + len(chunk) + 1]
        if not CHUNK.match(before) and not CHUNK.match(after):
            return start
        start = text.find(chunk, start + 1)
    for match in CHUNK.finditer(text):
        if match.group() == chunk:
            return match.start()
    return first


def _inside(chunk: str, needle: str) -> int:
    """Find the needle in its chunk as a whole name where it stands as one."""
    for match in NAME.finditer(chunk):
        if match.group() == needle:
            return match.start()
    return max(0, chunk.rfind(needle))
