"""Names in running text: only what no ordinary word looks like is taken for one."""

from verifyhub.engine.mentions.classify import (
    CALLEE,
    DOMAIN,
    PATH_CHARS,
    QUALIFIED,
    SEPARATORS,
    Named,
    as_file,
    symbol_kind,
    unescaped,
)
from verifyhub.engine.mentions.words import BRANDS
from verifyhub.engine.text.tokens import humps, word_set
from verifyhub.engine.types import MentionKind


def in_prose(text: str, noun: str | None) -> Named | None:
    """Read one word of prose; only what no ordinary word looks like is a name."""
    plain = unescaped(text)
    if plain.isalpha() and (plain.islower() or plain.istitle() or plain.isupper()):
        return None
    named = as_file(plain, in_code=False)
    if named:
        return Named(named.kind, named.key, 0, len(text), named.weak)
    if plain.endswith(")"):
        return _prose_call(text)
    if "/" in plain:
        host = plain.partition("/")[0]
        known = DOMAIN.match(host) and PATH_CHARS.match(plain)
        return Named(MentionKind.PACKAGE, plain, 0, len(text)) if known else None
    if not QUALIFIED.match(plain) or not plain.isascii():
        return None
    if "." in plain:
        return _prose_dotted(plain, len(text), noun)
    if "_" in plain.strip("_") and not plain.startswith("__"):
        kind = symbol_kind(plain, noun if noun != "package" else None)
        return Named(kind, plain, 0, len(text))
    if _is_camel(plain):
        weak = noun is None and not _is_role(plain)
        return Named(symbol_kind(plain, noun), plain, 0, len(text), weak)
    return None


def _prose_dotted(plain: str, end: int, noun: str | None) -> Named | None:
    """Read `json.NewDecoder` in prose; `e.g.` and `done.So` are sentences."""
    parts = plain.split(".")
    if min(len(part) for part in parts) < 2 or parts[0].isdigit():
        return None
    sure = any("_" in part.strip("_") or _is_camel(part) for part in parts)
    if not sure and (parts[-1] in _SENTENCE_HEADS or parts[-1].isdigit()):
        return None
    return Named(symbol_kind(parts[-1], noun), plain, 0, end, not sure)


_SENTENCE_HEADS = word_set(
    """The This That These Those It In On At If So As We You He She They But And Or For
    To From With When While Then There Here No Not All Also An Is Are Was Now Please"""
)


def _prose_call(text: str) -> Named | None:
    """Read `load_user(name)` in prose; `file(s)` and `a.py(see)` are no calls."""
    head = text.partition("(")[0]
    named = as_file(unescaped(head), in_code=False)
    if named:
        return Named(named.kind, named.key, 0, len(head), named.weak)
    call = CALLEE.match(unescaped(text))
    if not call:
        return None
    name = call.group(2)
    ordinary = name.isalpha() and (name.islower() or name.istitle() or name.isupper())
    if ordinary and not text.endswith("()"):
        return None
    return Named(MentionKind.FUNCTION, ".".join(SEPARATORS.split(name)), 0, len(text))


# What a project calls its own classes by the part they play. Words that languages and
# platforms have classes of (`ValueError`, `FileReader`, `StringBuilder`) are left out:
# those may be named without having been seen.
_ROLES = (
    "Handler", "Manager", "Factory", "Repository", "Service", "Controller",
    "Serializer", "Provider", "Adapter", "Middleware", "Query", "Validator",
    "Resolver", "Mixin",
)  # fmt: skip


def _is_role(word: str) -> bool:
    """Whether a bare word can only be a class: `GeoQuery`, but not `OpenRouter`."""
    return word[0].isupper() and word.endswith(_ROLES)


def _is_camel(word: str) -> bool:
    if not word.isalnum() or word.lower() in BRANDS or len(word) < 5:
        return False
    return len(humps(word)) > 1 and not word.isupper() and not word.islower()
