"""A project's own pairs: names of coded values, and actions of tools.

`T3` is the "gold tier", `pm_*` is "PayPal", and `crm_update_17` makes a refund. All of
it is literal text, compared without capitals, blanks and joints; nothing is a pattern.
A star at the end of a code stands for any ending: such codes have a common name, which
does not say which of them is meant.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from verifyhub.engine.calls.deed_words import RecordDeed
from verifyhub.engine.calls.tool_rules import tool_problem, tool_rows
from verifyhub.engine.calls.tools import by_name
from verifyhub.engine.errors import PairsError
from verifyhub.engine.faults import Fault

MAX_PAIRS = 500
LONGEST_TEXT = 100
_FEWEST_BEFORE_STAR = 2
# Maximum words of a side of a pair.
_MOST_WORDS = 12
_WORD = re.compile(r"[^\W_]+")
_JOINT = re.compile(r"[ \u00a0_\-/,.&'’:+]{0,3}")
# Characters after a value that do not belong to it.
_BEHIND = ".,;:!?)]}\"'*"
# The actions that a project can assign to a tool.
DEEDS = tuple(
    deed for deed in RecordDeed if deed not in {RecordDeed.OTHER, RecordDeed.ANY}
)


def folded_name(text: str) -> str:
    """Return a name without capitals, blanks and joints."""
    return "".join(_WORD.findall(text.casefold()))


@dataclass(frozen=True)
class Pairs:
    """A project's names of values, and actions of tools.

    Attributes:
        names: Codes and their names, pair by pair.
        deeds: The actions of tools, by the whole name or by a beginning and a star.
    """

    names: tuple[tuple[str, str], ...] = ()
    deeds: Mapping[str, frozenset[RecordDeed]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.names or self.deeds)

    @cached_property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        other_names: dict[str, tuple[str, ...]] = {}
        for code, name in self.names:
            if not code.endswith("*"):
                key = folded_name(code)
                other_names[key] = (*other_names.get(key, ()), name)
                key = folded_name(name)
                other_names[key] = (*other_names.get(key, ()), code)
        return other_names

    @cached_property
    def _beginnings(self) -> Mapping[str, tuple[str, ...]]:
        beginnings: dict[str, tuple[str, ...]] = {}
        for code, name in self.names:
            if code.endswith("*"):
                key = code[:-1].casefold()
                beginnings[key] = (*beginnings.get(key, ()), name)
        return beginnings

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        """The lengths of the beginnings; few, even with many beginnings."""
        return tuple(sorted({len(beginning) for beginning in self._beginnings}))

    def _begun(self, folded: str) -> Iterator[str]:
        """Yield the names of the beginnings of a folded text."""
        for length in self._lengths:
            if len(folded) > length:
                yield from self._beginnings.get(folded[:length], ())

    def others(self, text: str) -> tuple[str, ...]:
        """Return the other names of a whole value; most values have none."""
        if not self.names or len(text) > LONGEST_TEXT:
            return ()
        other_names = self._other_names.get(folded_name(text), ())
        if self._beginnings:
            other_names += tuple(self._begun(text.casefold()))
        return other_names

    def told_in(self, text: str) -> Iterator[str]:
        """Yield the other names of the values in a text; takes linear time."""
        if not self.names:
            return
        words = list(_WORD.finditer(text))
        for at, word in enumerate(words):
            key, last = "", word.start()
            for next_word in words[at : at + self._longest]:
                if next_word is not word and not _JOINT.fullmatch(
                    text, last, next_word.start()
                ):
                    break
                key += next_word.group().casefold()
                last = next_word.end()
                yield from self._other_names.get(key, ())
            if self._beginnings:
                rest = text[word.start() : word.start() + LONGEST_TEXT].casefold()
                yield from self._begun(rest.split(maxsplit=1)[0].rstrip(_BEHIND))

    def telling(self, name: str) -> str:
        """Return a name without the words that names of other codes have too.

        Of "gold tier" beside "silver tier", only "gold" identifies the value.
        """
        words = _WORD.findall(name.casefold())
        telling = [word for word in words if word not in self._shared]
        return " ".join(telling) if 0 < len(telling) < len(words) else name

    @cached_property
    def _shared(self) -> frozenset[str]:
        codes: dict[str, set[str]] = {}
        for code, name in self.names:
            for word in _WORD.findall(name.casefold()):
                codes.setdefault(word, set()).add(code)
        return frozenset(
            word for word, codes_of_word in codes.items() if len(codes_of_word) > 1
        )

    @cached_property
    def _longest(self) -> int:
        sides = (side for pair in self.names for side in pair)
        return max((len(_WORD.findall(side)) for side in sides), default=0)

    def deeds_of(self, tool: str) -> frozenset[RecordDeed]:
        """Return a tool's actions according to the project; empty if there are none."""
        return by_name(tool, self.deeds) or frozenset()


