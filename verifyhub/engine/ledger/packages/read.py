"""From what calls showed to the packages in it."""

import re
from collections.abc import Iterable, Iterator

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.content import Content
from verifyhub.engine.calls.programs import ProgramRole, is_installer
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.ledger.packages.locks import IMPORTING, LOCKS, imports
from verifyhub.engine.ledger.packages.manifests import MANIFESTS, requirements
from verifyhub.engine.ledger.packages.model import (
    Ecosystem,
    NamedPackage,
    Package,
    Shown,
)
from verifyhub.engine.ledger.symbols import extension_of

_REQUIREMENTS = re.compile(r"(?:requirements|constraints)[\w.-]{0,60}\.(?:txt|in)$")
_ECOSYSTEMS = {
    "package.json": Ecosystem.NPM,
    "composer.json": Ecosystem.PACKAGIST,
    "pyproject.toml": Ecosystem.PYPI,
    "Cargo.toml": Ecosystem.CARGO,
    "go.mod": Ecosystem.GO,
    "pom.xml": Ecosystem.MAVEN,
    "build.gradle": Ecosystem.MAVEN,
    "build.gradle.kts": Ecosystem.MAVEN,
    "Gemfile": Ecosystem.RUBYGEMS,
}
# What is in the names of all files that name Python packages.
_OF_PYTHON = (
    *(f".{ending}" for ending, of in IMPORTING.items() if of is Ecosystem.PYPI),
    *(name for name, of in _ECOSYSTEMS.items() if of is Ecosystem.PYPI),
    *(name for name, (of, _) in LOCKS.items() if of is Ecosystem.PYPI),
    "requirements",
    "constraints",
)


def read_packages(calls: Iterable[Call]) -> Iterator[Package]:
    """Yield the packages that a run's calls showed, each once per call, in order."""
    for entry in calls:
        packages: dict[Package, None] = {}
        for content in entry.contents:
            packages.update(dict.fromkeys(_of_content(content)))
        packages.update(dict.fromkeys(_of_installer(entry)))
        yield from packages


def python_packages(calls: Iterable[Call]) -> Iterator[Package]:
    """Yield the Python packages among them; most calls show no file of Python."""
    telling = (entry for entry in calls if _may_show_python(entry))
    for package in read_packages(telling):
        if package.ecosystem is Ecosystem.PYPI:
            yield package


def _may_show_python(entry: Call) -> bool:
    """Whether a call installed anything, or a file of Python is named by it."""
    texts = [*entry.paths]
    searches = entry.kind is ToolKind.SEARCH
    for one in entry.commands:
        if is_installer(one.program):
            return True
        searches |= ProgramRole.SEARCHES in one.role
    if entry.command:
        texts.append(entry.command)
    if searches:
        texts.append(entry.call.output)
    named = "\n".join(texts).lower()
    return any(mark in named for mark in _OF_PYTHON)


def read_file(
    name: str, text: str
) -> tuple[Ecosystem, Shown, Iterator[NamedPackage]] | None:
    """Read a manifest or a lock file, known by its own name without folders.

    Returns:
        Where its packages come from, what it is, and they; None for other files.
    """
    if name in MANIFESTS:
        return _ECOSYSTEMS[name], Shown.MANIFEST, MANIFESTS[name](text)
    if _REQUIREMENTS.search(name):
        return Ecosystem.PYPI, Shown.MANIFEST, requirements(text)
    if name in LOCKS:
        ecosystem, reader = LOCKS[name]
        return ecosystem, Shown.LOCK, reader(text)
    return None


def _of_content(content: Content) -> Iterator[Package]:
    base = content.path.replace("\\", "/").rpartition("/")[2]
    if listing := read_file(base, content.text):
        ecosystem, shown, named = listing
        yield from _packages(content, named, ecosystem, shown)
    elif (extension := extension_of(base)) in IMPORTING:
        named = imports(content.text, extension)
        yield from _packages(content, named, IMPORTING[extension], Shown.IMPORT)


def _packages(
    content: Content, named: Iterable[NamedPackage], ecosystem: Ecosystem, shown: Shown
) -> Iterator[Package]:
    for one in named:
        yield Package(
            call=content.call,
            name=one.name,
            ecosystem=ecosystem,
            shown=shown,
            version=one.version or None,
            path=content.path,
        )


def _of_installer(entry: Call) -> Iterator[Package]:
    programs = {one.program for one in entry.commands}
    if not entry.succeeded or not any(map(is_installer, programs)):
        return
    gems = not programs.isdisjoint({"gem", "bundle"})
    for ecosystem, one in installed(entry.call.output, gems=gems):
        yield Package(
            call=entry.index,
            name=one.name,
            ecosystem=ecosystem,
            shown=Shown.INSTALLED,
            version=one.version or None,
        )


_LONGEST_LINE = 2_000
_NAME = r"(@?[\w.-]{1,100}(?:/[\w.-]{1,100})?)"
_VERSION = r"(v?\d[\w.+:~-]{0,80})"
_PIP = re.compile(r"Successfully installed (.+)")
_PIP_ONE = re.compile(r"([A-Za-z0-9][\w.-]{0,99}?)-(\d[\w.+]{0,60})(?=\s|$)")
_ROWS: tuple[tuple[Ecosystem, re.Pattern[str]], ...] = tuple(
    (ecosystem, re.compile(pattern))
    for ecosystem, pattern in (
        (Ecosystem.PYPI, rf"\s{{0,4}}\+ {_NAME}=={_VERSION}"),
        (
            Ecosystem.PYPI,
            rf"Requirement already satisfied: {_NAME}\b.{{0,200}}\({_VERSION}\)",
        ),
        (Ecosystem.NPM, rf"(?:\+|├─|└─|installed) {_NAME}@{_VERSION}"),
        (Ecosystem.NPM, rf"\+ {_NAME} {_VERSION}(?: |$)"),
        (
            Ecosystem.CARGO,
            r"\s{1,12}(?:Compiling|Adding|Added|Downloaded|Installed)"
            rf" {_NAME} {_VERSION}",
        ),
        (
            Ecosystem.GO,
            r"go: (?:added|downloading|upgraded) (\S{1,200}) (?:\S{1,80} => )?"
            r"(v[\w.+-]{1,80})",
        ),
        (
            Ecosystem.SYSTEM,
            rf"(?:Setting up|Unpacking) {_NAME}(?::\w{{1,10}})? \({_VERSION}\)",
        ),
        (
            Ecosystem.RUBYGEMS,
            r"Successfully installed ([\w-]{1,100}?)-(\d[\w.]{0,60})$",
        ),
        (Ecosystem.PACKAGIST, rf"\s{{1,4}}- Installing {_NAME} \({_VERSION}\)"),
    )
)  # fmt: skip
_CUE = re.compile(
    r"installed|==|satisfied|@|\+ |Compiling|Add(?:ing|ed) |Downloaded|go: |Setting up"
    r"|Unpacking|Installing"
)


def installed(output: str, *, gems: bool) -> Iterator[tuple[Ecosystem, NamedPackage]]:
    """Yield what an installer's output says was installed.

    Args:
        output: What the command printed.
        gems: Whether the command was Ruby's: its wording is pip's.
    """
    for line in output.splitlines():
        line = line[:_LONGEST_LINE]
        if not _CUE.search(line):
            continue
        if not gems and (match := _PIP.match(line)):
            for name, version in _PIP_ONE.findall(match[1]):
                yield Ecosystem.PYPI, NamedPackage(name, version)
            continue
        for ecosystem, pattern in _ROWS:
            if match := pattern.match(line):
                yield ecosystem, NamedPackage(match[1], match[2])
                break
