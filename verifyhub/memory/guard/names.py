"""Compare the names of a project: pools, keys, and the query of a mention.

A pool contains names that are compared with one another: the packages of an ecosystem,
or the symbols of the project's code. This module does not use the database.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from verifyhub.engine.ledger.packages import Ecosystem
from verifyhub.engine.ledger.packages.locks import BUILT_IN
from verifyhub.engine.mentions.common import is_common
from verifyhub.engine.mentions.extract import family
from verifyhub.engine.text.lookalike import skeleton
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Mention, MentionKind

SYMBOLS = "symbols"
POOLS = (*map(str, Ecosystem), SYMBOLS)
MAX_NAME_LENGTH = 200
# Ecosystems whose names are one word: without a hint a word may be from any of them.
_FLAT = frozenset({"pypi", "npm", "cargo", "rubygems", "system"})
_SYMBOL_FAMILY = family(MentionKind.IDENTIFIER)

_SEPARATORS = re.compile(r"[-_.]+")
_HEAD = re.compile(r"[.:/]")
_SYMBOL_PART = re.compile(r"[^\w$]+")
# How many characters before a package may say which ecosystem it is from.
_REACH = 60
_HINT = re.compile(
    r"(?i)\b(?:(?P<pypi>pip3?|pypi|python|uv|poetry)|(?P<npm>npm|npx|pnpm|yarn|node)"
    r"|(?P<cargo>cargo|crates?|rust)|(?P<rubygems>gems?|ruby|bundler)|(?P<go>golang)"
    r"|(?P<packagist>composer|packagist|php)|(?P<maven>maven|gradle)"
    r"|(?P<system>apt|apt-get|debian|apk))\b"
)
# Standard libraries whose modules are no packages.
_STANDARD = {
    **{str(ecosystem): names for ecosystem, names in BUILT_IN.items()},
    "go": word_set(
        """
        archive bufio builtin bytes cmp compress container context crypto database debug
        embed encoding errors expvar flag fmt go hash html image index io iter log maps
        math mime net os path plugin reflect regexp runtime slices sort strconv strings
        structs sync syscall testing text time unicode unique unsafe
        """
    ),
    "rubygems": word_set(
        """
        abbrev base64 benchmark bigdecimal bundler cgi csv date delegate digest erb
        fileutils find forwardable json logger minitest monitor net open3 openssl
        optparse ostruct pathname pp prime psych rake rdoc securerandom set shellwords
        singleton socket stringio strscan tempfile time timeout tmpdir tsort uri yaml
        zlib
        """
    ),
}
# Modules of well-known packages that have another name than the package.
_INSTALLED_AS = {
    "attr": "attrs", "bs4": "beautifulsoup4", "crypto": "pycryptodome",
    "cv2": "opencv-python", "dateutil": "python-dateutil", "docx": "python-docx",
    "dotenv": "python-dotenv", "fitz": "pymupdf", "git": "gitpython", "jose":
    "python-jose", "jwt": "pyjwt", "magic": "python-magic", "mysqldb": "mysqlclient",
    "openssl": "pyopenssl", "pil": "pillow", "pkg-resources": "setuptools",
    "psycopg2": "psycopg2-binary", "rest-framework": "djangorestframework",
    "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn",
    "slugify": "python-slugify", "usb": "pyusb", "yaml": "pyyaml", "zmq": "pyzmq",
}  # fmt: skip


def name_key(pool: str, name: str) -> str:
    """Return the form in which two names of one pool are equal.

    PyPI and Cargo treat `_` like `-`, and most indexes ignore case. The key of a
    symbol only selects candidates; their spelling decides.
    """
    if pool == Ecosystem.PYPI:
        return _SEPARATORS.sub("-", name).lower()
    if pool == Ecosystem.CARGO:
        return name.replace("_", "-").lower()
    return name if pool == Ecosystem.GO else name.lower()


def is_storable(name: str) -> bool:
    """Whether a text can be a name: one visible word, not too long."""
    return 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable() and " " not in name


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotQuery:
    """The query of one mention to the snapshots.

    Attributes:
        pools: The mention is missing if none of these contains one of `names`; empty
            if a missing name proves nothing.
        names: Names by which it counts as one of the project's, by pool.
        near: The name to find similar names of.
        spelled: The exact spelling of a symbol; empty for packages, whose key decides.
    """

    mention: Mention
    pools: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    near: str = ""
    spelled: str = ""


def query_of(
    mention: Mention, text: str, *, complete: Collection[str], partial: Collection[str]
) -> SnapshotQuery:
    """Return the query that decides whether a mention is a name of the project.

    Args:
        mention: A mention of the draft.
        text: The draft.
        complete: The pools that the project has a whole snapshot of.
        partial: The pools that it has any names of.
    """
    if mention.kind is MentionKind.PACKAGE:
        key = mention.key
        possible = _ecosystems(key, text, mention.spans[0][0])
        pools = tuple(pool for pool in sorted(possible) if pool in complete)
        looked_in = possible if len(possible) == 1 else set(partial) - {SYMBOLS}
        names = [
            (pool, form)
            for pool in sorted(looked_in & set(partial))
            for form in _forms(pool, key)
        ]
        head = _head(key)
        if any(head in _STANDARD.get(pool, ()) for pool in possible):
            pools = ()
        return SnapshotQuery(
            mention=mention, pools=pools, names=tuple(names), near=skeleton(mention.key)
        )
    if family(mention.kind) == _SYMBOL_FAMILY:
        return _symbol(mention, complete, partial)
    return SnapshotQuery(mention=mention, pools=(), names=())


def _ecosystems(key: str, text: str, start: int) -> set[str]:
    """Return a package's possible ecosystems, by its spelling and preceding words."""
    if key.startswith("@"):
        return {"npm"}
    head, colon, _ = key.partition(":")
    if colon:
        return {"maven"} if "." in head else set()
    first, slash, rest = key.partition("/")
    if slash and "." in first:
        return {"go"}
    before = text[max(0, start - _REACH) : start].rpartition("\n")[2]
    hints = [match.lastgroup for match in _HINT.finditer(before) if match.lastgroup]
    if hints:
        return {hints[-1]}
    if slash:
        return {"npm"} if "/" in rest else {"npm", "packagist"}
    return set(_FLAT)


