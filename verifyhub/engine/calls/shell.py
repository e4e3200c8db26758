"""Command lines: the one place where a shell command is taken apart.

Quoted text and here-documents are data: nothing in them starts a command. Everything
here costs time and memory linear in the command, whatever it holds.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from verifyhub.engine.text.tokens import word_set

# Simple commands of one line that are told apart; the rest stays one part.
MAX_PARTS = 500
# Characters of a simple command that are cut into arguments.
ARGUMENTS_LIMIT = 4_000
_MOST_HEREDOCS = 20
_SEPARATOR = re.compile(r"(?:&&|\|\||[;\n|&])\s*+")
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*+(['\"]?)(\w{1,40})\1")
_ARGUMENT = re.compile(
    r"(?:[^\s\"'\\]++|\"(?:[^\"\\]++|\\.)*+\"|'[^']*+'|\\.|[\"'])++", re.DOTALL
)
_QUOTES_IN = re.compile(r"\"((?:[^\"\\]++|\\.)*+)\"|'([^']*+)'|\\(.)", re.DOTALL)
_TO_FILE = re.compile(r"(?<![0-9&=<>-])[1&]?>(>?)(?![>&(])\s*+")
_TARGET = re.compile(r"\"([^\"\n]{1,400})\"|'([^'\n]{1,400})'|([\w@.~/+%,:-]{1,400})")
_SETTING = re.compile(r"[A-Za-z_]\w*+=")
_INNER = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh\s++-[a-z]{0,4}c\s++(['\"])")
# What runs another program and is none itself.
_WRAPPERS = word_set("sudo command env time nice nohup rtk exec")


@dataclass(frozen=True)
class Heredoc:
    """The text fed to a command by `<<TAG`; `literal` where nothing is filled in.

    `opened` is the place of the mark, `closed` where the closing line ends.
    """

    opened: int
    start: int
    end: int
    closed: int
    literal: bool


@dataclass(frozen=True)
class Part:
    """One simple command of a command line.

    `words` are its words with quoted text blanked; `joined` is what stands after it:
    `&&`, `||`, `|`, `;`, `&`, a line break, or nothing; `start` is its place in the
    command line, in code points.
    """

    text: str
    words: tuple[str, ...]
    joined: str
    start: int = 0

    @cached_property
    def argv(self) -> tuple[str, ...]:
        """The words as the program gets them: without quotes and leading settings."""
        text = self.text.partition("\n")[0] if "<<" in self.text else self.text
        text = text[:ARGUMENTS_LIMIT].lstrip("( ")
        if "(" not in text:
            text = text.rstrip(") ")
        found = [_unquoted(word) for word in _ARGUMENT.findall(text)]
        start = 0
        while start < len(found) and (
            found[start] in _WRAPPERS or _SETTING.match(found[start])
        ):
            start += 1
        return tuple(found[start:])

    @cached_property
    def program(self) -> str:
        """The program's name without its folder, with the verb where it is git."""
        verb = git_verb(self.words)
        if verb is not None:
            return f"git {verb}"
        return self.argv[0].rsplit("/", 1)[-1] if self.argv else ""

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The arguments that are no options, redirections or the program itself."""
        found: list[str] = []
        skip = False
        verb = self.program.removeprefix("git ")
        is_git = verb != self.program and verb in self.argv
        for word in self.argv[self.argv.index(verb) + 1 if is_git else 1 :]:
            redirects = word.lstrip("0123456789&")[:1] in {">", "<"}
            if not skip and not redirects and not word.startswith("-"):
                found.append(word)
            skip = redirects and word.lstrip("0123456789&") in {">", ">>", "<", "<<"}
        return tuple(found)


def split_command(command: str) -> tuple[Part, ...]:
    """Split a shell command line into its simple commands, in order.

    A script given to `bash -c` counts as the commands in it.
    """
    plain = without_data(command)
    parts: list[Part] = []
    for start, end, joined in itertools.islice(_spans(plain), MAX_PARTS):
        inner = _INNER.match(command, start, end)
        if inner:
            parts += _inner_parts(command, inner.end(), end, inner[1])
        else:
            _append(parts, command, plain, (start, end), joined)
    return tuple(parts)


def _inner_parts(command: str, start: int, end: int, quote: str) -> Iterator[Part]:
    close = command.rfind(quote, start, end)
    script = command[start : close if close > start else end]
    plain = without_data(script)
    for first, last, joined in itertools.islice(_spans(plain), MAX_PARTS):
        found: list[Part] = []
        _append(found, script, plain, (first, last), joined)
        for part in found:
            yield Part(part.text, part.words, part.joined, start + part.start)


def _append(
    parts: list[Part], command: str, plain: str, span: tuple[int, int], joined: str
) -> None:
    start, end = span
    words = plain[start:end].split()
    if not words or words[0].startswith("#"):
        return
    words[0] = words[0].lstrip("(") or words[0]
    if "(" not in plain[start:end]:
        words[-1] = words[-1].rstrip(")") or words[-1]
    text = command[start:end]
    bare = text.lstrip()
    parts.append(
        Part(bare.rstrip(), tuple(words), joined, start + len(text) - len(bare))
    )


def _spans(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the simple commands of a blanked command line lie, and what joins.

    `2>&1` and `&>` redirect, they do not part commands.
    """
    start = 0
    for match in _SEPARATOR.finditer(plain):
        mark = match.group().strip()
        if plain[match.start() - 1 : match.start()] == ">" or ">&" in match.group():
            continue
        if mark == "&" and plain[match.end() : match.end() + 1] == ">":
            continue
        yield start, match.start(), mark
        start = match.end()
    yield start, len(plain), ""


