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
from verifyhub.engine.text.search import NameSearch
from verifyhub.engine.text.tokens import word_set

_ID = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9](?:[\w/-]{2,40}[A-Za-z0-9])")
_GROUPS = re.compile(r"(?<![\w-])\+?\d[\d ().-]{4,20}\d(?![\w-])")
_SEPARATOR = re.compile(r"\D")
_DATE = re.compile(r"(?:19|20)\d\d-?\d\d-?\d\d(?:T.*)?|\d\d[./-]\d\d[./-](?:\d\d){1,2}")
_SEGMENT = re.compile(r"[A-Za-z0-9]+")
_SAYS_ID = word_set("id ids number no code key reference")
_TEXT_LIMIT = 40_000
_MOST_LEAVES = 2_000
_MOST_DEPTH = 8


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
    shown: list[str] = [said, *_grouped(said)]
    kin: dict[str, set[frozenset[str]]] = {}
    known: dict[str, set[str]] = {}

    def note(ids: Iterable[str]) -> None:
        for id_ in ids:
            known.setdefault("".join(sorted(id_)), set()).add(id_)

    note((*_grouped(said), *_ID.findall(said)))
    unseen: dict[int, frozenset[str]] = {}
    for entry in calls:
        given = list(_ids(entry.call.input, ()))
        if entry.index in acting:
            strange = frozenset(
                id_
                for keys, id_ in given
                if not any(id_ in text for text in shown)
                and (_is_like(id_, keys, kin) or _is_slip(id_, keys, known))
            )
            if strange:
                unseen[entry.index] = strange
        if not entry.succeeded:
            continue
        output = entry.call.output[:_TEXT_LIMIT]
        if entry.index not in unseen:
            shown += [output.upper(), *_grouped(output), *(id_ for _, id_ in given)]
            note(_grouped(output))
            for keys, id_ in (*given, *_ids(read_json(output), ())):
                kin.setdefault(_form(id_), set()).add(keys)
                note((id_,))
    return unseen


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


def _ids(data: object, path: tuple[str, ...]) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the ids of a value, each with the words of its field and record."""
    stack: list[tuple[object, tuple[str, ...]]] = [(data, path)]
    seen = 0
    while stack and seen < _MOST_LEAVES:
        item, at = stack.pop()
        seen += 1
        # Most are texts, and to ask whether one is a mapping takes longest.
        if isinstance(item, (str, int)):
            if _ID.fullmatch(str(item)):
                words = frozenset(word for key in at[-2:] for word in words_of(key))
                yield words, str(item).upper()
        elif isinstance(item, list):
            stack += [(child, at) for child in item]
        elif isinstance(item, Mapping) and len(at) < _MOST_DEPTH:
            stack += [(child, (*at, str(key))) for key, child in item.items()]
