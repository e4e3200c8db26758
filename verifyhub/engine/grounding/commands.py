"""Look up commands, URLs, versions and commits: names of several chunks."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier
from verifyhub.engine.mentions.patterns import PATTERNS
from verifyhub.engine.reports import MOST_PLACES, Evidence
from verifyhub.engine.text.search import NameSearch
from verifyhub.engine.types import Mention, MentionKind, Span

_WORD = re.compile(r"[^\s`\"'()<>,;]++|;")
_MOST_WORDS = 64
# Code points around a word that may contain its command.
_REACH = 4_096
# Fewer names are searched in a text one by one.
_FEW = 8

_Trie = dict[str, "_Trie | str"]
_Places: TypeAlias = tuple[Evidence, ...]


def ground_commands(
    mentions: Iterable[Mention], ledger: Ledger
) -> dict[Mention, tuple[_Places, LedgerTier]]:
    """Find commands as whole word sequences: in command lines, then in outputs."""
    by_words = {_asked(mention.key): mention for mention in mentions}
    by_words.pop((), None)
    if not by_words:
        return {}
    run = [
        LedgerSource(
            tool_call=call,
            field=name,
            # A continued line is one line of the shell.
            text=text.replace("\\\n", "  "),
            tier=LedgerTier.OBSERVED,
        )
        for call, name, text in ledger.command_lines
    ]
    observed = [s for s in ledger.sources if s.tier is LedgerTier.OBSERVED]
    unobserved = [s for s in ledger.sources if s.tier is not LedgerTier.OBSERVED]
    refused = _refused_options(ledger.sources)
    results: dict[Mention, tuple[_Places, LedgerTier]] = {}
    for sources in (run, observed, unobserved):
        remaining = {words: m for words, m in by_words.items() if m not in results}
        if not remaining:
            break
        for words, (places, tier) in _find_in(remaining, sources, refused).items():
            results[remaining[words]] = (tuple(places), tier)
    return results


def _find_in(
    all_words: Iterable[tuple[str, ...]],
    sources: Iterable[LedgerSource],
    refused: Mapping[int, frozenset[str]],
) -> dict[tuple[str, ...], tuple[list[Evidence], LedgerTier]]:
    """Find commands in some texts: a few places of each, in one tier.

    Only lines that may contain a command are split into words.
    """
    commands = tuple(all_words)
    trie = _trie(commands)
    texts = tuple(sources)
    search = NameSearch(
        sorted({max(words, key=len) for words in commands}),
        reads=sum(len(source.text) for source in texts),
    )
    results: dict[tuple[str, ...], tuple[list[Evidence], LedgerTier]] = {}
    for source in texts:
        for first, line in _lines_with(source, search):
            if not _may_hold_all(line, commands):
                continue
            for words, (start, end) in _matches(line, trie):
                if not refused.get(source.tool_call, _NONE).isdisjoint(words):
                    continue
                places, tier = results.setdefault(words, ([], source.tier))
                if tier is source.tier:
                    _add(places, _evidence(source, (first + start, first + end)))
    return results


_NONE: frozenset[str] = frozenset()


def _refused_options(sources: Iterable[LedgerSource]) -> dict[int, frozenset[str]]:
    """Return the options that the program does not have, by the call's own output."""
    refused: dict[int, frozenset[str]] = {}
    for source in sources:
        denies = source.tier is LedgerTier.ABSENT and source.field == "output"
        if denies and "-" in source.text:
            words = frozenset(_words(source.text))
            options = frozenset(word for word in words if word.startswith("-"))
            if options:
                refused[source.tool_call] = options | refused.get(
                    source.tool_call, _NONE
                )
    return refused


def _lines_with(source: LedgerSource, search: NameSearch) -> Iterator[tuple[int, str]]:
    """Yield the lines with a name and their places; long ones in part."""
    text, end_of_line = source.text, 0
    for first, last in source.blocks():
        for _, start, _ in search.in_block(text[first:last]):
            place = first + start
            if place < end_of_line:
                continue
            least, most = max(0, place - _REACH), place + _REACH
            begin = text.rfind("\n", least, place) + 1
            if not begin and least:
                begin = text.find(" ", least, place) + 1 or place
            end = text.find("\n", place, most)
            end_of_line = end if end >= 0 else most
            yield begin, text[begin:end_of_line]


