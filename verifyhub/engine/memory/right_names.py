"""Check corrected names: one name in the form of its kind may be shared, no prose."""

import re
from typing import Final

from verifyhub.engine.calls.programs import is_program
from verifyhub.engine.text.quoting import is_name
from verifyhub.engine.types import MentionKind

# Characters of one name, without the blanks, quotes and marks of prose and shells. Each
# is one class repeated, so that a match takes linear time.
_SYMBOL: Final = re.compile(r"[\w$@.:#\\!?>-]+(?:\(\))?")
_PATH: Final = re.compile(r"[^\s\"'`<>|*?;&$!{}]+")
_WORD: Final = re.compile(r"[\w./:@+=,~^-]+")
_SHAPES: Final = {
    MentionKind.FILE: _PATH,
    MentionKind.DIRECTORY: _PATH,
    MentionKind.PACKAGE: re.compile(r"[\w@][\w@./:+~-]*"),
    MentionKind.CLASS: _SYMBOL,
    MentionKind.FUNCTION: _SYMBOL,
    MentionKind.IDENTIFIER: _SYMBOL,
    MentionKind.URL: re.compile(r"[^\s\"'`<>|\\{}]+"),
    MentionKind.ENVIRONMENT_VARIABLE: re.compile(r"\$?\{?\w+\}?"),
    MentionKind.COMMIT: re.compile(r"[0-9a-fA-F]{4,64}"),
    MentionKind.VERSION: re.compile(r"[\w.+-]*[0-9][\w.+-]*"),
}


def is_right_name(kind: str, text: str) -> bool:
    """Whether a text has the shape of a name of a kind.

    Agents are told to use it: a sentence, a second line or anything hidden is none. A
    command of several words begins with a program that is known as one; of every other
    kind a name is one word.

    Args:
        kind: One of `MentionKind`; of another one nothing is a name.
        text: The name that agents should use.
    """
    if kind not in set(MentionKind) or not is_name(text) or not text.isprintable():
        return False
    if kind == MentionKind.COMMAND:
        program, *words = text.split(" ")
        known = is_program(program) or not words
        return known and all(_WORD.fullmatch(word) for word in (program, *words))
    return _SHAPES[MentionKind(kind)].fullmatch(text) is not None
