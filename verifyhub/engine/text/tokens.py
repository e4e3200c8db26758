"""Split text into the tokens that names are compared by.

Every expression here consumes what it matches at once (possessive, one character
class after another), so that no input makes it slower than linear.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# A run that may be a path, a dotted name or a word. Brackets, quotes, commas and
# colons end it.
CHUNK = re.compile(r"[\w.@~+$%/\\-]++")
# A word as programs spell names: `mind-auth` is one name, so `auth` is not in it.
NAME = re.compile(r"[\w$]++(?:-++[\w$]++)*+")
# Letters of scripts that put no blank between words, or join endings to a name:
# Hangul, Han and Kana, Thai, Lao, Khmer.
UNSPACED = (
    r"\u0e00-\u0eff\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f"
    r"\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
)
# In quoted JSON the letter of `\\n` stands before a name and is no part of it.
_AFTER_ESCAPE = r"(?<=\\[nrt])"
HEX = re.compile(rf"(?:\b|{_AFTER_ESCAPE})[0-9a-f]{{7,64}}\b")
VERSION = re.compile(
    rf"(?:(?<![\w.])|{_AFTER_ESCAPE})v?\d++(?:\.\d++)++(?:[-+][0-9A-Za-z.-]++)?"
)
URL = re.compile(
    rf"(?:(?<![0-9A-Za-z])|{_AFTER_ESCAPE})(?:https?|ftp|wss?)://"
    rf"[^\s\"'`<>(){{}}\[\]|\\^“”„‘’«»‹›–—…{UNSPACED}]++",
    re.IGNORECASE,
)

_ANSI = re.compile(r"\x1b\[[0-9;?]*+[ -/]*+[@-~]")
_ESCAPED = re.compile(r"\\[nrt\"']")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[0-9]++|[^\W\d_A-Za-z]++")


_SURROGATE = re.compile(r"[\ud800-\udfff]")


def encodable(text: str) -> str:
    """Replace lone surrogates, which engines outside Python cannot read, by `?`."""
    return text if text.isascii() else _SURROGATE.sub("?", text)


@lru_cache(maxsize=4096)
def plain(word: str) -> str:
    """Return a word without the accents of its letters."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFKD", word)
    return "".join(char for char in parts if not unicodedata.combining(char))


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Replace the spans by spaces, so that every other position stays true."""
    if not spans:
        return text
    pieces: list[str] = []
    last = 0
    for start, end in sorted(spans):
        if end <= last:
            continue
        start = max(start, last)
        pieces += [text[last:start], " " * (end - start)]
        last = end
    pieces.append(text[last:])
    return "".join(pieces)


def without_ansi(text: str) -> str:
    """Blank terminal colour codes; their last letter would glue to a name."""
    if "\x1b" not in text:
        return text
    return blank(text, [match.span() for match in _ANSI.finditer(text)])


def readings(chunk: str) -> Iterator[tuple[str, int]]:
    """Yield a chunk and its other readings, each with its position in the chunk.

    A backslash may be a path separator or an escape in quoted JSON (`\\nfoo`): both
    readings are given.
    """
    yield chunk, 0
    if "\\" in chunk:
        plain = unescaped_lines(chunk)
        if plain != chunk:
            yield from (
                (match.group(), match.start()) for match in CHUNK.finditer(plain)
            )


def unescaped_lines(text: str) -> str:
    """Replace the escapes of quoted JSON by blanks, keeping all positions."""
    return _ESCAPED.sub("  ", text)


_CHUNK_ASCII = "".join(filter(CHUNK.match, map(chr, range(128))))
_PARTS = frozenset(map(chr, range(128))) - frozenset(_CHUNK_ASCII)
_STEP = 128


def chunk_at(text: str, start: int, end: int, floor: int = 0) -> tuple[int, int]:
    """Widen a range inside a chunk to the whole of it, not below `floor`."""
    if start > floor and text[start - 1] in _PARTS:
        floor = start  # Most stand alone, and then nothing need be looked for.
    while start > floor:
        window = text[max(floor, start - _STEP) : start]
        length = len(window.rstrip(_CHUNK_ASCII))
        start -= len(window) - length
        if length and not CHUNK.match(window[length - 1]):
            break
        start -= length > 0
    if end == len(text) or text[end] in _PARTS:
        return start, end
    rest = CHUNK.match(text, end)
    return start, rest.end() if rest else end


def humps(name: str) -> list[str]:
    """Split `parseHTTPHeader_v2` into `parse`, `http`, `header`, `v`, `2`."""
    return [piece.lower() for piece in _HUMPS.findall(name)]


def word_set(words: str) -> frozenset[str]:
    """Read a list of words parted by spaces."""
    return frozenset(words.split())
