"""Records of a run: the objects that tools returned, their ids, fields and versions.

An output that is JSON, as a whole, line by line or inside a string of other JSON, or a
table or labelled lines (`tables.py`), is walked once. Each object with something that
names it is a record; every number, word and text in it is a leaf. What a later call
shows of the same record replaces what an earlier one showed, field by field.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import RecordDeed, deeds_of, words_of
from verifyhub.engine.calls.inputs import read_json
from verifyhub.engine.calls.literals import cut_json
from verifyhub.engine.calls.tools import changes_records
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.values.tables import read_tables

Scalar: TypeAlias = str | int | float | bool
Path: TypeAlias = tuple[str | int, ...]

MOST_LEAVES = 50_000
_MOST_DEPTH = 48
_LONGEST_NESTED = 400_000
_LONGEST_ID = 200
# A key that says "this is what the object is called", best first.
_ID_KEY = re.compile(
    r"(?:^|[_\-. ])(?:id|uuid|guid|key|number|no|nr|code|sku|ref|reference|pnr|locator"
    r"|tracking|barcode|serial|symbol|ticker|isin|iban|slug|ticket|invoice|msisdn|vin"
    r"|imei|tag|номер|nummer|numéro|número|referencia|référence)$"
)
# What ends as an id does and names a place or a line, not the record.
_NO_ID = re.compile(
    r"(?:^|[_\-.])(?:phone|fax|mobile|telephone|zip|postal|area|country|house|street"
    r"|currency|dial|promo|discount|status|error|state|language)(?:$|[_\-.])"
)
_NAME_KEY = re.compile(r"(?:^|[_\-.])(?:name|title|label|email)$")
# What says of a number what it is, and names nothing.
_FIELD_KEY = re.compile(
    r"(?:^|_)(?:id|price|amount|cost|fee|total|count|quantity|number|rate|size|length"
    r"|width|height|weight|age|year|month|day|min|max|lat|lng|lon|latitude|longitude"
    r"|score|rating|balance|tax|page|limit|offset)s?(?:_|$)"
)
# Where an object is, which names it as well.
_PLACE_KEYS = frozenset({"address", "street_address"})
_FEWEST_NAMED = 2
# Words of tools that change a record, beside those by which tools of every kind do.
_WRITING = word_set(
    """
    freeze unfreeze suspend renew extend reschedule refund transfer activate deactivate
    upgrade downgrade swap switch replace assign reassign close reopen approve reject
    pay submit confirm block unblock lock unlock enable disable apply redeem reset
    resume pause stop rebook escalate register enroll reserve process void merge toggle
    """
)
_NO_DEED = frozenset({RecordDeed.OTHER, RecordDeed.ANY})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W_]+")
_DATE = re.compile(r"\d{1,4}[-./:]\d{1,2}(?!\w)|PT?\d")
_MOST_COMPARED = 60
_LONGEST_NAMING = 60
_NO_IDS = frozenset[str]()


@lru_cache(maxsize=2048)
def key_words(key: str) -> tuple[str, ...]:
    """Split a key such as `lastFour` or `last_four` into its words in lower case."""
    return tuple(
        word for word in re.split(r"[\W_]+", _HUMP.sub("_", key).lower()) if word
    )


class Leaf(NamedTuple):
    """One number, word or text of an output; a tuple, as there are thousands.

    Attributes:
        call: Index of the call.
        path: Keys and list positions from the top of the output.
        value: As JSON has it; null is no leaf.
        record: The innermost record it lies in, if any.
        key: The nearest key above it; empty in a list at the top.
    """

    call: int
    path: Path
    value: Scalar
    record: "Record | None"
    key: str

    @property
    def dotted(self) -> str:
        """The path as it is shown: `flights.0.price`."""
        return ".".join(map(str, self.path))

    @property
    def ids_around(self) -> frozenset[str]:
        """The folded ids of the records that it lies in."""
        return _NO_IDS if self.record is None else self.record.ids


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An object as one call showed it.

    Attributes:
        call: Index of the call.
        path: Where it lies in the output.
        id: What names it: an id or number, else a name; empty where nothing does.
        id_key: The key that holds the id; empty for the key of a mapping.
        parent: The record it lies in.
        written: Whether the call changed it, by its tool's name, and succeeded.
        ids: Its folded id and those of the records that it lies in.
        leaves: The leaves that lie in it and in no record inside it.
    """

    call: int
    path: Path
    id: str
    id_key: str
    parent: "Record | None"
    written: bool
    ids: frozenset[str]
    leaves: list[Leaf] = field(default_factory=list)

    def fields(self) -> Mapping[str, Scalar]:
        """Its leaves by their path below the record, joined by dots."""
        depth = len(self.path)
        return {
            ".".join(map(str, leaf.path[depth:])): leaf.value for leaf in self.leaves
        }

    def chain(self) -> Iterator["Record"]:
        """Yield it and the records it lies in, outwards."""
        record: Record | None = self
        while record is not None:
            yield record
            record = record.parent


