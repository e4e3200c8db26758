"""Paths with blanks or brackets in names: `app/[slug]/page.tsx`, `My Docs/a b.txt`.

Only a code span shows the limits of such a name; in prose it is words.
"""

import re

from verifyhub.engine.calls.programs import is_program
from verifyhub.engine.mentions.words import EXTENSIONS
from verifyhub.engine.text.paths import MAX_COMPONENTS

# Alternatives begin with different characters, so that each is tried once.
_BRACKETED = re.compile(
    r"(?:[\w.@~+$%-]++|\[{1,2}[\w.-]{1,80}\]{1,2}|\([\w.-]{1,80}\))++$"
)
_ANCHOR = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?/")
_DRIVE = re.compile(r"[A-Za-z]:$")


def is_spelled_path(text: str) -> bool:
    """Return whether a whole code span is such a path."""
    plain = text.replace("\\", "/")
    parts = plain.split("/")
    if not 1 < len(parts) <= MAX_COMPONENTS or not _has_extension(parts[-1]):
        return False
    blank, bracket = " " in text, any(char in text for char in "[(")
    if not blank and not bracket:
        return False
    folders = parts[1:] if _DRIVE.match(parts[0]) else parts
    if not all(_is_component(part) for part in folders):
        return False
    return not blank or _is_one_name(plain, parts)


def _has_extension(name: str) -> bool:
    stem, _, last = name.rpartition(".")
    return bool(stem) and last.lower() in EXTENSIONS


def _is_component(part: str) -> bool:
    """Whether words with single blanks and closed brackets are a component."""
    return not part or all(_BRACKETED.match(word) for word in part.split(" "))


def _is_one_name(plain: str, parts: list[str]) -> bool:
    """Return whether a path with blanks is one name, not a command with a path.

    `cat docs/a b.txt` begins with a program, `see docs/a.md` has no blank in its last
    component and no root before its first word, `a.md b/c d.md` contains another file.
    """
    words = plain.split(" ")
    if is_program(words[0].rpartition("/")[2]) or any(w[:1] == "-" for w in words):
        return False
    if any(_has_extension(word.rpartition("/")[2]) for word in words[:-1]):
        return False
    return bool(_ANCHOR.match(plain)) or " " in parts[-1]
