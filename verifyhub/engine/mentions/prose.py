"""Read names in prose: only words of an unusual form are names."""

import re

from verifyhub.engine.mentions.classify import (
    CALLEE,
    DOMAIN,
    QUALIFIED,
    SEPARATORS,
    as_environment_variable,
    escaped_end,
    symbol_kind,
    unescaped,
)
from verifyhub.engine.mentions.files import PATH_CHARS, as_file, as_folder
from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.mentions.packages import as_package
from verifyhub.engine.mentions.patterns import read_pattern
from verifyhub.engine.mentions.spelled import is_spelled_path
from verifyhub.engine.mentions.words import BRANDS, FILES_IN_PROSE
from verifyhub.engine.text.tokens import humps, word_set
from verifyhub.engine.types import MentionKind

_FLAG = re.compile(r"--[a-z][\w-]++$")
_MEMBER = re.compile(r"[A-Za-z_]\w*+(?:(?:::|#)[A-Za-z_]\w*+)++[!?]?$")


def in_prose(text: str, noun: str | None) -> ClassifiedText | None:
    """Classify one word of prose; only words of an unusual form are names.

    Args:
        text: The word, without surrounding marks, but with a final slash.
        noun: The kind in a preceding word (`package`, `class`, `function`).
    """
    plain = unescaped(text)
    if plain.isalpha():
        return _of_letters(plain, noun)
    for reader in (_path, _marked, _package, _call, _symbol):
        match = reader(plain, noun)
        if match:
            end = escaped_end(text, match.end)
            return ClassifiedText(match.kind, match.key, match.start, end, match.weak)
    return None


def is_ordinary(word: str) -> bool:
    """Whether a word of letters is only a word: `merge`, `Merge` or `JSON`."""
    if not word.isalpha() or word in FILES_IN_PROSE:
        return False
    return word.islower() or word.istitle() or word.isupper() or not word.isascii()


def is_mere_code(word: str) -> bool:
    """Whether a word of letters and digits cannot be a name: `W012345`, `3rd`.

    Without any mark, only a commit and a symbol of several words are recognised.
    """
    if not word.isalnum() or not word.isascii() or word.isalpha():
        return False
    return not _is_camel(word) and read_pattern(word, in_code=False) is None


def _of_letters(word: str, noun: str | None) -> ClassifiedText | None:
    """Read a word of letters only: `Dockerfile`, `mergeJSON`."""
    if word in FILES_IN_PROSE:
        return ClassifiedText(MentionKind.FILE, word, 0, len(word), weak=True)
    return None if is_ordinary(word) else _camel(word, noun)


def _path(plain: str, noun: str | None) -> ClassifiedText | None:
    """Read a file with its folders and lines, or a folder with a final slash."""
    match = None if plain.endswith("/") else as_file(plain, in_code=False)
    if match:
        return match
    head, colon, _ = plain.partition(":")
    if colon and len(head) > 1:
        match = as_file(head, in_code=False)
        if match:
            return match
    if "/" in plain and ("[" in plain or "(" in plain) and is_spelled_path(plain):
        return ClassifiedText(MentionKind.FILE, plain, 0, len(plain))
    if plain.endswith(")"):
        head = plain.partition("(")[0]
        match = as_file(head, in_code=False)
        return match and ClassifiedText(match.kind, match.key, 0, len(head), match.weak)
    if "/" not in plain or DOMAIN.match(plain.partition("/")[0]):
        return None
    if not _is_folder(plain) or not PATH_CHARS.match(plain):
        return None
    match = as_folder(plain)
    is_single = plain.count("/") == 1 and not plain.startswith(".")
    return ClassifiedText(match.kind, match.key, 0, match.end, match.weak or is_single)


def _is_folder(plain: str) -> bool:
    """Return whether a word with slashes is no choice of words such as `and/or`."""
    rooted = plain.startswith(("./", "../", "~/", "/")) and plain.count("/") > 1
    ended = plain.endswith("/") and len(plain) > 3
    return rooted or ended


def _marked(plain: str, noun: str | None) -> ClassifiedText | None:
    """Read a word whose marks identify it: a variable, flag, commit or version."""
    variable = as_environment_variable(plain)
    if variable:
        return variable
    if _FLAG.match(plain):
        return ClassifiedText(MentionKind.COMMAND, plain, 0, len(plain))
    return read_pattern(plain, in_code=False)