NO_PAIRS = Pairs()


def read_pairs(names: object = (), deeds: object = ()) -> Pairs:
    """Check pairs and return them.

    Args:
        names: A list of `{"value": "T3", "name": "gold tier"}`.
        deeds: A list of `{"tool": "crm_update_17", "deed": "refund"}`; a tool may have
            several.

    Raises:
        PairsError: With every invalid row of each list; row 0 stands for the whole
            list.
    """
    errors: dict[tuple[str, int], Fault] = {}
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    for row, item in _rows("names", names, errors):
        problem = _wrong_name(item)
        key = (str(item.get("value")).casefold(), folded_name(str(item.get("name"))))
        if problem is None and key in pairs:
            problem = Fault("pair_twice")
        if problem:
            errors["names", row] = problem
        else:
            pairs[key] = (item["value"], item["name"])
    does: dict[str, frozenset[RecordDeed]] = {}
    for row, item in _rows("deeds", deeds, errors):
        problem = _wrong_deed(item)
        if problem is None and item["deed"] in does.get(item["tool"], ()):
            problem = Fault("pair_twice")
        if problem:
            errors["deeds", row] = problem
        else:
            tool = item["tool"]
            does[tool] = does.get(tool, frozenset()) | {RecordDeed(item["deed"])}
    if errors:
        raise PairsError(errors)
    return Pairs(tuple(pairs.values()), does) if pairs or does else NO_PAIRS


def _rows(
    field: str, data: object, errors: dict[tuple[str, int], Fault]
) -> Iterable[tuple[int, dict[str, Any]]]:
    if not isinstance(data, list | tuple):
        errors[field, 0] = Fault("no_list_of_pairs")
        return
    if len(data) > MAX_PAIRS:
        errors[field, 0] = Fault("too_many_pairs", n=MAX_PAIRS)
        return
    for row, item in enumerate(data, start=1):
        if isinstance(item, dict):
            yield row, item
        else:
            errors[field, row] = Fault("no_object")


def _wrong_name(item: dict[str, Any]) -> Fault | None:
    if set(item) != {"value", "name"}:
        return Fault("pair_parts")
    value, name = item["value"], item["name"]
    for text in (value, name):
        if not isinstance(text, str) or not _is_text(text):
            return Fault("pair_text", n=LONGEST_TEXT)
    if "*" in name or "*" in value[:-1] or "=" in value:
        return Fault("pair_signs")
    if value.endswith("*") and len(folded_name(value)) < _FEWEST_BEFORE_STAR:
        return Fault("pair_star", n=_FEWEST_BEFORE_STAR)
    return Fault("pair_same") if folded_name(value) == folded_name(name) else None


def _is_text(text: str) -> bool:
    return (
        0 < len(text) <= LONGEST_TEXT
        and text == text.strip()
        and text.isprintable()
        and 0 < len(_WORD.findall(text)) <= _MOST_WORDS
    )


def _wrong_deed(item: dict[str, Any]) -> Fault | None:
    if set(item) != {"tool", "deed"}:
        return Fault("deed_parts")
    deed = item["deed"]
    problem = tool_problem(item["tool"])
    if problem:
        return problem
    if not isinstance(deed, str) or deed not in DEEDS:
        return Fault("deed_unknown", list=", ".join(DEEDS))
    return None


def names_in(text: str) -> list[dict[str, str]]:
    """Read edited names, unchecked: `T3 = gold tier`, one per line."""
    rows = []
    for line in text.rstrip().splitlines():
        value, _, name = line.partition("=")
        rows.append({"value": value.strip(), "name": name.strip()})
    return rows


def deeds_in(text: str) -> list[dict[str, str]]:
    """Read edited actions, unchecked: the last word of a line is the action."""
    return tool_rows(text, "deed")