class ListShown(NamedTuple):
    """A list that a call showed: how many there are of what its key says."""

    call: int
    path: Path
    length: int
    record: Record | None

    @property
    def key(self) -> str:
        """The nearest key above it; empty at the top."""
        return nearest_key(self.path)


@dataclass(frozen=True)
class Records:
    """What the JSON outputs of a run hold.

    Attributes:
        leaves: Every leaf, in the order of the calls.
        records: Every record, in the order of the calls.
        lists: Every list, with its length.
        keys: Every key, as its words.
        structured: The calls whose output was read as objects or lists, with the text
            that is left beside these.
        named: Keys that are names and no fields: of what is a mapping by names.
        columns: Keys whose texts tell the objects of a list apart.
    """

    leaves: Sequence[Leaf]
    records: Sequence[Record]
    lists: Sequence[ListShown]
    keys: frozenset[tuple[str, ...]]
    structured: Mapping[int, str]
    named: frozenset[str]
    columns: frozenset[str] = frozenset()

    @cached_property
    def texts(self) -> Sequence[str]:
        """The distinct texts, the one that was shown last at the end."""
        values = [leaf.value for leaf in reversed(self.leaves)]
        newest = dict.fromkeys([one for one in values if isinstance(one, str)])
        return list(newest)[::-1]

    @cached_property
    def short_texts(self) -> Mapping[str, Sequence[str]]:
        """The distinct texts that may be names, each with its folded words."""
        return {
            text: _WORD.findall(text.casefold())
            for text in self.texts
            if len(text) <= _LONGEST_NAMING
        }

    @cached_property
    def by_call(self) -> Mapping[int, Sequence[Leaf]]:
        """The leaves of each call that has any."""
        leaves: dict[int, list[Leaf]] = {}
        for leaf in self.leaves:
            leaves.setdefault(leaf.call, []).append(leaf)
        return leaves

    @cached_property
    def by_id(self) -> Mapping[str, Sequence[Record]]:
        """The versions of each record by its folded id, oldest first."""
        records: dict[str, list[Record]] = {}
        for record in self.records:
            if record.id:
                records.setdefault(record.id.casefold(), []).append(record)
        return records

    @cached_property
    def called(self) -> Mapping[str, str]:
        """The folded names of records that have an id too, with that id, folded.

        A name that two records have is none.
        """
        ids: dict[str, str] = {}
        for record in self.records:
            if not record.id or not record.id_key or is_name_key(record.id_key):
                continue
            depth = len(record.path)
            for leaf in record.leaves:
                text = leaf.value
                if (
                    isinstance(text, str)
                    and len(leaf.path) == depth + 1
                    and leaf.key != record.id_key
                    and "@" not in text
                    and (
                        leaf.key in _PLACE_KEYS
                        or (leaf.key in self.columns and is_proper(text))
                        or is_name_key(leaf.key)
                    )
                ):
                    name, id_ = text.casefold(), record.id.casefold()
                    known = ids.setdefault(name, id_)
                    ids[name] = id_ if known == id_ else ""
        return {
            name: id_
            for name, id_ in ids.items()
            if id_ and name not in self.by_id and len(name) <= _LONGEST_ID
        }

    @cached_property
    def told_by(self) -> frozenset[str]:
        """The folded texts of columns that tell records apart that have an id too."""
        return frozenset(
            str(leaf.value).casefold()
            for leaf in self.leaves
            if leaf.key in self.columns
            and not is_name_key(leaf.key)
            and leaf.record is not None
            and leaf.record.id_key != leaf.key
        )

    def latest(self, name: str) -> Mapping[str, Leaf]:
        """Return the newest leaf of each field of the record of this id.

        Fields are named by their path below the record, list positions left out.
        """
        folded = name.casefold()
        newest = self._latest.get(folded)
        if newest is None:
            newest = self._latest[folded] = {
                field_of(leaf): leaf
                for record in self.by_id.get(folded, ())
                for leaf in record.leaves
            }
        return newest

    @cached_property
    def _latest(self) -> dict[str, Mapping[str, Leaf]]:
        """What was asked of `latest`, which many values of a record ask again."""
        return {}


