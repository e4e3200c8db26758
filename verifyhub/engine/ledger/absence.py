"""Places in a tool's output that say a name is *not* there.

`ls: cannot access 'ghost.py': No such file or directory` names a file, and is no
evidence of it. Only the named slot is taken out: in `src/a.go:12:3: undefined: Foo`
the file is real.
"""

import re

import re2

from verifyhub.engine.types import Span

# A cheap scan first: most lines hold none of these words.
_CUES = (
    "No such file", "annot access", "annot find", "annot open", "annot stat",
    "annot import", "annot resolve", "n't resolve", "n't open", "ould not find",
    "ould not resolve", "not found", "does not exist", "No module named",
    "No package named", "No function named", "is not defined", "has no attribute",
    "has no member", "has no property", "has no method", "has no field",
    "undefined: ", "undefined reference to: ", "unresolved reference",
    "unresolved import", "did not match", "ambiguous argument", "bad revision",
    "o matching distribution", "satisfies the requirement", "is not in std",
    "is not in GOROOT", "nknown command", "nknown subcommand", "nknown option",
    "nknown flag", "nknown argument", "nknown tool", "nknown skill", "nknown script",
    "nrecognized command", "nrecognized subcommand", "nrecognized option",
    "nrecognized argument", "no required module", "No files found", "No file found",
    "No matches found", "No results found", "No match",
)  # fmt: skip
_QUOTE = "['\"`‘’“”]?"
_NAME = r"([^\s'\"`‘’“”:,;()]+)"
# Linear-time engine: these begin with a name of any length.
_SLOT = re2.compile(
    "|".join(
        (
            rf"{_NAME}{_QUOTE}:? (?:No such file or directory|command not found)",
            rf"{_NAME}{_QUOTE}:? (?:not found|does not exist|not a directory)\.?\s*$",
            rf"{_NAME}: not found\s*$",
            rf"cannot (?:access|open|stat|find(?: module)?|import name)"
            rf" {_QUOTE}{_NAME}",
            rf"[Cc](?:annot|an't|ould not) (?:find|open|resolve)"
            r"(?: module| package| the)?"
            rf"(?: file| path)? {_QUOTE}{_NAME}",
            rf"No (?:module|package|function|attribute|file|class) (?:named|called)"
            rf" {_QUOTE}{_NAME}",
            rf"name {_QUOTE}{_NAME}{_QUOTE} is not defined",
            rf"{_NAME} is not defined",
            rf"has no (?:attribute|member|property|method|field) {_QUOTE}{_NAME}",
            rf"(?:undefined|unresolved reference|unresolved import"
            rf"|undefined reference to|undefined variable): {_QUOTE}{_NAME}",
            rf"pathspec {_QUOTE}{_NAME}{_QUOTE} did not match",
            rf"(?:bad revision|ambiguous argument) {_QUOTE}{_NAME}",
            rf"(?:[Ff]ile|[Pp]ath|[Dd]irectory|[Mm]odule|[Pp]ackage)"
            rf"(?: does not exist| not found)[:.]? {_QUOTE}{_NAME}",
            rf"(?:[Ff]ile|[Pp]ath|[Dd]irectory|[Mm]odule|[Pp]ackage) {_QUOTE}{_NAME}"
            rf"{_QUOTE} (?:does not exist|not found|was not found|could not be found)",
            rf"(?:[Nn]o matching distribution found for|satisfies the requirement)"
            rf" {_QUOTE}{_NAME}",
            rf"(?:[Uu]nknown|[Uu]nrecognized) (?:command|subcommand|option|flag"
            rf"|argument|tool|skill|script)s?:? {_QUOTE}{_NAME}",
            rf"package {_NAME} is not in (?:std|GOROOT)",
            rf"no required module provides package {_NAME}",
            rf"No (?:files?|match(?:es)?|results?) (?:found|matching|for)"
            rf"(?: for| in| matching)?:? {_QUOTE}{_NAME}",
        )
    )
)
# Half characters cannot be encoded for the linear-time engine.
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST_LINE = 2_000


def absent_slots(text: str) -> list[Span]:
    """Return the places where an output names something as absent."""
    places = _places(text)
    spans: list[Span] = []
    seen_to = -1
    for place in places:
        if place < seen_to:
            continue
        start = max(0, seen_to, place - _LONGEST_LINE)
        start = max(start, text.rfind("\n", start, place) + 1)
        end = text.find("\n", place, place + _LONGEST_LINE)
        if end < 0:
            end = min(len(text), place + _LONGEST_LINE)
        seen_to = end
        line = _SURROGATE.sub("?", text[start:end])
        for found in _SLOT.finditer(line):
            first, last = found.span(found.lastindex or 0)
            spans.append((start + first, start + last))
    return spans


_CUE = re2.compile("|".join(re2.escape(cue) for cue in _CUES))


def _places(text: str) -> list[int]:
    plain = text if text.isascii() else _SURROGATE.sub("?", text)
    return [match.start() for match in _CUE.finditer(plain)]
