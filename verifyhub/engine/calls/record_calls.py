"""Calls that act on records: the action, its object, and how the call ended."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import (
    LIGHT_VERBS,
    LOOKS,
    NOUNS,
    OFF,
    SWITCHES,
    VERBS,
    RecordDeed,
    deeds_of,
    has_verb,
    stem,
    stems,
    things_of,
    words_of,
)
from verifyhub.engine.calls.inputs import read_json
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.tools import CHANGERS, ToolKind
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import ToolCall

# Fields that select the operation of a tool with many operations.
_SAYS_WHAT = word_set(
    """
    action operation op method endpoint path url uri route function type mutation
    command cmd intent verb eventtype actiontype operationname requesttype side
    """
)
# The same for a tool whose name only says that it acts.
_SAYS_ALL = _SAYS_WHAT | word_set(
    "name tool toolname functionname query sql statement service resource event api"
)
_GENERIC = word_set(
    """
    call tool execute exec run invoke api http https rest request dispatch perform
    action do use mcp server graphql gql sql query mutate mutation db database client
    function endpoint service command post put patch delete json device home assistant
    """
)
_METHODS = {
    "get": "get", "head": "get", "post": "create", "put": "update", "patch": "update",
    "delete": "delete",
}  # fmt: skip
_SQL = re.compile(
    r"\s*(insert|update|delete|select|merge|upsert|replace)\b(?:\s+(?:into|from))?"
    r"\s*([\w.]+)?",
    re.I,
)
_GRAPHQL = re.compile(r"\s*(mutation|query)\b[^{]{0,300}\{\s*(\w+)|\s*(\{)\s*\w")
_STATE_FIELDS = word_set("status state newstatus orderstatus")
_ID = re.compile(r"[A-Za-z0-9][\w-]{2,63}")
_ID_LENGTH = 3
_ID_WORDS = frozenset({"id", "ids", "number", "code", "key", "no", "reference"})
_CAPITALS = re.compile(r"\b[A-Z]{5,}\b")
_INPUT_LIMIT = 20_000
_OUTPUT_LIMIT = 40_000
_SHOWN_LIMIT = 4_000
_MOST_LEAVES = 500
_MOST_DEPTH = 12
_NUMBER = re.compile(r"\d[\d,]{0,14}(?:\.\d{1,4})?")
# Expected money has not moved yet.
PAYS = re.compile(
    r"(?:pay|refund|charge|price|amount|card|fee|cost|balance|credit)"
    r"(?![_ ]?(?:expected|estimated))",
    re.I,
)
# A reply in words with the reason why nothing was done.
_REFUSES = re.compile(
    r"\s*+(?:\"|')?(?:[^\n]{0,80}?\b)?(?:error|failed|failure|unable|denied|declined"
    r"|rejected|invalid|timed? ?out|not (?:found|allowed|permitted|possible|eligible"
    r"|available|authori[sz]ed|supported|be (?:found|completed|processed|made))"
    r"|(?:cannot|can ?not|can't|could not|couldn't|did not|didn't|was not|wasn't)"
    r" (?:be )?\w+|(?:max\w{0,6}|limit|quota)(?: \w+){0,3} (?:reached|exceeded)"
    r"|sold out|fully booked|out of stock|no \w+ (?:available|left)|no such"
    r"|insufficient|forbidden|unauthori[sz]ed|unavailable)\b",
    re.IGNORECASE,
)
_REFUSING_FIELDS = word_set("error errors errormessage failurereason exception")
_WORDS_LIMIT = 300
_SHORT = 3
_EMPTY = frozenset({"no", "none", "false", "0", "", "null"})
# Objects that a tool acquires by its name: `GetRide` calls a car, `get_order` looks.
_ACQUIRED = stems("ride cab taxi ticket car")
# Verbs that book what drives: `CallDriver`, `hail_cab`.
_HAILS = word_set("call hail request summon")
_DRIVES = stems("ride cab taxi car driver uber")


@dataclass(frozen=True, slots=True)
class ToldField:
    """A field of a result with information: `"refund": {"amount": 20}`.

    `words` are those of its path, `beside` the stems of the texts of its record, `text`
    is its value, and `number` the same if it is a number.
    """

    words: tuple[str, ...]
    beside: frozenset[str]
    number: float | None
    text: str


@dataclass(frozen=True, kw_only=True)
class RecordCall:
    """A call that changes a record, or tries to.

    `deeds` are its actions by name and arguments, `words` those of its name, and
    `input_words` those of the arguments that select the operation. `acquires` is true
    if its name alone could also be that of a look-up. `pairs` are the project's other
    names for its inputs and outputs.
    """

    call: Call
    deeds: frozenset[RecordDeed]
    words: tuple[str, ...]
    acquires: bool = False
    input_words: tuple[str, ...] = ()
    pairs: Pairs = NO_PAIRS

    @property
    def index(self) -> int:
        return self.call.index

    @cached_property
    def failed(self) -> bool:
        """Whether it failed, or says that nothing was done."""
        if self.call.failed or not self.call.succeeded:
            return True
        output = self.call.call.output[:_WORDS_LIMIT].strip()
        if output == "[]" and RecordDeed.BOOK in self.deeds:
            return True  # What was booked would be in the list.
        if output[:1] in {"{", "["}:
            return _says_error(self.call.call, self.deeds)
        return bool(_REFUSES.match(output) or _HTTP_ERROR.match(output))

    @cached_property
    def given(self) -> tuple[tuple[str, str], ...]:
        """The fields and values of its input, without values that mean "none".

        A value with other names in the project occurs with each of its names.
        """
        tool = self.call.call.tool
        tool_field = (("", tool),) if "/" in tool else ()
        return tool_field + tuple(
            (field, text)
            for field, value in leaves(self.call.call.input)
            if value.strip().lower() not in _EMPTY
            for text in (value, *map(self.pairs.telling, self.pairs.others(value)))
        )

    @cached_property
    def returned(self) -> str:
        """The project's other names for the codes in its output."""
        other_names = self.pairs.told_in(self.call.call.output[:_OUTPUT_LIMIT])
        return "\n".join(map(self.pairs.telling, dict.fromkeys(other_names)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its name, and of its input's fields and values."""
        return self.given_stems.union(map(stem, self.words))

    @cached_property
    def shown(self) -> frozenset[str]:
        """The stems of the words at the beginning of its output."""
        text = f"{self.call.call.output[:_SHOWN_LIMIT]}\n{self.returned}"
        return frozenset(map(stem, words_of(text)))

    @cached_property
    def reported(self) -> frozenset[str]:
        """The stems of its output; of JSON, without fields that mean "no"."""
        data = read_json(self.call.call.output[:_SHOWN_LIMIT])
        if data is None:
            return self.shown
        return frozenset(
            stem(word)
            for field, value in leaves(data)
            if value.strip().lower() not in _EMPTY
            for word in words_of(f"{field} {value}")
        )

    @cached_property
    def told(self) -> tuple[ToldField, ...]:
        """The fields of its JSON output, without those of rows and those of "no"."""
        return tuple(_told(self.result, (), 0))

    @cached_property
    def result(self) -> Mapping[str, Any]:
        """The record in its output: an object, the only one of a list, or `key: value`.

        Empty if the output is something else.
        """
        output = self.call.call.output[:_OUTPUT_LIMIT]
        data = _only_row(read_json(output))
        if isinstance(data, Mapping):
            return data
        return _lines_in(output) if data is None else {}

    def has_ids(self, ids: Iterable[str]) -> bool:
        """Whether it was given, or returned, each of some ids in upper case."""
        return all(id_ in self.given_ids or id_ in self.returned_ids for id_ in ids)

    @cached_property
    def things(self) -> frozenset[int]:
        """The known objects that its name or input mentions, other than as a verb."""
        repeated = (word[2:] for word in self.words_stems if word.startswith("re"))
        return things_of((*self.words_stems, *self.given_stems, *repeated))

    @cached_property
    def words_stems(self) -> frozenset[str]:
        """The stems of the words of its name, without a verb at the beginning."""
        name = list(map(stem, self.words))
        return frozenset(name[1:] if len(name) > 1 and name[0] in VERBS else name)

    @cached_property
    def own_verbs(self) -> frozenset[str]:
        """The stem of the verb at the beginning of its name, unless it is short."""
        first = map(stem, self.words[:1])
        return frozenset(verb for verb in first if verb in VERBS and len(verb) > _SHORT)

    @cached_property
    def says_little(self) -> bool:
        """Whether its name says that it acts and not what it does.

        `POST /cards` may do anything to a card, and so may `reservation_flights`.
        """
        if self.call.call.tool.upper().startswith("POST "):
            verbs = (word for word in map(stem, self.words) if word in VERBS)
            return LIGHT_VERBS.issuperset(verbs)
        return self.deeds != UNTOLD and not (self.input_words or has_verb(self.words))

    @cached_property
    def field_stems(self) -> frozenset[str]:
        """The stems of its input's fields."""
        return frozenset(
            stem(word) for field, _ in self.given for word in words_of(field)
        )

    @cached_property
    def given_stems(self) -> frozenset[str]:
        """The stems of its input's fields and values."""
        values = (value[:_WORDS_LIMIT] for _, value in self.given)
        words = (word for value in values for word in words_of(value))
        return self.field_stems.union(map(stem, self.input_words), map(stem, words))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The stems of the verbs for its actions."""
        return frozenset(map(stem, (*self.words, *self.input_words)))

    @cached_property
    def given_ids(self) -> frozenset[str]:
        """The names in its input, part by part, in upper case."""
        text = "\n".join(value for _, value in self.given)[:_INPUT_LIMIT]
        short = (
            value.upper()
            for field, value in self.given
            if _ID_WORDS.intersection(words_of(field)[-1:]) and len(value) < _ID_LENGTH
        )
        return _ids(text).union(short)

    @cached_property
    def folded_given(self) -> frozenset[str]:
        """The complete values and the ids of its input, case-folded."""
        values = (value.casefold() for _, value in self.given)
        return frozenset(values).union(map(str.casefold, self.given_ids))

    @cached_property
    def folded_shown(self) -> str:
        """What its output begins with, case-folded."""
        return self.call.call.output[:_SHOWN_LIMIT].casefold()

    @cached_property
    def nameless(self) -> bool:
        """Whether its input names no record, so that it may apply to any."""
        return not any(
            bool(_ID_WORDS.intersection(words_of(field)[-1:]))
            or (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))
            or bool(_CAPITALS.search(value))
            for field, value in self.given
        )

    @cached_property
    def returned_ids(self) -> frozenset[str]:
        """The names in its output, part by part, in upper case."""
        return _ids(f"{self.call.call.output[:_OUTPUT_LIMIT]}\n{self.returned}")

    @cached_property
    def outcome(self) -> frozenset[str]:
        """The stems of the words of the status in its JSON output."""
        text = self.call.call.output
        if "stat" not in text or len(text) > _OUTPUT_LIMIT:
            return frozenset()
        inner = [self.result.get(key) for key in _ENVELOPES]
        records = [self.result, *(item for item in inner if isinstance(item, Mapping))]
        values = [record[key] for record in records for key in record if _is_state(key)]
        texts = [value[:_WORDS_LIMIT] for value in values if isinstance(value, str)]
        return frozenset(stem(word) for text in texts for word in words_of(text))

    @cached_property
    def amounts(self) -> frozenset[float]:
        """The numbers of its input and output."""
        text = "\n".join(value for _, value in self.given)[:_INPUT_LIMIT]
        return numbers_in(text + "\n" + self.call.call.output[:_OUTPUT_LIMIT])

    def shows(self, deeds: frozenset[RecordDeed]) -> bool:
        """Whether its input or output mentions one of some actions."""
        return not self._deeds_of_words.isdisjoint(deeds)

    @cached_property
    def _deeds_of_words(self) -> frozenset[RecordDeed]:
        words = words_of(self.call.call.output[: _WORDS_LIMIT * 10])
        spoken_stems = {*map(stem, words), *self.stems}
        return frozenset[RecordDeed]().union(
            *(
                table[word_stem]
                for table in (VERBS, NOUNS)
                for word_stem in spoken_stems
                if word_stem in table
            )
        )

    @cached_property
    def pays(self) -> bool:
        """Whether its input's fields or its output mention money."""
        fields = any(PAYS.search(field) for field, _ in self.given)
        return fields or bool(PAYS.search(self.call.call.output[:_OUTPUT_LIMIT]))


def record_calls(
    calls: Sequence[Call], pairs: Pairs = NO_PAIRS
) -> tuple[RecordCall, ...]:
    """Return the calls of a run that act on records, in order.

    Args:
        calls: The calls.
        pairs: The project's descriptions of tools, which take precedence over names.
    """
    selected: list[RecordCall] = []
    for entry in calls:
        deeds = pairs.deeds_of(entry.call.tool)
        record_call = _by_pair(entry, deeds) if deeds else _read(entry)
        if record_call is not None:
            selected.append(record_call)
    if pairs.names:
        selected = [replace(record_call, pairs=pairs) for record_call in selected]
    return tuple(selected)


def _is_of_files(entry: Call) -> bool:
    """Whether a call is one of a file tool, by its kind and its name.

    `submit_meter_read` is named after the way in which the reading was made.
    """
    if entry.kind not in _OF_NO_RECORD or (not entry.paths and _has_namespace(entry)):
        return False
    reads_record = entry.kind is ToolKind.READ and bool(
        deeds_of(_named(entry.call.tool))
    )
    return bool(entry.paths) or not reads_record


def _by_pair(entry: Call, deeds: frozenset[RecordDeed]) -> RecordCall:
    """Return a call of a tool by the project's description, if its name says less."""
    words = tuple(word for word in _named(entry.call.tool) if stem(word) not in VERBS)
    return RecordCall(
        call=entry, deeds=deeds, words=words, input_words=tuple(sorted(deeds))
    )


def is_on_files(entry: Call) -> bool:
    """Whether a call reads or changes files, or runs a command line.

    The last word of `invoices.create` is also the name of a file tool: a call without a
    path is not one of files. A `command` of one word is an argument: `start`.
    """
    if entry.command is not None:
        return entry.kind is ToolKind.SHELL or not is_argument(entry)
    if entry.kind is ToolKind.SEARCH:
        return not _GREPS.isdisjoint(words_of(entry.call.tool))
    if entry.kind not in ON_FILES:
        return False
    if entry.paths:
        return True
    if entry.kind is ToolKind.LIST and (
        entry.failed or entry.call.output.lstrip()[:1] in {"{", "["}
    ):
        return False  # A service lists its records: `{"files": [{"file_id": …`.
    words = words_of(entry.call.tool)
    names_file = len(words) == 1 or not _FILE_WORDS.isdisjoint(words)
    return names_file and not _has_namespace(entry)


def works_on_files(
    calls: Sequence[Call], is_of_files: Callable[[Call], bool] = is_on_files
) -> bool:
    """Whether a run has to do with files: a few looks beside many records do not count.

    Args:
        calls: All calls of the run.
        is_of_files: Whether a call has to do with files.
    """
    looks = records = 0
    for call in calls:
        if is_of_files(call):
            if call.changes:
                return True
            looks += 1
        elif call.kind in _OF_RECORDS:
            records += 1
    return bool(looks) and records <= _RECORDS_FOR_A_LOOK * looks


_OF_RECORDS = frozenset({ToolKind.OTHER, ToolKind.QUERY})
_RECORDS_FOR_A_LOOK = 2


def searches_records(entry: Call) -> bool:
    """Whether a search is one of a service: `jira__search`, `POST /orders/search`."""
    if entry.kind is not ToolKind.SEARCH or entry.paths or is_on_files(entry):
        return False
    return _has_namespace(entry)


# These search lines of files; any other search may be one of records.
_GREPS = frozenset({"grep", "rg", "ripgrep", "glob"})


def is_argument(entry: Call) -> bool:
    """Whether `command` is one word beside other fields, and so not a command line."""
    command = (entry.command or "").strip()
    if command.replace("_", "").isalnum() and len(entry.call.input) > 1:
        return not any(part.role for part in entry.commands)
    return False


def _has_namespace(entry: Call) -> bool:
    tool = entry.call.tool
    local = re.split(r"__|[./:]", tool)
    return len(local) > 1 and not _FILE_SERVERS.intersection(words_of(tool))


_FILE_SERVERS = word_set("file files filesystem fs functions container")
# A file tool's name contains one of these words, unless it is a single word: `Read`.
_FILE_WORDS = word_set(
    """
    file files dir directory folder folders path tree repo repository code codebase
    notebook editor edit replace patch bash shell terminal workspace glob grep ls tool
    """
)
ON_FILES = CHANGERS | {ToolKind.READ, ToolKind.LIST, ToolKind.SHELL}
_OF_NO_RECORD = ON_FILES | {ToolKind.SEARCH, ToolKind.NOTE, ToolKind.AGENT}


def _read(entry: Call) -> RecordCall | None:
    if entry.command is not None and not is_argument(entry):
        return _by_command(entry)
    if _is_of_files(entry):
        return None
    words = _named(entry.call.tool)
    # `ha_call_service`: the first word may name the tool's provider.
    name_words = words[1:] if words[2:] and stem(words[0]) not in VERBS else words
    generic = _GENERIC.issuperset(name_words)
    if not generic and _only_looks(words, entry.call):
        return None
    says_what = _SAYS_ALL if generic else _SAYS_WHAT
    input_words = tuple(_input_words(entry.call.input, says_what))
    if generic and input_words:
        words, input_words = input_words, ()
    deeds = deeds_of(words)
    looks = not generic and not deeds and bool(LOOKS & {*map(stem, words[:1])})
    input_deeds = frozenset() if looks else _input_deeds(entry.call.input)
    drives = not _DRIVES.isdisjoint(map(stem, words[-1:]))
    gets = words[:1] == ("get",) and stem(words[-1]) in _ACQUIRED
    acquires = not deeds and (gets or (drives and _returns_request(entry.call)))
    hails = drives and not _HAILS.isdisjoint(words[:1])
    if acquires or hails:
        deeds = frozenset({RecordDeed.BOOK})
    if input_deeds - UNTOLD:
        deeds = (deeds - UNTOLD) | input_deeds
    sets = words[:1] == ("set",)
    set_to = _by_fields(deeds, entry.call.input, sets=sets)
    # `set_lock(locked=false)` unlocks, although its name mentions locks.
    deeds = (deeds - SWITCHES if sets and set_to & SWITCHES else deeds) | set_to
    if not deeds:
        return None
    if _reaches_people(entry.call.input):
        deeds |= {RecordDeed.SEND}
    if _REPORT in map(stem, words) and _is_lost(entry.call.input):
        deeds |= OFF  # A card that is reported as lost is blocked.
    return RecordCall(
        call=entry, deeds=deeds, words=words, acquires=acquires, input_words=input_words
    )


def _named(tool: str) -> tuple[str, ...]:
    """Return the words of a tool's name, without its server's."""
    method, blank, path = tool.partition(" ")
    if blank and method.lower() in _METHODS:
        return _by_method(_METHODS[method.lower()], words_of(path))
    own_name = tool.rpartition("__")[2]
    return words_of(".".join(own_name.split(".")[-2:]))


def _returns_request(call: ToolCall) -> bool:
    """Whether a call returned one record, with all that it was given: of a ride."""
    record = _only_row(read_json(call.output))
    return (
        isinstance(record, Mapping)
        and bool(call.input)
        and call.input.items() <= record.items()
    )


def _only_looks(words: tuple[str, ...], call: ToolCall) -> bool:
    """Whether a call is told to look, or is named after the list that it returns.

    `portfolio_positions()` returns positions, and so does `interview_slots(city)` with
    `{"slots": […]}`; the verb of `git_commit()` says what it does.
    """
    if _asks_to_look(call.input):
        return True
    if not words or not words[-1].endswith("s") or deeds_of(words) != UNTOLD:
        return False
    return not call.input or _lists(call.output, words[-1])


def _lists(output: str, name: str) -> bool:
    """Whether an output contains a list under a key with this name."""
    _, *texts = output[:_SHOWN_LIMIT].split(f'"{name}"')
    return any(_OPENS_LIST.match(text) for text in texts)


_OPENS_LIST = re.compile(r"\s*:\s*\[")


def _asks_to_look(arguments: Mapping[str, Any]) -> bool:
    """Whether a tool of many operations is told to look: `action="list"`."""
    operations = [
        words_of(value)
        for field, value in arguments.items()
        if "".join(words_of(field)) in _OPERATIONS and isinstance(value, str)
        if len(value) <= _WORDS_LIMIT
    ]
    return bool(operations) and all(
        bool(words) and stem(words[0]) in LOOKS and not deeds_of(words)
        for words in operations
    )


_OPERATIONS = word_set("action operation op verb intent actiontype operationname")


def _by_method(method: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a method and a path; searches are often sent by POST."""
    looks = bool(path) and stem(path[-1]) in LOOKS and not path[-1].endswith("ing")
    if method == "create" and looks:
        return (path[-1], *path)
    return (method, *path)


def _input_words(arguments: Mapping[str, Any], fields: frozenset[str]) -> Iterator[str]:
    """Yield the words that select the operation of a call, in some fields."""
    later: list[str] = []
    for field, value in arguments.items():
        key = "".join(words_of(field))
        if not isinstance(value, str) or key not in fields:
            continue
        if key == "method" and value.lower() in _METHODS:
            yield _METHODS[value.lower()]
            continue
        sql = _SQL.match(value[:_WORDS_LIMIT])
        graph = _GRAPHQL.match(value[: _WORDS_LIMIT * 2])
        if sql and key in _QUERIES:
            yield _SQL_VERBS.get(sql[1].lower(), sql[1].lower())
            yield from words_of(sql[2] or "")
        elif graph and key in _QUERIES:
            if graph[1] == "mutation":
                yield from words_of(graph[2])
            else:
                yield "get"
        elif len(value) <= _WORDS_LIMIT:
            later += words_of(value)
    yield from later


_QUERIES = frozenset({"query", "sql", "statement", "mutation", "command", "operation"})
_SQL_VERBS = {
    "insert": "create",
    "select": "get",
    "merge": "update",
    "upsert": "update",
    "replace": "update",
}


# Words of a command that say what its program does.
_COMMAND_WORDS = 5


def _by_command(entry: Call) -> RecordCall | None:
    """Return a command with an action: `gh run cancel 17`, `shop orders refund`."""
    for part in entry.commands:
        words = [
            word for word in part.bare_words[:_COMMAND_WORDS] if _PLAIN.match(word)
        ]
        deeds = deeds_of(word for argument in words for word in words_of(argument))
        deeds -= {RecordDeed.ANY}
        if deeds and not part.looks:
            return RecordCall(call=entry, deeds=deeds, words=tuple(words))
    return None


_PLAIN = re.compile(r"[a-z]+(?:[-:][a-z]+)*$")


def _input_deeds(arguments: Mapping[str, Any]) -> frozenset[RecordDeed]:
    """Return the actions in an input: `action="cancel"`, `status="cancelled"`."""
    deeds: frozenset[RecordDeed] = frozenset()
    for field, value in arguments.items():
        if isinstance(value, Mapping):
            states = {key: state for key, state in value.items() if _is_state(key)}
            deeds |= _input_deeds(states)
        if not isinstance(value, str) or len(value) > _WORDS_LIMIT:
            continue
        key = "".join(words_of(field))
        if key in _SAYS_WHAT or key in _STATE_FIELDS:
            deeds |= deeds_of(words_of(value)) - _NO_DEED
    return deeds


def _by_fields(
    deeds: frozenset[RecordDeed], arguments: Mapping[str, Any], *, sets: bool
) -> frozenset[RecordDeed]:
    """Return the actions of a change by the fields that it sets.

    `set_paperless(value=true)` switches something on; an `owner` is assigned.
    """
    if not (RecordDeed.CHANGE in deeds or (sets and deeds & SWITCHES)):
        return frozenset()
    field_deeds: set[RecordDeed] = set()
    for field, value in _set_fields(arguments):
        words = words_of(field)
        if isinstance(value, bool) and _TELLS_PEOPLE.isdisjoint(words):
            off = VERBS.get(stem(words[-1]), frozenset()) & SWITCHES == OFF
            field_deeds.add(
                RecordDeed.ENABLE if value is not off else RecordDeed.DISABLE
            )
        elif not _HOLDERS.isdisjoint(words) and value:
            field_deeds.add(RecordDeed.ASSIGN)
    return frozenset(field_deeds)


_HOLDERS = frozenset({"owner", "assignee", "assigned"})


def _set_fields(arguments: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for field, value in arguments.items():
        yield field, value
        if isinstance(value, Mapping):
            yield from ((str(key), child) for key, child in value.items())


def _reaches_people(arguments: Mapping[str, Any]) -> bool:
    """Whether a call also notifies people: `attendees`, `send_notification=true`."""
    for field, value in arguments.items():
        words = words_of(str(field))
        if value is True and _TELLS_PEOPLE.intersection(words):
            return True
        if _PEOPLE.intersection(words) and any(
            "@" in text for _, text in leaves(value)
        ):
            return True
    return False


_REPORT = stem("report")
_LOST = word_set("lost stolen missing")


def _is_lost(arguments: Mapping[str, Any]) -> bool:
    """Whether an input gives as the state of a thing that it is lost."""
    return any(
        isinstance(value, str) and value.lower() in _LOST
        for value in arguments.values()
    )


_TELLS_PEOPLE = word_set("notify send email invite notification")
_PEOPLE = word_set(
    "attendees attendee invitees invitee participants recipients guests cc bcc"
)
# For calls whose name contains no action.
UNTOLD = frozenset({RecordDeed.OTHER})
_NO_DEED = UNTOLD | {RecordDeed.ANY}


def _is_state(field: object) -> bool:
    return "".join(words_of(str(field))) in _STATE_FIELDS


def leaves(value: object) -> Iterator[tuple[str, str]]:
    """Yield the last field's name and the value of each leaf, limited in number."""
    stack: list[tuple[str, object, int]] = [("", value, 0)]
    count = 0
    while stack and count < _MOST_LEAVES:
        field, item, depth = stack.pop()
        if isinstance(item, (str, int, float)):
            count += 1
            yield field, str(item)
        elif depth >= _MOST_DEPTH:
            continue
        elif isinstance(item, (dict, Mapping)):
            stack += [(str(key), child, depth + 1) for key, child in item.items()]
        elif isinstance(item, (list, tuple)):
            stack += [(field, child, depth + 1) for child in item]


def numbers_in(text: str) -> frozenset[float]:
    """Return the numbers that a text states."""
    return frozenset(float(one.replace(",", "")) for one in _NUMBER.findall(text))


def _told(
    record: Mapping[str, Any], path: tuple[str, ...], depth: int
) -> Iterator[ToldField]:
    texts = [
        value[:_WORDS_LIMIT] for value in record.values() if isinstance(value, str)
    ]
    beside = frozenset(stem(word) for text in texts for word in words_of(text))
    for key, value in islice(record.items(), _MOST_FIELDS):
        words = (*path, *words_of(str(key)))
        if isinstance(value, Mapping) and depth < _DEEPEST_TOLD:
            yield from _told(value, words, depth + 1)
        elif isinstance(value, str | int | float) and str(value).lower() not in _EMPTY:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            number = float(value) if is_number else None
            yield ToldField(words, beside, number, str(value)[:_WORDS_LIMIT])
        elif value and isinstance(value, list) and all(map(_is_text, value)):
            yield ToldField(words, beside, None, "; ".join(value)[:_WORDS_LIMIT])


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _only_row(data: object) -> object:
    """Return the only element of a list, and any other value as it is."""
    return data[0] if isinstance(data, list) and len(data) == 1 else data


def _lines_in(text: str) -> Mapping[str, str]:
    """Return the fields of a text that consists of `key: value`."""
    parts = [part for part in _PART.split(text[:_SHOWN_LIMIT]) if part.strip()]
    fields = [match for part in parts if (match := _FIELD.fullmatch(part))]
    if len(fields) < len(parts):
        return {}
    return {match[1]: match[2] for match in fields}


_PART = re.compile(r"[;\n]")
_FIELD = re.compile(r"\s*(?:[-*]\s)?([^\W\d][\w .-]{0,40}?)\s?[:=]\s*(\S.*)")
_MOST_FIELDS = 60
_DEEPEST_TOLD = 3


def _ids(text: str) -> frozenset[str]:
    return frozenset(match.upper() for match in _ID.findall(text))


# An error's own line: "HTTP 409 Conflict", "500 Internal Server Error".
_HTTP_ERROR = re.compile(
    r"(?:HTTP(?:/[\d.]+)?[ :]?\s*|status(?: code)?[ :=]+)?[45]\d\d\b"
    r"(?:\s+[A-Z][a-z]|\W*$)"
    r"|<[^>]{1,40}>\s*<(?:status|code)>\s*(?:error|fail\w*|[45]\d\d)\b"
    r"|<(?:error|fault)\b",
    re.IGNORECASE,
)


def _says_error(call: ToolCall, deeds: frozenset[RecordDeed]) -> bool:
    """Whether a JSON reply, or its envelope, says that nothing was done."""
    if len(call.output) > _OUTPUT_LIMIT:
        return False
    data = _only_row(read_json(call.output))
    input_fields = frozenset(map(str, call.input))
    name_stems = frozenset(map(stem, words_of(call.tool)))
    for _ in range(_MOST_ENVELOPES):
        if not isinstance(data, Mapping):
            return isinstance(data, str) and bool(_REFUSES.match(data))
        if _refuses(data, deeds, input_fields, name_stems):
            return True
        inner = [data[key] for key in _ENVELOPES if isinstance(data.get(key), Mapping)]
        if len(inner) != 1:
            return False
        data = inner[0]
    return False


_MOST_ENVELOPES = 4
_ENVELOPES = ("result", "data", "response", "body", "output", "payload")


def _is_excuse(data: Mapping[str, Any]) -> bool:
    """Whether a reply only says why nothing was done: a code and a message."""
    texts = [value for value in data.values() if isinstance(value, str)]
    return (
        bool(data)
        and len(texts) == len(data)
        and all(words_of(str(key))[-1:] in _EXCUSING for key in data)
        and any(map(_REFUSES.match, texts))
    )


_EXCUSING = frozenset(
    {("code",), ("message",), ("reason",), ("detail",), ("title",), ("type",)}
)


def _refuses(
    data: Mapping[str, Any],
    deeds: frozenset[RecordDeed],
    input_fields: Set[str],
    name_stems: Set[str],
) -> bool:
    if _is_excuse(data):
        return True
    for key, value in data.items():
        words = words_of(str(key))
        if _is_refusing(words, value):
            return not _is_partly_done(data, deeds)
        undone = value is False and bool(words) and key not in input_fields
        if undone and (words[-1] in _DONE or _is_undone(words, deeds, name_stems)):
            return len(data) <= _FEW_FIELDS
        if words in _CODES and _is_error_code(value):
            return True
        if words[-1:] in _STATUS and isinstance(value, str):
            state = value.strip().lower().replace(" ", "_")
            if state in _FAILED_STATES and deeds.isdisjoint(deeds_of(words_of(state))):
                return True
    return False


def _is_refusing(words: Sequence[str], value: object) -> bool:
    """Whether a field states an error: `error`, `errorMessages`, `failure_reason`."""
    if not value or not words:
        return False
    if "".join(words) in _REFUSING_FIELDS:
        return True
    return words[0] == "error" and words[-1] in _ERROR_PARTS


_ERROR_PARTS = frozenset({"message", "messages", "code", "description", "detail"})


def _is_partly_done(data: Mapping[str, Any], deeds: frozenset[RecordDeed]) -> bool:
    """Whether a list beside errors names completed parts: `invited`, `succeeded`."""
    return any(
        isinstance(value, list)
        and bool(value)
        and (words[-1] in _DONE or _is_named_done(words[-1], deeds))
        for key, value in data.items()
        if (words := words_of(str(key)))
    )


def _is_named_done(word: str, deeds: frozenset[RecordDeed]) -> bool:
    return word.endswith("ed") and (
        _is_done(word, deeds) or not deeds.isdisjoint(NOUNS.get(stem(word), ()))
    )


_FEW_FIELDS = 4
_DONE = frozenset({"success", "ok", "succeeded", "done", "accepted", "valid"})
_CODES = frozenset(
    {("code",), ("status",), ("status", "code"), ("http", "status"), ("http", "code")}
)
_STATUS = frozenset({("status",), ("state",), ("result",), ("outcome",)})
_FAILED_STATES = word_set(
    """
    error failed failure fail declined denied rejected ko invalid not_found forbidden
    unauthorized timeout timed_out unsuccessful refused blocked_by_policy conflict
    bad_request
    """
)


def _is_undone(
    words: Sequence[str], deeds: frozenset[RecordDeed], name_stems: Set[str]
) -> bool:
    """Whether a field states the action itself: `refunded`, but not `fees_refunded`."""
    objects = {*map(stem, words[:-1])} - _AUXILIARY
    return objects <= name_stems and _is_done(words[-1], deeds)


_AUXILIARY = stems("is was has been")


def _is_done(word: str, deeds: frozenset[RecordDeed]) -> bool:
    """Whether a field is named after the requested action: `applied`, `updated`."""
    deeds_of_word = VERBS.get(stem(word), frozenset())
    return word.endswith("ed") and not deeds_of_word.isdisjoint(deeds)


def _is_error_code(value: object) -> bool:
    if isinstance(value, bool):
        return False
    text = str(value)
    return len(text) == 3 and text[0] in "45" and text.isdigit()