def field_of(leaf: Leaf) -> str:
    """Return the path of a leaf below its record, without list positions."""
    depth = len(leaf.record.path) if leaf.record else 0
    parts = leaf.path[depth:]
    if len(parts) == 1:
        return "" if is_position(parts[0]) else str(parts[0])
    return ".".join([str(one) for one in parts if not is_position(one)])


@lru_cache(maxsize=2048)
def is_name_key(key: str) -> bool:
    """Whether what a key holds is what its object is called."""
    return bool(_NAME_KEY.search(_HUMP.sub("_", key).lower()))


def nearest_key(path: Path) -> str:
    """Return the last key of a path, list positions left out."""
    for part in reversed(path):
        if isinstance(part, str):
            return part
    return ""


def is_position(part: str | int) -> bool:
    """Whether a part of a path is a position in a list."""
    return isinstance(part, int)


def read_records(calls: Iterable[Call], *, tables: bool = False) -> Records:
    """Read the outputs of calls that were not refused and did not fail.

    Args:
        calls: The calls.
        tables: Whether tables, XML and labelled lines are read beside JSON.
    """
    reader = _RecordReader(tables=tables)
    for call in calls:
        if call.succeeded and not call.is_report:
            reader.read(call)
    return Records(
        leaves=reader.leaves,
        records=reader.records,
        lists=reader.lists,
        keys=frozenset(map(key_words, reader.keys)),
        structured=reader.structured,
        named=frozenset(reader.named),
        columns=frozenset(reader.columns),
    )


def writes(tool: str) -> bool:
    """Whether a tool's name says that it makes, changes or sends something."""
    return (
        changes_records(tool)
        or not _WRITING.isdisjoint(key_words(tool))
        or bool(deeds_of(words_of(tool)) - _NO_DEED)
    )


def parse_json(text: str) -> Any:
    """Return what a text holds as JSON, whole or line by line; None if it is none."""
    text = text.strip()
    if not text or text[0] not in "{[" or text[-1] not in "}]":
        return None
    data = read_json(text)
    if data is not None:
        return data
    lines = text.splitlines()
    if len(lines) < 2 or not all(line[:1] in "{[" for line in lines if line):
        return None
    try:
        return [json.loads(line) for line in lines if line]
    except (ValueError, RecursionError):
        return None


