"""Packages that lock files pin, and those that source code imports."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

from verifyhub.engine.ledger.packages.model import Ecosystem, NamedPackage
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.text.tokens import word_set

LONGEST_LINE = 500
_NPM = re.compile(
    r"\s{0,40}\"(?:[^\"]{0,300}node_modules/)?(@?[\w./-]{1,200})\"\s{0,4}:\s{0,4}\{"
    r"|\s{0,40}\"name\"\s{0,4}:\s{0,4}\"([^\"]{1,200})\""
    r"|\s{0,40}\"version\"\s{0,4}:\s{0,4}\"([^\"]{1,200})\""
)
_YARN = re.compile(
    r"\"?(@?[^@\s\"]{1,200})@[^\n]{0,400}:$"
    r"|\s{1,4}version:? \"?([\w.+-]{1,80})\"?$"
)
_PNPM = re.compile(
    r"\s{2,6}['\"]?/?(@?[\w.-]{1,100}(?:/[\w.-]{1,100})?)@(\d[\w.+-]{0,80})"
)
_TOML = re.compile(r"name = \"([^\"]{1,200})\"|version = \"([^\"]{1,200})\"")
_GO_SUM = re.compile(r"(\S{1,200}) (v[\w.+-]{1,80}) h1:")
_GEM_LOCK = re.compile(r" {4}([\w.-]{1,100}) \(([\w.-]{1,60})\)$")

_PYTHON_IMPORT = re.compile(r"[ \t]*+(?:from|import) ([A-Za-z_]\w{0,99})(?=[\s.,;]|$)")
_JS_IMPORT = re.compile(
    r"(?:\bfrom|\bimport|\brequire\(|\bimport\()\s{0,4}[\"'](@[\w.-]{1,100}/[\w.-]{1,100}"
    r"|[A-Za-z][\w.-]{0,100})(?:/[^\"'\n]{0,200})?[\"']"
)
_GO_IMPORT = re.compile(
    r"(?:import )?\s{0,8}(?:[\w.]{1,60} )?\"([\w.-]{1,100}\.[\w.-]{1,40}/"
    r"[\w./~-]{1,200})\"$"
)
_RUST_IMPORT = re.compile(
    r"[ \t]*+(?:pub )?(?:use|extern crate) ([a-z_]\w{0,99})(?=::|;)"
)
_RUBY_IMPORT = re.compile(r"[ \t]*+require ['\"]([\w-]{1,100})(?:/[^'\"]{0,100})?['\"]")
# Modules of the language are not packages.
BUILT_IN: dict[Ecosystem, frozenset[str]] = {
    Ecosystem.PYPI: sys.stdlib_module_names,
    Ecosystem.CARGO: word_set("crate self super std core alloc"),
    Ecosystem.NPM: word_set(
        """
        assert async_hooks buffer child_process cluster console crypto dgram dns events
        fs http http2 https module net os path perf_hooks process querystring readline
        stream string_decoder timers tls tty url util v8 vm worker_threads zlib
        """
    ),
}


def _named_then_version(line_of: re.Pattern[str], text: str) -> Iterator[NamedPackage]:
    """Read a lock file in which a line with a name precedes one with its version.

    Args:
        line_of: Matches either line; its last group is the version.
        text: The lock file, or a part of it.
    """
    name = ""
    for line in lines_of(text, LONGEST_LINE):
        match = line_of.match(line)
        if match is None:
            continue
        *names, version = match.groups()
        if version is None:
            name = next(filter(None, names))
        elif name:
            yield NamedPackage(name, version)
            name = ""


def imports(text: str, extension: str) -> Iterator[NamedPackage]:
    """Yield the packages that source code imports, including its own modules.

    Args:
        text: Source code, or lines of it.
        extension: The extension of the file, in lower case without the dot.
    """
    ecosystem, pattern = _IMPORTS[extension]
    built_in = BUILT_IN.get(ecosystem, frozenset())
    if not _SCREENS[ecosystem].passes(text):
        return
    for line in lines_of(text, LONGEST_LINE):
        match = pattern.search(line) if pattern is _JS_IMPORT else pattern.match(line)
        if match and match[1] not in built_in:
            yield NamedPackage(match[1])


def rows_of(
    row: re.Pattern[str], text: str, longest: int = LONGEST_LINE
) -> Iterator[NamedPackage]:
    """Yield the packages of a file that has a name and a version on one line."""
    for line in lines_of(text, longest):
        match = row.match(line)
        if match:
            yield NamedPackage(match[1], match[2] or "")


def lines_of(text: str, longest: int) -> Iterator[str]:
    """Yield the lines of a text, of each the first so many characters."""
    return (line[:longest] for line in text.splitlines())


LOCKS: dict[str, tuple[Ecosystem, Callable[[str], Iterator[NamedPackage]]]] = {
    "poetry.lock": (Ecosystem.PYPI, partial(_named_then_version, _TOML)),
    "uv.lock": (Ecosystem.PYPI, partial(_named_then_version, _TOML)),
    "Cargo.lock": (Ecosystem.CARGO, partial(_named_then_version, _TOML)),
    "package-lock.json": (Ecosystem.NPM, partial(_named_then_version, _NPM)),
    "composer.lock": (Ecosystem.PACKAGIST, partial(_named_then_version, _NPM)),
    "yarn.lock": (Ecosystem.NPM, partial(_named_then_version, _YARN)),
    "pnpm-lock.yaml": (Ecosystem.NPM, partial(rows_of, _PNPM)),
    "go.sum": (Ecosystem.GO, partial(rows_of, _GO_SUM)),
    "Gemfile.lock": (Ecosystem.RUBYGEMS, partial(rows_of, _GEM_LOCK)),
}
_IMPORTS = {
    **dict.fromkeys(("py", "pyi"), (Ecosystem.PYPI, _PYTHON_IMPORT)),
    **dict.fromkeys(
        ("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"),
        (Ecosystem.NPM, _JS_IMPORT),
    ),
    "go": (Ecosystem.GO, _GO_IMPORT),
    "rs": (Ecosystem.CARGO, _RUST_IMPORT),
    "rb": (Ecosystem.RUBYGEMS, _RUBY_IMPORT),
}
_SCREENS = {ecosystem: Screen([pattern]) for ecosystem, pattern in _IMPORTS.values()}
IMPORTING: dict[str, Ecosystem] = {key: value[0] for key, value in _IMPORTS.items()}
