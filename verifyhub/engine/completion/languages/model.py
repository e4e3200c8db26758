"""What a language contributes: words that claim work, and words that take it back."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from verifyhub.engine.calls.programs import RunKind, tools_of
from verifyhub.engine.text.screen import Screens


class ClaimKind(StrEnum):
    """What a claim of work done says was done."""

    TESTS = "tests"
    LINT = "lint"
    TYPECHECK = "typecheck"
    BUILD = "build"
    FORMAT = "format"
    EDIT = "edit"
    CREATE = "create"
    DELETE = "delete"
    FIX = "fix"
    RUN = "run"
    COMMIT = "commit"
    PUSH = "push"
    SEND = "send"
    INSTALL = "install"
    OTHER = "other"
    ACTION = "action"


# Every language is asked about each sentence, in lower case with its code masked.
SCREENS = Screens()

# Claims of a run, by what was run, and claims of work on files.
RUN_KINDS = {ClaimKind(kind): kind for kind in RunKind}
FILE_KINDS = frozenset(
    {ClaimKind.EDIT, ClaimKind.CREATE, ClaimKind.DELETE, ClaimKind.FIX}
)


@dataclass(frozen=True, slots=True)
class ClaimWord:
    """A claim's word in a sentence.

    `current` is True where the sentence says how things are now ("all tests pass"),
    False where it tells what happened ("I ran the tests, they passed"). `result`: it
    says that a run went well, not only that there was one. `soft` marks a
    wording that a plan uses as well ("New file: ..."), `needs_command` one that claims
    nothing where its code is no command ("`parse()` ✅"), `needs_file` one that
    claims nothing where it names no file. `known` is False where
    the verb is none of those that are known to tell of work. `state`: it only says how
    a thing stands.
    """

    kind: ClaimKind
    start: int
    end: int
    current: bool = False
    result: bool = False
    soft: bool = False
    needs_command: bool = False
    needs_file: bool = False
    known: bool = True
    state: bool = False


# A language: it yields the claims' words of a masked sentence in lower case.
Language: TypeAlias = Callable[[str], Iterator[ClaimWord]]


def alternation(words: Sequence[str] | Mapping[str, object]) -> str:
    """Return a pattern for any of `words`, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def tool_names(kind: RunKind) -> str:
    """Return a pattern for the programs of a kind of run, alike in every language."""
    return alternation(tools_of(kind))


TEST_TOOLS, LINTERS, TYPE_CHECKERS, BUILDERS, FORMATTERS = map(tool_names, RunKind)


def last_end(pattern: re.Pattern[str], text: str) -> int:
    """Return where the last match of a pattern in a text ends; 0 without one."""
    return max((match.end() for match in pattern.finditer(text)), default=0)


def kinds_by_word(table: Mapping[ClaimKind, str]) -> dict[str, ClaimKind]:
    """Turn rows of words by kind into a look-up by word; `_` stands for a blank."""
    return {
        word.replace("_", " "): kind
        for kind, words in table.items()
        for word in words.split()
    }
