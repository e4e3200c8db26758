"""Packages that an installer says it installed, line by line of its output."""

import re
from collections.abc import Iterator

from verifyhub.engine.ledger.packages.model import Ecosystem, NamedPackage

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
