"""Whether a text shows a name as a member of another: a method of its class.

Read by layout, not by grammar: a member stands on its owner's line, or on the first
level of the lines indented below it, or is reached by a dot. So it holds for code of
any language, for configuration, and for what a search prints of either.
"""

import re
from collections.abc import Iterator

from verifyhub.engine.ledger.index import Patience

_MOST_PLACES = 64
# Places whose enclosing lines are looked for, and lines looked at above each.
_MOST_CLIMBS = 8
_MOST_LINES = 600
_LONGEST_LINE = 2_000
# How far from its first place in a text a name is followed, so that many names of one
# large text do not read it as often.
_FAR = 32_000

_WORD_CHAR = re.compile(r"[\w$]")
_REACHED = re.compile(r"(?:[.#]|->|::|\[['\"]?)$")
# What a tool puts before a line: the file and number, the mark of a diff.
_FRAME = re.compile(
    r"(?:[\w./\\@+~-]{1,300}+:)?[ \t]*+\d{1,7}(?:→|\t|[:|.] ?|-(?=[ \t]))"
    r"|[+-](?=[ \t\w])"
)
_INDENT = re.compile(r"[ \t]*+")


def shows_member(text: str, owner: str, name: str, at: int, patience: Patience) -> bool:
    """Return whether a text shows a name as a member of an owner.

    An owner that is not in this text may be defined above what was read of a file:
    then a name that is indented below none of its lines is taken for a member.

    Args:
        text: The text.
        owner: What the name may be a member of.
        name: The name.
        at: Where the text holds the name first.
        patience: What is left of the lines that may be read; none are read after that.
    """
    text, at = text[max(0, at - _FAR) : at + _FAR], min(at, _FAR)
    here = owner in text
    climbs = 0
    for place in _places(text, name, at):
        first = max(text.rfind("\n", 0, place) + 1, place - _LONGEST_LINE)
        if here and _REACHED.search(text[max(0, place - 3) : place]):
            return True
        if here and _holds(text[first:place], owner):
            return True
        if climbs < _MOST_CLIMBS:
            climbs += 1
            above = _line_around(text, first, patience)
            if _holds(above, owner) if above is not None else _level(text, first) > 0:
                return True
    return False


def shows_unreached(text: str, name: str, at: int) -> bool:
    """Return whether a text shows a name that is not reached through another one.

    In a module, `load(…)` is its own or imported, `json.load(…)` is another's.
    """
    places = _places(text[: at + _FAR], name, at)
    return any(not _REACHED.search(text[max(0, one - 3) : one]) for one in places)


def _places(text: str, name: str, at: int = 0) -> Iterator[int]:
    """Yield where a name stands as a whole word."""
    place = text.find(name, at)
    for _ in range(_MOST_PLACES):
        if place < 0:
            return
        end = place + len(name)
        if not _WORD_CHAR.match(text[end : end + 1]) and not (
            place and _WORD_CHAR.match(text[place - 1])
        ):
            yield place
        place = text.find(name, end)


def _holds(text: str, name: str) -> bool:
    return any(True for _ in _places(text, name))


def _line_around(text: str, start: int, patience: Patience) -> str | None:
    """Return the nearest line above that is indented less; None if none was shown.

    Where lines are numbered, one without a number is the tool's own.
    """
    level = _level(text, start)
    numbered = bool(_FRAME.match(text, start))
    end = start - 1
    for _ in range(_MOST_LINES):
        if end <= 0:
            return None
        patience.lines -= 1
        if patience.lines < 0:
            return ""
        start = max(text.rfind("\n", 0, end) + 1, end - _LONGEST_LINE)
        line = text[start:end]
        if line.strip(" \t\r{}()[]") and _level(text, start) < level:
            return line if bool(_FRAME.match(text, start)) == numbered else None
        end = start - 1
    return None


def _level(text: str, start: int) -> int:
    """Return how far the line at a place is indented after what a tool put before."""
    frame = _FRAME.match(text, start)
    indent = _INDENT.match(text, frame.end() if frame else start)
    return len(indent.group().expandtabs(4)) if indent else 0