class _RecordReader:
    def __init__(self, *, tables: bool) -> None:
        self._tables = tables
        self.leaves: list[Leaf] = []
        self.records: list[Record] = []
        self.lists: list[ListShown] = []
        self.keys: set[str] = set()
        self.named: set[str] = set()
        self.columns: set[str] = set()
        self.structured: dict[int, str] = {}
        self._call = 0
        self._written = False
        self._tool: frozenset[str] = frozenset()
        self._given: frozenset[str] = frozenset()
        self._forms: dict[Any, tuple[str, ...]] = {}
        # What names the objects of lists that have neither an id nor a name.
        self._columns: dict[Path, str] = {}
        self._alike: set[Path] = set()

    def read(self, call: Call) -> None:
        output, rest = call.call.output, ""
        data = parse_json(output)
        if data is None and (cut := cut_json(output)):
            data, end = cut
            rest = " " * end + output[end:]
        if data is None and self._tables:
            tables = read_tables(output)
            data, rest = tables.data or None, tables.rest
        if data is None:
            return
        self._given = frozenset(
            one.casefold() for one in call.call.input.values() if isinstance(one, str)
        )
        self._columns, self._alike = {}, set()
        self._call = call.index
        self._written = writes(call.call.tool)
        self._tool = frozenset(key_words(call.call.tool))
        self.structured[call.index] = rest
        self._walk(data, (), "", None, 0)

    def _walk(
        self, data: Any, path: Path, key: str, record: Record | None, depth: int
    ) -> None:
        if isinstance(data, dict):
            if depth < _MOST_DEPTH:
                self._object(data, path, record, depth)
        elif isinstance(data, list):
            if depth >= _MOST_DEPTH:
                return
            self.lists.append(ListShown(self._call, path, len(data), record))
            columns = _naming_columns(data)
            if columns:
                self._columns[path] = columns[0]
                self.columns.update(columns)
            for place, item in enumerate(data):
                self._walk(item, (*path, place), key, record, depth + 1)
        elif data is not None and data != "":
            self._leaf(data, path, key, record, depth)

    def _leaf(
        self, data: Scalar, path: Path, key: str, record: Record | None, depth: int
    ) -> None:
        if len(self.leaves) >= MOST_LEAVES:
            return
        if (
            isinstance(data, str)
            and data[0] in "{["
            and len(data) <= _LONGEST_NESTED
            and depth < _MOST_DEPTH
        ):
            inner = parse_json(data)
            if inner is not None:
                self._walk(inner, path, key, record, depth + 1)
                return
        leaf = Leaf(self._call, path, data, record, key)
        self.leaves.append(leaf)
        if record is not None:
            record.leaves.append(leaf)

    def _object(
        self,
        data: Mapping[str, Any],
        path: Path,
        parent: Record | None,
        depth: int,
    ) -> None:
        self.keys.update(data)
        if _is_mapping(data):
            if _are_alike(data):
                self._alike.add(path)
            self.named.update(data)
            self.lists.append(ListShown(self._call, path, len(data), parent))
        name, key = self._identity(data, path)
        record = parent
        if name or parent is None:
            around = _NO_IDS if parent is None else parent.ids
            ids = around | {name.casefold()} if name else around
            record = Record(self._call, path, name, key, parent, self._written, ids)
            self.records.append(record)
        for part, value in data.items():
            if isinstance(value, (dict, list)):
                self._walk(value, (*path, part), part, record, depth + 1)
            elif value is not None and value != "":
                self._leaf(value, (*path, part), part, record, depth + 1)

    def _identity(self, data: Mapping[str, Any], path: Path) -> tuple[str, str]:
        """Return what names an object, and the key that says so."""
        above = path[-1] if path else None
        by_id = (
            isinstance(above, str)
            and len(above) <= _LONGEST_ID
            and (_DIGIT.search(above) or path[:-1] in self._alike)
        )
        if by_id and not _names(data.get("id")):
            return str(above), ""
        # Objects of a list are alike: their keys are read once.
        parts = tuple([one for one in path if isinstance(one, str)])
        form = (self._tool, parts, tuple(data))
        keys = self._forms.get(form)
        if keys is None:
            context = frozenset(word for one in parts for word in key_words(one))
            keys = _id_keys(data, context | self._tool)
            self._forms[form] = keys
        for key in keys:
            if _names(data[key]):
                return str(data[key]), key
        column = self._columns.get(path[:-1]) if path else None
        if column and _names(data.get(column)):
            return str(data[column]), column
        if not path and self._written and (known := self._known()):
            return known, ""  # What a write was given, it changed: `{"total": 7.8}`.
        # What was asked for is called as it was asked for.
        for key, value in data.items() if self._given else ():
            given = isinstance(value, str) and value.casefold() in self._given
            # One digit or two say how many of something were asked for.
            named = len(value) > 2 if given else False
            if named and _DIGIT.search(value) and not _DATE.match(value):
                return str(value), key
        return "", ""

    def _known(self) -> str:
        """Return the one id of an earlier record that a call was given."""
        outer = (one.id for one in self.records if one.parent is None)
        ids = [one for one in outer if one.casefold() in self._given]
        return ids[0] if len(set(ids)) == 1 else ""