def _package(plain: str, noun: str | None) -> ClassifiedText | None:
    matches = as_package(plain, None)
    if matches:
        return matches[0]
    host = plain.partition("/")[0]
    if "/" in plain and DOMAIN.match(host) and PATH_CHARS.match(plain):
        path = plain.rstrip("/")
        return ClassifiedText(MentionKind.PACKAGE, path, 0, len(path))
    if noun == "package" and is_hyphened(plain):
        return ClassifiedText(MentionKind.PACKAGE, plain, 0, len(plain), weak=True)
    return None


def is_hyphened(word: str) -> bool:
    """Whether a word has the form of packages, and of many other words: `run-time`."""
    return "-" in word and _HYPHENED.match(word) is not None


_HYPHENED = re.compile(r"[a-z][a-z0-9]*+(?:[-_.][a-z0-9]++)++$")


def _call(plain: str, noun: str | None) -> ClassifiedText | None:
    """Read `load_user(name)` in prose; `file(s)` is not a call."""
    if not plain.endswith(")"):
        return None
    call = CALLEE.match(plain)
    if not call:
        return None
    name = call.group(2)
    ordinary = name.isalpha() and (name.islower() or name.istitle() or name.isupper())
    if ordinary and not plain.endswith("()"):
        return None
    if not any(char.isalpha() for char in name):
        return None
    return ClassifiedText(
        MentionKind.FUNCTION, ".".join(SEPARATORS.split(name)), 0, len(plain)
    )


# `API_TOKEN-based` and `loadUser-like` are a name with another word.
_JOINED = re.compile(
    r"([A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++|[a-z]++(?:[A-Z][a-z]++)++)(?:-[a-z]++)++$"
)


def _symbol(plain: str, noun: str | None) -> ClassifiedText | None:
    with_suffix = _JOINED.match(plain)
    if with_suffix:
        plain = with_suffix.group(1)
    if not QUALIFIED.match(plain) or not plain.isascii() or "/" in plain:
        return None
    kind_noun = noun if noun != "package" else None
    if _MEMBER.match(plain):
        parts = SEPARATORS.split(plain.rstrip("!?"))
        kind = symbol_kind(parts[-1], kind_noun)
        return ClassifiedText(kind, ".".join(parts), 0, len(plain))
    if "." in plain:
        return _dotted(plain, kind_noun)
    if "_" in plain.strip("_") and not plain.startswith("__"):
        return ClassifiedText(symbol_kind(plain, kind_noun), plain, 0, len(plain))
    return _camel(plain, kind_noun)


def _dotted(plain: str, noun: str | None) -> ClassifiedText | None:
    """Read `json.NewDecoder` in prose; `e.g.` and `done.So` are sentences."""
    parts = plain.split(".")
    if min(len(part) for part in parts) < 2 or parts[0].isdigit():
        return None
    looks_like_code = any("_" in part.strip("_") or _is_camel(part) for part in parts)
    if not looks_like_code and (parts[-1] in _SENTENCE_HEADS or parts[-1].isdigit()):
        return None
    return ClassifiedText(
        symbol_kind(parts[-1], noun), plain, 0, len(plain), not looks_like_code
    )


_SENTENCE_HEADS = word_set(
    """The This That These Those It In On At If So As We You He She They But And Or For
    To From With When While Then There Here No Not All Also An Is Are Was Now Please"""
)


def _camel(word: str, noun: str | None) -> ClassifiedText | None:
    if not _is_camel(word):
        return None
    # A bare word can only be a class: `GeoQuery`, but not `OpenRouter`.
    is_role = word[0].isupper() and word.endswith(_ROLES)
    weak = noun is None and not is_role
    return ClassifiedText(symbol_kind(word, noun), word, 0, len(word), weak)


# Roles in the names of a project's own classes. Words in classes of languages and
# platforms (`ValueError`, `FileReader`, `StringBuilder`) are left out, since those
# names need no evidence.
_ROLES = (
    "Handler", "Manager", "Factory", "Repository", "Service", "Controller",
    "Serializer", "Provider", "Adapter", "Middleware", "Query", "Validator",
    "Resolver", "Mixin",
)  # fmt: skip


def _is_camel(word: str) -> bool:
    if not word.isalnum() or word.lower() in BRANDS or len(word) < 5:
        return False
    return len(humps(word)) > 1 and not word.isupper() and not word.islower()
