"""Command lines: the only place where a shell command is parsed.

Quoted text and here-documents are data: no command begins in them. Everything here
takes time and memory linear in the command, whatever its content.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.programs import (
    ProgramRole,
    RunKind,
    has_nested_verb,
    program_name,
    role_of,
    takes_value,
    wraps,
)
from verifyhub.engine.calls.tasks import command_kinds
from verifyhub.engine.lazily import cached_property

# Maximum simple commands of one line; the rest is one part.
MAX_PARTS = 500
# Maximum characters of a simple command that are split into arguments.
ARGUMENTS_LIMIT = 4_000
_MOST_HEREDOCS = 20
# Parts that the shell would substitute are unknown.
FILLED_IN = frozenset("*?[{$`\\")
_SEPARATOR = re.compile(r"(?:&&|\|\||[;\n|&])\s*+")
_QUOTED = re.compile(r"\"(?:[^\"\\]++|\\.)*+\"|'[^']*+'", re.DOTALL)
_HEREDOC = re.compile(r"(?<!<)<<(?!<)-?[ \t]*+(['\"]?)(\w{1,40})\1")
_ARGUMENT = re.compile(
    r"(?:[^\s\"'\\]++|\"(?:[^\"\\]++|\\.)*+\"|'[^']*+'|\\.|[\"'])++", re.DOTALL
)
_QUOTES_IN = re.compile(r"\"((?:[^\"\\]++|\\.)*+)\"|'([^']*+)'|\\(.)", re.DOTALL)
_TO_FILE = re.compile(r"(?<![0-9&=<>-])[1&]?>(>?)(?![>&(])\s*+")
# "/home/<USER>/shop": a name that a shared transcript leaves out.
_REDACTED = re.compile(r"<[A-Z][A-Z_]{0,30}>\Z")
_TARGET = re.compile(r"\"([^\"\n]{1,400})\"|'([^'\n]{1,400})'|([\w@.~/+%,:-]{1,400})")
_NOT_OWN = re.compile(r"\d?>|\w+=|rtk$")
_SETTING = re.compile(r"[A-Za-z_]\w*+=")
_INNER = re.compile(r"(?:/\S*/)?(?:ba|z|da)?sh\s++-[a-z]{0,4}c\s++(['\"])")
_IN_PLACE = re.compile(r"\s(?:-\w{0,8}i|--in-place)")
# Options and names of tasks with which a program rewrites files.
_REWRITES = re.compile(r"\s(?:--fix|--write|-w|--in-place|-i\S*|lint:fix|fmt|format)\b")
_INLINE = re.compile(r"\s-\w*c\b|\s-e\b|\s-m\b|\s-p\b|<<")
# Options with which a filter does more than print.
_ACTS = re.compile(r"\s(?:-delete|-exec\w*|-ok\w*|-o|--output\S*)\b")
# `gh api` reads, unless it is given what to send; GraphQL sends its queries too.
_SENDS = re.compile(
    r"\bmutation\b|\s(?:-X|--method)[ =]?(?!GET\b)\w"
    r"|^(?!.*\bgraphql\b)(?!.*--?(?:X|method)[ =]?GET\b).*"
    r"\s(?:-[fF]\b|--(?:raw-)?field\b|--input\b)",
    re.DOTALL,
)
_GENERATES = re.compile(
    r"\bcreate-[a-z]|\bmake:[a-z]+|\bcurl\b.{0,400} -[oO]\b"
    r"|\s(?:-u|--update\S*|--fix|--write|-w|--in-place)\b"
)


@dataclass(frozen=True)
class Heredoc:
    """The text that `<<TAG` passes to a command; `literal` if nothing is substituted.

    `opened` is the position of the mark, `closed` that of the closing line's end.
    """

    opened: int
    start: int
    end: int
    closed: int
    literal: bool


_TRIES = ("--dry-run", "--syntax-check", "--what-if", "--noop")
# Verbs that only show what would be done.
_REHEARSALS = frozenset({"template", "plan", "validate", "preview", "diff", "config"})


_HIDES = ProgramRole.INTERPRETS | ProgramRole.RUNS_TASKS


@dataclass(frozen=True)
class SimpleCommand:
    """One simple command of a command line: one program with its arguments.

    `words` are its words with quoted text blanked; `joined` is the operator after it:
    `&&`, `||`, `|`, `;`, `&`, a line break, or nothing; `start` is its position in the
    command line, in code points.
    """

    text: str
    words: tuple[str, ...]
    joined: str
    start: int = 0

    @cached_property
    def argv(self) -> tuple[str, ...]:
        """The words as the program gets them, without those that only run the program.

        These are settings (`A=1`), wrappers (`sudo`, `npx`, `uv run`), and `python -m`
        before a module that is also a program.
        """
        text = self.text.partition("\n")[0] if "<<" in self.text else self.text
        text = text[:ARGUMENTS_LIMIT].replace("\\\n", " ").lstrip("( ")
        if "(" not in text:
            text = text.rstrip(") ")
        return _unwrapped([_unquoted(word) for word in _ARGUMENT.findall(text)])

    @cached_property
    def bare_words(self) -> tuple[str, ...]:
        """Its words, with absolute paths without their folders."""
        return tuple(map(_bare, self.words))

    @cached_property
    def own_words(self) -> tuple[str, ...]:
        """Its bare words without settings and redirections."""
        return tuple(_bare(word) for word in self.words if not _NOT_OWN.match(word))

    @cached_property
    def program(self) -> str:
        """The name of the program in the registry; "" if there is none."""
        return program_name(self.argv[0]) if self.argv else ""

    @cached_property
    def verb(self) -> str:
        """The word for the program's action, as in `git commit`; "" if none."""
        return self.argv[self._verb_at] if self._verb_at else ""

    @cached_property
    def _verb_at(self) -> int:
        """The position of the verb among the words; 0 if there is none."""
        place = _next_word(self.argv, 1, self.program)
        nested = has_nested_verb(self.program)
        if place and (nested or has_nested_verb(self.program, self.argv[place])):
            return _next_word(self.argv, place + 1, self.program) or place
        return place

    @cached_property
    def role(self) -> ProgramRole:
        """The role of the program and its verb in the registry."""
        return role_of(self.program, self.verb)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The arguments without options, redirections, program and verb of git."""
        result: list[str] = []
        skip = False
        first = self._verb_at + 1 if self.program == "git" and self.verb else 1
        for word in self.argv[first:]:
            redirects = word.lstrip("0123456789&")[:1] in {">", "<"}
            if not skip and not redirects and not word.startswith("-"):
                result.append(word)
            skip = redirects and word.lstrip("0123456789&") in {">", ">>", "<", "<<"}
        return tuple(result)

    @cached_property
    def kinds(self) -> tuple[RunKind, ...]:
        """The kinds of run that it starts."""
        return command_kinds(self.argv, self.program, self.verb)

    @cached_property
    def edits_in_place(self) -> bool:
        """Whether it changes the files in its arguments: `sed -i`."""
        return ProgramRole.EDITS_IN_PLACE in self.role and bool(
            _IN_PLACE.search(self.text)
        )

    @property
    def edited(self) -> tuple[str, ...]:
        """The files that it edits; the first operand is the script."""
        return self.operands[0 if " -e" in self.text else 1 :]

    @cached_property
    def runs_inline(self) -> bool:
        """Whether it interprets an inline script in the command."""
        return ProgramRole.INTERPRETS in self.role and bool(_INLINE.search(self.text))

    @cached_property
    def rewrites(self) -> bool:
        """Whether it rewrites files, by an option or verb: `--fix`, `fmt`."""
        return not self.role & ProgramRole.LOOKS and bool(
            _REWRITES.search(f" {self.text}")
        )

    @cached_property
    def looks(self) -> bool:
        """Whether it only looks: it neither changes nor creates anything."""
        if ProgramRole.FILTERS in self.role and not self.edits_in_place:
            return not _ACTS.search(self.text)
        if self.program == "gh" and "api" in self.argv[1:2]:
            return not _SENDS.search(self.text)
        return ProgramRole.LOOKS in self.role

    @cached_property
    def rehearses(self) -> bool:
        """Whether it only shows what would be done: `--dry-run`, `helm template`."""
        tries = self.verb in _REHEARSALS and ProgramRole.VERSIONS not in self.role
        return tries or any(word.startswith(_TRIES) for word in self.words)

    @cached_property
    def makes(self) -> bool:
        """Whether it creates or changes things named by its own words or output."""
        text = self.text[:ARGUMENTS_LIMIT]
        if self.looks or self.rehearses or ProgramRole.RECORDS in self.role:
            return False
        return bool(
            ProgramRole.MAKES in self.role
            or any(
                ProgramRole.MAKES in role_of(program_name(word)) for word in self.argv
            )
            or _GENERATES.search(text)
        )

    @cached_property
    def may_change(self) -> bool:
        """Whether it may have changed anything but the content of version control."""
        if self.makes:
            return True
        return not (self.looks or self.kinds or ProgramRole.RECORDS in self.role)

    @property
    def may_write(self) -> bool:
        """Whether it is a script or an unknown program, which may write any file."""
        own = self.role is ProgramRole.NONE or self.role & _HIDES
        return bool(own and self.may_change and not self.kinds)

    @cached_property
    def leaves_files(self) -> bool:
        """Whether it certainly does not change source files, or only deletes some."""
        # Printed text may be written to a file; deleted files must be named.
        if self.role & ProgramRole.LOOKS:
            return ProgramRole.SPEAKS not in self.role
        if self.role & ProgramRole.DELETES:
            return bool(self.operands)
        checks = bool(self.role & (ProgramRole.TESTS | ProgramRole.TYPECHECK))
        return checks and not (self.rewrites or self.makes)


# Options of `timeout` before the program that it runs.
_SECONDS = re.compile(r"\d[\d.]*[smhd]?")


def _unwrapped(words: list[str]) -> tuple[str, ...]:
    start = 0
    while start < len(words) and (inner := _inside(words, start)):
        start = inner
    if words[start : start + 1] == ["command"] and start + 1 < len(words):
        return ("which", *words[start + 2 :])  # `command -v` runs nothing.
    return tuple(words[start:])


def _inside(words: Sequence[str], start: int) -> int:
    """Return the position of the program after a setting or wrapper; 0 if none.

    `uv run pytest`, `timeout 60 make`, `A=1 ls`, `python -m mypy`.
    """
    if _SETTING.match(words[start]):
        return start + 1
    name = program_name(words[start])
    place = _next_word(words, start + 1, name)
    if name == "command" and place != start + 1:
        return 0
    if name == "python":
        return _module(words, start)
    if place and wraps(name, words[place]):
        return _next_word(words, place + 1, name)
    if name == "timeout" and place and _SECONDS.fullmatch(words[place]):
        return _next_word(words, place + 1, name)
    return place if ProgramRole.WRAPS in role_of(name) else 0


def _next_word(words: Sequence[str], start: int, program: str) -> int:
    """Return the position of the next word that is no option or value; 0 if none."""
    while start < len(words):
        if not words[start].startswith("-"):
            return start
        start += 2 if takes_value(program, words[start]) else 1
    return 0


def _module(words: Sequence[str], start: int) -> int:
    """Return the position of the module of `python -m`, if it is also a program."""
    for place in range(start + 1, len(words) - 1):
        if words[place] == "-m":
            return place + 1 if role_of(words[place + 1]) else 0
        if not words[place].startswith("-"):
            break
    return 0


def split_command(command: str) -> tuple[SimpleCommand, ...]:
    """Split a shell command line into its simple commands, in order.

    A script of `bash -c` counts as the commands in it.
    """
    return tuple(_simple_commands(command))


def _simple_commands(command: str, offset: int = 0) -> Iterator[SimpleCommand]:
    """Yield simple commands; `offset` is the position of a script of `bash -c`.

    A script inside such a script stays one command.
    """
    plain = without_data(command)
    for start, end, operator in itertools.islice(_spans(plain), MAX_PARTS):
        inner = None if offset else _INNER.match(command, start, end)
        if inner:
            first = inner.end()
            close = command.rfind(inner[1], first, end)
            script = command[first : close if close > first else end]
            yield from _simple_commands(script, first)
            continue
        words = plain[start:end].split()
        if not words or words[0].startswith("#"):
            continue
        words[0] = words[0].lstrip("(") or words[0]
        if "(" not in plain[start:end]:
            words[-1] = words[-1].rstrip(")") or words[-1]
        text = command[start:end].lstrip()
        yield SimpleCommand(
            text.rstrip(), tuple(words), operator, offset + end - len(text)
        )


def _spans(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of simple commands in a blanked command line, with the operators.

    `2>&1` and `&>` are redirections, not operators.
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
    """Yield the spans of all simple commands, however many there are."""
    for start, end, _ in _spans(without_data(command)):
        yield start, end


def without_data(command: str) -> str:
    """Blank quoted strings and here-documents; positions do not change."""
    pieces: list[str] = []
    last = 0
    for document in heredocs(command):
        # With the line break before it, since the text belongs to its command.
        pieces += [command[last : document.start - 1]]
        pieces += [" " * (document.closed - document.start + 1)]
        last = document.closed
    pieces.append(command[last:])
    plain = _QUOTED.sub(lambda match: "_" * len(match.group()), "".join(pieces))
    # A line that ends in a backslash goes on in the next.
    return plain.replace("\\\n", "  ")


def heredocs(command: str) -> tuple[Heredoc, ...]:
    """Return the here-documents of a command line, without their closing lines."""
    documents: list[Heredoc] = []
    if "<<" not in command:
        return ()  # Most hold none, and the expression tries every place.
    position = 0
    while len(documents) < _MOST_HEREDOCS:
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
        documents.append(
            Heredoc(opened.start(), start, max(start, end), max(start, closed), literal)
        )
        position = max(closed, start)
    return tuple(documents)


def _closing(command: str, body: int, tag: str) -> int:
    """Return the position of the line break before the closing tag."""
    close = command.find(f"\n{tag}\n", body)
    if close < 0 and command.endswith(f"\n{tag}"):
        close = len(command) - len(tag) - 1
    if close < 0:
        close = command.find(f"\n{tag}", body)
    return len(command) if close < 0 else close


def redirections(command: str) -> Iterator[tuple[str, bool]]:
    """Yield each file that a command line writes, and whether it appends."""
    if ">" not in command:
        return
    for match in _TO_FILE.finditer(without_data(command)):
        if _REDACTED.search(command, max(0, match.start() - 32), match.start() + 1):
            continue
        target = _TARGET.match(command, match.end())
        if target:
            name = next(group for group in target.groups() if group is not None)
            yield name, bool(match[1])


def _bare(word: str) -> str:
    return word.strip("'\"_").rsplit("/", 1)[-1] if word.startswith("/") else word


def _unquoted(word: str) -> str:
    if not any(mark in word for mark in "\"'\\"):
        return word
    return _QUOTES_IN.sub(lambda match: match[1] or match[2] or match[3] or "", word)