def _id_keys(keys: Iterable[str], context: frozenset[str]) -> tuple[str, ...]:
    """Return the keys of an object that may name it, best first.

    `id`, then what is an id by its key and is called as the tool or what the object
    lies in, then any other id, then a name.
    """
    own: list[str] = []
    others: list[str] = []
    names: list[str] = []
    for key in keys:
        folded = _HUMP.sub("_", key).lower()
        if folded.strip("_") in {"id", "uuid"}:
            own.insert(0, key)
        elif _ID_KEY.search(folded) and not _NO_ID.search(folded):
            stem = key_words(key)[:-1]
            called = any(_is_stem(one, word) for one in stem for word in context)
            (own if called else others).append(key)
        elif _NAME_KEY.search(folded):
            names.append(key)
    return (*own, *others, *names)


def _is_mapping(data: Mapping[str, Any]) -> bool:
    """Whether the keys of an object name things: prices by class, cities by code."""
    if len(data) < _FEWEST_NAMED:
        return False
    types = set(map(type, data.values()))
    if types == {dict}:
        return True
    if types <= {int, float}:
        return not any(_FIELD_KEY.search(_HUMP.sub("_", one).lower()) for one in data)
    texts = all(issubclass(one, str) for one in types)
    return texts and not any(map(str.islower, data))


def _are_alike(data: Mapping[str, Any]) -> bool:
    """Whether the values of a mapping are objects with the same keys."""
    objects = [one for one in data.values() if isinstance(one, dict) and one]
    if len(objects) < len(data) or not objects:
        return False
    return len(objects) > 1 and all(
        objects[0].keys() == one.keys() for one in objects[1:_MOST_COMPARED]
    )


def _naming_columns(items: Sequence[Any]) -> list[str]:
    """Return the first two keys whose texts tell the objects of a list apart."""
    first = items[:_MOST_COMPARED]
    columns: list[str] = []
    if len(first) < 2 or not all(isinstance(one, dict) for one in first):
        return columns
    for key, value in first[0].items():
        if not isinstance(value, str) or not _is_called(value):
            continue
        texts = [one.get(key) for one in first]
        called = all(isinstance(one, str) and _is_called(one) for one in texts)
        if called and len({str(one).casefold() for one in texts}) == len(texts):
            columns.append(str(key))
        if len(columns) > 1:
            break
    return columns


def is_proper(text: str) -> bool:
    """Whether a text is written as a name is, and not as a code: `Tesco Stores`."""
    return text[:1].isupper() and any(map(str.islower, text)) and "_" not in text


def _is_called(text: str) -> bool:
    """Whether a text may be what a thing is called: short, with letters, no date."""
    return (
        1 < len(text) <= _LONGEST_NAMING
        and any(map(str.isalpha, text))
        and not _DATE.match(text)
        and "@" not in text
    )


def _is_stem(one: str, word: str) -> bool:
    return word in {one, one + "s", one + "es"} or (
        one.endswith("y") and word == one[:-1] + "ies"
    )


def _names(value: object) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return True
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID
