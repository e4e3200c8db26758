"""Places of an output that only repeat the call's own input.

A search without results repeats its query, a terminal the command line: both only show
that the agent wrote it.
"""

import re
from collections.abc import Iterator, Sequence

from verifyhub.engine.calls.commands import spoken_words
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.tokens import CHUNK
from verifyhub.engine.types import Span

# Longer outputs say more than that nothing was found.
_LONGEST_EMPTY = 2_000
_MOST_LINES = 6
_THINGS = (
    r"(?:results?|match(?:es)?|files?|items?|hits?|documents?|records?|rows?"
    r"|definitions?|references?|implementations?|usages?|symbols?|entries|occurrences?"
    r"|pages?|hover information|data)"
)
_NOTHING = re.compile(
    rf"^[\s\W]{{0,20}}(?:(?:error|result|output)s?: ?)?(?:there (?:are|were) )?"
    rf"(?:(?:no|0|zero)(?: \w{{1,20}})?? {_THINGS}\b"
    rf"|found (?:no|0|zero)(?: \w{{1,20}})?? {_THINGS}\b"
    r"|(?:nothing|not|none)(?: was)? found\b|no match\b)",
    re.IGNORECASE | re.MULTILINE,
)
_FOUND_SOME = re.compile(rf"\b[1-9]\d{{0,6}} {_THINGS}\b", re.IGNORECASE)
_NO_ITEMS = re.compile(
    r"[\"'](?:results?|matches|files|items|hits|documents|data|rows|entries|organic)"
    r"[\"']: ?(?:\[\s{0,9}\]|null|\{\s{0,9}\})"
)
_ITEMS = re.compile(r": ?\[\s{0,20}[^\]\s]")
_RUNNERS = frozenset({ToolKind.SHELL, ToolKind.READ})

# A shell with tracing prints every command after a plus before it runs it.
_TRACES = re.compile(r"\bset -\w{0,8}x|sh -\w{0,8}x|\bxtrace\b")
_PROMPT = re.compile(r"(?:.{0,199}[$#>%❯➜+])?\s{0,40}")
_LONGEST_PROMPT = 240
_MOST_SAID = 100


def found_nothing(output: str) -> bool:
    """Whether an output says that there is nothing to show, and shows nothing."""
    bare = output.strip()
    if not bare or bare in {"[]", "{}", "null", "None"}:
        return True
    if len(bare) > _LONGEST_EMPTY:
        return False
    if bare[0] in "{[":
        return bool(_NO_ITEMS.search(bare)) and not _ITEMS.search(bare)
    if sum(1 for line in bare.splitlines() if line.strip()) > _MOST_LINES:
        return False
    return bool(_NOTHING.search(bare)) and not _FOUND_SOME.search(bare)


def echoed_slots(entry: CallFacts, text: str) -> list[Span]:
    """Return the places of an output that repeat the call's own input.

    Args:
        entry: The call.
        text: Its output, or the remaining part of it.
    """
    if entry.command:
        spoken = spoken_words(entry.command)
        if _TRACES.search(entry.command):
            spoken.append(entry.command)
        return [*_repeated(text, spoken), *_typed(text, _lines_of(entry))]
    if entry.kind in _RUNNERS or not found_nothing(text):
        return []
    input_text = "\n".join(leaf for _, leaf in string_leaves(entry.call.input))
    words = {match.group().strip(".-") for match in CHUNK.finditer(input_text)}
    return [
        match.span()
        for match in CHUNK.finditer(text)
        if match.group().strip(".-") in words
    ]


def _lines_of(entry: CallFacts) -> list[str]:
    """Return the lines of a command, as a terminal prints them: of several words."""
    command = entry.command or ""
    lines = [*command.splitlines()[:_MOST_SAID]]
    lines += [part.text for part in entry.commands[:_MOST_SAID]]
    bare = (line.strip() for line in lines)
    return [line for line in dict.fromkeys(bare) if " " in line]


def _typed(text: str, lines: Sequence[str]) -> Iterator[Span]:
    """Find lines that are a command line, alone or after a prompt."""
    for line in lines:
        start = text.find(line)
        while start >= 0:
            end = start + len(line)
            # Of a long line only the ends are compared, since a prompt is short.
            before = text[max(0, start - _LONGEST_PROMPT) : start].rpartition("\n")[2]
            rest = text[end : end + _LONGEST_PROMPT].partition("\n")[0]
            if not rest.strip() and _PROMPT.fullmatch(before):
                yield start, end
            start = text.find(line, end)


def _repeated(text: str, spoken: Sequence[str]) -> Iterator[Span]:
    """Find the lines of an output that only repeat texts of the command."""
    if not spoken:
        return
    spoken_text = "\n".join(spoken)
    position = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip().lstrip("+").lstrip()
        if bare and len(bare) <= len(spoken_text) and bare in spoken_text:
            yield position, position + len(line)
        position += len(line)
