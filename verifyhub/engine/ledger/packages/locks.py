"""Packages that lock files pin, and those that source code imports."""

import re
import sys
from collections.abc import Callable, Iterator

from verifyhub.engine.ledger.packages.model import Ecosystem, NamedPackage
from verifyhub.engine.text.screen import Screen
from verifyhub.engine.text.tokens import word_set

_LONGEST_LINE = 500
_NPM_KEY = re.compile(
    r"\s{0,40}\"(?:[^\"]{0,300}node_modules/)?(@?[\w./-]{1,200})\"\s{0,4}:\s{0,4}\{"
)
_JSON_FIELD = re.compile(r"\s{0,40}\"(name|version)\"\s{0,4}:\s{0,4}\"([^\"]{1,200})\"")
_YARN_KEY = re.compile(r"\"?(@?[^@\s\"]{1,200})@[^\n]{0,400}:$")
_YARN_VERSION = re.compile(r"\s{1,4}version:? \"?([\w.+-]{1,80})\"?$")
_PNPM = re.compile(
    r"\s{2,6}['\"]?/?(@?[\w.-]{1,100}(?:/[\w.-]{1,100})?)@(\d[\w.+-]{0,80})"
)
_TOML_FIELD = re.compile(r"(name|version) = \"([^\"]{1,200})\"")
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


def lock_pairs(text: str) -> Iterator[NamedPackage]:
    """Read `poetry.lock`, `uv.lock`, `Cargo.lock`: a name, then its version."""
    name = ""
    for line in _lines(text):
        match = _TOML_FIELD.match(line)
        if match and match[1] == "name":
            name = match[2]
        elif match and name:
            yield NamedPackage(name, match[2])
            name = ""


def npm_lock(text: str) -> Iterator[NamedPackage]:
    """Read `package-lock.json` and `composer.lock`: a key or a name, then a version."""
    name = ""
    for line in _lines(text):
        key, field = _NPM_KEY.match(line), _JSON_FIELD.match(line)
        if key:
            name = key[1]
        elif field and field[1] == "name":
            name = field[2]
        elif field and name:
            yield NamedPackage(name, field[2])
            name = ""


def yarn_lock(text: str) -> Iterator[NamedPackage]:
    """Read `yarn.lock`."""
    name = ""
    for line in _lines(text):
        key, version = _YARN_KEY.match(line), _YARN_VERSION.match(line)
        if key:
            name = key[1]
        elif version and name:
            yield NamedPackage(name, version[1])
            name = ""


def pnpm_lock(text: str) -> Iterator[NamedPackage]:
    """Read `pnpm-lock.yaml`."""
    return _matches(_PNPM, text)


def go_sum(text: str) -> Iterator[NamedPackage]:
    """Read `go.sum`."""
    return _matches(_GO_SUM, text)


def gemfile_lock(text: str) -> Iterator[NamedPackage]:
    """Read `Gemfile.lock`."""
    return _matches(_GEM_LOCK, text)


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
    for line in _lines(text):
        match = pattern.search(line) if pattern is _JS_IMPORT else pattern.match(line)
        if match and match[1] not in built_in:
            yield NamedPackage(match[1])


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[NamedPackage]:
    for line in _lines(text):
        match = pattern.match(line)
        if match:
            yield NamedPackage(match[1], match[2])


def _lines(text: str) -> Iterator[str]:
    return (line[:_LONGEST_LINE] for line in text.splitlines())


LOCKS: dict[str, tuple[Ecosystem, Callable[[str], Iterator[NamedPackage]]]] = {
    "poetry.lock": (Ecosystem.PYPI, lock_pairs),
    "uv.lock": (Ecosystem.PYPI, lock_pairs),
    "Cargo.lock": (Ecosystem.CARGO, lock_pairs),
    "package-lock.json": (Ecosystem.NPM, npm_lock),
    "composer.lock": (Ecosystem.PACKAGIST, npm_lock),
    "yarn.lock": (Ecosystem.NPM, yarn_lock),
    "pnpm-lock.yaml": (Ecosystem.NPM, pnpm_lock),
    "go.sum": (Ecosystem.GO, go_sum),
    "Gemfile.lock": (Ecosystem.RUBYGEMS, gemfile_lock),
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
