"""Ids that a call was given and that nothing before it shows.

A call on `card_0b44`, in a run that only knows `card_0b4e`, acts on another card.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import ne

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.inputs import read_json
from verifyhub.engine.calls.record_calls import PAYS, RecordCall
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.search import NameSearch
from verifyhub.engine.text.tokens import word_set

# An id, if it has a digit.
_ID = re.compile(r"[A-Za-z0-9][\w/-]{2,40}[A-Za-z0-9]")
_DIGIT = re.compile(r"\d")
_GROUPS = re.compile(r"(?<![\w-])\+?\d[\d ().-]{4,20}\d(?![\w-])")
_SEPARATOR = re.compile(r"\D")
_DATE = re.compile(r"(?:19|20)\d\d-?\d\d-?\d\d(?:T.*)?|\d\d[./-]\d\d[./-](?:\d\d){1,2}")
_SEGMENT = re.compile(r"[A-Za-z0-9]+")
_SAYS_ID = word_set("id ids number no code key reference")
_TEXT_LIMIT = 40_000
_MOST_LEAVES = 2_000
_MOST_DEPTH = 8

# An id with the words of its field and record.
_Given = tuple[frozenset[str], str]


def calls_on_unseen(
    calls: Sequence[Call], doing: Iterable[RecordCall], texts: Iterable[str]
) -> Mapping[int, frozenset[str]]:
    """Return the calls that were given an id which only resembles a known one.

    Args:
        calls: The calls of a run.
        doing: Those that act on records.
        texts: What the user and the policy say.

    Returns:
        By the index of a call, such ids in upper case.
    """
    said = "\n".join(texts)[:_TEXT_LIMIT].upper()
    acting = {call.index for call in doing}
    given = [list(_ids(entry.call.input)) for entry in calls]
    ids = {
        id_
        for entry, fields in zip(calls, given, strict=True)
        if entry.index in acting
        for _, id_ in fields
    }
    first = "\n".join((said, *_grouped(said)))
    shown = {id_ for id_ in ids if id_ in first}
    # Each output is read once, however many ids there are.
    search = NameSearch(sorted(ids - shown), overlapping=True)
    in_groups = any(map(str.isdecimal, search.names))
    known = _KnownIds(said)
    unseen: dict[int, frozenset[str]] = {}
    for entry, fields in zip(calls, given, strict=True):
        if len(shown) == len(ids):
            break
        if entry.index in acting:
            strange = frozenset(
                id_
                for keys, id_ in fields
                if id_ not in shown and known.resemble(id_, keys)
            )
            if strange:
                unseen[entry.index] = strange
                continue
        if entry.succeeded:
            output = entry.call.output[:_TEXT_LIMIT]
            groups = _grouped(output) if in_groups else ()
            block = "\n".join((output.upper(), *groups, *(id_ for _, id_ in fields)))
            shown.update(search.names[place] for place, *_ in search.in_block(block))
            known.add(fields, output)
    return unseen


class _KnownIds:
    """The ids that a run tells. Its outputs are read once an id is unknown."""

    def __init__(self, said: str) -> None:
        self._said = said
        self._unread: list[tuple[list[_Given], str]] = []
        self._kin: dict[str, set[frozenset[str]]] = {}

    def add(self, given: list[_Given], output: str) -> None:
        """Add the ids that a call was given, and those that it returned."""
        self._unread.append((given, output))

    def resemble(self, id_: str, keys: frozenset[str]) -> bool:
        """Whether an id has the form of known ones, or is one with a slip in it."""
        for given, output in self._unread:
            _note(self._by_characters, _grouped(output))
            for known_keys, known in (*given, *_ids(read_json(output))):
                self._kin.setdefault(_form(known), set()).add(known_keys)
                _note(self._by_characters, (known,))
        self._unread.clear()
        return _is_like(id_, keys, self._kin) or _is_slip(
            id_, keys, self._by_characters
        )

    @cached_property
    def _by_characters(self) -> dict[str, set[str]]:
        said: dict[str, set[str]] = {}
        _note(said, (*_grouped(self._said), *_ID.findall(self._said)))
        return said


def _note(by_characters: dict[str, set[str]], ids: Iterable[str]) -> None:
    for id_ in ids:
        by_characters.setdefault("".join(sorted(id_)), set()).add(id_)


def _grouped(text: str) -> list[str]:
    """Return the numbers that are written in groups, such as that of a telephone."""
    return [_SEPARATOR.sub("", group) for group in _GROUPS.findall(text)]


def _is_slip(
    id_: str, keys: frozenset[str], known: Mapping[str, Iterable[str]]
) -> bool:
    """Whether an id is a known one with two of its characters swapped.

    Args:
        id_: The id.
        keys: The words of its field.
        known: The known ids by their characters in order.
    """
    if _DATE.fullmatch(id_) or PAYS.search(" ".join(keys)):
        return False
    return any(
        sum(map(ne, id_, other)) == _SWAPPED
        for other in known.get("".join(sorted(id_)), ())
    )


_SWAPPED = 2


def stray_names(
    calls: Sequence[Call], doing: Iterable[RecordCall], texts: Iterable[str]
) -> Mapping[int, frozenset[str]]:
    """Return the names that calls were given and that nothing before them shows.

    Args:
        calls: The calls of a run.
        doing: Those that act on records.
        texts: What the user and the policy say.

    Returns:
        By the index of a call, such names as they are written.
    """
    said = "\n".join(texts)[:_TEXT_LIMIT].casefold()
    names = {
        call.index: [value for _, value in call.given if _NAME.fullmatch(value)]
        for call in doing
    }
    folded = {name.casefold() for given in names.values() for name in given}
    known = {name for name in folded if name in said}
    # Each output is read once, however many names there are.
    search = NameSearch(sorted(folded - known), overlapping=True)
    stray: dict[int, frozenset[str]] = {}
    for entry in calls if search.names else ():
        new = frozenset(
            name for name in names.get(entry.index, ()) if name.casefold() not in known
        )
        if new:
            stray[entry.index] = new
        output = entry.call.output[:_SHOWN_LIMIT].casefold()
        known.update(search.names[place] for place, *_ in search.in_block(output))
    return stray


# A name of at most five words; what is switched on or off has none.
_NAME = re.compile(
    r"(?!(?:True|False)\Z)[A-ZÀ-Ý][a-zà-ÿ]{2,20}(?::? [A-Za-zÀ-ÿ]{1,20}){0,4}"
)
_SHOWN_LIMIT = 8_000


def _is_like(
    id_: str, keys: frozenset[str], kin: Mapping[str, set[frozenset[str]]]
) -> bool:
    """Whether ids of the same form, and for numbers of the same field, are known."""
    form = _form(id_)
    if any(map(str.isalpha, form)):
        return form in kin
    return any(
        keys & other - _SAYS_ID and (keys | other) & _SAYS_ID
        for other in kin.get(form, ())
    )


def _form(id_: str) -> str:
    """Return an id with each part that has a digit replaced by its length."""
    return _SEGMENT.sub(
        lambda part: "9" * len(part[0]) if any(map(str.isdigit, part[0])) else part[0],
        id_,
    )


def _ids(data: object) -> Iterator[_Given]:
    """Yield the ids of a value, each with the words of its field and record."""
    stack: list[tuple[object, tuple[str, ...]]] = [(data, ())]
    seen = 0
    while stack and seen < _MOST_LEAVES:
        item, at = stack.pop()
        seen += 1
        # Most are texts, and to ask whether one is a mapping takes longest.
        if isinstance(item, (str, int)):
            text = str(item)
            if _ID.fullmatch(text) and _DIGIT.search(text):
                words = frozenset(word for key in at[-2:] for word in words_of(key))
                yield words, text.upper()
        elif isinstance(item, list):
            stack += [(child, at) for child in item]
        elif isinstance(item, Mapping) and len(at) < _MOST_DEPTH:
            stack += [(child, (*at, str(key))) for key, child in item.items()]
