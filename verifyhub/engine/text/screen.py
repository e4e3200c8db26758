"""Screen texts before regular expressions are applied.

Most sentences hold none of the words without which a wording cannot match, and asking
each of a hundred expressions costs a hundred times as much as one look for all their
words together. The words are read from the expressions themselves, so that one that is
added or changed needs nothing else.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeAlias

import ahocorasick_rs

from verifyhub.engine.text.tokens import encodable

# The parser of `re`: the standard library has no public name for it.
_parser: Any = import_module("re._parser")
_codes: Any = import_module("re._constants")

# Spellings that are listed one by one; of more, a part is looked for.
_MOST_SPELLINGS = 64
# Characters of a class that are listed one by one.
_MOST_IN_CLASS = 6
_MOST_REPEATS = 2

_NO_WAY = frozenset({""})
_NOTHING = frozenset({_codes.AT, _codes.ASSERT, _codes.ASSERT_NOT})
# What finds pieces, the expressions of each as bits, and those that always pass.
_Search: TypeAlias = tuple[ahocorasick_rs.AhoCorasick, dict[str, int], int]
_REPEATS = frozenset({_codes.MAX_REPEAT, _codes.MIN_REPEAT, _codes.POSSESSIVE_REPEAT})


class Screens:
    """The expressions of several screens, looked for together.

    One text after the other is asked about by all of them, and looked at once.
    """

    def __init__(self) -> None:
        self._expressions: list[re.Pattern[str]] = []
        self._search: _Search | None = None
        self._last: tuple[str, int] | None = None

    def add(self, expressions: Sequence[re.Pattern[str]]) -> int:
        """Add the expressions of a screen; return the place of the first."""
        first = len(self._expressions)
        self._expressions += expressions
        self._search = self._last = None
        return first

    def mask(self, text: str) -> int:
        """Return a bit for each expression that may match in a text."""
        last = self._last
        if last is not None and last[0] is text:
            return last[1]
        if self._search is None:
            self._search = _search_of(self._expressions)
        automaton, owners, mask = self._search
        try:
            pieces = automaton.find_matches_as_strings(text, True)
        except UnicodeEncodeError:
            pieces = automaton.find_matches_as_strings(encodable(text), True)
        for piece in set(pieces):
            mask |= owners[piece]
        self._last = text, mask
        return mask


class Screen:
    """Regular expressions, each with the substrings that its matches contain.

    A text holds a match of an expression only where `passed` names it. What cannot be
    read from an expression, and one that ignores case, always passes.
    """

    def __init__(
        self, expressions: Iterable[re.Pattern[str]], beside: Screens | None = None
    ) -> None:
        """Read the expressions.

        Args:
            expressions: In order.
            beside: Those of other screens that are asked about the same texts.
        """
        all_expressions = tuple(expressions)
        self._screens = Screens() if beside is None else beside
        self._first = self._screens.add(all_expressions)
        self._all = (1 << len(all_expressions)) - 1

    def passed(self, text: str) -> Iterator[int]:
        """Yield the places of the expressions that may match in a text, in order."""
        mask = self._mask(text)
        while mask:
            lowest = mask & -mask
            yield lowest.bit_length() - 1
            mask ^= lowest

    def passes(self, text: str) -> bool:
        """Return whether any of the expressions may match in a text."""
        return self._mask(text) != 0

    def _mask(self, text: str) -> int:
        return self._screens.mask(text) >> self._first & self._all


def _search_of(expressions: Sequence[re.Pattern[str]]) -> _Search:
    owners: dict[str, int] = {}
    always = 0
    for at, expression in enumerate(expressions):
        pieces = needed_pieces(expression)
        if not pieces:
            always |= 1 << at
        for piece in pieces:
            owners[piece] = owners.get(piece, 0) | 1 << at
    # The table of the quicker automaton does not stay in the processor's cache from one
    # sentence to the next.
    automaton = ahocorasick_rs.AhoCorasick(
        list(owners),
        matchkind=ahocorasick_rs.MatchKind.Standard,
        implementation=ahocorasick_rs.Implementation.ContiguousNFA,
        store_patterns=True,
    )
    return automaton, owners, always


def needed_pieces(expression: re.Pattern[str]) -> frozenset[str]:
    """Return substrings of which every match contains one; none if unknown."""
    if expression.flags & re.IGNORECASE:
        return frozenset()
    flags = expression.flags & ~re.UNICODE
    return _needed(list(_parser.parse(expression.pattern, flags)))


def _needed(sequence: Sequence[Any]) -> frozenset[str]:
    """Return the most telling pieces of a sequence, each part of it being needed."""
    choices: list[frozenset[str]] = []
    prefixes = _NO_WAY
    for code, argument in sequence:
        ways = _ways(code, argument)
        if ways is None:
            choices += [prefixes, _needed_inside(code, argument)]
            prefixes = _NO_WAY
        elif len(prefixes) * len(ways) <= _MOST_SPELLINGS:
            prefixes = frozenset(before + way for before in prefixes for way in ways)
        else:
            choices += [prefixes, ways]
            prefixes = _NO_WAY
    choices.append(prefixes)
    telling = [_shortest(choice) for choice in choices if choice and "" not in choice]
    return max(telling, key=_worth, default=frozenset())


def _needed_inside(code: Any, argument: Any) -> frozenset[str]:
    if code is _codes.SUBPATTERN and not argument[1] & re.IGNORECASE:
        return _needed(list(argument[3]))
    if code in _REPEATS and argument[0]:
        return _needed(list(argument[2]))
    if code is _codes.BRANCH:
        branches = [_needed(list(branch)) for branch in argument[1]]
        if all(branches):
            return _shortest(frozenset[str]().union(*branches))
    return frozenset()


def _spellings(sequence: Iterable[Any]) -> frozenset[str] | None:
    """Return all that a sequence can match; None where that is too much."""
    spellings = {""}
    for code, argument in sequence:
        ways = _ways(code, argument)
        if ways is None or len(spellings) * len(ways) > _MOST_SPELLINGS:
            return None
        spellings = {before + way for before in spellings for way in ways}
    return frozenset(spellings)


def _ways(code: Any, argument: Any) -> frozenset[str] | None:
    if code is _codes.LITERAL:
        return frozenset({chr(argument)})
    if code in _NOTHING:
        return frozenset({""})
    if code is _codes.SUBPATTERN and not argument[1] & re.IGNORECASE:
        return _spellings(argument[3])
    if code is _codes.IN:
        return _in_class(argument)
    if code is _codes.BRANCH:
        branches = [_spellings(branch) for branch in argument[1]]
        known = [branch for branch in branches if branch is not None]
        is_complete = len(known) == len(branches)
        return frozenset[str]().union(*known) if is_complete else None
    if code in _REPEATS:
        return _repeated(*argument)
    return None


def _in_class(members: Iterable[Any]) -> frozenset[str] | None:
    characters: set[str] = set()
    for code, argument in members:
        if code is _codes.LITERAL:
            characters.add(chr(argument))
        elif code is _codes.RANGE and argument[1] - argument[0] < _MOST_IN_CLASS:
            characters.update(map(chr, range(argument[0], argument[1] + 1)))
        else:
            return None
    return frozenset(characters)


def _repeated(least: int, most: int, body: Iterable[Any]) -> frozenset[str] | None:
    ways = _spellings(body) if most <= _MOST_REPEATS else None
    if ways is None:
        return None
    repeats, all_repeats = {""}, set[str]()
    for times in range(most + 1):
        all_repeats |= repeats if times >= least else set()
        repeats = {before + way for before in repeats for way in ways}
    return frozenset(all_repeats) if len(all_repeats) <= _MOST_SPELLINGS else None


def _shortest(pieces: frozenset[str]) -> frozenset[str]:
    """Leave out each piece that holds another one."""
    return frozenset(
        piece
        for piece in pieces
        if not any(other != piece and other in piece for other in pieces)
    )


def _worth(pieces: frozenset[str]) -> tuple[int, int]:
    """Rank pieces by how rare the least telling is."""
    return min(sum(map(_tells, piece)) for piece in pieces), -len(pieces)


def _tells(char: str) -> int:
    """Rank a character: a blank and a mark of the program's own tell nothing."""
    if char == " " or "\ue000" <= char <= "\uf8ff":
        return 0
    return 3 if char > "\x7f" else 1
