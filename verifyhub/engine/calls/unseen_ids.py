"""Ids that a call was given and that nothing before it shows.

A call on `card_0b44`, in a run that only knows `card_0b4e`, acts on another card.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.calls.inputs import read_json
from verifyhub.engine.calls.record_calls import RecordCall
from verifyhub.engine.text.tokens import word_set

_ID = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9](?:[\w-]{2,40}[A-Za-z0-9])")
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
    shown: list[str] = [said]
    kin: dict[str, set[frozenset[str]]] = {}
    unseen: dict[int, frozenset[str]] = {}
    for entry in calls:
        given = list(_ids(entry.call.input, ()))
        if entry.index in acting:
            strange = frozenset(
                id_
                for keys, id_ in given
                if _is_like(id_, keys, kin) and not any(id_ in text for text in shown)
            )
            if strange:
                unseen[entry.index] = strange
        if not entry.succeeded:
            continue
        output = entry.call.output[:_TEXT_LIMIT]
        if entry.index not in unseen:
            shown += [output.upper(), *(id_ for _, id_ in given)]
            for keys, id_ in (*given, *_ids(read_json(output), ())):
                kin.setdefault(_form(id_), set()).add(keys)
    return unseen


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
        if isinstance(item, Mapping) and len(at) < _MOST_DEPTH:
            stack += [(child, (*at, str(key))) for key, child in item.items()]
        elif isinstance(item, list):
            stack += [(child, at) for child in item]
        elif isinstance(item, str | int) and _ID.fullmatch(str(item)):
            words = frozenset(word for key in at[-2:] for word in words_of(key))
            yield words, str(item).upper()
