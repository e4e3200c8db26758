"""How well a place of the answer fits a field of the run, by words and by company.

A field is told by its key, by the keys around it and by what else its objects have; a
place by the words of its clause, sentence and item, and by the other values there. Two
values of which each fits the place of the other one better are exchanged, and one that
fits its place worse than what another object has in its field is misplaced. Only what
tells two fields apart counts: an order's number says nothing of its items.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from verifyhub.engine.calls.deed_words import words_of
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import plain, word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind, ValueNote, ValueStatus
from verifyhub.engine.values.evidence import Origin, Place, RunValues
from verifyhub.engine.values.records import (
    Leaf,
    Path,
    is_name_key,
    is_position,
    is_proper,
    key_words,
    nearest_key,
)
from verifyhub.engine.values.ruling import Ruling
from verifyhub.engine.values.things import Things

# A call, and where in its output an object stands.
Object: TypeAlias = tuple[int, Path]
# What tells a field: the beginning of a word, or an object that it lies in.
Token: TypeAlias = str | Object

# What a token says of a field: of its key, of a key above it, of a text of its objects,
# of a number in such a text, of the tool that returned it.
_KEY, _ABOVE, _TEXT, _NUMBERED, _OBJECT, _TOOL = 2.0, 1.5, 1.0, 2.0, 2.0, 0.5
# What is said of a value by the words next to it, by its clause, sentence and item.
_LABEL, _CLAUSE, _SENTENCE, _ITEM = 1.5, 1.0, 0.5, 0.3
_LABEL_BEFORE, _LABEL_BEHIND = 4, 2
# By how much places must fit the other value better: each one, of what may name a
# thing each one, both together, both where one is known to be wrong, and one alone.
_LEAST, _LEAST_OF_NAMES, _LEAST_OF_BOTH, _LEAST_OF_HALF = 0.0, 0.5, 1.5, 1.0
_LEAST_ALONE = 2.0
_MOST_LEAVES, _MOST_VALUES, _MOST_NEAR, _MOST_PEERS = 6, 60, 16, 40
_MOST_THINGS = 3
_MOST_TEXTS, _LONGEST_TEXT, _LINES_UP = 40, 60, 12
_NOWHERE: Span = (-1, -1)


class Shown(NamedTuple):
    """A value of the answer, and where outputs have it.

    Attributes:
        span: Its place.
        kind: What it is.
        leaves: The leaves that have it.
        is_wrong: Whether it is known to be wrong at its place.
    """

    span: Span
    kind: ValueKind
    leaves: Sequence[Leaf]
    is_wrong: bool = False


class Fields:
    """The fields of a run, by what they are told by.

    Args:
        run: The run.
    """

    def __init__(self, run: RunValues) -> None:
        self._run = run
        self._told: dict[tuple[int, Path, int], Mapping[Token, float]] = {}

    @cached_property
    def by_names(self) -> Mapping[tuple[str, ...], list[Leaf]]:
        """The leaves of each field, by its keys."""
        by_field: dict[tuple[str, ...], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            if not isinstance(leaf.value, bool):
                by_field.setdefault(_field(leaf), []).append(leaf)
        return by_field

    @property
    def columns(self) -> frozenset[str]:
        """Keys whose texts tell the objects of a list apart."""
        return self._run.records.columns

    def told_by(self, leaf: Leaf, within: bool) -> Mapping[Token, float]:
        """Return what a field is told by, or by its own object alone, with weights."""
        outmost = len(leaf.path) - 1 if within else 0
        place = (leaf.call, leaf.path, outmost)
        told = self._told.get(place)
        if told is None:
            told = self._told[place] = dict[Token, float]()
            for token, weight in self._tokens_of(leaf, outmost):
                told[token] = max(told.get(token, 0.0), weight)
        return told

    def _tokens_of(self, leaf: Leaf, outmost: int) -> Iterator[tuple[Token, float]]:
        for stem in _stems(key_words(leaf.key)):
            yield stem, _KEY
        keys = [one for one in leaf.path if isinstance(one, str)]
        for key in keys[:-1]:
            for stem in _stems(key_words(key)):
                yield stem, _ABOVE
        tool = self._run.interaction.tool_calls[leaf.call].tool
        for stem in _stems(words_of(tool)):
            yield stem, _TOOL
        for depth in range(len(leaf.path) - 1, outmost - 1, -1):
            place = (leaf.call, leaf.path[:depth])
            if place not in self._texts:
                continue
            yield place, _OBJECT
            for stem in self._beside(leaf, place):
                yield stem, _NUMBERED if _has_digit(stem) else _TEXT

    def _beside(self, leaf: Leaf, place: Object) -> Iterator[str]:
        """Yield the words of what else an object has that a leaf lies in.

        Texts of one list say nothing of each other.
        """
        if len(leaf.path) == len(place[1]) + 1 and is_position(leaf.path[-1]):
            return
        for path, text in self._texts[place]:
            if path != leaf.path:
                yield from _stems(_WORD.findall(text.casefold()))

    @cached_property
    def _texts(self) -> Mapping[Object, list[tuple[Path, str]]]:
        """The short texts of each object, but for states and days."""
        texts: dict[Object, list[tuple[Path, str]]] = {}
        for leaf in self._run.records.leaves:
            of_object = texts.setdefault((leaf.call, leaf.path[:-1]), [])
            text = leaf.value
            if (
                isinstance(text, str)
                and len(text) <= _LONGEST_TEXT
                and len(of_object) < _MOST_TEXTS
                and leaf.key not in _STATES
                and not _MOMENT.match(text)
            ):
                of_object.append((leaf.path, text))
        return texts


class Contexts:
    """The places of an answer and the fields of its run.

    Args:
        answer: The answer.
        fields: The fields of its run.
        things: The records that the answer speaks of.
        shown: The values of the answer that outputs have.
        wrong: The places of values that are wrong, which tell nothing.
        wrong_things: Those of them that name a thing; what is said of it is open.
    """

    def __init__(
        self,
        answer: str,
        fields: Fields,
        things: Things,
        shown: Iterable[Shown],
        wrong: Iterable[Span] = (),
        wrong_things: Iterable[Span] = (),
    ) -> None:
        self._fields = fields
        self._things = things
        self._shown = sorted(shown, key=lambda one: one.span)
        self._wrong_things = list(wrong_things)
        for start, end in wrong:
            answer = f"{answer[:start]}{' ' * (end - start)}{answer[end:]}"
        self._answer = answer
        self._said: dict[Span, _Said] = {}

    # Two values, each at the place of the other.

    def exchanged(self, kinds: Collection[ValueKind]) -> dict[Span, Ruling]:
        """Return why values of some kinds stand at each other's places."""
        wrong: dict[Span, Ruling] = {}
        by_kind: dict[ValueKind, list[Shown]] = {}
        for one in self._shown:
            if one.kind in kinds and self._is_one_of_several(one):
                by_kind.setdefault(one.kind, []).append(one)
        for alike in by_kind.values():
            for at, one in enumerate(alike[:_MOST_VALUES]):
                for other in alike[at + 1 : min(at + _MOST_NEAR, _MOST_VALUES)]:
                    pair = self._fitting(one, other)
                    if pair is None or (one.is_wrong and other.is_wrong):
                        continue
                    if not one.is_wrong:
                        wrong[one.span] = against(*pair)
                    if not other.is_wrong:
                        wrong[other.span] = against(*reversed(pair))
        return wrong

    def _fitting(self, one: Shown, other: Shown) -> tuple[Leaf, Leaf] | None:
        """Return what fits the place of each of two values, if it is the other one."""
        if not self._may_be_exchanged(one, other):
            return None
        least = _LEAST if self._is_plain(one) else _LEAST_OF_NAMES
        first = self._better(one, other, least)
        second = None if first is None else self._better(other, one, least)
        if first is None or second is None:
            return None
        known = one.is_wrong or other.is_wrong
        both = first[0] + second[0]
        if both < (_LEAST_OF_HALF if known else _LEAST_OF_BOTH):
            return None
        # Of an id and an amount alone the amount is taken to be the wrong one.
        open_ids = one.kind is ValueKind.IDENTIFIER and not known
        upheld = open_ids and (
            self._is_upheld(one, other, first[1])
            or self._is_upheld(other, one, second[1])
        )
        return None if open_ids and not upheld else (first[1], second[1])

    def _is_upheld(self, one: Shown, other: Shown, its: Leaf) -> bool:
        """Whether a name, or two values, at a place are of the object of another id."""
        by = self._said_at(one).values_of((its.call, its.path[:-1])) - {other.span}
        names = (each for each in self._shown if each.kind is ValueKind.NAME)
        return len(by) > 1 or any(each.span in by for each in names)

    def _is_one_of_several(self, one: Shown) -> bool:
        """Whether objects have each its own of a value: no state, type or address."""
        if not 0 < len(one.leaves) <= _MOST_LEAVES:
            return False
        if one.kind is not ValueKind.NAME:
            return one.kind not in {ValueKind.STATUS, ValueKind.ADDRESS}
        if self._answer[slice(*one.span)].islower():
            return False
        columns = self._fields.columns
        return any(
            is_name_key(leaf.key) or leaf.key in columns or is_proper(str(leaf.value))
            for leaf in one.leaves
            if _NAME_PARTS.isdisjoint(key_words(leaf.key))
        )

    def _may_be_exchanged(self, one: Shown, other: Shown) -> bool:
        """Whether two values differ, are of one field where need be, and not joined."""
        if {leaf.value for leaf in one.leaves} & {leaf.value for leaf in other.leaves}:
            return False
        if one.kind in _OF_ONE_FIELD and not self._is_plain(one):
            fields = set(map(_listed_field, one.leaves))
            if fields.isdisjoint(map(_listed_field, other.leaves)):
                return False
        first, second = sorted((one.span, other.span))
        if _JOINED.fullmatch(self._answer, first[1], second[0]):
            return False
        return not (self._is_of_wrong(one.span) or self._is_of_wrong(other.span))

    def _is_plain(self, one: Shown) -> bool:
        """Whether a value names nothing: an amount, a day, a number with decimals."""
        return one.kind in _PLAIN or (
            one.kind is ValueKind.NUMBER
            and _DECIMALS.search(self._answer, *one.span) is not None
        )

    def _is_of_wrong(self, span: Span) -> bool:
        """Whether a place speaks of a thing that is wrong itself."""
        start, end = self._above(span)[0], self._things.sentence(span)[1]
        return any(start <= one[0] < end and one != span for one in self._wrong_things)

    # One value at the place of what another object has.

    def misplaced(self, kinds: Collection[ValueKind]) -> dict[Span, Ruling]:
        """Return why values of some kinds are not of the objects spoken of."""
        wrong: dict[Span, Ruling] = {}
        for one in self._shown[:_MOST_VALUES]:
            if (
                one.kind in kinds
                and not one.is_wrong
                and (one.kind is not ValueKind.NUMBER or self._is_plain(one))
                and self._is_one_of_several(one)
                and not self._is_of_wrong(one.span)
            ):
                meant = self._meant(one)
                if meant is not None:
                    wrong[one.span] = against(meant, one.leaves[0])
        return wrong

    def _meant(self, one: Shown) -> Leaf | None:
        """Return what another object has in the field of a value, if that fits best."""
        values = {leaf.value for leaf in one.leaves}
        # What stands in fields of two names is as good in one as in the other.
        if len({leaf.key for leaf in one.leaves}) > 1:
            return None
        fields = dict.fromkeys(map(_field, one.leaves))
        peers = [
            leaf for field in fields for leaf in self._fields.by_names.get(field, ())
        ]
        if len(peers) > _MOST_PEERS:
            return None
        found = (
            self._better(one, Shown(_NOWHERE, one.kind, (peer,)), _LEAST_ALONE)
            for peer in peers
            if peer.value not in values
        )
        best = max(filter(None, found), key=lambda pair: pair[0], default=None)
        if best is None or self._is_said(one, best[1]):
            return None
        return None if self._is_spoken_of(one, best[1]) else best[1]

    def _is_spoken_of(self, one: Shown, meant: Leaf) -> bool:
        """Whether a value is of a record named before, and what is meant is not."""
        things = self._things.at(one.span) or frozenset(
            self._things.before(one.span, _MOST_THINGS)
        )
        around = frozenset().union(*(leaf.ids_around for leaf in one.leaves))
        return bool(around & things) and meant.ids_around.isdisjoint(things)

    def _is_said(self, one: Shown, leaf: Leaf) -> bool:
        """Whether the answer says a value elsewhere, so that words may be of that."""
        return any(
            leaf.value in {own.value for own in other.leaves}
            for other in self._shown
            if other.kind is one.kind and other.span != one.span
        )

    # How much better another leaf fits.

    def _better(
        self, one: Shown, other: Shown, enough: float
    ) -> tuple[float, Leaf] | None:
        """Return by how much a place fits another value better, and which leaf of it.

        Wherever its own value may be from, the other one must fit better by enough.
        """
        least: tuple[float, Leaf] | None = None
        for own in one.leaves:
            fits = ((self._fits(one, other, own, its), its) for its in other.leaves)
            best = max(fits, key=lambda pair: pair[0])
            if best[0] < enough:
                return None
            if least is None or best[0] < least[0]:
                least = best
        return least

    def _fits(self, one: Shown, other: Shown, own: Leaf, its: Leaf) -> float:
        """Return how much better a place fits one leaf than its own."""
        said = self._said_at(one)
        # A value tells nothing of its own place, and may be said again.
        own_places = {other.span, *self._places.get(its.value, ())}
        # Of one record: what it lies in tells nothing.
        shared = not own.ids_around.isdisjoint(its.ids_around)
        told, its_told = (
            self._fields.told_by(own, shared),
            self._fields.told_by(its, shared),
        )
        better = label = 0.0
        for token in its_told.keys() - told.keys():
            if other.span == _NOWHERE and _says_little(token, its_told[token], one):
                continue
            weight = its_told[token] * said.weight(token, own_places)
            better += weight
            if its_told[token] == _KEY and isinstance(token, str):
                label = max(label, weight)
        for token in told.keys() - its_told.keys():
            weight = told[token] * said.weight(token, own_places)
            better -= weight
            if weight > max(_KEY, label) and token in {*_stems(key_words(own.key))}:
                return -weight  # It stands right behind its own label.
        return better

    @cached_property
    def _places(self) -> Mapping[object, frozenset[Span]]:
        """Where the answer says what leaves have."""
        places: dict[object, set[Span]] = {}
        for one in self._shown:
            for leaf in one.leaves:
                places.setdefault(leaf.value, set()).add(one.span)
        return {value: frozenset(spans) for value, spans in places.items()}

    # What a place is told by.

    def _said_at(self, one: Shown) -> "_Said":
        said = self._said.get(one.span)
        if said is None:
            said = self._said[one.span] = self._read_place(one)
        return said

    def _read_place(self, one: Shown) -> "_Said":
        said = _Said()
        span = one.span
        start, end = self._things.sentence(span)
        left, right = self._part_of(one)
        before = _WORD.findall(self._answer[left : span[0]].casefold())
        behind = _WORD.findall(self._answer[span[1] : right].casefold())
        label = _WORD.findall(self._things.label_of(span).casefold())
        said.add(before[-_LABEL_BEFORE:], _LABEL)
        said.add(behind[:_LABEL_BEHIND], _LABEL)
        said.add((*before, *behind, *label), _CLAUSE)
        rest = f"{self._answer[start : span[0]]} {self._answer[span[1] : end]}"
        said.add(_WORD.findall(rest.casefold()), _SENTENCE)
        above = self._above(span)
        said.add(_WORD.findall(self._answer[slice(*above)].casefold()), _ITEM)
        for other in self._shown:
            place = other.span[0]
            if other.span == span or other.is_wrong:
                continue
            if left <= place < right:
                near = _CLAUSE
            elif start <= place < end:
                near = _SENTENCE
            elif above[0] <= place < above[1]:
                near = _ITEM
            else:
                continue
            if len(other.leaves) <= _MOST_LEAVES:
                said.add_objects(other, near)
        return said

    def _part_of(self, one: Shown) -> Span:
        """Return the clause of a value, up to the next values of its kind."""
        left, right = self._things.clause(one.span)
        right = max(right, one.span[1])
        for other in self._shown:
            if other.kind is one.kind and other.span != one.span:
                if left < other.span[1] <= one.span[0]:
                    left = other.span[1]
                if one.span[1] <= other.span[0] < right:
                    right = other.span[0]
        return left, right

    def _above(self, span: Span) -> Span:
        """Return the lines above a place that its item or paragraph has.

        Other items of its list are left out where they begin with a thing each.
        """
        start = self._answer.rfind("\n", 0, span[0]) + 1
        end = max(start, self._things.sentence(span)[0])
        own = _ITEM_LINE.match(self._answer, start)
        if own and (own[2] or self._begins_with_thing(own.end())):
            while start:
                before = self._answer.rfind("\n", 0, start - 1) + 1
                line = _ITEM_LINE.match(self._answer, before)
                if line is None or len(line[1]) < len(own[1]):
                    break
                start = before
            end = start
        for _ in range(_LINES_UP):
            before = self._answer.rfind("\n", 0, max(0, start - 1)) + 1
            if start == 0 or not self._answer[before:start].strip():
                break
            start = before
        return start, end

    def _begins_with_thing(self, start: int) -> bool:
        return any(
            one.kind in _THINGS and start <= one.span[0] <= start + _LONGEST_MARK
            for one in self._shown
        )


class _Said:
    """The words and objects at a place, with how much they say of its value."""

    def __init__(self) -> None:
        self._stems: dict[str, float] = {}
        self._objects: dict[Object, list[tuple[float, Span]]] = {}

    def add(self, words: Iterable[str], weight: float) -> None:
        """Add words."""
        for word in _stems(words):
            for stem in (word, *_MEANS.get(word, ())):
                self._stems[stem] = max(self._stems.get(stem, 0.0), weight)

    def add_objects(self, shown: Shown, weight: float) -> None:
        """Add the objects that a value may be of."""
        for leaf in shown.leaves:
            for depth in range(len(leaf.path)):
                place = (leaf.call, leaf.path[:depth])
                share = weight / len(shown.leaves)
                self._objects.setdefault(place, []).append((share, shown.span))

    def values_of(self, place: Object) -> set[Span]:
        """Return the places of the values that may be of an object."""
        return {span for _, span in self._objects.get(place, ())}

    def weight(self, token: Token, but_for: Collection[Span]) -> float:
        """Return how much is said of a token, but by the values at other places."""
        if isinstance(token, str):
            return self._stems.get(token, 0.0)
        weights = (one for one, by in self._objects.get(token, ()) if by not in but_for)
        return max(weights, default=0.0)


_WORD = re.compile(r"[^\W_]+")
_DECIMALS = re.compile(r"\d[.,]\d\d(?!\d)")
_MOMENT = re.compile(r"\d{1,4}[-./:]\d{1,2}(?!\w)|PT?\d")
_STATES = frozenset({"status", "state", "stage", "result"})
_NAME_PARTS = word_set("first last given family middle")
_THINGS = frozenset({ValueKind.NAME, ValueKind.IDENTIFIER})
_PLAIN = frozenset(
    {
        ValueKind.MONEY, ValueKind.DATE, ValueKind.TIME, ValueKind.DURATION,
        ValueKind.PERCENT,
    }
)  # fmt: skip
# What stands in one field is none of these of another one.
_OF_ONE_FIELD = frozenset({ValueKind.NAME, ValueKind.NUMBER})
# Between two values of one enumeration, or of one range.
_JOINED = re.compile(
    r"[\s,*_&/()\"'“”«»]{0,6}(?:(?:and|or|along with|together with|as well as|plus"
    r"|und|oder|sowie|et|ou|ainsi que|y|o|así como|и|или|а также|to)(?: an?)?|[-–+])?"
    r"[\s,*_()\"'“”«»]{0,6}"
)
_ITEM_LINE = re.compile(r"([ \t]*)(?:[-*•]|(\d{1,2}[.)]))[ ]")
_LONGEST_MARK = 4
_STEM, _SHORTEST_WORD, _SHORTEST_NUMBER, _FEWEST_LEFT = 5, 2, 3, 4
_ENDINGS = ("ings", "ing", "ed", "ment", "ance", "al")
_EMPTY = word_set(
    """
    the a an of to in on at by for is are was and or per with from as your you my our
    its it be has have that this which not no new id get list search find
    der die das und von für mit im am zu la le les de des du et un une el los las y en
    con para por del в на и с по за
    """
)

