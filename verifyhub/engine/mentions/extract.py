"""Extract the mentions of an answer: every name with its kind and all places."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial

from verifyhub.engine.mentions.classify import LONGEST, in_code_span
from verifyhub.engine.mentions.context import Context, is_advised, list_end, list_start
from verifyhub.engine.mentions.files import as_file
from verifyhub.engine.mentions.markdown import Region, RegionKind, regions
from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.mentions.prose import (
    in_prose,
    is_hyphened,
    is_mere_code,
    is_ordinary,
)
from verifyhub.engine.mentions.words import NOUN_KIND, PACKAGE_LISTS
from verifyhub.engine.text.paths import components, decoded
from verifyhub.engine.text.search import BLOCK, NameSearch
from verifyhub.engine.text.tokens import UNSPACED, URL
from verifyhub.engine.types import Mention, MentionKind, Span

_LIST_REACH = 160
_PACKAGE = (
    r"(?:(?:npm|pip|python|node|go|rust|third-party|external|\w+-level) )?"
    r"(?:packages?|librar(?:y|ies)|dependenc(?:y|ies)|crates?|gems?"
    r"|пакет\w{0,2}|библиотек\w{0,2}|зависимост\w{1,3}|paquets?|dépendances?"
    r"|bibliothèques?|pakete?s?|bibliothek(?:en)?|abhängigkeit(?:en)?|paquetes?"
    r"|dependencias?|bibliotecas?|librerías?)"
)
_AFTER = re.compile(
    rf"(?i)^`?(?:[\s-]+|\s+(?:is|are|это|—|est|sont|ist|sind|es|son)\s+"
    rf"(?:(?:an?|the|une?|les?|des|eine?|die|una?|las?|los|\w{{2,12}}) ){{0,2}})"
    rf"{_PACKAGE}"
    r"(?![\w/-]|\.\w)"
)
_MODULE = re.compile(
    r"(?i)^`?[\s-]+(?:(?:npm|python|node|go) )?(?:modules?|modul\w?|модул\w{1,2})\b"
)
_BROUGHT = re.compile(
    r"(?i)\b(?:(?:pip |npm |yarn |uv )?(?:re)?install(?:s|ed|ing)?|imports?|importing"
    r"|установ\w{1,5}|импортир\w{1,6}|installe[rz]?s?|importe[rz]?|installier\w{1,3}"
    r"|importier\w{1,3}|instala\w{0,3}|instale|importa\w{0,2})"
    r"(?: the| le| la| das| die| el)?\s+[*\"`]*$"
)
# The expression above only matches texts with one of these.
_STEMS = ("instal", "import", "установ", "импортир")
# Answers that call something a package contain one of these.
PACKAGE_STEMS = (
    *_STEMS, "packag", "librar", "librer", "dependenc", "crate", "gem", "modul",
    "пакет", "библиотек", "зависимост", "модул", "paquet", "dépendance", "biblioth",
    "paket", "abhängigkeit", "bibliotec",
)  # fmt: skip
# Words before or after a name that is taken out of a package, or is none.
_PART = re.compile(
    r"(?i)^`?\s+(?:from|из|depuis|de|du|aus|von|desde|command|script|function|class"
    r"|helper|hook|component|type|constant|variable|method|symbol|file|script)\b"
)
_LOWER = re.compile(r"[a-z][a-z0-9]*+(?:[-_.][a-z0-9]++)*+$")


def package_by_words(answer: str, span: Span) -> str | None:
    """Return "package" if the sentence calls a name in backticks a package.

    Args:
        span: The place of the name, without its backticks.
    """
    start, end = span
    name = answer[start:end]
    after = answer[end : end + _LIST_REACH]
    last = after[list_end(after) :]
    if _AFTER.match(last):
        return "package"
    if not _LOWER.match(name) or _PART.match(last):
        return None
    if _MODULE.match(last):
        return "package"
    first = list_start(answer, start, max(0, start - _LIST_REACH))
    before = answer[max(0, first - 40) : first]
    if not any(stem in before.lower() for stem in _STEMS):
        return None
    return "package" if _BROUGHT.search(before) else None


# In prose, a name ends before a script that has no blanks between words. It may contain
# the brackets of a route folder (`app/[slug]/page.tsx`), of `${NAME}` and of a call,
# the arrow of `conn->send()` and the character before a version. A run of words that
# are none is one match, with a group.
_PROSE_WORD = re.compile(
    r"((?:[a-z]++[.,;:!?]?[ \n]++)++)"
    rf"|(?:[^\W{UNSPACED}]++|[.@~+$%/\\:#-]++"
    r"|(?<=/)(?:\[{1,2}[\w.-]{1,80}\]{1,2}|\([\w.-]{1,80}\))(?=[/.])"
    r"|(?<=\$)\{\w{1,80}\}|(?<=-)>(?=\w{1,80}\()|(?<=\w)(?:[=~><]=)(?=v?\d))++"
    r"(?:\([^()\n]{0,80}\)_{0,3}+)?+"
)
_FENCE_WORD = re.compile(r"[\w.@~+$%/\\:-]++")
# Words of a sentence, not components of a path: `packages/worker/a.ts` has no noun.
_NOUNS_BEFORE = re.compile(r"(?<![\w./\\@-])[^\W\d_]++(?![\w./\\@-]*[\w/\\@])")
_REACH = 120
# Maximum names of one text; the text after the last one is not searched.
MOST_NAMES = 5_000
_SENTENCE = re.compile(r"[.!?]\s|\n")
_PLAIN_WORDS = "plain_words"
_PROPOSED = "proposed"


@dataclass(slots=True)
class _Gathered:
    """A name and its places, with the most specific kind of them."""

    text: str
    kind: MentionKind
    key: str
    places: list[ClassifiedText]


class NamesOf:
    """The names in a text; the reasons why they may be absent are computed lazily.

    Reading the sentences around names takes as long as finding the names, so callers
    that need few of them, such as the guard, save time.

    Args:
        every_hyphen: Whether words such as `run-time` count as packages at any place,
            for callers that compare them with known names.

    Attributes:
        read_to: The position at which reading stopped, in code points; None if all was
            read.
    """

    def __init__(self, text: str, *, every_hyphen: bool = False) -> None:
        self._text = text
        self._gathered, self.read_to = _gathered(text, every_hyphen=every_hyphen)

    def mentions(self) -> tuple[Mention, ...]:
        """Return every name, without exemptions; spans never overlap."""
        return tuple(
            Mention(
                text=entry.text,
                kind=entry.kind,
                spans=tuple((match.start, match.end) for match in entry.places),
                key=entry.key,
            )
            for entry in self._gathered.values()
        )

    def excused(self) -> tuple[Mention, ...]:
        """Return every name, with the reason why it may be missing in the trace."""
        return tuple(
            replace(mention, exempt=self.exemption(mention))
            for mention in self.mentions()
        )

    def exemption(self, mention: Mention) -> str | None:
        """Return why a name of this text may be missing in the trace; None if not.

        A single place that states the name plainly is enough to require it.
        """
        return self._excuse(mention, weak=_PLAIN_WORDS)

    def excuse(self, mention: Mention) -> str | None:
        """Return the reason in its sentences why a name does not have to exist."""
        return self._excuse(mention, weak=None)

    def _excuse(self, mention: Mention, *, weak: str | None) -> str | None:
        reason, is_plain = None, False
        for match in self._gathered[family(mention.kind), mention.key].places:
            excuse = _sentence_excuse(self._context, self._text, match)
            excuse = excuse or (weak if match.weak else None)
            if excuse is None and match.fenced:
                is_plain = True
            elif excuse is None:
                return None
            reason = excuse or reason
        # Code of a proposal states a name no more than the proposal does.
        return None if is_plain and reason != _PROPOSED else reason

    @cached_property
    def _context(self) -> Context:
        return Context(self._text)


def extract_mentions(answer: str) -> tuple[Mention, ...]:
    """Return the mentions of an answer; places of one name are one mention.

    Spans are half-open, in code points, and never overlap.
    """
    return NamesOf(answer).excused()


def _gathered(
    answer: str, *, every_hyphen: bool
) -> tuple[dict[tuple[str, str], _Gathered], int | None]:
    """Return the names of a text, and where reading stopped if there are too many."""
    gathered: dict[tuple[str, str], _Gathered] = {}
    for match in _named(answer, every_hyphen=every_hyphen):
        key = mention_key(match.kind, match.key)
        if not key:
            continue
        slot = (family(match.kind), key)
        entry = gathered.get(slot)
        if entry is None:
            if len(gathered) == MOST_NAMES:
                return gathered, match.start
            text = answer[match.start : match.end]
            gathered[slot] = _Gathered(text, match.kind, key, [match])
            continue
        if match.kind is MentionKind.FUNCTION:
            entry.kind = MentionKind.FUNCTION
        entry.places.append(match)
    return gathered, None


def mention_key(kind: MentionKind, name: str) -> str:
    """Return the normalised form of a mention, equal for all spellings of one thing."""
    if kind in {MentionKind.FILE, MentionKind.DIRECTORY}:
        return "/".join(components(decoded(name)))
    if kind is MentionKind.URL:
        return name.rstrip("/")
    return name


def family(kind: MentionKind) -> str:
    """Return the family of a kind; symbols with the same name are one mention."""
    symbols = {MentionKind.CLASS, MentionKind.FUNCTION, MentionKind.IDENTIFIER}
    return "symbol" if kind in symbols else str(kind)


def _named(answer: str, *, every_hyphen: bool) -> Iterator[ClassifiedText]:
    read: dict[tuple[str, str | None], list[ClassifiedText]] = {}
    speaks = _speaks_of_kinds(answer)
    for region in regions(answer):
        if region.kind in {RegionKind.PROSE, RegionKind.LINK_TEXT}:
            text = answer[slice(*region.span)]
            words = partial(_prose_words, answer, every_hyphen)
            yield from _with_addresses(text, region.span[0], words)
        else:
            yield from _in_region(answer, region, read, speaks=speaks)


_KINDS = NameSearch({*PACKAGE_STEMS, *NOUN_KIND, *PACKAGE_LISTS}, reads=math.inf)
_LONGEST_KIND = max(map(len, _KINDS.names))


def _speaks_of_kinds(answer: str) -> bool:
    """Whether any word of an answer may name a kind of thing."""
    lowered = answer.lower()
    return any(
        _KINDS.in_block(lowered[first : first + BLOCK + _LONGEST_KIND])
        for first in range(0, len(lowered), BLOCK)
    )


def _sentence_excuse(
    context: Context, answer: str, match: ClassifiedText
) -> str | None:
    reason = context.exemption(match.start, match.end)
    if reason is not None:
        return reason
    advised = match.kind is MentionKind.COMMAND and is_advised(answer, match.start)
    return _PROPOSED if advised else None


def _in_region(
    answer: str,
    region: Region,
    read: dict[tuple[str, str | None], list[ClassifiedText]],
    *,
    speaks: bool,
) -> Iterator[ClassifiedText]:
    start, end = region.span
    text = answer[start:end]
    if region.kind is RegionKind.CODE:
        noun = None
        if speaks:
            noun = package_by_words(answer, region.span)
            noun = noun or _noun_before(answer, start)
        if (text, noun) not in read:
            read[text, noun] = in_code_span(text, noun)
        for match in read[text, noun]:
            yield match.moved(start)
    elif region.kind is RegionKind.FENCE:
        for match in _with_addresses(text, start, _fence_words):
            yield match._replace(fenced=True)
    else:
        yield from _link_target(text, start)


def _with_addresses(
    text: str, start: int, words: Callable[[str, int], Iterator[ClassifiedText]]
) -> Iterator[ClassifiedText]:
    """Yield the addresses of a text, and what is read between them.

    Args:
        text: A part of an answer.
        start: Its place there.
        words: Reads the names of a text at a place that holds no address.
    """
    last = 0
    for url in URL.finditer(text) if "://" in text else ():
        yield from words(text[last : url.start()], start + last)
        name = url.group().rstrip(".,;:!?'\"*_")
        yield ClassifiedText(MentionKind.URL, name, 0, len(name)).moved(
            start + url.start()
        )
        last = url.end()
    yield from words(text[last:], start + last)


def _prose_words(
    answer: str, every_hyphen: bool, text: str, start: int
) -> Iterator[ClassifiedText]:
    for match in _PROSE_WORD.finditer(text):
        word = match.group()
        if match.lastindex or is_ordinary(word):
            continue
        first, last = _bare(word)
        core = word[first:last]
        if len(core) < 3 or len(core) > LONGEST or is_ordinary(core):
            continue
        if is_mere_code(core):
            continue
        at = start + match.start() + first
        noun = _noun_before(answer, at) if core[0].isalpha() else None
        name = in_prose(core, noun)
        if name is None and every_hyphen and is_hyphened(core):
            name = ClassifiedText(MentionKind.PACKAGE, core, 0, len(core), weak=True)
        if name:
            yield name.moved(at)


def _bare(word: str) -> tuple[int, int]:
    """Return the range of a word without marks of its sentence and of emphasis."""
    first = len(word) - len(word.lstrip("-:+\\#~"))
    if word[first : first + 1] == "/" and first and word[first - 1] == "~":
        first -= 1
    elif word[first - 2 : first] == "--":
        first -= 2
    last = len(word.rstrip(".:-\\+#~"))
    marks = _EMPHASIS.match(word, first, last)
    if marks and (len(marks.group(1)) != 2 or not marks.group(2).isidentifier()):
        return marks.span(2)
    if word.endswith(")_", first, last):
        last = len(word[:last].rstrip("_"))
    return first, last


# `_name_`, but not `__init__`.
_EMPHASIS = re.compile(r"(_{1,3})([^_](?:.*[^_])?)\1$")


def _link_target(text: str, start: int) -> Iterator[ClassifiedText]:
    if URL.match(text):
        name = text.rstrip(".,;:!?'\"")
        yield ClassifiedText(MentionKind.URL, name, start, start + len(name))
        return
    path = text.partition("#")[0]
    if not path:
        return
    match = as_file(path, in_code=True)
    if match:
        yield ClassifiedText(match.kind, match.key, start, start + len(path))
        return
    # Like in backticks, since a target has explicit limits.
    for other in in_code_span(decoded(path), None)[:1]:
        folder = other.kind is MentionKind.DIRECTORY and path.endswith("/")
        if folder or (other.kind is MentionKind.FILE and not other.weak):
            yield ClassifiedText(other.kind, other.key, start, start + len(path))


def _fence_words(text: str, start: int) -> Iterator[ClassifiedText]:
    """Read a fenced block: only files, since the rest is code."""
    for match in _FENCE_WORD.finditer(text):
        word = match.group()
        lead = len(word) - len(word.lstrip("-:+~"))
        core = word[lead:].rstrip(".:-\\+~")
        if len(core) < 4 or len(core) > 400:
            continue
        name = as_file(core, in_code=False)
        if name and not name.weak and _looks_like_file(name.key):
            yield name.moved(start + match.start() + lead)


def _looks_like_file(path: str) -> bool:
    """In code, only a lower-case extension of a plain stem counts, since dots join."""
    name = path.replace("\\", "/").rpartition("/")[2]
    last = name.rpartition(".")[2]
    return last.islower() and len(last) > 1


def _noun_before(answer: str, start: int) -> str | None:
    """Return the kind in the sentence before a place."""
    before = answer[max(0, start - _REACH) : start]
    cut = max((mark.end() for mark in _SENTENCE.finditer(before)), default=0)
    words = [word.lower() for word in _NOUNS_BEFORE.findall(before[cut:])]
    for word in reversed(words[-1:]):
        if word in NOUN_KIND:
            return NOUN_KIND[word]
    if not PACKAGE_LISTS.isdisjoint(words):
        return "package"
    return None
