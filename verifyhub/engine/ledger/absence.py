"""Places in a tool's output that say a name is *not* there.

`ls: cannot access 'ghost.py': No such file or directory` names a file, and is no
evidence of it. Only the named slot is taken out: in `src/a.go:12:3: undefined: Foo`
the file is real.
"""

import re

import re2

from verifyhub.engine.types import Span

# A cheap scan first: most lines hold none of these words.
_CUE = re.compile(
    r"No such file|[Cc]annot (?:access|find|open|stat|import|resolve)"
    r"|[Cc]an't resolve|[Cc]ould not (?:find|resolve)|(?:command|be|was) not found"
    r"|not found(?:: |$)|does not exist|No (?:module|package|function|attribute) named"
    r"|is not defined|has no (?:attribute|member|property|method|field)"
    r"|undefined(?: reference to| variable)?: |unresolved (?:reference|import)"
    r"|did not match|ambiguous argument|bad revision"
    r"|[Nn]o matching distribution|satisfies the requirement|is not in (?:std|GOROOT)"
    r"|(?:[Uu]nknown|[Uu]nrecognized) (?:command|subcommand|option|flag|argument|tool"
    r"|skill|script)|no required module|No (?:files?|match(?:es)?|results?) "
    r"(?:found|matching|for)",
    re.MULTILINE,
)
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
            rf"[Cc](?:annot|an't|ould not) (?:find|resolve)(?: module| package| the)?"
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
_LONGEST_LINE = 2_000


def absent_slots(text: str) -> list[Span]:
    """Return the places where an output names something as absent."""
    spans: list[Span] = []
    seen_to = -1
    for cue in _CUE.finditer(text):
        if cue.start() < seen_to:
            continue
        start = max(0, seen_to, cue.start() - _LONGEST_LINE)
        start = max(start, text.rfind("\n", start, cue.start()) + 1)
        end = text.find("\n", cue.end(), cue.end() + _LONGEST_LINE)
        if end < 0:
            end = min(len(text), cue.end() + _LONGEST_LINE)
        seen_to = end
        for found in _SLOT.finditer(text[start:end]):
            first, last = found.span(found.lastindex or 0)
            spans.append((start + first, start + last))
    return spans
