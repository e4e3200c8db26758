"""Places in a tool's output that say a name is *not* there.

`ls: cannot access 'ghost.py': No such file or directory` names a file and is no
evidence of it. Only the slot of the name is excluded: in `src/a.go:12:3: undefined:
Foo` the file is real.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import re2

from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.text.search import NameSearch, blocks
from verifyhub.engine.text.tokens import CHUNK, encodable
from verifyhub.engine.types import Span

# A cheap scan first, since most lines contain none of these words.
_CUES = (
    "No such file", "annot access", "annot find", "annot open", "annot stat",
    "ould not open", "nable to open", "ailed to open",
    "annot import", "annot resolve", "n't resolve", "n't open", "ould not find",
    "ould not resolve", "not found", "does not exist", "No module named",
    "No package named", "No function named", "is not defined", "has no attribute",
    "has no member", "has no property", "has no method", "has no field",
    "has no exported", "is not a function", "is not a constructor", "symbol: ",
    "ndefined ", "undefined: ", "uninitialized constant", "undeclared", "not declared",
    "implicit declaration", "nknown type", "nknown column", "nknown table",
    "nresolved external", "unresolved reference", "annot locate", "Unable to locate",
    "no matching versions", "404 Not Found", "not in this registry", "No rule to make",
    "issing script", "script named", "No such ", "no such ", "o member named",
    "o method named", "o field", "unbound variable", "nvalid choice",
    "unexpected argument", " found for ", "Found 0 ", "found 0 ", "0 results",
    "0 matches",
    "unresolved import", "did not match", "ambiguous argument", "bad revision",
    "o matching distribution", "satisfies the requirement", "is not in std",
    "is not in GOROOT", "nknown command", "nknown subcommand", "nknown option",
    "nknown flag", "nknown argument", "nknown tool", "nknown skill", "nknown script",
    "nrecognized command", "nrecognized subcommand", "nrecognized option",
    "nrecognized argument", "no required module", "No files found", "No file found",
    "No matches", "no matches", "No results", "no results", "No match",
)  # fmt: skip
_QUOTE = "['\"`‘’“”]?"
_QUOTED = "['\"`‘’“”]"
# Words of compilers, runners and searches for the missing thing.
_SORT = (
    "(?:name|symbol|function|method|member|field|property|attribute|class|type|struct"
    "|trait|enum|macro|value|variable|module|package|crate|namespace|import|file|path"
    "|directory|script|command|subcommand|option|target|task|table|column|relation"
    "|query|pattern|term|string|text|regex|keyword|identifier|reference|constant"
    "|definition|export|local variable or method|instance method|derive macro)"
)
_NAME = r"([^\s'\"`‘’“”:,;()]+)"
# A linear-time engine, since these begin with a name of any length.
_SLOT = re2.compile(
    "|".join(
        (
            rf"{_NAME}{_QUOTE}:? (?:No such file or directory|command not found)",
            rf"{_NAME}{_QUOTE}:? (?:not found|does not exist|not a directory)\.?\s*$",
            rf"{_NAME}: not found\s*$",
            rf"cannot (?:access|open|stat|find(?: module)?|import name)"
            rf" (?:{_SORT} )?{_QUOTE}{_NAME}",
            rf"(?:[Cc](?:annot|an't|ould ?n[o']t) (?:find|open|resolve|locate)"
            rf"|(?:[Uu]nable|[Ff]ailed) to open)"
            rf"(?: the| a| any)?(?: {_SORT})*(?: (?:named|called))? {_QUOTE}{_NAME}",
            rf"[Nn]o (?:{_SORT} )?(?:named|called) {_QUOTE}{_NAME}",
            rf"name {_QUOTE}{_NAME}{_QUOTE} is not defined",
            rf"{_NAME} is not defined",
            rf"has no (?:exported )?(?:attribute|member|property|method|field)"
            rf"(?: named)? {_QUOTE}{_NAME}",
            r"([\w$]+)(?:\(\.\.\.\))? is not a (?:function|constructor)",
            rf"(?:undefined|unresolved reference|unresolved import"
            rf"|undefined reference to|undefined variable|undefined symbol)"
            rf": {_QUOTE}{_NAME}",
            rf"No such file or directory:? {_QUOTE}{_NAME}",
            rf"[Uu]ndefined (?:reference to|{_SORT}) {_QUOTE}{_NAME}",
            rf"(?:uninitialized constant|undeclared identifier|unknown type name"
            rf"|implicit declaration of function|unresolved external symbol"
            rf"|[Uu]nable to locate package|No rule to make target"
            rf"|[Ii]nvalid choice:|unexpected argument|[Nn]o such {_SORT}:?"
            rf"|[Mm]issing script:?|script named|[Uu]nknown (?:column|table))"
            rf" {_QUOTE}{_NAME}",
            rf"{_QUOTED}{_NAME}{_QUOTED} (?:was not declared|undeclared"
            rf"|does not exist|is not in th)",
            rf"{_NAME}: unbound variable",
            rf"^\s*symbol: +(?:{_SORT} )?{_NAME}",
            rf"[Nn]o field {_QUOTED}{_NAME}{_QUOTED} on type",
            rf"(?:[Pp]ackage|[Mm]odule|[Ff]ormula|[Cc]rate)\(?s?\)? not found: {_NAME}",
            r"404 Not Found - GET (\S+)",
            rf"(?:^|[\s'\"]){_NAME}: no matching versions",
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
            rf"(?:[Nn]o|[Ff]ound 0|\b0) (?:{_SORT}s?|[Ff]iles?|match(?:es)?|results?"
            rf"|references?|definitions?|implementations?|usages?|symbols?|documents?)"
            rf"(?: (?:were )?found)?(?: (?:for|in|matching|named))?(?: the)?"
            rf"(?: {_SORT})?:? {_QUOTE}{_NAME}",
        )
    )
)
_LONGEST_LINE = 2_000


def absent_slots(text: str) -> list[Span]:
    """Return the places of names that an output reports as absent."""
    spans: list[Span] = []
    seen_to = -1
    for place in _cues(text):
        if place < seen_to:
            continue
        start = max(0, seen_to, place - _LONGEST_LINE)
        start = max(start, text.rfind("\n", start, place) + 1)
        end = text.find("\n", place, place + _LONGEST_LINE)
        if end < 0:
            end = min(len(text), place + _LONGEST_LINE)
        seen_to = end
        line = encodable(text[start:end])
        for slot in _SLOT.finditer(line):
            first, last = slot.span(slot.lastindex or 0)
            spans.append((start + first, start + last))
    return spans


_CUE = NameSearch(_CUES, reads=math.inf)


def _cues(text: str) -> Iterator[int]:
    """Yield the beginnings of cues."""
    for first, last in blocks(text):
        block = text[first : last + _REACH]
        for _, start, _ in _CUE.in_block(block):
            if start < last - first:
                yield first + start


# Longer than any cue, so that a cue that begins in a block is found whole.
_REACH = 80


def _denials(text: str) -> Iterator[int]:
    """Yield the beginnings of denials; in blocks, since the engine copies its text."""
    for first, last in blocks(text):
        block = text[first : last + _REACH]
        try:
            matches = list(_DENIES.finditer(block))
        except UnicodeEncodeError:
            matches = list(_DENIES.finditer(encodable(block)))
        yield from (
            first + match.start() for match in matches if match.start() < last - first
        )


# Lines that deny a file or folder at any place in the line or in any language; they
# refer to what the call itself requested.
_DENIES = re2.compile(
    r"(?i)no such file|file not found|cannot find path|can't read file"
    r"|no files? (?:matching|found)|no \w+ target named"
    r"|aucun fichier|fichier introuvable|нет такого файла|файл не найден"
    r"|datei oder verzeichnis nicht|no existe el (?:fichero|archivo)"
    r"|arquivo ou diretório|file o directory non|没有那个文件"
    r"|そのような.{0,12}ディレクトリ"
)
_MOST_DENIED = 1_000


def denied_slots(text: str, tool_input: Mapping[str, Any]) -> list[Span]:
    """Return the places in which an output denies a path that its call requested.

    Lines that name something else right before the denial, like those of a compiler,
    are left out: `src/app.c:3: fatal error: app.h: No such file or directory`.

    Args:
        text: The output.
        tool_input: The call's input.
    """
    places = list(itertools.islice(_denials(text), _MOST_DENIED))
    if not places:
        return []
    missing_names = {
        _last(chunk)
        for _, leaf in string_leaves(tool_input)
        for chunk in CHUNK.findall(leaf)
        if _is_path(chunk)
    }
    spans: list[Span] = []
    for place in places:
        start = max(text.rfind("\n", 0, place) + 1, place - _LONGEST_LINE)
        end = text.find("\n", place, place + _LONGEST_LINE)
        line = text[start : end if end > 0 else place + _LONGEST_LINE]
        if any(_is_path(line[a:b]) for a, b in absent_slots(line)):
            continue
        spans += [
            (start + match.start(), start + match.end())
            for match in CHUNK.finditer(line)
            if _is_path(match.group()) and _last(match.group()) in missing_names
        ]
    return spans


def _last(chunk: str) -> str:
    """Return the last component, since a tool may resolve its path."""
    return chunk.replace("\\", "/").rstrip("/.").rpartition("/")[2]


def _is_path(chunk: str) -> bool:
    return len(chunk) > 3 and ("/" in chunk or "\\" in chunk or "." in chunk[1:-1])
