"""Kinds of names that are recognised by their form, one row for each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.text.tokens import HEX, URL, VERSION
from verifyhub.engine.types import MentionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternKind:
    """One kind of name that a pattern recognises.

    A text contains a name if one of its `asked` forms equals one of the `occurrence`
    forms of a match of the pattern.

    Attributes:
        in_text: The pattern of names of this kind in a text of a trace.
        read: Reads one word of the answer as such a name, given the word and whether it
            is in code. None if names of this kind are not single words.
        asked: The forms in which the key of a mention is searched.
        occurrence: The forms that a match of `in_text` stands for.
        mark: A string in every text with such a name; None for the name itself.
    """

    in_text: re.Pattern[str]
    read: Callable[[str, bool], ClassifiedText | None] | None = None
    asked: Callable[[str], Iterator[str]]
    occurrence: Callable[[str], Iterator[str]]
    mark: str | None = None


def read_pattern(word: str, *, in_code: bool) -> ClassifiedText | None:
    """Read a word as a name of one of these kinds; None if it has no such form."""
    for kind in PATTERNS.values():
        match = kind.read(word, in_code) if kind.read else None
        if match:
            return match
    return None


def url_form(url: str) -> str:
    """Normalise a URL: scheme and host in lower case, no trailing slash."""
    scheme, _, rest = url.rstrip("/.,;:!?*_").partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


_NUMBERED = re.compile(r"\d{4}(?<!^L\d{4})")


def _asked_urls(url: str) -> Iterator[str]:
    """Yield an address and, if it is of a place in a page, the address of the page.

    A fragment that is a path names another page of an application; one with a number
    (`#issuecomment-1234567`) is a separate name. Lines are not looked up.
    """
    yield url_form(url)
    page, mark, place = url.partition("#")
    if mark and place[:1] not in {"/", "!"} and not _NUMBERED.search(place):
        yield url_form(page)


def _urls_in(url: str) -> Iterator[str]:
    """Yield an address and the shorter addresses at its beginning."""
    form = url_form(url)
    yield form
    for position, char in enumerate(form[:2000]):
        if char in "/?#" and position > 8:
            yield form[:position]


_IN_CODE = re.compile(r"v?\d++(?:\.\d++){1,3}(?:[-+][0-9A-Za-z.-]++)?$")
_IN_PROSE = re.compile(r"(v)?\d++(?:\.\d++){1,2}(?:[-+][0-9A-Za-z.-]++)?$")


def _read_version(word: str, in_code: bool) -> ClassifiedText | None:
    """Read a version; in prose, `1.2` may be any number, and `1.2.3` is weak."""
    weak = False
    if in_code:
        if not _IN_CODE.match(word):
            return None
    else:
        match = _IN_PROSE.match(word)
        if not match or (word.count(".") == 1 and not match.group(1)):
            return None
        weak = not match.group(1)
    return ClassifiedText(MentionKind.VERSION, word, 0, len(word), weak)


_HASH = re.compile(r"[0-9a-f]{7,40}$")


def _read_commit(word: str, in_code: bool) -> ClassifiedText | None:
    """Read the hash of a commit, short or long: hexadecimal with digits and letters."""
    if not _HASH.match(word) or word.isdigit() or word.isalpha():
        return None
    return ClassifiedText(MentionKind.COMMIT, word, 0, len(word))


PATTERNS = {
    MentionKind.URL: PatternKind(
        in_text=URL, asked=_asked_urls, occurrence=_urls_in, mark="://"
    ),
    MentionKind.VERSION: PatternKind(
        in_text=VERSION,
        read=_read_version,
        asked=lambda version: iter((version.removeprefix("v"),)),
        occurrence=lambda version: iter((version.removeprefix("v"),)),
    ),
    MentionKind.COMMIT: PatternKind(
        in_text=HEX,
        read=_read_commit,
        asked=lambda commit: iter((commit,)),
        # A hash stands for all of its abbreviations.
        occurrence=lambda commit: (
            commit[:length] for length in range(7, len(commit) + 1)
        ),
    ),
}
