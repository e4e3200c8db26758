"""Paths that the index would split, found as a whole in the texts."""

import itertools
import re
from collections.abc import Iterable, Iterator

from verifyhub.engine.ledger.index import EvidenceIndex
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier
from verifyhub.engine.mentions.files import PATH_CHARS
from verifyhub.engine.reports import MOST_PLACES, Evidence
from verifyhub.engine.text.paths import components
from verifyhub.engine.types import Mention, MentionKind, Span

# Each costs a search of every text; no real answer has so many.
_MOST = 100
_MOST_PLACES = 64
_INNER = re.compile(r"[\w@~+$%-]")


def is_spelled(mention: Mention) -> bool:
    """Return whether a mention is a path with blanks or brackets."""
    return mention.kind is MentionKind.FILE and not PATH_CHARS.match(mention.key)


def ground_spelled(
    mentions: Iterable[Mention], index: EvidenceIndex, tier: LedgerTier
) -> dict[Mention, tuple[tuple[Evidence, ...], bool]]:
    """Find paths in the texts of a tier, each with whether it had to be resolved.

    An absolute path is also found by its part below a folder of the run.
    """
    results: dict[Mention, tuple[tuple[Evidence, ...], bool]] = {}
    for mention in list(mentions)[:_MOST]:
        for path, loose in _ways(mention.key, index):
            forms = _forms(path)
            places = (
                Evidence(tool_call=source.tool_call, field=source.field, span=span)
                for source in index.sources
                if source.tier is tier and (span := _place(source, forms)) is not None
            )
            if first := tuple(itertools.islice(places, MOST_PLACES)):
                results[mention] = (first, loose)
                break
    return results


def _ways(key: str, index: EvidenceIndex) -> Iterator[tuple[str, bool]]:
    yield key, False
    parts = components(key)
    for length in range(len(parts) - 1, 1, -1):
        if parts[0] == "" and parts[:-length] in index.roots:
            yield "/".join(parts[-length:]), True


def _forms(path: str) -> list[str]:
    """Return the spellings of one path: separators, escaped and encoded blanks."""
    forms = [path, path.replace("/", "\\"), path.replace("/", "\\\\")]
    if " " in path:
        forms += [path.replace(" ", "\\ "), path.replace(" ", "%20")]
    return list(dict.fromkeys(forms))


def _place(source: LedgerSource, forms: list[str]) -> Span | None:
    for form in forms:
        start = source.text.find(form)
        for _ in range(_MOST_PLACES):
            if start < 0:
                break
            end = start + len(form)
            if _is_whole(source.text, start, end):
                return start, end
            start = source.text.find(form, end)
    return None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether nothing before or after a place makes it another name."""
    before, after = text[start - 1 : start], text[end : end + 2]
    longer = _INNER.match(after) or (after[:1] == "." and _INNER.match(after[1:]))
    if longer or (before and (before == "." or _INNER.match(before))):
        return False
    if before != " ":
        return True
    line = max(text.rfind("\n", 0, start) + 1, start - _MOST_BEFORE)
    if _FOLDER_BEFORE.search(text[line:start]):
        return False
    alone = text[end : end + 1] in {"", "\n"}
    return not (alone and _WORDS.fullmatch(text[line:start]))


# In `/home/x/My Documents/a.txt`, or on a separate line, the words before a path with
# blanks are the beginning of its first folder's name.
_MOST_BEFORE = 200
_FOLDER_BEFORE = re.compile(r"/(?:[\w.@+-]++ )++$")
_WORDS = re.compile(r"(?:[\w.@+-]++ ){1,4}+")
