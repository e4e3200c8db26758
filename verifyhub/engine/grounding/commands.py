"""Commands, addresses, versions and commits: names that are more than one chunk."""

import re
from collections.abc import Iterable, Iterator

from verifyhub.engine.ledger.build import Ledger
from verifyhub.engine.ledger.sources import Source, Tier
from verifyhub.engine.reports import Evidence
from verifyhub.engine.text.tokens import HEX, URL, VERSION
from verifyhub.engine.types import Mention, MentionKind

_WORD = re.compile(r"[^\s`\"'()<>,;]++|;")
_MOST_WORDS = 64

_Trie = dict[str, "_Trie | str"]


def ground_commands(
    mentions: Iterable[Mention], ledger: Ledger
) -> dict[Mention, tuple[Evidence, Tier]]:
    """Find commands as whole word sequences: in command lines run, then in outputs."""
    wanted = {_words(mention.key): mention for mention in mentions}
    wanted.pop((), None)
    found: dict[Mention, tuple[Evidence, Tier]] = {}
    run = [
        Source(tool_call=call, field=name, text=text, tier=Tier.OBSERVED)
        for call, name, text in ledger.commands
    ]
    observed = [s for s in ledger.sources if s.tier is Tier.OBSERVED]
    others = [s for s in ledger.sources if s.tier is not Tier.OBSERVED]
    for sources in (run, observed, others):
        left = {words: m for words, m in wanted.items() if m not in found}
        if not left:
            break
        trie = _trie(left)
        for source in sources:
            for words, place in _matches(source, trie):
                found.setdefault(left[words], (place, source.tier))
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(_clean(word) for word in _WORD.findall(text)[:_MOST_WORDS])


def _clean(word: str) -> str:
    return word.rstrip(".:,") or word


_END = "\0"


def _trie(wanted: Iterable[tuple[str, ...]]) -> _Trie:
    root: _Trie = {}
    for words in wanted:
        node = root
        for word in words:
            child = node.setdefault(word, {})
            assert isinstance(child, dict)  # noqa: S101 - only _END holds a string
            node = child
        node[_END] = "\0".join(words)
    return root


def _matches(source: Source, trie: _Trie) -> Iterator[tuple[tuple[str, ...], Evidence]]:
    firsts = set(trie)
    words = _WORD.findall(source.text)
    if firsts.isdisjoint(_clean(word) for word in words):
        return
    spans = [match.span() for match in _WORD.finditer(source.text)]
    clean = [_clean(word) for word in words]
    for position, word in enumerate(clean):
        if word not in firsts:
            continue
        node: _Trie = trie
        for ahead in range(position, min(len(clean), position + _MOST_WORDS)):
            child = node.get(clean[ahead])
            if not isinstance(child, dict):
                break
            node = child
            end = node.get(_END)
            if isinstance(end, str):
                yield (
                    tuple(end.split("\0")),
                    Evidence(
                        tool_call=source.tool_call,
                        field=source.field,
                        span=(spans[position][0], spans[ahead][0] + len(clean[ahead])),
                    ),
                )


def ground_patterns(
    mentions: Iterable[Mention], sources: Iterable[Source], tier: Tier
) -> dict[Mention, Evidence]:
    """Find addresses, versions and commits: one pass over each text, per pattern."""
    by_kind: dict[MentionKind, list[Mention]] = {}
    for mention in mentions:
        by_kind.setdefault(mention.kind, []).append(mention)
    found: dict[Mention, Evidence] = {}
    for kind, asked in by_kind.items():
        pattern, forms = _FORMS[kind]
        table: dict[str, list[Mention]] = {}
        for mention in asked:
            table.setdefault(_form(kind, mention.key), []).append(mention)
        for source in sources:
            if source.tier is not tier:
                continue
            for match in pattern.finditer(source.text):
                for form in forms(match.group(), table):
                    for mention in table.get(form, ()):
                        found.setdefault(
                            mention,
                            Evidence(
                                tool_call=source.tool_call,
                                field=source.field,
                                span=match.span(),
                            ),
                        )
    return found


def _form(kind: MentionKind, key: str) -> str:
    if kind is MentionKind.VERSION:
        return key.removeprefix("v")
    return url_form(key) if kind is MentionKind.URL else key


def url_form(url: str) -> str:
    """Fold what may differ in one address: scheme and host case, a last slash."""
    scheme, _, rest = url.rstrip("/.,;:!?*_").partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


def _url_forms(text: str, table: dict[str, list[Mention]]) -> Iterator[str]:
    """Give an address and the shorter addresses that it begins with."""
    form = url_form(text)
    yield form
    for position, char in enumerate(form[:2000]):
        if char in "/?#" and position > 8:
            yield form[:position]


def _version_forms(text: str, table: dict[str, list[Mention]]) -> Iterator[str]:
    yield text.removeprefix("v")


def _commit_forms(text: str, table: dict[str, list[Mention]]) -> Iterator[str]:
    """Give every length a hash may be cut to."""
    for length in range(7, len(text) + 1):
        yield text[:length]


_FORMS = {
    MentionKind.URL: (URL, _url_forms),
    MentionKind.VERSION: (VERSION, _version_forms),
    MentionKind.COMMIT: (HEX, _commit_forms),
}
PATTERNS = frozenset(_FORMS)
