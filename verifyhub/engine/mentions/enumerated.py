"""Names that stand in one list: what is said of one of them is said of all."""

import re

_LINKS = r"and|or|nor|then|и|или|ни|et|ou|ni|und|oder|noch|y|o|e|u"
# Read from the name backwards: a quoted name and what links it to the next.
_LINKED = re.compile(
    rf"(?i)(?:[,;/]\s*(?:(?:{_LINKS})\s+)?|\s(?:{_LINKS})\s+)(?:an? |the )?[`*\"]*$"
)
_OPEN = re.compile(r"[*\"]*`$")
_NEXT = re.compile(
    rf"(?i)^[`*\"]*(?:[,;/]\s*(?:(?:{_LINKS})\s+)?|\s(?:{_LINKS})\s+)(?:the )?"
    r"`[^`\n]{1,80}`"
)
_ENDS = re.compile(
    rf"(?i)^[`*\"')\]”»]*(?:\s*(?:[.,;:!?)]|$)|\s(?:{_LINKS})\s+`"
    r"|\s+(?:in|from|anywhere|here|at all|yet|exists?|either)\b)"
)
# Names of one list that are looked back over: a longer one is no sentence.
_MOST = 12


def list_start(text: str, start: int, floor: int) -> int:
    """Return where the first name of a list stands that a place is part of.

    Args:
        text: The whole text.
        start: Where a name in backticks stands, without them.
        floor: Where to stop looking.
    """
    for _ in range(_MOST):
        before = text[max(floor, start - 24) : start]
        link = _LINKED.search(before) if _OPEN.search(before) else None
        if link is None:
            return start
        end = start - len(before) + link.start()
        if text[end - 1 : end] != "`":
            return start
        opened = text.rfind("`", floor, end - 1)
        if opened < 0 or "\n" in text[opened:end]:
            return start
        start = opened + 1
    return start


def list_end(after: str) -> int:
    """Return where the last name of a list ends, in what follows one of them."""
    end = 0
    while match := _NEXT.match(after[end:]):
        end += match.end()
    return end


def ends_list(after: str) -> bool:
    """Return whether what follows a name says nothing of its own about it."""
    return bool(_ENDS.match(after))