def _may_hold_all(line: str, commands: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a line has all words of some command; not checked for many commands."""
    if len(commands) > _FEW:
        return True
    for words in commands:
        for word in words:
            if word not in line:
                break
        else:
            return True
    return False


def _evidence(source: LedgerSource, span: Span) -> Evidence:
    return Evidence(tool_call=source.tool_call, field=source.field, span=span)


def _asked(command: str) -> tuple[str, ...]:
    """Return the words to search: those before the part that the answer left out."""
    words = _words(command)
    for place, word in enumerate(words):
        if word in {"...", "…"} and place > 1:
            return words[:place]
    return words


def _words(text: str) -> tuple[str, ...]:
    # Split first, since blank text costs the expression most.
    words = (word for piece in text.split() for word in _WORD.findall(piece))
    return tuple(map(_clean, itertools.islice(words, _MOST_WORDS)))


def _clean(word: str) -> str:
    return word.rstrip(".:,") or word


_END = "\0"


def _trie(all_words: Iterable[tuple[str, ...]]) -> _Trie:
    root: _Trie = {}
    for words in all_words:
        node = root
        for word in words:
            child = node.setdefault(word, {})
            assert isinstance(child, dict)  # noqa: S101 - only _END holds a string
            node = child
        node[_END] = "\0".join(words)
    return root


def _matches(line: str, trie: _Trie) -> Iterator[tuple[tuple[str, ...], Span]]:
    words = _WORD.findall(line)
    ends = [
        (start, last, command)
        for start in [at for at, word in enumerate(words) if word in trie]
        for last, command in _walk(words, start, trie)
    ]
    if not ends:
        return
    spans = [match.span() for match in _WORD.finditer(line)]
    for start, last, command in ends:
        yield command, (spans[start][0], spans[last][0] + len(_clean(words[last])))


def _walk(
    words: list[str], start: int, trie: _Trie
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Follow the words from a start as far as they match a command."""
    node = trie
    for position in range(start, min(len(words), start + _MOST_WORDS)):
        child = node.get(_clean(words[position]))
        if not isinstance(child, dict):
            return
        node = child
        end = node.get(_END)
        if isinstance(end, str):
            yield position, tuple(end.split("\0"))


def ground_patterns(
    mentions: Iterable[Mention], sources: Iterable[LedgerSource], tier: LedgerTier
) -> dict[Mention, _Places]:
    """Find addresses, versions and commits: one pass over each text, per pattern."""
    by_kind: dict[MentionKind, list[Mention]] = {}
    for mention in mentions:
        by_kind.setdefault(mention.kind, []).append(mention)
    results: dict[Mention, list[Evidence]] = {}
    for kind, of_kind in by_kind.items():
        pattern = PATTERNS[kind]
        table: dict[str, list[Mention]] = {}
        for mention in of_kind:
            for form in pattern.asked(mention.key):
                table.setdefault(form, []).append(mention)
        needles = (pattern.mark,) if pattern.mark else tuple(table)
        for source in sources:
            if source.tier is not tier or not _may_hold(source.text, needles):
                continue
            for match in pattern.in_text.finditer(source.text):
                for form in pattern.occurrence(match.group()):
                    for mention in table.get(form, ()):
                        places = results.setdefault(mention, [])
                        _add(places, _evidence(source, match.span()))
    return {mention: tuple(places) for mention, places in results.items()}


def _add(places: list[Evidence], place: Evidence) -> None:
    known = places and (places[-1].tool_call, places[-1].field)
    if len(places) < MOST_PLACES and known != (place.tool_call, place.field):
        places.append(place)


def _may_hold(text: str, needles: tuple[str, ...]) -> bool:
    return len(needles) > _FEW or any(needle in text for needle in needles)