def _forms(pool: str, key: str) -> Iterator[str]:
    """Yield the names that a pool may have for a package or for its parent."""
    yield name_key(pool, key)
    if pool in {"npm", "go", "packagist"}:
        parts = key.split("/")
        for length in range(1, min(len(parts), 8)):
            yield name_key(pool, "/".join(parts[:length]))
    elif pool in {"pypi", "cargo"}:
        head = name_key(pool, _head(key))
        yield head
        if pool == "pypi" and head in _INSTALLED_AS:
            yield _INSTALLED_AS[head]


def _head(key: str) -> str:
    return _HEAD.split(key, maxsplit=1)[0]


def _symbol(
    mention: Mention, complete: Collection[str], partial: Collection[str]
) -> SnapshotQuery:
    """Return the query for the last part of `Class.method`.

    A package's own symbols, such as `requests.get`, and those of standard modules are
    not looked up.
    """
    parts = [part for part in _SYMBOL_PART.split(mention.key) if part]
    if SYMBOLS not in complete or not parts or is_common(mention):
        return SnapshotQuery(mention=mention, pools=(), names=())
    foreign = len(parts) > 1 and any(parts[0] in names for names in _STANDARD.values())
    names = [(SYMBOLS, parts[-1].lower())]
    names += [
        (pool, name_key(pool, name))
        for pool in sorted(partial)
        if pool != SYMBOLS
        for name in {parts[0], mention.key}
    ]
    return SnapshotQuery(
        mention=mention,
        pools=() if foreign else (SYMBOLS,),
        names=tuple(names),
        near=skeleton(parts[-1]),
        spelled=parts[-1],
    )


def holds(query: SnapshotQuery, pool: str, text: str) -> bool:
    """Whether a name with a requested key is the name itself, by its spelling."""
    return pool != SYMBOLS or text == query.spelled