# What a word of the answer may stand for in a key: who leaves departs, outbound.
_MEANS = {
    "leav": ("depar", "outbo"),
    "depar": ("outbo",),
    "retur": ("inbou",),
    "back": ("inbou", "retur"),
    "land": ("arriv",),
    "begin": ("start",),
    "finis": ("end",),
}
_PARTICLES = word_set("in out off up on over back")


def _stems(words: Iterable[str]) -> Iterator[str]:
    """Yield the beginnings of words that tell something.

    `drop off` and `check-in` are as good as one word each.
    """
    last = ""
    for word in words:
        if word in _PARTICLES and last:
            yield _stem(last + word)
        last = word
        if _has_digit(word):
            if len(word) >= _SHORTEST_NUMBER:
                yield word
        elif len(word) >= _SHORTEST_WORD and word not in _EMPTY:
            yield _stem(word)


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """Return the beginning of a word, without accents and what says how it is used.

    Keys have no accents as a rule: "Dirección de envío" is `direccion_envio`.
    """
    word = plain(word)
    if len(word) > _SHORTEST_NUMBER and word.endswith("s"):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + _FEWEST_LEFT:
            word = word.removesuffix(ending)
            # `shipped` is a form of `ship`, and `billed` one of `bill`.
            if word[-1] == word[-2] and word[-1] not in "sle":
                word = word[:-1]
            break
    return word[:_STEM].removesuffix("e")


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _says_little(token: Token, weight: float, one: Shown) -> bool:
    """Whether a token does not say by itself which object is meant.

    What was done with a tool may be said of anything; an id is told by numbers and by
    the values beside it.
    """
    is_word = isinstance(token, str) and not _has_digit(token)
    return weight == _TOOL or (is_word and one.kind is ValueKind.IDENTIFIER)


def _field(leaf: Leaf) -> tuple[str, ...]:
    """Return the keys of a leaf, from the list on that its object stands in."""
    at = _last_position(leaf.path)
    below = [str(part) for part in leaf.path[at + 1 :]]
    if len(below) > 1 and _has_digit(below[0]):
        below = below[1:]  # Of an object of a mapping by ids.
    return (nearest_key(leaf.path[: at + 1]), *below)


def _listed_field(leaf: Leaf) -> tuple[str, str]:
    """Return the key of a leaf, with that of the list that its object stands in."""
    return leaf.key, nearest_key(leaf.path[: _last_position(leaf.path) + 1])


def _last_position(path: Path) -> int:
    return max((at for at, part in enumerate(path) if is_position(part)), default=-1)


def against(right: Leaf, own: Leaf) -> Ruling:
    """Return that a value is not what is meant at its place."""
    return Ruling(
        status=ValueStatus.UNSUPPORTED,
        reason=ValueNote.OTHER_FIELD,
        places=tuple(
            Place(Origin.OUTPUT, one.call, str(one.value), one) for one in (right, own)
        ),
        note=f"{right.dotted}: {right.value}; {own.dotted}: {own.value}",
    )