def part_spans(command: str) -> Iterator[tuple[int, int]]:
    """Yield the places of all simple commands, however many there are."""
    for start, end, _ in _spans(without_data(command)):
        yield start, end


def without_data(command: str) -> str:
    """Blank out quoted strings and here-documents, keeping every offset."""
    pieces: list[str] = []
    last = 0
    for document in heredocs(command):
        # The line break before it goes too: the text belongs to its command.
        pieces += [command[last : document.start - 1]]
        pieces += [" " * (document.closed - document.start + 1)]
        last = document.closed
    pieces.append(command[last:])
    return _QUOTED.sub(lambda match: "_" * len(match.group()), "".join(pieces))


def heredocs(command: str) -> tuple[Heredoc, ...]:
    """Return the here-documents of a command line, without their closing lines."""
    found: list[Heredoc] = []
    position = 0
    while len(found) < _MOST_HEREDOCS:
        opened = _HEREDOC.search(command, position)
        body = command.find("\n", opened.end()) if opened else -1
        if opened is None or body < 0:
            break
        tag = opened[2]
        close = _closing(command, body, tag)
        end = min(close + 1, len(command))
        closed = min(end + len(tag), len(command))
        start = body + 1
        literal = bool(opened[1])
        found.append(
            Heredoc(opened.start(), start, max(start, end), max(start, closed), literal)
        )
        position = max(closed, start)
    return tuple(found)


def _closing(command: str, body: int, tag: str) -> int:
    """Return where the line break before the closing tag stands."""
    close = command.find(f"\n{tag}\n", body)
    if close < 0 and command.endswith(f"\n{tag}"):
        close = len(command) - len(tag) - 1
    if close < 0:
        close = command.find(f"\n{tag}", body)
    return len(command) if close < 0 else close


def redirections(command: str) -> Iterator[tuple[int, str, bool]]:
    """Yield place, file and whether it appends, of all that a command line writes."""
    for match in _TO_FILE.finditer(without_data(command)):
        target = _TARGET.match(command, match.end())
        if target:
            name = next(group for group in target.groups() if group is not None)
            yield match.start(), name, bool(match[1])


def git_verb(words: tuple[str, ...]) -> str | None:
    """Return the verb of a git command, "" if it has none; None if it is no git."""
    position = 0
    while position < len(words) and (
        words[position] in _WRAPPERS or "=" in words[position]
    ):
        position += 1
    if position >= len(words) or words[position].rsplit("/", 1)[-1] != "git":
        return None
    position += 1
    while position < len(words) and words[position].startswith("-"):
        position += 2 if words[position] in {"-C", "-c"} else 1
    return words[position] if position < len(words) else ""


def _unquoted(word: str) -> str:
    if not any(mark in word for mark in "\"'\\"):
        return word
    return _QUOTES_IN.sub(lambda match: match[1] or match[2] or match[3] or "", word)
